"""Native code: vectors chosen cell by cell (vector_library.py has the methods).

Where all conditions bound sums of cells, the bounds are gathered into a plan where
the choice begins. Otherwise a function is made that tests a vector, whole or with
each cell between two bounds, and a search calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ..core import (
    And,
    Apply,
    Ex,
    Gen,
    Let,
    Local,
    Or,
    Reduction,
    Var,
    VectorCells,
    VectorStart,
    VectorValue,
    applies,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..program.representations import Listed, plan_of
from ..program.terminators import Binding
from ..program.vector_bounds import Bound, Deal, conditions_of, depend, find_deal, mentions, only_bounds
from ..python.vectors import _NEGATED
from .builder import Value
from .code import LARGE, TOO_MANY, Unsupported, gives, llvm_type
from .memory import OPTIONS
from .statements import StatementCode

ANY = 1 << 29
_ROOM = "[64 x i32]"


class VectorCode(StatementCode):
    # ------------------------------------------------------------ the plan
    def let_vector(self, st: Let) -> bool:
        rep, value = self.rep(st.var), st.value
        match value:
            case VectorCells():
                self.plan(value.gen, value.alike, self.buffer(st.var.uid, rep))
            case VectorStart():
                self.store("0", self.buffer(st.var.uid, rep), "i32")
            case VectorValue():
                plan, filled = (self.value(part) for part in (value.cells, value.filled))
                self.call("vec_value", f"ptr {plan}", f"ptr {filled}", f"ptr {self.buffer(st.var.uid, rep)}")
            case Apply(op="tuple_append"):
                assert isinstance(rep, Listed)
                self.push(self.buffer(st.var.uid, rep), self.value(value.args[1]), rep.room)
            case _:
                return False
        return True

    @gives(VectorCells, VectorStart, VectorValue, "tuple_append")
    def _only_let(self, ex: Ex) -> Value:
        raise Unsupported("the cells of a vector as a value")

    def plan(self, gen: Gen, alike: tuple[str, ...], into: Value | None = None) -> Value:
        rep = plan_of(gen, self.reps)
        pointer = into or self.room(f"[{rep.words} x i32]")
        self.call("vec_reset", f"ptr {pointer}", f"i64 {rep.cells}", f"i64 {rep.sums}")
        deal = find_deal(gen)
        if deal is None:
            self._by_sums(gen, alike, pointer)
            return pointer
        spoilt, done = self.new_label("sums"), self.new_label("planned")
        for condition in deal.unless:
            go = self.new_label()
            self.branch(self.test(condition), go, spoilt)
            self.label(go)
        self._dealt(gen, deal, alike, pointer)
        self.jump(done)
        if deal.unless:
            self.label(spoilt)
            self._by_sums(gen, alike, pointer)
        self.label(done)
        return pointer

    def _dealt(self, gen: Gen, deal: Deal, alike: tuple[str, ...], pointer: Value) -> None:
        (row, row_domain), (column, column_domain) = gen.cells
        height, width = self.layout.size(row.type), self.layout.size(column.type)
        rows, columns, totals = self.new_list(height), self.new_list(width), self.new_list(width)
        least: Value = self.value(deal.least) if deal.least is not None else "0"
        if deal.least_unless is not None:
            least = self.select(self.test(deal.least_unless), "0", least)
        low = self.layout.low(row.type)

        def one_row(value: Value, _: str) -> None:
            self.push(rows, self.op("mul", self.op("sub", value, low), width), height)

        def one_column(_: str) -> None:
            self.push(columns, self._flat((column,), gen), width)
            self.push(totals, self.value(operands(gen.domain)[1]), width)

        self.each(row_domain, one_row)
        self.loop((Gen(column, column_domain),), one_column)
        args = [f"ptr {pointer}"]
        args += [f"ptr {self.at(rows, 1, 'i32')}", f"i64 {self.length(rows)}"]
        args += [f"ptr {self.at(columns, 1, 'i32')}", f"i64 {self.length(columns)}"]
        args += [f"ptr {self.at(totals, 1, 'i32')}", f"i64 {least}", f"i64 {int(row.name in alike)}"]
        self.call("vec_dealt", *args)

    def _flat(self, indices: tuple[Var, ...], gen: Gen) -> Value:
        """The number of a cell, given its indices."""
        args = tuple(Local(v.type, gen.domain.span, v) for v in indices)
        return self.linear(args, tuple(a.type for a in args))

    def _by_sums(self, gen: Gen, alike: tuple[str, ...], pointer: Value) -> None:
        def cell(_: str) -> None:
            index = self._flat(tuple(v for v, _ in gen.cells), gen)
            low, high = self._limits(gen.domain)
            bad = self.call("vec_cell", f"ptr {pointer}", f"i64 {index}", f"i64 {low}", f"i64 {high}")
            self.fail_if(self.compare("ne", bad, 0), LARGE)

        self.loop(tuple(Gen(v, d) for v, d in gen.cells), cell)
        for bound in conditions_of(gen).bounds:
            named = tuple(Gen(var, domain) for var, domain in bound.cells)
            if named:
                self.loop(named, lambda _, b=bound: self._gather(b, gen, pointer))
            else:
                self._gather(bound, gen, pointer)
        stride = self._stride(gen, alike)
        if only_bounds(gen):
            self.call("vec_plan", f"ptr {pointer}", f"i64 {stride}")
        else:
            self.call("vec_columns", f"ptr {pointer}")
            self.store_int(stride, self.at(pointer, 5, "i32"), 32)

    def _stride(self, gen: Gen, names: tuple[str, ...]) -> int:
        """Between heaps that look the same, or 0."""
        if not (gen.cells and gen.cells[0][0].name in names):
            return 0
        return prod(self.layout.size(var.type) for var, _ in gen.cells[1:])

    def _limits(self, domain: Ex) -> tuple[Value, Value]:
        if applies(domain, "range"):
            return self.value(domain.args[0]), self.value(domain.args[1])
        fixed = self.elements(domain)
        if not fixed or fixed != list(range(fixed[0], fixed[-1] + 1)):
            raise Unsupported("a vector over a set that is no range")
        return str(fixed[0]), str(fixed[-1])

    def _gather(self, bound: Bound, gen: Gen, pointer: Value) -> None:
        """One more sum of the plan."""
        out = self.new_label("gathered")
        for free in bound.unless:
            go = self.new_label()
            self.branch(self.test(free), out, go)
            self.label(go)
        if bound.total is None:
            self._add_sum(pointer, "1", "0", "0")
            self.label(out)
            return
        cells, given = self.room(), self.room()
        self.store("0", cells)
        self.store("0", given)
        self._terms(bound.total, gen.var.uid, cells, given, 1)
        low = self.value(bound.low) if bound.low is not None else str(-ANY)
        high = self.value(bound.high) if bound.high is not None else str(ANY)
        fixed = self.load(given)
        self._add_sum(pointer, self.op("sub", low, fixed), self.op("sub", high, fixed), self.load(cells))
        self.label(out)

    def _add_sum(self, pointer: Value, low: Value, high: Value, cells: Value) -> None:
        bad = self.call("vec_sum", f"ptr {pointer}", f"i64 {low}", f"i64 {high}", f"i64 {cells}")
        self.fail_if(self.compare("ne", bad, 0), LARGE)

    def _terms(self, ex: Ex, uid: str, cells: Value, given: Value, sign: int) -> None:
        if not mentions(ex, uid):
            name = "add" if sign > 0 else "sub"
            self.store(self.op(name, self.load(given), self.value(ex)), given)
        elif applies(ex, "array_at"):
            _, index = self.cell_index(ex)
            old, bit = self.load(cells), self.op("shl", 1, index)
            self.fail_if(self.compare("ne", self.op("and", old, bit), 0), LARGE)  # twice: left to Python
            self.store(self.op("or", old, bit), cells)
        elif applies(ex, "sub"):
            self._terms(ex.args[0], uid, cells, given, 1)
            self._terms(ex.args[1], uid, cells, given, -1)
        elif applies(ex, "add"):
            for arg in ex.args:
                self._terms(arg, uid, cells, given, 1)
        else:
            assert isinstance(ex, Reduction)
            self.loop(ex.gens, lambda _: self._terms(ex.value, uid, cells, given, 1))

    # ------------------------------------------------------------ a test of a vector
    def tester(self, gen: Gen, rest: tuple[Gen, ...], sums: bool, then: object = None) -> tuple[Value, str]:
        """(address of the locals, name of the function): may the cells lie between A and B? If all are
        filled, the binders behind the vector are tried too."""
        names: dict[str, t.Type] = {}
        self._mentioned((*(() if sums else gen.where), *(d for _, d in gen.cells)), names)
        for other in rest:
            self._mentioned((other.domain, *other.where, *(d for _, d in other.cells)), names)
        bound = {v.uid for g in (gen, *rest) for v in (g.var, *(c for c, _ in g.cells))}
        around = sorted(uid for uid in names if uid not in bound and self.has_name(uid))
        reps = {uid: self.reps.of_var(uid, names[uid]) for uid in around}
        spots, size = {}, 1
        for uid in around:
            spots[uid] = size
            type_ = llvm_type(reps[uid])
            size += 1 if type_ == "ptr" else int(type_[1:]) // 64
        context = self.room(f"[{size} x i64]")
        self.store(self.me or "-1", context)
        code = self.module.new_function(
            "tests", [("%S", "ptr"), ("%context", "ptr"), ("%A", "ptr"), ("%B", "ptr"), ("%full", "i64")]
        )
        code.me = code.load("%context")
        code.consts = dict(self.consts)
        for uid in around:
            if uid in self.consts:
                continue
            type_ = llvm_type(reps[uid])
            self.store(self.local_uid(uid, reps[uid]), self.at(context, spots[uid], "i64"), type_, align=8)
            value = code.load(code.at("%context", spots[uid], "i64"), type_, align=8)
            if type_ == "ptr":
                code.env[uid] = value
            else:
                code.bind_uid(uid, reps[uid], value)
        code.env[gen.var.uid] = "%A"
        if not sums:
            for condition in gen.where:
                code._check(condition, gen)
        if rest:
            whole, no = code.new_label(), code.new_label()
            code.branch(code.compare("ne", "%full", 0), whole, no)
            code.label(whole)
            code.nested(rest, lambda: code.give("1"), unused=True)
            code.give("0")
            code.label(no)
        code.give("1")
        return context, f"@{code.name}"

    def has_name(self, uid: str) -> bool:
        return uid in self.env or uid in self.consts or (self.proc is not None and uid in self.proc.slots)

    def _mentioned(self, parts: tuple[Ex, ...], names: dict[str, t.Type]) -> None:
        from ..core import children

        for part in parts:
            if isinstance(part, Local):
                names.setdefault(part.var.uid, part.var.type)
            self._mentioned(tuple(children(part)), names)

    def _check(self, condition: Ex, gen: Gen) -> None:
        named = tuple(Gen(v, d) for v, d in gen.cells if v.uid in free_vars(condition))

        def one(_: str = "") -> None:
            ok, bad = self.new_label(), self.new_label()
            if not self.module.can_fail(condition) and self._tells(condition, gen, True):
                self.branch(self._could(condition, gen, True), ok, bad)
            else:
                whole = self.new_label()
                self.branch(self.compare("ne", "%full", 0), whole, ok)
                self.label(whole)
                self.branch(self.test(condition), ok, bad)
            self.label(bad)
            self.give("0")
            self.label(ok)

        if named:
            self.loop(named, one)
        else:
            one()

    def _tells(self, ex: Ex, gen: Gen, holds: bool) -> bool:
        """Can bounds on the cells tell something about it?"""
        uid = gen.var.uid
        if not mentions(ex, uid):
            return True
        match ex:
            case Apply(op="not"):
                return self._tells(ex.args[0], gen, not holds)
            case And() | Or():
                return self._tells(ex.left, gen, holds) and self._tells(ex.right, gen, holds)
            case Apply(op="eq" | "ne" | "lt" | "le" | "gt" | "ge"):
                return all(self._has_interval(part, gen) for part in ex.args)
            case Apply(op="in") if applies(ex.args[1], "range") and holds:
                return all(self._has_interval(part, gen) for part in (ex.args[0], *ex.args[1].args))
        return False

    def _has_interval(self, ex: Ex, gen: Gen) -> bool:
        uid = gen.var.uid
        if isinstance(ex.type, t.SetOf | t.ListOf | t.Array):
            return False
        if not mentions(ex, uid):
            return True
        if applies(ex, "array_at"):
            while applies(ex, "array_at"):
                if mentions(ex.args[1], uid):
                    return False
                ex = ex.args[0]
            return True
        if applies(ex, "add", "sub"):
            return all(self._has_interval(part, gen) for part in ex.args)
        if isinstance(ex, Reduction) and ex.kind == "sum" and ex.while_ is None:
            return not depend(ex.gens, uid) and self._has_interval(ex.value, gen)
        return False

    def _could(self, ex: Ex, gen: Gen, holds: bool) -> Value:
        """Could it hold (or fail to), with each cell between its bounds?"""
        if not mentions(ex, gen.var.uid):
            return self.test(ex) if holds else self.negate(self.test(ex))
        if applies(ex, "not"):
            return self._could(ex.args[0], gen, not holds)
        if isinstance(ex, And | Or):
            a, b = self._could(ex.left, gen, holds), self._could(ex.right, gen, holds)
            return self.both(a, b) if isinstance(ex, And) == holds else self.either(a, b)
        assert isinstance(ex, Apply)
        if ex.op == "in":
            mid = self._interval(ex.args[0], gen)
            low, high = (self._interval(part, gen) for part in operands(ex.args[1]))
            return self.both(self.compare("sle", mid[0], high[1]), self.compare("sle", low[0], mid[1]))
        (al, ah), (bl, bh) = (self._interval(part, gen) for part in ex.args)
        match ex.op if holds else _NEGATED[ex.op]:
            case "eq":
                return self.both(self.compare("sle", al, bh), self.compare("sle", bl, ah))
            case "ne":
                return self.either(self.compare("ne", al, bh), self.compare("ne", ah, bl))
            case "lt":
                return self.compare("slt", al, bh)
            case "le":
                return self.compare("sle", al, bh)
            case "gt":
                return self.compare("sgt", ah, bl)
        return self.compare("sge", ah, bl)

    def _interval(self, ex: Ex, gen: Gen) -> tuple[Value, Value]:
        uid = gen.var.uid
        if not mentions(ex, uid):
            value = self.value(ex)
            return value, value
        if applies(ex, "array_at"):
            low = self.value(ex)
            self.env[uid] = "%B"
            high = self.value(ex)
            self.env[uid] = "%A"
            return low, high
        if applies(ex, "add", "sub"):
            (al, ah), (bl, bh) = (self._interval(part, gen) for part in ex.args)
            if ex.op == "add":
                return self.add(al, bl), self.add(ah, bh)
            return self.op("sub", al, bh), self.op("sub", ah, bl)
        assert isinstance(ex, Reduction)
        low_at, high_at = self.room(), self.room()
        self.store("0", low_at)
        self.store("0", high_at)

        def more(_: str) -> None:
            a, b = self._interval(ex.value, gen)
            self.store(self.op("add", self.load(low_at), a), low_at)
            self.store(self.op("add", self.load(high_at), b), high_at)

        self.loop(ex.gens, more)
        return self.load(low_at), self.load(high_at)

    # ------------------------------------------------------------ asking
    def vector_options(self, binding: Binding, plan: Value, filled: Value) -> Value:
        """Fill the options; how many."""
        gen, out = binding.gen, self.option_at("0")
        rest = binding.rest if depend(binding.rest, gen.var.uid) else ()
        sums = only_bounds(gen)
        if sums and not rest:
            found = self.call("vec_next", f"ptr {plan}", f"ptr {filled}", f"ptr {out}")
        else:
            context, test = self.tester(gen, rest, sums)
            name = "vec_please" if sums else "vec_tested"
            pointers = (context, test, plan, filled, out)
            found = self.call(name, "ptr %S", *(f"ptr {p}" for p in pointers))
            self.after_call(False)
        self.fail_if(self.compare("ugt", found, OPTIONS), TOO_MANY)
        return found

    def vector_witness(self, gen: Gen, plan: Value, into: Value, rest: tuple[Gen, ...]) -> Value:
        """Some vector that is allowed and pleases the binders behind it: is there one?"""
        sums = only_bounds(gen)
        rest = rest if depend(rest, gen.var.uid) else ()
        if sums and not rest:
            found = self.call("vec_witness", f"ptr {plan}", f"ptr {into}")
            return self.compare("ne", found, 0)
        context, test = self.tester(gen, rest, sums)
        pointers = [context, test, plan]
        if sums:
            empty = self.new_list(64)
            pointers.append(empty)
        name = "vec_pleasing" if sums else "vec_first"
        found = self.call(name, "ptr %S", *(f"ptr {p}" for p in (*pointers, into)))
        self.after_call(False)
        return self.compare("ne", found, 0)

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
            self.loop((gen,), lambda _: self.nested(rest, body, unused=unused))
            return
        if not unused:
            raise Unsupported("a vector that something behind it in a header depends on")
        plan, into = self.plan(gen, ()), self.room(_ROOM)
        yes, no = self.new_label(), self.new_label()
        dependent = depend(rest, gen.var.uid)
        if not dependent and only_bounds(gen):
            found = self.compare("ne", self.call("vec_possible", f"ptr {plan}"), 0)
        else:
            found = self.vector_witness(gen, plan, into, rest)
        self.branch(found, yes, no)
        self.label(yes)
        if dependent:
            body()
        else:
            self.nested(rest, body, unused=True)
        self.label(no)
