"""What every part of the checker has: the context that all of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.dispatch import Dispatch

if TYPE_CHECKING:
    from .context import Context


class Part:
    def __init__(self, c: Context) -> None:
        self.c = c
        self.game = c.game
        self.error = c.error


checks = Dispatch()
"""Which method checks a statement, by its class in the syntax tree."""
