"""A slot is what lies in it, wherever a value is meant."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, refusal, start

TABLE = """
component Card:
    value: 1..4
rows Card:
    | value |
    | 1..4  |
each Card has: state marked: yes/no = no
token Gem: ruby 2
place niche: slot of Card
place shelf[1..2]: slot of Card
place stud: slot of Gem
place line: row of Card
define fits(c: Card) = c in niche
"""


def told(body: str) -> int:
    lines = "\n".join(f"    {line}" for line in body.strip().split("\n"))
    return diary(start(f"{TABLE}phase Play:\n{lines}\n    as player(1): choose n in 1..2\n"))


def test_a_name_for_a_slot_is_a_name_for_what_lies_in_it() -> None:
    body = """
for x in Card where x.value = 2: move x to niche
let c = niche
move all from niche to line
if c != none:
    if c.value = 2 and c in line: note_down(1)
let d = niche
if d = none: note_down(2)
"""
    assert told(body) == 12


def test_the_field_of_an_empty_slot_is_none() -> None:
    body = """
for x in Card where x.value = 2: move x to shelf[2]
if any(shelf[i].value = 2 for i in 1..2): note_down(1)
if niche.value = none: note_down(2)
if shelf[2].value + 1 = 3 and shelf[2].value < 3: note_down(4)
if stud = none: note_down(3)
"""
    assert told(body) == 1243


def test_a_slot_that_was_tested_is_certain() -> None:
    body = """
for x in Card where x.value = 3: move x to niche
if niche != none:
    if fits(niche): note_down(1)
    note_down(niche.value)
    set niche.marked = yes
    if niche.value + 1 = 4 and 2 * niche.value > 5 and niche.value < 4: note_down(5)
if niche != none and niche.marked: note_down(4)
"""
    assert told(body) == 1354


@pytest.mark.parametrize(
    "body",
    ["note_down(niche.value)", "set niche.marked = yes", "move niche to line", "let k = niche.value + 1"],
)
def test_where_something_must_lie_an_empty_slot_is_an_error_at_play(body: str) -> None:
    with pytest.raises(dr.PlayError) as caught:
        told(body)
    assert caught.value.diagnostic.code == "D0910"


def test_emptied_behind_the_test_it_is_an_error_at_play() -> None:
    body = """
for x in Card where x.value = 3: move x to niche
if niche != none:
    move all from niche to line
    note_down(niche.value)
"""
    with pytest.raises(dr.PlayError) as caught:
        told(body)
    assert caught.value.diagnostic.code == "D0910"


EDGE = """
token Man: w 1
place board: grid 2 by 2 of Man
piece pawn on board
setup: move pawn to space_at(board, 1, 1)
phase Play:
    as player(1): choose d in directions
"""


def test_a_piece_does_not_fall_off_the_board_unnoticed() -> None:
    assert "D0304" in refusal(f"{EDGE}    if pawn.on != none: move pawn to pawn.on + N\n")
    safe = f"{EDGE}    for s in spaces(board) where pawn.on != none: move pawn to s\n    move pawn to none\n"
    assert not refusal(safe)


def test_a_case_cannot_be_called_like_the_answer_no() -> None:
    rules = 'phase Play:\n    as player(1):\n        may "no": note_down(1)\n'
    assert "D0202" in refusal(rules)
