"""What every part of the back end has: the function being written, and the ways to write that all of them need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.dispatch import Dispatch

if TYPE_CHECKING:
    from .context import Context


class Part:
    def __init__(self, c: Context) -> None:
        self.c = c
        self.layout = c.layout
        self.game = c.game
        self.pool = c.pool
        self.line = c.line
        self.temp = c.temp
        self.emit = c.emit
        self.condition = c.condition
        self.atom = c.atom
        self.known = c.known


writes_value = Dispatch()
"""Which method writes an expression, by its class or operator."""
writes_lines = Dispatch()
"""Which method writes a statement."""
writes_end = Dispatch()
"""Which method writes the end of a block."""
