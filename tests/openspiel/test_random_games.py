"""Whose move, what is legal, what chance may do and who wins, as OpenSpiel has it, in random games."""

from __future__ import annotations

import pytest

from .adapters import ADAPTERS
from .compare import play_random_games

GAMES, MANY = 250, 1_000
GAMES_OF_LONG_ONES = {"breakthrough": 30, "othello": 20, "goofspiel": 100}  # hundreds of decisions each
ON_EVERY_PATH = 20


@pytest.mark.parametrize("name", ADAPTERS)
def test_random_games_agree(name: str) -> None:
    adapter = ADAPTERS[name]
    games = GAMES_OF_LONG_ONES.get(name, GAMES)
    assert play_random_games(adapter, adapter.rules(), games, seed=2026, thorough=ON_EVERY_PATH) >= games


@pytest.mark.long
@pytest.mark.parametrize("name", ADAPTERS)
def test_many_random_games_agree(name: str) -> None:
    adapter = ADAPTERS[name]
    assert play_random_games(adapter, adapter.rules(), MANY, seed=2027, thorough=ON_EVERY_PATH) >= MANY
