"""P8. Options that come to the same are offered once."""

from __future__ import annotations

from .table import keys, labels, pick, place, start

CARDS = """
component Card:
    value: 1..3
    arrows: set of direction
rows Card:
    | value | arrows | count |
    | 1     | N S    | 3     |
    | 2     | N      | 2     |
place table_row: row of Card
place other: bag of Card
each player has: place hand: bag of Card, seen by owner
"""


def test_identical_components_of_an_unordered_place_are_one_option() -> None:
    match = start(
        CARDS
        + """
setup: for c in Card: move c to player(1).hand
phase Play:
    as player(1):
        choose c in my.hand
        move c to other
        choose d in my.hand
"""
    )
    assert keys(match) == ["Card#1", "Card#4"], "one for each printed face"
    pick(match, "Card#1")
    assert place(match, "other")["contents"] == ("Card#1",), "the lowest number moves"
    assert keys(match) == ["Card#2", "Card#4"]


def test_in_a_row_each_stands_at_its_own_position() -> None:
    match = start(
        CARDS
        + """
setup: for c in Card: move c to table_row
phase Play: as player(1): choose c in table_row
"""
    )
    assert len(keys(match)) == 5


def test_a_condition_that_tells_them_apart_is_asked_first() -> None:
    match = start(
        CARDS
        + """
setup: for c in Card: move c to player(1).hand
phase Play:
    as player(1):
        choose c in my.hand where c.value = 2
"""
    )
    assert keys(match) == ["Card#4"]


def test_distinct_by_says_what_matters() -> None:
    match = start(
        CARDS
        + """
setup: for c in Card: move c to player(1).hand
phase Play:
    as player(1):
        choose c in my.hand, r in rotations:
            distinct by rotate(c.arrows, r)
"""
    )
    assert keys(match) == ["Card#1", "Card#4"]
    twin = match.fork()
    assert labels(pick(match, "Card#1")) == ["as it is", "a quarter turn"], "N S and S N are the same"
    assert len(labels(pick(twin, "Card#4"))) == 4


def test_alike_heaps_are_offered_in_one_order() -> None:
    rules = """
token Gem: red 2, blue 1
place pot: bag of Gem
setup: move all from box(Gem) to pot
phase Play:
    as player(1):
        choose n[heap in 1..2, k in Gem] in 0..pot[k]:
            {alike}
            where sum(n[h, k] for h in 1..2) = pot[k]
        as player(2): choose done in 1..1
"""

    def splits(match: object) -> int:
        todo, found = [start(rules.replace("{alike}", text))], 0
        while todo:
            here = todo.pop()
            assert here.decision is not None
            if here.decision.player == 2:
                found += 1
                continue
            for option in here.decision.options:
                twin = here.fork()
                twin.choose(option)
                todo.append(twin)
        return found

    text = "where n[heap, k] >= 0"
    assert splits(None) == 6
    text = "alike heap"
    assert splits(None) == 3


def test_copies_that_the_state_can_tell_apart_are_each_offered() -> None:
    match = start(
        CARDS
        + """
state marked: Card or none = none
setup:
    for c in Card: move c to player(1).hand
phase Play:
    as player(1):
        choose c in my.hand
        set marked = c
        choose d in my.hand
"""
    )
    pick(match, "Card#1")
    assert keys(match) == ["Card#1", "Card#2", "Card#3", "Card#4", "Card#5"]
