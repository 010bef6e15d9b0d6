"""How long is each game as a rule file, and how fast is it at random, in Python and in machine code?

    python benchmarks/library.py [NAME ...]

Prints a table in Markdown: lines that are neither empty nor comments, random games per second of CPU
time with either engine in one run, and their ratio. Compiling is left out.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import dragonrules as dr
from dragonrules.cli.commands.games import shipped

SECONDS = 0.6
MOST_DECISIONS = 200_000


def lines(path: Path) -> int:
    stripped = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return sum(bool(line) and not line.startswith("#") for line in stripped)


def in_python(game: dr.Game, players: int) -> tuple[float, float]:
    """Random games per second, and decisions in a game."""
    engine, rnd = game.engine(players=players), random.Random(1).random
    games = decisions = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS or not games:
        state, steps = engine.new(games), 0
        while not state.over and steps < MOST_DECISIONS:
            state.apply(int(rnd() * len(state.options)))
            steps += 1
        games, decisions = games + 1, decisions + steps
    return games / spent, decisions / games


def in_machine_code(game: dr.Game, players: int) -> float | None:
    native = game.native(players)
    if native is None:
        return None
    games, size, spent = 0, 1, 0.0
    native.playouts(1, 0)
    while spent < SECONDS:
        began = time.process_time()
        native.playouts(size, games)
        took = time.process_time() - began
        games, spent = games + size, spent + took
        if took < SECONDS / 20:
            size *= 2
    return games / spent


def main(names: list[str]) -> None:
    print("| game | kind | players | lines | decisions | Python, games/s | native, games/s | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for entry in shipped():
        if names and entry["name"] not in names:
            continue
        game, players = dr.load(entry["name"]), entry["players"][0]
        slow, decisions = in_python(game, players)
        fast = in_machine_code(game, players)
        told = "- | -" if fast is None else f"{fast:,.0f} | {fast / slow:.0f}"
        size = lines(Path(entry["path"]))
        print(
            f"| {entry['name']} | {entry['kind']} | {players} | {size} | {decisions:.0f} | {slow:,.1f} | {told} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
