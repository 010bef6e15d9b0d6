"""Checking expressions: names to declarations, types, no effects.

`expr` turns a syntax expression into a typed `Ex`. Paths are built up step by
step (`raw`): `p.stack` is a partial reference to a place until its index has
been read; `complete` insists that nothing is missing. A condition that says
`x != none` makes `x` certain in what it guards (certainty.py).
"""

from __future__ import annotations

from ...grammar import Span, Word, syntax
from ..core import And, Apply, Conditional, Const, Ex, Or, PlaceRef, RecordField, StateRef, applies
from ..core import value_types as t
from .constants import not_constant
from .part import Part
from .paths import declaration
from .scope import Body, Scope
from .wording import as_condition, brief, highest, lowest, range_words

LARGEST = 10_000
"""How many things a place, a type or a choice may run to."""
_ARITHMETIC = {
    syntax.Plus: "add",
    syntax.Minus: "sub",
    syntax.Times: "mul",
    syntax.Divide: "div",
    syntax.Modulo: "mod",
}


class Expressions(Part):
    """Expressions of all forms, and what is wanted of them."""

    # ------------------------------------------------------------ entry points
    def expr(self, node: syntax.Expr, scope: Scope, want: t.Type | None = None) -> Ex:
        return self.c.sure.of(node, self.complete(self.raw(node, scope, want), node.span), scope)

    def value(self, node: syntax.Expr, scope: Scope, want: t.Type, what: str = "this") -> Ex:
        return self.c.fit.expect(self.expr(node, scope, want), want, node.span, what)

    def condition(self, node: syntax.Expr, scope: Scope) -> Ex:
        ex = self.c.fit.as_value(self.expr(node, scope, t.YES_NO))
        if isinstance(ex.type, t.Opt) and isinstance(ex.type.of, t.YesNo):
            return Apply(t.YES_NO, ex.span, "eq", (ex, Const(t.YES_NO, ex.span, 1)))
        if not t.fits(ex.type, t.YES_NO):
            return self.error(
                "D0313",
                f"a condition is yes or no, but this is {t.a(ex.type)}",
                node.span,
                help=f"write `{as_condition(ex.type, brief(node.span))}`, say",
            )
        return ex

    def number(self, node: syntax.Expr, scope: Scope, what: str = "this") -> Ex:
        ex = self.c.fit.as_value(self.expr(node, scope, t.Num(0, 0)))
        if isinstance(ex.type, t.Num | t.Unknown):
            return ex
        if isinstance(ex.type, t.Opt) and isinstance(ex.type.of, t.Num):
            return self.c.fit.expect(ex, ex.type.of, node.span, what)
        hint = (
            f"write `count({brief(node.span)})`"
            if isinstance(ex.type, t.Place | t.SetOf | t.ListOf)
            else None
        )
        return self.error("D0301", f"{what} is {t.a(ex.type)}, but a number is needed", node.span, help=hint)

    def domain(self, node: syntax.Expr, scope: Scope, want: t.Type | None = None) -> Ex:
        ex = self.c.fit.items(self.expr(node, scope, t.SetOf(want) if want else None))
        if applies(ex, "range") and all(isinstance(a, Const) for a in ex.args):
            low, high = (a.value for a in ex.args if isinstance(a, Const))
            if high < low:
                return self.error("D0303", "this range is empty: the lower number comes first", node.span)
            if high - low >= LARGEST:
                return self.error(
                    "D0303", f"this runs over {high - low + 1} numbers; the most is {LARGEST}", node.span
                )
        return ex

    def _literal(self, text: str, sign: int, span: Span) -> Ex:
        value = sign * self.whole(text, span)
        return Const(t.Num(value, value) if len(text) <= 9 else t.UNKNOWN, span, value)

    def whole(self, text: str, span: Span) -> int:
        """The number that digits stand for."""
        if len(text) > 9:
            self.error("D0303", "a number has at most nine digits", span)
            return 0
        return int(text)

    # ------------------------------------------------------------ by form
    def _named(self, name: Word, ex: Ex) -> Ex:
        """An expression that a name stands for: for the index."""
        self.c.index.meant(name, ex)
        return ex

    def raw(self, node: syntax.Expr, scope: Scope, want: t.Type | None = None) -> Ex:
        match node:
            case syntax.Group(inner=inner):
                return self.raw(inner, scope, want)
            case syntax.Number(text=text):
                return self._literal(text, 1, node.span)
            case syntax.NegativeNumber(text=text):
                return self._literal(text, -1, node.span)
            case syntax.Name(text=text):
                return self._named(text, self.c.paths.name(text, scope, want))
            case syntax.TypeName(text=text):
                return self._named(text, self.c.paths.type_name(text, scope))
            case syntax.Everything():
                return self.error(
                    "D0316",
                    "`all` is not a value",
                    node.span,
                    help="it stands in `move all from ...` and `seen by all`",
                )
            case syntax.Attribute():
                return self._named(node.name, self.c.paths.attribute(node, scope))
            case syntax.Index():
                return self.c.paths.index(node, scope)
            case syntax.Invoke(of=syntax.Name(text=text)):
                return self._named(text, self.c.calls.invoke(node, scope, want))
            case syntax.Invoke():
                return self.c.calls.invoke(node, scope, want)
            case syntax.Can(of=of):
                return self.c.calls.can(of, node.span, scope)
            case syntax.SetOf(items=items):
                return self.c.operators.set(items or (), node.span, scope, want)
            case syntax.SetComp(comprehension=comp):
                inner_want = want.of if isinstance(want, t.SetOf) else None
                return self.c.loops.comprehension("set", comp, scope, node.span, inner_want)
            case syntax.RangeExpr(left=left, right=right):
                low, high = self.number(left, scope), self.number(right, scope)
                top = highest(high.type, t.MANY)
                return Apply(t.SetOf(t.Num(lowest(low.type), top)), node.span, "range", (low, high))
            case syntax.IfExpr(then=then, when=when, otherwise=otherwise):
                condition = self.condition(when, scope)
                first = self.c.fit.as_value(
                    self.expr(then, scope.knowing(self.c.sure.when(when, True)), want)
                )
                want = want or first.type
                second = self.c.fit.as_value(
                    self.expr(otherwise, scope.knowing(self.c.sure.when(when, False)), want)
                )
                joined = t.join(first.type, second.type)
                if isinstance(joined, t.Place) and first.type != second.type:
                    apart = [
                        x.type
                        for x in (first, second)
                        if isinstance(x.type, t.Place) and not self.c.fit.passable(x.type)
                    ]
                    joined = None if apart else joined
                if joined is None:
                    return self.error(
                        "D0301",
                        f"one side is {t.a(first.type)}, the other {t.a(second.type)}",
                        node.span,
                        help="both sides of `if ... else` must have one type",
                    )
                if isinstance(joined, t.Opt) and isinstance(joined.of, t.Num) and joined.of.low < 0:
                    return self.error(
                        "D0316",
                        "none cannot be told from a number below 0, so not one or the other",
                        node.span,
                    )
                return Conditional(joined, node.span, condition, first, second)
            case syntax.AndExpr(left=left, right=right):
                a = self.condition(left, scope)
                b = self.condition(right, scope.knowing(self.c.sure.when(left, True)))
                return And(t.YES_NO, node.span, a, b)
            case syntax.OrExpr(left=left, right=right):
                a = self.condition(left, scope)
                b = self.condition(right, scope.knowing(self.c.sure.when(left, False)))
                return Or(t.YES_NO, node.span, a, b)
            case syntax.NotExpr(of=of):
                return Apply(t.YES_NO, node.span, "not", (self.condition(of, scope),))
            case syntax.Negative(of=of):
                a = self.number(of, scope)
                return Apply(t.Num(-highest(a.type), -lowest(a.type)), node.span, "neg", (a,))
            case syntax.Plus() | syntax.Minus() | syntax.Times() | syntax.Divide() | syntax.Modulo():
                return self.c.operators.arithmetic(
                    _ARITHMETIC[type(node)], node.left, node.right, node.span, scope
                )
            case syntax.Equals(left=left, right=right):
                return self.c.operators.equality("eq", left, right, node.span, scope)
            case syntax.Compare(left=left, op=op, right=right):
                if op == "!=":
                    return self.c.operators.equality("ne", left, right, node.span, scope)
                return self.c.operators.ordering(op, left, right, node.span, scope)
            case syntax.IsIn(left=left, right=right):
                return self.c.operators.membership(left, right, node.span, scope)
            case syntax.IsNotIn(left=left, right=right):
                inside = self.c.operators.membership(left, right, node.span, scope)
                return Apply(t.YES_NO, node.span, "not", (inside,))
            case syntax.Note():
                return self.error(
                    "D0307",
                    "`note` has an effect, so it must be the whole value of `let` or `set`",
                    node.span,
                )
        raise AssertionError(f"no case for {type(node).__name__}")

    def complete(self, ex: Ex, span: Span) -> Ex:
        if isinstance(ex, PlaceRef | StateRef | RecordField):
            missing = len(self.dims(ex)) - len(ex.indices)
            if missing > 0:
                name = ex.name if isinstance(ex, RecordField) else declaration(ex).name
                return self.error(
                    "D0302",
                    f"`{name}` needs {missing} more index{'es' if missing > 1 else ''}",
                    span,
                    help=f"write `{brief(span)}[...]`",
                )
        return ex

    def dims(self, ex: PlaceRef | StateRef | RecordField) -> tuple[t.Type, ...]:
        if isinstance(ex, RecordField):
            return (t.Rec(ex.record.name), *ex.record.fields[ex.name][0])
        decl = declaration(ex)
        own = () if not decl.owner else (self.c.paths.owner_type(decl.owner),)
        return (*own, *decl.indices)

    def constants(self, name: str) -> Scope:
        """A scope for expressions that are fixed before the game."""
        return Scope(Body(name, "constant"), has_me=False)

    def fixed(self, ex: Ex, what: str) -> Ex:
        """The expression, if it can be worked out before a match starts."""
        found = not_constant(ex)
        if found is None:
            return ex
        span, inner = found
        related = [(inner, "because of this")] if inner is not None else []
        return self.error("D0317", f"{what} must be fixed before the game starts", span, related=related)

    def fixed_number(self, node: syntax.Expr, name: str, what: str, low: int = 0, high: int = LARGEST) -> Ex:
        """A number that is known before a match starts and stays within bounds."""
        ex = self.fixed(self.number(node, self.constants(name), what), what)
        if isinstance(ex.type, t.Num) and (ex.type.low > high or ex.type.high < low):
            return self.error("D0303", f"{what} is {range_words(ex.type)}, outside {low}..{high}", node.span)
        return self.c.fit.within(ex, t.Num(low, high))
