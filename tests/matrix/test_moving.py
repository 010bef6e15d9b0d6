"""The matrix of moving, played by both interpreters: a sample of its cells here, all of them under `long`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ..differential.lockstep import play_both
from .moving import ENDINGS, LIMITS, SIGHTS, STRUCTURES, TRIGGERS, Cell, cells

WHOLE = list(cells())
BATCHES = 7
SAMPLE = Random(11).sample(WHOLE, 28)  # with each structure, limit, sight, trigger and ending
ONCE_DIFFERENT = [
    Cell("slot", "", "", "instead", ""),  # what is noted for `until moved` is no part of a header
    Cell("bag of tokens", ", at most 2", "owner", "", "noticed"),  # names of the compiler's own are its own
    Cell("bag", ", at most 2 rest to SPARE", "", "entering", "noticed"),  # a swap that leaves one place empty
]


def play(cell: Cell, folder: Path, seeds: int) -> None:
    game, statements = cell.game(folder)
    assert len(statements) >= 3, "too little is left of it to tell anything"
    for seed in range(seeds):
        both = play_both(game, 2, seed, limit=40)
        assert both.steps, f"nothing is played: {both.problem}"


@pytest.mark.parametrize("cell", ONCE_DIFFERENT, ids=str)
def test_cells_that_were_different_once(cell: Cell, tmp_path: Path) -> None:
    play(cell, tmp_path, 3)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_both_move_alike(batch: int, tmp_path: Path) -> None:
    for cell in SAMPLE[batch::BATCHES]:
        play(cell, tmp_path, 2)


def test_the_sample_has_all_that_is_combined() -> None:
    assert {cell.structure for cell in SAMPLE} == set(STRUCTURES)
    assert {cell.limit for cell in SAMPLE} == set(LIMITS)
    assert {cell.sight for cell in SAMPLE} == set(SIGHTS)
    assert {cell.trigger for cell in SAMPLE} == set(TRIGGERS)
    assert {cell.ending for cell in SAMPLE} == set(ENDINGS)


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, len(WHOLE), 20))
def test_both_move_alike_everywhere(start: int, tmp_path: Path) -> None:
    for cell in WHOLE[start : start + 20]:
        play(cell, tmp_path, 4)
