"""Heaps of one kind of token, asked for by an index that is being chosen."""

from __future__ import annotations

import dragonrules as dr

from ..differential.lockstep import play_both

SPEC = """
game "Heaps" for 2 players
token Seed: seed 3
place heap[1..4]: bag of Seed
setup:
    for h in 1..3: move 1 of seed from box(Seed) to heap[h]
phase Play:
    turns Round p:
        choose h in 1..4 where heap[h] != {} because "empty" else finish {me}
        move 1 of seed from heap[h] to box(Seed)
"""


def test_only_heaps_with_something_in_them_are_offered() -> None:
    match = dr.loads(SPEC).start(seed=1)
    assert [option.label for option in match.decision.options] == ["1", "2", "3"]
    match.choose(("h", 2))
    assert [option.label for option in match.decision.options] == ["1", "3"]
    play_both(dr.loads(SPEC), 2, seed=1)
