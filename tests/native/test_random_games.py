"""Games made at random, native and by the Python back end: the specs of tests/differential, where the reference
interpreter is the other side."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.errors import NotNative

from ..differential.random_games import random_game
from .side_by_side import native_of, play

BATCH = 10


def play_random(seed: int, folder: Path) -> str:
    path = folder / f"random_{seed}.dragon"
    path.write_text(random_game(seed), encoding="utf-8")
    try:
        game = dr.load(path)
    except dr.SpecError:
        return "refused by the checker"
    try:
        native = native_of(game, 2 + seed % 2)
    except NotNative:
        return "not native"
    for number in range(3):
        play(native, seed + number, limit=30, convert=True)
        play(native, seed + number, limit=30, ask=True)
    return "played"


def batch(number: int, folder: Path) -> None:
    done = [play_random(seed, folder) for seed in range(number * BATCH, (number + 1) * BATCH)]
    assert done.count("played") >= BATCH // 2, done


@pytest.mark.parametrize("number", range(1))
def test_both_play_games_made_at_random(number: int, tmp_path: Path) -> None:
    batch(number, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, 100))
def test_both_play_games_made_at_random_long(number: int, tmp_path: Path) -> None:
    batch(number, tmp_path)
