"""Whatever is done to a spec, nobody ever sees a Python traceback."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from dragonrules.grammar import Report, Source, parse, render
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.play import match as match_module
from dragonrules.interpreter.play import state as state_module
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from ..strategies_text import grown_files
from .damage import damaged_spec, specs, survive

RELAXED = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
seeds = st.integers(0, 2**48)
BACKGROUND = """game "Grown" for 2 to 4 players
kinds Colour: red, blue
component Tile:
    size: 1..3
rows Tile:
    | size |
    | 1..3 |
token Gem: gold_2 5
place a: grid 3 by 3 of Gem
each player has:
    place hand: bag of Tile, seen by owner
    state rest: 0..9 = 0
"""


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_module, "ENDLESS", range(2_000))
    monkeypatch.setattr(match_module, "ENDLESS", range(2_000))


def go_through(seed: int, decisions: int) -> str:
    random = Random(seed)
    name, text = damaged_spec(random)
    note(f"{name}\n{text}")
    return survive(random, name, text, decisions)


@given(seeds)
@settings(RELAXED, max_examples=500)
def test_damaged_specs(seed: int) -> None:
    go_through(seed, 4)


@pytest.mark.long
@given(seeds)
@settings(RELAXED, max_examples=10_000)
def test_many_damaged_specs(seed: int) -> None:
    go_through(seed, 20)


def check_grown(text: str) -> None:
    report = Report()
    check(parse(Source("grown.dragon", BACKGROUND + text), report), report)
    for diagnostic in report:
        assert render(diagnostic)


@given(grown_files())
@settings(RELAXED, max_examples=60)
def test_sentences_without_sense(text: str) -> None:
    """Declarations grown from the grammar can be read, but hardly ever mean anything."""
    check_grown(text)


@pytest.mark.long
@given(grown_files())
@settings(RELAXED, max_examples=3_000)
def test_many_sentences_without_sense(text: str) -> None:
    check_grown(text)


def test_damage_is_not_always_deadly() -> None:
    """A good part of the damaged specs gets past the checker, else this would test little."""
    random = Random(7)
    ends: Counter[str] = Counter()
    while sum(ends.values()) < 60:
        ends[survive(random, *damaged_spec(random), 2)] += 1
    assert ends["played"] + ends["stopped at play"] >= 3
    assert ends["refused"] >= 20


def test_there_is_something_to_damage() -> None:
    assert len(specs(broken=False)) >= 10
    assert len(specs(broken=True)) >= 80
