"""Fifty tables on one server, each with four bots and four people who watch: is any decision lost, how long do pages take?

    python tests/endurance/busy_tables.py [TABLES [DECISIONS]]

Bots play as fast as they can; every change makes a page, which goes to all who watch. Ends with 1
if a journal lacks a decision, or if more than one page in twenty takes longer than 50 ms to make.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import dragonrules as dr
from dragonrules.cli.web.doors import WATCH
from dragonrules.cli.web.hall import Hall
from dragonrules.interpreter.table.journal import read_journal

GAMES = ("drakon", "dragons_gold", "dragon_keeper", "ryu")
WATCHERS = 4
SLOW = 0.05


class Idle:
    """Somebody who looks on, and counts."""

    def __init__(self) -> None:
        self.pages = self.bytes = 0

    async def receive(self) -> str:
        await asyncio.sleep(3600)
        return ""

    async def send(self, text: str) -> None:
        self.pages += '"t":"page"' in text[:20]
        self.bytes += len(text)

    async def close(self, code: int) -> None: ...


async def play(tables: int, decisions: int, folder: Path) -> int:
    hall = Hall("http://127.0.0.1:1", keep=False, pace=0)
    names, watchers = [], []
    for number in range(tables):
        match = dr.load(GAMES[number % len(GAMES)]).start(4, seed=number)
        names.append(
            hall.open(match, ["random", "greedy", "random", "random"], path=folder / f"{number}.jsonl")
        )
    took: list[float] = []
    for name in names:
        hall.tables[name].drawn = took  # all in one list
        door = hall.doors.get(WATCH, name)
        assert door is not None
        for _ in range(WATCHERS):
            watchers.append(Idle())
            await hall.enter(door, watchers[-1])
    began, cpu = time.monotonic(), time.process_time()
    kept: list[float] = []
    hall.start()

    def made() -> int:
        return sum(hall.tables[name].room.match.decisions for name in names)

    while made() < decisions and not all(hall.tables[name].room.match.over for name in names):
        await asyncio.sleep(0.1)
        kept += took
        took.clear()
    kept += took
    lost = 0
    for number, name in enumerate(names):
        story, match = read_journal(folder / f"{number}.jsonl"), hall.tables[name].room.match
        assert story is not None
        lost += match.decisions - story.decisions
    await hall.stop()  # writes down what is missing, so it comes behind the count
    kept.sort()
    slow = sum(seconds > SLOW for seconds in kept) / max(1, len(kept))
    print(
        f"{tables} tables, {len(watchers)} watchers: {made()} decisions in {time.monotonic() - began:.1f} s"
    )
    print(
        f"{time.process_time() - cpu:.1f} s of processor time, {len(kept)} pages made, {sum(w.pages for w in watchers)} sent"
    )
    print(
        f"a page takes {kept[len(kept) // 2] * 1000:.1f} ms, 95 % under {kept[len(kept) * 95 // 100] * 1000:.1f} ms; {slow:.1%} over {SLOW * 1000:.0f} ms"
    )
    print(
        f"{sum(w.bytes for w in watchers) / max(1, sum(w.pages for w in watchers)) / 1000:.1f} kB a page; decisions lost: {lost}"
    )
    return int(lost > 0 or slow > 0.05)


if __name__ == "__main__":
    wanted = [int(argument) for argument in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as place:
        os.environ["DRAGONRULES_STATE"] = place
        sys.exit(asyncio.run(play(*(wanted + [50, 5000][len(wanted) :]), Path(place))))
