"""P24. Clocks are inputs: a pass through `rounds` costs a tick, and time may also run out at the table."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, pick, place, start

TALK = """
token Gem: red 3
place hidden: bag of Gem, seen by nobody
record Plan at most 9:
    n: 1..9
setup: move all from box(Gem) to hidden
phase Play:
    let kept = 6
    rounds Talk p in clockwise(player(2)), clock 20 tick 7:
        note_down(p.seat)
        show hidden to all: talk()
        note_down(8)
    else: note_down(kept + 1)
    note_down(count(Plan) + 1)
    as player(1): choose last in 1..2
rule talk():
    offer:
        "talk":
            note Plan(n: me.seat)
        "agree": stop Talk
        "give up": give_up()
rule give_up(): note_down(5)
"""


@pytest.mark.parametrize(("clock", "passes"), [(6, 0), (7, 1), (20, 2), (21, 3)])
def test_each_pass_costs_a_tick(clock: int, passes: int) -> None:
    match = start(TALK.replace("clock 20", f"clock {clock}"), players=3)
    pick(match, *["talk"] * passes)
    assert diary(match) == int("283818"[: 2 * passes] + "71"), (
        "then `else`, and records are cleared behind it"
    )


def test_agreeing_does_not() -> None:
    match = pick(start(TALK, players=3), "talk", "agree")
    assert diary(match) == 2831
    assert place(match, "hidden") == {"size": 3}


def test_the_wall_clock_arrives_as_an_input() -> None:
    match = pick(start(TALK, players=3), "talk")
    match.expire()
    assert diary(match) == 28371
    assert place(match, "hidden") == {"size": 3}, "what was shown is closed"
    assert match.log[-1] == ["expire"]
    with pytest.raises(dr.UsageError):
        match.expire()


def test_a_replay_needs_no_clock() -> None:
    match = pick(start(TALK, players=3), "talk")
    match.expire()
    pick(match, 2)
    twin = start(TALK, players=3)
    twin.replay(match.log)
    assert twin == match


def test_expire_in_the_rules_is_the_same_way_out() -> None:
    match = start("""
phase Play:
    rounds Talk p in players, clock 60 tick 5:
        offer:
            "no more": expire Talk
        note_down(9)
    else: note_down(1)
    note_down(2)
""")
    assert diary(pick(match, "no more")) == 12


def test_without_a_clock_nothing_runs_out() -> None:
    match = start("""
phase Play:
    rounds Talk p in players where diary < 100:
        offer:
            "on": note_down(1)
    note_down(2)
""")
    with pytest.raises(dr.UsageError):
        match.expire()
    assert diary(pick(match, "on", "on", "on")) == 1112


def test_rounds_end_when_nobody_may_speak() -> None:
    match = start("""
phase Play:
    rounds Talk p in players where p.seat < 2 and diary < 10, clock 60 tick 5: note_down(1)
    else: note_down(3)
    note_down(2)
""")
    assert diary(match) == 1132
