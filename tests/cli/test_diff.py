"""`dragonrules diff` and `expand`, as they are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import COINS, GREEDY, dragonrules, written

BROKEN = 'variant "Broken" of coins:\n    set gaol = 3\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY, variants__coins_broken=BROKEN)


def test_sentences_then_the_source(game: Path) -> None:
    result = dragonrules("diff", game, "greedy", "--source", "--context", 0)
    assert result.exit_code == 0
    first, _, source = result.stdout.partition("--- coins\n")
    assert "coins -> coins+greedy" in first
    assert "Greedy: Two at a time.\n" in first
    assert "  Action take  (" in first
    assert "    was  Move 1 gold coin from the pile to your purse.\n" in first
    assert "    now  Move 2 gold coins from the pile to your purse.\n" in first
    assert "coins_greedy.dragon:" in first
    assert "C-2..4" in first
    assert "@@ -21,4 +21,3 @@\n" in source
    assert "+    move 2 of gold from pile to my.purse\n" in source


def test_several_and_one_with_a_mistake(game: Path) -> None:
    result = dragonrules("diff", game, "broken", "goal=4", "--no-source")
    assert result.exit_code == 1
    assert "error[D0602]: the game has no option `gaol`" in result.stdout
    assert "Option goal: 3 becomes 4." in result.stdout
    assert "---" not in result.stdout


def test_between_two_versions_of_a_game(game: Path) -> None:
    newer = written(game.parent, newer=COINS.replace("gold 9", "gold 12").replace("C-2..4", "C-5"))
    result = dragonrules("diff", game, newer, "--no-source")
    assert "Token Coin: 12 gold instead of 9." in result.stdout
    assert "1 change in 1 declaration" in result.stdout


def test_nothing_to_tell(game: Path) -> None:
    copy = written(game.parent, copy=f"# a copy\n{COINS}")
    assert "the same rules" in dragonrules("diff", game, copy).stdout
    result = dragonrules("diff", game)
    assert result.exit_code == 2
    assert "compare with what?" in result.stderr


def test_as_data(game: Path) -> None:
    document = json.loads(
        dragonrules("diff", game, "greedy", "broken", "--source", "--format", "json").stdout
    )
    assert document["base"] == "coins"
    greedy, broken = document["others"]
    assert greedy["title"] == "coins+greedy"
    assert len(greedy["fingerprint"]) == 64
    (change,) = greedy["changes"]
    assert (change["kind"], change["word"], change["name"]) == ("changed", "action", "take")
    assert change["variants"] == ["Greedy"]
    assert change["now"][-1] == "Move 2 gold coins from the pile to your purse."
    assert greedy["variants"] == [{"title": "Greedy", "sentence": "Two at a time."}]
    assert change["new"]["path"].endswith("coins_greedy.dragon")
    assert greedy["diff"].startswith("--- coins\n+++ coins+greedy\n")
    assert broken["diagnostics"][0]["code"] == "D0602"


def test_what_a_file_changes_in_its_game(game: Path) -> None:
    by_file = dragonrules("diff", game.parent / "variants" / "coins_greedy.dragon", "--no-source")
    assert by_file.exit_code == 0
    assert "now  Move 2 gold coins from the pile" in by_file.stdout
    by_option = dragonrules("diff", game, "--variant", "greedy", "--set", "goal=5", "--no-source")
    assert "Option goal: 3 becomes 5." in by_option.stdout
    assert "Action take" in by_option.stdout


def test_expand_with_and_without_comments(game: Path) -> None:
    full = dragonrules("expand", game, "--variant", "greedy", "--set", "goal=5")
    assert full.exit_code == 0
    assert "# --set goal=5: 3 becomes 5\noption goal: 2..5 = 5\n" in full.stdout
    assert "# Greedy: " in full.stdout
    bare = dragonrules("expand", game, "--variant", "greedy", "--set", "goal=5", "--no-comments")
    assert "#" not in bare.stdout
    assert 'scenario "two coins at once"' in bare.stdout
    assert 'scenario "a coin goes to the purse"' not in bare.stdout
