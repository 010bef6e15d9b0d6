"""`active` where it is nobody's turn: refused where that is certain, an error at play elsewhere."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from ..differential.lockstep import Lockstep, play_both

SPEC = """\
game "Active" for 2 players
each player has: state points: 0..9 = 0
ENDING
rule reward(): change active.points by 1
phase Play:
    turns Round p where turn_number < 3:
        choose n in 1..2
        reward()
phase End:
    as player(1): choose k in 1..2
    BEHIND
    finish {}
"""


def written(folder: Path, behind: str, ending: str = "") -> Path:
    path = folder / "active.dragon"
    path.write_text(SPEC.replace("BEHIND", behind).replace("ENDING", ending), encoding="utf-8")
    return path


def after_the_turns(path: Path) -> Lockstep:
    both = Lockstep(dr.load(path), 2, 1)
    while not both.over:
        both.choose(0)
    return both


def test_a_rule_that_is_called_in_nobodys_turn_cannot_name_who_is_active(tmp_path: Path) -> None:
    both = after_the_turns(written(tmp_path, "reward()"))
    assert both.problem is not None and both.problem[0] == "D0910"
    assert both.problem[1].text == "active"


@pytest.mark.parametrize(
    "line", ["finish {active}", "change active.points by 1", "if active = player(1): finish {}"]
)
def test_in_a_phase_outside_of_turns_it_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(dr.SpecError) as refused:
        dr.load(written(tmp_path, line))
    assert [(d.code, d.span.text) for d in refused.value.diagnostics] == [("D0308", "active")]


def test_endings_and_invariants_that_name_it_are_tested_in_turns(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "change player(1).points by 5",
        'ending five when best >= 5: finish {active} because "five"\n'
        "define best = active.points\nalways few: active.points < 9",
    )
    both = after_the_turns(path)
    assert both.problem is None
    assert both.mine.reason is None
    quick = path.read_text().replace("change active.points by 1", "change active.points by 5")
    path.write_text(quick)
    assert after_the_turns(path).mine.reason == "five"


def test_turns_inside_a_turn_give_it_back(tmp_path: Path) -> None:
    path = tmp_path / "inner.dragon"
    path.write_text(
        """\
game "Inner" for 3 players
each player has: state points: 0..99 = 0
phase Play:
    turns Round p where turn_number < 9:
        choose n in 1..2
        turns Again q from left(p) where q != p and turn_number mod 3 != 0: change active.points by 1
        change active.points by 10
    finish {}
"""
    )
    for seed in range(3):
        play_both(dr.load(path), 3, seed)
