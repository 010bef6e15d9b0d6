"""Native code: what is known, logic, names, conditionals."""

from __future__ import annotations

from ..core import (
    OPERATORS,
    And,
    Apply,
    Conditional,
    Const,
    Ex,
    InRange,
    Local,
    Lookup,
    Me,
    Option,
    Or,
    Universe,
    applies,
    changed,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.passes.folding import folding_for
from ..program.representations import Bits, Representation
from .builder import Value
from .code import Unsupported, llvm_type
from .part import Part, gives, tells

_ARITHMETIC = {"add": "add", "sub": "sub"}
_ORDER = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}


class Expressions(Part):
    # ------------------------------------------------------------ what is known
    def known(self, ex: Ex) -> int | None:
        """The value of an expression that is constant for this number of players and these options."""
        match ex:
            case Const():
                return int(ex.value)
            case Option():
                return self.layout.options[ex.name]
            case Apply(op="player_count"):
                return self.layout.players
            case Local():
                return self.c.consts.get(ex.var.uid)
            case Apply(op="players"):
                return (1 << self.layout.players) - 1
            case Universe() if is_mask(ex.of) and not isinstance(ex.of, t.Num):
                return (1 << self.layout.size(ex.of)) - 1
            case InRange():
                value = self.known(ex.of)
                return value if value is not None and ex.low <= value <= ex.high else None
            case And() | Or():
                a, b = self.known(ex.left), self.known(ex.right)
                if isinstance(ex, And):
                    return 0 if a == 0 or b == 0 else 1 if a == 1 and b == 1 else None
                return 1 if a == 1 or b == 1 else 0 if a == 0 and b == 0 else None
            case Conditional():
                condition = self.known(ex.condition)
                return None if condition is None else self.known(ex.then if condition else ex.otherwise)
        if isinstance(ex, Lookup) or (isinstance(ex, Apply) and OPERATORS[ex.op].fold is not None):
            if any(isinstance(a.type, t.SetOf | t.ListOf | t.Array) for a in ex.args):
                return None
            values = [self.known(a) for a in ex.args]
            if all(v is not None for v in values):
                fixed = [Const(a.type, a.span, v or 0) for a, v in zip(ex.args, values, strict=True)]
                return folding_for(self.layout).try_evaluate(changed(ex, args=tuple(fixed)))
        if applies(ex, "set") and isinstance(ex.type, t.SetOf) and is_mask(ex.type.of):
            members = [self.known(a) for a in ex.args]
            if all(v is not None and v >= 0 for v in members):
                return sum(1 << v for v in {v for v in members if v is not None})
        return None

    def as_type(self, ex: Ex, type_: t.Type) -> Value:
        """A value in the form that a type asks for: a number, bits, or the address of words."""
        if isinstance(type_, t.SetOf) and isinstance(ex.type, t.SetOf):
            return self.c.sets.set_value(ex, self.reps.bits(type_.of))
        if isinstance(type_, t.ListOf):
            return self.c.lists.list_value(ex)
        if isinstance(type_, t.Array):
            return self.vector_value(ex)
        return self.c.value(ex)

    def vector_value(self, ex: Ex) -> Value:
        return self.c.value(ex)

    def argument(self, ex: Ex, type_: t.Type) -> str:
        """A value with its type, as an argument."""
        if isinstance(ex.type, t.Place):
            return f"i64 {self.c.value(ex)}"
        return f"{llvm_type(self.reps.of(type_))} {self.as_type(ex, type_)}"

    # ------------------------------------------------------------ logic
    @tells(And)
    def _and(self, ex: And) -> Value:
        return self._one_then_other(ex, True)

    @tells(Or)
    def _or(self, ex: Or) -> Value:
        return self._one_then_other(ex, False)

    def _one_then_other(self, ex: And | Or, wanted: bool) -> Value:
        first = self.c.test(ex.left)
        if first in ("true", "false"):
            return self.c.test(ex.right) if (first == "true") == wanted else first
        answer = self.c.room("i1")
        self.c.store(first, answer, "i1")
        more, done = self.c.new_label(), self.c.new_label()
        self.c.branch(first, *((more, done) if wanted else (done, more)))
        self.c.label(more)
        with_it = dict(self.c.hoisted)
        self.c.store(self.c.test(ex.right), answer, "i1")
        self.c.hoisted = with_it
        self.c.label(done)
        return self.c.load(answer, "i1")

    @tells("not")
    def _not(self, ex: Apply) -> Value:
        return self.c.negate(self.c.test(ex.args[0]))

    @tells("eq", "ne")
    def _equal(self, ex: Apply) -> Value:
        a, b = ex.args
        if isinstance(a.type, t.SetOf) and isinstance(b.type, t.SetOf):
            rep = self.wider(a.type, b.type)
            return self.c.compare(
                ex.op, self.c.sets.set_value(a, rep), self.c.sets.set_value(b, rep), llvm_type(rep)
            )
        if isinstance(a.type, t.ListOf):
            same = self.c.lists.same_list(self.c.lists.list_value(a), self.c.lists.list_value(b))
            return same if ex.op == "eq" else self.c.negate(same)
        if isinstance(a.type, t.Array):
            raise Unsupported("vectors that are compared")
        return self.c.compare(ex.op, self.c.value(a), self.c.value(b))

    def wider(self, a: t.SetOf, b: t.SetOf) -> Bits:
        """A form in which the elements of both have room."""
        if isinstance(a.of, t.Unknown) or isinstance(b.of, t.Unknown):
            return self.reps.bits(b.of if isinstance(a.of, t.Unknown) else a.of)
        one, other = self.reps.bits(a.of), self.reps.bits(b.of)
        low = min(one.low, other.low)
        return Bits(max(one.low + one.width, other.low + other.width) - low, low)

    @tells("lt", "le", "gt", "ge")
    def _order(self, ex: Apply) -> Value:
        return self.c.compare(_ORDER[ex.op], self.c.value(ex.args[0]), self.c.value(ex.args[1]))

    # ------------------------------------------------------------ names and seats
    @gives(Const)
    def _const(self, ex: Const) -> Value:
        return str(int(ex.value))

    @gives(Option)
    def _option(self, ex: Option) -> Value:
        return str(self.layout.options[ex.name])

    @gives(Local)
    def _local(self, ex: Local) -> Value:
        return self.c.local(ex.var)

    @gives(Me)
    def _me(self, ex: Me) -> Value:
        assert self.c.me is not None
        return self.c.me

    @gives("revealed")
    def _revealed(self, ex: Apply) -> Value:
        return self.as_type(ex.args[0], ex.type)

    # ------------------------------------------------------------ conditionals and calls
    @gives(Conditional)
    def _conditional(self, ex: Conditional) -> Value:
        return self.conditional(ex, self.reps.of(ex.type), lambda arm: self.as_type(arm, ex.type))

    def conditional(self, ex: Conditional, rep: Representation, write: object) -> Value:
        assert callable(write)
        fixed = self.known(ex.condition)
        if fixed is not None:
            self.c.counting.arm(*((ex.then, "yes") if fixed else (ex.otherwise, "no")))
            made: Value = write(ex.then if fixed else ex.otherwise)
            return made
        type_ = llvm_type(rep)
        answer = self.c.room(f"[{max(1, rep.words)} x i32]" if type_ == "ptr" else type_)
        yes, no, done = self.c.new_label(), self.c.new_label(), self.c.new_label()
        self.c.branch(self.c.test(ex.condition), yes, no)
        before = self.c.hoisted
        for where, arm, word in ((yes, ex.then, "yes"), (no, ex.otherwise, "no")):
            self.c.label(where)
            self.c.hoisted = dict(before)
            self.c.counting.arm(arm, word)
            value = write(arm)
            if type_ == "ptr":
                self.c.copy_words(answer, value, rep)
            else:
                self.c.store(value, answer, type_)
            self.c.jump(done)
        self.c.hoisted = before
        self.c.label(done)
        return answer if type_ == "ptr" else self.c.load(answer, type_)
