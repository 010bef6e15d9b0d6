"""A fork and its original never affect each other."""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import Any

import pytest
from hypothesis import given

from ..playing import go_on, step
from ..strategies import LONG, SHORT, Play, Table, played, plays

FURTHER = 12


@SHORT
@given(plays(), plays())
def test_forks_do_not_meet(one_table: Table, play: Play, other: Play) -> None:
    part_ways(one_table, play, other)


@pytest.mark.long
@LONG
@given(plays(400), plays())
def test_forks_do_not_meet_long(any_table: Table, play: Play, other: Play) -> None:
    part_ways(any_table, play, other)


def part_ways(table: Table, play: Play, other: Play) -> None:
    """Two forks of one match go on in turn; each must end where a match of its own ends."""
    match = played(table, play)
    before = everything(match)
    ways = [list(islice(way.endless(), FURTHER)) for way in (play, other)]
    forks = [match.fork(), match.fork()]
    assert [everything(fork) for fork in forks] == [before, before]
    assert forks[0] == match
    assert hash(forks[0]) == hash(match)
    for numbers in zip_longest(*ways):
        for fork, number in zip(forks, numbers, strict=True):
            if not fork.over:
                step(fork, number)
    assert everything(match) == before, "the original changed when its forks went on"
    for fork, numbers in zip(forks, ways, strict=True):
        assert everything(fork) == everything(go_on(played(table, play), numbers)), "a fork felt the other"


def everything(match: Any) -> Any:
    """The whole state, also what does not matter for what comes next."""
    state = match.state
    names = (
        "I",
        "L",
        "st",
        "pc",
        "player",
        "rv",
        "over",
        "winners",
        "reason",
        "atomic",
        "sealed",
        "queue",
        "seen",
    )
    grown = [(g.cells, g.edge) for g in state.G]
    asked = (list(state.options), list(state.weights), state.rng.state)
    return repr(([getattr(state, name) for name in names], grown, asked, match.log))
