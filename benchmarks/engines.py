"""How fast are random games? All engines side by side: ours, OpenSpiel's and C++ written by hand.

    python benchmarks/engines.py [--short] [GAME ...]

Each plays at random in a loop of its own and is timed in turns, by CPU time; a
ratio is formed inside a round and its median shown, so that a busy machine slows
all alike. README.md says how to read the table.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.native.engine import available

sys.path.insert(0, str(Path(__file__).parent / "yardsticks"))
import by_hand

try:
    import pyspiel
except ImportError:
    pyspiel = None

GAMES = Path(__file__).parents[1] / "games"
PYTHON, NATIVE, SPIEL, SPIEL_PYTHON, HAND, HAND_WHOLE = (
    "Python back end",
    "native",
    "OpenSpiel, in C++",
    "OpenSpiel, from Python",
    "C++ by hand",
    "C++ by hand, whole moves",
)


@dataclass(frozen=True)
class Subject:
    """A game with the names that the engines have for it."""

    name: str
    players: int = 2
    variants: tuple[str, ...] = ()
    spiel: str = ""
    first: str = ""
    """The decision that a move begins with; moves are counted for games that peers have too."""
    in_steps: bool = False
    """Is a move more than one decision of ours, and one of theirs?"""

    @property
    def file(self) -> Path:
        return (GAMES / "classics" if self.spiel else GAMES) / f"{self.name}.dragon"

    @property
    def title(self) -> str:
        return "_".join((self.name, *self.variants))


SUBJECTS = (
    Subject("tic_tac_toe", spiel="tic_tac_toe", first="s"),
    Subject("connect_four", spiel="connect_four", first="c"),
    Subject("breakthrough", spiel="breakthrough", first="s", in_steps=True),
    Subject("othello", spiel="othello", first="s"),
    Subject("kuhn_poker", spiel="kuhn_poker", first="offer"),
    Subject("leduc_poker", spiel="leduc_poker", first="offer"),
    Subject("goofspiel", spiel="turn_based_simultaneous_game(game=goofspiel())", first="c"),
    Subject("liars_dice", spiel="liars_dice", first="offer", in_steps=True),
    Subject("drakon", players=4),
    Subject("dragon_keeper", players=4),
    Subject("ryu", players=4),
    Subject("dragons_gold", players=4, variants=("strategic",)),
    Subject("dragons_gold", players=4),
)


@dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: float
    """CPU time of each measurement."""
    sample: int
    """Games that the mean number of moves is taken from."""


FULL = Effort(rounds=7, seconds=0.5, sample=400)
SHORT = Effort(rounds=3, seconds=0.06, sample=60)


@dataclass(frozen=True)
class Run:
    """What was played in a measurement, and the CPU time it took."""

    games: float
    decisions: float
    """Those that were asked, also with a single option; 0 where the engine does not tell."""
    moves: float
    cpu: float


@dataclass
class Contestant:
    name: str
    measure: Callable[[float], Run]
    runs: list[Run] = field(default_factory=list)

    def rates(self, what: str) -> list[float]:
        return [getattr(run, what) / run.cpu for run in self.runs]


# ---------------------------------------------------------------- ours
def mean_moves(game: dr.Game, subject: Subject, sample: int) -> float:
    """Moves of a random game of ours, as the peers count them."""
    rnd = random.Random(1).random
    moves = 0
    for seed in range(sample):
        match = game.start(players=subject.players, seed=seed)
        while not match.over:
            decision = match.decision
            moves += decision.name == subject.first
            match.choose(decision.options[int(rnd() * len(decision.options))])
    return moves / sample


def of_python(subject: Subject, sample: int) -> tuple[Contestant, float]:
    game = dr.load(subject.file, variants=subject.variants)
    engine = game.engine(players=subject.players)
    rnd = random.Random(1).random
    seeds = iter(range(10**9))
    length = mean_moves(game, subject, sample) if subject.first else 0.0

    def measure(seconds: float) -> Run:
        clock = time.process_time
        games = decisions = 0
        start = clock()
        while (spent := clock() - start) < seconds:
            for _ in range(5):
                state = engine.new(next(seeds))
                while not state.over:
                    state.apply(int(rnd() * len(state.options)))
                    decisions += 1
            games += 5
        return Run(games, decisions, games * length, spent)

    return Contestant(PYTHON, measure), length


def of_native(subject: Subject, length: float) -> Contestant | None:
    """Machine code of the same rules, the whole loop inside."""
    native = dr.load(subject.file, variants=subject.variants).native(subject.players)
    if native is None:
        return None
    native.improve()  # as `simulate` does after some seconds of play
    seeds = iter(range(10**9))
    size = 1

    def measure(seconds: float) -> Run:
        nonlocal size
        clock = time.process_time
        games = decisions = 0
        start = clock()
        while (spent := clock() - start) < seconds:
            before = clock()
            played = native.playouts(size, next(seeds))
            assert not played.trouble
            games += size
            decisions += played.decisions
            if clock() - before < seconds / 20:
                size *= 2
        return Run(games, decisions, games * length, spent)

    return Contestant(NATIVE, measure)


# ---------------------------------------------------------------- OpenSpiel
def begun(game: Any, rnd: random.Random) -> Any:
    """A position at its first decision, what chance brings before it drawn."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply_action(rnd.choices(outcomes, weights)[0])
    return state


