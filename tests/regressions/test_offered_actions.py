"""Offers: headers written in place, shared reads, one body behind a `may`, conditions of triggers, tables of definitions."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.play.game import Game
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.play.scenarios import run_scenarios

MENU = """
game "Menu" for 2 players:
    "Every kind of header in one menu."
kinds Land: shore, hill
token Cube: red 4, blue 4
place sack: bag of Cube
each player has:
    place hand: bag of Cube
    state land: Land = shore
state log: 0..99999 = 0
define here(p: player) = p.land
define worth(n: -2..3, land: Land) = n * 2 + (1 if land = hill else 0) + sum(m for m in {1, 2} where m > n)

setup:
    move all from box(Cube) to sack
    for p in players: move 1 of red from sack to p.hand
phase Play:
    turns p:
        may deed:
            told(9)
        told(8)
        if turn_number = 1:
            choose done in {yes, no}
        finish {p}
rule told(n: 0..9): set log = log * 10 + n
action fish in deed:
    require here(me) = shore because "no water"
    told(1)
action hunt in deed:
    require here(me) = hill because "no game"
    told(2)
action trade in deed:
    require here(me) = shore because "no boats"
    let some = count(my.hand)
    require some >= 1 because "nothing to trade"
    choose k in Cube where my.hand[k] > 0
    told(3)
action rest in deed: told(4)
trigger first after deed where log < 10: told(5)
trigger second after deed where log > 10: told(6)
"""


def load(tmp_path: Path, more: str = "") -> Game:
    path = tmp_path / "menu.dragon"
    path.write_text(MENU + more, encoding="utf-8")
    return dr.load(path)


def labels(match: Match) -> list[str]:
    assert match.decision is not None
    return [option.label for option in match.decision.options]


def test_only_what_is_possible_is_offered(tmp_path: Path) -> None:
    match = load(tmp_path).start()
    assert labels(match) == ["fish", "trade", "rest", "no"]
    assert "no game" in (match.why_not("hunt") or "")


@pytest.mark.parametrize(
    ("choices", "log"), [(["fish"], 15698), (["rest"], 45698), (["trade", "red"], 35698), (["no"], 8)]
)
def test_what_follows_a_choice(tmp_path: Path, choices: list[str], log: int) -> None:
    """The action, its triggers, the body of `may` once, then what comes after; declined, only that.

    The second trigger sees what the first has done: its condition is tested when its turn comes.
    """
    match = load(tmp_path).start()
    for choice in choices:
        match.choose(choice)
    assert match.view(1)["states"]["log"] == log


def test_definitions_of_small_parameters(tmp_path: Path) -> None:
    lines = ['scenario "worth":', "    then:"]
    for n in range(-2, 4):
        for land in ("shore", "hill"):
            value = n * 2 + (land == "hill") + sum(m for m in (1, 2) if m > n)
            lines.append(f"        check worth({n}, {land}) = {value}")
    game = load(tmp_path, "\n".join(lines) + "\n")
    assert [outcome.problem for outcome in run_scenarios(game)] == [None]


EMPTY = """
scenario "a bag with anything in it is not empty":
    given:
        move 1 of red from player(1).hand to sack
    then:
        check player(1).hand = {} and player(2).hand != {}
    given:
        move 1 of blue from sack to player(1).hand
    then:
        check player(1).hand != {}
"""


def test_empty_bags(tmp_path: Path) -> None:
    assert [outcome.problem for outcome in run_scenarios(load(tmp_path, EMPTY))] == [None]
