"""P9. What is offered to a player depends on what that player sees; accepting may fail in public."""

from __future__ import annotations

from .table import diary, keys, pick, start

MARKET = """
token Gem: red 4, blue 4
each player has: place stash: bag of Gem, seen by owner, size seen by all
setup:
    move {mine} of red from box(Gem) to player(1).stash
    move {rest} of blue from box(Gem) to player(1).stash
    move 2 of blue from box(Gem) to player(2).stash
record Deal at most 4:
    maker: player
    give[Gem]: 0..4
phase Play:
    rounds Fair p in players, clock 2 tick 1:
        offer:
            "bid":
                choose n[k in Gem] in 0..my.stash[k] where sum(n[j] for j in Gem) = 1
                note Deal(maker: me, give: n)
            "lose": pick all from my.stash to box(Gem)
            "strike":
                choose d in Deal where d.maker != me
                if every(d.maker.stash[k] >= d.give[k] for k in Gem): note_down(1)
                else: note_down(2)
    as player(1): choose n in 1..2
"""


def test_the_taker_is_asked_the_same_whatever_the_maker_holds() -> None:
    one = start(MARKET.replace("{mine}", "1").replace("{rest}", "1"))
    other = start(MARKET.replace("{mine}", "2").replace("{rest}", "0"))
    for match in (one, other):
        pick(match, "bid", 1)
        if keys(match) == [0]:
            pick(match, 0)
    assert one.view(2)["places"] == other.view(2)["places"]
    assert keys(one) == keys(other) == ["bid", "lose", "strike"]
    pick(one, "strike", "Deal#1")
    assert diary(one) == 1


def test_hidden_facts_count_when_the_deal_is_done() -> None:
    match = start(MARKET.replace("{mine}", "1").replace("{rest}", "1").replace("clock 2", "clock 4"))
    pick(match, "bid", 1, 0, "bid", 1, "lose", 1, 1, "strike", "Deal#1")
    assert diary(match) == 2
