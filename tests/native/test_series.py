"""Series of random games: the rows of native code are those of the Python back end."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Series

GAMES = [
    ("tic_tac_toe", 2),
    ("leduc_poker", 2),
    ("dragon_keeper", 3),
    ("drakon", 2),
    ("ryu", 3),
    ("dragons_gold", 3),
]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_rows_are_those_of_the_python_back_end(name: str, players: int) -> None:
    game = dr.load(name)
    native = game.native(players)
    assert native is not None
    series = Series(game, ("random",) * players, seed=5, lead=True)
    rows = native.series(5, range(3, 9), series.limit)
    for number, row in zip(range(3, 9), rows, strict=True):
        played = series.play(number)
        assert not row.trouble
        assert (row.decisions, row.forced, row.options, row.widest) == (
            played.decisions,
            played.forced,
            played.options,
            played.widest,
        )
        winners = tuple(p + 1 for p in range(players) if row.winners >> p & 1)
        assert (winners, row.reason, row.turns) == (played.winners, played.reason, played.turns)
        assert row.scores == played.scores
        assert row.starter == played.starter
        if played.scores is not None:
            assert row.lead_changes == played.lead_changes


def test_threads_play_the_same_games() -> None:
    native = dr.load("connect_four").native(2)
    assert native is not None
    assert native.series(1, range(600), 1000, threads=2) == native.series(1, range(600), 1000)


def test_all_histories_of_a_small_game() -> None:
    """9 * 8 * 7 ways to begin, 255,168 whole games of tic-tac-toe."""
    native = dr.load("tic_tac_toe").native(2)
    assert native is not None
    found = native.histories(9)
    assert found.at_depth[:5] == (1, 9, 72, 504, 3024)
    assert (found.over, found.trouble) == (255_168, 0)


def test_playouts_from_a_position_and_from_the_start() -> None:
    native = dr.load("connect_four").native(2)
    assert native is not None
    new = native.playouts(200, seed=4)
    assert new == native.playouts(200, seed=4)
    assert sum(new.wins) + new.unfinished <= 200 and new.trouble == 0
    state = native.new(1)
    for _ in range(6):
        native.functions.step(state.address, 3)
    from_here = native.playouts(100, seed=4, start=state)
    assert from_here.decisions < new.decisions


def test_a_limit_breaks_games_off() -> None:
    native = dr.load("connect_four").native(2)
    assert native is not None
    (row,) = native.series(1, range(1), 3)
    assert (row.decisions, row.over) == (3, False)


def test_which_engine_is_chosen() -> None:
    assert dr.load("tic_tac_toe", engine="python").native(2) is None
    assert dr.load("tic_tac_toe", engine="native").native(2) is not None
    with pytest.raises(dr.UsageError, match="engine is auto, python or native"):
        dr.load("tic_tac_toe", engine="quick")
