"""What a player cannot see changes neither what they see nor what they may do."""

from __future__ import annotations

from random import Random
from typing import Any

import dragonrules as dr
import pytest
from hypothesis import given

from ..playing import step
from ..strategies import LONG, SHORT, Play, Table, plays
from .twins import changes

LOOKED_AT_ONE_IN = 10


@SHORT
@given(plays())
def test_secrets_are_kept(table: Table, play: Play) -> None:
    look(table, play, LOOKED_AT_ONE_IN)


@pytest.mark.long
@LONG
@given(plays(400))
def test_secrets_are_kept_long(any_table: Table, play: Play) -> None:
    look(any_table, play, 2)


def look(table: Table, play: Play, one_in: int) -> None:
    rng = Random(play.seed)
    match = table.start(play.seed)
    for turn, number in enumerate(play.choices()):
        if match.over:
            break
        if turn % one_in == play.seed % one_in:
            for seat in range(table.players):
                for words, change in changes(match.state, seat, rng):
                    compare(match, seat, words, change)
        step(match, number)


def compare(match: Any, seat: int, words: str, change: Any) -> None:
    twin = match.fork()
    change(twin.state)
    decides = match.state.player == seat
    if decides:
        asked = match.fork()
        ask_anew(asked)
        assert shown(asked, seat) == shown(match, seat), "asking again changed the question"
        try:
            ask_anew(twin)
        except dr.PlayError:
            return  # a position that play cannot reach, and that the rules need not foresee
    mine, other = shown(match, seat), shown(twin, seat)
    assert mine == other, f"player {seat + 1} can tell that {words} {difference(mine, other)}"


def ask_anew(match: Any) -> None:
    state = match.state
    state.run(state.engine.generated.askers[state.pc])


def shown(match: Any, seat: int) -> dict[str, Any]:
    decision = match.decision
    asked = (decision.player, decision.rule, decision.name) if decision is not None else None
    return {**match.view(seat + 1), "asked": asked}


def difference(a: dict[str, Any], b: dict[str, Any]) -> str:
    return "; ".join(f"{key}: {a[key]} and {b[key]}" for key in a if a[key] != b[key])
