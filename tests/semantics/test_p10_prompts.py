"""P10. Who cannot do a thing is not asked about it, and nobody learns that."""

from __future__ import annotations

from typing import Any

from .table import diary, keys, pick, start

HAND = """
component Card:
    value: 1..3
rows Card:
    | value |
    | 1..3  |
each player has: place hand: bag of Card, seen by owner
place gone: bag of Card
setup: for c in Card where c.value > 1: move c to player(2).hand
action play in reaction:
    choose c in my.hand
    move c to gone
action boast in reaction:
    require me.seat = 3 because "only the third"
    note_down(7)
"""


def asked(match: Any) -> int:
    assert match.decision is not None
    return int(match.decision.player)


def test_may_is_not_asked_when_nothing_is_possible() -> None:
    match = start(
        HAND
        + """
phase Play:
    for p in players as p:
        may reaction else note_down(me.seat)
    as player(1): choose n in 1..2
""",
        players=3,
    )
    assert asked(match) == 2
    assert keys(match) == ["play", "no"]
    pick(match, "no")
    assert diary(match) == 12
    assert asked(match) == 3
    assert keys(match) == ["boast", "no"]


def test_window_asks_each_once_clockwise() -> None:
    match = start(
        HAND
        + """
phase Play:
    window reaction from player(3)
    as player(1): choose n in 1..2
""",
        players=3,
    )
    assert asked(match) == 3
    pick(match, "boast")
    assert asked(match) == 2
    pick(match, "play", "Card#2")
    assert asked(match) == 1
    assert keys(match) == [1, 2]


def test_window_always_asks_everybody() -> None:
    match = start(
        HAND
        + """
phase Play:
    window reaction from player(1) always
    as player(1): choose n in 1..2
""",
        players=3,
    )
    assert (asked(match), keys(match)) == (1, ["no"])
    pick(match, "no")
    assert (asked(match), keys(match)) == (2, ["play", "no"])


def test_declining_is_not_announced() -> None:
    rules = (
        HAND
        + """
phase Play:
    window reaction from player(1){always}
    as player(1): choose n in 1..2
"""
    )
    could = pick(start(rules.replace("{always}", ""), players=3), "no", "no")
    assert all("no" not in event[-1] for event in could.observations(1) if event[0] == "choice")
    everybody = start(rules.replace("{always}", " always"), players=3)
    before = everybody.observations(3)
    assert pick(everybody, "no", "no").observations(3) == before


def test_a_single_option_is_still_a_decision() -> None:
    """It is recorded and announced like any other, so that nobody can tell that it was forced."""
    match = start("phase Play:\n    as player(1): choose n in 1..1\n    as player(2): choose m in 1..2\n")
    assert (asked(match), keys(match)) == (1, [1])
    pick(match, 1)
    assert match.log[-1] == ["choose", 1, ["n", 1]]


def test_may_with_words_is_asked_only_if_its_first_steps_can_be_taken() -> None:
    match = start(
        HAND
        + """
phase Play:
    for p in players as p:
        may "show":
            choose c in my.hand
            note_down(me.seat)
        else: note_down(9)
    as player(1): choose n in 1..2
""",
        players=3,
    )
    assert diary(match) == 9
    assert asked(match) == 2
    pick(match, "show", "Card#2")
    assert diary(match) == 929


def test_may_always_asks_who_can_only_say_no() -> None:
    match = start(
        HAND
        + """
phase Play:
    as player(1):
        may reaction always else note_down(1)
        may "show off" always:
            require my.hand != {} because "no cards"
            note_down(2)
        else: note_down(3)
""",
        players=3,
    )
    assert asked(match) == 1
    assert keys(match) == ["no"]
    pick(match, "no")
    assert diary(match) == 1
    assert keys(match) == ["no"]
    pick(match, "no")
    assert diary(match) == 13


def test_when_able_is_what_happens_anyway() -> None:
    match = start(
        HAND
        + """
phase Play:
    for p in players as p:
        may reaction when able else note_down(me.seat)
    window reaction from player(1) when able
""",
        players=3,
    )
    assert asked(match) == 2
    assert keys(match) == ["play", "no"]


def test_a_window_outside_of_turns_begins_with_the_first_player() -> None:
    match = start("phase Play: window reaction\naction wave in reaction: nothing\n", players=3)
    asked = []
    while match.decision is not None:
        asked.append(match.decision.player)
        match.choose(0)
    assert asked == [1, 2, 3]
