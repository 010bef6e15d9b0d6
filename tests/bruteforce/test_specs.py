"""Small specs, each with one trap for code that is made: their scenarios hold, they can be validated,
played at random and fuzzed."""

from __future__ import annotations

import random
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.fuzzing import Fuzzer, Setting
from dragonrules.interpreter.play.scenarios import run_scenarios

from ..cli.command import dragonrules

SPECS = sorted((Path(__file__).parent / "specs").glob("*.dragon"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_what_the_scenarios_say(path: Path) -> None:
    game = dr.load(path)
    assert [outcome.problem for outcome in run_scenarios(game)] == [None] * len(game.checked.scenarios)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_games_at_random(path: Path) -> None:
    engine = dr.load(path).engine()
    dice = random.Random(1)
    for seed in range(5):
        state = engine.new(seed=seed)
        for _ in range(50):
            if state.over:
                break
            state.apply(dice.randrange(len(state.options)))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_bots_play_and_it_is_told(path: Path) -> None:
    told = dragonrules("run", path, "--auto", "--seed", "2", "--limit", "50")
    assert "is not over after" in told.output or told.exit_code == 0, told.output


def test_fuzzing_a_state_that_is_a_set_of_cards() -> None:
    game = dr.load(Path(__file__).parent / "specs" / "state_of_cards.dragon")
    fuzzer = Fuzzer([Setting(game, 2)])
    for number in range(3):
        fuzzer.play(number)
    assert fuzzer.games == 3
    assert not fuzzer.failures
