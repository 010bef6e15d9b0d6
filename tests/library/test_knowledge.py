"""Who knows what, as OpenSpiel has it: whole trees where they are small, twins where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..openspiel.compare import Mismatch
from ..openspiel.knowledge import compare_random_games, compare_whole_tree
from .adapters import ADAPTERS
from .twins import play_twins

CHANCES = {
    "hearts": range(1, 53),
    "blackjack": [2],
    "spades": range(52),
    "crazy_eights": (*range(1, 16), 18, 19, 20),
}
"""Games with hidden cards, and the chance points at which twins part: any card dealt or drawn, or the one face down.
At crazy eights not the first card of the pile: an eight goes back, which OpenSpiel's observations do not tell."""

OPENED = {
    "hearts": ("hand: bag of Card, seen by owner", "hand: bag of Card, seen by all"),
    "spades": ("hand: bag of Card, seen by owner", "hand: bag of Card, seen by all"),
    "crazy_eights": ("hand: bag of Card, seen by owner", "hand: bag of Card, seen by all"),
    "blackjack": ("hole: slot of Card, seen by nobody", "hole: slot of Card, seen by all"),
}


OPEN = {
    "checkers": 1,
    "chess": 1,
    "dots_and_boxes": 40,
    "go": 2,
    "gomoku": 2,
    "hex": 10,
    "nine_mens_morris": 1,
    "oshi_zumo": 60,
    "quoridor": 2,
}
"""Games without secrets, and how many to play: every history must be told from every other by all players."""


def pairs(name: str, rules, number: int) -> int:
    return sum(
        play_twins(ADAPTERS[name], rules, seed, parting=CHANCES[name][seed % len(CHANCES[name])])
        for seed in range(number)
    )


@pytest.mark.parametrize("name", CHANCES)
def test_twins_are_told_apart_by_the_same_players(name: str) -> None:
    assert pairs(name, ADAPTERS[name].rules(), 24) >= 20


@pytest.mark.long
@pytest.mark.parametrize("name", CHANCES)
def test_many_twins_are_told_apart_by_the_same_players(name: str) -> None:
    assert pairs(name, ADAPTERS[name].rules(), 1_000) >= 1_000


@pytest.mark.parametrize("name", CHANCES)
def test_a_hand_that_lies_open_is_noticed(name: str, tmp_path: Path) -> None:
    adapter = ADAPTERS[name]
    old, new = OPENED[name]
    file = tmp_path / adapter.file.name
    text = adapter.file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Mismatch, match="sees no difference"):
        pairs(name, adapter.rules(file), 24)


def test_a_whole_tree_agrees() -> None:
    adapter = ADAPTERS["tiny_hanabi"]
    assert compare_whole_tree(adapter, adapter.rules()) == (55, 8)


@pytest.mark.parametrize("name", OPEN)
def test_nothing_is_hidden_in_an_open_game(name: str) -> None:
    adapter = ADAPTERS[name]
    assert compare_random_games(adapter, adapter.rules(), OPEN[name], seed=7) == 0
