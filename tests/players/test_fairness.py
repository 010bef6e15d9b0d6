"""No player looks at what its seat cannot see: change that, and the choice stays the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from dragonrules.interpreter.players import player

from ..properties.twins import changes
from .positions import CLASSICS, FOUR_GAMES, positions

KEPT = ("coin_moved",)
"""Seen by nobody, as it notes what all have seen: a position with another value cannot come about."""


@pytest.mark.parametrize(("name", "players", "variants"), FOUR_GAMES + CLASSICS)
@pytest.mark.parametrize("kind", ["greedy", "mcts:6"])
def test_what_is_hidden_changes_nothing(kind: str, name: str, players: int, variants: Any) -> None:
    rng = Random(3)
    checked = 0
    for match in positions(name, players, variants, 4, 90 if players > 2 else 2):
        seat = match.state.player
        chosen = player(kind, seed=9, seat=seat + 1).choose(match)
        for words, change in changes(match.state, seat, rng):
            if any(word in words for word in KEPT):
                continue
            twin = match.fork()
            change(twin.state)
            if twin.opening is not None:
                before, at = twin.opening
                twin.opening = before.fork(), at
                if "behind the seal" not in words:
                    change(twin.opening[0])
            checked += 1
            assert twin.observations(seat + 1) == match.observations(seat + 1)
            assert player(kind, seed=9, seat=seat + 1).choose(twin) == chosen, words
    assert checked or name == "goofspiel"
