"""Native code: calls of definitions, tables, and actions that may be possible."""

from __future__ import annotations

from ..core import (
    CallDefine,
    Can,
    CanMenu,
    Ex,
    Lookup,
)
from ..core import value_types as t
from ..program.representations import Listed, Representation, Vector
from .builder import Value
from .code import RANGE, llvm_type
from .part import Part, gives, tells


class Calls(Part):
    @gives(CallDefine)
    def _call(self, ex: CallDefine) -> Value:
        decl = ex.define
        values = self.module.facts.tabled(decl)
        if values is not None:
            return self.c.table(values, self.linear(ex.args, tuple(p.type for p in decl.params)))
        function = self.module.definition(decl)
        args = ["ptr %S"]
        if decl.uses_me:
            args.append(f"i64 {self.c.me}")
        args += [self.c.exprs.argument(a, p.type) for a, p in zip(ex.args, decl.params, strict=True)]
        return self.called(function.name, args, self.reps.of(decl.type), self.module.may_fail(function))

    def called(
        self, name: str, args: list[str], rep: Representation, fails: bool, stops: bool = False
    ) -> Value:
        """A call; what is words comes back in a buffer of ours."""
        if isinstance(rep, Listed | Vector):
            buffer = self.c.room(f"[{rep.words} x i32]")
            self.c.call(name, *args, f"ptr {buffer}")
            if fails:
                self.c.after_call(stops)
            return buffer
        made = self.c.call(name, *args, result=llvm_type(rep))
        if fails:
            self.c.after_call(stops)
        return made

    def linear(self, args: tuple[Ex, ...], types: tuple[t.Type, ...]) -> Value:
        sizes = tuple(self.layout.size(type_) for type_ in types)
        lows = tuple(self.layout.low(type_) for type_ in types)
        return self.offset(0, args, sizes, lows)

    def offset(
        self,
        base: int,
        args: tuple[Ex | Value, ...],
        sizes: tuple[int, ...],
        lows: tuple[int, ...],
        stride: int = 1,
    ) -> Value:
        """`base` plus the place of the indices."""
        fixed, made = base, "0"
        for arg, size, low in zip(reversed(args), reversed(sizes), reversed(lows), strict=True):
            value = self.c.value(arg) if isinstance(arg, Ex) else arg
            if self.c.checked and isinstance(arg, Ex):
                self.c.within(self.c.op("sub", value, low), size)
            made = self.c.add(made, self.c.op("mul", value, stride))
            fixed -= low * stride
            stride *= size
        return self.c.add(made, fixed)

    @gives(Lookup)
    def _lookup(self, ex: Lookup) -> Value:
        params = tuple(p.type for p in ex.table.params)
        sizes, lows = [self.layout.size(p) for p in params], [self.layout.low(p) for p in params]
        total = 1
        for size in sizes:
            total *= size
        values = [0] * total
        for key, value in ex.table.rows:
            index = 0
            for k, size, low in zip(key, sizes, lows, strict=True):
                index = index * size + k - low
            values[index] = value
        index_at = self.linear(ex.args, params)
        self.c.fail_if(self.c.compare("uge", index_at, total), RANGE)
        return self.c.table(values, index_at)

    @tells(Can)
    def _can(self, ex: Can) -> Value:
        return self.can_do(ex.action, ex.args)

    def can_do(self, action: str, given: tuple[Ex, ...]) -> Value:
        function = self.module.can(action)
        args = ["ptr %S", f"i64 {self.c.me}"]
        params = self.game.rules[action].params
        args += [self.c.exprs.argument(a, p.type) for a, p in zip(given, params, strict=True)]
        made = self.c.call(function.name, *args)
        if self.module.may_fail(function):
            self.c.after_call(False)
        return self.c.compare("ne", made, 0)

    @tells(CanMenu)
    def _can_menu(self, ex: CanMenu) -> Value:
        answer, done = self.c.room("i1"), self.c.new_label("any")
        self.c.store("false", answer, "i1")
        for action in self.game.menus[ex.menu]:
            yes, no = self.c.new_label(), self.c.new_label()
            self.c.branch(self.can_do(action, ex.args), yes, no)
            self.c.label(yes)
            self.c.store("true", answer, "i1")
            self.c.jump(done)
            self.c.label(no)
        self.c.label(done)
        return self.c.load(answer, "i1")
