"""A choice among things that others do not see stays private, however the things are named."""

from __future__ import annotations

from typing import Any

import dragonrules as dr
import pytest

from .table import start

HEAD = """
kinds Suit: sun, moon
component Card:
    value: 1..4
    suit: Suit
rows Card:
    | value | suit |
    | 1..4  | sun  |
token Gem: ruby 4, pearl 4
place deck: deck of Card, seen by nobody
place pit: bag of Card, seen by nobody, size seen by all
place chest: bag of Gem, seen by nobody, size seen by all
place market: row of Card
each player has:
    place hand: bag of Card, seen by owner
    place pouch: bag of Gem, seen by owner
    state secret: 1..4 = 3, seen by owner
setup:
    move all from box(Card) to deck
    draw 1 from deck to market
    draw 2 from deck to player(1).hand
    move 2 of ruby from box(Gem) to player(1).pouch
    move 1 of pearl from box(Gem) to player(1).pouch
phase Play:
    as player(1):
BODY
    as player(2): choose last in 1..2
    finish players
rule discard_from(h: place of Card):
    choose c in h
    move c to pit
rule discard_one_of(cards: set of Card):
    choose c in cards
    move c to pit
rule spend_from(h: place of Gem):
    choose k in Gem where h[k] > 0
    move 1 of k from h to chest
rule say_up_to(most: 1..4): choose n in 1..4 where n <= most
action drop(h: place of Card) in deed:
    choose c in h
    move c to pit
"""
PRIVATE = {
    "as it is": "choose c in my.hand\nmove c to pit",
    "a place by name": "let h = my.hand\nchoose c in h\nmove c to pit",
    "a set by name": "let x = {c for c in my.hand}\nchoose c in x\nmove c to pit",
    "a place as a parameter": "discard_from(my.hand)",
    "a set as a parameter": "discard_one_of({c for c in my.hand})",
    "a place as a parameter of an action": "offer deed(my.hand)",
    "tokens of a place by name": "let h = my.pouch\nchoose k in Gem where h[k] > 0\nmove 1 of k from h to chest",
    "tokens of a place as a parameter": "spend_from(my.pouch)",
    "a secret as a parameter": "say_up_to(my.secret)",
    "a secret by name": "let most = my.secret\nchoose n in 1..4 where n <= most",
    "the members of a loop": "for c in my.hand where c.value = min(d.value for d in my.hand): choose n in 1..c.value",
    "a roll of one's own": "roll d in 1..4 seen by me\nchoose n in 1..4 where n <= d",
    "what was chosen in private": "choose c in my.hand\nchoose n in 1..c.value",
    "a result": "let most = told()\nchoose n in 1..4 where n <= most",
}
OPEN = {
    "an open place": "choose c in market\nmove c to pit",
    "an open place by name": "let m = market\nchoose c in m\nmove c to pit",
    "numbers": "let most = 3\nchoose n in 1..4 where n <= most",
    "what the rules tell": "let most = revealed(my.secret)\nchoose n in 1..4 where n <= most",
}


def played(body: str) -> dr.Match:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    text = HEAD.replace("BODY", lines) + "rule told() -> 1..4: return my.secret\n"
    match = start(text)
    while match.decision is not None and match.decision.player == 1:
        match.choose(0)
    return match


def choices(match: dr.Match, viewer: int | None) -> list[Any]:
    return [e for e in match.observations(viewer) if e[0] == "choice" and e[1] == 1 and e[3][0] != "offer"]


@pytest.mark.parametrize("how", PRIVATE)
def test_nobody_else_learns_of_a_choice_among_hidden_things(how: str) -> None:
    match = played(PRIVATE[how])
    assert choices(match, 1), "who chose knows"
    assert choices(match, 2) == choices(match, None) == []


@pytest.mark.parametrize("how", OPEN)
def test_a_choice_among_open_things_is_announced(how: str) -> None:
    match = played(OPEN[how])
    assert choices(match, 1) == choices(match, 2) == choices(match, None) != []


def test_a_component_is_announced_to_those_who_see_it_where_it_lies() -> None:
    """The rule is given an open place and a hidden one: what counts is where the chosen card lies."""
    both = "choose c in {c for c in my.hand} + {c for c in market}\nmove c to pit"
    lines = "\n".join(f"        {line}" for line in both.splitlines())
    text = HEAD.replace("BODY", lines) + "rule told() -> 1..4: return my.secret\n"
    assert start(text).decision is not None
    for option in range(3):
        match = start(text)
        match.choose(option)
        assert len(choices(match, 1)) == 1
        assert choices(match, 2) == []
