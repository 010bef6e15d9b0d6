"""Variants that exclude one another: told once, without what else they would clash over."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

GAME = """
game "Race" for 2 players:
    "Count."

option goal: 1..9 = 3
state total: 0..9 = 0

phase Play:
    turns Round p:
        choose n in 1..2
        change total by n
        if total >= goal: finish {me}
"""
SHORT = """
variant "Short" of race excludes "Long":
    set goal = 2
"""
LONG = """
variant "Long" of race excludes "Short":
    set goal = 6
"""


def test_told_once(tmp_path: Path) -> None:
    for name, text in (("race", GAME), ("short", SHORT), ("long", LONG)):
        (tmp_path / f"{name}.dragon").write_text(text, encoding="utf-8")
    paths = [tmp_path / "short.dragon", tmp_path / "long.dragon"]
    for pair in (paths, paths[::-1]):
        with pytest.raises(dr.SpecError) as refusal:
            dr.load(tmp_path / "race.dragon", variants=pair)
        assert [d.code for d in refusal.value.diagnostics] == ["D0604"]
