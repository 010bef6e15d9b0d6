"""The Python back end: is it possible?

The header of an action (`require`, `let` and `choose` up to the first effect)
tells whether it can be taken. `can`, `may`, menus and "why not?" all ask the same
lines. Where cases are offered, the plain part of each header is written in place
and what several of them read is worked out once; only where something is to be
chosen does a function look for one way to choose it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from ..core import (
    And,
    Case,
    Choose,
    Conditional,
    Ex,
    Gen,
    Let,
    Or,
    PlaceRef,
    Reduction,
    Require,
    St,
    children,
    free_vars,
    header,
    operands,
)
from ..core import value_types as t
from ..program.vector_bounds import depend
from .loops import worth_hoisting
from .part import Part


class Offers(Part):
    # ------------------------------------------------------------ one header
    def possible(self, body: tuple[St, ...], answer: str = "return True") -> None:
        """Lines that run `answer` when the header of a body can be completed."""
        depth = self.c.indent
        saved = dict(self.c.env)
        with self.c.knowing():
            self._possible(list(header(body)), answer)
        self.c.loops.close_to(depth)
        self.c.env = saved

    def _possible(self, rest: list[St], answer: str) -> None:
        while rest:
            st = rest.pop(0)
            if isinstance(st, Require):
                self.c.loops.open_if(st.condition)
            elif isinstance(st, Let):
                name = self.c.name_of(st.var)
                value = st.value
                code = (
                    self.condition(value)
                    if isinstance(value.type, t.Place)
                    else self.c.exprs.same_shape(value, st.var.type)
                )
                self.line(f"{name} = {code}")
            elif isinstance(st, Choose):
                self.nested(st.choice.gens, lambda: self._possible(rest, answer), unused=not rest)
                return
        self.line(answer)

    def nested(self, gens: tuple[Gen, ...], body: Callable[[], None], *, unused: bool = False) -> None:
        """Loops over the binders of a choice; `body` stands where all are bound, and returns True.
        `unused` tells that it does not read them, so that of a vector only its possibility matters."""
        if not gens:
            body()
            return
        gen, *rest = gens
        depth = self.c.indent
        if gen.cells:
            if unused and not depend(tuple(rest), gen.var.uid):
                with self.c.block(f"if {self.c.vectors.vector_possible(gen)}:"):
                    self.nested(tuple(rest), body, unused=True)
            else:  # some vector, with all that is behind it
                fits = self.c.vectors.fits(gen, tuple(rest), body)
                self.line(f"if {self.c.vectors.vector_possible(gen, fits)}: return True")
            return
        iterable, gen = self.c.loops.narrowed(self.c.loops.opened(gen))
        iterable = iterable or self.c.sets.iterable(gen.domain)
        with self.c.knowing():
            self.c.loops.hoist(gen)
            name = self.c.name_of(gen.var)
            with self.c.block(f"for {name} in {iterable}:"), self.c.loops.guarded(gen.where):
                self.nested(tuple(rest), body, unused=unused)
        self.c.indent = depth

    # ------------------------------------------------------------ the cases of an offer
    def header_of(self, case: Case) -> tuple[St, ...]:
        return header(self.game.rules[case.action].body if case.action is not None else case.body)

    def possible_cases(self, cases: tuple[Case, ...], options: str) -> None:
        """Lines that append the number of each case that can be taken."""
        headers = [self.header_of(case) for case in cases]
        before = self.c.hoisted
        self.c.hoisted = dict(before)
        self._share(headers)
        for number, (case, checks) in enumerate(zip(cases, headers, strict=True)):
            self._add_if_possible(case, checks, f"{options}.append({number})")
        self.c.hoisted = before

    def _add_if_possible(self, case: Case, checks: tuple[St, ...], answer: str) -> None:
        plain = next((n for n, st in enumerate(checks) if isinstance(st, Choose)), len(checks))
        saved = dict(self.c.env), dict(self.c.consts), dict(self.c.hoisted), dict(self.c.common)
        depth = self.c.indent
        if plain < len(checks):  # the call tests it all again, but only when the plain part holds
            answer = f"if {self._possible_case(case)}: {answer}"
        if case.action is not None:
            self._bind_params(case)
        self._possible(list(checks[:plain]), answer)
        self.c.loops.close_to(depth)
        self.c.env, self.c.consts, self.c.hoisted, self.c.common = saved

    def _bind_params(self, case: Case) -> None:
        assert case.action is not None
        for param, arg in zip(self.game.rules[case.action].params, case.args, strict=True):
            fixed = self.known(arg)
            code = (
                self.condition(arg)
                if isinstance(arg.type, t.Place)
                else self.c.exprs.same_shape(arg, param.type)
            )
            name = self.c.name_of(param)
            self.line(f"{name} = {code}")
            if fixed is not None:
                self.c.consts[param.uid] = fixed

    def _possible_case(self, case: Case) -> str:
        """A call that tells whether a case can be taken."""
        if case.action is not None:
            args = "".join(f", {self.emit(a)}" for a in case.args)
            return f"{self.pool.can(case.action)}(S, I, L, {self.c.me}{args})"
        return self.pool.possible(case, self.c)

    def _share(self, headers: list[tuple[St, ...]]) -> None:
        """What the first conditions of several cases read is worked out in front of them, and so is
        where a place lies that many conditions look into."""
        counts: dict[Ex, int] = {}
        places: dict[Ex, int] = {}
        for checks in headers:
            for st in takewhile(lambda st: not isinstance(st, Choose), checks):
                for ex in children(st):
                    _places(ex, places)
            found: set[Ex] = set()
            for st in checks:
                if isinstance(st, Require | Let):
                    _certain_reads(st.value if isinstance(st, Let) else st.condition, found)
                if not isinstance(st, Let):
                    break
            for ex in found:
                counts[ex] = counts.get(ex, 0) + 1
        shared = [ex for ex, count in counts.items() if count > 1]
        shared += [ex for ex, count in places.items() if count > 2]
        for ex in sorted((ex for ex in shared if not free_vars(ex)), key=self.pool.weight_of):
            if self.known(ex) is None and ex not in self.c.hoisted and not self.pool.may_fail(ex):
                name = self.temp("h")
                self.line(f"{name} = {self.condition(ex)}")
                self.c.hoisted[ex] = name


def _places(ex: object, counts: dict[Ex, int]) -> None:
    """How often an expression looks into each place that belongs to somebody."""
    if isinstance(ex, Ex):
        if isinstance(ex, PlaceRef) and ex.indices:
            counts[ex] = counts.get(ex, 0) + 1
        for arg in operands(ex):
            _places(arg, counts)


def _certain_reads(ex: object, found: set[Ex]) -> None:
    """The reads of the position in an expression that are worked out whatever it comes to."""
    if not isinstance(ex, Ex) or isinstance(ex, Reduction):
        return
    if worth_hoisting(ex):
        found.add(ex)
    for arg in operands(ex)[:1] if isinstance(ex, And | Or | Conditional) else operands(ex):
        _certain_reads(arg, found)
