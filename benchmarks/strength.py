"""How strong are the bots? Who beats whom in each of the four games, with intervals.

    python benchmarks/strength.py                      # the whole table: some minutes of CPU time
    python benchmarks/strength.py --games 40 drakon    # less of it
    python benchmarks/strength.py --write benchmarks/strength.json --table docs/players.md

One seat is played by the stronger kind, all others by the weaker one, and the
seat goes round from match to match, so that nobody gains by where they sit. A
match won together with others counts in part; one without a winner counts as
much as an even lot. The interval is Wilson's, 95 percent; a share is shown to be
above an even lot when the interval lies above it.

Matches are numbered by their seed: the same numbers give the same results. With
`--write` results are kept as they come, and a run that is started again goes on;
those behind the table in docs/players.md are in `strength.json`.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.lab.playing import code_of
from dragonrules.interpreter.players import player
from dragonrules.interpreter.players.machine import series_of

MARKS = ("<!-- strength -->", "<!-- /strength -->")


@dataclass(frozen=True)
class Contest:
    game: str
    players: int
    strong: str
    weak: str
    games: int

    @property
    def name(self) -> str:
        return f"{self.game} for {self.players}: {self.strong} against {self.weak}"


CONTESTS = [
    Contest("drakon", 2, "greedy", "random", 200),
    Contest("drakon", 2, "mcts:100", "greedy", 100),
    Contest("ryu", 2, "greedy", "random", 200),
    Contest("ryu", 2, "mcts:100", "greedy", 100),
    Contest("dragon_keeper", 2, "greedy", "random", 200),
    Contest("dragon_keeper", 2, "mcts:200", "greedy", 200),
    Contest("dragon_keeper", 2, "mcts:1000", "mcts:100", 60),
    Contest("dragons_gold", 3, "greedy", "random", 60),
    Contest("dragons_gold", 3, "mcts:100", "greedy", 250),
]

FIRST_SEED = 6000
"""Lower ones were used while the players were made."""


# ---------------------------------------------------------------- matches
@cache
def load(name: str) -> dr.Game:
    return dr.load(name)


def play(contest: Contest, seed: int) -> dict[str, Any]:
    """One match; which seat is the strong one follows from the seed."""
    game = load(contest.game)
    seat = seed % contest.players + 1
    kinds = [contest.strong if n == seat else contest.weak for n in range(1, contest.players + 1)]
    native = series_of(game, contest.players, make=contest.games > 20)
    start = time.process_time()
    codes = [code_of(kind) or 0 for kind in kinds]
    found = native.play(seed, codes, 100_000, lead=False) if native is not None else None
    if found is not None and not found.trouble:
        winners = [n for n in range(1, contest.players + 1) if found.winners >> n - 1 & 1]
        turns, decisions = found.turns, found.decisions
    else:
        match = game.start(players=contest.players, seed=seed)
        seats = [player(kind, seed=seed, seat=n) for n, kind in enumerate(kinds, 1)]
        while not match.over:
            match.choose(seats[match.state.player].choose(match))
        winners, turns, decisions = sorted(match.winners), match.turn, match.decisions
    if winners:
        share = 1 / len(winners) if seat in winners else 0.0
    else:
        share = 1 / contest.players
    return {
        "share": share,
        "winners": winners,
        "turns": turns,
        "decisions": decisions,
        "seconds": round(time.process_time() - start, 3),
    }


def wilson(share: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """The interval for a share of `count` matches."""
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - reach) / (1 + z * z / count), (middle + reach) / (1 + z * z / count)


# ---------------------------------------------------------------- the table
HEAD = ("game", "players", "", "matches", "won", "95 %", "even", "shown", "turns", "seconds a match")


def row(contest: Contest, results: list[dict[str, Any]]) -> tuple[str, ...]:
    count = len(results)
    share = sum(r["share"] for r in results) / count
    low, high = wilson(share, count)
    return (
        contest.game.replace("_", " "),
        str(contest.players),
        f"{contest.strong} against {contest.weak}",
        str(count),
        f"{share:.0%}",
        f"{low:.0%} to {high:.0%}",
        f"{1 / contest.players:.0%}",
        "yes" if low > 1 / contest.players else "open",
        f"{sum(r['turns'] for r in results) / count:.0f}",
        f"{sum(r['seconds'] for r in results) / count:.2f}",
    )


def markdown(rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(HEAD) + " |", "|---|--:|---|--:|--:|--:|--:|---|--:|--:|"]
    return "\n".join([*lines, *("| " + " | ".join(cells) + " |" for cells in rows)])


def put_in(path: Path, table: str) -> None:
    """The table between its marks in a page."""
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    path.write_text(f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{after}", encoding="utf-8")


# ---------------------------------------------------------------- running
def wanted(names: list[str], games: int | None) -> Iterator[Contest]:
    for contest in CONTESTS:
        if not names or all(name in contest.name for name in names):
            count = min(contest.games, games) if games is not None else contest.games
            yield Contest(contest.game, contest.players, contest.strong, contest.weak, count)


def main() -> None:
    parser = argparse.ArgumentParser(description="who beats whom, with intervals")
    parser.add_argument("contest", nargs="*", help="parts of the name of a contest: drakon, mcts, ...")
    parser.add_argument("--games", type=int, help="at most so many matches in each contest")
    parser.add_argument("--write", type=Path, help="a JSON file to keep results in, and to go on from")
    parser.add_argument("--table", type=Path, help="a page to put the table in, between its marks")
    parser.add_argument("--no-play", action="store_true", help="only make the table of what is kept")
    given = parser.parse_args()
    kept: dict[str, dict[str, dict[str, Any]]] = {}  # contest, seed, result
    if given.write is not None and given.write.exists():
        kept = json.loads(given.write.read_text(encoding="utf-8"))
    rows = []
    for contest in wanted(given.contest, given.games):
        results = kept.setdefault(contest.name, {})
        for seed in range(FIRST_SEED, FIRST_SEED + (0 if given.no_play else contest.games)):
            if str(seed) not in results:
                results[str(seed)] = play(contest, seed)
                if given.write is not None:
                    given.write.write_text(json.dumps(kept), encoding="utf-8")
        if results:
            rows.append(row(contest, list(results.values())))
            print("  ".join(rows[-1]), flush=True)
    if given.table is not None:
        put_in(given.table, markdown(rows))


if __name__ == "__main__":
    sys.exit(main())
