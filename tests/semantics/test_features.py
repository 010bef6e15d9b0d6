"""Small games for things that rules must be able to say: each runs its scenarios and is played at random."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import SPECS, failed_scenarios, play_out

NAMES = sorted(path.stem for path in SPECS.glob("*.dragon"))


@pytest.mark.parametrize("name", NAMES)
def test_scenarios(name: str) -> None:
    assert failed_scenarios(dr.load(SPECS / f"{name}.dragon")) == []


@pytest.mark.parametrize("name", NAMES)
def test_random_games(name: str) -> None:
    game = dr.load(SPECS / f"{name}.dragon")
    for players in game.players:
        for seed in range(4):
            match = game.start(players, seed=seed, check=True)
            play_out(match, seed)
            assert match.over
            twin = game.start(players, seed=seed + 100, chance="ask")
            twin.replay(match.log)
            assert twin == match
            assert [twin.observations(p + 1) for p in range(players)] == [
                match.observations(p + 1) for p in range(players)
            ]


@pytest.mark.parametrize("name", NAMES)
def test_saving_in_the_middle_changes_nothing(name: str) -> None:
    game = dr.load(SPECS / f"{name}.dragon")
    match = game.start(seed=5)
    play_out(match, 3, limit=7)
    twin = dr.Match.from_json(game, match.to_json())
    assert twin == match
    assert hash(twin) == hash(match)
    play_out(match, 9)
    play_out(twin, 9)
    assert twin == match
    assert twin.log == match.log
