"""P3. Endings are tested after each effect that can make them true, in the order of declaration."""

from __future__ import annotations

import pytest

from .table import diary, pick, refusal, start

TWO = """
state a: 0..9 = 0
state b: 0..9 = 0
phase Play:
    {body}
    note_down(7)
rule bump():
    change a by 5
    note_down(8)
trigger t after bump(): note_down(9)
ending first when a >= 5: finish {player(1)}
ending second when a + b >= 5: finish {player(2)}
"""


@pytest.mark.parametrize(
    ("body", "reason", "seen"),
    [
        ("set a = 5", "first", 0),
        ("set b = 5", "second", 0),
        ("bump()", "first", 0),
        (
            "atomic:\n        set b = 5\n        note_down(1)\n        set a = 5\n        note_down(2)",
            "first",
            12,
        ),
        ("atomic:\n        set b = 5\n        set b = 0\n    note_down(1)", "the phases are over", 17),
        (
            "atomic:\n        atomic:\n            set b = 5\n        note_down(1)\n    note_down(2)",
            "second",
            1,
        ),
    ],
)
def test_order_and_moment(body: str, reason: str, seen: int) -> None:
    match = start(TWO.replace("{body}", body))
    assert (match.reason, diary(match)) == (reason, seen)


def test_before_turn_is_tested_at_the_start_of_a_turn_only_and_before_skipping() -> None:
    match = start("""
state out: 0..9 = 0
phase Play:
    turns Round p where out = 0 or p.seat = 1:
        offer:
            "leave": set out = 3
            "stay": nothing
        note_down(p.seat)
ending all_out before turn when out = 3:
    finish {player(2)}
""")
    pick(match, "stay", "stay", "leave")
    assert match.reason == "all_out"
    assert diary(match) == 121


def test_every_way_to_change_what_an_ending_reads() -> None:
    """Moves of tokens and components, swaps, standing, records, `until` and whose turn it is."""
    rules = """
token Gem: red 4, blue 4
component Card count 3
kinds Side: left_side, right_side
place cards: bag of Card
place deck: deck of Card
place gems: bag of Gem
place more: bag of Gem
place board: grid 2 by 2 of Gem
piece pawn on board
state short: 0..9 = 5 until turn ends
record Deal at most 3:
    n: 0..9
setup:
    move all from box(Card) to deck
    move 2 of red from box(Gem) to gems
    move 1 of blue from box(Gem) to more
phase Play:
    {body}
    note_down(7)
ending it when {when}: finish {player(1)}
"""
    cases = {
        "move 1 of red from gems to more": "more[red] = 1",
        "move all from gems to more": "gems = {}",
        "draw 1 from deck to cards": "count(cards) = 1",
        "swap gems with more": "gems[blue] = 1",
        "move pawn to space_at(board, 1, 1)": "pawn.on != none",
        "move 1 of red from gems to board at space_at(board, 1, 2)": "any(board[s] = red for s in spaces(board))",
        "note Deal(n: 4)": "any(d.n = 4 for d in Deal)",
        "turns Round p: nothing": "turn_number = 3",
    }
    for body, when in cases.items():
        match = start(rules.replace("{body}", body).replace("{when}", when))
        assert match.reason == "it", body
        assert diary(match) == 0, body


def test_resets_count_as_effects() -> None:
    match = start("""
state hot: yes/no = no until turn ends
state lit: yes/no = no
phase Play:
    turns Round p:
        set hot = yes
        set lit = yes
        note_down(1)
ending cold when lit and not hot: finish {player(1)}
""")
    assert match.reason == "cold"
    assert diary(match) == 1


def test_an_ending_asks_nobody() -> None:
    rules = """
state a: 0..9 = 0
phase Play: set a = 5
ending it for p in players when a = 5:
    {body}
    finish {p}
rule ask():
    as player(1): choose n in 1..2
"""
    for body in ("as p: choose n in 1..2", "ask()", "roll n in 1..6"):
        assert "D0316" in refusal(rules.replace("{body}", body))


def test_an_ending_may_work_before_it_finishes() -> None:
    match = start("""
state a: 0..9 = 0
phase Play: set a = 5
rule tidy(): note_down(4)
ending it for p in players when a = 5:
    tidy()
    finish {p}
""")
    assert (match.reason, diary(match), match.winners) == ("it", 4, frozenset({1}))


def test_no_ending_is_tested_in_setup_but_all_are_behind_it() -> None:
    rules = """
component Card count 4
place deck: deck of Card
each player has: place hand: bag of Card
setup:
    move all from box(Card) to deck
    for p in players: draw 2 from deck to p.hand
ending last_one when count(p for p in players where p.hand != {}) = 1: finish {p for p in players where p.hand != {}}
phase Play:
    as player(1):
        choose c in my.hand
        move c to deck
        choose d in my.hand
        move d to deck
"""
    match = start(rules)
    assert not match.over
    match.choose(0)
    match.choose(0)
    assert match.winners == {2}
    assert start(rules.replace("for p in players: draw", "for p in {player(2)}: draw")).winners == {2}


def test_turns_in_setup_are_not_ended() -> None:
    rules = """
setup:
    turns Order p:
        choose n in 1..2
        if turn_number = 3: stop Order
ending long before turn when turn_number > 1: finish {player(1)}
phase Play:
    turns Round p: choose m in 1..2
"""
    match = start(rules)
    for _ in range(3):
        assert not match.over
        match.choose(0)
    assert match.winners == {1}
