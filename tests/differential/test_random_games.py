"""Games made at random, played by both interpreters."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .lockstep import play_both
from .random_games import random_game

BATCH = 10


def play_random(seed: int, folder: Path) -> bool:
    """Tells whether the rules were accepted."""
    path = folder / f"random_{seed}.dragon"
    path.write_text(random_game(seed), encoding="utf-8")
    try:
        game = dr.load(path)
    except dr.SpecError:
        return False
    play_both(game, 2 + seed % 2, seed, limit=12)
    return True


@pytest.mark.parametrize("batch", range(10))
def test_both_play_games_made_at_random(batch: int, tmp_path: Path) -> None:
    accepted = [play_random(seed, tmp_path) for seed in range(batch * BATCH, (batch + 1) * BATCH)]
    assert sum(accepted) >= BATCH // 2, "too many were refused to tell anything"


@pytest.mark.long
@pytest.mark.parametrize("batch", range(10, 200))
def test_both_play_games_made_at_random_long(batch: int, tmp_path: Path) -> None:
    test_both_play_games_made_at_random(batch, tmp_path)
