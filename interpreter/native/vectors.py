"""Native code: vectors chosen cell by cell (vector_library.py has the methods).

Where all conditions bound sums of cells, the bounds are gathered into a plan where
the choice begins. Otherwise a function is made that tests a vector, whole or with
each cell between two bounds, and a search calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ..core import (
    Apply,
    Ex,
    Gen,
    Let,
    Local,
    Reduction,
    Var,
    VectorCells,
    VectorStart,
    VectorValue,
    applies,
    operands,
)
from ..program.representations import Listed, plan_of
from ..program.terminators import Binding
from ..program.vector_bounds import Bound, Deal, conditions_of, depend, find_deal, mentions, only_bounds
from .builder import Value
from .code import LARGE, TOO_MANY, Unsupported
from .memory import OPTIONS
from .part import Part, gives

ANY = 1 << 29
_ROOM = "[64 x i32]"


class Vectors(Part):
    # ------------------------------------------------------------ the plan
    def let_vector(self, st: Let) -> bool:
        rep, value = self.c.rep(st.var), st.value
        match value:
            case VectorCells():
                self.plan(value.gen, value.alike, self.c.buffer(st.var.uid, rep))
            case VectorStart():
                self.c.store("0", self.c.buffer(st.var.uid, rep), "i32")
            case VectorValue():
                plan, filled = (self.c.value(part) for part in (value.cells, value.filled))
                self.c.call(
                    "vec_value", f"ptr {plan}", f"ptr {filled}", f"ptr {self.c.buffer(st.var.uid, rep)}"
                )
            case Apply(op="tuple_append"):
                assert isinstance(rep, Listed)
                self.c.lists.push(self.c.buffer(st.var.uid, rep), self.c.value(value.args[1]), rep.room)
            case _:
                return False
        return True

    @gives(VectorCells, VectorStart, VectorValue, "tuple_append")
    def _only_let(self, ex: Ex) -> Value:
        raise Unsupported("the cells of a vector as a value")

    def plan(self, gen: Gen, alike: tuple[str, ...], into: Value | None = None) -> Value:
        rep = plan_of(gen, self.reps)
        pointer = into or self.c.room(f"[{rep.words} x i32]")
        self.c.call("vec_reset", f"ptr {pointer}", f"i64 {rep.cells}", f"i64 {rep.sums}")
        deal = find_deal(gen)
        if deal is None:
            self._by_sums(gen, alike, pointer)
            return pointer
        spoilt, done = self.c.new_label("sums"), self.c.new_label("planned")
        for condition in deal.unless:
            go = self.c.new_label()
            self.c.branch(self.c.test(condition), go, spoilt)
            self.c.label(go)
        self._dealt(gen, deal, alike, pointer)
        self.c.jump(done)
        if deal.unless:
            self.c.label(spoilt)
            self._by_sums(gen, alike, pointer)
        self.c.label(done)
        return pointer

    def _dealt(self, gen: Gen, deal: Deal, alike: tuple[str, ...], pointer: Value) -> None:
        (row, row_domain), (column, column_domain) = gen.cells
        height, width = self.layout.size(row.type), self.layout.size(column.type)
        rows, columns, totals = (
            self.c.lists.new_list(height),
            self.c.lists.new_list(width),
            self.c.lists.new_list(width),
        )
        least: Value = self.c.value(deal.least) if deal.least is not None else "0"
        if deal.least_unless is not None:
            least = self.c.select(self.c.test(deal.least_unless), "0", least)
        low = self.layout.low(row.type)

        def one_row(value: Value, _: str) -> None:
            self.c.lists.push(rows, self.c.op("mul", self.c.op("sub", value, low), width), height)

        def one_column(_: str) -> None:
            self.c.lists.push(columns, self._flat((column,), gen), width)
            self.c.lists.push(totals, self.c.value(operands(gen.domain)[1]), width)

        self.c.loops.each(row_domain, one_row)
        self.c.loops.loop((Gen(column, column_domain),), one_column)
        args = [f"ptr {pointer}"]
        args += [f"ptr {self.c.at(rows, 1, 'i32')}", f"i64 {self.c.lists.length(rows)}"]
        args += [f"ptr {self.c.at(columns, 1, 'i32')}", f"i64 {self.c.lists.length(columns)}"]
        args += [f"ptr {self.c.at(totals, 1, 'i32')}", f"i64 {least}", f"i64 {int(row.name in alike)}"]
        self.c.call("vec_dealt", *args)

    def _flat(self, indices: tuple[Var, ...], gen: Gen) -> Value:
        """The number of a cell, given its indices."""
        args = tuple(Local(v.type, gen.domain.span, v) for v in indices)
        return self.c.calls.linear(args, tuple(a.type for a in args))

    def _by_sums(self, gen: Gen, alike: tuple[str, ...], pointer: Value) -> None:
        def cell(_: str) -> None:
            index = self._flat(tuple(v for v, _ in gen.cells), gen)
            low, high = self._limits(gen.domain)
            bad = self.c.call("vec_cell", f"ptr {pointer}", f"i64 {index}", f"i64 {low}", f"i64 {high}")
            self.c.fail_if(self.c.compare("ne", bad, 0), LARGE)

        self.c.loops.loop(tuple(Gen(v, d) for v, d in gen.cells), cell)
        for bound in conditions_of(gen).bounds:
            named = tuple(Gen(var, domain) for var, domain in bound.cells)
            if named:
                self.c.loops.loop(named, lambda _, b=bound: self._gather(b, gen, pointer))
            else:
                self._gather(bound, gen, pointer)
        stride = self._stride(gen, alike)
        if only_bounds(gen):
            self.c.call("vec_plan", f"ptr {pointer}", f"i64 {stride}")
        else:
            self.c.call("vec_columns", f"ptr {pointer}")
            self.c.store_int(stride, self.c.at(pointer, 5, "i32"), 32)

    def _stride(self, gen: Gen, names: tuple[str, ...]) -> int:
        """Between heaps that look the same, or 0."""
        if not (gen.cells and gen.cells[0][0].name in names):
            return 0
        return prod(self.layout.size(var.type) for var, _ in gen.cells[1:])

    def _limits(self, domain: Ex) -> tuple[Value, Value]:
        if applies(domain, "range"):
            return self.c.value(domain.args[0]), self.c.value(domain.args[1])
        fixed = self.c.loops.elements(domain)
        if not fixed or fixed != list(range(fixed[0], fixed[-1] + 1)):
            raise Unsupported("a vector over a set that is no range")
        return str(fixed[0]), str(fixed[-1])

    def _gather(self, bound: Bound, gen: Gen, pointer: Value) -> None:
        """One more sum of the plan."""
        out = self.c.new_label("gathered")
        for free in bound.unless:
            go = self.c.new_label()
            self.c.branch(self.c.test(free), out, go)
            self.c.label(go)
        if bound.total is None:
            self._add_sum(pointer, "1", "0", "0")
            self.c.label(out)
            return
        cells, given = self.c.room(), self.c.room()
        self.c.store("0", cells)
        self.c.store("0", given)
        self._terms(bound.total, gen.var.uid, cells, given, 1)
        low = self.c.value(bound.low) if bound.low is not None else str(-ANY)
        high = self.c.value(bound.high) if bound.high is not None else str(ANY)
        fixed = self.c.load(given)
        self._add_sum(
            pointer, self.c.op("sub", low, fixed), self.c.op("sub", high, fixed), self.c.load(cells)
        )
        self.c.label(out)

    def _add_sum(self, pointer: Value, low: Value, high: Value, cells: Value) -> None:
        bad = self.c.call("vec_sum", f"ptr {pointer}", f"i64 {low}", f"i64 {high}", f"i64 {cells}")
        self.c.fail_if(self.c.compare("ne", bad, 0), LARGE)

    def _terms(self, ex: Ex, uid: str, cells: Value, given: Value, sign: int) -> None:
        if not mentions(ex, uid):
            name = "add" if sign > 0 else "sub"
            self.c.store(self.c.op(name, self.c.load(given), self.c.value(ex)), given)
        elif applies(ex, "array_at"):
            _, index = self.c.reading.cell_index(ex)
            old, bit = self.c.load(cells), self.c.op("shl", 1, index)
            self.c.fail_if(
                self.c.compare("ne", self.c.op("and", old, bit), 0), LARGE
            )  # twice: left to Python
            self.c.store(self.c.op("or", old, bit), cells)
        elif applies(ex, "sub"):
            self._terms(ex.args[0], uid, cells, given, 1)
            self._terms(ex.args[1], uid, cells, given, -1)
        elif applies(ex, "add"):
            for arg in ex.args:
                self._terms(arg, uid, cells, given, 1)
        else:
            assert isinstance(ex, Reduction)
            self.c.loops.loop(ex.gens, lambda _: self._terms(ex.value, uid, cells, given, 1))

    # ------------------------------------------------------------ asking
    def vector_options(self, binding: Binding, plan: Value, filled: Value) -> Value:
        """Fill the options; how many."""
        gen, out = binding.gen, self.c.option_at("0")
        rest = binding.rest if depend(binding.rest, gen.var.uid) else ()
        sums = only_bounds(gen)
        if sums and not rest:
            found = self.c.call("vec_next", f"ptr {plan}", f"ptr {filled}", f"ptr {out}")
        else:
            context, test = self.c.vector_tests.tester(gen, rest, sums)
            name = "vec_please" if sums else "vec_tested"
            pointers = (context, test, plan, filled, out)
            found = self.c.call(name, "ptr %S", *(f"ptr {p}" for p in pointers))
            self.c.after_call(False)
        self.c.fail_if(self.c.compare("ugt", found, OPTIONS), TOO_MANY)
        return found

    def vector_witness(self, gen: Gen, plan: Value, into: Value, rest: tuple[Gen, ...]) -> Value:
        """Some vector that is allowed and pleases the binders behind it: is there one?"""
        sums = only_bounds(gen)
        rest = rest if depend(rest, gen.var.uid) else ()
        if sums and not rest:
            found = self.c.call("vec_witness", f"ptr {plan}", f"ptr {into}")
            return self.c.compare("ne", found, 0)
        context, test = self.c.vector_tests.tester(gen, rest, sums)
        pointers = [context, test, plan]
        if sums:
            empty = self.c.lists.new_list(64)
            pointers.append(empty)
        name = "vec_pleasing" if sums else "vec_first"
        found = self.c.call(name, "ptr %S", *(f"ptr {p}" for p in (*pointers, into)))
        self.c.after_call(False)
        return self.c.compare("ne", found, 0)

    # ------------------------------------------------------------ binders in a row
    def nested(self, gens: tuple[Gen, ...], body: Callable[[], None], *, unused: bool) -> None:
        """Loops over the binders of a choice; `unused`: the body does not read them, so that of a
        vector only its possibility matters."""
        if not gens:
            body()
            return
        gen, *others = gens
        rest = tuple(others)
        if not gen.cells:
            self.c.loops.loop((gen,), lambda _: self.nested(rest, body, unused=unused))
            return
        if not unused:
            raise Unsupported("a vector that something behind it in a header depends on")
        plan, into = self.plan(gen, ()), self.c.room(_ROOM)
        yes, no = self.c.new_label(), self.c.new_label()
        dependent = depend(rest, gen.var.uid)
        if not dependent and only_bounds(gen):
            found = self.c.compare("ne", self.c.call("vec_possible", f"ptr {plan}"), 0)
        else:
            found = self.vector_witness(gen, plan, into, rest)
        self.c.branch(found, yes, no)
        self.c.label(yes)
        if dependent:
            body()
        else:
            self.nested(rest, body, unused=True)
        self.c.label(no)
