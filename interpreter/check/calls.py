"""Checking calls: definitions, tables, actions, `can`."""

from __future__ import annotations

from ...grammar import Span, did_you_mean, syntax
from ..core import CallDefine, Can, CanMenu, Const, Ex, Lookup, Var
from ..core import value_types as t
from .built_ins import BUILTINS
from .functions import REDUCTIONS
from .part import Part
from .scope import Scope
from .wording import brief


class Calls(Part):
    """Whatever has arguments in brackets."""

    def invoke(self, node: syntax.Invoke, scope: Scope, want: t.Type | None) -> Ex:
        if isinstance(node.of, syntax.TypeName) and node.of.text in self.game.components:
            self.c.paths.type_name(node.of.text, scope)
            return self.c.printed.those(node, str(node.of.text), scope)
        if not isinstance(node.of, syntax.Name):
            return self.error("D0305", f"`{brief(node.of.span)}` takes no brackets", node.span)
        name = node.of.text
        span = node.span
        if isinstance(node.args, syntax.Spreading):
            if name != "spread" or name in self.c.names.all:
                return self.error("D0302", "only `spread` is written with `from` and `to`", node.span)
            return self.c.loops.spread(node.args, scope, span)
        if name in self.game.defines or name in self.c.names.define_nodes:
            return self.call_define(name, self._plain_args(node, scope, name), span, scope)
        if name in self.game.tables:
            return self._table(name, self._plain_args(node, scope, name), span)
        if name in REDUCTIONS:
            return self.c.loops.reduction(str(name), node, scope, want)
        if name in BUILTINS:
            if isinstance(node.args, syntax.Comprehension):
                return self.error("D0302", f"this is written `{BUILTINS[name]}`", span)
            return self.c.functions.call(str(name), node.args or (), span, scope)
        if name in self.game.rules or name in self.c.names.signatures:
            return self.error(
                "D0307",
                f"`{name}` is a rule, which may have effects: it cannot stand inside an expression",
                span,
                help=f"write `let x = {name}(...)` on a line of its own, or make it a `define`",
            )
        if name in scope.vars:
            return self.error(
                "D0305", f"`{name}` is {t.a(scope.vars[name].type)}, which takes no brackets", node.of.span
            )
        if name in self.c.names.kind_values:
            kinds = " and ".join(self.c.names.kind_values[name])
            return self.error(
                "D0305", f"`{name}` is a value of {kinds}, which takes no brackets", node.of.span
            )
        if name in self.c.names.all:
            here = [(self.c.names.all[name], "declared here")]
            return self.error(
                "D0305", f"`{name}` is not something that takes brackets", node.of.span, related=here
            )
        return self.error(
            "D0201", f"`{name}` is not known", node.of.span, help=self.c.paths.nearest(name, scope)
        )

    def _plain_args(self, node: syntax.Invoke, scope: Scope, name: str) -> tuple[Ex, ...]:
        if isinstance(node.args, syntax.Comprehension | syntax.Spreading):
            self.error(
                "D0302", f"`{name}` takes values one by one", node.span, related=self.where_declared(name)
            )
            return ()
        wanted = self._wanted(name)
        out = []
        for position, arg in enumerate(node.args or ()):
            if isinstance(arg, syntax.NamedArg):
                self.error("D0302", "arguments here have no names", arg.span)
                continue
            want = wanted[position] if position < len(wanted) else None
            out.append(self.c.exprs.expr(arg, scope, want))
        return tuple(out)

    def _wanted(self, name: str) -> list[t.Type]:
        if name in self.game.tables:
            return [p.type for p in self.game.tables[name].params]
        self.c.defines.ensure_define(name)
        decl = self.game.defines.get(name)
        return [p.type for p in decl.params] if decl else []

    def match_args(
        self, name: str, params: tuple[Var, ...], args: tuple[Ex, ...], span: Span
    ) -> tuple[Ex, ...] | None:
        if len(params) != len(args):
            wanted = ", ".join(f"{p.name}: {p.type}" for p in params) or "nothing"
            self.error(
                "D0302",
                f"`{name}` takes ({wanted}), but {_many(len(args))} given",
                span,
                related=self.where_declared(name),
            )
            return None
        return tuple(
            self.c.fit.expect(arg, param.type, arg.span, f"`{param.name}`")
            for param, arg in zip(params, args, strict=True)
        )

    def call_define(self, name: str, args: tuple[Ex, ...], span: Span, scope: Scope) -> Ex:
        if name in self.c.defines.defining:
            circle = self.c.defines.defining[self.c.defines.defining.index(name) :]
            way = f", by way of {' and '.join(f'`{n}`' for n in circle[1:])}" if len(circle) > 1 else ""
            return self.error(
                "D0318",
                f"`{name}` is defined by itself{way}",
                span,
                help="a `rule` may call itself; a definition may not",
            )
        self.c.defines.ensure_define(name)
        decl = self.game.defines.get(name)
        if decl is None:
            return Const(t.UNKNOWN, span, 0)
        matched = self.match_args(name, decl.params, args, span)
        if matched is None:
            return Const(decl.type, span, 0)
        if decl.uses_me:
            self.c.paths.me(scope, span)
        return CallDefine(decl.type, span, decl, matched)

    def _table(self, name: str, args: tuple[Ex, ...], span: Span) -> Ex:
        table = self.game.tables[name]
        matched = self.match_args(name, table.params, args, span)
        return Lookup(table.type, span, table, matched or ())

    def can(self, of: syntax.Expr, span: Span, scope: Scope) -> Ex:
        name, args = self.callee(of, scope)
        if name is None:
            return self.error("D0305", "`can` asks about an action or a menu", span)
        self.c.paths.me(scope, span)
        if name in self.c.names.menus:
            return CanMenu(t.YES_NO, span, name, self.fit_args(name, args, of.span))
        if name in self.c.names.action_names():
            return Can(t.YES_NO, span, name, self.fit_args(name, args, of.span))
        return self.error(
            "D0204",
            f"`{name}` is not an action or a menu",
            of.span,
            related=self.where_declared(name),
            help=did_you_mean(name, [*self.c.names.menus, *self.c.names.action_names()]),
        )

    def fit_args(self, name: str, args: tuple[Ex, ...], span: Span) -> tuple[Ex, ...]:
        """The arguments of a rule, an action or a menu, each as its parameter wants it."""
        wanted = self.c.names.param_types(name)
        if len(wanted) != len(args):
            shown = ", ".join(map(str, wanted)) or "nothing"
            self.error(
                "D0302",
                f"`{name}` takes ({shown}), but {_many(len(args))} given",
                span,
                related=self.where_declared(name),
            )
            return args
        return tuple(
            self.c.fit.expect(arg, want, arg.span, "the argument")
            for want, arg in zip(wanted, args, strict=True)
        )

    def where_declared(self, name: str) -> list[tuple[Span, str]]:
        if name in self.c.names.menus:
            return self.c.names.first_of_menu(name)
        span = self.c.names.all.get(name)
        return [(span, "declared here")] if span is not None else []

    def callee(self, node: syntax.Expr, scope: Scope) -> tuple[str | None, tuple[Ex, ...]]:
        """Name and arguments of `name` or `name(a, b)`."""
        if isinstance(node, syntax.Name):
            self.c.index.called(node.text)
            return str(node.text), ()
        if isinstance(node, syntax.Invoke) and isinstance(node.of, syntax.Name):
            if isinstance(node.args, syntax.Comprehension | syntax.Spreading):
                return None, ()
            self.c.index.called(node.of.text)
            wanted = self.c.names.param_types(str(node.of.text))
            out = []
            for position, arg in enumerate(node.args or ()):
                if isinstance(arg, syntax.NamedArg):
                    self.error("D0302", "arguments here have no names", arg.span)
                    continue
                want = wanted[position] if position < len(wanted) else None
                ex = self.c.exprs.expr(arg, scope, want)
                out.append(self.c.fit.as_value(ex, want))
            return str(node.of.text), tuple(out)
        return None, ()


def _many(count: int) -> str:
    return "1 is" if count == 1 else f"{count} are"
