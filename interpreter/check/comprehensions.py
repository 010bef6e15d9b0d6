"""Checking comprehensions: `x in s where c`, and what `count`, `sum`, `most` and the like make of it."""

from __future__ import annotations

from ...grammar import Span, Word, syntax
from ..core import And, Apply, Const, Ex, Gen, Local, Reduction, Universe, Var, applies, free_vars
from ..core import value_types as t
from .functions import LANGUAGE_NAMES, REDUCTIONS
from .part import Part
from .scope import Scope
from .wording import highest, lowest

SMALL = t.Num(0, 62)
"""Numbers that `spread` can go over."""


class Comprehensions(Part):
    """Binders, conditions, and what is made of them."""

    def comprehension(
        self, kind: str, node: syntax.Comprehension, scope: Scope, span: Span, want: t.Type | None = None
    ) -> Ex:
        inner = scope.child()
        gens = self.generators(node.binders, inner)
        conditions = self.conjuncts(node.where, inner)
        inner = inner.knowing(self.c.sure.when(node.where, True)) if node.where is not None else inner
        gens = self.place_conditions(gens, conditions)
        while_ = self.c.exprs.condition(node.while_, inner) if node.while_ is not None else None
        if while_ is not None and len(gens) != 1:
            self.error("D0316", "`while` needs exactly one `x in s` before it", node.span)
        if kind in ("any", "every", "none"):
            value = self.c.exprs.condition(node.value, inner)
        else:
            value = self.c.fit.as_value(self.c.exprs.expr(node.value, inner, want))
        by = tuple(self.c.exprs.number(key, inner, "the key after `by`") for key in node.by or ())
        if by and kind not in ("most", "least", "sort", "first"):
            self.error(
                "D0316",
                f"`by` has no meaning in `{kind}`" if kind != "set" else "`by` has no meaning in a set",
                by[0].span,
            )
        elif not by and kind in ("most", "least"):
            self.error("D0302", f"`{kind}` by what?", span, help=f"write `{REDUCTIONS[kind]}`")
        type_ = self._reduced(kind, gens, value, span)
        return Reduction(type_, span, kind, gens, value, by, while_)

    def spread(self, node: syntax.Spreading, scope: Scope, span: Span) -> Ex:
        """All that hangs together with what it begins with: from each member on to what the rest gives."""
        begun = self.c.fit.as_value(self.c.exprs.expr(node.start, scope))
        several = isinstance(begun.type, t.SetOf | t.ListOf)
        element = t.plain(self.c.fit.element(begun) if several else begun.type)
        if isinstance(element, t.Unknown):
            return begun
        grows = isinstance(element, t.Space) and self.game.places[element.of].width is None
        if grows or not isinstance(element, t.Comp | t.Player | t.Kind | t.Num | t.Space):
            return self.error(
                "D0316",
                f"`spread` goes over components, players, kinds, numbers and spaces of a board, not {t.a(element)}",
                node.start.span,
                help="go by the components on it" if grows else None,
            )
        if isinstance(element, t.Num):
            self.c.fit.within(begun, t.SetOf(SMALL) if several else SMALL)
            element = SMALL
        start = begun if several else Apply(t.SetOf(element), begun.span, "set", (begun,))
        inner = scope.child()
        first = Gen(self.bind(inner, node.name, element), start)
        gens = self.generators(node.binders, inner)
        conditions = self.conjuncts(node.where, inner)
        inner = inner.knowing(self.c.sure.when(node.where, True)) if node.where is not None else inner
        gens = self.place_conditions(gens, conditions)
        value = self.c.fit.expect(
            self.c.fit.as_value(self.c.exprs.expr(node.to, inner, element)),
            t.optional(element),
            node.to.span,
            "what it spreads to",
        )
        return Reduction(t.SetOf(element), span, "spread", (first, *gens), value)

    def fresh(self, scope: Scope, name: Word) -> None:
        """A new local name; one that hides another would be a riddle."""
        if name in scope.vars:
            self.error("D0209", f"`{name}` is already a name here", name.span, help="choose another name")
        elif name in LANGUAGE_NAMES:
            self.error("D0210", f"`{name}` is a word of the language", name.span, help="choose another name")

    def bind(self, scope: Scope, name: Word, type_: t.Type) -> Var:
        self.fresh(scope, name)
        var = scope.bind(name, type_)
        self.c.index.binds(name, var)
        return var

    def generators(
        self,
        binders: tuple[syntax.Binder | syntax.VectorBinder | syntax.SetBinder, ...],
        scope: Scope,
        *,
        vectors: bool = False,
    ) -> tuple[Gen, ...]:
        """Bind the names of `x in s, y in t` in `scope`."""
        gens = []
        for binder in binders:
            if isinstance(binder, syntax.VectorBinder):
                if not vectors:
                    self.error("D0316", "a vector can only be chosen, not run over", binder.span)
                gens.append(self._vector(binder, scope))
                continue
            if isinstance(binder, syntax.SetBinder):
                gens.append(self.several(binder, scope))
                continue
            domain = self.c.exprs.domain(binder.domain, scope)
            var = self.bind(scope, binder.name, self.c.fit.element(domain))
            if applies(domain, "items") and domain.args[0].place_type.form.spaces:
                scope.learn([space_of(syntax.Name(binder.name, span=binder.name.span))])
            gens.append(Gen(var, domain))
        return tuple(gens)

    def several(self, binder: syntax.SetBinder, scope: Scope) -> Gen:
        """`1..2 lost in my.hand`: the sets of so many."""
        amount = binder.amount
        if isinstance(amount, syntax.AmountRange):
            low = self.c.exprs.number(amount.low, scope)
            whole = isinstance(amount.high, syntax.Everything)
            high = None if whole else self.c.exprs.number(amount.high, scope)
        else:
            low = high = self.c.exprs.number(amount, scope)
        return self.parts_of(binder.domain, low, high, binder.name, scope, amount.span)

    def parts_of(
        self, node: syntax.Expr, low: Ex, high: Ex | None, name: Word, scope: Scope, span: Span
    ) -> Gen:
        domain = self.c.exprs.domain(node, scope)
        element = self.c.fit.element(domain)
        if isinstance(element, t.Num) and element.low < 0:
            self.error("D0316", "a set is chosen from numbers from 0 up", node.span)
        most = self.c.fit.size_of(element)
        if lowest(low.type) > most:
            self.error("D0410", f"there are never more than {most} to choose from", span)
        if high is None:
            high = Const(t.Num(0, t.MANY), span, t.MANY)
        type_ = t.SetOf(t.plain(element))
        parts = Apply(t.ListOf(type_), node.span, "subsets", (domain, low, high))
        return Gen(self.bind(scope, name, type_), parts)

    def _vector(self, binder: syntax.VectorBinder, scope: Scope) -> Gen:
        inner = scope.child()
        cells = []
        for cell in binder.cells:
            domain = self.c.exprs.domain(cell.domain, inner)
            var = self.bind(inner, cell.name, self.c.fit.element(domain))
            cells.append((var, domain))
            scope.vars[cell.name] = var  # a condition that names it is meant for every cell
        domain = self.c.exprs.domain(binder.domain, inner)
        index = tuple(var.type for var, _ in cells)
        var = self.bind(scope, binder.name, t.Array(index, self.c.fit.element(domain)))
        return Gen(var, domain, _members(var, domain, cells), tuple(cells))

    def conjuncts(self, node: syntax.Expr | None, scope: Scope) -> list[Ex]:
        """The parts of a condition joined by `and`, each on its own."""
        if node is None:
            return []
        ex = self.c.exprs.condition(node, scope)
        found: list[Ex] = []

        def split(part: Ex) -> None:
            if isinstance(part, And):
                split(part.left)
                split(part.right)
            else:
                found.append(part)

        split(ex)
        return found

    def place_conditions(self, gens: tuple[Gen, ...], conditions: list[Ex]) -> tuple[Gen, ...]:
        """Each condition goes to the earliest generator at which all it needs is bound."""
        levels: list[list[Ex]] = [[] for _ in gens]
        for condition in conditions:
            needs = free_vars(condition)
            level = 0
            for index, gen in enumerate(gens):
                if gen.var.uid in needs or any(var.uid in needs for var, _ in gen.cells):
                    level = index
            if levels:
                levels[level].append(condition)
        return tuple(
            Gen(g.var, g.domain, (*g.where, *where), g.cells) for g, where in zip(gens, levels, strict=True)
        )

    def _reduced(self, kind: str, gens: tuple[Gen, ...], of: Ex, span: Span) -> t.Type:
        value = of.type
        size = 1
        for gen in gens:
            size = min(t.MANY, size * self.c.fit.size_of(gen.var.type))
        match kind:
            case "count":
                return t.Num(0, size)
            case "any" | "every" | "none":
                return t.YES_NO
            case "sum" | "max" | "min":
                if isinstance(value, t.Unknown):
                    return value
                if not isinstance(value, t.Num):
                    return self.error("D0301", f"`{kind}` needs numbers, but this is {value}", span).type
                if kind == "sum":
                    return t.Num(min(0, value.low * size), max(0, value.high * size))
                return t.Num(min(0, value.low), max(0, value.high))
            case "set" | "most" | "least":
                return t.SetOf(t.plain(value))
            case "sort":
                return t.ListOf(t.plain(value))
            case "first" | "last":
                if isinstance(value, t.Num) and value.low <= -1 <= value.high:
                    return self.error(
                        "D0316",
                        f"`{kind}` may find none, which cannot be told from a number below 0",
                        of.span,
                        help="count from 0 up: add what is missing inside, and take it away again",
                    ).type
                return t.optional(value)
            case "the":
                return t.plain(value)
        raise AssertionError(kind)

    def reduction(self, kind: str, node: syntax.Invoke, scope: Scope, want: t.Type | None) -> Ex:
        args, span = node.args, node.span
        if isinstance(args, syntax.Spreading) or kind == "spread":
            return self.error("D0302", f"this is written `{REDUCTIONS[kind]}`", span)
        if isinstance(args, syntax.Comprehension):
            return self.comprehension(kind, args, scope, span)
        plain = [a for a in args or () if not isinstance(a, syntax.NamedArg)]
        if kind in ("max", "min") and len(plain) > 1:
            values = tuple(self.c.exprs.number(a, scope) for a in plain)
            lows, highs = [lowest(v.type) for v in values], [highest(v.type, t.MANY) for v in values]
            pick = max if kind == "max" else min
            return Apply(t.Num(pick(lows), pick(highs)), span, f"{kind}_of", values)
        if len(plain) != 1 or kind in ("any", "every", "none", "most", "least", "sort"):
            return self.error("D0302", f"this is written `{REDUCTIONS[kind]}`", span)
        whole = self.c.exprs.expr(plain[0], scope)
        if kind == "count" and isinstance(whole.type, t.Place):
            if whole.type.of in self.game.tokens:
                most = sum(highest(a.type) for a in self.game.tokens[whole.type.of].amounts)
            else:
                most = self.c.fit.size_of(t.Comp(whole.type.of))
            return Apply(t.Num(0, most), span, "size", (whole,))
        whole = self.c.fit.items(whole)
        if isinstance(whole.type, t.Unknown):
            return whole
        var = Var("it", f"it_{span.start}c", self.c.fit.element(whole))
        value = Local(var.type, span, var)
        gens = (Gen(var, whole),)
        return Reduction(self._reduced(kind, gens, value, span), span, kind, gens, value)


def space_of(thing: syntax.Expr) -> syntax.Expr:
    """`m.space`, which is certain where `m in board` is."""
    return syntax.Attribute(thing, Word("space", thing.span), span=thing.span)


def _members(var: Var, domain: Ex, cells: list[tuple[Var, Ex]]) -> tuple[Ex, ...]:
    """What holds for a vector whose cells are taken from a set with gaps: each is in it."""
    if (
        isinstance(domain, Universe)
        or applies(domain, "range", "players")
        or not isinstance(var.type, t.Array)
    ):
        return ()
    cell: Ex = Local(var.type, domain.span, var)
    for index, _ in cells:
        cell = Apply(var.type.of, domain.span, "array_at", (cell, Local(index.type, domain.span, index)))
    return (Apply(t.YES_NO, domain.span, "in", (cell, domain)),)
