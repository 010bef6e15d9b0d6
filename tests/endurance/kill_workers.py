"""Kills worker processes at random moments, also while they start, and counts what is lost.

    python tests/endurance/kill_workers.py [KILLS]

Rounds of a series are played by two workers while another thread kills one of
them every now and then. Each round must give exactly the games that one process
gives alone, and none may hang. The exit code is 1 if anything was lost.
"""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import dragonrules as dr
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.runs import Batch, Collector, Pool, Stopped, Task, play_batch
from lab.race import race

GAMES, SIZE = 20_000, 200
FRESH = 0.1
FEW = 4


def main(kills: int) -> int:
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        series = Series(dr.load(race(Path(folder))), ("random",) * 3, seed=4)
        alone = play_batch(series, Task(0, 0, GAMES)).games
        done = while_young = lost = rounds = given_up = 0
        while done < kills:
            rounds += 1
            faulthandler.dump_traceback_later(300, exit=True)  # a hang tells where
            games: list[Played] = []
            over = threading.Event()
            fell: list[float] = []
            with Pool([series], 2) as pool:
                killer = threading.Thread(
                    target=kill_some, args=(pool, over, chance, fell, kills - done, games)
                )
                killer.start()
                try:
                    tasks = [Task(0, at, at + SIZE) for at in range(0, GAMES, SIZE)]
                    pool.run(tasks, Collector(lambda _, batch, games=games: gather(games, batch)))
                except Stopped:
                    given_up += 1
                over.set()
                killer.join()
            if tuple(games) != alone:
                lost += GAMES - len(games) or GAMES
            done += len(fell)
            while_young += sum(age < FRESH for age in fell)
            print(f"round {rounds}: {done} kills, {lost} games lost", file=sys.stderr)
        faulthandler.cancel_dump_traceback_later()
    print(
        f"{done} kills in {rounds} rounds, {while_young} of them within {FRESH:g} s of the start: "
        f"{lost} games lost, {given_up} rounds given up, no hang"
    )
    return int(bool(lost))


def gather(games: list[Played], batch: Batch) -> None:
    games.extend(batch.games)


def kill_some(
    pool: Pool,
    over: threading.Event,
    chance: random.Random,
    fell: list[float],
    most: int,
    games: list[Played],
) -> None:
    """Many of the victims have only just been started. Between two batches at most a few fall: when no
    worker ever gets anywhere, a pool rightly gives up."""
    born: dict[int, float] = {}
    seen = since = 0
    while not over.is_set() and len(fell) < most:
        if len(games) != seen:
            seen, since = len(games), 0
        if since >= FEW:
            over.wait(0.01)
            continue
        now = time.monotonic()
        pids = pool.workers.pids
        for pid in pids:
            born.setdefault(pid, now)
        young = [pid for pid in pids if now - born[pid] < FRESH and chance.random() < 0.05]
        old = [pid for pid in pids if now - born[pid] >= FRESH and chance.random() < 0.01]
        for pid in young + old:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            fell.append(now - born.pop(pid))
            since += 1
        over.wait(0.01)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
