"""`fuzz`: finds, shortens, writes a log and a scenario, and says so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import dragonrules as dr

from .command import COINS, GREEDY, dragonrules, spawned, written

POOR = COINS + "\nnever rich_and_idle: count(player(1).purse) = 2 and count(pile) = 7\n"
"""Reached by nothing but player 1 taking twice while the others wait."""


def test_a_failure_is_told_shortened_and_written_down(tmp_path: Path) -> None:
    game = written(tmp_path, coins=POOR)
    result = dragonrules("fuzz", game, "--games", 40)
    assert result.exit_code == 1
    out = result.stdout
    assert "failure 1: Coins, 2 players\n" in out
    assert "error[D0907]: `rich_and_idle` does not hold" in out
    assert re.search(r"\b3( steps)?, and no shorter game fails like this:\n", out)
    assert out.endswith("1 failure\n")
    scenario = tmp_path / "coins_fuzz_1.dragon"
    assert scenario.read_text() in out
    assert scenario.read_text() == (
        'scenario "fuzzing: `rich_and_idle` does not hold" for 2 players:\n'
        "    when:\n"
        '        player(1) chooses "take"\n'
        '        player(2) chooses "wait"\n'
        '        player(1) chooses "take"\n'
    )
    tested = dragonrules("test", scenario)
    assert tested.exit_code == 1
    assert "D0907" in tested.stdout
    match = dr.resume(tmp_path / "coins_fuzz_1.json")
    assert (match.players, len(match.log), match.decision.player if match.decision else None) == (2, 2, 1)


def test_the_same_seed_the_same_result(tmp_path: Path) -> None:
    game = written(tmp_path, coins=POOR)
    first, second = (
        json.loads(dragonrules("fuzz", game, "--games", 20, "--seed", 8, "--format", "json").stdout)
        for _ in range(2)
    )
    for document in (first, second):
        for failure in document["failures"]:
            failure.pop("log"), failure.pop("scenario_file")
    assert first == second
    (failure,) = first["failures"]
    assert failure["reproduced"] and failure["shortest"]
    assert failure["steps"] == [
        "player 1 chooses take (turn action)",
        "player 2 chooses wait (turn action)",
        "player 1 chooses take (turn action)",
    ]
    assert {path.name for path in tmp_path.glob("*.json")} == {"coins_fuzz_1.json", "coins_fuzz_2.json"}


def test_variants_players_and_options_are_tried(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    document = json.loads(dragonrules("fuzz", game, "--games", 12, "--format", "json").stdout)
    assert document["settings"][:4] == [
        "Coins, 2 players",
        "Coins, 3 players",
        "Coins + Greedy, 2 players",
        "Coins + Greedy, 3 players",
    ]
    assert {name.partition("players, ")[2] for name in document["settings"][4:]} == {"goal = 2", "goal = 5"}
    assert (document["games"], document["failures"]) == (12, [])
    only = ("fuzz", game, "--only", "--games", 2, "--players", 3, "--set", "goal=4", "--format", "json")
    assert json.loads(dragonrules(*only).stdout)["settings"] == ["Coins, 3 players, goal = 4"]


def test_a_failure_in_a_variant(tmp_path: Path) -> None:
    bad = GREEDY.replace("count(pile) > 1", "count(pile) >= 0")
    game = written(tmp_path, coins=COINS, variants__coins_greedy=bad)
    result = dragonrules("fuzz", game, "--variant", "greedy", "--set", "goal=5", "--games", 20)
    assert "failure 1: Coins + Greedy, 2 players, goal = 5" in result.stdout
    assert "D0901" in result.stdout
    tested = dragonrules("test", tmp_path / "coins_fuzz_1.dragon")
    assert "D0901" in tested.stdout


def test_a_variant_with_errors_does_not_hide_the_others(tmp_path: Path) -> None:
    bad = GREEDY.replace("count(pile)", "count(pil)")
    game = written(tmp_path, coins=COINS, variants__coins_greedy=bad)
    result = dragonrules("fuzz", game, "--games", 4)
    assert result.exit_code == 1
    assert "not tried, because it has errors: Greedy" in result.stdout
    assert "D0201" in result.stdout
    assert "4 games" in result.stdout


def test_nothing_wrong(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    result = dragonrules("fuzz", game, "--games", 10, "--coverage")
    assert result.exit_code == 0
    assert "nothing went wrong\n" in result.stdout
    assert "all files" not in result.stdout and str(game) in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["coins.dragon"]


def test_wrong_usage(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    assert dragonrules("fuzz", game, "--players", 9).exit_code == 2
    assert dragonrules("fuzz", game, "--games", 0).exit_code == 2
    result = spawned("fuzz", game, "--games", 1, "--out", game / "inside")
    assert (result.returncode, result.stdout) == (1, "")
    assert "Not a directory" in result.stderr
    assert dragonrules("fuzz", game, "--set", "goal=99").exit_code == 2
    assert dragonrules("fuzz", tmp_path / "none.dragon").exit_code == 2
    assert dragonrules("fuzz", written(tmp_path, bad="game")).exit_code == 1


def test_actions_that_are_never_possible_are_named(tmp_path: Path) -> None:
    rules = """game "Wings" for 2 players
state height: 0..9 = 0
phase Play:
    turns Round p: offer deed
action walk in deed:
    choose n in 1..2
    change height by n
action fly in deed:
    require height * height = 7
    set height = 9
ending over when height >= 7: finish {}
"""
    game = written(tmp_path, wings=rules)
    told = dragonrules("fuzz", game, "--games", 5)
    assert "never possible in 5 games: `fly` (" in told.stdout
    assert json.loads(dragonrules("fuzz", game, "--games", 5, "--format", "json").stdout)[
        "never_possible"
    ] == ["fly"]
    counted = dragonrules("simulate", game, "--games", 5, "--count")
    assert "action fly (never possible)" in counted.stdout
