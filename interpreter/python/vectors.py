"""The Python back end: vectors chosen cell by cell.

Which values a cell may take depends on whether the rest can still be filled, so
that a prefix is offered exactly if it can be completed. Conditions that bound a sum
of cells (program/vector_bounds.py takes them apart) are gathered where the choice
begins. When all are such, vector_plans.py does the rest. Otherwise the conditions
are evaluated on intervals (a filled cell is one number, an open one its whole range),
which prunes nearly everything; what remains is settled by a search for one completion.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import (
    OPERATORS,
    And,
    Apply,
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
from ..program.vector_bounds import Bound, Deal, conditions_of, depend, find_deal, mentions, only_bounds
from .part import Part, writes_value
from .vector_plans import ANY


class Vectors(Part):
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
        with self.c.block(f"if {' or '.join(f'not ({c})' for c in spoilt)}:"):
            self.line(f"{name} = {self._plan(gen, alike)}")
        with self.c.block("else:"):
            self.line(f"{name} = {self._deal_plan(gen, deal, alike)}")
        return name

    def _deal_plan(self, gen: Gen, deal: Deal, alike: tuple[str, ...]) -> str:
        saved = dict(self.c.env)
        (row, row_domain), (column, column_domain) = gen.cells
        rows, columns, totals = self.temp("c"), self.temp("c"), self.temp("n")
        least = "0"
        if deal.least is not None:
            least = self.atom(deal.least)
        if deal.least_unless is not None:
            least = f"0 if {self.emit(deal.least_unless)} else {least}"
        stride = self.layout.size(column.type)
        iterable = self.c.sets.iterable(row_domain)
        name = self.c.name_of(row)
        shift = f" - {self.layout.low(row.type) * stride}" if self.layout.low(row.type) else ""
        self.line(f"{rows} = [{name} * {stride}{shift} for {name} in {iterable}]")
        self.line(f"{columns} = []; {totals} = []")

        def add() -> None:
            self.line(f"{columns}.append({self._flat((Local(column.type, gen.domain.span, column),))})")
            self.line(f"{totals}.append({self.condition(operands(gen.domain)[1])})")

        self.c.loops.over((Gen(column, column_domain),), add)
        self.c.env = saved
        return f"dealt_plan({rows}, {columns}, {totals}, {least}, {row.name in alike})"

    def _plan(self, gen: Gen, alike: tuple[str, ...]) -> str:
        cells, sums = self.vector_parts(gen)
        if only_bounds(gen):
            return f"vector_plan({cells}, {sums}, {self._alike(gen, alike)})"
        return f"cell_columns(narrowed_cells({cells}, {sums}))"

    def vector_parts(self, gen: Gen) -> tuple[str, str]:
        """The names of two lists: the cells with their limits, and what bounds sums of them."""
        name = self.temp("c")
        self.line(f"{name} = []")
        saved = dict(self.c.env)
        indices = [var for var, _ in gen.cells]
        pseudo = tuple(Gen(var, domain) for var, domain in gen.cells)

        def add() -> None:
            args = tuple(Local(v.type, gen.domain.span, v) for v in indices)
            limits = ", ".join(self._limits(gen.domain))
            self.line(f"{name}.append(({self._flat(args)}, {limits}))")

        self.c.loops.over(pseudo, add)
        self.c.env = saved
        sums = self.temp("k")
        self.line(f"{sums} = []")
        for bound in conditions_of(gen).bounds:
            with self.c.knowing():
                self._gather(bound, gen, sums)
        self.c.env = saved
        if not applies(gen.domain, "range"):
            self.line(f"{name} = within_sets({name}, {sums})")
        return name, sums

    def vector_with(self, gen: Gen, known: str, fits: str | None = None) -> str:
        """Code that tells whether a vector is possible in which some cells have the values of a
        dictionary, and which pleases what is behind it."""
        cells, sums = self.vector_parts(gen)
        self.line(f"{cells} = [(i, {known}.get(i, low), {known}.get(i, high)) for i, low, high in {cells}]")
        plan = self.temp("c")
        whole = only_bounds(gen)
        self.line(f"{plan} = " + (f"vector_plan({cells}, {sums}, 0)" if whole else f"cell_columns({cells})"))
        return f"{self.witness_of(gen, plan, fits)} is not None"

    def _flat(self, args: tuple[Ex, ...]) -> str:
        """The number of a cell, given its indices."""
        sizes = tuple(self.layout.size(a.type) for a in args)
        return self.c.states.offset(0, args, sizes, tuple(self.layout.low(a.type) for a in args))

    def _gather(self, bound: Bound, gen: Gen, sums: str) -> None:
        """Lines that add a bound to `sums`, for every cell if it names one."""
        depth = self.c.indent
        for var, domain in bound.cells:
            iterable = self.c.sets.iterable(domain)
            self.line(f"for {self.c.name_of(var)} in {iterable}:")
            self.c.indent += 1
        for free in bound.unless:
            self.line(f"if not ({self.condition(free)}):")
            self.c.indent += 1
        if bound.total is None:
            self.line(f"{sums}.append((1, 0, ()))")
            self.c.indent = depth
            return
        cells, given = self.temp("m"), self.temp("g")
        self.line(f"{cells} = []; {given} = 0")
        self._terms(bound.total, gen.var.uid, cells, given)
        low, high = f"{-ANY}", f"{ANY}"
        if bound.low is not None:
            low = self.atom(bound.low)
        if bound.high is not None:
            high = low if bound.high is bound.low else self.atom(bound.high)
        self.line(f"{sums}.append(({low} - {given}, {high} - {given}, {cells}))")
        self.c.indent = depth

    def _terms(self, ex: Ex, uid: str, cells: str, given: str) -> None:
        """Lines that add up a sum: its cells, and what is given in it."""
        if not mentions(ex, uid):
            self.line(f"{given} += {self.emit(ex)}")
        elif applies(ex, "array_at"):
            chain: list[Ex] = []
            while applies(ex, "array_at"):
                chain.append(ex.args[1])
                ex = ex.args[0]
            assert isinstance(ex.type, t.Array)
            sizes = tuple(self.layout.size(i) for i in ex.type.index)
            lows = tuple(self.layout.low(i) for i in ex.type.index)
            self.line(f"{cells}.append({self.c.states.offset(0, tuple(reversed(chain)), sizes, lows)})")
        elif applies(ex, "sub"):
            self._terms(ex.args[0], uid, cells, given)
            self.line(f"{given} -= {self.emit(ex.args[1])}")
        elif applies(ex, "add"):
            for arg in ex.args:
                self._terms(arg, uid, cells, given)
        else:
            assert isinstance(ex, Reduction)
            comp = ex
            self.c.loops.over(comp.gens, lambda: self._terms(comp.value, uid, cells, given))

    def _limits(self, domain: Ex) -> tuple[str, ...]:
        """The lowest and the highest value of a cell; of a set all values."""
        if applies(domain, "range"):
            return self.emit(domain.args[0]), self.emit(domain.args[1])
        values = self.c.sets.elements(domain)
        return (f"{tuple(sorted(values))}" if values else f"sorted({self.c.sets.iterable(domain)})",)

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
        if not only_bounds(gen):
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
        saved = dict(self.c.env)
        with self.c.block(f"def {name}({vector}):"):
            self.c.env[gen.var.uid] = vector
            self.c.forget(gen.var.uid)
            depth = self.c.indent
            self.c.offers.nested(rest, then or (lambda: self.line("return True")), unused=then is None)
            self.c.indent = depth
            self.line("return False")
        self.c.env = saved
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
        if fits is None and only_bounds(gen):
            return f"plan_possible({plan})"
        cells = self.temp("c")
        self.line(f"{cells} = {plan}")
        return f"{self.witness_of(gen, cells, fits)} is not None"

    def witness_of(self, gen: Gen, cells: str, fits: str | None) -> str:
        """Code for some vector that is allowed and pleases what is behind it, or None."""
        size = self._size(gen)
        if only_bounds(gen):
            return f"plan_witness({cells}, {size}, {fits})"
        return f"vector_witness({cells}, {size}, {self._checker(gen, fits)})"

    # ------------------------------------------------------------ conditions on intervals
    def _checker(self, gen: Gen, fits: str | None = None) -> str:
        """Define a local function `maybe(A, B, full)`: could the conditions still hold, with cell i
        between A[i] and B[i]? `full` tells that every cell is filled: then the binders behind the
        vector are tried too."""
        name, low = self.temp("maybe"), self.temp("A")
        saved = dict(self.c.env)
        with self.c.block(f"def {name}({low}, B{low}, full):"):
            self.c.env[gen.var.uid] = low
            self.c.forget(gen.var.uid)
            for condition in gen.where:
                with self.c.knowing():
                    self._check(condition, gen)
            self.line(f"return not full or {fits}({low})" if fits else "return True")
        self.c.env = saved
        return name

    def _check(self, condition: Ex, gen: Gen) -> None:
        named = [(var, domain) for var, domain in gen.cells if var.uid in free_vars(condition)]
        depth = self.c.indent
        for var, domain in named:
            iterable = self.c.sets.iterable(domain)
            python = self.c.name_of(var)
            self.line(f"for {python} in {iterable}:")
            self.c.indent += 1
        code = self._maybe(condition, gen)
        if code is None:
            exact = self.condition(condition)
            self.line(f"if full and not ({exact}): return False")
        else:
            self.line(f"if not ({code}): return False")
        self.c.indent = depth

    def _maybe(self, ex: Ex, gen: Gen) -> str | None:
        """Code for "could it hold?", or None if that cannot be told from bounds: then nothing is written."""
        if self.pool.may_fail(ex):  # a half-filled vector must not be asked
            return None
        before = len(self.c.lines)
        code = self._could(ex, gen, True)
        if code is None:
            del self.c.lines[before:]
        return code

    def _could(self, ex: Ex, gen: Gen, holds: bool) -> str | None:
        """Code for "could it hold?" or "could it fail to hold?"."""
        if not mentions(ex, gen.var.uid):
            return self.condition(ex) if holds else f"not {self.emit(ex)}"
        if applies(ex, "not"):
            return self._could(ex.args[0], gen, not holds)
        if isinstance(ex, And | Or):
            a, b = (self._could(x, gen, holds) for x in (ex.left, ex.right))
            word = "and" if isinstance(ex, And) == holds else "or"
            return None if a is None or b is None else f"(({a}) {word} ({b}))"
        if isinstance(ex, Apply) and OPERATORS[ex.op].compares:
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
            }[ex.op if holds else OPERATORS[ex.op].negation]
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
            with self.c.block(f"if not ({code}):" if every else f"if {code}:"):
                self.line(f"{name} = {not every}")
                self.line("break")

        self.c.loops.over(comp.gens, test, f"not {name}" if every else name)
        return name if told else None

    def _interval(self, ex: Ex, gen: Gen) -> tuple[str, str] | None:
        if not mentions(ex, gen.var.uid):
            code = self.atom(ex)
            return code, code
        if applies(ex, "array_at"):
            if mentions(ex.args[1], gen.var.uid):
                return None
            inner = ex.args[0]
            if applies(inner, "array_at") and mentions(inner.args[1], gen.var.uid):
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

            self.c.loops.over(comp.gens, add)
            return (low, high) if all(found) else None
        return None
