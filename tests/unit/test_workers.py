"""Worker processes: none of them is needed, none of their answers is lost, and nobody waits for the dead."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from dragonrules.interpreter.files import workers
from dragonrules.interpreter.files.workers import Workers, WorkersDie

MUCH = bytes(3_000_000)
"""More than any pipe holds."""

# What workers do is asked of functions of the standard library, which every process can import.
SQUARES = [(n, 2) for n in range(40)]


def power(_: Any, task: tuple[int, int]) -> int:
    return task[0] ** task[1]


@pytest.fixture(autouse=True)
def _found_by_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions of this file, under a name that a worker can import."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for function in (power, noisy, fails, unspeakable, dies_once):
        monkeypatch.setattr(function, "__module__", "test_workers")
    monkeypatch.setitem(sys.modules, "test_workers", sys.modules[__name__])


def noisy(_: Any, task: int) -> int:
    print("this is no answer")
    os.write(1, b"neither is this")
    return task


def fails(_: Any, task: int) -> int:
    raise LookupError(f"no {task}")


class Unspeakable(Exception):
    def __init__(self, a: int, b: int) -> None:
        super().__init__("cannot be made again")


def unspeakable(_: Any, task: int) -> int:
    raise Unspeakable(1, 2)


def dies_once(folder: str, task: int) -> int:
    """Every task takes its first worker with it."""
    mark = Path(folder) / str(task)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_every_task_is_answered_once() -> None:
    with Workers(power, MUCH, 2) as pool:
        assert sorted(pool.run(SQUARES)) == [((n, 2), n * n) for n in range(40)]
        assert pool.pids
    assert pool.pids == []


def test_tasks_outlive_their_workers(tmp_path: Path) -> None:
    with Workers(dies_once, str(tmp_path), 2) as pool:
        assert sorted(pool.run(range(6))) == [(n, n) for n in range(6)]


def test_a_worker_that_dies_while_it_starts_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first two are killed in the very moment they are there, before they have read what is shipped."""
    start, killed = subprocess.Popen, []

    def doomed(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        process = start(*args, **more)
        if len(killed) < 2:
            killed.append(process.pid)
            process.kill()
        return process

    monkeypatch.setattr(workers.subprocess, "Popen", doomed)
    with Workers(power, MUCH, 2) as pool:
        assert len(list(pool.run(SQUARES))) == 40
    assert len(killed) == 2


@pytest.mark.parametrize(
    "program", ["import os; os.abort()", "pass", "import sys; sys.stdout.write('x' * 99)"]
)
def test_workers_that_never_work_are_given_up(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PROGRAM", program)
    monkeypatch.setattr(workers, "PATIENCE", 1)
    with pytest.raises(WorkersDie), Workers(power, MUCH, 2) as pool:
        list(pool.run(SQUARES))


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.sys, "executable", "/nowhere/python")
    with pytest.raises(WorkersDie), Workers(power, None, 2) as pool:
        list(pool.run(SQUARES))


def test_what_workers_print_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    with Workers(noisy, None, 1) as pool:
        assert list(pool.run([1, 2])) == [(1, 1), (2, 2)]
    assert "neither is this" in capfd.readouterr().err


def test_what_goes_wrong_in_a_worker_goes_wrong_here() -> None:
    with pytest.raises(LookupError, match="no 5"), Workers(fails, None, 1) as pool:
        list(pool.run([5]))
    with pytest.raises(RuntimeError, match="Unspeakable"), Workers(unspeakable, None, 1) as pool:
        list(pool.run([5]))


def test_leaving_early_ends_the_processes() -> None:
    pool = Workers(power, MUCH, 2)
    answers = pool.run(SQUARES)
    next(answers)
    pool.close(at_once=True)
    assert pool.pids == []
    assert not any(thread.is_alive() for thread in pool._threads)


def test_an_interruption_is_heard_while_workers_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that neither work nor die; a program that waits for them still answers Ctrl-C."""
    program = (
        "import sys, json; sys.path[:] = json.loads(sys.argv[1])\n"
        "from dragonrules.interpreter.files import workers\n"
        "import builtins, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "workers._PROGRAM = 'import time; print(flush=True); time.sleep(600)'\n"
        "with workers.Workers(pow, bytes(3_000_000), 2) as pool:\n"
        "    for thread in pool._threads: thread.start()\n"
        "    pool._tasks.put((0, 1))\n"
        "    while not pool.pids: pass\n"
        "    print('waiting', flush=True)\n"
        "    list(pool.run([2, 3]))\n"
    )
    command = [sys.executable, "-c", program, json.dumps(sys.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        watchdog.cancel()
    assert "KeyboardInterrupt" in errors
    assert process.returncode not in (-signal.SIGKILL, 0)
