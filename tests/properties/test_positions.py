"""In every position of every game: options that can be taken, a sound state, plain data."""

from __future__ import annotations

import json
from typing import Any

import dragonrules as dr
import pytest
from hypothesis import given

from ..playing import step
from ..strategies import LONG, SHORT, Play, Table, plays
from .audit import audit

TRIED = 6
"""How many options of a decision are tried out, spread evenly over the list."""
LOOKED_AT_ONE_IN = 7
"""How many positions are left out when it comes to what takes long."""


@SHORT
@given(plays())
def test_positions_are_sound(table: Table, play: Play) -> None:
    walk(table, play, LOOKED_AT_ONE_IN)


@pytest.mark.long
@LONG
@given(plays(400))
def test_positions_are_sound_long(any_table: Table, play: Play) -> None:
    walk(any_table, play, 1)


def walk(table: Table, play: Play, one_in: int) -> None:
    match = table.start(play.seed, check=True)
    for turn, number in enumerate(play.choices()):
        audit(match.state)
        if match.over:
            break
        options_are_good(match)
        if turn % one_in == play.seed % one_in:
            data_comes_back(match)
            refusals_explain_themselves(match)
            options_can_be_taken(match)
        step(match, number)
    audit(match.state)
    data_comes_back(match)
    assert (match.decision is None) == match.over


def options_are_good(match: Any) -> None:
    decision = match.decision
    assert decision is not None, "nobody decides, and the match is not over"
    assert decision.options, f"{decision.prompt}: nothing to choose from"
    keys = [option.key for option in decision.options]
    assert len(set(keys)) == len(keys), f"{decision.prompt}: the same key twice in {keys}"
    assert all(option.label.strip() for option in decision.options), (
        f"{decision.prompt}: an option without words"
    )
    assert decision.prompt.strip()
    assert 1 <= decision.player <= match.players


def options_can_be_taken(match: Any) -> None:
    before = match.state.key()
    options = match.decision.options
    for option in options[:: max(1, len(options) // TRIED)]:
        twin = match.fork()
        twin.choose(option)
        audit(twin.state)
        assert twin.over or twin.decision is not None
    assert match.state.key() == before


def refusals_explain_themselves(match: Any) -> None:
    before = match.state.key()
    decision = match.decision
    for option in decision.options[:: max(1, len(decision.options) // TRIED)]:
        assert match.why_not(option.key) is None
        assert match.why_not(list(option.key)) is None
    for made_up in (
        ("nonsense", "Nothing#0"),
        (decision.options[0].key[0], "no such thing"),
        "no such label",
    ):
        why = match.why_not(made_up)
        assert isinstance(why, str)
        assert why.strip()
        with pytest.raises(dr.UsageError):
            match.fork().choose(made_up)
    assert match.state.key() == before


def data_comes_back(match: Any) -> None:
    """The whole match is plain data: what comes back from JSON is the same to the last bit."""
    text = json.dumps(match.to_json())
    again = dr.Match.from_json(match.game, json.loads(text))
    assert json.dumps(again.to_json()) == text
    for name in (
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
    ):
        found = difference(getattr(match.state, name), getattr(again.state, name))
        assert found is None, f"{name} came back different: {found}"
    assert [g.cells for g in match.state.G] == [g.cells for g in again.state.G]
    assert [g.edge for g in match.state.G] == [g.edge for g in again.state.G]
    assert list(match.state.options) == list(again.state.options)
    assert match == again
    assert hash(match) == hash(again)


def difference(a: Any, b: Any) -> str | None:
    """The first place where two pieces of data differ, in value or in kind."""
    if isinstance(a, list | tuple) and type(a) is type(b) and len(a) == len(b):
        return next((found for x, y in zip(a, b, strict=True) if (found := difference(x, y))), None)
    alike = type(a) is type(b) or (isinstance(a, str) and isinstance(b, str))
    return None if alike and a == b else f"{a!r} and {b!r}"
