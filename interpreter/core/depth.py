"""How deep rules may call each other.

A rule that never waits is a Python function, and calls another one as Python functions
do. Python counts such calls, and stops at a thousand, which is too few for a flood over
a large board. So an engine whose rules can come back to themselves raises that limit
while a block runs. That is safe: from 3.11 on, a call from one Python function to another
takes no room on the stack of the machine.

Rules that wait have frames of their own in the state (state.py), with a bound to match.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Lock
from typing import Any

from .statements import CallRule, St
from .traversal import bodies

DEEPEST = 20_000
"""Calls of rules inside each other; docs/language.md promises ten thousand."""

LONGEST_STACK = 100_000
"""Slots on the control stack of a match."""

LONG_RUN = 250_000
"""Blocks, or outcomes of chance, in a row without a decision: then a match is said to go on for ever."""

_lock = Lock()
_raised = 0
_before = 0


@contextmanager
def deeper(calls: int = DEEPEST) -> Iterator[None]:
    """Python functions may call each other so much deeper in here. The limit belongs to the process:
    of several threads the first raises it, the last one puts it back."""
    global _raised, _before
    with _lock:
        if not _raised:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(_before + calls)
        _raised += 1
    try:
        yield
    finally:
        with _lock:
            _raised -= 1
            if not _raised:
                sys.setrecursionlimit(_before)


def going_deeper(block: Callable[[Any, Any], int]) -> Callable[[Any, Any], int]:
    @wraps(block)
    def run(state: Any, value: Any) -> int:
        with deeper():
            return block(state, value)

    return run


def comes_back(procedures: dict[str, tuple[St, ...]]) -> bool:
    """Is there a rule that calls itself, or others that do, by its name in these?"""
    calls = {name: set(_called(body)) & set(procedures) for name, body in procedures.items()}
    while leaves := [name for name, called in calls.items() if not called]:
        for name in leaves:
            del calls[name]
        for called in calls.values():
            called.difference_update(leaves)
    return bool(calls)


def _called(body: tuple[St, ...]) -> Iterator[str]:
    for st in body:
        if isinstance(st, CallRule):
            yield st.rule
        for inner in bodies(st):
            yield from _called(inner)