def of_spiel(subject: Subject, sample: int) -> list[Contestant]:
    """Its games driven from Python, and the loop that it has in C++: the rollouts of its search.

    A search with two simulations evaluates the position itself and one a move
    later, each by as many random games as one likes; all of them are played
    without a word of Python.
    """
    game = pyspiel.load_game(subject.spiel)
    rnd = random.Random(1)

    def playout() -> int:
        state = begun(game, rnd)
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(rnd.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            moves += state.current_player() >= 0 and not passes(subject, legal)
            state.apply_action(legal[int(rnd.random() * len(legal))])
        return moves

    def from_python(seconds: float) -> Run:
        clock = time.process_time
        games = moves = 0
        start = clock()
        while (spent := clock() - start) < seconds:
            moves += playout()
            games += 1
        return Run(games, moves, moves, spent)

    length = sum(playout() for _ in range(5 * sample)) / (5 * sample)
    rollouts = max(20, int(20_000 / length))

    def in_c(seconds: float) -> Run:
        clock = time.process_time
        games = 0
        spent = 0.0
        while spent < seconds:
            evaluator = pyspiel.RandomRolloutEvaluator(rollouts, rnd.randrange(2**31))
            bot = pyspiel.MCTSBot(game, evaluator, 1.4, 2, 100, False, rnd.randrange(2**31), False)
            state = begun(game, rnd)
            start = clock()
            bot.step(state)
            spent += clock() - start
            games += 2 * rollouts
        moves = games * (length - 0.5)  # half of them begin a move later
        return Run(games, moves, moves, spent)

    return [Contestant(SPIEL, in_c), Contestant(SPIEL_PYTHON, from_python)]


def passes(subject: Subject, legal: list[int]) -> bool:
    return subject.name == "othello" and legal == [64]


# ---------------------------------------------------------------- C++ by hand
def of_hand(program: Path, name: str, yardstick: str) -> Contestant:
    seeds = iter(range(1, 10**9))

    def measure(seconds: float) -> Run:
        played = by_hand.run(program, yardstick, f"{seconds}s", next(seeds))
        return Run(played.games, played.asked, played.moves, played.cpu)

    return Contestant(name, measure)


# ---------------------------------------------------------------- the table
def contestants(subject: Subject, program: Path | None, effort: Effort) -> list[Contestant]:
    ours, length = of_python(subject, effort.sample)
    native = of_native(subject, length)
    found = [ours] if native is None else [ours, native]
    if subject.spiel and pyspiel is not None:
        found += of_spiel(subject, effort.sample)
    if program is not None:
        found.append(of_hand(program, HAND, subject.title))
        if subject.in_steps:
            found.append(of_hand(program, HAND_WHOLE, f"{subject.name}_whole"))
    return found


def multiple(mine: Contestant, other: Contestant | None, what: str) -> str:
    if other is None or not other.runs or not all(other.rates(what)):
        return "-"
    ratio = median(a / b for a, b in zip(mine.rates(what), other.rates(what)))
    return f"{ratio:.3g}"


def rows(subject: Subject, program: Path | None, effort: Effort) -> list[str]:
    rivals = contestants(subject, program, effort)
    for _ in range(effort.rounds):
        for contestant in rivals:
            contestant.runs.append(contestant.measure(effort.seconds))
    by_name = {c.name: c for c in rivals}
    out = [f"{subject.title}, {subject.players} players"]
    for c in rivals:
        games, decisions, moves = (median(c.rates(what)) for what in ("games", "decisions", "moves"))
        asked_alike = c.name in (PYTHON, NATIVE, HAND)
        peers = f"{moves:>13,.0f}" if subject.first else f"{'':>13}"
        out.append(
            f"  {c.name:<26}{games:>13,.0f}{decisions:>14,.0f}{peers}"
            f"{multiple(c, by_name[PYTHON], 'games') if asked_alike else '':>10}"
            f"{multiple(c, by_name.get(SPIEL), 'moves') if subject.first else '':>11}"
            f"{multiple(c, by_name.get(HAND), 'games' if asked_alike else 'moves'):>9}"
        )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description="random games per CPU second, all engines side by side")
    parser.add_argument("--short", action="store_true", help="a quick look, with more noise")
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="only these: " + ", ".join(s.title for s in SUBJECTS)
    )
    arguments = parser.parse_args()
    effort = SHORT if arguments.short else FULL
    unknown = set(arguments.games) - {s.title for s in SUBJECTS}
    if unknown:
        parser.error(f"no such game: {', '.join(sorted(unknown))}")

    print(f"Python {sys.version.split()[0]}, {effort.rounds} rounds in turns, CPU time, medians")
    if pyspiel is None:
        print("OpenSpiel is left out: `open_spiel` is not installed (it is in the `dev` extra)")
    if by_hand.compiler() is None:
        print("C++ by hand is left out: no compiler was found (g++, clang++ or c++)")
    if not available():
        print("native is left out: `llvmlite` is not installed (it is in the `native` extra)")
    print(f"\n{'':<41}{'':>14}{'':>13}{'as a multiple of':>29}")
    print(
        f"{'per CPU second':<28}{'games':>13}{'decisions':>14}{'moves':>13}{'Python':>10}{'OpenSpiel':>11}{'C++':>9}"
    )
    with tempfile.TemporaryDirectory() as folder:
        program = by_hand.compiled(Path(folder)) if by_hand.compiler() else None
        for subject in SUBJECTS:
            if not arguments.games or subject.title in arguments.games:
                print("\n".join(rows(subject, program, effort)), flush=True)


if __name__ == "__main__":
    main()
