"""The C++ of the benchmarks plays the same games: as long, won as often, ended in the same ways."""

from __future__ import annotations

import random
import sys
from collections import Counter
from math import sqrt
from pathlib import Path

import dragonrules as dr
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS / "yardsticks"))

import by_hand  # noqa: E402

CLASSICS = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "othello",
    "kuhn_poker",
    "leduc_poker",
    "goofspiel",
    "liars_dice",
)
SEED, FAR = 20, 4.0
"""Both sides have fixed seeds: nothing here depends on luck. Beyond so many standard errors they differ."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if by_hand.compiler() is None:
        pytest.skip("no compiler for C++")
    return by_hand.compiled(tmp_path_factory.mktemp("yardsticks"), ("-O1",))


def compare(program: Path, name: str, game: dr.Game, players: int, games: int, *, endings: bool) -> None:
    engine = game.engine(players=players)
    rnd = random.Random(SEED).random
    lengths, single = [], 0
    won: Counter[int] = Counter()
    ended: Counter[str] = Counter()
    for seed in range(games):
        state = engine.new(seed)
        length = 0
        while not state.over:
            options = len(state.options)
            single += options == 1
            state.apply(int(rnd() * options))
            length += 1
        lengths.append(length)
        won.update(seat for seat in range(players) if state.winners >> seat & 1)
        ended[str(state.reason)] += 1
    theirs = by_hand.run(program, name, str(20 * games), SEED)
    mean, its_mean = sum(lengths) / games, theirs.asked / theirs.games
    spread = sqrt(theirs.squares / theirs.games - its_mean**2) * sqrt(1 / games + 1 / theirs.games)
    assert abs(mean - its_mean) <= FAR * spread + 1e-9, f"{mean} choices a game, in C++ {its_mean}"
    forced, its_forced = single / sum(lengths), 1 - theirs.open / theirs.asked
    assert forced == pytest.approx(its_forced, rel=0.06, abs=0.01)

    def as_often(what: str, mine: int, its: int) -> None:
        share = (mine + its) / (games + theirs.games)
        error = sqrt(share * (1 - share) * (1 / games + 1 / theirs.games))
        assert abs(mine / games - its / theirs.games) <= FAR * error + 1e-9, f"{what}: {mine} of {games}"

    for seat in range(players):
        as_often(f"seat {seat + 1} won", won[seat], theirs.won[seat])
    for ending in {*ended, *theirs.endings} if endings else ():
        as_often(ending, ended[ending], theirs.endings.get(ending, 0))


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic(program: Path, name: str) -> None:
    compare(program, name, dr.load(name), 2, 60 if name == "othello" else 400, endings=False)


@pytest.mark.parametrize(
    ("name", "variants", "games"),
    [
        ("drakon", (), 60),
        ("dragon_keeper", (), 500),
        ("ryu", (), 60),
        ("dragons_gold", ("strategic",), 80),
        ("dragons_gold", (), 80),
    ],
)
def test_one_of_the_four_games(program: Path, name: str, variants: tuple[str, ...], games: int) -> None:
    game = dr.load(name, variants=variants)
    compare(program, "_".join((name, *variants)), game, 4, games, endings=True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "variants", "games"),
    [
        ("drakon", (), 6_000),
        ("dragon_keeper", (), 40_000),
        ("ryu", (), 6_000),
        ("dragons_gold", ("strategic",), 8_000),
        ("dragons_gold", (), 6_000),
    ],
)
def test_many_games(program: Path, name: str, variants: tuple[str, ...], games: int) -> None:
    game = dr.load(name, variants=variants)
    compare(program, "_".join((name, *variants)), game, 4, games, endings=True)
