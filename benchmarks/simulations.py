"""How many games does one processor play in a simulation, and what does measuring them cost?

    python benchmarks/simulations.py [--short]

For each of the four games: the bare loop (a state, a generator, nothing kept),
a series as `simulate` plays it, the same with rules counted, and players who
think. CPU time of one process, so other work on the machine matters little.
docs/scale.md uses these figures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median

import dragonrules as dr
from dragonrules.interpreter.core.randomness import Generator
from dragonrules.interpreter.lab.playing import Series, seed_of
from dragonrules.interpreter.lab.runs import Task, play_batch

GAMES: list[tuple[str, int, tuple[str, ...]]] = [
    ("drakon", 4, ()),
    ("dragon_keeper", 4, ()),
    ("ryu", 4, ()),
    ("dragons_gold", 4, ("strategic",)),
]


def rate(play: Callable[[int], object], seconds: float) -> float:
    """Games in a second of CPU time."""
    play(0)
    begin = time.process_time()
    games = 0
    while (spent := time.process_time() - begin) < seconds or games == 0:
        play(games)
        games += 1
    return games / spent


def bare(game: dr.Game, players: int) -> Callable[[int], object]:
    engine = game.engine(players)

    def play(number: int) -> None:
        state = engine.new(seed_of(1, number))
        pick = Generator(number).below
        while not state.over:
            state.apply(pick(len(state.options)))

    return play


def series(game: dr.Game, lineup: tuple[str, ...], *, counted: bool = False) -> Callable[[int], object]:
    one = Series(game, lineup, seed=1, counted=counted, lead=True)
    return lambda number: play_batch(one, Task(0, number, number + 1)) if counted else one.play(number)


def main() -> None:
    parser = argparse.ArgumentParser(description="games per second of one processor")
    parser.add_argument("--short", action="store_true", help="a quick look, without players who think")
    short = parser.parse_args().short
    repetitions, seconds = (1, 0.3) if short else (5, 1.0)
    print(f"Python {sys.version.split()[0]}, games per CPU second, medians of {repetitions}")
    print(
        f"{'':<26}{'bare loop':>10}{'series':>10}{'of bare':>9}{'counted':>10}{'greedy':>10}{'mcts:100':>10}"
    )
    for name, players, variants in GAMES:
        game = dr.load(name, variants=variants)
        random = ("random",) * players
        loops = [bare(game, players), series(game, random), series(game, random, counted=True)]
        measured = [[rate(loop, seconds) for loop in loops] for _ in range(repetitions)]
        plain, played, counted = (median(column) for column in zip(*measured))
        ratio = median(row[1] / row[0] for row in measured)
        line = f"  {f'{name}, {players} players':<24}{plain:>10,.1f}{played:>10,.1f}{ratio:>9.2f}{counted:>10,.1f}"
        for kind in () if short else ("greedy", "mcts:100"):
            line += f"{rate(series(game, (kind,) * players), seconds):>10.3g}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
