"""The comparison itself: one rule changed in each game, and it must say so."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .adapters import ADAPTERS
from .compare import CLASSICS, Mismatch, play_random_games
from .knowledge import compare_whole_tree

CHANGES = {
    "tic_tac_toe": ("lines(s, 3)", "lines(s, 2)"),
    "connect_four": ("lines(s, 4)", "lines(s, 5)"),
    "breakthrough": ("board[s + d] = none or d in diagonals", "board[s + d] = none or d in directions"),
    "othello": ("for d in all_directions where", "for d in directions where"),
    "kuhn_poker": ("if count(pot) = 4: stop Betting", "if count(pot) = 4: win(me)"),
    "leduc_poker": ("require raises < 2", "require raises < 1"),
    "goofspiel": ("sum(c.value for c in p.won)", "count(p.won)"),
    "liars_dice": ("in {f, 6}", "in {f, 5}"),
}


def changed(name: str, old: str, new: str, folder: Path):
    text = (CLASSICS / f"{name}.dragon").read_text(encoding="utf-8")
    assert old in text
    file = folder / f"{name}.dragon"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return dr.load(file)


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_rule_is_noticed(name: str, tmp_path: Path) -> None:
    rules = changed(name, *CHANGES[name], tmp_path)
    with pytest.raises(Mismatch):
        play_random_games(ADAPTERS[name], rules, games=300, seed=1)


def test_an_open_hand_is_noticed(tmp_path: Path) -> None:
    rules = changed("kuhn_poker", "slot of Card, seen by owner", "slot of Card, seen by all", tmp_path)
    with pytest.raises(Mismatch, match="no difference"):
        compare_whole_tree(ADAPTERS["kuhn_poker"], rules)
