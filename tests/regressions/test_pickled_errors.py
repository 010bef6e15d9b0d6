"""An error at play comes back whole from another process."""

from __future__ import annotations

import pickle
from pathlib import Path

import dragonrules as dr
import pytest

BREAKS = """
game "Breaks" for 2 players

state number_so_far: 0..1 = 0
phase Play:
    turns Round p:
        choose n in {1, 2}
        change number_so_far by n
        if turn_number = 9: finish {me}
"""


def test_a_play_error_survives_pickling(tmp_path: Path) -> None:
    (tmp_path / "breaks.dragon").write_text(BREAKS)
    match = dr.load(tmp_path / "breaks.dragon").start()
    with pytest.raises(dr.PlayError) as found:
        match.choose(1)
    again = pickle.loads(pickle.dumps(found.value))
    assert isinstance(again, dr.PlayError)
    assert str(again) == str(found.value) and again.diagnostic.code == "D0902"
