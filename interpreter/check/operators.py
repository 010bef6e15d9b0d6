"""Checking operators: arithmetic, comparisons, membership, sets."""

from __future__ import annotations

from ...grammar import Span, syntax
from ..core import Apply, Const, Ex
from ..core import value_types as t
from .comprehensions import space_of
from .fitting import certain
from .part import Part
from .scope import Scope
from .wording import brief, lowest

BEYOND_COUNTING = 10**30
_ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Operators(Part):
    """Operators between two values."""

    def arithmetic(self, op: str, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        a = self.c.fit.as_value(self.c.exprs.expr(left, scope))
        b = self.c.fit.as_value(self.c.exprs.expr(right, scope))
        if isinstance(a.type, t.Unknown) or isinstance(b.type, t.Unknown):
            return Const(t.UNKNOWN, span, 0)
        space = t.plain(a.type)
        if isinstance(space, t.Space) and op in ("add", "sub"):
            if t.plain(b.type) == t.DIRECTION and op == "add":
                endless = (
                    space.of in self.game.places
                    and self.game.places[space.of].width is None
                    and not isinstance(a.type, t.Opt)
                )
                return Apply(space if endless else t.Opt(space), span, "neighbour", (a, b))
            ring = space.of in self.game.places and self.game.places[space.of].form.round
            if isinstance(b.type, t.Num) and ring:
                return Apply(
                    space, span, "ring_step", (a, b if op == "add" else Apply(b.type, span, "neg", (b,)))
                )
        if isinstance(a.type, t.SetOf) and isinstance(b.type, t.SetOf) and op in ("add", "sub"):
            joined = t.join(a.type, b.type)
            if joined is not None:
                return Apply(joined, span, "union" if op == "add" else "difference", (a, b))
        if isinstance(a.type, t.ListOf) and isinstance(b.type, t.ListOf) and op == "add":
            return Apply(a.type, span, "concat", (a, b))
        if isinstance(space, t.Space) and isinstance(b.type, t.Num):
            return self.error(
                "D0301",
                f"{t.a(space)} is not a number",
                left.span,
                help="on a grid one goes by directions: `s + N`",
            )
        if isinstance(a.type, t.SetOf | t.ListOf) and op in ("add", "sub"):
            hint = None if isinstance(b.type, t.SetOf | t.ListOf) else f"write `{{{brief(right.span)}}}`"
            return self.error("D0301", f"{t.a(a.type)} and {t.a(b.type)} do not go together", span, help=hint)
        a, b = certain(a), certain(b)
        if not isinstance(a.type, t.Num) or not isinstance(b.type, t.Num):
            bad, where = (a, left) if not isinstance(a.type, t.Num) else (b, right)
            if isinstance(bad.type, t.Opt):
                return self.c.fit.expect(bad, bad.type.of, where.span)
            return self.error("D0301", f"this is {t.a(bad.type)}, but a number is needed", where.span)
        type_ = self._interval(op, a.type, b.type, span)
        if max(-type_.low, type_.high) > BEYOND_COUNTING:
            self.error("D0115", "this number may have more than 30 digits, which is beyond counting", span)
            type_ = t.Num(max(type_.low, -BEYOND_COUNTING), min(type_.high, BEYOND_COUNTING))
        return Apply(type_, span, op, (a, b))

    def _interval(self, op: str, a: t.Num, b: t.Num, span: Span) -> t.Num:
        match op:
            case "add":
                return t.Num(a.low + b.low, a.high + b.high)
            case "sub":
                return t.Num(a.low - b.high, a.high - b.low)
            case "mul":
                ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return t.Num(min(ends), max(ends))
            case "div":
                if b.low == b.high == 0:
                    self.error("D0303", "this divides by zero", span)
                    return a
                divisors = [y for y in (b.low, -1, 1, b.high) if y and b.low <= y <= b.high]
                ends = [x // y for x in (a.low, a.high) for y in divisors]
                return t.Num(min(ends), max(ends))
        if b.low <= 0:
            self.error("D0303", f"`mod` needs a number above zero, and this is {t.a(b)}", span)
        return t.Num(0, max(b.high - 1, 0))

    def equality(self, op: str, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        empty = [isinstance(side, syntax.SetOf) and not side.items for side in (left, right)]
        if any(empty):
            place = self.c.exprs.expr(right if empty[0] else left, scope)
            if isinstance(place.type, t.Place):
                if place.type.form.single:
                    self.c.old.slot(op, left, right)
                ex = Apply(t.YES_NO, span, "empty", (place,))
                return ex if op == "eq" else Apply(t.YES_NO, span, "not", (ex,))
        bare = (
            isinstance(left, syntax.Name)
            and left.text in self.c.names.kind_values
            and left.text not in scope.vars
        )
        if bare:
            b = self.c.fit.as_value(self.c.exprs.expr(right, scope))
            a = self.c.fit.as_value(self.c.exprs.expr(left, scope, b.type))
        elif isinstance(right, syntax.Name) and right.text == "none":  # one may ask again
            a = self.c.fit.as_value(self.c.exprs.complete(self.c.exprs.raw(left, scope), left.span))
            b = self.c.exprs.expr(right, scope)
        else:
            a = self.c.fit.as_value(self.c.exprs.expr(left, scope))
            b = self.c.fit.as_value(self.c.exprs.expr(right, scope, a.type))
        a, b = self._alike(a, b)
        self.c.old.counted("=" if op == "eq" else "!=", left, right, a, span)
        if isinstance(a.type, t.Place) and isinstance(b.type, t.Place):
            return Apply(t.YES_NO, span, op, (a, b))
        if not t.comparable(a.type, b.type):
            if isinstance(a.type, t.Nothing) or isinstance(b.type, t.Nothing):
                other = b if isinstance(a.type, t.Nothing) else a
                hint = (
                    f"an empty place is `{brief(other.span)} = {{}}`"
                    if isinstance(other.type, t.Place)
                    else None
                )
                return self.error(
                    "D0301", f"this is {t.a(other.type)}, which is never none", other.span, help=hint
                )
            return self.error(
                "D0301",
                f"{t.a(a.type)} and {t.a(b.type)} cannot be compared",
                span,
                help="both sides must have one type",
            )
        if isinstance(a.type, t.Opt) != isinstance(b.type, t.Opt):  # equal to something certain
            doubtful, other = (left, b) if isinstance(a.type, t.Opt) else (right, a)
            if not isinstance(other.type, t.Nothing):
                self.c.sure.if_so(left, right, doubtful)
        return Apply(t.YES_NO, span, op, (a, b))

    def _alike(self, a: Ex, b: Ex) -> tuple[Ex, Ex]:
        """Beside one component, a set of printed ones stands for the one."""
        if isinstance(t.plain(a.type), t.Comp):
            return a, self.c.printed.one(b, wanted=True)
        if isinstance(t.plain(b.type), t.Comp):
            return self.c.printed.one(a, wanted=True), b
        return a, b

    def ordering(self, op: str, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        a = certain(self.c.fit.as_value(self.c.exprs.expr(left, scope)))
        b = certain(self.c.fit.as_value(self.c.exprs.expr(right, scope, a.type)))
        for ex, node in ((a, left), (b, right)):
            if isinstance(ex.type, t.Opt):
                return self.c.fit.expect(ex, ex.type.of, node.span)
            if not isinstance(ex.type, t.Num | t.Kind | t.Player | t.Unknown):
                return self.error("D0310", f"{t.a(ex.type)} has no order", node.span)
        if not t.comparable(a.type, b.type):
            return self.error("D0301", f"{t.a(a.type)} and {t.a(b.type)} cannot be compared", span)
        self.c.old.counted(op, left, right, a, span)
        return Apply(t.YES_NO, span, _ORDER[op], (a, b))

    def membership(self, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        bare = (
            isinstance(left, syntax.Name)
            and left.text in self.c.names.kind_values
            and left.text not in scope.vars
        )
        if bare:
            whole = self.c.exprs.expr(right, scope)
            inside = self.c.fit.element(whole) if not isinstance(whole.type, t.Place) else None
            a = self.c.fit.as_value(self.c.exprs.expr(left, scope, inside))
        else:
            a = self.c.fit.as_value(self.c.exprs.expr(left, scope))
            a = self.c.printed.one(a)
            whole = self.c.exprs.expr(right, scope, t.SetOf(t.plain(a.type)))
        if isinstance(whole.type, t.Place):
            if whole.type.of in self.game.tokens or not t.comparable(a.type, t.Comp(whole.type.of)):
                return self.error("D0301", f"{t.a(a.type)} cannot be in a place of {whole.type.of}", span)
            if isinstance(a.type, t.Opt) or whole.type.form.spaces:
                self.c.sure.if_so(left, right, left, *([space_of(left)] if whole.type.form.spaces else []))
            return Apply(t.YES_NO, span, "is_at", (a, whole))
        whole = self.c.fit.items(whole)
        if not t.comparable(a.type, self.c.fit.element(whole)):
            return self.error("D0301", f"{t.a(a.type)} cannot be in {t.a(whole.type)}", span)
        if isinstance(a.type, t.Opt) and lowest(self.c.fit.element(whole)) >= 0:
            self.c.sure.if_so(left, right, left)
        return Apply(t.YES_NO, span, "in", (a, whole))

    def set(self, items: tuple[syntax.Expr, ...], span: Span, scope: Scope, want: t.Type | None) -> Ex:
        inner = want.of if isinstance(want, t.SetOf) else None
        values = []
        type_: t.Type = t.UNKNOWN
        for item in items:
            ex = self.c.fit.as_value(self.c.exprs.expr(item, scope, inner if inner is not None else type_))
            ex = self.c.printed.one(ex)
            if isinstance(ex.type, t.SetOf | t.ListOf | t.Place):
                hint = f"`{brief(item.span)}` is a set already" if isinstance(ex.type, t.SetOf) else None
                return self.error("D0301", f"a set cannot hold {t.a(ex.type)}", item.span, help=hint)
            joined = t.join(type_, ex.type)
            if joined is None:
                return self.error(
                    "D0301", f"a set cannot hold both {t.a(type_)} and {t.a(ex.type)}", item.span
                )
            type_ = joined
            values.append(ex)
        return Apply(t.SetOf(t.plain(type_)), span, "set", tuple(values))
