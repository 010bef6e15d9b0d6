"""Components by what is printed on them: `Card(hearts, 9)`, `Card(rank: 12)`.

They are a set. Where the rows have exactly one such component, whatever the values may be, it may also stand for
that one. `move 2 of Card(duke) from a to b` takes so many of those that lie there.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from ...grammar import Span, did_you_mean, syntax
from ..core import Apply, CompDecl, Const, Ex, Field, Gen, Local, MoveSet, Reduction, St, Universe, Var
from ..core import value_types as t
from .part import Part
from .scope import Scope
from .wording import brief

if TYPE_CHECKING:
    from .context import Context

MOST_COMBINATIONS = 2000


class Printed(Part):
    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self._ones: dict[int, tuple[Ex, str]] = {}
        """By identity of a set of printed components: why it does not stand for one, or nothing."""

    def those(self, node: syntax.Invoke, name: str, scope: Scope) -> Ex:
        """`Card(v, w)`: the components with these values."""
        decl, span = self.game.components[name], node.span
        if isinstance(node.args, syntax.Comprehension | syntax.Spreading):
            return self.error("D0302", f"`{name}` takes values one by one", span)
        given: dict[str, Ex] = {}
        fields = list(decl.fields)
        for position, arg in enumerate(node.args or ()):
            if isinstance(arg, syntax.NamedArg):
                field, value = str(arg.name), arg.value
                if field not in decl.fields:
                    return self.error(
                        "D0205",
                        f"{t.a(t.Comp(name))} has no `{field}`",
                        arg.name.span,
                        related=[(decl.span, "declared here")],
                        help=did_you_mean(field, fields),
                    )
            elif position >= len(fields):
                has = f"only {len(fields)} values are" if len(fields) > 1 else "only 1 value is"
                return self.error(
                    "D0302",
                    f"{has if fields else 'nothing is'} printed on {t.a(t.Comp(name))}",
                    arg.span,
                    related=[(decl.span, "declared here")],
                )
            else:
                field, value = fields[position], arg
            if field in given:
                return self.error("D0202", f"`{field}` is given twice", arg.span)
            given[field] = self.c.exprs.value(value, scope, decl.fields[field], f"`{field}`")
        if any(isinstance(ex.type, t.Unknown) for ex in given.values()):
            return Const(t.UNKNOWN, span, 0)
        var = Var(name.lower(), f"printed_{span.start}c", t.Comp(name))
        one = Local(var.type, span, var)
        tests = tuple(
            Apply(t.YES_NO, ex.span, "eq", (Field(decl.fields[field], span, one, decl, field), ex))
            for field, ex in given.items()
        )
        domain = Universe(t.SetOf(var.type), span, var.type)
        made = Reduction(t.SetOf(var.type), span, "set", (Gen(var, domain, tests),), one)
        self._ones[id(made)] = (made, self._why_not_one(decl, given, span))
        return made

    def _why_not_one(self, decl: CompDecl, given: dict[str, Ex], span: Span) -> str:
        """Nothing, if the rows have exactly one such component whatever the values may be."""
        found: dict[tuple[int, ...], int] = {}
        for row, amount in decl.rows:
            key = tuple(row[field] for field in given)
            found[key] = found.get(key, 0) + (amount if isinstance(amount, int) else t.MANY)
        domains = [self._values(ex) for ex in given.values()]
        if prod(map(len, domains)) > MOST_COMBINATIONS or not all(domains):
            return "there may be several such components, or none"
        amounts = {found.get(key, 0) for key in product(*domains)}
        if amounts == {0} and decl.rows:
            self.c.report.warn("D0410", "no row has these values, so there is no such component", span)
        if amounts == {1}:
            return ""
        if len(amounts) == 1 and (number := amounts.pop()) and number < t.MANY:
            return f"there are {number} such components"
        return "there may be several such components, or none"

    def _values(self, ex: Ex) -> range:
        if isinstance(ex, Const):
            return range(ex.value, ex.value + 1)
        match ex.type:
            case t.Num(low, high):
                return range(low, high + 1) if high - low < MOST_COMBINATIONS else range(0)
            case t.Kind() | t.YesNo():
                return range(self.c.fit.size_of(ex.type))
        return range(0)

    def one(self, ex: Ex, *, wanted: bool = False) -> Ex:
        """The one component that a set of printed ones stands for, where one is meant; else the set."""
        known = self._ones.get(id(ex))
        if known is None or not isinstance(ex, Reduction):
            return ex
        if not known[1]:
            return Reduction(ex.gens[0].var.type, ex.span, "the", ex.gens, ex.value)
        if not wanted:
            return ex
        text = brief(ex.span)
        return self.error(
            "D0301",
            f"{known[1]}, but one is needed",
            ex.span,
            help=f"`2 of {text}` are so many of them, `first({text})` is one",
        )

    # ------------------------------------------------------------ so many of them
    def move_some(
        self,
        node: syntax.MoveAmount | syntax.MoveUpTo,
        amount: Ex | None,
        source: Ex,
        place: Ex,
        end: str,
        scope: Scope,
    ) -> list[St]:
        """`move 2 of Card(duke) from a to b`: those that come first there; without `amount`, all of them."""
        assert node.kind is not None
        span = node.span
        of = source.place_type.of
        chosen = self.c.fit.items(self.c.exprs.expr(node.kind, scope, t.SetOf(t.Comp(of))))
        if isinstance(chosen.type, t.Unknown):
            return []
        if not t.comparable(self.c.fit.element(chosen), t.Comp(of)):
            self.error("D0301", f"this is {t.a(chosen.type)}, and a set of {of} is needed", node.kind.span)
            return []
        var = Var(of.lower(), f"moved_{span.start}c", t.Comp(of))
        one = Local(var.type, span, var)
        inside = Apply(t.YES_NO, node.kind.span, "in", (one, chosen))
        gens = (Gen(var, self.c.fit.items(source), (inside,)),)
        if amount is None:
            return [MoveSet(span, Reduction(t.SetOf(var.type), span, "set", gens, one), place, end)]
        zero = Const(t.Num(0, 0), span, 0)
        found = Reduction(t.ListOf(t.Comp(of)), span, "sort", gens, one, (zero,))
        if isinstance(node, syntax.MoveUpTo):
            size = Reduction(t.Num(0, t.MANY), span, "count", gens, one)
            amount = Apply(t.Num(0, t.MANY), span, "min_of", (amount, size))
        return [MoveSet(span, Apply(found.type, span, "foremost", (found, amount)), place, end)]
