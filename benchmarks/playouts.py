"""How fast are random games? This engine, plain Python written by hand, and OpenSpiel from Python, side by side.

    python benchmarks/playouts.py [--short]

All three pick with the same generator in the same way, are timed in turns in
one process by its CPU time, and are compared within each repetition, so that
a busy machine slows all of them. README.md says how to read the table.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import dragonrules as dr
import handwritten
import plain
import pyspiel

CLASSICS = Path(__file__).parents[1] / "games" / "classics"
OURS, PLAIN, HAND, SPIEL = (
    "dragonrules",
    "plain Python by hand",
    "tuned Python by hand",
    "OpenSpiel from Python",
)
BATCH = 20

Random01 = Callable[[], float]


@dataclass(frozen=True)
class Effort:
    repetitions: int
    seconds: float
    """CPU time of each measurement."""
    sample: int
    """Games that the mean length is taken from."""


FULL = Effort(repetitions=9, seconds=0.4, sample=4_000)
SHORT = Effort(repetitions=3, seconds=0.08, sample=500)


# ---------------------------------------------------------------- one random game
@dataclass
class Contestant:
    """One way to play a game. A playout returns its number of decisions."""

    name: str
    playout: Callable[[Random01], int]
    halfway: Callable[[Random01], Callable[[], Any]]
    """Plays some moves and returns what copies the position."""
    games: list[float] = field(default_factory=list)
    decisions: list[float] = field(default_factory=list)
    forks: list[float] = field(default_factory=list)


def of_states(name: str, new: Callable[[], Any]) -> Contestant:
    """For states with `over`, `options`, `apply(index)` and `fork()`: ours and those written by hand."""

    def playout(rnd: Random01) -> int:
        state = new()
        decisions = 0
        while not state.over:
            state.apply(int(rnd() * len(state.options)))
            decisions += 1
        return decisions

    def halfway(rnd: Random01) -> Callable[[], Any]:
        state = new()
        for _ in range(4):
            state.apply(int(rnd() * len(state.options)))
        return state.fork

    return Contestant(name, playout, halfway)


def of_spiel(name: str, new: Callable[[], Any]) -> Contestant:
    def playout(rnd: Random01) -> int:
        state = new()
        decisions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rnd() * len(legal))])
            decisions += 1
        return decisions

    def halfway(rnd: Random01) -> Callable[[], Any]:
        state = new()
        for _ in range(4):
            legal = state.legal_actions()
            state.apply_action(legal[int(rnd() * len(legal))])
        return state.clone

    return Contestant(name, playout, halfway)


def contestants(game: str) -> list[Contestant]:
    engine = dr.load(CLASSICS / f"{game}.dragon").engine(players=2)
    return [
        of_states(OURS, lambda: engine.new(seed=1)),
        of_states(PLAIN, plain.GAMES[game]),
        of_states(HAND, handwritten.GAMES[game]),
        of_spiel(SPIEL, pyspiel.load_game(game).new_initial_state),
    ]


# ---------------------------------------------------------------- measuring
def measure(contestant: Contestant, rnd: Random01, seconds: float) -> None:
    playout, clock = contestant.playout, time.process_time
    games = decisions = 0
    start = clock()
    while (spent := clock() - start) < seconds:
        for _ in range(BATCH):
            decisions += playout(rnd)
        games += BATCH
    contestant.games.append(games / spent)
    contestant.decisions.append(decisions / spent)


def measure_fork(contestant: Contestant, rnd: Random01, seconds: float) -> None:
    fork, clock = contestant.halfway(rnd), time.process_time
    forks = 0
    start = clock()
    while (spent := clock() - start) < seconds:
        for _ in range(200):
            fork()
        forks += 200
    contestant.forks.append(forks / spent)


def mean_moves(game: str, in_steps: bool, sample: int) -> float:
    """The mean length of a random game, in moves.

    Where a move is made in steps (first the man, then where it goes), each step
    is picked evenly, which is not the same as picking evenly among all moves.
    """
    rnd = random.Random(1).random
    moves = 0
    for _ in range(sample):
        state = handwritten.GAMES[game]()
        while not state.over:
            choices: Sequence[int] = range(len(state.options))
            if in_steps:
                origins = list({origin: None for origin, _ in state.options})
                picked = origins[int(rnd() * len(origins))]
                choices = [i for i in choices if state.options[i][0] == picked]
            state.apply(choices[int(rnd() * len(choices))])
            moves += 1
    return moves / sample


def compare(game: str, effort: Effort) -> list[str]:
    rivals = contestants(game)
    rnd = random.Random(1).random
    for _ in range(effort.repetitions):
        for contestant in rivals:
            measure(contestant, rnd, effort.seconds)
            measure_fork(contestant, rnd, effort.seconds / 4)
    length = {
        OURS: mean_moves(game, game == "breakthrough", effort.sample),
        **dict.fromkeys((PLAIN, HAND, SPIEL), mean_moves(game, False, effort.sample)),
    }
    moves = {c.name: [games * length[c.name] for games in c.games] for c in rivals}
    rows = []
    for c in rivals:
        ratios = [
            median(mine / its for mine, its in zip(moves[c.name], moves[other]))
            for other in (PLAIN, HAND, SPIEL)
        ]
        rows.append(
            f"  {c.name:<24}{median(c.games):>10,.0f}{median(c.decisions):>14,.0f}{median(moves[c.name]):>12,.0f}"
            f"{ratios[0]:>10.2f}{ratios[1]:>10.2f}{ratios[2]:>12.2f}{1e6 / median(c.forks):>12.2f}"
        )
    return [game, *rows]


# ---------------------------------------------------------------- the four games
BIG_GAMES: list[tuple[str, int, tuple[str, ...]]] = [
    ("drakon", 4, ()),
    ("dragon_keeper", 4, ()),
    ("ryu", 4, ()),
    ("dragons_gold", 4, ("strategic",)),
]


def playing(name: str, players: int, variants: tuple[str, ...], effort: Effort) -> str:
    """Random games of one of the four games: nothing to compare with, so plain figures."""
    engine = dr.load(CLASSICS.parent / f"{name}.dragon", variants=variants).engine(players=players)
    seeds = iter(range(10**9))
    contestant = of_states(name, lambda: engine.new(seed=next(seeds)))
    rnd = random.Random(1).random
    start = time.process_time()
    games = decisions = 0
    while (spent := time.process_time() - start) < effort.seconds * effort.repetitions:
        decisions += contestant.playout(rnd)
        games += 1
    title = f"{name}, {players} players"
    return f"  {title:<24}{games / spent:>10,.1f}{decisions / spent:>14,.0f}{decisions / games:>12,.0f}"


# ---------------------------------------------------------------- loading
LOADER = """
import time
start = time.perf_counter()
import dragonrules as dr
imported = time.perf_counter()
dr.load({file!r}).engine().new(seed=1)
print(imported - start, time.perf_counter() - imported)
"""


def spec_of(game: str) -> Path:
    return CLASSICS / f"{game}.dragon" if game in handwritten.GAMES else CLASSICS.parent / f"{game}.dragon"


def load_times(game: str) -> tuple[float, float, float]:
    """Seconds to import, to load with an empty cache, and to load again, each in a process of its own."""
    program = LOADER.format(file=str(spec_of(game)))
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "DRAGONRULES_CACHE": cache}
        runs = []
        for _ in range(2):
            out = subprocess.run(
                [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
            ).stdout
            runs.append([float(word) for word in out.split()])
    (_, cold), (imported, cached) = runs
    return imported, cold, cached


def loading(game: str, repetitions: int) -> str:
    times = zip(*(load_times(game) for _ in range(repetitions)))
    return f"  {game:<24}" + "".join(f"{1000 * median(t):>12.0f}" for t in times)


# ---------------------------------------------------------------- the report
def main() -> None:
    parser = argparse.ArgumentParser(description="random playouts per CPU second, side by side")
    parser.add_argument("--short", action="store_true", help="a quick look, with more noise")
    effort = SHORT if parser.parse_args().short else FULL

    print(f"Python {sys.version.split()[0]}, {effort.repetitions} repetitions in turns, CPU time, medians")
    print(f"\n{'':<26}{'':>10}{'':>14}{'':>12}{'moves/s as a multiple of':>32}")
    print(
        f"{'':<26}{'games/s':>10}{'decisions/s':>14}{'moves/s':>12}{'plain':>10}{'tuned':>10}{'OpenSpiel':>12}{'fork, us':>12}"
    )
    for game in handwritten.GAMES:
        print("\n".join(compare(game, effort)), flush=True)

    print(f"\n{'the four games':<26}{'games/s':>10}{'decisions/s':>14}{'a game':>12}")
    for name, players, variants in BIG_GAMES:
        print(playing(name, players, variants, effort), flush=True)

    print(f"\n{'loading, ms':<26}{'import':>12}{'cold':>12}{'from cache':>12}")
    for game in (*handwritten.GAMES, *dict.fromkeys(name for name, _, _ in BIG_GAMES)):
        print(loading(game, min(3, effort.repetitions)), flush=True)


if __name__ == "__main__":
    main()
