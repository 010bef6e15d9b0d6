"""What a position is worth to a player, for bots: nothing in the rules reads it.

A spec may say it, `value(p: player) = ...`. If it does not, its `score` is
taken. If there is none either, the endings tell how near somebody is to one: of
`ending free for p in players when gold(p) >= goal: finish {p}` the distance
`gold(p) - goal` is what p wants to see grow.
"""

from __future__ import annotations

from ...core import Apply, CallDefine, CheckedGame, DefineDecl, EndingDecl, Ex, Finish, Local, Var, applies
from ...core import value_types as t

VALUE = "worth_of"
"""The generated function: state, I, L and a seat from 0 to a number."""

_ANY = t.Num(-t.MANY, t.MANY)


def worth(game: CheckedGame) -> DefineDecl | None:
    """The definition that says it; None if nothing does."""
    if game.value is not None or game.score is not None:
        return game.value or game.score
    return _progress(game)


def _progress(game: CheckedGame) -> DefineDecl | None:
    towards = [found for name, ending in game.endings.items() if (found := _distance(name, ending))]
    if not towards:
        return None
    span = towards[0].span
    player = Var("p", "p of a position", t.PLAYER)
    asked = Local(t.PLAYER, span, player)
    parts = [CallDefine(d.type, span, d, (asked,)) for d in towards]
    body: Ex = parts[0]
    for part in parts[1:]:
        body = Apply(_ANY, span, "add", (body, part))
    return DefineDecl(name="towards__any", span=span, params=(player,), type=_ANY, body=body)


def _distance(name: str, ending: EndingDecl) -> DefineDecl | None:
    """How far p is from an ending that p alone would win, if that is a matter of a number."""
    when, var = ending.when, ending.var
    if var is None or len(ending.body) != 1 or not isinstance(ending.body[0], Finish):
        return None
    winners = ending.body[0].winners
    alone = applies(winners, "set") and [getattr(a, "var", None) for a in winners.args] == [var]
    if not alone or not applies(when, "eq", "ge", "gt", "le", "lt"):
        return None
    if not all(isinstance(arg.type, t.Num) for arg in when.args):
        return None
    low, high = when.args[::-1] if applies(when, "eq", "ge", "gt") else when.args
    body = Apply(_ANY, when.span, "sub", (high, low))
    return DefineDecl(name=f"towards__{name}", span=ending.span, params=(var,), type=_ANY, body=body)
