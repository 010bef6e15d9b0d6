"""Definitions that read nothing of the position are worked out once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest

RULES = """
game "Once" for 2 players
token Stone: black 40
kinds Size: small, large
component Card:
    size: Size
    value: 1..4
rows Card:
    | size | value | count |
    | small | 1 | 2 |
    | large | 4 | 3 |
place board: grid 6 by 6 of Stone
place pile: bag of Card
option reach: 1..3 = 2
state total: 0..100000 = 0
define shared(a: space, b: space) = count(s for s in near(a, reach) where s in near(b, reach))
define all_values = sum(c.value for c in Card)
define worth_of(size: Size) = sum(c.value for c in Card where c.size = size)
define both(those: set of Size) = sum(worth_of(s) for s in those)
define corner = count(s for s in near(space_at(board, me.seat, 1), 1))
define stones = count(s for s in spaces(board) where board[s] != none)
define now = count(n for n in 1..9 where n <= turn_number)
define of_mine = count(q for q in players where q = active)
phase Play:
    turns p:
        choose a in spaces(board)
        set total = shared(a, a) + all_values + both({small, large}) + corner + stones + now + of_mine
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "once.dragon"
    path.write_text(RULES, encoding="utf-8")
    return path


def _remembered(engine: Any) -> dict[str, Any]:
    found = {n: v for n, v in engine.namespace.items() if type(v).__name__ == "Remembered"}
    return {name.removeprefix("m_"): values for name, values in found.items()}


def test_which_definitions_are_remembered(path: Path) -> None:
    assert set(_remembered(dr.load(path).engine())) == {"shared", "all_values", "worth_of", "both", "corner"}


def test_values_are_kept_and_right(path: Path) -> None:
    engine = dr.load(path).engine()
    kept = _remembered(engine)
    state = engine.new(seed=1)
    for turn, shared in enumerate((6, 8, 9), start=1):  # spaces near the lower row
        state.apply(turn - 1)
        corner = 3 if turn % 2 else 4
        assert state.I[engine.layout.states["total"][0]] == shared + 14 + 14 + corner + 0 + turn + 1
    assert kept["shared"] == {(0, 0): 6, (1, 1): 8, (2, 2): 9}
    assert kept["all_values"] == {(): 14}
    assert kept["worth_of"] == {0: 2, 1: 12}
    assert kept["corner"] == {0: 3, 1: 4}


def test_engines_with_other_options_keep_their_own(path: Path) -> None:
    near, far = (dr.load(path, options={"reach": n}).engine() for n in (1, 3))
    for engine in (near, far):
        engine.new(seed=1).apply(0)
    assert _remembered(near)["shared"] == {(0, 0): 3}
    assert _remembered(far)["shared"] == {(0, 0): 10}
