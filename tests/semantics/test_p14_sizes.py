"""P14. Whether the size of a place is seen is part of the place."""

from __future__ import annotations

from .table import place, start

PLACES = """
token Gem: red 3, blue 2
component Card count 5
each player has:
    place open: bag of Gem
    place closed: bag of Gem, seen by owner
    place secret: bag of Gem, seen by owner, size seen by owner
    place cards: row of Card, seen by nobody
    place dark: row of Card, seen by nobody, size seen by nobody
    place capped: stack of Card, seen by nobody, top seen by all
setup:
    move 1 of red from box(Gem) to player(1).open
    move 1 of red from box(Gem) to player(1).closed
    move 1 of blue from box(Gem) to player(1).secret
    for c in Card: move c to player(1).cards
    move top(player(1).cards) to player(1).dark
    move top(player(1).cards) to player(1).capped
    move top(player(1).cards) to player(1).capped
phase Play: as player(1): choose n in 1..2
""".replace("move top(player(1).cards)", "move {c for c in player(1).cards where c = top(player(1).cards)}")


def test_contents_size_top_or_nothing() -> None:
    match = start(PLACES)
    assert place(match, "player 1: open", 2) == {"contents": (("red", 1),)}
    assert place(match, "player 1: closed", 2) == {"size": 1}
    assert place(match, "player 1: closed", 1) == {"contents": (("red", 1),)}
    assert place(match, "player 1: secret", 2) == {}
    assert place(match, "player 1: secret", 1) == {"contents": (("blue", 1),)}
    assert place(match, "player 1: cards", 1) == {"size": 2}
    assert place(match, "player 1: dark", 1) == {}
    latest = match.observations(2)[-1]
    assert latest[2:] == ("player 1: cards", "player 1: capped")
    assert place(match, "player 1: capped", 2) == {"size": 2, "top": latest[1]}


def test_a_choice_that_depends_on_a_hidden_size_is_private() -> None:
    rules = PLACES.replace("as player(1): choose n in 1..2", "as player(1): choose n in 0..count(my.{which})")
    for which, heard in (("closed", True), ("secret", False)):
        match = start(rules.replace("{which}", which))
        match.choose(0)
        assert any(event[0] == "choice" for event in match.observations(2)) is heard, which
        assert any(event[0] == "choice" for event in match.observations(1))
