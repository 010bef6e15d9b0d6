"""The Python back end: conditions and comparisons.

Lines are only ever written where they are certain to run: the right side of `and`, for
instance, goes under an `if` unless one expression will do.
"""

from __future__ import annotations

from ..core import (
    And,
    Apply,
    CallDefine,
    Conditional,
    Ex,
    Or,
    Reduction,
    Universe,
    applies,
    operands,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from .known import optional
from .part import Part, writes_value


class Logic(Part):
    # ------------------------------------------------------------ logic
    @writes_value(And)
    def x_and(self, ex: And) -> str:
        a, b = (ex.left, ex.right)
        if self.known(a) == 1:
            return self.emit(b)
        if self.c.knows.simple(b):
            return f"({self.emit(a)} and {self.emit(b)})"
        name = self.temp()
        self.line(f"{name} = {self.condition(a)}")
        with self.c.block(f"if {name}:"):
            self.line(f"{name} = {self.condition(b)}")
        return name

    @writes_value(Or)
    def x_or(self, ex: Or) -> str:
        a, b = (ex.left, ex.right)
        if self.known(a) == 0:
            return self.emit(b)
        if self.c.knows.simple(b):
            return f"({self.emit(a)} or {self.emit(b)})"
        name = self.temp()
        self.line(f"{name} = {self.condition(a)}")
        with self.c.block(f"if not {name}:"):
            self.line(f"{name} = {self.condition(b)}")
        return name

    @writes_value("not")
    def x_not(self, ex: Apply) -> str:
        return f"(not {self.emit(ex.args[0])})"

    @writes_value(Conditional)
    def x_if(self, ex: Conditional) -> str:
        condition, first, second = (ex.condition, ex.then, ex.otherwise)
        fixed = self.known(condition)
        if fixed is not None:
            return self.emit(first if fixed else second)
        for branch in (first, second):  # `x if x != {} else y`: x is worked out once
            if (
                isinstance(branch, CallDefine | Reduction)
                and branch in operands(condition)
                and not self.c.knows.simple(branch)
            ):
                saved = self.c.hoisted
                name = self.temp("h")
                self.line(f"{name} = {self.c.exprs.same_shape(branch, branch.type)}")
                self.c.hoisted = {**saved, branch: name}
                code = self.x_if(ex)
                self.c.hoisted = saved
                return code
        if self.c.knows.simple(first) and self.c.knows.simple(second):
            test = self.emit(condition)  # with its parentheses: it may be an `if` itself
            return f"({self._arm(first, ex, 'yes')} if {test} else {self._arm(second, ex, 'no')})"
        name = self.temp()
        with self.c.block(f"if {self.condition(condition)}:"):
            self.line(f"{name} = {self._arm(first, ex, 'yes')}")
        with self.c.block("else:"):
            self.line(f"{name} = {self._arm(second, ex, 'no')}")
        return name

    def _arm(self, arm: Ex, whole: Ex, label: str) -> str:
        return self.c.exprs.counted("arm", arm.span, self.c.exprs.same_shape(arm, whole.type), label)

    @writes_value("eq")
    def x_eq(self, ex: Apply) -> str:
        return self._equal(ex, "==")

    @writes_value("ne")
    def x_ne(self, ex: Apply) -> str:
        return self._equal(ex, "!=")

    def _equal(self, ex: Apply, op: str) -> str:
        a, b = ex.args
        if isinstance(a.type, t.SetOf) and isinstance(b.type, t.SetOf):
            element = t.join(a.type.of, b.type.of) or a.type.of
            return f"({self.c.sets.set_value(a, element)} {op} {self.c.sets.set_value(b, element)})"
        if isinstance(a.type, t.ListOf):
            return f"({self.c.sets.list_value(a)} {op} {self.c.sets.list_value(b)})"
        return f"({self.emit(a)} {op} {self.emit(b)})"

    @writes_value("in")
    def x_in(self, ex: Apply) -> str:
        a, whole = ex.args
        maybe = isinstance(a.type, t.Opt) or (isinstance(a.type, t.Num) and a.type.low < 0)
        if applies(whole, "range"):
            low, high = whole.args
            return f"({self.emit(low)} <= {self.emit(a)} <= {self.emit(high)})"
        if applies(whole, "set"):
            if not whole.args:
                return "False"
            items = ", ".join(self.emit(x) for x in whole.args)
            if isinstance(a.type, t.Opt) and any(optional(x) for x in whole.args):
                name = self.atom(a)
                return f"({name} != -1 and {name} in ({items},))"
            return f"({self.emit(a)} in ({items},))"
        if isinstance(whole, Universe):
            return f"({self.emit(a)} != -1)" if maybe else "True"
        if applies(whole, "players"):
            return f"({self.emit(a)} >= 0)"
        if isinstance(whole.type, t.SetOf) and is_mask(whole.type.of):
            mask = self.c.sets.emit_mask(whole)
            if maybe:
                name = self.atom(a)
                return f"({name} >= 0 and {mask} >> {name} & 1)"
            return f"({mask} >> {self.emit(a)} & 1)"
        return f"({self.emit(a)} in {self.c.sets.iterable(whole)})"
