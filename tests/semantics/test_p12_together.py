"""P12. `together`: everybody decides behind a seal; all is seen when the last is done."""

from __future__ import annotations

from .table import keys, pick, place, refusal, start, value

SEALED = """
token Cube: white 4, black 4
each player has:
    place screen: bag of Cube, seen by owner
    place bid: bag of Cube, seen by all
    state stake: 0..9 = 0
setup:
    for p in players:
        move 1 of white from box(Cube) to p.screen
        move 1 of black from box(Cube) to p.screen
phase Play:
    together p in players:
        pick 0..2 from my.screen to my.bid
        set my.stake = count(my.bid)
    as player(1): choose n in 1..2
"""


def test_nobody_sees_what_another_has_done_before_the_end() -> None:
    match = start(SEALED)
    before = match.observations(2)
    pick(match, 1, 1)
    assert place(match, "player 1: bid", 1)["contents"] == (("white", 1), ("black", 1)), (
        "one's own bid is in sight"
    )
    assert place(match, "player 1: bid", 2)["contents"] == (), "a sealed one is not"
    assert value(match, "player 1: stake", 2) == 0
    assert match.observations(2) == before
    assert match.view(1)["waiting_for"] is None, "nor who is still thinking"
    pick(match, 0, 1)
    assert place(match, "player 1: bid", 2)["contents"] == (("white", 1), ("black", 1))
    assert value(match, "player 1: stake", 2) == 2
    assert len(match.observations(2)) > len(before)


def test_decisions_are_marked_as_sealed() -> None:
    match = start(SEALED)
    sealed = []
    while not match.over:
        assert match.decision is not None
        sealed.append((match.decision.player, match.decision.sealed))
        match.choose(0)
    assert sealed == [(1, True), (1, True), (2, True), (2, True), (1, False)]


def test_the_order_of_the_seats_makes_no_difference() -> None:
    one, other = (
        start(SEALED),
        start(SEALED.replace("together p in players:", "together p in {player(2), player(1)}:")),
    )
    assert keys(one) == keys(other)
    pick(one, 1, 0, 0, 1)
    pick(other, 1, 0, 0, 1)
    assert one.view(1) == other.view(1)


def test_only_ones_own_things() -> None:
    rules = """
token Cube: white 4
place middle: bag of Cube
place gone: bag of Cube
state shared: 0..9 = 0
each player has:
    place screen: bag of Cube
    state stake: 0..9 = 0
phase Play:
    together p in players:
        {body}
    if count(middle) > 0: note_down(1)
rule loud(): set shared = 3
"""
    for body in (
        "set my.stake = 1",
        "move all from my.screen to gone",
        "if my.screen = {}: skip",
        "if left(me).stake = 1: skip",
    ):
        assert refusal(rules.replace("{body}", body)) == {}, body
    for body in (
        "set shared = 1",
        "set left(me).stake = 1",
        "move all from left(me).screen to my.screen",
        "move all from middle to my.screen",
        "if left(me).stake = 1: set my.stake = 2",
        "draw 1 at random from middle to my.screen",
        "loud()",
        "finish {me}",
    ):
        told = refusal(rules.replace("{body}", body))
        assert "D0404" in told, (body, told)
    for body in ("return", "stop Play", "together q in players: nothing"):
        assert refusal(rules.replace("{body}", body)), body
