"""How fast is the Python back end beside that of another commit? The same matches, in turns, by CPU time.

    git worktree add --detach /tmp/old 3dbb3aa
    python benchmarks/against_commit.py /tmp/old

Both play the rule files of the older tree, so that it is the same game, with the same choices; what counts is the ratio
of each repetition, so that a busy machine slows both of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parents[1]
GAMES = (
    ("classics/connect_four", 2, 60),
    ("classics/breakthrough", 2, 25),
    ("drakon", 3, 6),
    ("dragon_keeper", 3, 12),
    ("ryu", 3, 5),
    ("dragons_gold", 4, 6),
)
"""Each with the number of players, and of matches in a repetition."""
PLAYER = """
import json, random, sys, time
import dragonrules as dr
games = {}
for line in sys.stdin:
    path, players, matches, seed = json.loads(line)
    game = games.setdefault(path, None) or dr.load(path)
    games[path] = game
    game.start(players, seed=0, watch=False)
    start, decisions = time.process_time(), 0
    for number in range(matches):
        match, dice = game.start(players, seed=seed + number, watch=False), random.Random(seed + number)
        while not match.over:
            match.choose(int(dice.random() * len(match.state.options)))
            decisions += 1
    print(json.dumps([time.process_time() - start, decisions]), flush=True)
"""


def player(tree: Path) -> subprocess.Popen[str]:
    """A process with the dragonrules of a tree, which plays what it is told."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "tests" / "typing"), "DRAGONRULES_CACHE": "off"}
    command = [sys.executable, "-P", "-c", PLAYER]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def ask(process: subprocess.Popen[str], *what: Any) -> list[Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(what) + "\n")
    process.stdin.flush()
    found: list[Any] = json.loads(process.stdout.readline())
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("tree", type=Path, help="where the other commit lies")
    options.add_argument("--times", type=int, default=6)
    asked = options.parse_args()
    old, new = player(asked.tree), player(HERE)
    print(f"{'new / old, a decision':24} {'median':>7} {'least':>7} {'most':>7}")
    for name, players, matches in GAMES:
        path = str(asked.tree / "games" / f"{name}.dragon")
        ratios = []
        for number in range(asked.times):
            (a, mine), (b, theirs) = (ask(p, path, players, matches, 100 * number) for p in (new, old))
            ratios.append(a / mine / (b / theirs))
        print(f"{name:24} {median(ratios):7.3f} {min(ratios):7.3f} {max(ratios):7.3f}", flush=True)
    for process in (old, new):
        process.communicate()


if __name__ == "__main__":
    main()
