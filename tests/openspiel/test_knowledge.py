"""Who knows what in random games of the classics: histories that a player cannot tell apart are the same in both."""

from __future__ import annotations

from pathlib import Path

import pytest

from .adapters import ADAPTERS
from .compare import Mismatch
from .knowledge import compare_random_games
from .test_differences_show import changed

GAMES_AND_ALIKE = {
    "liars_dice": (200, 400),
    "kuhn_poker": (60, 100),
    "leduc_poker": (60, 150),
    "goofspiel": (20, 0),
    "tic_tac_toe": (60, 0),
    "connect_four": (20, 0),
}
"""How many to play, and how often a player will at least meet a history like an earlier one; never, where all is open."""


@pytest.mark.parametrize("name", GAMES_AND_ALIKE)
def test_random_games_hide_the_same(name: str) -> None:
    adapter = ADAPTERS[name]
    games, alike = GAMES_AND_ALIKE[name]
    found = compare_random_games(adapter, adapter.rules(), games, seed=7)
    assert found >= alike if alike else found == 0


def test_an_open_die_is_noticed(tmp_path: Path) -> None:
    rules = changed("liars_dice", "seen by owner", "seen by all", tmp_path)
    with pytest.raises(Mismatch, match="no difference"):
        compare_random_games(ADAPTERS["liars_dice"], rules, 200, seed=7)
