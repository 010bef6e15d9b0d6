"""Bounds on the work that checking a game may take.

Rules that a person writes are checked in a second or two. Others can be written:
a chain of a thousand definitions, thirty rules that each call the one before twice.
Nothing that can be written may keep a machine busy for ever, so each step that
could grow without a bound has one, counted in steps and sizes and so the same
everywhere; whoever meets one gets D0115. The processor time is bounded as well,
far above all of them, for what nobody has thought of.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ...grammar import Diagnostic, Report, Span
from .errors import SpecError

DEPTH = 1200
"""Calls inside each other while a game is checked: some 90 definitions or 190 rules in a chain."""

SECONDS = 30
"""Of processor time, for one rule set."""

STEPS = 1_000_000
"""Lines of generated code that a set-up may take to be looked at."""

TABLE = 4_000_000
"""Entries of a table that is worked out before a match."""

CODE = "D0115"


class TooMuch(SpecError):
    """A bound was met."""

    def __init__(self, message: str, span: Span, help: str | None = None) -> None:
        super().__init__([Diagnostic(CODE, message, span, help)])


class _OutOfTime(BaseException):
    """Processor time is used up. No ordinary exception: nothing in between may swallow it."""


@contextmanager
def bounded(span: Span) -> Iterator[None]:
    """What is done in here ends; `TooMuch`, at `span` if nothing better is known, if it had to be ended."""
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(_depth() + DEPTH)  # however deep the caller is
        with _seconds(SECONDS):
            yield
    except RecursionError:
        message = "these rules lean on each other too deeply to be checked"
        raise TooMuch(message, span, "chains of definitions and of rules have to be shorter") from None
    except SyntaxError as problem:  # of the code that is made of them: Python bounds loops inside each other
        if not (problem.filename or "").startswith("<"):
            raise  # a module of our own
        message = "loops or conditions are too deep inside each other to be made into a program"
        raise TooMuch(message, span, "give the inner ones a rule or a definition of their own") from None
    except (_OutOfTime, MemoryError):
        raise TooMuch("these rules take too long to be checked", span) from None
    finally:
        sys.setrecursionlimit(before)


def within_bounds(span: Span, report: Report, work: Callable[[], None]) -> None:
    """Do some work; a bound that it meets goes to the report."""
    try:
        with bounded(span):
            work()
    except TooMuch as problem:
        for found in problem.diagnostics:
            report.add(found.code, found.message, found.span, help=found.help)


def _depth() -> int:
    frame: FrameType | None = sys._getframe()
    depth = 0
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


@contextmanager
def _seconds(most: int) -> Iterator[None]:
    """Where the system can tell: in the main thread, on POSIX, and if nobody else uses that clock."""
    timer = getattr(signal, "setitimer", None)
    alone = timer is not None and threading.current_thread() is threading.main_thread()
    if timer is None or not alone or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        yield
        return

    def over(*_: Any) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGVTALRM, over)
    timer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    finally:
        timer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def steps_of_generated_code(span: Span, most: int = STEPS) -> Iterator[None]:
    """Counts the lines of generated code that are run in here."""
    left = most

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith("<"):
            return None
        left -= 1
        if left < 0:
            raise TooMuch(f"it takes more than {most:,} steps until somebody is asked", span)
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
