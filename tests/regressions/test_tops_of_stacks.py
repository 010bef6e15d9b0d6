"""Choosing among the open tops of stacks that are otherwise hidden, and chance in scenarios."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
from dragonrules.interpreter.play.scenarios import run_scenarios

SPEC = """
game "Tops" for 2 players:
    "Take the top of any stack; the rest of it is the owner's business."

kinds Colour: red, blue, green
component Card:
    colour: Colour
    value: 1..2
rows Card:
    | colour    | value |
    | red, blue | 1..2  |
token Coin: gold 1, lead 1
place bag: bag of Coin, seen by nobody
place drawn: bag of Coin, seen by all
each player has:
    place stack[Colour]: stack of Card, seen by owner, top seen by all
    place won: bag of Card, seen by all
state first_player: player = player(1)

setup:
    for c in Card, p in players where p.seat = c.value: move c to p.stack[c.colour]
    move all from box(Coin) to bag
    draw 1 at random from bag to drawn
    roll p in players
    set first_player = p

phase Play:
    turns Round p from first_player:
        choose q in players, c in Colour where top(q.stack[c]) != none because "no such stack" else finish {me}
        let card = top(q.stack[c])
        move card to my.won

scenario "chance about other things is settled by the seed":
    when:
        chance player(2)
        player(2) chooses player(1), green refused because "no such stack"
        player(2) chooses blue
    then:
        check count(player(2).won) = 1
        player(1) decides
"""


def rules(folder: Path) -> dr.Game:
    path = folder / "tops.dragon"
    path.write_text(SPEC, encoding="utf-8")
    return dr.load(path)


def test_a_condition_on_the_top_of_an_indexed_stack(tmp_path: Path) -> None:
    match = rules(tmp_path).start(seed=1)
    match.choose(("q", 1))
    assert match.decision is not None
    assert [o.key for o in match.decision.options] == [("c", "red"), ("c", "blue")]


def test_a_choice_among_open_tops_is_announced(tmp_path: Path) -> None:
    match = rules(tmp_path).start(seed=1)
    match.choose(("q", 1))
    match.choose(("c", "blue"))
    for seat in (1, 2):
        assert any(event[0] == "choice" for event in match.observations(seat))


def test_a_scenario_names_only_the_chance_that_matters(tmp_path: Path) -> None:
    assert [outcome.problem for outcome in run_scenarios(rules(tmp_path))] == [None]
