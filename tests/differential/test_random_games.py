"""Games made at random, played by both interpreters."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.errors import NotNative

from ..native.side_by_side import native_of, play
from .lockstep import play_both
from .random_games import random_game

BATCH = 10


def play_random(seed: int, folder: Path, *, natively: bool = False) -> bool:
    """Tells whether the rules were accepted. Machine code is held against the Python back end, which is
    held against the reference: compiling takes a second, so only some games go that way every day."""
    path = folder / f"random_{seed}.dragon"
    path.write_text(random_game(seed), encoding="utf-8")
    try:
        game = dr.load(path)
    except dr.SpecError:
        return False
    play_both(game, 2 + seed % 2, seed, limit=12)
    if natively and find_spec("llvmlite") is not None:
        try:
            machine_code = native_of(game, 2 + seed % 2)
        except NotNative:
            return True
        play(machine_code, seed, 12)
    return True


@pytest.mark.parametrize("batch", range(10))
def test_both_play_games_made_at_random(batch: int, tmp_path: Path) -> None:
    accepted = [play_random(seed, tmp_path) for seed in range(batch * BATCH, (batch + 1) * BATCH)]
    assert sum(accepted) >= BATCH // 2, "too many were refused to tell anything"


def test_machine_code_plays_them_too(tmp_path: Path) -> None:
    assert sum(play_random(seed, tmp_path, natively=True) for seed in (3, 14, 15, 92)) >= 2


@pytest.mark.long
@pytest.mark.parametrize("batch", range(10, 200))
def test_all_three_play_games_made_at_random(batch: int, tmp_path: Path) -> None:
    seeds = range(batch * BATCH, (batch + 1) * BATCH)
    assert sum(play_random(seed, tmp_path, natively=True) for seed in seeds) >= BATCH // 2
