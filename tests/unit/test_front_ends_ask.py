"""What front ends need is on `Game` and `Match`: nothing in cli/ reads a state, a layout or an engine."""

from __future__ import annotations

import ast
from pathlib import Path

import dragonrules as dr
import pytest

ROOT = Path(__file__).parents[2]
INSIDE = {"state", "engine", "layout", "watcher", "points", "generated", "program", "pool"}
"""Attributes of matches, games and engines that are nobody's business but the interpreter's."""
SHOWS_STAGES = {"cli/commands/debug.py"}


def reads(text: str) -> set[str]:
    """`match.state`, `game.engine(...)`; what a module keeps itself, and a series of the laboratory, is something else."""
    return {
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and node.attr in INSIDE
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "table", "made"))
        and not (isinstance(node.value, ast.Attribute) and node.value.attr == "series")
    }


def test_nothing_in_cli_reads_the_inside_of_a_match() -> None:
    found = set()
    for path in (ROOT / "cli").rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if name not in SHOWS_STAGES:
            found |= {f"{name}:{read}" for read in reads(path.read_text(encoding="utf-8"))}
    assert found == set()


def test_such_a_read_is_noticed() -> None:
    assert reads("seat = match.state.player") == {"1: match.state"}


def test_what_is_pending_is_told_without_options() -> None:
    match = dr.load("drakon").start(3, seed=4)
    pending, decision = match.pending, match.decision
    assert pending is not None and decision is not None
    for name in ("player", "rule", "name", "span", "group", "first", "last", "sealed"):
        assert getattr(pending, name) == getattr(decision, name)
    assert pending.player == match.asked


def test_odds_are_the_weights_of_the_outcomes() -> None:
    match = dr.load("drakon").start(2, seed=1, chance="ask")
    chance = match.chance
    assert chance is not None
    assert match.odds == tuple(weight for _, weight in chance.outcomes) and len(match.odds) > 1


@pytest.mark.parametrize("name", ["drakon", "ryu", "dragons_gold"])
def test_events_name_the_rule_that_made_them_happen(name: str) -> None:
    """In its own words each event knows what a choice knows, a save keeps it, and it tells nothing."""
    game = dr.load(name)
    match = game.start(game.players[-1], seed=2)
    for _ in range(25):
        match.choose(0)
    declared = {*game.checked.rules, *game.checked.triggers, *(phase.name for phase in game.checked.phases)}
    told = [event for seat in (1, None) for event in match.observations(seat)]
    causes = {event.cause for event in told if event[0] != "over"}
    assert causes <= declared and len(causes) > 2
    twin = dr.Match.from_json(game, match.to_json())
    assert [e.cause for e in twin.observations(1)] == [e.cause for e in match.observations(1)]
    assert tuple(told[0]) == told[0]


def test_the_cause_is_the_rule_in_whose_text_it_stands() -> None:
    game = dr.loads(
        """game "Causes" for 2 players

token Coin: copper 6
place heap: bag of Coin
place mat: bag of Coin
state steps: 0..9 = 0

rule give(): move 1 of copper from heap to mat

trigger noticed after entering mat: change steps by 1

setup: move all from box(Coin) to heap

phase Play:
    repeat up to 2:
        as player(1):
            offer:
                "take": give()
                "leave": nothing
    finish {}
"""
    )
    match = game.start(seed=1)
    match.choose(0)
    found = [(event[0], event.cause) for event in match.observations(2)]
    assert found == [("move", "setup"), ("choice", "Play"), ("move", "give"), ("set", "noticed")]
