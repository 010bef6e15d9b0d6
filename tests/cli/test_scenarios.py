"""`test`: the scenarios of a game, of its variants and of the files beside it."""

from __future__ import annotations

import json
from pathlib import Path

from .command import COINS, GREEDY, dragonrules, written

FAILING = COINS.replace("check count(player(1).purse) = 1", "check count(player(1).purse) = 2")


def test_a_game_brings_its_variants_along(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("test", "-v", game)
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        "ok     coins: a coin goes to the purse\nok     coins + Greedy: two coins at once\n2 scenarios held\n"
    )
    assert dragonrules("test", tmp_path).stdout == "2 scenarios held\n"
    assert dragonrules("test", tmp_path / "variants").stdout == "1 scenario held\n"


def test_a_failing_one_shows_place_expected_and_found(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING)
    result = dragonrules("test", game)
    assert result.exit_code == 1
    assert "FAILED coins: a coin goes to the purse\n" in result.stdout
    assert f"{game}:35:9: check count(player(1).purse) = 2\n" in result.stdout
    assert "(found 1 and 2)" in result.stdout
    assert result.stdout.endswith("0 scenarios held, 1 failed\n")


def test_json(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING, variants__coins_greedy=GREEDY)
    document = json.loads(dragonrules("test", "--format", "json", game).stdout)
    assert (document["passed"], document["failed"]) == (1, 1)
    failed, held = document["scenarios"]
    assert (failed["ok"], failed["line"], failed["cites"]) == (False, 35, ["C-2"])
    assert held["variants"] == ["Greedy"]


def test_some_by_their_title(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING, variants__coins_greedy=GREEDY)
    assert dragonrules("test", game, "-k", "AT ONCE").stdout == "1 scenario held\n"
    result = dragonrules("test", game, "-k", "nothing like it")
    assert result.exit_code == 1
    assert "none of 2 scenarios" in result.stdout


def test_rules_with_errors_fail(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS.replace("count(pile) > 0", "count(pil) > 0"))
    result = dragonrules("test", game)
    assert result.exit_code == 1
    assert "D0201" in result.stdout


def test_a_game_without_scenarios_is_fine() -> None:
    result = dragonrules("test", "kuhn_poker")
    assert (result.exit_code, result.stdout) == (0, "no scenarios\n")
