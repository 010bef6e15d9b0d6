"""What every part of the lowering has: the context that all of them share, and the ways to write blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....grammar import Span
from ...core import Const, Ex, Local, Var
from ...core import value_types as t
from ...core.dispatch import Dispatch

if TYPE_CHECKING:
    from .context import Context


class Part:
    def __init__(self, c: Context) -> None:
        self.c = c
        self.game = c.game
        self.program = c.program
        self.number = c.number
        self.stmts = c.stmts
        self.emit = c.emit
        self.new_block = c.new_block
        self.follow = c.follow
        self.end = c.end
        self.jump = c.jump
        self.branch = c.branch


takes_apart = Dispatch()
"""Which method makes blocks of a statement, by its class."""


def local(var: Var, span: Span) -> Local:
    return Local(var.type, span, var)


def number(value: int, span: Span) -> Ex:
    return Const(t.Num(value, value), span, value)
