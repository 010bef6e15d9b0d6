"""A match is what its log says: the same choices give the same positions, in every process, without the generator."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings

from ..playing import step, story
from ..strategies import LONG, SHORT, Play, Table, plays
from .elsewhere import Elsewhere


@SHORT
@given(plays())
def test_a_log_gives_the_same_match(table: Table, play: Play) -> None:
    replay(table, play)


@pytest.mark.long
@LONG
@given(plays(400))
def test_a_log_gives_the_same_match_long(any_table: Table, play: Play) -> None:
    replay(any_table, play)


def replay(table: Table, play: Play) -> None:
    match = table.start(play.seed)
    positions = {len(match.log): position(match)}
    for number in play.choices():
        if match.over:
            break
        step(match, number)
        positions[len(match.log)] = position(match)
    again = table.start(play.seed + 1, chance="ask")
    generator = again.state.rng.state
    for length, entry in enumerate(match.log):
        if length in positions:
            assert position(again) == positions[length]
        again.replay_one(entry)
    assert position(again) == position(match)
    assert hash(again) == hash(match)
    assert again == match
    assert again.log == match.log
    assert again.state.rng.state == generator, "a replay used the generator"


def position(match: Any) -> Any:
    seen = [match.observations(seat) for seat in range(1, match.players + 1)]
    return match.state.key(), list(match.state.options), seen, match.reason


@settings(SHORT, max_examples=2)
@given(plays())
def test_a_seed_means_the_same_match_elsewhere(one_table: Table, elsewhere: Elsewhere, play: Play) -> None:
    """Another process with another hash seed."""
    numbers = list(islice(play.endless(), 12))
    mine = story(one_table.start(play.seed), numbers)
    assert elsewhere.from_the_start(one_table, play.seed, numbers) == mine
    assert story(one_table.start(play.seed), numbers) == mine
