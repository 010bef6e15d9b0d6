"""The Python back end: numbers, names, and values in the form that their type asks for."""

from __future__ import annotations

from ...grammar import Span
from ..core import (
    Apply,
    Const,
    Ex,
    InRange,
    Local,
    applies,
)
from ..core import value_types as t
from .part import Part, writes_value

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip


class Expressions(Part):
    @writes_value(*_INFIX)
    def x_infix(self, ex: Apply) -> str:
        a, b = (self.emit(x) for x in ex.args)
        if ex.op == "div" and _may_be_zero(ex.args[1].type):
            return f"divided({a}, {b}, {self.pool.span(ex.span)})"
        return f"({a} {_INFIX[ex.op]} {b})"

    def counted(self, kind: str, span: Span, code: str, label: str = "") -> str:
        """The code of a value, which in a covered engine is counted when it is worked out."""
        number = self.pool.site(kind, span, label)
        return code if number is None else f"(hit({number}) or ({code}))"

    def same_shape(self, ex: Ex, wanted: t.Type) -> str:
        """A value of a set or list in the form that its type asks for."""
        if isinstance(wanted, t.SetOf) and isinstance(ex.type, t.SetOf):
            return self.c.sets.set_value(ex, wanted.of)
        if isinstance(wanted, t.ListOf):
            return self.c.sets.list_value(ex)
        return self.emit(ex)

    @writes_value("revealed")
    def x_revealed(self, ex: Apply) -> str:
        return self.emit(ex.args[0])

    @writes_value("neg")
    def x_neg(self, ex: Apply) -> str:
        return f"(-{self.emit(ex.args[0])})"

    @writes_value("abs")
    def x_abs(self, ex: Apply) -> str:
        return f"abs({self.emit(ex.args[0])})"

    @writes_value("min_of")
    def x_min_of(self, ex: Apply) -> str:
        return self._extreme("<", ex)

    @writes_value("max_of")
    def x_max_of(self, ex: Apply) -> str:
        return self._extreme(">", ex)

    def _extreme(self, op: str, ex: Apply) -> str:
        if len(ex.args) == 2:
            a, b = (self.atom(x) for x in ex.args)
            return f"({a} if {a} {op} {b} else {b})"
        name = "min" if op == "<" else "max"
        return f"{name}({', '.join(self.emit(a) for a in ex.args)})"

    # ------------------------------------------------------------ names
    @writes_value(Local)
    def x_local(self, ex: Local) -> str:
        return self.c.env[ex.var.uid]

    @writes_value(Const)
    def x_const(self, ex: Const) -> str:
        return const_code(int(ex.value))

    @writes_value("number")
    def x_number(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} + 1)"

    @writes_value("some")
    def x_some(self, ex: Apply) -> str:
        return f"some({self.emit(ex.args[0])}, {self.pool.span(ex.span)})"

    @writes_value(InRange)
    def x_in_range(self, ex: InRange) -> str:
        low, high = (ex.low, ex.high)
        check = "ranged_or_none" if isinstance(ex.type, t.Opt) else "ranged"
        code = self.condition(ex.of)
        if applies(ex.of, "add", "sub") and check == "ranged":  # mostly inside: tested in place
            name = self.temp("w")
            return f"({name} if {low} <= ({name} := {code}) <= {high} else ranged({name}, {low}, {high}, {self.pool.span(ex.span)}))"
        return f"{check}({code}, {low}, {high}, {self.pool.span(ex.span)})"

    @writes_value("tuple_append")
    def x_tuple_append(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} + ({self.emit(ex.args[1])},))"


def const_code(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


def _may_be_zero(type_: t.Type) -> bool:
    return not isinstance(type_, t.Num) or type_.low <= 0 <= type_.high
