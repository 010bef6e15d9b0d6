"""Checking turns: who has them, in which order, and who is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from ...grammar import syntax
from ..core import NEXT, Apply, Const, Ex, Nothing, Set, St, StateDecl, StateRef, Turns
from ..core import value_types as t
from ..core.look import Look
from .part import Part, checks
from .scope import Body, Call, Scope

if TYPE_CHECKING:
    from .context import Context


class Turning(Part):
    """`turns`, and `next` inside them."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.loops: list[tuple[str | None, Call, Body]] = []

    @checks(syntax.Turns)
    def _turns(self, node: syntax.Turns, scope: Scope) -> St:
        start = (
            self.c.exprs.value(node.start, scope, t.PLAYER, "the first player")
            if node.start is not None
            else None
        )
        order = self._order_of_turns(node, start, scope)
        inner = self.c.stmts.opened(scope, node.label).as_player().inside(flag="turn")
        if node.once is not None:
            inner = inner.inside(flag="once")
        elif "once" in inner.flags:
            inner = evolve(inner, flags=inner.flags - {"once"})
        var = self.c.loops.bind(inner, node.player, t.PLAYER)
        where = self.c.exprs.condition(node.where, inner) if node.where is not None else None
        then = self._next_of_turns(node, inner)
        body = self.c.stmts.suite(node.body, inner)
        self.loops.append(
            (str(node.label) if node.label else None, inner.call("turn", node.span), scope.body)
        )
        return Turns(node.span, node.label, var, start, where, body, order, node.once is not None, then)

    def _next_of_turns(self, node: syntax.Turns, inner: Scope) -> Ex | None:
        """Who has the turn behind a player's, if it is not simply the one on the left."""
        if node.then is None:
            return None
        if node.order is not None or node.once is not None:
            self.error(
                "D0316",
                "the list says who is next" if node.order is not None else "`once` goes clockwise",
                node.then.span,
                help="leave out `then`, or `in` and `once`",
            )
        return self.c.exprs.value(node.then, inner, t.PLAYER, "who is next")

    def _order_of_turns(self, node: syntax.Turns, start: Ex | None, scope: Scope) -> Ex | None:
        """The players who have turns, if not all of them again and again."""
        if node.order is None:
            first = start if start is not None else Const(t.PLAYER, node.span, 0)
            return Apply(t.ListOf(t.PLAYER), node.span, "clockwise", (first,)) if node.once else None
        if node.start is not None:
            self.error(
                "D0316",
                "the list says who is first, so there is nothing to begin `from`",
                node.start.span,
                help="write `in clockwise(p)`, or `from p` alone",
            )
        order = self.c.exprs.domain(node.order, scope, t.PLAYER)
        if not t.fits(self.c.fit.element(order), t.PLAYER):
            self.error("D0301", f"`turns` are of players, and this is {t.a(order.type)}", node.order.span)
        return order

    @checks(syntax.Next)
    def _next(self, node: syntax.Next, scope: Scope) -> St:
        who = self.c.exprs.value(node.player, scope, t.PLAYER, "who is next")
        if "once" in scope.flags:
            self.error("D0316", "each has one turn here, so nobody can be called up", node.span)
            return Nothing(node.span)
        if scope.body.kind in ("phase", "scenario", "ending") and "turn" not in scope.flags:
            self.error("D0316", "`next` says whose turn comes next, and there are no turns here", node.span)
            return Nothing(node.span)
        if NEXT not in self.game.states:
            nobody = Const(t.NOTHING, node.span, -1)
            self.game.states[NEXT] = StateDecl(
                name=NEXT,
                span=node.span,
                owner="",
                indices=(),
                type=t.Opt(t.PLAYER),
                initial=nobody,
                until=NEXT,
            )
            self.game.looks[NEXT] = Look(hidden=True)
        state = self.game.states[NEXT]
        return Set(node.span, StateRef(state.type, node.span, state), who)
