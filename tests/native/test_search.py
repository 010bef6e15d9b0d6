"""Bots that think in machine code find what the Python players find: the same totals and visits of all options."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from dragonrules.interpreter.core.randomness import hashed
from dragonrules.interpreter.native.engine import native_engine
from dragonrules.interpreter.native.search.thinking import Thinker
from dragonrules.interpreter.players import machine
from dragonrules.interpreter.players.greedy import TRIALS, best_of, look_ahead, worlds_of
from dragonrules.interpreter.players.mcts import MctsPlayer, Settings, found_by

from ..players.positions import CLASSICS, FOUR_GAMES, game, positions
from ..properties.twins import changes

SMALL = [
    ("leduc_poker", 2, (), 1),
    ("goofspiel", 2, (), 1),
    ("dragon_keeper", 3, (), 12),
    ("tic_tac_toe", 2, (), 1),
    ("drakon", 2, (), 40),
]
ALL = [(*spec, 25 if spec[1] > 2 else 1) for spec in FOUR_GAMES + CLASSICS]


def thinker(name: str, players: int, variants: Any) -> Thinker:
    return Thinker(native_engine(game(name, variants).engine(players)))


def compared(name: str, players: int, variants: Any, one_in: int, budget: int, most: int) -> int:
    """How many decisions native code thought over itself."""
    native, alone, asked = thinker(name, players, variants), 0, 0
    for seed in range(1, 40):
        seats: dict[int, MctsPlayer] = {}
        for match in positions(name, players, variants, seed, one_in):
            if len(match.state.options) < 2:
                continue
            if asked == most:
                return alone
            asked += 1
            seat = match.state.player
            player = seats.setdefault(seat, MctsPlayer(3, seat + 1, budget))
            start, worlds = hashed(player.key, player.moments.of(match)), worlds_of(player, match)
            totals, _ = look_ahead(worlds, seat, start)
            found = native.totals(worlds, seat, start, TRIALS)
            assert found in (None, totals)
            assert native.greedy(worlds, seat, start, TRIALS) in (None, best_of(totals, start))
            searched = native.mcts(worlds, seat, start, TRIALS, budget, Settings())
            assert searched is None or searched == found_by(worlds, seat, start, budget, Settings())
            alone += searched is not None
    return alone


@pytest.mark.parametrize(("name", "players", "variants", "one_in"), SMALL)
def test_the_same_is_found(name: str, players: int, variants: Any, one_in: int) -> None:
    assert compared(name, players, variants, one_in, 24, 8) == 8


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "variants", "one_in"), ALL)
def test_the_same_is_found_in_many_positions(name: str, players: int, variants: Any, one_in: int) -> None:
    assert compared(name, players, variants, one_in, 60, 200) >= 190


@pytest.mark.parametrize(("name", "players", "variants", "one_in"), SMALL[1:3])
def test_what_is_hidden_changes_nothing(name: str, players: int, variants: Any, one_in: int) -> None:
    native, rng, checked = thinker(name, players, variants), Random(3), 0
    for match in positions(name, players, variants, 4, one_in):
        seat = match.state.player
        player = MctsPlayer(9, seat + 1, 12)
        start = hashed(player.key, player.moments.of(match))
        found = native.mcts(worlds_of(player, match), seat, start, TRIALS, 12, Settings())
        for words, change in changes(match.state, seat, rng):
            twin = match.fork()
            change(twin.state)
            if twin.opening is not None:
                before, at = twin.opening
                twin.opening = before.fork(), at
                if "behind the seal" not in words:
                    change(twin.opening[0])
            other = native.mcts(worlds_of(player, twin), seat, start, TRIALS, 12, Settings())
            assert other in (None, found), words  # None: the log behind the seal is that of the other truth
            checked += other is not None
    assert checked


def test_a_tree_that_is_full_is_grown_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragonrules.interpreter.native.search import thinking

    match = next(iter(positions("dragon_keeper", 3, (), 1, 1)))
    while len(match.state.options) < 2:
        match.choose(0)
    player = MctsPlayer(3, match.state.player + 1)
    worlds = worlds_of(player, match)
    args = (worlds, match.state.player, 77, TRIALS, 120, Settings())
    roomy = thinker("dragon_keeper", 3, ()).mcts(*args)
    monkeypatch.setattr(thinking, "NODES_AT_FIRST", 60)
    assert thinker("dragon_keeper", 3, ()).mcts(*args) == roomy


def test_players_think_natively_once_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = game("leduc_poker")
    match = spec.start(2, seed=4)
    chosen = MctsPlayer(3, match.state.player + 1, 50).choose(match)
    monkeypatch.setattr(machine, "LOOKED_FOR", 0.0)
    monkeypatch.setattr(machine, "MADE", 0.0)
    monkeypatch.setattr("dragonrules.interpreter.players.mcts.found_by", None)  # so it cannot be Python
    assert MctsPlayer(3, match.state.player + 1, 50).choose(match) == chosen
