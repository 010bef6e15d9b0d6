"""The same games on a Dask cluster.

A task is a batch of game numbers of a series, under a name that says just that.
Dask plays a task again when its worker is lost, and may play it twice; the
`Collector` takes each batch once, and a batch is the same wherever it is played,
so nothing is lost and nothing counts twice.

Only as many tasks are under way as keep the workers busy, so that a long run
does not fill the scheduler's memory and an interruption is soon over.
"""

from __future__ import annotations

import logging
import re
import socket
import threading
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pickle import dumps, loads
from typing import Any

from attrs import frozen

from ..core.errors import UsageError
from .playing import Series
from .runs import Batch, Collector, Runner, Stopped, Task, play_batch, probe, tasks_of
from .shipping import pack, unpack

BATCH_SECONDS = 2.0
"""What a batch should take: the scheduler's share is then about a thousandth of it."""

PATIENCE = 3
"""How often a batch may be lost on its way back."""

WAIT = 30
"""Seconds to wait for the first worker."""

ANSWER = 5.0
"""Seconds to wait for the first word of a scheduler."""

_ADDRESS = re.compile(r"((tcp|tls|ucx|ws|wss|inproc)://)?[^\s/:]+:\d+(/.*)?|inproc://.+")
_one_at_a_time = threading.Lock()


def checked_address(address: str) -> str:
    """The address of a scheduler, if it looks like one."""
    if not _ADDRESS.fullmatch(address):
        raise UsageError(
            "D0709",
            f"`{address}` is not the address of a Dask scheduler",
            "it has a host and a port, like `tcp://10.0.0.5:8786`; `dask scheduler` prints its own",
        )
    return address


@frozen
class Refusal:
    """Why a worker does not play: an error as data, since exceptions do not travel well."""

    code: str
    message: str
    help: str | None


def play_parcel(parcel: bytes, number: int, start: int, stop: int) -> bytes:
    """In a worker: play a batch. A worker with several threads plays one game at a time all the same:
    Python would not be faster, and the counters of an engine belong to one game."""
    with _one_at_a_time:
        answer: Batch | Refusal
        try:
            series = unpack(loads(zlib.decompress(parcel)))
            answer = play_batch(series, Task(number, start, stop))
        except UsageError as problem:
            answer = Refusal(problem.code, problem.message, problem.help)
        return zlib.compress(dumps(answer))


@contextmanager
def cluster_runner(address: str) -> Iterator[Runner]:
    """What plays on the cluster whose scheduler is at `address`."""
    checked_address(address)
    dask = _dask()
    logging.getLogger("distributed").setLevel(logging.ERROR)  # lost workers are Dask's daily business
    _knock(address)
    try:
        client = dask.Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, TimeoutError) as problem:
        raise UsageError("D0709", f"no Dask scheduler answers at `{address}`: {problem}") from None
    try:

        def runner(series: Sequence[Series], games: int, collector: Collector) -> None:
            run_on(client, series, games, collector)

        yield runner
    finally:
        client.close(timeout=5)


def _knock(address: str) -> None:
    """Is there anybody? Dask would ask again and again for a long time, and for ever where somebody listens
    and says nothing. A scheduler speaks first."""
    kind, _, rest = address.rpartition("://")
    if kind not in ("", "tcp", "tls"):
        return
    host, _, port = rest.partition("/")[0].rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER) as line:
            silent = kind != "tls" and not line.recv(1)
    except (OSError, OverflowError) as problem:
        silent, words = True, str(problem)
    else:
        words = "the line was closed"
    if silent:
        raise UsageError("D0709", f"no Dask scheduler answers at `{address}`: {words}")


def run_on(client: Any, series: Sequence[Series], games: int, collector: Collector) -> None:
    """Play the games on the workers of a Dask client."""
    _wait_for_workers(client)
    parcels = [pack(one) for one in series]
    sent = [zlib.compress(dumps(parcel)) for parcel in parcels]
    seconds = [probe(one, number, games, collector) for number, one in enumerate(series)]
    starts = [collector.complete(number) for number in range(len(series))]
    share = max(1, _slots(client)) * 4 // len(series) or 1
    sizes = [
        max(1, min(round(BATCH_SECONDS / max(each, 1e-6)), (games - start) // share))
        for each, start in zip(seconds, starts, strict=True)
    ]
    waiting = list(tasks_of(series, games, starts, sizes))[::-1]
    under_way: dict[Any, Task] = {}
    lost: Counter[Task] = Counter()
    answers = _dask().as_completed(loop=client.loop)

    def submit() -> None:
        while waiting and len(under_way) < 2 * _slots(client) + 2:
            task = waiting.pop()
            future = client.submit(
                play_parcel,
                sent[task.series],
                task.series,
                task.start,
                task.stop,
                key=f"dragonrules-{parcels[task.series].digest}-{task.series}-{task.start}-{task.stop}-{lost[task]}",
                retries=2,
            )
            under_way[future] = task
            answers.add(future)

    try:
        submit()
        while under_way:
            future = next(answers)
            task = under_way.pop(future)
            batch = answer_of(future)
            if batch is not None:
                collector.take(batch)
            elif lost[task] < PATIENCE:
                lost[task] += 1
                waiting.append(task)
            else:
                raise Stopped(
                    "D0709", "the cluster loses its results again and again", "is its scheduler alive?"
                )
            future.release()
            submit()
    except BaseException:
        client.cancel(list(under_way))
        raise


def answer_of(future: Any) -> Batch | None:
    """A batch that has come back; None if it was lost on the way and is worth another try."""
    dask = _dask()
    try:
        answer: Batch | Refusal = loads(zlib.decompress(future.result()))
    except dask.KilledWorker as problem:
        raise Stopped("D0709", f"a batch has lost its worker again and again: {problem}") from None
    except ModuleNotFoundError as problem:
        raise Stopped(
            "D0709", f"a worker lacks `{problem.name}`", "pip install 'dragonrules[cluster]' on every worker"
        ) from None
    except (dask.CancelledError, OSError, TimeoutError):
        return None
    if isinstance(answer, Refusal):
        raise Stopped(answer.code, answer.message, answer.help)
    return answer


def _dask() -> Any:
    """The package `distributed`. Dask has no types to speak of, and not everybody has Dask."""
    try:
        return import_module("distributed")
    except ImportError:
        raise UsageError(
            "D0709",
            "--cluster needs the package `distributed`, which is not installed",
            "pip install 'dragonrules[cluster]', here and on the workers",
        ) from None


def _wait_for_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise UsageError(
            "D0709", "the cluster has no workers", f"start some: `dask worker {client.scheduler.address}`"
        ) from None


def _slots(client: Any) -> int:
    """How many batches the workers can play at once: one each."""
    return max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
