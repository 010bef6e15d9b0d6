"""Checking scenarios: positions, choices and expectations of the language's own tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...grammar import did_you_mean, syntax
from ..core import Apply, Ex, Scenario
from ..core import value_types as t
from ..core.scenario_parts import (
    CannotSee,
    ChanceBrings,
    Chooses,
    Decides,
    Given,
    Holds,
    IsOver,
    Part,
    Pick,
    Refused,
    Sees,
    TimeRunsOut,
)
from .names import doc_of
from .scope import Body, Scope

if TYPE_CHECKING:
    from .context import Context


def check_scenario(c: Context, node: syntax.Scenario) -> Scenario | None:
    counts = c.game.players
    players = c.exprs.whole(node.players, node.players.span) if node.players is not None else counts[0]
    if players not in counts:
        c.error(
            "D0705",
            f"the game is not for {players} players",
            node.players.span if node.players else node.span,
        )
        return None
    options: dict[str, Any] = {}
    for setting in node.options:
        option = c.game.options.get(str(setting.name))
        if option is None:
            c.error(
                "D0703",
                f"there is no option `{setting.name}`",
                setting.name.span,
                help=did_you_mean(setting.name, c.game.options),
            )
            continue
        value = c.exprs.value(setting.value, c.exprs.constants("option"), option.type)
        options[str(setting.name)] = c.exprs.fixed(value, "an option")
    scenario = Scenario(
        name=str(node.title), span=node.title.span, doc=doc_of(node), players=players, options=options
    )
    scope = Scope(Body(str(node.title), "scenario"), has_me=False)
    for part in node.parts:
        match part:
            case syntax.Given(body=body):
                scenario.parts.append(Given(part.span, c.stmts.suite(body, scope)))
            case syntax.When(steps=steps):
                scenario.parts += [_step(c, step, scope) for step in steps]
            case syntax.Then(checks=checks):
                scenario.parts += [_check(c, item, scope) for item in checks]
    return scenario


def _step(c: Context, node: Any, scope: Scope) -> Part:
    match node:
        case syntax.Chooses(player=player, picks=picks):
            who = c.exprs.value(player, scope, t.PLAYER)
            return Chooses(node.span, who, _picks(c, picks, scope))
        case syntax.Refused(player=player, picks=picks, because=because):
            who = c.exprs.value(player, scope, t.PLAYER)
            return Refused(node.span, who, _picks(c, picks, scope), str(because) if because else None)
        case syntax.ChanceIs(picks=picks):
            return ChanceBrings(node.span, _picks(c, picks, scope))
    return TimeRunsOut(node.span)


def _picks(c: Context, picks: tuple[Any, ...], scope: Scope) -> tuple[Pick, ...]:
    out: list[Pick] = []
    for pick in picks:
        if isinstance(pick, syntax.PickWords):
            out.append(str(pick.words))
        elif isinstance(pick.value, syntax.Name) and pick.value.text in c.names.action_names():
            out.append(str(pick.value.text))
        else:
            out.append(c.fit.as_value(c.exprs.expr(pick.value, scope)))
    return tuple(out)


def _check(c: Context, node: Any, scope: Scope) -> Part:
    match node:
        case syntax.Check(condition=condition):
            return Holds(node.span, c.exprs.condition(condition, scope))
        case syntax.Decides(player=player, what=what):
            who = c.exprs.value(player, scope, t.PLAYER)
            return Decides(node.span, who, str(what) if what else None)
        case syntax.Sees(player=player, what=what):
            who = c.exprs.value(player, scope, t.PLAYER)
            return Sees(node.span, who, _seen(c, what, scope))
        case syntax.CannotSee(player=player, what=what):
            who = c.exprs.value(player, scope, t.PLAYER)
            return CannotSee(node.span, who, _seen(c, what, scope))
        case syntax.Over(winners=winners):
            if winners is None:
                return IsOver(node.span, None)
            named = c.fit.as_value(c.exprs.expr(winners, scope, t.SetOf(t.PLAYER)))
            if isinstance(named.type, t.Player):
                named = Apply(t.SetOf(t.PLAYER), named.span, "set", (named,))
            return IsOver(node.span, c.fit.expect(named, t.SetOf(t.PLAYER), winners.span))
    raise AssertionError(type(node))


def _seen(c: Context, node: syntax.Expr, scope: Scope) -> Ex:
    """What a player sees or not: a place, or a component wherever it lies."""
    ex = c.exprs.expr(node, scope)
    if isinstance(t.plain(ex.type), t.Place | t.Comp | t.Unknown):
        return ex
    return c.error("D0314", f"a player sees a place or a component, and this is {t.a(ex.type)}", node.span)
