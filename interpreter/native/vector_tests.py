"""Native code: a function that tests a vector, whole or with each cell between two bounds."""

from __future__ import annotations

from ..core import (
    OPERATORS,
    And,
    Apply,
    Ex,
    Gen,
    Local,
    Or,
    Reduction,
    applies,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..program.vector_bounds import depend, mentions
from .builder import Value
from .code import llvm_type
from .part import Part


class VectorTests(Part):
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
        context = self.c.room(f"[{size} x i64]")
        self.c.store(self.c.me or "-1", context)
        code = self.module.new_function(
            "tests", [("%S", "ptr"), ("%context", "ptr"), ("%A", "ptr"), ("%B", "ptr"), ("%full", "i64")]
        )
        code.me = code.load("%context")
        code.consts = dict(self.c.consts)
        for uid in around:
            if uid in self.c.consts:
                continue
            type_ = llvm_type(reps[uid])
            self.c.store(
                self.c.local_uid(uid, reps[uid]), self.c.at(context, spots[uid], "i64"), type_, align=8
            )
            value = code.load(code.at("%context", spots[uid], "i64"), type_, align=8)
            if type_ == "ptr":
                code.env[uid] = value
            else:
                code.bind_uid(uid, reps[uid], value)
        code.env[gen.var.uid] = "%A"
        if not sums:
            for condition in gen.where:
                code.vector_tests.check(condition, gen)
        if rest:
            whole, no = code.new_label(), code.new_label()
            code.branch(code.compare("ne", "%full", 0), whole, no)
            code.label(whole)
            code.vectors.nested(rest, lambda: code.give("1"), unused=True)
            code.give("0")
            code.label(no)
        code.give("1")
        return context, f"@{code.name}"

    def has_name(self, uid: str) -> bool:
        return (
            uid in self.c.env
            or uid in self.c.consts
            or (self.c.proc is not None and uid in self.c.proc.slots)
        )

    def _mentioned(self, parts: tuple[Ex, ...], names: dict[str, t.Type]) -> None:
        from ..core import children

        for part in parts:
            if isinstance(part, Local):
                names.setdefault(part.var.uid, part.var.type)
            self._mentioned(tuple(children(part)), names)

    def check(self, condition: Ex, gen: Gen) -> None:
        named = tuple(Gen(v, d) for v, d in gen.cells if v.uid in free_vars(condition))

        def one(_: str = "") -> None:
            ok, bad = self.c.new_label(), self.c.new_label()
            if not self.module.facts.can_fail(condition) and self._tells(condition, gen, True):
                self.c.branch(self._could(condition, gen, True), ok, bad)
            else:
                whole = self.c.new_label()
                self.c.branch(self.c.compare("ne", "%full", 0), whole, ok)
                self.c.label(whole)
                self.c.branch(self.c.test(condition), ok, bad)
            self.c.label(bad)
            self.c.give("0")
            self.c.label(ok)

        if named:
            self.c.loops.loop(named, one)
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
            case Apply(op=op) if OPERATORS[op].compares:
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
            return self.c.test(ex) if holds else self.c.negate(self.c.test(ex))
        if applies(ex, "not"):
            return self._could(ex.args[0], gen, not holds)
        if isinstance(ex, And | Or):
            a, b = self._could(ex.left, gen, holds), self._could(ex.right, gen, holds)
            return self.c.both(a, b) if isinstance(ex, And) == holds else self.c.either(a, b)
        assert isinstance(ex, Apply)
        if ex.op == "in":
            mid = self._interval(ex.args[0], gen)
            low, high = (self._interval(part, gen) for part in operands(ex.args[1]))
            return self.c.both(self.c.compare("sle", mid[0], high[1]), self.c.compare("sle", low[0], mid[1]))
        (al, ah), (bl, bh) = (self._interval(part, gen) for part in ex.args)
        match ex.op if holds else OPERATORS[ex.op].negation:
            case "eq":
                return self.c.both(self.c.compare("sle", al, bh), self.c.compare("sle", bl, ah))
            case "ne":
                return self.c.either(self.c.compare("ne", al, bh), self.c.compare("ne", ah, bl))
            case "lt":
                return self.c.compare("slt", al, bh)
            case "le":
                return self.c.compare("sle", al, bh)
            case "gt":
                return self.c.compare("sgt", ah, bl)
        return self.c.compare("sge", ah, bl)

    def _interval(self, ex: Ex, gen: Gen) -> tuple[Value, Value]:
        uid = gen.var.uid
        if not mentions(ex, uid):
            value = self.c.value(ex)
            return value, value
        if applies(ex, "array_at"):
            low = self.c.value(ex)
            self.c.env[uid] = "%B"
            high = self.c.value(ex)
            self.c.env[uid] = "%A"
            return low, high
        if applies(ex, "add", "sub"):
            (al, ah), (bl, bh) = (self._interval(part, gen) for part in ex.args)
            if ex.op == "add":
                return self.c.add(al, bl), self.c.add(ah, bh)
            return self.c.op("sub", al, bh), self.c.op("sub", ah, bl)
        assert isinstance(ex, Reduction)
        low_at, high_at = self.c.room(), self.c.room()
        self.c.store("0", low_at)
        self.c.store("0", high_at)

        def more(_: str) -> None:
            a, b = self._interval(ex.value, gen)
            self.c.store(self.c.op("add", self.c.load(low_at), a), low_at)
            self.c.store(self.c.op("add", self.c.load(high_at), b), high_at)

        self.c.loops.loop(ex.gens, more)
        return self.c.load(low_at), self.c.load(high_at)
