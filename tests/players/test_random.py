"""Players at random: whole choices are picked evenly, also where a choice is asked piece by piece."""

from __future__ import annotations

from collections import Counter

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.randomness import Generator
from dragonrules.interpreter.lab.playing import Series
from dragonrules.interpreter.players.base import even

SHARES = """
game "Shares" for 3 players
token Coin: coin 3
each player has: place purse: bag of Coin
place heap: bag of Coin
setup: move all from box(Coin) to heap
phase Play:
    as player(2):
        choose n[q in players, k in Coin] in 0..heap[k]:
            where sum(n[r, k] for r in players) = heap[k]
        for q in players, k in Coin: move n[q, k] of k from heap to q.purse
    finish most(q by count(q.purse) for q in players)
score(p: player) = count(p.purse)
"""


def test_one_more_taker_is_an_even_pick() -> None:
    for seed in range(200):
        assert even(Generator(seed), 7, 1) == Generator(seed).below(7)


@pytest.mark.parametrize(("options", "takers"), [(2, 2), (4, 2), (4, 3)])
def test_the_first_share_of_an_even_deal(options: int, takers: int) -> None:
    """As often as there are ways to deal out the rest: for 3 among three 4, 3, 2, 1 of 10."""
    ways = [1] * options
    for _ in range(takers - 1):
        ways = [sum(ways[v:]) for v in range(options)]
    found = Counter(even(Generator(seed), options, takers) for seed in range(4_000))
    for value, count in enumerate(ways):
        assert found[value] / 4_000 == pytest.approx(count / sum(ways), abs=0.03)


def test_all_divisions_are_equally_likely() -> None:
    """Three coins among three players: ten divisions, each in a tenth of the games."""
    series = Series(dr.loads(SHARES), ("random",) * 3, seed=1)
    found = Counter(series.play(number).scores for number in range(2_000))
    assert len(found) == 10
    assert all(150 <= count <= 250 for count in found.values())


@pytest.mark.long
def test_no_seat_is_favoured_by_being_asked_for_first() -> None:
    """Dragon's Gold among four: the starter is rolled, so no seat can have an advantage."""
    series = Series(dr.load("dragons_gold"), ("random",) * 4, seed=77)
    won = Counter(seat for number in range(3_000) for seat in series.play(number).winners)
    print(won)
    assert max(won.values()) - min(won.values()) < 150
