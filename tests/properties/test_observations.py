"""What players notice: it only grows, it tells all that a view shows, and keeping it changes nothing."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given

from ..playing import by_true_numbers, step
from ..strategies import LONG, SHORT, Play, Table, plays

ALTERNATIVES = 3
TOLD_ONE_IN = 8


@SHORT
@given(plays())
def test_nothing_is_forgotten_and_views_show_nothing_else(one_table: Table, play: Play) -> None:
    notice(one_table, play, TOLD_ONE_IN)


@pytest.mark.long
@LONG
@given(plays(400))
def test_nothing_is_forgotten_and_views_show_nothing_else_long(any_table: Table, play: Play) -> None:
    notice(any_table, play, 1)


def notice(table: Table, play: Play, one_in: int) -> None:
    match = table.start(play.seed)
    seats = range(1, table.players + 1)
    for turn, number in enumerate(play.choices()):
        if match.over:
            break
        before = [match.observations(seat) for seat in seats]
        if turn % one_in == play.seed % one_in:
            same_observations_same_view(match)
        step(match, number)
        for seat, old in zip(seats, before, strict=True):
            assert match.observations(seat)[: len(old)] == old, f"player {seat} forgot something"


def same_observations_same_view(match: Any) -> None:
    """Whatever is chosen, and whatever chance then brings: if it looks the same to somebody, it looks the same."""
    known: list[dict[Any, Any]] = [{} for _ in range(match.players)]
    for future in futures(match):
        for seat, views in enumerate(known, 1):
            view = future.view(seat)
            del view["waiting_for"]  # others may be asked, and decline, without a word
            asked = view.pop("decision")
            if asked is not None:
                view["asked"] = asked
            first = views.setdefault((future.observations(seat), asked is not None), view)
            assert first == view, f"player {seat} sees what they did not notice: {difference(first, view)}"


def futures(match: Any) -> list[Any]:
    """Some ways in which the next step may go, chance included."""
    size = len(match.state.options)
    out = []
    for option in islice(range(0, size, max(1, size // ALTERNATIVES)), ALTERNATIVES):
        twin = match.fork()
        twin.ask_chance = True
        twin.choose(option)
        out += settled(twin, ALTERNATIVES)
    return out


def settled(match: Any, depth: int) -> list[Any]:
    """A match at a chance point as several at decisions: each takes other outcomes."""
    if match.over or match.state.player >= 0:
        return [match]
    size = len(match.chance.outcomes)
    if depth == 0 or size == 1:
        match.resolve(0)
        return settled(match, depth)
    out = []
    for outcome in islice(range(0, size, max(1, size // ALTERNATIVES)), ALTERNATIVES):
        twin = match.fork()
        twin.resolve(outcome)
        out += settled(twin, depth - 1)
    return out


def difference(a: Any, b: Any) -> str:
    if isinstance(a, dict) and isinstance(b, dict):
        parts = [
            f"{key}: {difference(a.get(key), b.get(key))}" for key in {**a, **b} if a.get(key) != b.get(key)
        ]
        return "; ".join(parts)
    return f"{a!r} or {b!r}"


# ---------------------------------------------------------------- without observations
@SHORT
@given(plays())
def test_watching_changes_nothing(one_table: Table, play: Play) -> None:
    watch(one_table, play)


@pytest.mark.long
@LONG
@given(plays(400))
def test_watching_changes_nothing_long(any_table: Table, play: Play) -> None:
    watch(any_table, play)


def watch(table: Table, play: Play) -> None:
    """The build that keeps no observations plays the same match; views are the same too, but for the names of
    copies: without observations nobody knows what was out of sight, and they have their true numbers."""
    watched, blind = table.start(play.seed), table.start(play.seed, watch=False)
    for number in play.choices():
        assert blind.state.key() == watched.state.key()
        assert list(blind.state.options) == list(watched.state.options)
        assert blind.decision == by_true_numbers(watched).decision
        assert blind.state.rng.state == watched.state.rng.state
        if watched.over:
            break
        so_far = len(watched.log)
        step(watched, number)
        entry = watched.log[so_far]  # the seat lists copies in its own order; the log has their true numbers
        if entry[0] == "choose":
            blind.choose(blind.index_in_log(entry[2]))
        else:
            blind.expire()
    assert blind.log == watched.log
    for seat in range(1, table.players + 1):
        assert blind.view(seat) == by_true_numbers(watched).view(seat)
