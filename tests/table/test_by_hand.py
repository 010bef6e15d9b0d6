"""Boards of analysis: what is moved by hand is a line of a scenario, and the scenario is the position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.errors import DragonError
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.play.scenarios import run_scenarios
from dragonrules.interpreter.table.by_hand import Grip, NotByHand, line_for
from dragonrules.interpreter.table.staging import (
    NotSet,
    going_on,
    scenarios_of,
    staged,
    staged_scenario,
)

GAMES = ("drakon", "dragon_keeper", "ryu", "dragons_gold", "othello", "hearts", "chess", "backgammon")


def played(name: str, steps: int, seed: int = 3) -> Match:
    game, rng = dr.load(name), Random(name)
    match = game.start(min(game.checked.players), seed=seed)
    for _ in range(steps):
        if match.over:
            break
        assert match.decision is not None
        match.choose(rng.randrange(len(match.decision.options)))
    return match


def grips(match: Match) -> tuple[list[Grip], list[Grip]]:
    """What may be taken hold of, and where it may be put."""
    seat = match.asked or 1
    view, places = match.view(seat), match.game.table(match.players).places
    things: list[Grip] = []
    ends: list[Grip] = []
    for label, seen in view["places"].items():
        place = places[label]
        for item in seen.get("contents") or ():
            things += _grip(item, label, tokens=place.tokens)
        if place.board is None:
            ends.append(Grip(f"place {label}"))
        else:
            spaces = place.board.spaces or ((0, 3), (2, 2), (-4, 1))
            ends += [Grip(f"space {label} {x} {y}", label) for x, y in spaces]
    things += [Grip(f"thing {piece}") for piece, where in view["pieces"].items() if where]
    return things, ends


def _grip(item: Any, label: str, *, tokens: bool) -> Iterator[Grip]:
    if isinstance(item, str) or (len(item) == 2 and isinstance(item[0], str)):
        name, amount = (item, 1) if isinstance(item, str) else item
        if amount:
            yield Grip(f"{'token' if tokens else 'thing'} {name}", label)
    elif isinstance(item[0], str):
        yield Grip(f"thing {item[0]}", label)
    else:
        yield Grip(f"space {label} {item[0][0]} {item[0][1]}", label)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_stands_on_its_stage_as_it_is(name: str) -> None:
    match = played(name, 12)
    there = going_on(staged(match).start or match)
    for seat in (None, *range(1, match.players + 1)):
        assert there.view(seat) == match.view(seat)
    if match.decision is not None and there.decision is not None:
        assert [o.label for o in there.decision.options] == [o.label for o in match.decision.options]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_put_somewhere_lies_there(name: str) -> None:
    """Random things to random places: the line is always good, and what is refused is refused in a sentence."""
    match, rng = played(name, 9), Random(name)
    stage = staged(match)
    table, view = match.game.table(match.players), match.view(match.asked or 1)
    things, ends = grips(match)
    moved, refused = 0, []
    for _ in range(4):
        taken, put = rng.choice(things), rng.choice(ends)
        try:
            line = line_for(table, view, taken, put)
            after = going_on(stage.given(line).start or match)
        except NotByHand:
            continue
        except NotSet as problem:
            refused.append(str(problem))
            continue
        moved += 1
        label = put.place or put.address.partition(" ")[2]
        if taken.place != label:
            assert lying(after, label) != lying(match, label), f"{name}: {line}"
    assert [told for told in refused if not re.search("holds|no room|needed|at most", told)] == []
    assert moved or refused, "some of it can be done"


def lying(match: Match, label: str) -> Any:
    return match.everything()["places"][label]


def test_what_is_saved_runs_by_itself_and_is_this_position(tmp_path: Path) -> None:
    match = played("drakon", 8)
    stage = staged(match).given("move 2 of three from hoard to player(2).purse")
    board = going_on(stage.start or match)
    assert board.decision is not None
    board.choose(0)
    file = tmp_path / "position.dragon"
    file.write_text(stage.played(board).text(board.asked), encoding="utf-8")
    game = dr.load("drakon", variants=[str(file)])
    outcomes = run_scenarios(game)
    assert [outcome.problem for outcome in outcomes] == [None]
    file.write_text(file.read_text(encoding="utf-8").replace("player(1) decides", "player(2) decides"))
    changed = run_scenarios(dr.load("drakon", variants=[str(file)]))
    assert (changed[0].problem is None) is (board.asked == 2)


def test_a_scenario_of_a_file_beside_the_game_is_a_board() -> None:
    game = dr.load("drakon")
    file, name = next(found for found in scenarios_of(game) if found[1] == "heroes may share a chamber")
    stage = staged_scenario(game, file, name)
    board = going_on(stage.start or game.start(2))
    text = stage.text(board.asked)
    assert text.count("given:") == 1 and text.count("then:") == 1 and "decides" in text
    assert board.view(1)["pieces"]["hero of player 1"] == board.view(1)["pieces"]["hero of player 2"]
    with pytest.raises(NotSet):
        staged_scenario(game, file, "no such scenario")


def test_what_does_not_fit_is_said_in_a_sentence() -> None:
    stage = staged(played("drakon", 4))
    with pytest.raises(NotSet, match="holds Chamber, not Coin"):
        stage.given("move 1 of three from hoard to player(1).hand")
    with pytest.raises(NotSet, match="hord"):
        stage.given("move 1 of three from hord to player(1).purse")
    with pytest.raises(DragonError):
        stage.given('" \n    scenario "x":')
