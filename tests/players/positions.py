"""Random positions of the games, for whatever holds in all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import dragonrules as dr

FOUR_GAMES = [
    ("drakon", 3, ()),
    ("drakon", 4, ("drakon_teams", "drakon_heroes")),
    ("ryu", 3, ()),
    ("dragon_keeper", 3, ()),
    ("dragons_gold", 3, ()),
    ("dragons_gold", 4, ("dragons_gold_advanced", "dragons_gold_strategic")),
]
CLASSICS = [
    ("kuhn_poker", 2, ()),
    ("leduc_poker", 2, ()),
    ("liars_dice", 2, ()),
    ("goofspiel", 2, ()),
]


@cache
def game(name: str, variants: tuple[str, ...] = ()) -> dr.Game:
    return dr.load(name, variants=variants)


def positions(
    name: str, players: int, variants: tuple[str, ...], seed: int, one_in: int, limit: int = 900
) -> Iterator[dr.Match]:
    """Decisions of a random match, about one in `one_in` of them."""
    rng = Random(seed)
    match = game(name, variants).start(players=players, seed=seed)
    while not match.over and match.decisions < limit:
        if rng.random() * one_in < 1:
            yield match
        match.choose(rng.randrange(len(match.state.options)))
