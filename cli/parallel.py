"""Many files at once: the same work on each, in several processes when that pays."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")

ALONE = 12
"""So many files are worked on before it pays to start another process."""


def workers_for(files: int, jobs: int | None = None) -> int:
    return min(jobs or processors(), -(-files // ALONE))


def in_processes(work: Callable[[Path], Made], files: Sequence[Path], workers: int) -> Iterator[Made]:
    """The results in the order of the files. Neighbours go to one process, because they often
    build on the same game."""
    forks = "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if forks else "spawn")
    if forks:
        _warm_up()
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from pool.map(work, files, chunksize=max(1, len(files) // (workers * 4)))


def _warm_up() -> None:
    """What every process needs is read once, before they part."""
    from ..grammar.parsing import lark_parser

    lark_parser()


def processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
