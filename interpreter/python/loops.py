"""The Python back end: the loops of a comprehension and their conditions.

Conditions are tested as soon as what they read is bound; what does not change in
a loop is worked out in front of it; what several conditions of a loop use is
worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..core import (
    And,
    Attribute,
    CallDefine,
    Conditional,
    Ex,
    Field,
    Gen,
    Or,
    Reduction,
    StateRef,
    applies,
    bound_by,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.passes.inline_conditions import opened, overlap
from ..program.searched_grids import by_kind
from .part import Part


class Loops(Part):
    def narrowed(self, gen: Gen) -> tuple[str | None, Gen]:
        """A search for the spaces of one kind runs over the list that is kept of them."""
        hit = by_kind(gen)
        if hit is None or hit[0] not in self.layout.indexed:
            return None, gen
        key, kind = hit
        base, value = self.layout.indexed[key], self.known(kind)
        code = f"L[{base + value}]" if value is not None else f"L[{base} + {self.emit(kind)}]"
        return code, Gen(gen.var, gen.domain, gen.where[1:], gen.cells)

    def each(
        self, comp: Reduction, body: Callable[[], None], stop: str | None = None, more: Ex | None = None
    ) -> None:
        """The loops of a comprehension."""
        self.over(comp.gens, body, stop, more, comp.while_)

    def over(
        self,
        gens: tuple[Gen, ...],
        body: Callable[[], None],
        stop: str | None = None,
        more: Ex | None = None,
        while_: Ex | None = None,
    ) -> None:
        """Nested loops with their conditions; `stop` names a flag that ends all of them, `more` is
        what the body works out, if that is worth preparing in front of the loop, and a loop is
        over when `while_` does not hold."""
        saved = dict(self.c.env), dict(self.c.consts)
        with self.c.knowing():
            self._loop(gens, body, stop, more, while_)
        self.c.env, self.c.consts = saved

    def _loop(
        self,
        gens: tuple[Gen, ...],
        body: Callable[[], None],
        stop: str | None,
        more: Ex | None,
        while_: Ex | None,
    ) -> None:
        gen, *rest = gens
        gen = self.opened(gen)
        iterable, gen = self.narrowed(gen)
        iterable = iterable or self.c.sets.iterable(gen.domain)
        self.hoist(gen, while_, more)
        name = self.c.name_of(gen.var)
        length = self.known(gen.domain.args[1]) if applies(gen.domain, "lines") else None
        if length is not None:
            parts = [self.temp("e") for _ in range(length - 1)]
            self.c.unpacked[gen.var.uid] = parts
            name = ", ".join(parts) + ("," if len(parts) == 1 else "")
            self.c.env[gen.var.uid] = f"({name})"
        with self.c.block(f"for {name} in {iterable}:"), self.guarded(gen.where):
            if while_ is not None:
                self.line(f"if {self.c.negated(while_)}: break")
            if rest:
                self.over(tuple(rest), body, stop)
                if stop is not None:
                    self.line(f"if {stop}: break")
            else:
                body()

    def opened(self, gen: Gen) -> Gen:
        return opened(gen, self.c.knows.opens if self.pool.sites is None else lambda _: False)

    def two_sets(self, comp: Reduction) -> tuple[str, Ex, Ex] | None:
        """A test over one set that asks about another, when both are masks: one operation will do."""
        found = overlap(comp)
        if found is None or not all(isinstance(x.type, t.SetOf) and is_mask(x.type.of) for x in found[1:]):
            return None
        return found

    def hoist(self, gen: Gen, *more: Ex | None) -> None:
        """Write in front of a loop what its conditions (and `more`, which is worked out in it too)
        read that does not change in it."""
        for part in (*gen.where, *more):
            self.in_front(part, bound_by(gen))

    def in_front(self, ex: Ex | None, bound: set[str]) -> None:
        """Work out here, once, the parts of an expression that do not depend on what is bound
        between here and there. Whether they will be needed is not known, so they must not fail."""
        if not isinstance(ex, Ex) or ex in self.c.hoisted or self.known(ex) is not None:
            return
        if worth_hoisting(ex) and not self.pool.may_fail(ex):
            names = free_vars(ex)
            if not names & bound and all(n in self.c.env or n in self.c.consts for n in names):
                code = self.condition(ex)
                if code not in self.c.common:
                    self.c.common[code] = self.temp("h")
                    self.line(f"{self.c.common[code]} = {code}")
                self.c.hoisted[ex] = self.c.common[code]
                return
        sets = overlap(ex) if isinstance(ex, Reduction) else None
        if isinstance(ex, Reduction) and sets is not None:
            for part in sets[1:]:
                self.in_front(part, bound | bound_by(ex.gens[0]))
        elif not isinstance(ex, Reduction | CallDefine):
            for arg in operands(ex):
                self.in_front(arg, bound)

    @contextmanager
    def guarded(self, where: tuple[Ex, ...]) -> Iterator[None]:
        """Lines that run where all conditions hold. What several conditions read gets a name in
        front of the first one that is certain to read it."""
        depth = self.c.indent
        counts: dict[Ex, int] = {}
        for condition in where:
            _count_reads(condition, counts)
        with self.c.knowing():
            for condition in where:
                for ex in certain_reads(condition):
                    if counts.get(ex, 0) > 1 and ex not in self.c.hoisted and self.known(ex) is None:
                        name, code = self.temp("w"), self.condition(ex)
                        self.line(f"{name} = {code}")
                        self.c.hoisted[ex] = name
                self.open_if(condition)
            yield
        self.close_to(depth)

    def shares(self, where: tuple[Ex, ...]) -> bool:
        """Do conditions read something twice, so that naming it pays?"""
        counts: dict[Ex, int] = {}
        for condition in where:
            _count_reads(condition, counts)
        return any(
            counts.get(ex, 0) > 1 and ex not in self.c.hoisted and self.known(ex) is None
            for condition in where
            for ex in certain_reads(condition)
        )

    def open_if(self, condition: Ex) -> None:
        fixed = self.known(condition)
        if fixed == 1:
            return
        self.line(f"if {self.condition(condition)}:")
        self.c.indent += 1

    def close_to(self, depth: int) -> None:
        if self.c.lines and self.c.lines[-1].endswith(":"):
            self.line("pass")
        self.c.indent = depth


def worth_hoisting(ex: Ex) -> bool:
    """Is it worth a name of its own in front of a loop?"""
    match ex:
        case CallDefine() | Conditional() | StateRef() | Field() | Attribute(name="on" | "space"):
            return True
    return applies(ex, "cell", "tally", "line")


def _shared(ex: Ex) -> bool:
    """Is it worth a name of its own where several conditions read it?"""
    match ex:
        case StateRef() | Field() | Attribute(name="on" | "space"):
            return True
    return applies(ex, "neighbour", "cell", "tally", "beyond")


def _count_reads(ex: object, counts: dict[Ex, int]) -> None:
    """How often something is read; the parts of what is read again are not read again."""
    if isinstance(ex, Ex) and not isinstance(ex, Reduction | CallDefine):
        if _shared(ex):
            counts[ex] = counts.get(ex, 0) + 1
            if counts[ex] > 1:
                return
        for arg in operands(ex):
            _count_reads(arg, counts)


def certain_reads(ex: object) -> Iterator[Ex]:
    """The reads in an expression that are made whatever it comes to, inner ones first."""
    if not isinstance(ex, Ex) or isinstance(ex, Reduction | CallDefine):
        return
    first = isinstance(ex, And | Or | Conditional) or applies(ex, "in")
    for arg in operands(ex)[:1] if first else operands(ex):
        yield from certain_reads(arg)
    if _shared(ex):
        yield ex
