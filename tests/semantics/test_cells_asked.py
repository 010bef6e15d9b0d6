"""Which cells of a vector are asked: those that their bounds leave more than one value."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from ..differential.lockstep import Lockstep

SPEC = """\
game "Cells" for 2 players
token Gem: ruby 2, pearl 2, jade 2
place heap: bag of Gem
state two: 0..9 = 2
setup:
    move 2 of ruby from box(Gem) to heap
    move 1 of pearl from box(Gem) to heap
phase Play:
    as player(1):
        choose n[k in Gem] in DOMAIN CONDITIONS else nothing
    finish {}
"""
ALL = ["ruby", "pearl", "jade"]
HEAP = ["ruby", "pearl"]

CASES = [
    ("0..2", "", ALL),
    ("0..heap[k]", "", HEAP),
    ("0..2", "where n[ruby] = 1", ["pearl", "jade"]),
    ("0..2", "where 1 = n[ruby] + 1 - 1", ["pearl", "jade"]),
    ("0..2", "where n[ruby] + n[ruby] >= 3", ["pearl", "jade"]),
    ("0..2", "where n[ruby] + n[ruby] >= 3 where n[pearl] * n[jade] != 1", ["pearl", "jade"]),
    ("0..2", "where sum(n[j] for j in {ruby}) < 1", ["pearl", "jade"]),
    ("0..2", "where n[k] in 1..1", []),
    ("0..2", "where n[k] in 1..1 where n[ruby] * n[jade] = 1", []),
    ("0..2", "where two = 2 or n[ruby] = 1", ALL),
    ("0..2", "where two != 2 or n[ruby] = 1", ["pearl", "jade"]),
    ("0..2", "where n[ruby] = 1 or two != 2 where n[pearl] * n[jade] = 1", ["pearl", "jade"]),
    # two cells in the sum, or no sum: it only decides what is offered
    ("0..2", "where n[ruby] + n[pearl] = 0", ALL),
    ("0..heap[k]", "where n[ruby] + n[jade] = 2", HEAP),
    ("0..2", "where n[ruby] != 0 and n[ruby] != 1", ALL),
    ("0..2", "where not (n[ruby] > 0)", ALL),
    ("0..2", "where n[ruby] * 2 = 2", ALL),
    ("0..2", "where n[ruby] = n[pearl]", ALL),
    # of a set only its members count
    ("{0, 2}", "", ALL),
    ("{0, 2}", "where n[ruby] >= 1", ["pearl", "jade"]),
    ("{0, 2}", "where n[ruby] <= 1 where n[pearl] != 1", ["pearl", "jade"]),
    ("{2}", "", []),
    # nothing is possible
    ("0..2", "where n[ruby] > 2", []),
    ("0..2", "where n[ruby] > 2 where n[pearl] * 2 = 2", []),
]


@pytest.mark.parametrize(("domain", "conditions", "wanted"), CASES)
def test_cells(domain: str, conditions: str, wanted: list[str], tmp_path: Path) -> None:
    path = tmp_path / "cells.dragon"
    path.write_text(SPEC.replace("DOMAIN", domain).replace("CONDITIONS", conditions), encoding="utf-8")
    both = Lockstep(dr.load(path), 2, 1)
    asked = []
    while not both.over:
        asked.append(both.mine.decision.cell[0])
        both.choose(0)
    assert asked == wanted
