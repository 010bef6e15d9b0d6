"""Players without memory: the seed, the seat and the match say it all."""

from __future__ import annotations

from collections import Counter

import dragonrules as dr
import pytest
from dragonrules.interpreter.players import RandomPlayer, player


def played(seed: int) -> dr.Match:
    match = dr.load("othello").start(seed=seed)
    seats = [player("random", seed=seed, seat=seat) for seat in (1, 2)]
    while not match.over:
        match.choose(seats[match.state.player].choose(match))
    return match


def test_a_seed_is_a_match() -> None:
    assert played(3).log == played(3).log
    assert played(3).log != played(4).log


def test_a_fork_goes_on_like_the_match_it_is_from() -> None:
    match = dr.load("connect_four").start(seed=1)
    mover = RandomPlayer(seed=1, seat=1)
    match.choose(mover.choose(match))
    twin = match.fork()
    assert mover.choose(match) == mover.choose(twin) == RandomPlayer(seed=1, seat=1).choose(twin)


def test_all_options_are_alike() -> None:
    match = dr.load("tic_tac_toe").start(seed=0)
    picks = Counter(RandomPlayer(seed=seed, seat=1 + seed % 2).choose(match) for seed in range(9000))
    assert set(picks) == set(range(9))
    assert all(850 < count < 1150 for count in picks.values())


def test_unknown_players_are_told() -> None:
    with pytest.raises(dr.UsageError, match="did you mean `random`"):
        player("randm", seed=0, seat=1)


def test_nobody_is_asked_when_it_is_over() -> None:
    with pytest.raises(dr.UsageError, match="nobody is asked"):
        RandomPlayer(seed=0, seat=1).choose(played(1))
