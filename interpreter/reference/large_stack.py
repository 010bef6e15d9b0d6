"""Rules that call each other thousands deep, walked by generators inside generators.

Each of those takes room on the stack of the machine, more than the main thread has. So a
step of a game whose rules can come back to themselves runs in a thread with more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..core.depth import DEEPEST, deeper

STACK = 1 << 29
GENERATORS_FOR_A_CALL = 12


def on_a_large_stack(work: Callable[[], Any]) -> Any:
    """The result of some work, or the exception that it ends with."""
    result: list[Any] = []
    problem: list[BaseException] = []

    def run() -> None:
        try:
            with deeper(DEEPEST * GENERATORS_FOR_A_CALL):
                result.append(work())
        except BaseException as raised:
            problem.append(raised)

    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if problem:
        raise problem[0]
    return result[0]
