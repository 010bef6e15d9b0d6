"""P7. Tokens have no identity, components do."""

from __future__ import annotations

from .table import keys, pick, place, refusal, start

GEMS = """
token Gem: red 6, blue 3
place bag: bag of Gem
place out: bag of Gem
setup: move all from box(Gem) to bag
"""


def test_a_random_token_is_weighted_by_counts() -> None:
    match = start(GEMS + "phase Play: draw 1 at random from bag to out\n", chance="ask")
    assert match.chance is not None
    assert [(o.key, w) for o, w in match.chance.outcomes] == [("red", 6), ("blue", 3)]
    match.resolve(1)
    assert place(match, "out") == {"contents": (("blue", 1),)}


def test_tokens_are_told_apart_by_kind_only() -> None:
    assert "D0310" in refusal(GEMS + "phase Play:\n    for g in bag: nothing\n")
    assert "D0314" in refusal(GEMS + "place line: row of Gem\n")
    one = start(
        GEMS
        + "phase Play:\n    as player(1): pick 1..2 from bag to out\n    as player(1): choose n in 1..2\n"
    )
    other = one.fork()
    pick(one, 1, 1)
    pick(other, 1, 1)
    assert one == other
    assert hash(one) == hash(other)


def test_components_are_individuals() -> None:
    rules = """
component Card:
    value: 1..3
rows Card:
    | value | count |
    | 1     | 2     |
    | 3     | 2     |
each Card has: state mark: 0..9 = 0
place pile: deck of Card, seen by nobody
each player has: place hand: bag of Card, seen by owner
setup:
    move all from box(Card) to pile
    for p in players: draw 2 from pile to p.hand
phase Play:
    as player(1):
        choose c in my.hand
        set c.mark = 5
        choose d in my.hand where d != c
        move d to player(2).hand
        choose e in my.hand
"""
    match = start(rules)
    first = keys(match)
    assert len(first) == 2, "cards with a state of their own are never one option"
    pick(match, first[0], first[1])
    assert keys(match) == [first[0]]
