"""The Python back end, part 5: vectors chosen cell by cell.

Which values a cell may take depends on whether the rest can still be filled, so
that a prefix is offered exactly if it can be completed. When every condition
bounds a sum of cells, the bounds are gathered where the choice begins and
vectors.py does the rest. Otherwise the conditions are evaluated on intervals (a
filled cell is one number, an open one its whole range), which prunes nearly
everything; what remains is settled by a search for one completion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from ..core import (
    And,
    Apply,
    Const,
    Ex,
    Gen,
    Local,
    Or,
    Reduction,
    VectorCells,
    VectorStart,
    VectorValue,
    applies,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..program.terminators import Binding
from .emitting import writes_value
from .statements import StmtEmitter
from .vector_plans import ANY


class VectorEmitter(StmtEmitter):
    if TYPE_CHECKING:  # from the emitter of offers, which builds on this

        def nested(
            self, gens: tuple[Gen, ...], body: Callable[[], None], *, unused: bool = False
        ) -> None: ...

    @writes_value(VectorCells)
    def x_vector_cells(self, ex: VectorCells) -> str:
        """The cells with their limits, and a plan of the sums when all conditions are bounds on sums."""
        gen, alike = (ex.gen, ex.alike)
        deal = find_deal(gen)
        if deal is None:
            return self._plan(gen, alike)
        name = self.temp("c")
        spoilt = [self.condition(c) for c in deal.unless]
        if not spoilt:
            self.line(f"{name} = {self._deal_plan(gen, deal, alike)}")
            return name
        with self.block(f"if {' or '.join(f'not ({c})' for c in spoilt)}:"):
            self.line(f"{name} = {self._plan(gen, alike)}")
        with self.block("else:"):
            self.line(f"{name} = {self._deal_plan(gen, deal, alike)}")
        return name

    def _deal_plan(self, gen: Gen, deal: Deal, alike: tuple[str, ...]) -> str:
        saved = dict(self.env)
        (row, row_domain), (column, column_domain) = gen.cells
        rows, columns, totals = self.temp("c"), self.temp("c"), self.temp("n")
        least = "0"
        if deal.least is not None:
            least = self.atom(deal.least)
        if deal.least_unless is not None:
            least = f"0 if {self.emit(deal.least_unless)} else {least}"
        stride = self.layout.size(column.type)
        iterable = self.iterable(row_domain)
        name = self.name_of(row)
        shift = f" - {self.layout.low(row.type) * stride}" if self.layout.low(row.type) else ""
        self.line(f"{rows} = [{name} * {stride}{shift} for {name} in {iterable}]")
        self.line(f"{columns} = []; {totals} = []")

        def add() -> None:
            self.line(f"{columns}.append({self._flat((Local(column.type, gen.domain.span, column),))})")
            self.line(f"{totals}.append({self.condition(operands(gen.domain)[1])})")

        self.loops((Gen(column, column_domain),), add)
        self.env = saved
        return f"dealt_plan({rows}, {columns}, {totals}, {least}, {row.name in alike})"

    def _plan(self, gen: Gen, alike: tuple[str, ...]) -> str:
        cells, sums = self.vector_parts(gen)
        return (
            f"vector_plan({cells}, {sums}, {self._alike(gen, alike)})" if sums else f"cell_columns({cells})"
        )

    def vector_parts(self, gen: Gen) -> tuple[str, str | None]:
        """The names of two lists: the cells with their limits, and the sums, if all conditions are such."""
        name = self.temp("c")
        self.line(f"{name} = []")
        saved = dict(self.env)
        indices = [var for var, _ in gen.cells]
        pseudo = tuple(Gen(var, domain) for var, domain in gen.cells)

        def add() -> None:
            args = tuple(Local(v.type, gen.domain.span, v) for v in indices)
            low, high = self._limits(gen.domain)
            self.line(f"{name}.append(({self._flat(args)}, {low}, {high}))")

        self.loops(pseudo, add)
        self.env = saved
        if not _all_sums(gen):
            return name, None
        sums = self.temp("k")
        self.line(f"{sums} = []")
        for condition in gen.where:
            with self.knowing():
                self._gather(condition, gen, sums)
        self.env = saved
        return name, sums

    def vector_with(self, gen: Gen, known: str) -> str:
        """Code that tells whether a vector is possible in which some cells have the values of a dictionary."""
        cells, sums = self.vector_parts(gen)
        self.line(f"{cells} = [(i, {known}.get(i, low), {known}.get(i, high)) for i, low, high in {cells}]")
        if sums is not None:
            return f"plan_possible(vector_plan({cells}, {sums}, 0))"
        columns = self.temp("c")
        self.line(f"{columns} = cell_columns({cells})")
        return f"vector_witness({columns}, {self._size(gen)}, {self._checker(gen)}) is not None"

    def _flat(self, args: tuple[Ex, ...]) -> str:
        """The number of a cell, given its indices."""
        sizes = tuple(self.layout.size(a.type) for a in args)
        return self.offset(0, args, sizes, tuple(self.layout.low(a.type) for a in args))

    def _gather(self, condition: Ex, gen: Gen, sums: str) -> None:
        """Lines that add the bounds of a condition to `sums`, for every cell if it names one."""
        depth = self.indent
        for var, domain in gen.cells:
            if _mentions(condition, var.uid):
                iterable = self.iterable(domain)
                self.line(f"for {self.name_of(var)} in {iterable}:")
                self.indent += 1
        uid = gen.var.uid
        while isinstance(condition, Or) and _mentions(condition, uid):
            free, other = (
                (condition.left, condition.right)
                if _mentions(condition.right, uid)
                else (condition.left, condition.right)[::-1]
            )
            self.line(f"if not ({self.condition(free)}):")
            self.indent += 1
            condition = other
        if not _mentions(condition, uid):
            self.line(f"if not ({self.condition(condition)}): {sums}.append((1, 0, ()))")
            self.indent = depth
            return
        cells, given = self.temp("m"), self.temp("g")
        self.line(f"{cells} = []; {given} = 0")
        assert isinstance(condition, Apply)
        left, right = condition.args
        if applies(condition, "in"):
            self._terms(left, uid, cells, given)
            low, high = (self.emit(a) for a in operands(right))
        else:
            op = condition.op
            if not _mentions(left, uid):
                left, right = right, left
                op = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.get(op, op)
            self._terms(left, uid, cells, given)
            bound = self.atom(right)
            low = {"eq": bound, "ge": bound, "gt": f"{bound} + 1"}.get(op, f"{-ANY}")
            high = {"eq": bound, "le": bound, "lt": f"{bound} - 1"}.get(op, f"{ANY}")
        self.line(f"{sums}.append(({low} - {given}, {high} - {given}, {cells}))")
        self.indent = depth

    def _terms(self, ex: Ex, uid: str, cells: str, given: str) -> None:
        """Lines that add up a sum: its cells, and what is given in it."""
        if not _mentions(ex, uid):
            self.line(f"{given} += {self.emit(ex)}")
        elif applies(ex, "array_at"):
            chain: list[Ex] = []
            while applies(ex, "array_at"):
                chain.append(ex.args[1])
                ex = ex.args[0]
            assert isinstance(ex.type, t.Array)
            sizes = tuple(self.layout.size(i) for i in ex.type.index)
            lows = tuple(self.layout.low(i) for i in ex.type.index)
            self.line(f"{cells}.append({self.offset(0, tuple(reversed(chain)), sizes, lows)})")
        elif applies(ex, "sub"):
            self._terms(ex.args[0], uid, cells, given)
            self.line(f"{given} -= {self.emit(ex.args[1])}")
        elif applies(ex, "add"):
            for arg in ex.args:
                self._terms(arg, uid, cells, given)
        else:
            assert isinstance(ex, Reduction)
            comp = ex
            self.loops(comp.gens, lambda: self._terms(comp.value, uid, cells, given))

    def _limits(self, domain: Ex) -> tuple[str, str]:
        if applies(domain, "range"):
            return self.emit(domain.args[0]), self.emit(domain.args[1])
        values = self.elements(domain)
        if values:
            return str(min(values)), str(max(values))
        name = self.temp("d")
        self.line(f"{name} = list({self.iterable(domain)}) or [0]")
        return f"min({name})", f"max({name})"

    @writes_value(VectorStart)
    def x_vector_start(self, ex: VectorStart) -> str:
        return "()"

    @writes_value(VectorValue)
    def x_vector_value(self, ex: VectorValue) -> str:
        gen: Gen = ex.gen
        assert isinstance(gen.var.type, t.Array)
        size = 1
        for index in gen.var.type.index:
            size *= self.layout.size(index)
        cells, filled = (self.emit(a) for a in (ex.cells, ex.filled))
        return f"vector_value({cells}, {filled}, {size})"

    def _size(self, gen: Gen) -> int:
        assert isinstance(gen.var.type, t.Array)
        size = 1
        for index in gen.var.type.index:
            size *= self.layout.size(index)
        return size

    def vector_options(self, binding: Binding, cells: str, filled: str) -> str:
        name = self.temp("o")
        gen, size = binding.gen, self._size(binding.gen)
        fits = self.fits(gen, binding.rest) if depend(binding.rest, gen.var.uid) else None
        if not _all_sums(gen):
            check = self._checker(gen, fits)
            call = f"vector_options({cells}, {filled}, {size}, {check}, {self._alike(gen, binding.alike)})"
        elif fits:
            call = f"fitting_options({cells}, {filled}, {size}, {fits})"
        else:
            call = f"plan_options({cells}, {filled})"
        self.line(f"{name} = {call}")
        return name

    def fits(self, gen: Gen, rest: tuple[Gen, ...], then: Callable[[], None] | None = None) -> str:
        """Define a local function: can the binders behind the vector be bound, if it is A, and lead
        to what `then` writes, which returns True? Each has a name of its own for A, since one such
        function can stand inside another."""
        name, vector = self.temp("fits"), self.temp("A")
        saved = dict(self.env)
        with self.block(f"def {name}({vector}):"):
            self.env[gen.var.uid] = vector
            self.forget(gen.var.uid)
            depth = self.indent
            self.nested(rest, then or (lambda: self.line("return True")), unused=then is None)
            self.indent = depth
            self.line("return False")
        self.env = saved
        return name

    def _alike(self, gen: Gen, names: tuple[str, ...]) -> str:
        """The stride between heaps that look the same, or 0."""
        if gen.cells and gen.cells[0][0].name in names:
            stride = 1
            for var, _ in gen.cells[1:]:
                stride *= self.layout.size(var.type)
            return str(stride)
        return "0"

    def vector_possible(self, gen: Gen, fits: str | None = None) -> str:
        """Code that tells whether any vector is allowed that pleases what is behind it."""
        plan = self.x_vector_cells(VectorCells(t.UNKNOWN, gen.domain.span, gen, ()))
        if fits is None and _all_sums(gen):
            return f"plan_possible({plan})"
        cells = self.temp("c")
        self.line(f"{cells} = {plan}")
        return f"{self.witness_of(gen, cells, fits)} is not None"

    def witness_of(self, gen: Gen, cells: str, fits: str | None) -> str:
        """Code for some vector that is allowed and pleases what is behind it, or None."""
        size = self._size(gen)
        if _all_sums(gen):
            return f"plan_witness({cells}, {size}, {fits})"
        return f"vector_witness({cells}, {size}, {self._checker(gen, fits)})"

    # ------------------------------------------------------------ conditions on intervals
    def _checker(self, gen: Gen, fits: str | None = None) -> str:
        """Define a local function `maybe(A, B, full)`: could the conditions still hold, with cell i
        between A[i] and B[i]? `full` tells that every cell is filled: then the binders behind the
        vector are tried too."""
        name, low = self.temp("maybe"), self.temp("A")
        saved = dict(self.env)
        with self.block(f"def {name}({low}, B{low}, full):"):
            self.env[gen.var.uid] = low
            self.forget(gen.var.uid)
            for condition in gen.where:
                with self.knowing():
                    self._check(condition, gen)
            self.line(f"return not full or {fits}({low})" if fits else "return True")
        self.env = saved
        return name

    def _check(self, condition: Ex, gen: Gen) -> None:
        named = [(var, domain) for var, domain in gen.cells if var.uid in free_vars(condition)]
        depth = self.indent
        for var, domain in named:
            iterable = self.iterable(domain)
            python = self.name_of(var)
            self.line(f"for {python} in {iterable}:")
            self.indent += 1
        code = self._maybe(condition, gen)
        if code is None:
            exact = self.condition(condition)
            self.line(f"if full and not ({exact}): return False")
        else:
            self.line(f"if not ({code}): return False")
        self.indent = depth

    def _maybe(self, ex: Ex, gen: Gen) -> str | None:
        """Code for "could it hold?", or None if that cannot be told from bounds: then nothing is written."""
        if self.pool.may_fail(ex):  # a half-filled vector must not be asked
            return None
        before = len(self.lines)
        code = self._could(ex, gen, True)
        if code is None:
            del self.lines[before:]
        return code

    def _could(self, ex: Ex, gen: Gen, holds: bool) -> str | None:
        """Code for "could it hold?" or "could it fail to hold?"."""
        if not _mentions(ex, gen.var.uid):
            return self.condition(ex) if holds else f"not {self.emit(ex)}"
        if applies(ex, "not"):
            return self._could(ex.args[0], gen, not holds)
        if isinstance(ex, And | Or):
            a, b = (self._could(x, gen, holds) for x in (ex.left, ex.right))
            word = "and" if isinstance(ex, And) == holds else "or"
            return None if a is None or b is None else f"(({a}) {word} ({b}))"
        if applies(ex, *_NEGATED):
            left, right = (self._interval(x, gen) for x in ex.args)
            if left is None or right is None:
                return None
            (al, ah), (bl, bh) = left, right
            return {
                "eq": f"{al} <= {bh} and {bl} <= {ah}",
                "ne": f"{al} != {bh} or {ah} != {bl}",
                "lt": f"{al} < {bh}",
                "le": f"{al} <= {bh}",
                "gt": f"{ah} > {bl}",
                "ge": f"{ah} >= {bl}",
            }[ex.op if holds else _NEGATED[ex.op]]
        if applies(ex, "in") and applies(ex.args[1], "range") and holds:
            mid = self._interval(ex.args[0], gen)
            low, high = (self._interval(x, gen) for x in ex.args[1].args)
            if mid is None or low is None or high is None:
                return None
            return f"{mid[0]} <= {high[1]} and {low[0]} <= {mid[1]}"
        if isinstance(ex, Reduction) and ex.kind in ("every", "any", "none"):
            return self._could_all(ex, gen, holds)
        return None

    def _could_all(self, comp: Reduction, gen: Gen, holds: bool) -> str | None:
        """The same for a test over a set that does not depend on the vector."""
        if comp.while_ is not None or depend(comp.gens, gen.var.uid):
            return None
        every = (comp.kind != "any") == holds  # must each of them do, or will one of them do?
        wanted = holds if comp.kind != "none" else not holds
        name, told = self.temp("q"), True
        self.line(f"{name} = {every}")

        def test() -> None:
            nonlocal told
            code = self._could(comp.value, gen, wanted)
            if code is None:
                told = False
                code = "True"
            with self.block(f"if not ({code}):" if every else f"if {code}:"):
                self.line(f"{name} = {not every}")
                self.line("break")

        self.loops(comp.gens, test, f"not {name}" if every else name)
        return name if told else None

    def _interval(self, ex: Ex, gen: Gen) -> tuple[str, str] | None:
        if not _mentions(ex, gen.var.uid):
            code = self.atom(ex)
            return code, code
        if applies(ex, "array_at"):
            if _mentions(ex.args[1], gen.var.uid):
                return None
            inner = ex.args[0]
            if applies(inner, "array_at") and _mentions(inner.args[1], gen.var.uid):
                return None
            code = self.emit(ex)
            return code, f"B{code}"
        if applies(ex, "add", "sub"):
            a, b = (self._interval(x, gen) for x in ex.args)
            if a is None or b is None:
                return None
            if applies(ex, "add"):
                return f"({a[0]} + {b[0]})", f"({a[1]} + {b[1]})"
            return f"({a[0]} - {b[1]})", f"({a[1]} - {b[0]})"
        if isinstance(ex, Reduction) and ex.kind == "sum":
            comp = ex
            if comp.while_ is not None or depend(comp.gens, gen.var.uid):
                return None
            low, high = self.temp("n"), self.temp("n")
            self.line(f"{low} = {high} = 0")
            found: list[bool] = []

            def add() -> None:
                inner = self._interval(comp.value, gen)
                found.append(inner is not None)
                if inner is not None:
                    self.line(f"{low} += {inner[0]}")
                    self.line(f"{high} += {inner[1]}")

            self.loops(comp.gens, add)
            return (low, high) if all(found) else None
        return None


_NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


@frozen
class Deal:
    """A vector of heaps: each column is dealt out whole over the rows, each row gets at least something.
    `unless` must hold for that; else other conditions come into play."""

    least: Ex | None = None
    least_unless: Ex | None = None
    unless: tuple[Ex, ...] = ()


def find_deal(gen: Gen) -> Deal | None:
    """Does a vector deal out whole columns? The pattern is
    `n[s in S, k in K] in 0..h(k) where sum(n[t, k] for t in S) = h(k) where sum(n[s, c] for c in K) >= m`."""
    if len(gen.cells) != 2 or not applies(gen.domain, "range") or not _all_sums(gen):
        return None
    (row, _), (column, columns) = gen.cells
    low, high = gen.domain.args
    if (
        not isinstance(low, Const)
        or low.value != 0
        or _mentions(columns, row.uid)
        or _mentions(high, row.uid)
    ):
        return None
    least: Ex | None = None
    least_unless: Ex | None = None
    unless: list[Ex] = []
    dealt = False
    for condition in gen.where:
        free = None
        if isinstance(condition, Or):
            for one, other in ((condition.left, condition.right), (condition.left, condition.right)[::-1]):
                if not any(_mentions(one, v.uid) for v in (gen.var, row, column)):
                    free, condition = one, other
                    break
        if applies(condition, "eq") and free is None and not dealt:
            sides = (condition.args, condition.args[::-1])
            dealt = any(_sums(a, gen, 0) and b == high for a, b in sides)
            if not dealt:
                return None
        elif applies(condition, "ge") and least is None and _sums(condition.args[0], gen, 1):
            least, least_unless = condition.args[1], free
            if any(_mentions(least, v.uid) for v in (gen.var, row, column)):
                return None
        elif free is not None:
            unless.append(free)
        else:
            return None
    return Deal(least, least_unless, tuple(unless)) if dealt else None


def _sums(ex: Ex, gen: Gen, over: int) -> bool:
    """Is this the sum of a whole row (over = 1) or a whole column (over = 0) of the vector?"""
    if not isinstance(ex, Reduction) or ex.kind != "sum":
        return False
    comp = ex
    if (
        len(comp.gens) != 1
        or comp.gens[0].where
        or comp.while_ is not None
        or comp.gens[0].domain != gen.cells[over][1]
    ):
        return False
    value = comp.value
    if not applies(value, "array_at") or not applies(value.args[0], "array_at"):
        return False
    vector, indices = value.args[0].args[0], [value.args[0].args[1], value.args[1]]
    wanted = [gen.cells[0][0], gen.cells[1][0]]
    wanted[over] = comp.gens[0].var
    return (
        isinstance(vector, Local)
        and vector.var.uid == gen.var.uid
        and all(isinstance(i, Local) and i.var.uid == w.uid for i, w in zip(indices, wanted, strict=True))
    )


def depend(gens: tuple[Gen, ...], uid: str) -> bool:
    """Does any of these binders read a variable?"""
    return any(_mentions(p, uid) for g in gens for p in (g.domain, *g.where, *(d for _, d in g.cells)))


def _all_sums(gen: Gen) -> bool:
    """Is every condition a bound on a sum of cells?"""
    return all(_is_bound(condition, gen.var.uid) for condition in gen.where)


def _is_bound(ex: Ex, uid: str) -> bool:
    if not _mentions(ex, uid):
        return True
    if isinstance(ex, Or):
        a, b = (ex.left, ex.right)
        return (not _mentions(a, uid) and _is_bound(b, uid)) or (not _mentions(b, uid) and _is_bound(a, uid))
    if applies(ex, "in"):
        return _is_sum(ex.args[0], uid) and applies(ex.args[1], "range") and not _mentions(ex.args[1], uid)
    if applies(ex, "eq", "lt", "le", "gt", "ge"):
        a, b = ex.args
        return (_is_sum(a, uid) and not _mentions(b, uid)) or (_is_sum(b, uid) and not _mentions(a, uid))
    return False


def _is_sum(ex: Ex, uid: str) -> bool:
    if not _mentions(ex, uid):
        return isinstance(ex.type, t.Num)
    if applies(ex, "array_at"):
        inner = ex.args[0]
        return not _mentions(ex.args[1], uid) and (isinstance(inner, Local) or _is_sum(inner, uid))
    if applies(ex, "add"):
        return all(_is_sum(a, uid) for a in ex.args)
    if applies(ex, "sub"):
        return _is_sum(ex.args[0], uid) and not _mentions(ex.args[1], uid)
    if isinstance(ex, Reduction) and ex.kind == "sum" and ex.while_ is None:
        fixed = [c for g in ex.gens for c in (g.domain, *g.where)]
        return not any(_mentions(c, uid) for c in fixed) and _is_sum(ex.value, uid)
    return False


def _mentions(ex: Ex, uid: str) -> bool:
    return uid in free_vars(ex)
