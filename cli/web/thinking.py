"""Bots that search think in a process of their own: there they keep nobody from clicking."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from ...interpreter.play.match import Match
from ...interpreter.players import player

_POOL: ProcessPoolExecutor | None = None


def _choose(match: Match, kind: str, seat: int) -> int:
    return player(kind, seed=match.seed, seat=seat).choose(match)


async def search(match: Match, kind: str, seat: int) -> int:
    global _POOL
    loop = asyncio.get_running_loop()
    for _ in range(2):
        if _POOL is None:
            _POOL = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        try:
            return await loop.run_in_executor(_POOL, _choose, match.fork(), kind, seat)
        except BrokenProcessPool:  # somebody has ended it: another one is made
            _POOL = None
    return await asyncio.to_thread(_choose, match.fork(), kind, seat)


def shut() -> None:
    global _POOL
    if _POOL is not None:
        _POOL.shutdown(wait=False, cancel_futures=True)
        _POOL = None
