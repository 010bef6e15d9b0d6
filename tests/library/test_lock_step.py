"""The games of the library against OpenSpiel: whose move, what is legal, what chance may do and who wins."""

from __future__ import annotations

from pathlib import Path

import pyspiel
import pytest

from ..openspiel.compare import Mismatch, play_random_games
from .adapters import ADAPTERS, CHANGES, FOUR_AT_QUORIDOR

FEW = {
    "amazons": 6,
    "backgammon": 3,
    "blackjack": 200,
    "checkers": 8,
    "chess": 2,
    "crazy_eights": 10,
    "dots_and_boxes": 200,
    "gin_rummy": 10,
    "go": 40,
    "gomoku": 10,
    "hearts": 6,
    "hex": 40,
    "mancala": 30,
    "nine_mens_morris": 3,
    "oshi_zumo": 200,
    "pig": 40,
    "quoridor": 8,
    "spades": 6,
    "tiny_hanabi": 200,
    "yacht": 3,
}
"""Games of the everyday suite, a second or less each; the many are played under `long`."""

MANY = 200
VERY_MANY = {
    "blackjack": 5_000,
    "dots_and_boxes": 5_000,
    "oshi_zumo": 5_000,
    "pig": 5_000,
    "tiny_hanabi": 5_000,
}
ON_EVERY_PATH = 1


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
    games = VERY_MANY.get(name, MANY)
    assert play_random_games(adapter, adapter.rules(), games, seed=2027, thorough=ON_EVERY_PATH) >= games


@pytest.mark.parametrize("games", [2, pytest.param(MANY, marks=pytest.mark.long)])
def test_four_players_agree(games: int) -> None:
    """As far as OpenSpiel goes: it breaks down, with a message that is no text, where a pawn is shut in and must pass."""
    adapter, broken = FOUR_AT_QUORIDOR, 0
    rules = adapter.rules()
    for seed in range(games):
        try:
            play_random_games(adapter, rules, 1, seed)
        except (pyspiel.SpielError, UnicodeDecodeError):
            broken += 1
    assert broken <= games // 10


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
