"""The Python back end, part 5: vectors chosen cell by cell.

Which values a cell may take depends on whether the rest can still be filled.
The conditions are evaluated on intervals (a filled cell is one number, an open
one its whole range), which prunes nearly everything; what remains is settled by
a search for one completion. So a prefix is offered exactly if it can be
completed.
"""

from __future__ import annotations

from . import types as t
from .core import Comp, Ex, Gen
from .emit_stmts import StmtEmitter
from .program import Binding


class VectorEmitter(StmtEmitter):
    def x_vector_cells(self, ex: Ex) -> str:
        """(flat index of each cell, its lowest, its highest value), as three tuples."""
        gen: Gen = ex.data
        name = self.temp("c")
        self.line(f"{name} = []")
        saved = dict(self.env)
        indices = [var for var, _ in gen.cells]
        pseudo = tuple(Gen(var, domain) for var, domain in gen.cells)
        sizes = tuple(self.layout.size(v.type) for v in indices)
        lows = tuple(self.layout.low(v.type) for v in indices)

        def add() -> None:
            args = tuple(Ex("local", v.type, ex.span, data=v) for v in indices)
            flat = self.offset(0, args, sizes, lows)
            low, high = self._limits(gen.domain)
            self.line(f"{name}.append(({flat}, {low}, {high}))")

        self.loops(pseudo, add)
        self.env = saved
        return f"cell_columns({name})"

    def _limits(self, domain: Ex) -> tuple[str, str]:
        if domain.op == "range":
            return self.emit(domain.args[0]), self.emit(domain.args[1])
        values = self.elements(domain)
        if values:
            return str(min(values)), str(max(values))
        name = self.temp("d")
        self.line(f"{name} = list({self.iterable(domain)}) or [0]")
        return f"min({name})", f"max({name})"

    def x_vector_start(self, ex: Ex) -> str:
        return "()"

    def x_vector_value(self, ex: Ex) -> str:
        gen: Gen = ex.data
        assert isinstance(gen.var.type, t.Array)
        size = 1
        for index in gen.var.type.index:
            size *= self.layout.size(index)
        cells, filled = (self.emit(a) for a in ex.args)
        return f"vector_value({cells}, {filled}, {size})"

    def _size(self, gen: Gen) -> int:
        assert isinstance(gen.var.type, t.Array)
        size = 1
        for index in gen.var.type.index:
            size *= self.layout.size(index)
        return size

    def vector_options(self, binding: Binding, cells: str, filled: str) -> str:
        name = self.temp("o")
        check = self._checker(binding.gen, cells)
        alike = self._alike(binding)
        self.line(f"{name} = vector_options({cells}, {filled}, {self._size(binding.gen)}, {check}, {alike})")
        return name

    def _alike(self, binding: Binding) -> str:
        """The stride between heaps that look the same, or 0."""
        gen = binding.gen
        if binding.alike and gen.cells and gen.cells[0][0].name in binding.alike:
            stride = 1
            for var, _ in gen.cells[1:]:
                stride *= self.layout.size(var.type)
            return str(stride)
        return "0"

    def vector_witness(self, gen: Gen) -> str:
        cells = self.temp("c")
        self.line(f"{cells} = {self.x_vector_cells(Ex('vector_cells', t.UNKNOWN, gen.domain.span, data=gen))}")
        check = self._checker(gen, cells)
        return f"vector_witness({cells}, {self._size(gen)}, {check})"

    # ------------------------------------------------------------ conditions on intervals
    def _checker(self, gen: Gen, cells: str) -> str:
        """Define a local function `maybe(A, B, full)`: could the conditions still hold, with cell i
        between A[i] and B[i]? `full` tells that every cell is filled."""
        name = self.temp("maybe")
        saved = dict(self.env)
        with self.block(f"def {name}(A, B, full):"):
            self.env[gen.var.uid] = "A"
            for condition in gen.where:
                self._check(condition, gen)
            self.line("return True")
        self.env = saved
        return name

    def _check(self, condition: Ex, gen: Gen) -> None:
        from .core import free_vars

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
        if not _mentions(ex, gen.var.uid):
            return self.condition(ex)
        if ex.op in ("and", "or"):
            a, b = (self._maybe(x, gen) for x in ex.args)
            return None if a is None or b is None else f"(({a}) {ex.op} ({b}))"
        if ex.op in ("eq", "lt", "le", "gt", "ge"):
            a, b = (self._interval(x, gen) for x in ex.args)
            if a is None or b is None:
                return None
            (al, ah), (bl, bh) = a, b
            return {
                "eq": f"{al} <= {bh} and {bl} <= {ah}",
                "lt": f"{al} < {bh}",
                "le": f"{al} <= {bh}",
                "gt": f"{ah} > {bl}",
                "ge": f"{ah} >= {bl}",
            }[ex.op]
        if ex.op == "in" and ex.args[1].op == "range":
            a = self._interval(ex.args[0], gen)
            low, high = (self._interval(x, gen) for x in ex.args[1].args)
            if a is None or low is None or high is None:
                return None
            return f"{a[0]} <= {high[1]} and {low[0]} <= {a[1]}"
        return None

    def _interval(self, ex: Ex, gen: Gen) -> tuple[str, str] | None:
        if not _mentions(ex, gen.var.uid):
            code = self.atom(ex)
            return code, code
        if ex.op == "array_at":
            code = self.emit(ex)
            return code, "B" + code[1:]
        if ex.op in ("add", "sub"):
            a, b = (self._interval(x, gen) for x in ex.args)
            if a is None or b is None:
                return None
            if ex.op == "add":
                return f"({a[0]} + {b[0]})", f"({a[1]} + {b[1]})"
            return f"({a[0]} - {b[1]})", f"({a[1]} - {b[0]})"
        if ex.op == "comp" and isinstance(ex.data, Comp) and ex.data.kind == "sum":
            comp = ex.data
            if any(_mentions(c, gen.var.uid) for g in comp.gens for c in (g.domain, *g.where)):
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


def _mentions(ex: Ex, uid: str) -> bool:
    from .core import free_vars

    return uid in free_vars(ex)
