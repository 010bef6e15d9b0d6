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
def test_secrets_are_kept(one_table: Table, play: Play) -> None:
    look(one_table, play, LOOKED_AT_ONE_IN)


@pytest.mark.long
@LONG
@given(plays(400))
def test_secrets_are_kept_long(any_table: Table, play: Play) -> None:
    look(any_table, play, 2)


def look(table: Table, play: Play, one_in: int) -> int:
    """Every seat, and a spectator, at some positions of a match; the number of pairs that were compared."""
    rng = Random(play.seed)
    match = table.start(play.seed)
    pairs = 0
    for turn, number in enumerate(play.choices()):
        if match.over:
            break
        if turn % one_in == play.seed % one_in:
            for viewer in range(table.players + 1):
                for words, change in changes(match.state, viewer, rng):
                    pairs += compare(match, viewer, words, change)
        step(match, number)
    return pairs


def compare(match: Any, seat: int, words: str, change: Any) -> bool:
    """False for a position that play cannot reach, and that the rules need not foresee."""
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
            return False
    mine, other = shown(match, seat), shown(twin, seat)
    assert repr(mine) == repr(other), f"player {seat + 1} can tell that {words} {difference(mine, other)}"
    return True


def ask_anew(match: Any) -> None:
    state = match.state
    state.run(state.engine.generated.askers[state.pc])


def shown(match: Any, seat: int) -> dict[str, Any]:
    """All that is given to a seat (from 0), or to a spectator: view, options, whom one waits for, observations."""
    viewer = seat + 1 if seat < match.players else None
    decision = match.decision
    mine = decision is not None and decision.player == viewer
    asked = (decision.rule, decision.name, decision.options, decision.cell) if mine else None
    return {**match.view(viewer), "asked": asked, "noticed": match.observations(viewer)}


def difference(a: dict[str, Any], b: dict[str, Any]) -> str:
    return "; ".join(f"{key}: {a[key]} and {b[key]}" for key in a if a[key] != b[key])


@pytest.mark.long
def test_a_hundred_thousand_pairs() -> None:
    from .hunt import hunt

    assert hunt(100_000).total() >= 100_000
