"""The baselines of the benchmarks are the same games too."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest

from .adapters import STEPS
from .compare import pick

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def baseline(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def breakthrough_move(action: int) -> tuple[int, int]:
    square, way = divmod(action, 2 * len(STEPS))
    ahead = 8 if way // 2 < 3 else -8
    return square, square + ahead + way // 2 % 3 - 1


MOVES = {"tic_tac_toe": int, "connect_four": int, "breakthrough": breakthrough_move}


@pytest.mark.parametrize("file", ["handwritten", "plain"])
@pytest.mark.parametrize("name", MOVES)
def test_a_baseline_plays_by_the_same_rules(name: str, file: str) -> None:
    rng = Random(5)
    move_of = MOVES[name]
    new = baseline(file).GAMES[name]
    spiel = pyspiel.load_game(name)
    for _ in range(300):
        game, state = new(), spiel.new_initial_state()
        while not state.is_terminal():
            assert not game.over
            assert game.seat == state.current_player() + 1
            actions = {move_of(action): action for action in state.legal_actions()}
            assert sorted(game.options) == sorted(actions)
            move = pick(rng, game.options)
            twin = game.fork()
            game.apply(game.options.index(move))
            assert twin.seat == state.current_player() + 1
            assert sorted(twin.options) == sorted(actions)
            state.apply_action(actions[move])
        assert game.over
        assert state.returns() == [[0, 0], [1, -1], [-1, 1]][game.winner]
