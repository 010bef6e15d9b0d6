"""Many files at once: the same work on each, in several processes when that pays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from ...interpreter.core.errors import UsageError
from ...interpreter.files.workers import Workers, WorkersDie

Made = TypeVar("Made")

ALONE = 12
"""So many files are worked on before it pays to start another process."""


def workers_for(files: int, jobs: int | None = None) -> int:
    return min(jobs or processors(), -(-files // ALONE))


def in_processes(work: Callable[[Path], Made], files: Sequence[Path], workers: int) -> Iterator[Made]:
    """The results in the order of the files. Neighbours go to one process, because they often
    build on the same game."""
    size = max(1, len(files) // (workers * 4))
    parts = [tuple(files[at : at + size]) for at in range(0, len(files), size)]
    done: dict[tuple[Path, ...], list[Made]] = {}
    following = iter(parts)
    waiting = next(following, None)
    try:
        with Workers[tuple[Path, ...], list[Made]](_each, work, workers) as pool:
            for part, made in pool.run(parts):
                done[part] = made
                while waiting in done:
                    yield from done.pop(waiting)
                    waiting = next(following, None)
    except WorkersDie:
        raise UsageError(
            "D0709", "worker processes die again and again", "is there memory enough? try --jobs 1"
        ) from None


def _each(work: Callable[[Path], Made], files: tuple[Path, ...]) -> list[Made]:
    return [work(file) for file in files]


def processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
