"""Definitions with a body: `let`, `if`, `for` and `return`, rewritten into one expression.

A part of a body has a *way*: whether it returns (`hit`: surely, never, or a condition) and what. Parts that follow each
other, the two sides of an `if` and the passes of a `for` are put together from the ways of what is in them. A name
of a `let` is written in where it is used once, or else bound around the expression as the only value of a set.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from ...grammar import Span, syntax
from ..core import (
    And,
    Apply,
    Conditional,
    Const,
    Ex,
    Gen,
    Local,
    Me,
    Option,
    Or,
    Reduction,
    Var,
    changed,
    map_children,
    within,
)
from ..core import value_types as t
from .part import Part
from .scope import Scope
from .wording import brief

_SIMPLE = (Const, Local, Option, Me)
_SMALL = (t.Num, t.Kind, t.Comp, t.Player, t.YesNo, t.Space)


@frozen
class Way:
    """Does a part of a body return (yes, no, or if this holds), and what?"""

    hit: bool | Ex
    value: Ex | None = None


MISS = Way(False)


class DefineBodies(Part):
    def expression(self, body: syntax.Suite, scope: Scope, wanted: t.Type | None) -> Ex:
        """The value of a whole body."""
        way = self._suite(body, scope, wanted)
        if way.hit is not True or way.value is None:
            if not isinstance(way.value, Const) or not isinstance(way.value.type, t.Unknown):
                self.error(
                    "D0319",
                    f"there is a way through `{scope.body.name}` that gives nothing",
                    _last_line(body),
                    help="end it with `return`",
                )
            return Const(t.UNKNOWN, body.span, 0)
        return way.value

    # ------------------------------------------------------------ statements
    def _suite(self, suite: syntax.Suite, scope: Scope, wanted: t.Type | None) -> Way:
        body = suite.body if isinstance(suite, syntax.Block) else (suite.body,)  # type: ignore[attr-defined]
        return self._block(body, scope.child(), wanted)

    def _block(self, body: tuple[syntax.Stmt, ...], scope: Scope, wanted: t.Type | None) -> Way:
        if not body:
            return MISS
        first, *others = body
        if isinstance(first, syntax.SimpleLine):
            first = first.body

        def rest() -> Way:
            return self._block(tuple(others), scope, wanted)

        match first:
            case syntax.Nothing():
                return rest()
            case syntax.Step(body=inner):
                inside = inner.body if isinstance(inner, syntax.Block) else (inner.body,)  # type: ignore[attr-defined]
                return self._block((*inside, *others), scope, wanted)
            case syntax.Return(value=None):
                self.error("D0319", "a definition has a value, so one must stand here", first.span)
                return Way(True, Const(t.UNKNOWN, first.span, 0))
            case syntax.Return(value=value) if value is not None:
                return Way(True, self._value(value, scope, wanted))
            case syntax.Let():
                return self._let(first, scope, wanted, rest)
            case syntax.IfElse():
                return self._if_else(first, scope, wanted, rest)
            case syntax.ForLoop():
                return self._then(self._for(first, scope, wanted), rest)
        word = first.span.text.split(maxsplit=1)[0].partition("(")[0].strip(":")
        self.error(
            "D0307",
            f"`{word}` has an effect or asks somebody; a definition only finds out",
            first.span,
            help="`let`, `if`, `for` and `return` may stand here; what happens belongs in a `rule`",
        )
        return Way(True, Const(t.UNKNOWN, first.span, 0))

    def _value(self, node: syntax.Expr, scope: Scope, wanted: t.Type | None) -> Ex:
        ex = self.c.exprs.expr(node, scope, wanted)
        if wanted is not None:
            return self.c.fit.expect(ex, wanted, node.span, "the value")
        return self.c.fit.as_value(ex)

    def _named(self, node: syntax.Let | syntax.IfLet, scope: Scope) -> tuple[Var, Ex]:
        ex = self.c.fit.as_value(self.c.printed.one(self.c.exprs.expr(node.value, scope)))
        if isinstance(ex.type, t.Place):
            ex = self.c.fit.items(ex)
        return self.c.loops.bind(scope, node.name, ex.type), ex

    def _let(self, node: syntax.Let, scope: Scope, wanted: t.Type | None, rest: Callable[[], Way]) -> Way:
        before = scope.child()
        var, ex = self._named(node, scope)
        if node.otherwise is None:
            return self._with(var, ex, rest())
        otherwise = self._block((node.otherwise,), before, wanted)
        if otherwise.hit is True:
            scope.learn([syntax.Name(node.name, span=node.name.span)])
        there = _is_there(var, node.value.span)
        return self._with(var, ex, self._branch(there, MISS, otherwise, node.span, rest))

    def _if_else(
        self, node: syntax.IfElse, scope: Scope, wanted: t.Type | None, rest: Callable[[], Way]
    ) -> Way:
        inner, outer = scope.child(), scope.child()
        named: tuple[Var, Ex] | None = None
        if isinstance(node.when, syntax.IfLet):
            named = self._named(node.when, inner)
            inner.learn([syntax.Name(node.when.name, span=node.when.name.span)])
            condition = _is_there(named[0], node.when.span)
            if not isinstance(named[1].type, t.Opt | t.Unknown):
                text = brief(node.when.value.span)
                self.c.report.warn(
                    "D0410", f"`{text}` is never none, so the test always holds", node.when.span
                )
                condition = Const(t.YES_NO, node.when.span, 1)
        else:
            condition = self.c.exprs.condition(node.when, scope)
            inner.learn(self.c.sure.when(node.when, True))
            outer.learn(self.c.sure.when(node.when, False))
        then = self._suite(node.then, inner, wanted)
        other = MISS
        if isinstance(node.otherwise, syntax.IfElse):
            other = self._block((node.otherwise,), outer, wanted)
        elif node.otherwise is not None:
            other = self._suite(node.otherwise, outer, wanted)
        if then.hit is True and other is MISS and named is None and not isinstance(node.when, syntax.IfLet):
            scope.learn(self.c.sure.when(node.when, False))
        if named is None:
            return self._branch(condition, then, other, node.span, rest)
        return self._then(
            self._with(*named, self._branch(condition, then, other, node.span, lambda: MISS)), rest
        )

    def _for(self, node: syntax.ForLoop, scope: Scope, wanted: t.Type | None) -> Way:
        if node.as_player is not None or node.label is not None:
            self.error("D0316", "nobody decides in a definition, and nothing is stopped", node.span)
        inner = scope.child()
        gens = self.c.loops.generators(node.binders, inner)
        conditions = self.c.loops.conjuncts(node.where, inner)
        if node.where is not None:
            inner.learn(self.c.sure.when(node.where, True))
        found = self._suite(node.body, inner, wanted)
        if found.hit is False or found.value is None:
            return MISS
        if not isinstance(found.hit, bool):
            conditions = [*conditions, found.hit]
        gens = self.c.loops.place_conditions(gens, conditions)
        yes = Const(t.YES_NO, node.span, 1)
        hit = Reduction(t.YES_NO, node.span, "any", gens, yes)
        return Way(hit, Reduction(found.value.type, node.span, "first", gens, found.value))

    # ------------------------------------------------------------ putting together
    def _branch(self, condition: Ex, then: Way, other: Way, span: Span, rest: Callable[[], Way]) -> Way:
        """An `if`, and what stands behind it."""
        if then.hit is True and other.hit is True:
            return Way(True, self._joined(condition, then, other, span))
        behind = rest()
        if then.hit is True and other.hit is False:
            return Way(_or(condition, behind.hit), self._joined(condition, then, behind, span))
        if then.hit is False and other.hit is True:
            no = Apply(t.YES_NO, condition.span, "not", (condition,))
            return Way(_or(no, behind.hit), self._joined(condition, behind, other, span))
        if then.hit is False and other.hit is False:
            return behind
        yes = _and(condition, then.hit)
        otherwise = _and(Apply(t.YES_NO, condition.span, "not", (condition,)), other.hit)
        both = Way(_or(yes, otherwise), self._joined(condition, then, other, span))
        return self._then(both, lambda: behind)

    def _then(self, first: Way, rest: Callable[[], Way]) -> Way:
        """One part behind another."""
        if first.hit is True:
            return first
        behind = rest()
        if isinstance(first.hit, bool) or first.value is None:
            return behind
        return Way(_or(first.hit, behind.hit), self._joined(first.hit, first, behind, first.value.span))

    def _joined(self, condition: Ex, then: Way, other: Way, span: Span) -> Ex | None:
        if then.value is None or other.value is None:
            return then.value or other.value
        joined = t.join(then.value.type, other.value.type)
        if joined is None:
            return self.error(
                "D0301",
                f"one way gives {t.a(then.value.type)}, another {t.a(other.value.type)}",
                other.value.span,
                related=[(then.value.span, "the other")],
                help="say which is meant with `-> type` in the header",
            )
        return Conditional(joined, span, condition, then.value, other.value)

    def _with(self, var: Var, ex: Ex, way: Way) -> Way:
        hit = way.hit if isinstance(way.hit, bool) else _bound(var, ex, way.hit)
        return Way(hit, _bound(var, ex, way.value) if way.value is not None else None)


def _or(a: bool | Ex, b: bool | Ex) -> bool | Ex:
    if isinstance(a, bool) or isinstance(b, bool):
        return True if a is True or b is True else b if a is False else a
    return Or(t.YES_NO, a.span, a, b)


def _and(a: bool | Ex, b: bool | Ex) -> bool | Ex:
    if isinstance(a, bool) or isinstance(b, bool):
        return False if a is False or b is False else b if a is True else a
    return And(t.YES_NO, a.span, a, b)


def _is_there(var: Var, span: Span) -> Ex:
    return Apply(t.YES_NO, span, "ne", (Local(var.type, span, var), Const(t.NOTHING, span, -1)))


def _bound(var: Var, value: Ex, ex: Ex) -> Ex:
    """An expression with a name for a value."""
    uses = sum(isinstance(part, Local) and part.var.uid == var.uid for part in within(ex))
    looped = any(isinstance(part, Reduction) for part in within(ex))
    if uses == 0:
        return ex
    if (uses == 1 and not looped) or isinstance(value, _SIMPLE) or not isinstance(value.type, _SMALL):
        return _written_in(var, value, ex)
    only = Apply(t.SetOf(value.type), value.span, "set", (value,))
    return Reduction(ex.type, ex.span, "the", (Gen(var, only),), ex)


def _written_in(var: Var, value: Ex, ex: Ex) -> Ex:
    if isinstance(ex, Local) and ex.var.uid == var.uid:
        return value if value.type == ex.type else changed(value, type=ex.type)
    return map_children(lambda part: _written_in(var, value, part), ex)


def _last_line(body: syntax.Suite) -> Span:
    end = body.span.end
    start = body.span.source.text.rfind("\n", 0, end) + 1
    text = body.span.source.text[start:end]
    return Span(body.span.source, max(body.span.start, start + len(text) - len(text.lstrip())), end)
