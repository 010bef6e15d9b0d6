"""P18. `move` means exactly so many, `draw` at most so many; a choice may be empty only with `else`."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, keys, pick, place, start

FEW = """
token Gem: red 2, blue 1
component Card count 2
place gems: bag of Gem
place cards: row of Card
place deck: deck of Card
setup:
    move all from box(Card) to deck
phase Play:
    {body}
    finish {{}}
"""


@pytest.mark.parametrize(
    "body", ["move 3 of red from box(Gem) to gems", "move 1 - 2 of red from box(Gem) to gems"]
)
def test_move_means_exactly(body: str) -> None:
    with pytest.raises(dr.PlayError) as caught:
        start(FEW.format(body=body))
    assert caught.value.diagnostic.code == "D0901"


def test_draw_takes_what_is_there() -> None:
    match = start(
        FEW.format(
            body="draw 5 from deck to cards\n    draw 9 at random from box(Gem) to gems\n    draw 1 from deck to cards"
        )
    )
    assert len(place(match, "cards")["contents"]) == 2
    assert place(match, "gems")["contents"] == (("red", 2), ("blue", 1))


def test_draw_all() -> None:
    match = start(FEW.format(body="draw all from deck to cards"))
    assert len(place(match, "cards")["contents"]) == 2


def test_an_empty_choice_needs_an_else() -> None:
    rules = "state open: yes/no = no\nphase Play:\n    as player(1):\n        choose n in 1..3 where open{otherwise}\n        note_down(1)\n"
    assert diary(start(rules.format(otherwise=" else note_down(4)"))) == 41
    assert start(rules.format(otherwise=" else finish {player(2)}")).winners == {2}
    with pytest.raises(dr.PlayError) as caught:
        start(rules.format(otherwise=""))
    assert caught.value.diagnostic.code == "D0908"


def test_in_the_header_of_an_action_emptiness_means_that_it_is_not_offered() -> None:
    match = start("""
state open: yes/no = no
phase Play:
    repeat up to 2:
        as player(1): offer deed
        set open = yes
action first in deed: choose n in 1..3 where open
action second in deed: choose n in 4..5
action third in deed:
    choose n in 6..7 where open else return
    note_down(n)
""")
    assert keys(match) == ["second", "third"], "an `else` makes a choice possible"
    pick(match, "third")
    assert keys(match) == ["first", "second", "third"]
    assert keys(pick(match, "first")) == [1, 2, 3]


def test_an_offer_without_possible_cases() -> None:
    rules = """
state open: yes/no = no
phase Play:
    as player(1):
        offer:
            "go": require open
        {otherwise}
"""
    with pytest.raises(dr.PlayError) as caught:
        start(rules.replace("{otherwise}", "nothing"))
    assert caught.value.diagnostic.code == "D0908"
    assert diary(start(rules.replace("{otherwise}", "else: note_down(5)"))) == 5


def test_a_requirement_binds_who_calls_an_action_by_name() -> None:
    with pytest.raises(dr.PlayError) as caught:
        start("""
state open: yes/no = no
phase Play: as player(1): go()
action go(): require open because "it is closed"
""")
    assert caught.value.diagnostic.code == "D0911"


SHORT = """
component Card count 5
place deck: deck of Card
place cards: row of Card
state short: 0..9 = 0
state turns_left: 0..9 = 3
setup: move all from box(Card) to deck
phase Play:
    {body}
    as player(1): choose n in 1..2
    finish {{}}
"""


@pytest.mark.parametrize(
    ("body", "drawn", "short"),
    [
        ("draw 5 from deck to cards else set short = 1", 5, 0),
        ("draw 6 from deck to cards else set short = 1", 5, 1),
        ("draw all from deck to cards else set short = 1", 5, 0),
        ("draw turns_left from deck to cards else set short = 1", 3, 0),
        ("repeat up to 2: draw turns_left from deck to cards else change short by 1", 5, 1),
        ("for k in 1..7: draw 1 at random from deck to cards else change short by 1", 5, 2),
        ("draw 9 from deck to cards else nothing", 5, 0),
        ("repeat Tries up to 9: draw 2 from deck to cards else stop Tries", 5, 0),
    ],
)
def test_what_is_done_when_a_draw_comes_up_short(body: str, drawn: int, short: int) -> None:
    match = start(SHORT.format(body=body))
    assert len(place(match, "cards")["contents"]) == drawn
    assert match.view(1)["states"]["short"] == short


def test_the_amount_is_worked_out_once() -> None:
    """Drawing changes what the amount is made of; the question is what was asked for at first."""
    match = start(SHORT.format(body="draw count(deck) - 1 from deck to cards else set short = 1"))
    assert len(place(match, "cards")["contents"]) == 4
    assert match.view(1)["states"]["short"] == 0


def test_the_else_of_a_draw_may_ask() -> None:
    asking = "as player(1): draw 6 from deck to cards else choose n in 1..3"
    match = start(SHORT.format(body=asking).replace("    as player(1): choose n in 1..2\n", ""))
    assert keys(match) == [1, 2, 3]


def test_a_pick_is_no_part_of_a_header() -> None:
    """It has an effect. So a case that begins with one is offered like an action that does."""
    rules = """
token Gem: ruby 2
place heap: bag of Gem
each player has: place purse: bag of Gem
action pay in deed: pick 1 from my.purse to heap
phase Play:
    as player(1):
        offer deed
        offer:
            "pay": pick 1 from my.purse to heap
            "rest": nothing
    finish {}
setup: move 1 of ruby from box(Gem) to player(1).purse
"""
    match = start(rules)
    pick(match, "pay")
    if match.decision is not None and match.decision.name == "amount":
        match.choose(0)
    assert keys(match) == ["pay", "rest"]
    with pytest.raises(dr.PlayError) as caught:
        pick(match, "pay")
    assert caught.value.diagnostic.code == "D0908"
