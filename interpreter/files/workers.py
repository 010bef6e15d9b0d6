"""Worker processes that may die at any moment, at no cost but time.

Every worker is a process of its own with two pipes of its own: tasks go in,
answers come out. Nothing is shared among workers, so one that dies, even while
it starts or in the middle of an answer, disturbs no other; its pipe ends, its
task is handed out again, and another process takes its place.

A thread of this process stands behind each worker. It alone starts the process,
writes to it and waits for it, so the main thread waits for nothing but answers
and can always be interrupted. The other end of a pipe is in the worker alone:
writing to one that has died fails at once and never waits.

Workers are started afresh, not forked, which works the same on every system. They
belong to a process group of their own, because Ctrl-C at a terminal goes to a whole
group and only this process heeds it. If this process is gone, their pipe ends and
so do they.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, LifoQueue, SimpleQueue
from typing import IO, Any, Generic, TypeVar

from attrs import frozen

Task = TypeVar("Task")
Answer = TypeVar("Answer")

PATIENCE = 8
"""How often one task may lose its worker, and how many workers in a row may be lost without an answer."""

_LENGTH = 8
_PROGRAM = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from dragonrules.interpreter.files.workers import serve; serve()"
)


class WorkersDie(Exception):
    """Worker processes die again and again."""


@frozen
class _Lost:
    """Instead of an answer: the worker has died."""


@frozen
class _Failed:
    """Instead of an answer: an exception."""

    problem: BaseException


class Workers(Generic[Task, Answer]):
    """`count` processes that work out `work(shared, task)`. `work` is a function of a module."""

    def __init__(self, work: Callable[[Any, Task], Answer], shared: Any, count: int) -> None:
        self._shipped = pickle.dumps((work, shared), pickle.HIGHEST_PROTOCOL)
        self._tasks: LifoQueue[tuple[int, Task] | None] = LifoQueue()
        self._answers: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._closing = False
        self._threads = [threading.Thread(target=self._stand_behind, daemon=True) for _ in range(count)]

    def __enter__(self) -> Workers[Task, Answer]:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close(at_once=problem[0] is not None)

    @property
    def pids(self) -> list[int]:
        with self._lock:
            return list(self._processes)

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Answer]]:
        """Tasks with their answers, each once, in the order in which they are done."""
        for number in reversed(range(len(tasks))):
            self._tasks.put((number, tasks[number]))
        for thread in self._threads:
            if thread.ident is None:
                thread.start()
        losses: Counter[int] = Counter()
        in_a_row = 0
        left = len(tasks)
        while left:
            try:
                number, answer = self._answers.get(
                    timeout=0.5
                )  # a bare wait cannot be interrupted everywhere
            except Empty:
                continue
            if isinstance(answer, _Lost):
                losses[number] += 1
                in_a_row += 1
                if losses[number] > PATIENCE or in_a_row > PATIENCE * len(self._threads):
                    raise WorkersDie
                self._tasks.put((number, tasks[number]))
                continue
            if isinstance(answer, _Failed):
                raise answer.problem
            in_a_row = 0
            left -= 1
            yield tasks[number], answer

    def close(self, *, at_once: bool) -> None:
        """End the processes: when they are idle, or wherever they are."""
        with self._lock:
            self._closing = True
            if at_once:
                for process in self._processes.values():
                    process.kill()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    # ------------------------------------------------------------ in a thread for each worker
    def _stand_behind(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        try:
            while not self._closing and (given := self._tasks.get()) is not None:
                number, task = given
                answer: Any = _Lost()
                try:
                    process = process or self._started()
                    _send(process.stdin, pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
                    answer = pickle.loads(_received(process.stdout))
                except (OSError, EOFError, pickle.UnpicklingError):
                    self._ended(process)
                    process = None
                except BaseException as problem:  # of ours; whoever waits for the answer must hear of it
                    answer = _Failed(problem)
                self._answers.put((number, answer))
        finally:
            self._ended(process)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closing:
                raise EOFError
            process = subprocess.Popen(
                [sys.executable, *_flags(), "-c", _PROGRAM, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                **_own_group(),
            )
            self._processes[process.pid] = process
        try:
            _send(process.stdin, self._shipped)
        except OSError:
            self._ended(process)
            raise
        return process

    def _ended(self, process: subprocess.Popen[bytes] | None) -> None:
        """Reap a process: it is dead, or will be now that nobody tells it anything."""
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with self._lock:
            self._processes.pop(process.pid, None)


def _flags() -> list[str]:
    """What this interpreter was started with, as far as it matters."""
    return [f"-W{option}" for option in sys.warnoptions] + ["-O"] * sys.flags.optimize


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


# ---------------------------------------------------------------- both ends of a pipe
def _send(pipe: IO[bytes] | None, data: bytes) -> None:
    assert pipe is not None
    pipe.write(len(data).to_bytes(_LENGTH, "big"))
    pipe.write(data)
    pipe.flush()


def _received(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    head = pipe.read(_LENGTH)
    if len(head) < _LENGTH:
        raise EOFError
    length = int.from_bytes(head, "big")
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


# ---------------------------------------------------------------- in a worker
def serve() -> None:
    """Answer tasks until there are no more. What is printed on the way goes to stderr, not among the answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks = sys.stdin.buffer
    with contextlib.suppress(EOFError, OSError):
        work, shared = pickle.loads(_received(tasks))
        while True:
            task = pickle.loads(_received(tasks))
            _send(answers, _worked_out(work, shared, task))


def _worked_out(work: Callable[[Any, Any], Any], shared: Any, task: Any) -> bytes:
    try:
        return pickle.dumps(work(shared, task), pickle.HIGHEST_PROTOCOL)
    except Exception as problem:
        with contextlib.suppress(Exception):
            packed = pickle.dumps(_Failed(problem))
            pickle.loads(packed)  # not every exception can be made again
            return packed
        return pickle.dumps(_Failed(RuntimeError(f"{type(problem).__name__}: {problem}")))
