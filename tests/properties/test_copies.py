"""Copies that nobody could tell apart are not told apart by what anybody is given."""

from __future__ import annotations

import pytest
from hypothesis import given

from ..strategies import LONG, SHORT, Play, Table, plays
from .copies import SideBySide


@SHORT
@given(plays())
def test_nobody_can_tell_which_copy_it_was(one_table: Table, play: Play) -> None:
    go_side_by_side(one_table, play)


@pytest.mark.long
@LONG
@given(plays(400))
def test_nobody_can_tell_which_copy_it_was_long(any_table: Table, play: Play) -> None:
    go_side_by_side(any_table, play)


def go_side_by_side(table: Table, play: Play) -> int:
    both = SideBySide(table, play.seed)
    compared = 0
    for number in play.choices():
        for difference in both.differences():
            raise AssertionError(f"{table}: after {compared} decisions {difference}")
        compared += 1
        if both.over:
            break
        both.step(number // 16)
    return compared
