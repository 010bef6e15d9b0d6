"""Keyed luck: even like any other, the same for the same seed, and close after a change."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.intervals import deviation_of, mean_of
from dragonrules.interpreter.lab.keyed import hashed
from dragonrules.interpreter.lab.playing import Series

PILE = """
game "Pile" for 1 players
component Card count 4
place deck: deck of Card
place row: row of Card
setup: move all from box(Card) to deck
phase Play:
    draw 2 from deck to row
    {between}
    draw 2 from deck to row
    finish players
"""


def test_the_hash_is_fixed_for_ever() -> None:
    assert hashed(1, 2, 3) == hashed(3, start=hashed(1, 2))
    assert hashed(0) == 0xE220A8397B1DCDAF  # the first number of SplitMix64 for the seed 0, as published
    assert len({hashed(a, b) for a in range(50) for b in range(50)}) == 2_500


def test_the_same_seed_is_the_same_game() -> None:
    game = dr.load("drakon")
    one, two = (Series(game, ("random",) * 3, seed=4, keyed=True) for _ in range(2))
    assert [one.play(n) for n in range(5)] == [two.play(n) for n in (0, 1, 2, 3, 4)]


@pytest.mark.parametrize(("name", "players"), [("dragon_keeper", 3), ("leduc_poker", 2)])
def test_games_are_as_they_are_with_one_stream(name: str, players: int) -> None:
    """On average: four standard errors leave room for luck, and the seeds are fixed."""
    game = dr.load(name)
    figures = []
    for keyed in (False, True):
        games = [Series(game, ("random",) * players, seed=6, keyed=keyed).play(n) for n in range(400)]
        figures.append(
            [
                [float(g.decisions) for g in games],
                [float(max(g.scores or (0,))) for g in games],
                [float(1 in g.winners) for g in games],
            ]
        )
    for old, new in zip(*figures, strict=True):
        error = ((deviation_of(old) ** 2 + deviation_of(new) ** 2) / len(old)) ** 0.5
        assert abs(mean_of(old) - mean_of(new)) <= 4 * error


def test_what_a_variant_does_not_touch_stays_as_it_was() -> None:
    """Poisoned Gifts changes what some gifts are worth: most games last as long as before."""
    length = []
    for keyed in (False, True):
        old, new = (
            [Series(dr.load("dragon_keeper", variants=v), ("random",) * 3, seed=5, keyed=keyed).play(n).turns for n in range(60)]
            for v in ((), ("poisoned_gifts",))
        )  # fmt: skip
        apart = deviation_of([float(b - a) for a, b in zip(old, new, strict=True)]) ** 2
        alone = deviation_of([float(v) for v in old]) ** 2 + deviation_of([float(v) for v in new]) ** 2
        length.append(apart / alone)
    assert length[0] > 0.6
    assert length[1] < 0.25


@pytest.mark.parametrize("between", ["move all from row to deck", "pass"])
def test_every_order_of_a_pile_is_as_likely(between: str) -> None:
    from dragonrules.interpreter.lab.keyed import KeyedLuck

    text = PILE.format(between="" if between == "pass" else between)
    engine = dr.loads(text).engine(1)
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(2_400):
        state, luck, order = engine.new(seed, settle=False), KeyedLuck(engine, hashed(seed)), []
        while not state.over:
            outcome = luck.outcome(state)
            order.append(outcome)
            state.step(outcome)
        found[tuple(order)] += 1
    if between == "pass":
        assert set(found) == set(permutations(range(4)))
        assert all(55 <= count <= 145 for count in found.values())
    else:  # two of four, twice: 144 ways, and the second time knows nothing of the first
        assert len(found) == 144
        again = Counter((set(key[:2]) == set(key[2:])) for key in found.elements())
        assert 300 <= again[True] <= 500
