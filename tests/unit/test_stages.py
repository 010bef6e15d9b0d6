"""What each stage makes of a small game, as text."""

from __future__ import annotations

import re
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.interpreter.program.printing import print_checked, print_program
from dragonrules.interpreter.program.terminators import AskCase, AskCell, AskValue

from .golden import SPECS, compare


def waits() -> Any:
    return dr.load(SPECS / "waits.dragon")


def test_the_checked_game() -> None:
    compare(print_checked(waits().checked), "waits_checked.txt")


def test_the_rule_program() -> None:
    """Rules split where they wait: blocks, terminators, and what lives from one to the next."""
    compare(print_program(waits().engine(2).program), "waits_program.txt")


@pytest.mark.parametrize("watched", [False, True])
def test_the_generated_code(watched: bool) -> None:
    name = f"tic_tac_toe{'_watched' if watched else ''}.py.txt"
    compare(dr.load("tic_tac_toe").engine(2, watched=watched).generated.source, name)


# ---------------------------------------------------------------- liveness
def block_that_asks(name: str) -> Any:
    """The block of a rule that ends with a decision of this name."""
    program = waits().engine(2).program
    for block in program.blocks:
        if isinstance(block.term, AskValue | AskCell | AskCase):
            point = block.term.point
            if name in (point.name, *(key for key, _ in point.cases)) and block.proc == point.rule:
                return block
    raise AssertionError(name)


def names(uids: Any) -> set[str]:
    return {re.sub(r"_\d+l?$", "", uid) for uid in uids}


def test_only_what_is_read_later_is_kept() -> None:
    """`had` is read behind the loop, the counter in it, `me` by both."""
    assert names(block_that_asks("one more").live) == {"had", "left", "me"}
    assert names(block_that_asks("c").live) == {"me"}
    assert names(block_that_asks("q").live) == {"c", "me"}


def test_a_frame_has_a_slot_for_each_of_them() -> None:
    program = waits().engine(2).program
    proc = program.procs["collect"]
    assert names(proc.slots) == {"had", "left", "me"}
    for number in proc.blocks:
        assert set(program.blocks[number].live) <= set(proc.slots)


def test_texts_do_not_depend_on_what_was_loaded_before() -> None:
    before = print_program(waits().engine(2).program)
    dr.load("kuhn_poker").engine(2)
    assert print_program(waits().engine(2).program) == before


def test_slots_do_not_depend_on_what_was_checked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A save holds frames, so another process must lay them out alike."""
    monkeypatch.setenv("DRAGONRULES_CACHE", "off")
    first = waits().engine(2).program
    dr.load("leduc_poker")
    again = waits().engine(2).program
    assert [p.slots for p in first.procs.values()] == [p.slots for p in again.procs.values()]
