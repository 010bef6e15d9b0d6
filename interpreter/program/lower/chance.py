"""Lowering of chance: draws, rolls, and looks at a deck."""

from __future__ import annotations

from ...core import (
    And,
    Apply,
    Const,
    Draw,
    DrawOne,
    Ex,
    If,
    Let,
    Nothing,
    Peek,
    PeekOne,
    PeekShow,
    Roll,
    St,
    Var,
)
from ...core import value_types as t
from ..terminators import (
    ChanceDraw,
    ChanceRoll,
)
from .part import Part, local, number, takes_apart


class Chance(Part):
    # ------------------------------------------------------------ chance
    @takes_apart(Draw)
    def low_draw(self, st: Draw) -> None:
        """One draw after the other, as long as there is something to draw; then, if that was not
        enough, the `else`."""
        amount, source, place, at = (st.amount, st.source, st.place, st.at)
        once = isinstance(amount, Const) and amount.value == 1
        or_else = any(not isinstance(part, Nothing) for part in st.orelse)
        if st.var is not None:
            self.emit(Let(st.span, st.var, Const(t.NOTHING, st.span, -1)))
        left = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        more = Apply(t.YES_NO, st.span, "gt", (local(left, st.span), number(0, st.span)))
        # asked before each draw: what a draw triggers may take from the source, or fill it again
        test: Ex = Apply(t.YES_NO, st.span, "not", (Apply(t.YES_NO, st.span, "empty", (source,)),))
        if not once:
            self.emit(Let(st.span, left, amount))
            test = And(t.YES_NO, st.span, more, test)
        elif or_else:
            self.emit(Let(st.span, left, number(1, st.span)))
        head = self.follow()
        self.c.block = head
        ready, done, drawn = self.new_block(), self.new_block(), self.new_block()
        self.branch(test, ready, done, st.span)
        self.c.block = ready
        what = Var("drawn", f"drawn_{self.number()}", t.UNKNOWN)
        self.end(ChanceDraw(st.span, self.c.me, source, "random" if st.random else "top", what, drawn.id))
        self.c.block = drawn
        if st.var is not None:
            self.emit(Let(st.span, st.var, local(what, st.span)))
        move: St = DrawOne(st.span, local(what, st.span), source, place, at, st.end)
        before, move, after = self.c.crossings.around(move)
        for part in (*before, move, *after):
            self.c.stmt(part)
        if not once or or_else:
            fewer = Apply(left.type, st.span, "sub", (local(left, st.span), number(1, st.span)))
            self.emit(Let(st.span, left, fewer))
        self.jump(done if once else head, st.span)
        self.c.block = done
        if or_else:
            self.c.stmt(If(st.span, more, st.orelse))

    @takes_apart(Roll)
    def low_roll(self, st: Roll) -> None:
        after = self.new_block()
        self.end(ChanceRoll(st.span, self.c.me, st.domain, st.weight, st.audience, st.var, after.id))
        self.c.block = after

    @takes_apart(Peek)
    def low_peek(self, st: Peek) -> None:
        """The unknown top of a deck becomes known, to the audience, card by card."""
        amount, place = (st.amount, st.place)
        left = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        self.emit(Let(st.span, left, Apply(left.type, st.span, "peek_need", (place, amount))))
        head = self.follow()
        self.c.block = head
        ready, done, drawn = self.new_block(), self.new_block(), self.new_block()
        test = Apply(t.YES_NO, st.span, "gt", (local(left, st.span), number(0, st.span)))
        self.branch(test, ready, done, st.span)
        self.c.block = ready
        what = Var("drawn", f"drawn_{self.number()}", t.UNKNOWN)
        self.end(ChanceDraw(st.span, self.c.me, place, "peek", what, drawn.id))
        self.c.block = drawn
        self.emit(PeekOne(st.span, local(what, st.span), place))
        self.emit(
            Let(st.span, left, Apply(left.type, st.span, "sub", (local(left, st.span), number(1, st.span))))
        )
        self.jump(head, st.span)
        self.c.block = done
        self.emit(PeekShow(st.span, place, amount, st.audience, secretly=st.secretly))
