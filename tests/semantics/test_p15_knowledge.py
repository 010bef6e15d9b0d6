"""P15. A view is what lies open now; what was noticed before is in the observations."""

from __future__ import annotations

from typing import Any

from .table import pick, place, start

STOLEN = """
token Gem: red 3, blue 2
place bag: bag of Gem, seen by nobody
each player has: place stash: bag of Gem, seen by owner
setup:
    move 2 of red from box(Gem) to player(1).stash
    move all from box(Gem) to bag
phase Play:
    {body}
    as player(1): choose n in 1..2
"""


def news(match: Any, seat: int, word: str = "move") -> list[Any]:
    return [event for event in match.observations(seat) if event[0] == word]


def test_a_theft_is_known_to_both_and_to_others_only_as_a_number() -> None:
    match = start(
        STOLEN.replace("{body}", "move 1 of red from player(1).stash to player(2).stash"), players=3
    )
    full = ("move", 1, "red", "player 1: stash", "player 2: stash")
    assert news(match, 1)[-1] == full
    assert news(match, 2)[-1] == full
    assert news(match, 3)[-1] == ("move", 1, "Gem", "player 1: stash", "player 2: stash")


def test_chance_is_known_as_the_destination_is_seen() -> None:
    match = start(STOLEN.replace("{body}", "draw 1 at random from bag to player(2).stash"), players=3)
    assert news(match, 2)[-1][2] in ("red", "blue")
    assert news(match, 3)[-1][2] == "Gem", "but that something was drawn is public"


def test_what_was_shown_is_remembered_not_shown_again() -> None:
    match = start(
        STOLEN.replace("{body}", "show player(1).stash to player(2): as player(2): choose n in 1..2"),
        players=3,
    )
    assert place(match, "player 1: stash", 2) == {"contents": (("red", 2),)}
    assert place(match, "player 1: stash", 3) == {"size": 2}
    pick(match, 1)
    assert place(match, "player 1: stash", 2) == {"size": 2}, "the view closes"
    assert news(match, 2, "shown") == [("shown", "player 1: stash", (("red", 2),))]
    assert news(match, 3, "shown") == [("shown", "player 1: stash")]


def test_reveal_is_for_good() -> None:
    match = start(STOLEN.replace("{body}", "reveal player(1).stash to all"), players=3)
    assert place(match, "player 1: stash", 3) == {"contents": (("red", 2),)}


def test_equal_observations_for_who_cannot_tell() -> None:
    """Two deals that differ in a card that seat 2 has not seen look the same to seat 2."""
    rules = """
component Card:
    value: 1..3
rows Card:
    | value |
    | 1..3  |
place deck: deck of Card, seen by nobody
each player has: place hand: slot of Card, seen by owner
setup:
    move all from box(Card) to deck
    for p in players: draw 1 from deck to p.hand
phase Play: as player(1): choose n in 1..2
"""
    matches = []
    for first in (0, 1):
        match = start(rules, chance="ask")
        match.resolve(first)
        match.resolve(1)
        matches.append(match)
    one, other = matches
    assert place(one, "player 2: hand", 2) == place(other, "player 2: hand", 2) == {"contents": ("Card#3",)}
    assert one.observations(2) == other.observations(2)
    assert one.observations(1) != other.observations(1)
    assert one.view(2) == other.view(2)


def test_a_secret_roll() -> None:
    match = start("phase Play: roll n in 1..6 seen by player(2)\n")
    assert news(match, 1, "roll") == [("roll",)]
    assert len(news(match, 2, "roll")[0]) == 2


def test_observations_are_plain_data_for_every_effect() -> None:
    match = start("""
component Card count 6
token Gem: red 3
place deck: deck of Card, seen by nobody
place discard: deck of Card, seen by nobody
place heap: bag of Card
place board: grid 2 by 2 of Gem
each player has:
    place hand: row of Card, seen by owner
    state mood: 0..3 = 0, seen by owner
setup: move all from box(Card) to deck
phase Play:
    draw 1 from deck to player(1).hand
    peek 1 of deck to player(1)
    swap player(1).hand with player(2).hand
    move all from player(2).hand to discard
    move all from discard to heap
    shuffle heap into deck
    set player(1).mood = 2
    move 1 of red from box(Gem) to board at space_at(board, 2, 1)
    finish {player(2)}
""")

    def plain(thing: Any) -> bool:
        return (
            thing is None
            or isinstance(thing, str | int | bool)
            or (isinstance(thing, tuple) and all(map(plain, thing)))
        )

    assert plain(match.observations(1))
    words = [event[0] for event in match.observations(2)]
    assert "set" not in words, "a secret state is set in secret"
    assert [e for e in match.observations(1) if e[0] == "all"] == [("all", "discard", "heap")]
    assert match.observations(2)[-1] == ("over", (2,), None)
