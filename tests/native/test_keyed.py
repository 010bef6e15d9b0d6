"""Luck that is keyed by what it is for, in machine code: the games are those of the Python back end."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Series
from dragonrules.interpreter.native import keyed

from ..strategies import ALL_TABLES, Table
from .test_counts import TROUBLE

GAMES = [
    ("tic_tac_toe", 2), ("leduc_poker", 2), ("goofspiel", 2), ("crazy_eights", 3),
    ("drakon", 4), ("dragon_keeper", 3), ("ryu", 3), ("dragons_gold", 4),
]  # fmt: skip


def series(game: dr.Game, players: int, seed: int = 5) -> Series:
    return Series(game, ("random",) * players, seed=seed, keyed=True, lead=True)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_same_games(name: str, players: int) -> None:
    one = series(dr.load(name, engine="native"), players)
    assert one.native is not None
    assert one.play_many(range(4, 10)) == [one.play(number) for number in range(4, 10)]


def test_games_that_only_python_can_play_are_played_there() -> None:
    one = series(dr.loads(TROUBLE, engine="native"), 2)
    native = one.native
    assert native is not None
    assert one._keyed is not None
    rows = one._keyed.series(5, range(20), 1000)
    assert 0 < sum(bool(row.trouble) for row in rows) < 20
    assert one.play_many(range(20)) == [one.play(number) for number in range(20)]


def test_words_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """An option whose word finds no room is trouble."""
    monkeypatch.setattr(keyed, "MOST_TRIED", 0)
    text = TROUBLE.replace("a = 2", "a > 20").replace("now and then", "without words")
    one = series(dr.loads(text, engine="native"), 2)
    assert one._keyed is not None
    assert all(row.trouble for row in one._keyed.series(5, range(5), 1000))
    assert one.play_many(range(5)) == [one.play(number) for number in range(5)]


@pytest.mark.long
@pytest.mark.parametrize("table", ALL_TABLES, ids=str)
def test_the_same_games_at_every_table(table: Table) -> None:
    one = series(table.game, table.players)
    assert one.play_many(range(40)) == [one.play(number) for number in range(40)]
