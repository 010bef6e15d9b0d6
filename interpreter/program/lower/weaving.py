"""Weaving: the triggers of crossings and the resets of `until`, behind the effects that cause them."""

from __future__ import annotations

from ...core import (
    Apply,
    Choice,
    Choose,
    Const,
    For,
    Gen,
    Local,
    MoveTokens,
    Nothing,
    Pick,
    Reduction,
    RuleDecl,
    St,
    Universe,
    Var,
    map_bodies,
)
from ...core import value_types as t
from .part import Part


class Weaving(Part):
    def woven(self, rule: RuleDecl) -> tuple[St, ...]:
        """The body of a rule; in a covered engine with the statements that count it."""
        sites = self.c.covered_sites
        return self.weave(rule.body if sites is None else sites.counted(rule.body, rule.span))

    def weave(self, body: tuple[St, ...]) -> tuple[St, ...]:
        """Put the triggers of place crossings and the resets of `until` behind the effects."""
        out: list[St] = []
        for st in body:
            st = map_bodies(self.weave, st)
            if isinstance(st, Pick):
                out += self.weave(self._unpick(st))
                continue
            before, st, after = self.c.crossings.around(st)
            if before:  # what is noted for the effect is no part of the header in front of it
                out.append(Nothing(st.span))
            out += [*before, st, *after]
        return tuple(out)

    def _unpick(self, st: Pick) -> tuple[St, ...]:
        """`pick lo..hi from a to b` is a vector of amounts, one for each kind, then the moves."""
        low, high, source, place = st.low, st.high, st.source, st.place
        token = source.place_type.of
        number = self.number()
        kind = t.Kind(token)
        universe = Universe(t.SetOf(kind), st.span, kind)
        cell = Var("kind", f"kind_{number}", kind)
        each = Local(kind, st.span, cell)
        most = Apply(t.Num(0, 10**6), st.span, "tally", (source, each))
        zero = Const(t.Num(0, 0), st.span, 0)
        amounts = Var("amount", f"amount_{number}", t.Array((kind,), t.Num(0, 10**6)))
        vector = Local(amounts.type, st.span, amounts)
        inner = Var("k", f"k_{number}", kind)
        inner_ex = Local(kind, st.span, inner)
        term = Apply(t.Num(0, 10**6), st.span, "array_at", (vector, inner_ex))
        total = Reduction(t.Num(0, 10**6), st.span, "sum", (Gen(inner, universe),), term)
        limits = Apply(t.SetOf(t.Num(0, 10**6)), st.span, "range", (low, high))
        condition = Apply(t.YES_NO, st.span, "in", (total, limits))
        domain = Apply(t.SetOf(t.Num(0, 10**6)), st.span, "range", (zero, most))
        gen = Gen(amounts, domain, (condition,), ((cell, universe),))
        choice = Choice(None, (gen,), (), pick=True)
        loop_var = Var("k", f"k_{number}b", kind)
        loop_ex = Local(kind, st.span, loop_var)
        amount = Apply(t.Num(0, 10**6), st.span, "array_at", (vector, loop_ex))
        move = MoveTokens(st.span, amount, loop_ex, source, place)
        loop = For(st.span, (Gen(loop_var, universe),), (move,))
        return (Choose(st.span, choice), loop)
