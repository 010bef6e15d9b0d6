"""If there is one: `let x = e else s`, `if let`, and what a test makes certain."""

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
component Tile count 2
place board: grid 3 by 1 of Tile
place niche: slot of Card
place pile: stack of Card
place line: row of Card
state best: Card or none = none
state who: player or none = none
define of_value(n: 1..5) = first(c for c in Card where c.value = n)
rule lowest() -> Card or none: return first(c for c in line)
"""


def told(body: str, more: str = "") -> int:
    lines = "\n".join(f"    {line}" for line in body.strip().split("\n"))
    return diary(
        start(
            f"{TABLE}{more}phase Play:\n    go()\n    as player(1): choose n in 1..2\nrule go():\n{lines}\n"
        )
    )


def test_what_is_named_is_certain_behind_an_else_that_leaves() -> None:
    body = """
let c = of_value(3) else return
move c to line
note_down(c.value)
let d = of_value(5) else return
note_down(d.value)
"""
    assert told(body) == 3


def test_an_else_that_goes_on_is_done() -> None:
    body = """
let c = of_value(5) else note_down(7)
let d = of_value(1) else note_down(8)
note_down(9)
"""
    assert told(body) == 79


def test_if_let_names_it_in_its_block() -> None:
    body = """
if let c = of_value(5): note_down(c.value)
else if let c = of_value(2): note_down(c.value)
else: note_down(9)
if let c = of_value(5): note_down(c.value)
else: note_down(8)
"""
    assert told(body) == 28


def test_a_rule_may_find_it() -> None:
    body = """
if let c = lowest(): note_down(c.value)
else: note_down(9)
for x in Card where x.value = 2: move x to line
let c = lowest() else return
note_down(c.value)
"""
    assert told(body) == 92


def test_a_slot_may_be_named() -> None:
    body = """
if let c = niche: note_down(c.value)
for x in Card where x.value = 4: move x to niche
if let c = niche: note_down(c.value)
let c = niche else return
move c to line
note_down(2)
"""
    assert told(body) == 42


def test_what_equals_something_certain_is_certain() -> None:
    body = """
set best = of_value(2)
let c = of_value(2) else return
if best = c: note_down(best.value)
if best in Card and best.value = 2: note_down(3)
note_down(best.value if best = c else 9)
"""
    assert told(body) == 232


def test_what_is_not_empty_has_ends() -> None:
    body = """
for x in Card where x.value > 2: move x to pile
if pile != {}: note_down(top(pile).value)
if count(pile) > 0:
    let c = bottom(pile)
    note_down(c.value)
if count(pile) = 0: return
note_down(first(pile).value)
require_it()
"""
    more = """
rule require_it():
    if not (count(pile) >= 1): return
    note_down(last(pile).value)
"""
    assert told(body, more) == 4334


def test_what_lies_on_a_board_has_a_space() -> None:
    body = """
for x in Tile where count(board) = 0: move x to board at space_at(board, 2, 1)
note_down(sum(m.space.x for m in board))
for m in Tile:
    if m in board: note_down(m.space.x)
"""
    assert told(body) == 22


def test_certain_until_it_may_have_been_written() -> None:
    """The rules go on as they are written; what is no longer there is an error at play."""
    body = """
set best = of_value(2)
if best != none:
    note_down(best.value)
    set best = none
    note_down(best.value)
"""
    with pytest.raises(dr.PlayError) as caught:
        told(body)
    assert caught.value.diagnostic.code == "D0910"


def test_a_rule_may_have_written_it() -> None:
    body = """
set best = of_value(2)
if best != none:
    forget()
    note_down(best.value)
"""
    with pytest.raises(dr.PlayError):
        told(body, "rule forget(): set best = none\n")
    assert told(body, "rule forget(): nothing\n") == 2


def test_earlier_passes_may_have_written_it() -> None:
    body = """
set best = of_value(2)
if best != none:
    for n in 1..2:
        note_down(best.value)
        set best = none
"""
    with pytest.raises(dr.PlayError):
        told(body)


def test_one_may_ask_again() -> None:
    body = """
set best = of_value(2)
if best != none:
    if best != none: note_down(1)
for m in Tile where m in board:
    if m.space = none: note_down(2)
"""
    assert told(body) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("let c = of_value(5) else nothing\nmove c to line", "D0211"),
        ("if let c = of_value(5): nothing\nelse: move c to line", "D0211"),
        ("if let c = of_value(5): nothing\nmove c to line", "D0201"),
        ("let c = of_value(5)\nmove c to line", "D0304"),
        ("let c = 3 else return\nnote_down(c)", ""),
    ],
)
def test_refused(body: str, code: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    found = refusal(f"{TABLE}phase Play: go()\nrule go():\n{lines}\n")
    assert set(found) == ({code} if code else set())


def test_whether_something_was_found_is_as_secret_as_where_it_was_sought() -> None:
    rules = """
component Card count 3
each player has: place hand: bag of Card, seen by owner, size seen by owner
phase Play:
    as player(1):
        let c = first(player(2).hand) else return
        choose n in 1..2
"""
    assert "D0401" in refusal(rules)
