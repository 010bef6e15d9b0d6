"""The Python back end: definitions, tables, and `can`.

Definitions are inlined while they are small; others are functions, tables or kept values
of the module (generate.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..core import (
    CallDefine,
    Can,
    CanMenu,
    DefineDecl,
    Ex,
    Lookup,
)
from ..core import value_types as t
from .expressions import const_code
from .part import Part, writes_value


class Calls(Part):
    # ------------------------------------------------------------ calls
    @contextmanager
    def inlined(self, ex: CallDefine) -> Iterator[Ex]:
        """Bind the parameters of a definition to the arguments and give its body."""
        decl = ex.define
        codes: dict[str, str] = {}
        fixed: dict[str, int] = {}
        for param, arg in zip(decl.params, ex.args, strict=True):
            value = self.known(arg)
            if value is not None:
                fixed[param.uid] = value
                codes[param.uid] = const_code(value)
            elif isinstance(param.type, t.SetOf):
                code = self.c.sets.set_value(arg, param.type.of)
                if not code.isidentifier():
                    name = self.temp(f"{param.name}_")
                    self.line(f"{name} = {code}")
                    code = name
                codes[param.uid] = code
            else:
                codes[param.uid] = self.atom(arg)
        saved_env, saved_consts, saved_hoisted = dict(self.c.env), dict(self.c.consts), self.c.hoisted
        self.c.env.update(codes)
        for uid in codes:
            self.c.consts.pop(uid, None)
        self.c.consts.update(fixed)
        self.c.hoisted = {}
        self.c.depth += 1
        yield decl.body
        self.c.depth -= 1
        self.c.env, self.c.consts, self.c.hoisted = saved_env, saved_consts, saved_hoisted

    @writes_value(CallDefine)
    def x_call(self, ex: CallDefine) -> str:
        decl: DefineDecl = ex.define
        table = self.pool.tabled(decl)
        if table is not None:
            return f"{table}[{self._linear(ex.args, tuple(p.type for p in decl.params))}]"
        if self.c.knows.inlines(decl):
            with self.inlined(ex) as body:
                if isinstance(decl.type, t.SetOf | t.ListOf):
                    return self.c.exprs.counted("run", decl.span, self.c.exprs.same_shape(body, decl.type))
                return self.c.exprs.counted("run", decl.span, self.emit(body))
        args = [self.c.exprs.same_shape(a, p.type) for a, p in zip(ex.args, decl.params, strict=True)]
        if decl.uses_me:
            assert self.c.me is not None
            args.insert(0, self.c.me)
        memory = self.pool.memory(decl)
        if memory is not None:
            return f"{memory}[{', '.join(args) or '()'}]"
        return f"{self.pool.function(decl)}({', '.join(['S', 'I', 'L', *args])})"

    @writes_value(Lookup)
    def x_table(self, ex: Lookup) -> str:
        table = self.pool.table(ex.table)
        index = self._linear(ex.args, tuple(p.type for p in ex.table.params))
        return f"{table}[{index}]"

    def _linear(self, args: tuple[Ex, ...], types: tuple[t.Type, ...]) -> str:
        offset, parts, stride = 0, [], 1
        for arg, type_ in zip(reversed(args), reversed(types), strict=True):
            low = self.layout.low(type_)
            value = self.known(arg)
            if value is not None:
                offset += (value - low) * stride
            else:
                code = self.emit(arg)
                parts.append(code if stride == 1 else f"{code} * {stride}")
                offset -= low * stride
            stride *= self.layout.size(type_)
        parts.reverse()
        if offset or not parts:
            parts.append(str(offset))
        return " + ".join(parts).replace("+ -", "- ")

    @writes_value(Can)
    def x_can(self, ex: Can) -> str:
        args = "".join(f", {self.emit(a)}" for a in ex.args)
        return f"{self.pool.can(ex.action)}(S, I, L, {self.c.me}{args})"

    @writes_value(CanMenu)
    def x_can_menu(self, ex: CanMenu) -> str:
        args = "".join(f", {self.emit(a)}" for a in ex.args)
        parts = [f"{self.pool.can(name)}(S, I, L, {self.c.me}{args})" for name in self.game.menus[ex.menu]]
        return f"({' or '.join(parts)})"
