"""Bots agree on what both gain by, and on nothing else; machine code says what Python says."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.randomness import hashed
from dragonrules.interpreter.players import player
from dragonrules.interpreter.players.agreements import Negotiator
from dragonrules.interpreter.players.greedy import GreedyPlayer, worlds_of
from dragonrules.interpreter.program.passes.talks import OFFER, PART, ROW

SPLIT = """
game "Split" for 2 players
token Gem: gold 3, silver 3
place heap: bag of Gem, seen by all
place lost: bag of Gem, seen by all
each player has:
    place purse: bag of Gem, seen by all
    state backs: Plan or none = none until Talk ends
record Plan at most 20:
    gets[player][Gem]: 0..3
setup: move all from box(Gem) to heap
value(p: player) = {value}
phase Play:
    rounds Talk p in players, clock 60 tick 5:
        offer "how is it shared?":
            "propose":
                choose "who gets what?" n[q in players, k in Gem] in 0..heap[k]:
                    where sum(n[r, k] for r in players) = heap[k]
                set my.backs = note Plan(gets: n)
            "accept":
                choose "which?" i in Plan where i != my.backs
                set my.backs = i
            "pass": nothing
        if my.backs != none and every(q.backs = my.backs for q in players):
            for q in players, k in Gem: move my.backs.gets[q, k] of k from heap to q.purse
            stop Talk
    else: move all from heap to lost
    as player(1): choose z in 1..2
    finish {{}}
"""
TASTES = "3 * p.purse[gold] + p.purse[silver] if p.seat = 1 else p.purse[gold] + 3 * p.purse[silver]"


def played(value: str, kind: str, seed: int) -> dr.Match:
    match = dr.loads(SPLIT.format(value=value)).start(2, seed=seed)
    seats = [player(kind, seed=seed, seat=seat) for seat in (1, 2)]
    while not match.over:
        match.choose(seats[match.state.player].choose(match))
    return match


def purses(match: dr.Match) -> list[list[int]]:
    places = match.state.engine.layout.instances["player.purse"]
    return [match.state.I[place.ref : place.ref + 2] for place in places]


def test_negotiations_are_found_in_the_rules() -> None:
    kinds = {talk.kind for talk in dr.loads(SPLIT.format(value=TASTES)).engine(2).talks.values()}
    assert kinds == {OFFER, ROW, PART}
    gold = dr.load("dragons_gold").engine(3).talks
    assert {talk.record for talk in gold.values()} == {"Plan", "Deal"}
    assert not dr.load("ryu").engine(3).talks


@pytest.mark.parametrize("kind", ["greedy", "mcts:20"])
def test_both_get_what_they_like(kind: str) -> None:
    """Three gold for the one and three silver for the other is nine each; half of everything only six."""
    for seed in range(6):
        (gold, silver), (others_gold, others_silver) = purses(played(TASTES, kind, seed))
        assert gold + others_gold == silver + others_silver == 3
        assert min(3 * gold + silver, others_gold + 3 * others_silver) >= 7


def test_nobody_agrees_to_what_is_a_loss() -> None:
    assert purses(played("-count(p.purse)", "greedy", 1)) == [[0, 0], [0, 0]]


def test_machine_code_says_the_same() -> None:
    pytest.importorskip("llvmlite")
    from dragonrules.interpreter.native.engine import native_engine
    from dragonrules.interpreter.native.search.thinking import Thinker

    game = dr.loads(SPLIT.format(value=TASTES))
    native = Thinker(native_engine(game.engine(2)))
    asked = 0
    for seed in range(8):
        match = game.start(2, seed=seed)
        seats = [GreedyPlayer(seed, seat) for seat in (1, 2)]
        while not match.over:
            bot = seats[match.state.player]
            if match.state.pc in game.engine(2).talks and len(match.state.options) > 1:
                asked += 1
                start, worlds = hashed(bot.key, bot.moments.of(match)), worlds_of(bot, match)
                assert (
                    native.negotiate(worlds, bot.seat, start) == Negotiator(worlds, bot.seat, start).choose()
                )
            match.choose(bot.choose(match))
    assert asked > 30
