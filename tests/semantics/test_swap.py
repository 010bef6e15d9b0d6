"""`swap` is an effect like any other: endings are tested behind it, triggers run, and all are told."""

from __future__ import annotations

import pytest

from .table import diary, start

TABLE = """
kinds Side: sun, moon
component Card:
    value: 1..4
rows Card:
    | value |
    | 1..4  |
place line: row of Card
place pile: stack of Card
state left_one: 0..9 = 1
state right_one: 0..9 = 7
each player has: state points: 0..9 = 0
each Card has: state marked: yes/no = no until moved
record Bid at most 3:
    who: player
    worth: 0..9
trigger out after leaving line: note_down(1)
trigger onto after entering pile: note_down(2)
setup:
    for c in Card:
        if count(line) < 2: move c to line
        else: move c to pile
    set player(2).points = 5
    set diary = 0
    note Bid(who: player(1), worth: 2)
    note Bid(who: player(2), worth: 8)
"""
SWAPS = {
    "right state": ("left_one = 7", "swap left_one with right_one"),
    "left state": ("right_one = 1", "swap left_one with right_one"),
    "states of players, first": ("player(1).points = 5", "swap player(1).points with player(2).points"),
    "states of players, second": ("player(2).points = 0", "swap player(2).points with player(1).points"),
    "fields of records": (
        "any(b.worth = 8 and b.who = player(1) for b in Bid)",
        "for a in Bid, b in Bid where a.worth < b.worth: swap a.worth with b.worth",
    ),
    "components": (
        "any(c.value = 4 for c in line)",
        "for a in line, b in pile where a = top(line) and b = top(pile): swap a with b",
    ),
}


@pytest.mark.parametrize("case", SWAPS)
def test_an_ending_is_tested_behind_a_swap(case: str) -> None:
    when, swap = SWAPS[case]
    rules = f"{TABLE}ending now when {when}: finish {{player(2)}}\n"
    match = start(f"{rules}phase Play:\n    as player(1): choose n in 1..2\n    {swap}\n    finish {{}}\n")
    assert not match.over
    match.choose(0)
    assert match.winners == {2}


def test_all_are_told_of_states_that_were_swapped() -> None:
    match = start(
        f"{TABLE}phase Play:\n    as player(1): choose n in 1..2\n    swap left_one with right_one\n"
        "    as player(1): choose m in 1..2\n"
    )
    match.choose(0)
    told = [event for event in match.observations(2) if event[0] == "set"]
    assert [event[1:] for event in told[-2:]] == [("left_one", 7), ("right_one", 1)]


def test_two_components_that_are_swapped_cross_the_edges_of_their_places() -> None:
    match = start(
        f"{TABLE}phase Play:\n"
        "    for c in Card: set c.marked = yes\n"
        "    for a in line, b in pile where a = top(line) and b = top(pile): swap a with b\n"
        "    if count(c for c in Card where c.marked) = 2: note_down(9)\n"
        "    as player(1): choose n in 1..2\n"
    )
    assert diary(match) == 129


def test_shuffling_a_place_into_a_deck_empties_it() -> None:
    match = start(
        f"{TABLE}place deck: deck of Card\n"
        "trigger full after entering deck: note_down(3)\n"
        "ending empty when line = {}: finish {player(1)}\n"
        "phase Play:\n"
        "    as player(1): choose n in 1..2\n"
        "    for c in Card: set c.marked = yes\n"
        "    shuffle pile into deck\n"
        "    if count(c for c in Card where c.marked) = 2: note_down(9)\n"
        "    as player(1): choose m in 1..2\n"
        "    shuffle line into deck\n"
        "    finish {player(2)}\n"
    )
    match.choose(0)
    assert diary(match) == 39
    match.choose(0)
    assert match.winners == {1}
