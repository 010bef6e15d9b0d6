"""`new`, `games`, `explain`, `debug`, `expand`, and the help pages."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from dragonrules.cli.main import COMMANDS
from dragonrules.grammar.codes import CODES

from .command import COINS, GREEDY, dragonrules, written


# ---------------------------------------------------------------- new
def test_the_starter_game_is_a_good_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = dragonrules("new", "Last Coin")
    assert result.exit_code == 0
    assert "wrote last_coin.dragon" in result.stdout
    assert dragonrules("validate", "--strict", "last_coin.dragon").exit_code == 0
    assert dragonrules("fmt", "--check", "last_coin.dragon").exit_code == 0
    assert dragonrules("test", "-q", "last_coin.dragon").stdout == "1 passed\n"
    for players in (2, 3, 4):
        assert dragonrules("run", "last_coin.dragon", "--auto", "--players", players).exit_code == 0


@pytest.mark.parametrize(
    ("name", "words"), [("3x", "cannot be the name"), ("no/where", "there is no folder")]
)
def test_names_that_cannot_be(name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = dragonrules("new", name)
    assert result.exit_code == 2
    assert words in result.stderr


def test_nothing_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, mine="keep me")
    result = dragonrules("new", "mine")
    assert result.exit_code == 2
    assert (tmp_path / "mine.dragon").read_text() == "keep me"


# ---------------------------------------------------------------- games, explain
def test_the_shipped_games_are_listed() -> None:
    text = dragonrules("games").stdout
    assert "tic_tac_toe" in text
    listed = json.loads(dragonrules("games", "--format", "json").stdout)
    noughts = next(game for game in listed if game["name"] == "tic_tac_toe")
    assert noughts["title"] == "Tic-Tac-Toe"
    assert noughts["players"] == [2]
    assert noughts["kind"] == "classics"
    lines = text.splitlines()
    assert lines.index("Dice") < next(n for n, line in enumerate(lines) if line.startswith("  pig "))


def test_the_page_on_the_games_is_what_the_command_prints() -> None:
    page = Path(__file__).parents[2] / "docs" / "games.md"
    printed = dragonrules("games", "--format", "markdown", "--pictures", "pictures").stdout
    if os.environ.get("DRAGONRULES_UPDATE"):
        page.write_text(printed, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == printed
    shown = re.findall(r"\]\((pictures/\w+\.svg)\)", printed)
    assert len(shown) == len(json.loads(dragonrules("games", "--format", "json").stdout)) > 28
    assert all((page.parent / picture).read_text(encoding="utf-8").startswith("<svg") for picture in shown)


def test_a_game_of_ones_own_may_start_from_a_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert dragonrules("new", "my_pig", "--like", "pig").exit_code == 0
    assert (tmp_path / "my_pig.dragon").read_text().startswith('game "My Pig" for 2 to 8 players:')
    assert dragonrules("validate", "--strict", "my_pig.dragon").exit_code == 0
    result = dragonrules("new", "other", "--like", "pgi")
    assert result.exit_code == 2
    assert "did you mean `pig`?" in result.stderr


def test_codes_are_explained() -> None:
    assert dragonrules("explain", "d0201").stdout.startswith("D0201")
    assert len(dragonrules("explain").stdout.splitlines()) == len(CODES)
    result = dragonrules("explain", "D9999")
    assert result.exit_code == 2
    assert "there is no diagnostic `D9999`" in result.stderr


# ---------------------------------------------------------------- debug, expand
@pytest.mark.parametrize("stage", ["tree", "checked", "program", "python"])
def test_every_stage_can_be_printed(stage: str, tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    plain = dragonrules("debug", stage, game)
    assert plain.exit_code == 0
    assert plain.stdout != dragonrules("debug", stage, game, "--variant", "greedy").stdout
    if stage == "python":
        compile(plain.stdout, "generated", "exec")


def test_an_expanded_game_is_the_variant(tmp_path: Path) -> None:
    game = written(tmp_path, coins="# my game\n" + COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("expand", game, "--variant", "greedy")
    assert result.stdout.startswith("# my game\ngame")
    full = written(tmp_path, full=result.stdout)
    assert dragonrules("validate", "--strict", full).exit_code == 0
    once, again = (
        json.loads(dragonrules("run", *args, "--auto", "--seed", 4, "--format", "json").stdout)["log"]
        for args in ((game, "--variant", "greedy"), (full,))
    )
    assert once == again


def test_all_kinds_of_overlays_expand(tmp_path: Path) -> None:
    changes = """\
variant "Odd" of coins for 3 or 4 players:
    set goal = 4
    replace place player.purse: bag of Coin, seen by owner
    replace step Round.act:
        # no waiting
        take()
    remove action wait
    state rounds_played: 0..99 = 0
    trigger counting after turn(p): change rounds_played by 1
"""
    game = written(tmp_path, coins=COINS, odd=changes)
    result = dragonrules("expand", game, "--variant", tmp_path / "odd.dragon")
    assert result.exit_code == 0, result.output
    for line in (
        'game "Coins" for 3 or 4 players:',
        "option goal: 2..5 = 4",
        "    place purse: bag of Coin, seen by owner",
        "            # no waiting",
        "state rounds_played: 0..99 = 0",
    ):
        assert line in result.stdout.splitlines()
    assert "action wait in" not in result.stdout
    assert dragonrules("validate", written(tmp_path, full=result.stdout)).exit_code == 0


# ---------------------------------------------------------------- help
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_examples(command: str) -> None:
    result = dragonrules(command, "--help")
    assert result.exit_code == 0
    assert f"\n  Examples:\n    dragonrules {command}" in result.stdout


def test_the_overview_lists_every_command() -> None:
    text = dragonrules("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)


def test_a_command_that_does_not_exist() -> None:
    result = dragonrules("valdate", "x")
    assert result.exit_code == 2
    assert "did you mean `validate`?" in result.stderr
