"""`validate`: every diagnostic, in every format, of every way to point at files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import COINS, GREEDY, dragonrules, written

WRONG = COINS.replace("pile != {}", "count(pil) > 0").replace(
    "from pile to my.purse", "from pile to my.pursse"
)


def test_a_good_file(tmp_path: Path) -> None:
    result = dragonrules("validate", written(tmp_path, coins=COINS))
    assert result.exit_code == 0
    assert result.stdout == "1 file: no problems found\n"


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    result = dragonrules("validate", written(tmp_path, coins=WRONG))
    assert result.exit_code == 1
    assert "coins.dragon:23:19: error[D0201]" in result.stdout
    assert "did you mean `purse`?" in result.stdout
    assert result.stdout.endswith("1 file: 2 errors\n")


def test_json(tmp_path: Path) -> None:
    path = written(tmp_path, coins=WRONG)
    result = dragonrules("validate", "--format", "json", path)
    document = json.loads(result.stdout)
    assert document["errors"] == 2
    first = document["diagnostics"][0]
    assert first["code"] == "D0201"
    assert first["path"] == str(path)
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (23, 19, 23, 22)
    assert first["help"] == "did you mean `pile`?"


def test_github(tmp_path: Path) -> None:
    path = written(tmp_path, coins=WRONG)
    result = dragonrules("validate", "--format", "github", path)
    first = result.stdout.splitlines()[0]
    assert first.startswith(
        f"::error file={path},line=23,endLine=23,col=19,title=D0201 unknown name,endColumn=22::"
    )
    assert "%0Ahelp: did you mean `pile`?" in first


@pytest.mark.parametrize("pattern", ["", "*.dragon", "**/*.dragon"])
def test_folders_and_patterns(pattern: str, tmp_path: Path) -> None:
    written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("validate", tmp_path / pattern)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 file" if pattern == "*.dragon" else "2 files")


def test_a_variant_is_checked_over_its_game(tmp_path: Path) -> None:
    bad = GREEDY.replace("action take", "action grab")
    written(tmp_path, coins=COINS, variants__coins_greedy=bad, beside=GREEDY.replace("pile to", "pil to"))
    result = dragonrules("validate", tmp_path / "variants")
    assert result.exit_code == 1
    assert "D0602" in result.stdout
    result = dragonrules("validate", tmp_path / "beside.dragon")
    assert "did you mean `pile`?" in result.stdout


def test_a_variant_without_its_game(tmp_path: Path) -> None:
    result = dragonrules("validate", written(tmp_path, alone=GREEDY))
    assert result.exit_code == 1
    assert "there is no game `coins`" in result.stdout


def test_a_variant_of_a_shipped_game(tmp_path: Path) -> None:
    text = 'variant "Misery" of tic_tac_toe:\n    define nothing_new(p: player) = p.seat\n'
    assert dragonrules("validate", written(tmp_path, misery=text)).exit_code == 0


def test_a_variant_that_needs_another(tmp_path: Path) -> None:
    more = 'variant "More" of coins needs "Greedy":\n    set goal = 4\n'
    written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY, variants__coins_more=more)
    assert dragonrules("validate", tmp_path).exit_code == 0
    (tmp_path / "variants" / "coins_greedy.dragon").unlink()
    assert "D0607" in dragonrules("validate", tmp_path).stdout


def test_what_only_a_variant_uses_is_not_unused(tmp_path: Path) -> None:
    base = COINS + "\ndefine spare(n: 0..9) = n\n"
    user = 'variant "User" of coins:\n    define more = spare(2)\n    never often: more > 2\n'
    game = written(tmp_path, coins=base)
    assert "`spare` is never used" in dragonrules("validate", game).stdout
    assert dragonrules("validate", "--strict", game).exit_code == 1
    written(tmp_path, variants__coins_user=user)
    assert dragonrules("validate", "--strict", game).exit_code == 0
    assert dragonrules("validate", "--strict", tmp_path).exit_code == 0


def test_a_file_of_scenarios_belongs_to_the_game_it_is_named_after(tmp_path: Path) -> None:
    scenario = 'scenario "waiting":\n    when:\n        player(1) chooses wait\n    then:\n        player(2) decides\n'
    path = written(tmp_path, scenarios__coins_waiting=scenario, coins=COINS)
    assert dragonrules("validate", path).exit_code == 0
    path.write_text(scenario.replace("decides", "sees nothing_there"))
    assert dragonrules("validate", path).exit_code == 1


def test_what_is_not_text_is_told_with_the_rest(tmp_path: Path) -> None:
    written(tmp_path, coins=COINS)
    (tmp_path / "picture.dragon").write_bytes(b"\x89PNG\xff\xfe\x00")
    (tmp_path / "zeros.dragon").write_bytes(b"game\x00\x00")
    result = dragonrules("validate", tmp_path)
    assert result.exit_code == 1
    assert "is not UTF-8 text" in result.stdout
    assert "this is not plain text" in result.stdout
    assert result.stdout.endswith("3 files: 2 errors\n")


@pytest.mark.parametrize("given", ["nowhere.dragon", "nowhere/*.dragon", "EMPTY"])
def test_nothing_to_validate_is_wrong_usage(given: str, tmp_path: Path) -> None:
    result = dragonrules("validate", tmp_path if given == "EMPTY" else given)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_the_shipped_games_can_be_named() -> None:
    assert dragonrules("validate", "--strict", "tic_tac_toe", "othello").exit_code == 0
