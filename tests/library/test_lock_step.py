"""The games of the library against OpenSpiel: whose move, what is legal, what chance may do and who wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..openspiel.compare import Mismatch, play_random_games
from .adapters import ADAPTERS, CHANGES

FEW = {
    "crazy_eights": 10,
    "go": 40,
    "backgammon": 3,
    "amazons": 6,
    "gomoku": 20,
    "chess": 2,
    "blackjack": 60,
    "hearts": 6,
    "spades": 6,
    "yacht": 3,
    "oshi_zumo": 60,
    "tiny_hanabi": 20,
    "nine_mens_morris": 4,
    "checkers": 8,
    "mancala": 30,
    "dots_and_boxes": 60,
    "hex": 60,
    "pig": 60,
}
"""Games of the everyday suite, about a second each; the many are played under `long`."""

MANY = 200
ON_EVERY_PATH = 2


@pytest.mark.parametrize("name", ADAPTERS)
def test_random_games_agree(name: str) -> None:
    adapter = ADAPTERS[name]
    assert (
        play_random_games(adapter, adapter.rules(), FEW[name], seed=23, thorough=ON_EVERY_PATH) >= FEW[name]
    )


@pytest.mark.long
@pytest.mark.parametrize("name", ADAPTERS)
def test_many_random_games_agree(name: str) -> None:
    adapter = ADAPTERS[name]
    assert play_random_games(adapter, adapter.rules(), MANY, seed=2027, thorough=ON_EVERY_PATH) >= MANY


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_changed_rule_is_noticed(name: str, tmp_path: Path) -> None:
    adapter = ADAPTERS[name]
    old, new = CHANGES[name]
    text = adapter.file.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / adapter.file.name
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Mismatch):
        play_random_games(adapter, adapter.rules(file), games=300, seed=1)
