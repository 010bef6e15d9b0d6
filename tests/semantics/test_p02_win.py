"""P2. `finish` ends the match there and then: no more statements, no triggers, no resets."""

from __future__ import annotations

from .table import diary, pick, start, value

DEEP = """
place secret: bag of Gem, seen by nobody
token Gem: gem 3
state fresh: 0..9 = 0 until turn ends
setup: move all from box(Gem) to secret
phase Play:
    turns Round p:
        set fresh = 3
        show secret to all: atomic: one()
        note_down(9)
rule one():
    two()
    note_down(9)
trigger middle after two() for left(me):
    may "win":
        three()
    note_down(9)
rule two(): note_down(1)
rule three():
    note_down(2)
    finish {me} because "enough"
    note_down(9)
trigger late after three(): note_down(9)
trigger end_of_turn after turn(p): note_down(9)
score(p: player) = fresh + p.seat
"""


def test_everything_is_dropped_and_the_position_stays() -> None:
    match = pick(start(DEEP), "win")
    assert match.over
    assert match.winners == {2}
    assert match.reason == "enough"
    assert diary(match) == 12
    assert value(match, "fresh") == 3, "no reset"
    assert match.scores == {1: 4, 2: 5}
    assert match.decision is None


def test_the_rest_of_a_statement_is_dropped() -> None:
    """The third gem would be drawn after the one that wins."""
    match = start("""
token Gem: gem 5
place bag: bag of Gem
each player has: place purse: bag of Gem
setup: move all from box(Gem) to bag
phase Play:
    draw 3 at random from bag to player(1).purse
ending two for p in players when count(p.purse) = 2: finish {p}
""")
    assert match.winners == {1}
    assert match.reason == "two"
    assert match.view(1)["places"]["player 1: purse"] == {"contents": (("gem", 2),)}


def test_phases_that_run_out_leave_no_winner() -> None:
    match = start("phase Play: note_down(1)")
    assert match.over
    assert match.winners == frozenset()
