"""Checking definitions: each is checked when it is first used, so that its type can be inferred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...grammar import syntax
from ..core import DefineDecl, St, Var
from ..core import value_types as t
from .names import cites_of, doc_of
from .part import Part
from .scope import Body, Scope

if TYPE_CHECKING:
    from .context import Context


class Definitions(Part):
    """Definitions, each when it is first used."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.defining: list[str] = []  # those under way, to notice circles

    def defines(self) -> None:
        self.c.names.define_nodes = {str(d.name): d for d in self.c.names.each(syntax.Define)}
        for node in self.c.names.each(syntax.Score):
            self.c.names.define_nodes["score"] = node
        for name in list(self.c.names.define_nodes):
            self.ensure_define(name)
        self.game.score = self.game.defines.get("score") if any(self.c.names.each(syntax.Score)) else None
        for node in self.c.names.each(syntax.Value):
            self.game.value = self._of_player(node, "the value", "value of a position")

    def _of_player(self, node: syntax.Score | syntax.Value, what: str, name: str) -> DefineDecl:
        scope = Scope(Body(name, "define"), has_me=False)
        var = self.c.loops.bind(scope, node.player, t.PLAYER)
        value = self.c.exprs.number(node.value, scope, what)
        return DefineDecl(
            name=name,
            span=node.span,
            params=(var,),
            type=value.type,
            body=value,
            cites=cites_of(node),
            doc=doc_of(node),
        )

    def ensure_define(self, name: str) -> None:
        node = self.c.names.define_nodes.get(name)
        if node is None or name in self.game.defines or name in self.defining:
            return
        self.defining.append(name)
        if isinstance(node, syntax.Score):
            self.game.defines["score"] = self._of_player(node, "the score", "score")
            self.defining.pop()
            return
        body = Body(name, "define")
        scope = Scope(body)
        params = self.params(node.params, scope)
        wanted = self.c.types.type(node.type) if node.type is not None else None
        if isinstance(node.value, syntax.Suite):
            ex = self.c.define_bodies.expression(node.value, scope, wanted)
        elif wanted is not None:
            ex = self.c.exprs.value(node.value, scope, wanted, "the value")
        else:
            ex = self.c.printed.one(self.c.fit.as_value(self.c.exprs.expr(node.value, scope)))
        told: tuple[St, ...] = ()
        if isinstance(node.value, syntax.Suite) and not isinstance(ex.type, t.Unknown):
            again = Scope(Body(name, "define", wanted or ex.type), vars={p.name: p for p in params})
            told = self.c.stmts.suite(node.value, again)
        self.defining.pop()
        self.game.defines[name] = DefineDecl(
            name=name,
            span=node.name.span,
            params=params,
            type=wanted or ex.type,
            body=ex,
            uses_me=body.uses_me,
            told=told,
            cites=cites_of(node),
            doc=doc_of(node),
        )

    def params(self, nodes: tuple[syntax.Param, ...] | None, scope: Scope) -> tuple[Var, ...]:
        out = []
        for node in nodes or ():
            out.append(self.c.loops.bind(scope, node.name, self.c.types.type(node.type)))
        return tuple(out)
