"""P13. A deck is a known top, an unknown middle and a known bottom; drawing is when chance decides."""

from __future__ import annotations

from typing import Any

from .table import pick, place, refusal, start

DECK = """
component Card:
    value: 1..6
rows Card:
    | value |
    | 1..6  |
place deck: deck of Card, seen by nobody
place open: row of Card
each player has: place hand: row of Card, seen by owner
define card(n: 1..6) = the(c for c in Card where c.value = n)
setup: move all from box(Card) to deck
phase Play:
    {body}
    as player(1): choose stay in 1..2
"""


def run(body: str, **more: Any) -> Any:
    return start(DECK.replace("{body}", body.replace("\n", "\n    ")), **more)


def outcomes(match: Any) -> list[str]:
    return [o.key for o, _ in match.chance.outcomes]


def drawn(match: Any) -> list[list[str]]:
    """The outcomes of every chance point on the way, always taking the first."""
    found = []
    while match.chance is not None:
        found.append([key.removeprefix("Card#") for key in outcomes(match)])
        match.resolve(0)
    return found


def test_drawing_from_the_unknown_part_is_chance() -> None:
    assert drawn(run("draw 2 from deck to open", chance="ask")) == [list("123456"), list("23456")]


def test_what_is_put_on_top_comes_first_and_what_is_put_below_last() -> None:
    match = run(
        "draw 6 from deck to open\nmove card(3) to deck\nmove card(5) to top of deck\nmove card(6) to bottom of deck\n"
        "move card(1) to bottom of deck\nmove card(2) to top of deck\nmove card(4) to deck\ndraw 6 from deck to open",
        chance="ask",
    )
    assert drawn(match)[6:] == [["2"], ["5"], ["3", "4"], ["4"], ["6"], ["1"]]


def test_shuffle_forgets_the_order() -> None:
    match = run(
        "draw 3 from deck to open\nmove card(1) to top of deck\nmove card(2) to bottom of deck\nshuffle deck\n"
        "draw 1 from deck to open",
        chance="ask",
    )
    assert drawn(match)[3:] == [["1", "2", "4", "5", "6"]]
    match = run("draw 3 from deck to open\nshuffle open into deck\ndraw 1 from deck to open", chance="ask")
    assert drawn(match)[3:] == [list("123456")]


def test_a_card_at_a_known_depth() -> None:
    match = run("draw 1 from deck to open\nmove card(1) to deck at 3\ndraw 6 from deck to open", chance="ask")
    assert drawn(match)[1:] == [list("23456"), list("3456"), ["1"], list("456"), list("56"), ["6"]]


def test_several_cards_at_known_depths() -> None:
    match = run(
        "draw 3 from deck to open\nmove card(1) to deck at 2\nmove card(2) to deck at 2\nmove card(3) to deck at 5\n"
        "draw 6 from deck to open",
        chance="ask",
    )
    assert drawn(match)[3:] == [["4", "5", "6"], ["2"], ["1"], ["5", "6"], ["3"], ["6"]]
    match = run(
        "draw 3 from deck to open\nmove card(1) to bottom of deck\nmove card(2) to deck at 1\nmove card(3) to deck at 6\n"
        "draw 6 from deck to open",
        chance="ask",
    )
    assert drawn(match)[3:] == [["2"], ["4", "5", "6"], ["5", "6"], ["6"], ["1"], ["3"]]


def test_peeking_makes_the_top_known_to_who_peeks() -> None:
    match = run("peek 2 of deck to player(2)", seed=4)
    seen = place(match, "deck", 2)
    assert len(seen["top"]) == 2
    assert place(match, "deck", 1) == {"size": 6}
    before = match.fork()
    assert before == match
    match = run("peek 2 of deck to player(2)\ndraw 3 from deck to open", seed=4)
    assert place(match, "open")["contents"][:2] == seen["top"], "what was seen is what comes"


def test_peeking_at_what_lies_at_a_known_depth() -> None:
    match = run(
        "draw 1 from deck to open\nmove card(1) to deck at 2\npeek 3 of deck to player(2)\ndraw 4 from deck to open",
        chance="ask",
    )
    assert drawn(match) == [
        list("123456"),
        list("23456"),
        ["1"],
        list("3456"),
        ["2"],
        ["1"],
        ["3"],
        ["4", "5", "6"],
    ]


def test_peeking_deeper_than_the_deck_stops_at_its_end() -> None:
    match = run(
        "draw 5 from deck to open\nmove card(1) to bottom of deck\npeek 4 of deck to player(1)", seed=2
    )
    assert len(place(match, "deck")["top"]) == 2


def test_what_lies_below_is_known_to_who_saw_it_go_there() -> None:
    match = run(
        "draw 2 from deck to player(1).hand\nfor c in player(1).hand: move c to bottom of deck\n"
        "draw 1 from deck to open\nmove {c for c in open} to bottom of deck"
    )
    mine, others = place(match, "deck", 1)["bottom"], place(match, "deck", 2)["bottom"]
    assert None not in mine
    assert others == (mine[2],)  # of what lies above it they know as little as of the rest


def test_equal_knowledge_is_an_equal_match_whatever_the_history() -> None:
    rules = """
draw 2 from deck to open
as player(1):
    choose first in 1..2
    if first = 1:
        move card(1) to deck
        move card(2) to deck
    else:
        move card(2) to deck
        move card(1) to deck
"""
    match = run(rules.strip(), chance="ask")
    match.resolve(0)
    match.resolve(0)
    twin = match.fork()
    pick(match, 1)
    pick(twin, 2)
    assert match == twin
    assert hash(match) == hash(twin)


def test_search_can_list_outcomes_with_their_weights() -> None:
    match = start(
        """
component Card:
    value: 1..2
rows Card:
    | value | count |
    | 1     | 3     |
    | 2     | 1     |
place deck: deck of Card, seen by nobody
place open: row of Card
setup: move all from box(Card) to deck
phase Play: draw 1 from deck to open
""",
        chance="ask",
    )
    assert match.chance is not None
    assert [(o.label, w) for o, w in match.chance.outcomes] == [("Card 1", 3), ("Card 2", 1)]


def test_nothing_reads_an_order_that_is_not_known() -> None:
    for body in ("let c = deck[3]", "move all from deck to open"):
        assert refusal(DECK.replace("{body}", body)), body
    assert refusal(DECK.replace("{body}", "draw all from deck to open")) == {}
    match = run(
        "if top(deck) != none: finish {player(2)}\npeek 1 of deck to player(1)\nif top(deck) = none: finish {player(2)}"
    )
    assert not match.over
