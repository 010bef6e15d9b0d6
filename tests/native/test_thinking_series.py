"""Whole games of bots in machine code: the rows, and so every choice, are those of the Python players."""

from __future__ import annotations

from typing import Any

import pytest
from dragonrules.interpreter.core.errors import NotNative
from dragonrules.interpreter.lab.playing import Series, code_of, seed_of
from dragonrules.interpreter.native.engine import native_engine
from dragonrules.interpreter.native.search.series import ThinkingSeries
from dragonrules.interpreter.players import machine

from ..players.positions import CLASSICS, FOUR_GAMES, game


def series_for(name: str, players: int, variants: Any = ()) -> ThinkingSeries:
    return ThinkingSeries(native_engine(game(name, variants).engine(players)))


def compared(name: str, lineup: tuple[str, ...], variants: Any, games: int) -> None:
    series = Series(game(name, variants), lineup, seed=7, lead=True)
    native = series_for(name, len(lineup), variants)
    for number in range(games):
        codes = [code_of(kind) or 0 for kind in series.seats_of(number)]
        row = native.play(seed_of(7, number), codes, series.limit, lead=True)
        assert not row.trouble
        assert series._from_native(number, row) == series.play(number)


@pytest.fixture(autouse=True)
def python_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it is compared with."""
    monkeypatch.setattr(machine, "thinker", lambda match: None)
    monkeypatch.setattr("dragonrules.interpreter.players.greedy.thinker", lambda match: None)
    monkeypatch.setattr("dragonrules.interpreter.players.mcts.thinker", lambda match: None)
    monkeypatch.setattr("dragonrules.interpreter.players.agreements.thinker", lambda match: None)


SMALL = [
    ("leduc_poker", ("mcts:20", "greedy"), 6),
    ("goofspiel", ("greedy", "mcts:6"), 2),
    ("dragon_keeper", ("greedy", "random", "mcts:5"), 2),
    ("drakon", ("greedy", "random"), 1),
]


@pytest.mark.parametrize(("name", "lineup", "games"), SMALL)
def test_games_are_those_of_the_python_players(name: str, lineup: tuple[str, ...], games: int) -> None:
    compared(name, lineup, (), games)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "variants"), FOUR_GAMES + CLASSICS)
@pytest.mark.parametrize("kind", ["greedy", "mcts:10"])
def test_more_games_are(kind: str, name: str, players: int, variants: Any) -> None:
    try:
        compared(name, (kind,) * players, variants, 4)
    except NotNative as problem:
        pytest.skip(str(problem))


def test_threads_change_nothing() -> None:
    native = series_for("dragon_keeper", 3)
    games = [(seed_of(2, number), (0, 3, -1)) for number in range(10)]
    alone = native.play_many(games, 10_000, lead=True)
    assert native.play_many(games, 10_000, lead=True, threads=3) == alone
    assert len({row.decisions for row in alone}) > 1


def test_series_play_natively_when_it_is_ready() -> None:
    series = Series(game("leduc_poker"), ("greedy", "random"), seed=3)
    played = [series.play(number) for number in range(5)]
    series.make_ready()
    assert series.thinking is not None
    assert series.play_many(range(5)) == played
