"""Many games on one machine: batches, processes, and what is there after an interruption.

Games are handed out in batches of consecutive numbers. A batch is a pure
function of its series and its numbers, so it may be played anywhere, more than
once, and in any order; what counts is the first answer for it. `Collector` puts
the batches in order again and passes on the games of which all earlier ones are
there. An interrupted run therefore gives exactly what a shorter run would have
given. (Whatever happened to be finished first would not do: it would be short
games.)

The first games are played in this process. If they show that the rest is a
matter of a moment, it stays there; otherwise worker processes are started
(workers.py). They get the checked and compiled game as data, and load nothing.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from attrs import define, evolve, field, frozen

from ..core.errors import UsageError
from ..files.workers import Workers, WorkersDie
from .playing import Played, Series
from .tallies import Following, Tally

BATCH_SECONDS = 0.3
"""What a batch should take: short enough for a smooth progress bar and a prompt end."""

FEW_SECONDS = 2.0
"""Work of less than this is not worth starting processes for."""
MANY_SECONDS = 12.0
"""Work of more than this is worth making machine code for."""


@frozen
class Task:
    """Games `start` to `stop - 1` of series number `series`."""

    series: int
    start: int
    stop: int


@frozen
class Batch:
    """The games of a task; for a counted series also how often its rules were used."""

    task: Task
    games: tuple[Played, ...]
    tally: Tally | None = None


def play_batch(series: Series, task: Task) -> Batch:
    numbers = range(task.start, task.stop)
    if not series.counted:
        return Batch(task, tuple(series.play_many(numbers)))
    following, tally = Following(series.engine), Tally()
    games: list[Played] = []
    while len(games) < len(numbers):
        left = numbers[len(games) :]
        if series.counting is not None:
            some, counted = series.play_and_count(left)
            games += some
            tally.add(following.of_native(counted, len(some)))
            left = left[len(some) :][:1]  # a game that machine code has trouble with
        for number in left:
            games.append(series.play(number))
            following.game_over()
    tally.add(following.tally())
    return Batch(task, tuple(games), tally)


Sink = Callable[[int, Batch], None]
"""Gets the games: the number of a series, and its next batch in the order of their numbers."""


class Stopped(UsageError):
    """A run that cannot go on. What was played until then counts."""


class OutOfTime(Exception):
    """The time for a run is over. What was played until then counts."""


Tell = Callable[[int], None]
"""Is told how many more games have been played, in whatever order."""


@define(eq=False)
class Collector:
    """Puts batches in order, each game once, whoever delivers it and however often."""

    sink: Sink
    tell: Tell = field(default=lambda played: None)
    series: int = 1
    """How many there are."""
    until: float | None = None
    """When to stop, on the clock of `time.perf_counter`, once a few games are there."""
    _next: dict[int, int] = field(factory=dict, init=False)
    _early: dict[tuple[int, int], Batch] = field(factory=dict, init=False)

    def take(self, batch: Batch) -> None:
        """A batch comes in. An interruption waits until it is dealt with."""
        with _interrupts_later():
            self._take(batch)
        if self.until is not None and time.perf_counter() > self.until and self._enough():
            raise OutOfTime

    def _take(self, batch: Batch) -> None:
        task = batch.task
        if task.start < self._next.get(task.series, 0) or (task.series, task.start) in self._early:
            return  # has come before
        self._early[task.series, task.start] = batch
        self.tell(len(batch.games))
        while True:
            number = self._next.get(task.series, 0)
            ready = self._early.pop((task.series, number), None)
            if ready is None:
                return
            self._next[task.series] = ready.task.stop
            self.sink(task.series, ready)

    def _enough(self) -> bool:
        return len(self._next) == self.series and min(self._next.values()) >= FEWEST

    def complete(self, series: int) -> int:
        """How many games of a series are there without a gap."""
        return self._next.get(series, 0)


class Runner(Protocol):
    """Something that plays tasks: this process, several, or a cluster."""

    def __call__(self, series: Sequence[Series], games: int, collector: Collector) -> None: ...


def tasks_of(
    series: Sequence[Series], games: int, starts: Sequence[int], sizes: Sequence[int]
) -> Iterator[Task]:
    """All that is left to play, in turns among the series, so that after an interruption all are equally far."""
    at = list(starts)
    while any(start < games for start in at):
        # the series that is furthest behind comes next, so a gap never grows
        number = min(range(len(series)), key=lambda n: (at[n] >= games, at[n], n))
        stop = min(games, at[number] + sizes[number])
        yield Task(number, at[number], stop)
        at[number] = stop


# ---------------------------------------------------------------- in this process
def run_locally(series: Sequence[Series], games: int, collector: Collector, *, jobs: int) -> None:
    """Play the games, with `jobs` processes where that is worth while."""
    seconds = [probe(one, number, games, collector) for number, one in enumerate(series)]
    starts = [collector.complete(number) for number in range(len(series))]
    left = sum(each * (games - start) for each, start in zip(seconds, starts, strict=True))
    sizes = [max(1, round(BATCH_SECONDS / max(each, 1e-6))) for each in seconds]
    if jobs == 1 or left < FEW_SECONDS:
        for task in tasks_of(series, games, starts, sizes):
            collector.take(play_batch(series[task.series], task))
        return
    # every worker should get several batches, or the last one keeps all waiting
    sizes = [
        max(1, min(size, (games - start) // (4 * jobs) or 1))
        for size, start in zip(sizes, starts, strict=True)
    ]
    with Pool(series, jobs) as pool:
        pool.run(list(tasks_of(series, games, starts, sizes)), collector)


def probe(series: Series, number: int, games: int, collector: Collector) -> float:
    """Play the first few games here; returns the seconds that one takes."""
    begin = time.perf_counter()
    series.play_many(range(1))  # once for the tables that are made when they are first needed
    if (time.perf_counter() - begin) * games > MANY_SECONDS:
        series.make_ready()
    begin = time.perf_counter()
    played = 0
    while played < games and (played == 0 or time.perf_counter() - begin < BATCH_SECONDS / 2):
        slow = series.native is None and series.thinking is None and series.counting is None
        stop = min(games, played + (1 if slow else max(1, played)))
        collector.take(play_batch(series, Task(number, played, stop)))
        played = stop
    return (time.perf_counter() - begin) / max(1, played)


PILOT = 0.05
"""The part of a time limit in which is measured how long games take."""

OVERTIME = 0.25
"""How much longer than its limit a run may take, if the machine turns out slower than in the pilot."""
SECONDS_TO_MAKE = 8.0
"""A time limit must have so much for each rule set if machine code is to be made for it."""

FEWEST = 2
"""So many games of each rule set are played, however long they take."""
MOST_GAMES = 20_000
"""As many as a time limit asks for at most: more tells nothing that matters."""


def affordable(series: Sequence[Series], seconds: float, jobs: int) -> int:
    """How many games of each series can be played in so many seconds.

    That is measured with games of other seeds, which do not count: how many are played must not
    depend on what comes of them.
    """
    start, each = time.perf_counter(), 0.0
    for one in series:
        pilot = evolve(one, seed=~one.seed)
        if seconds > SECONDS_TO_MAKE * len(series):
            pilot.make_ready()
        pilot.play_many(range(1))
        begin, played, size = time.perf_counter(), 0, 1
        while played == 0 or time.perf_counter() - begin < PILOT * seconds / len(series):
            pilot.play_many(range(played, played + size))
            played, size = played + size, size if one.native is None and one.thinking is None else 2 * size
        each += (time.perf_counter() - begin) / played
    left = max(OVERTIME * seconds, seconds * (1 - PILOT) - (time.perf_counter() - start))
    return max(2, min(MOST_GAMES, int(left * jobs / each)))


def overtime(start: float, seconds: float) -> float:
    """When a run that has so many seconds and began at `start` must end; what the pilot took is not all of it."""
    return max(start + (1 + OVERTIME) * seconds, time.perf_counter() + OVERTIME * seconds)


def available_jobs() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---------------------------------------------------------------- worker processes
def _work(series: list[Series], task: Task) -> Batch:
    return play_batch(series[task.series], task)


class Pool:
    """Worker processes for some series. One that dies takes its batch with it, which is played anew."""

    def __init__(self, series: Sequence[Series], jobs: int) -> None:
        self.workers: Workers[Task, Batch] = Workers(_work, list(series), jobs)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *problem: object) -> None:
        self.workers.__exit__(*problem)

    def run(self, tasks: Sequence[Task], collector: Collector) -> None:
        try:
            for _, batch in self.workers.run(tasks):
                collector.take(batch)
        except WorkersDie:
            raise Stopped(
                "D0709",
                "worker processes die again and again",
                "is there memory enough? try fewer with --jobs",
            ) from None


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """A Ctrl-C in here is raised at the end, unless this process ignores it anyway."""
    came: list[bool] = []
    if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
        yield
        return
    try:
        before = signal.signal(signal.SIGINT, lambda *_: came.append(True))
    except ValueError:  # not the main thread, which alone is interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
