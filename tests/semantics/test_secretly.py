"""`secretly`: what is shown, revealed or peeked at is noticed by those who look, and by nobody else.

Without it all notice that something is shown, though not what. `show` without a
block is a look: told, and over.
"""

from __future__ import annotations

from typing import Any

import pytest
from dragonrules.interpreter.play.undoing import revealed

from .table import start

TABLE = """
component Card count 3
place deck: deck of Card, seen by nobody
each player has:
    place hand: bag of Card, seen by nobody
    state luck: 0..3 = 2, seen by owner
setup:
    move all from box(Card) to deck
    draw 1 from deck to player(1).hand
phase Play:
    {shown}
    as player(1): choose n in 1..2
"""
WAYS = {
    "show": "show player(1).hand to player(2)",
    "show a block": "show player(1).hand to player(2) SECRET: nothing",
    "show those of several": "show others(player(2)).hand to player(2)",
    "show in a block that waits": "show player(1).hand to player(2) SECRET: as player(2): choose m in 1..2",
    "reveal": "reveal player(1).hand to player(2)",
    "peek": "peek 1 of deck to player(2)",
}


def noticed(way: str, *, secretly: bool) -> tuple[Any, ...]:
    word = "secretly" if secretly else ""
    text = WAYS[way].replace(" SECRET", f" {word}" if word else "")
    if "SECRET" not in WAYS[way]:
        text = f"{text} {word}".rstrip()
    match = start(TABLE.replace("{shown}", text), players=3)
    return tuple(
        [event for event in match.observations(seat) if event[0] in ("shown", "peek")] for seat in (1, 2, 3)
    )


@pytest.mark.parametrize("way", WAYS)
def test_only_the_audience_notices(way: str) -> None:
    one, two, three = noticed(way, secretly=True)
    assert one == three == []
    assert len(two) >= 1
    assert all(isinstance(event[2], tuple) for event in two)


@pytest.mark.parametrize("way", WAYS)
def test_without_the_word_all_notice_and_the_audience_sees_the_same(way: str) -> None:
    one, two, three = noticed(way, secretly=False)
    assert one == three != []
    assert [(*event, "secretly") for event in two] == noticed(way, secretly=True)[1]


def test_a_state_is_shown_in_secret_without_its_owner_noticing() -> None:
    text = TABLE.replace("{shown}", "reveal player(1).luck to player(2) secretly")
    match = start(text, players=3)
    told = [[event for event in match.observations(seat) if event[0] == "set"] for seat in (1, 2, 3)]
    assert told == [[], [("set", "player 1: luck", 2, "secretly")], []]
    assert match.view(2)["states"]["player 1: luck"] == 2
    assert "player 1: luck" not in match.view(3)["states"]


def test_a_look_is_over_at_once() -> None:
    match = start(TABLE.replace("{shown}", "show player(1).hand to player(2)"), players=3)
    assert "contents" not in match.view(2)["places"]["player 1: hand"]
    assert [e for e in match.observations(2) if e[0] == "shown"]


def test_a_secret_look_cannot_be_taken_back() -> None:
    text = TABLE.replace(
        "{shown}", "as player(2):\n        choose k in 1..2\n        show player(1).hand to me secretly"
    )
    match = start(text, players=3)
    before = match.fork()
    match.choose(0)
    assert revealed(before, match, 2, has_secrets=False) == "something hidden was seen since"
    assert revealed(before, match, 3, has_secrets=False) is None


DECK = """
component Card count 6
place deck: deck of Card, seen by nobody{size}
setup: move all from box(Card) to deck
phase Play:
    {looks}
    as player(1): choose n in 1..2
"""


@pytest.mark.parametrize("size", ["", ", size seen by nobody"])
@pytest.mark.parametrize("first", ["peek 1 of deck to player(1)", "sink()", "bury()"])
def test_the_view_of_a_deck_does_not_tell_how_many_cards_another_has_seen(first: str, size: str) -> None:
    """Player 1 knows the top card, or one deep in the deck, or the one at the bottom."""
    places = {"sink": "at 3", "bury": ""}
    more = "".join(
        f"rule {name}():\n    draw 1 from deck to player(1).hand\n"
        f"    for c in player(1).hand: move c to {'bottom of ' if not at else ''}deck {at}\n"
        for name, at in places.items()
    )
    hands = "each player has: place hand: bag of Card, seen by owner\n"
    seen = []
    for count in range(6 if size else 7):  # who has seen all of it has counted it
        looks = first if not count else f"{first}\n    peek {count} of deck to player(2) secretly"
        text = DECK.replace("{size}", size).replace("{looks}", looks) + hands + more
        seen.append(start(text, players=3).view(1)["places"]["deck"])
    assert seen == seen[:1] * len(seen)
