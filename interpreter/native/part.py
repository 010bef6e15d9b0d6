"""What every part of the writer of native code has: the function that is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.dispatch import Dispatch

if TYPE_CHECKING:
    from .function import FunctionCode

gives = Dispatch()
"""Which method writes the value of an expression."""
tells = Dispatch()
"""The same where that is yes or no, as one bit."""
does = Dispatch()
"""Which method writes a statement."""
ends = Dispatch()
"""Which method writes the end of a block."""


class Part:
    def __init__(self, c: FunctionCode) -> None:
        self.c = c
        self.module = c.module
        self.game = c.game
        self.layout = c.layout
        self.reps = c.reps
        self.memory = c.memory
