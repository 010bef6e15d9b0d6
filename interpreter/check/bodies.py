"""Checking what happens: rules, triggers, phases, endings, invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...grammar import Span, did_you_mean, syntax
from ..core import (
    And,
    Apply,
    CallDefine,
    Cancel,
    Const,
    EndingDecl,
    Ex,
    InvariantDecl,
    Or,
    Repeat,
    RuleDecl,
    Set,
    StateDecl,
    StateRef,
    Var,
    applies,
    within,
)
from ..core import value_types as t
from ..core.look import Look
from ..core.traversal import contains
from .looks import check_looks
from .names import cites_of, doc_of, event_name, place_path, suite_doc
from .orders import put_in_order
from .part import Part
from .scope import Body, Scope

if TYPE_CHECKING:
    from .context import Context


LATE = 999
"""An ending can wait for so many turns."""


class Bodies(Part):
    """What happens, declaration by declaration."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.bodies: dict[str, Body] = {}
        self.lasting: dict[str, Span] = {}
        """Rules that a state lasts until the end of, and where it says so."""

    def signatures(self) -> None:
        for node in self.c.names.each(syntax.Rule, syntax.Action):
            name = str(node.name)
            self.c.names.rule_nodes[name] = node
            types = tuple(Var(str(p.name), str(p.name), self.c.types.type(p.type)) for p in node.params or ())
            returns = (
                self.c.types.type(node.type)
                if isinstance(node, syntax.Rule) and node.type is not None
                else None
            )
            self.c.names.signatures[name] = (types, returns)
            if isinstance(node, syntax.Action) and node.menu is not None:
                menu = str(node.menu)
                wanted = tuple(v.type for v in types)
                if menu in self.c.names.all:
                    self.error(
                        "D0202",
                        f"`{menu}` is already something else",
                        node.menu.span,
                        related=[(self.c.names.all[menu], "declared here")],
                    )
                if self.c.names.menus.setdefault(menu, wanted) != wanted:
                    first = self.c.names.rule_nodes[self.game.menus[menu][0]]
                    shown = ", ".join(map(str, self.c.names.menus[menu])) or "nothing"
                    self.error(
                        "D0302",
                        f"the actions of `{menu}` take ({shown}), so this one must too",
                        node.name.span,
                        related=[(first.name.span, "as the first does")],
                    )
                self.game.menus.setdefault(menu, []).append(name)

    def rules(self) -> None:
        for name, node in self.c.names.rule_nodes.items():
            kind = "action" if isinstance(node, syntax.Action) else "rule"
            returns = self.c.names.signatures[name][1]
            body = self.bodies[name] = Body(name, kind, returns)
            scope = Scope(body)
            params = self.c.defines.params(node.params, scope)
            self.c.old.empty_body(node)
            statements = self.c.stmts.suite(self.c.limits.over(node), scope)
            if name in self.lasting:  # a scope of that name, left however the rule is left
                once = Const(t.Num(1, 1), node.name.span, 1)
                statements = (Repeat(node.name.span, once, statements, name),)
            self.game.rules[name] = RuleDecl(
                name=name,
                span=node.name.span,
                kind=kind,
                params=params,
                type=returns,
                body=statements,
                menu=str(node.menu) if isinstance(node, syntax.Action) and node.menu else None,
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )

    def triggers(self) -> None:
        timings = {
            syntax.TimingBefore: "before",
            syntax.TimingInstead: "instead",
            syntax.TimingAfter: "after",
        }
        instead: dict[str, Span] = {}
        for node in self.c.names.each(syntax.Trigger):
            timing = timings[type(node.timing)]
            name = str(node.name)
            body = self.bodies[f"trigger {name}"] = Body(name, f"trigger-{timing}")
            scope = Scope(body)
            events, params, inherits_me = self._events(node, scope)
            if not inherits_me:
                scope.has_me = False
            if timing == "instead":
                for _, event in events:
                    if event in instead:
                        self.error(
                            "D0202",
                            f"two triggers stand instead of `{event}`",
                            node.name.span,
                            related=[(instead[event], "the other")],
                        )
                    instead[event] = node.name.span
            who = None
            if node.player is not None:
                who = self.c.exprs.value(node.player, scope, t.PLAYER, "the player")
                scope = scope.as_player()
            where = self.c.exprs.condition(node.where, scope) if node.where is not None else None
            suite = self.c.stmts.suite(node.body, scope)
            self._check_replacing(timing, events, node, cancels=any(contains(st, Cancel) for st in suite))
            self.game.triggers[name] = RuleDecl(
                name=name,
                span=node.name.span,
                kind="trigger",
                params=params,
                body=suite,
                timing=timing,
                events=events,
                where=where,
                me=who,
                gives_me=who is not None,
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )

        put_in_order(self.c)

    def _check_replacing(
        self, timing: str, events: tuple[tuple[str, str], ...], node: syntax.Trigger, *, cancels: bool
    ) -> None:
        """Who stands instead of a rule, or cancels it, cannot give back its value."""
        for kind, name in events:
            if not cancels and timing != "instead":
                continue
            if kind == "rule" and self.c.names.signatures[name][1] is not None:
                what = "cancelled" if cancels else "replaced by a trigger"
                self.error("D0319", f"`{name}` returns a value, so it cannot be {what}", node.name.span)
            if cancels and kind in ("turn", "scope"):
                self.error(
                    "D0316",
                    "a turn or a phase cannot be cancelled",
                    node.name.span,
                    help="leave players out with `turns ... where`, or use `instead of`",
                )

    def _events(
        self, node: syntax.Trigger, scope: Scope
    ) -> tuple[tuple[tuple[str, str], ...], tuple[Var, ...], bool]:
        events: list[tuple[str, str]] = []
        params: tuple[Var, ...] = ()
        inherits = False
        for event in node.events:
            if isinstance(event, syntax.EventNamed):
                name, names = event_name(event.what)
                if name in self.c.names.signatures:
                    kind, types = "rule", [v.type for v in self.c.names.signatures[name][0]]
                    inherits = True
                elif name in self.c.names.menus:
                    kind, types = "menu", list(self.c.names.menus[name])
                    inherits = True
                elif name == "turn":
                    kind, types = "turn", [t.PLAYER]
                elif self.c.names.label_kinds.get(name) in (syntax.Turns, syntax.Phase):
                    kind, types = (
                        "scope",
                        [t.PLAYER] if self.c.names.label_kinds[name] is syntax.Turns else [],
                    )
                else:
                    known = [*self.c.names.signatures, *self.c.names.menus, *self.c.names.labels, "turn"]
                    hint = did_you_mean(name, known)
                    if name in self.c.names.labels:
                        hint = (
                            "hook a rule that is called in it; of the scopes, `turns` and phases are events"
                        )
                    self.error("D0208", f"there is no event `{name}`", event.span, help=hint)
                    continue
                if names and len(names) != len(types):
                    shown = ", ".join(map(str, types)) or "nothing"
                    self.error(
                        "D0302",
                        f"`{name}` comes with ({shown})",
                        event.span,
                        related=self.c.calls.where_declared(name),
                    )
                    continue
                if not params and event is node.events[0]:
                    params = tuple(
                        self.c.loops.bind(scope, n, ty) for n, ty in zip(names, types, strict=False)
                    )
                elif [p.name for p in params] != names or [p.type for p in params] != types[: len(names)]:
                    self.error(
                        "D0302",
                        "all events of a trigger must bring the same things",
                        event.span,
                        related=[(node.events[0].span, "as the first does")],
                    )
                events.append((kind, name))
            else:
                word = "entering" if isinstance(event, syntax.EventEntering) else "leaving"
                key = place_path(event.place)
                if key not in self.game.places:
                    owned = next((k for k in self.game.places if k.endswith(f".{key}")), None)
                    hint = f"write `{owned}`" if owned else did_you_mean(key, self.game.places)
                    if key not in self.c.names.broken:
                        self.error("D0208", f"there is no place `{key}`", event.place.span, help=hint)
                    continue
                events.append((word, key))
                if params:
                    self.error(
                        "D0302",
                        "all events of a trigger must bring the same things",
                        event.span,
                        related=[(node.events[0].span, "as the first does")],
                    )
                if not isinstance(node.timing, syntax.TimingAfter):
                    self.error(
                        "D0316",
                        "what enters or leaves a place is noticed `after` it happened",
                        node.timing.span,
                    )
        return tuple(events), params, inherits

    def phases(self) -> None:
        for node in self.c.names.each(syntax.Setup, syntax.Phase):
            name = "setup" if isinstance(node, syntax.Setup) else str(node.name)
            body = self.bodies[f"phase {name}"] = Body(name, "phase")
            scope = Scope(body, has_me=False, labels=(name,))
            decl = RuleDecl(
                name=name,
                span=node.span,
                kind="phase",
                body=self.c.stmts.suite(node.body, scope),
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )
            if isinstance(node, syntax.Setup):
                self.game.phases.insert(0, decl)
            else:
                self.game.phases.append(decl)
        if not any(p.name != "setup" for p in self.game.phases) and self.game.name:
            header = next(self.c.names.each(syntax.Game))
            self.error(
                "D0203",
                "the game has no phase, so nothing would ever happen",
                header.span,
                help="add `phase Play:` with `turns p:` inside",
            )

    def endings(self) -> None:
        for node in self.c.names.each(syntax.Ending):
            body = self.bodies[f"ending {node.name}"] = Body(str(node.name), "ending")
            scope = Scope(body, has_me=False)
            var = domain = None
            if node.binder is not None:
                domain = self.c.exprs.domain(node.binder.domain, scope)
                var = self.c.loops.bind(scope, node.binder.name, self.c.fit.element(domain))
            when = self.c.exprs.condition(node.when, scope)
            if _names_active(when) or (domain is not None and _names_active(domain)):
                when = And(t.YES_NO, when.span, _somebodys_turn(when.span, "ne"), when)
            suite = self.c.stmts.suite(node.body, scope)
            after = None
            if node.after is not None:
                amount = self.c.exprs.value(node.after, scope, t.Num(0, LATE), "the number of turns")
                after = (amount, when)
                when = self.waiting(node, amount, when)
            self.game.endings[str(node.name)] = EndingDecl(
                name=str(node.name),
                span=node.name.span,
                var=var,
                domain=domain,
                when=when,
                body=suite,
                before=str(node.before) if node.before else None,
                after=after,
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )
            if node.before is not None and node.before not in ("turn", "round", "rest"):
                self.error(
                    "D0208",
                    "an ending is tested before each `turn` or `round`, `at rest`, or after every effect",
                    node.before.span,
                )
            elif node.before in ("turn", "round") and syntax.Turns not in self.c.names.loop_kinds:
                self.error(
                    "D0208",
                    f"there are no `turns` in this game, so no {node.before} begins",
                    node.before.span,
                    help="say `at rest`, or leave it out: then it is tested after every effect",
                )
            elif node.after is not None and syntax.Turns not in self.c.names.loop_kinds:
                self.error("D0208", "there are no `turns` in this game, so none ends", node.after.span)

    def waiting(self, node: syntax.Ending, amount: Ex, when: Ex) -> Ex:
        """`ending dark after 3 turns when c`: once c holds in a turn, a number is kept, which sinks behind
        each turn; when it is 0, or c holds where it is nobody's turn, the ending has come."""
        span, name = node.span, str(node.name)
        key, kept = f"turns until {name.replace('_', ' ')}", t.Num(0, LATE + 1)
        state = self.game.states[key] = StateDecl(
            name=key, span=node.name.span, owner="", indices=(), type=t.Opt(kept),
            initial=Const(t.NOTHING, span, -1),
        )  # fmt: skip
        left = StateRef(state.type, span, state)
        for sort, called in (("ending", f"{name}__settles"), ("trigger", f"{name}__turn")):
            self.game.looks[called] = Look(hidden=True)
            self.bodies[f"{sort} {called}"] = Body(called, "ending" if sort == "ending" else "trigger-after")
        open_ = Apply(t.YES_NO, span, "eq", (left, Const(t.NOTHING, span, -1)))
        one = Const(t.Num(1, 1), span, 1)
        more = Apply(t.Num(1, LATE + 1), span, "add", (amount, one))
        self.game.endings[f"{name}__settles"] = EndingDecl(
            name=f"{name}__settles", span=node.name.span, var=None, domain=None, made=True,
            when=And(t.YES_NO, span, And(t.YES_NO, span, open_, _somebodys_turn(span, "ne")), when),
            body=(Set(span, left, more),),
        )  # fmt: skip
        certain = Apply(kept, span, "some", (left,))
        turn = Var("p", f"p_of_{name}", t.PLAYER)
        self.game.triggers[f"{name}__turn"] = RuleDecl(
            name=f"{name}__turn", span=node.name.span, kind="trigger", params=(turn,), timing="after",
            events=(("turn", "turn"),), where=Apply(t.YES_NO, span, "not", (open_,)), made=True,
            body=(Set(span, left, Apply(t.Num(0, LATE), span, "sub", (certain, one))),),
        )  # fmt: skip
        over = Apply(t.YES_NO, span, "eq", (left, Const(t.Num(0, 0), span, 0)))
        at_once = And(t.YES_NO, span, And(t.YES_NO, span, open_, _somebodys_turn(span, "eq")), when)
        return Or(t.YES_NO, span, over, at_once)

    def invariants(self) -> None:
        for node in self.c.names.each(syntax.Always, syntax.Never):
            scope = Scope(Body(str(node.name), "invariant"), has_me=False)
            condition = self.c.exprs.condition(node.condition, scope)
            if isinstance(node, syntax.Never):
                condition = Apply(t.YES_NO, condition.span, "not", (condition,))
            if _names_active(condition):
                condition = Or(t.YES_NO, condition.span, _somebodys_turn(condition.span, "eq"), condition)
            self.game.invariants[str(node.name)] = InvariantDecl(
                name=str(node.name),
                span=node.name.span,
                condition=condition,
                cites=cites_of(node),
                doc=doc_of(node),
            )
        for node in self.c.names.each(syntax.Demand):
            condition = self.c.exprs.fixed(
                self.c.exprs.condition(node.condition, self.c.exprs.constants("require")), "this"
            )
            self.game.demands.append((condition, str(node.because) if node.because else None, node.span))
        self.game.looks = {**self.game.looks, **check_looks(self.c)}

    def scenarios(self) -> None:
        """Scenarios are checked by their own module."""
        from .scenarios import check_scenario

        for node in self.c.names.each(syntax.Scenario):
            scenario = check_scenario(self.c, node)
            if scenario is not None:
                scenario.cites = cites_of(node)
                self.game.scenarios.append(scenario)


def _names_active(ex: Ex) -> bool:
    """Is it said whose turn it is, also in a definition that is used?"""
    return any(
        applies(part, "active") or (isinstance(part, CallDefine) and _names_active(part.define.body))
        for part in within(ex)
    )


def _somebodys_turn(span: Span, op: str) -> Ex:
    """What is said of `active` holds in turns: nothing is tested while it is nobody's."""
    active = Apply(t.Opt(t.PLAYER), span, "active")
    return Apply(t.YES_NO, span, op, (active, Const(t.NOTHING, span, -1)))
