"""Checking what happens: definitions, rules, triggers, phases, endings, and what holds over all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Span, did_you_mean, syntax
from ..core import Apply, Cancel, DefineDecl, EndingDecl, InvariantDecl, RuleDecl, Var
from ..core import value_types as t
from ..program.waiting import contains
from .looks import check_looks
from .names import cites_of, doc_of, event_name, place_path, suite_doc
from .orders import put_in_order
from .scope import Body, Call, Scope
from .tables import TableChecker


class BodyChecker(TableChecker):
    def _defines(self) -> None:
        self.define_nodes = {str(d.name): d for d in self.each(syntax.Define)}
        for node in self.each(syntax.Score):
            self.define_nodes["score"] = node
        for name in list(self.define_nodes):
            self.ensure_define(name)
        self.game.score = self.game.defines.get("score") if any(self.each(syntax.Score)) else None
        for node in self.each(syntax.Value):
            self.game.value = self._of_player(node, "the value", "value of a position")

    def _of_player(self, node: syntax.Score | syntax.Value, what: str, name: str) -> DefineDecl:
        scope = Scope(Body(name, "define"), has_me=False)
        var = self.bind(scope, node.player, t.PLAYER)
        value = self.number(node.value, scope, what)
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
        node = self.define_nodes.get(name)
        if node is None or name in self.game.defines or name in self._defining:
            return
        self._defining.append(name)
        if isinstance(node, syntax.Score):
            self.game.defines["score"] = self._of_player(node, "the score", "score")
            self._defining.pop()
            return
        body = Body(name, "define")
        scope = Scope(body)
        params = self.params(node.params, scope)
        wanted = self.type(node.type) if node.type is not None else None
        ex = self.expr(node.value, scope, wanted)
        ex = (
            self.expect(ex, wanted, node.value.span, "the value") if wanted is not None else self.as_value(ex)
        )
        self._defining.pop()
        self.game.defines[name] = DefineDecl(
            name=name,
            span=node.name.span,
            params=params,
            type=wanted or ex.type,
            body=ex,
            uses_me=body.uses_me,
            cites=cites_of(node),
            doc=doc_of(node),
        )

    def params(self, nodes: tuple[syntax.Param, ...] | None, scope: Scope) -> tuple[Var, ...]:
        out = []
        for node in nodes or ():
            out.append(self.bind(scope, node.name, self.type(node.type)))
        return tuple(out)

    # ------------------------------------------------------------ rules
    def _signatures(self) -> None:
        for node in self.each(syntax.Rule, syntax.Action):
            name = str(node.name)
            self.rule_nodes[name] = node
            types = tuple(Var(str(p.name), str(p.name), self.type(p.type)) for p in node.params or ())
            returns = (
                self.type(node.type) if isinstance(node, syntax.Rule) and node.type is not None else None
            )
            self.signatures[name] = (types, returns)
            if isinstance(node, syntax.Action) and node.menu is not None:
                menu = str(node.menu)
                wanted = tuple(v.type for v in types)
                if menu in self.names:
                    self.error(
                        "D0202",
                        f"`{menu}` is already something else",
                        node.menu.span,
                        related=[(self.names[menu], "declared here")],
                    )
                if self.menus.setdefault(menu, wanted) != wanted:
                    first = self.rule_nodes[self.game.menus[menu][0]]
                    shown = ", ".join(map(str, self.menus[menu])) or "nothing"
                    self.error(
                        "D0302",
                        f"the actions of `{menu}` take ({shown}), so this one must too",
                        node.name.span,
                        related=[(first.name.span, "as the first does")],
                    )
                self.game.menus.setdefault(menu, []).append(name)

    def _rules(self) -> None:
        for name, node in self.rule_nodes.items():
            kind = "action" if isinstance(node, syntax.Action) else "rule"
            returns = self.signatures[name][1]
            body = self.bodies[name] = Body(name, kind, returns)
            scope = Scope(body)
            params = self.params(node.params, scope)
            self.game.rules[name] = RuleDecl(
                name=name,
                span=node.name.span,
                kind=kind,
                params=params,
                type=returns,
                body=self.suite(node.body, scope),
                menu=str(node.menu) if isinstance(node, syntax.Action) and node.menu else None,
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )

    def _triggers(self) -> None:
        timings = {
            syntax.TimingBefore: "before",
            syntax.TimingInstead: "instead",
            syntax.TimingAfter: "after",
        }
        instead: dict[str, Span] = {}
        for node in self.each(syntax.Trigger):
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
                who = self.value(node.player, scope, t.PLAYER, "the player")
                scope = scope.as_player()
            where = self.condition(node.where, scope) if node.where is not None else None
            suite = self.suite(node.body, scope)
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

        put_in_order(self)

    def _check_replacing(
        self, timing: str, events: tuple[tuple[str, str], ...], node: syntax.Trigger, *, cancels: bool
    ) -> None:
        """Who stands instead of a rule, or cancels it, cannot give back its value."""
        for kind, name in events:
            if not cancels and timing != "instead":
                continue
            if kind == "rule" and self.signatures[name][1] is not None:
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
                if name in self.signatures:
                    kind, types = "rule", [v.type for v in self.signatures[name][0]]
                    inherits = True
                elif name in self.menus:
                    kind, types = "menu", list(self.menus[name])
                    inherits = True
                elif name == "turn":
                    kind, types = "turn", [t.PLAYER]
                elif self.label_kinds.get(name) in (syntax.Turns, syntax.Phase):
                    kind, types = "scope", [t.PLAYER] if self.label_kinds[name] is syntax.Turns else []
                else:
                    known = [*self.signatures, *self.menus, *self.labels, "turn"]
                    hint = did_you_mean(name, known)
                    if name in self.labels:
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
                        related=self.where_declared(name),
                    )
                    continue
                if not params and event is node.events[0]:
                    params = tuple(self.bind(scope, n, ty) for n, ty in zip(names, types, strict=False))
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
                    if key not in self.broken:
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

    def _phases(self) -> None:
        for node in self.each(syntax.Setup, syntax.Phase):
            name = "setup" if isinstance(node, syntax.Setup) else str(node.name)
            body = self.bodies[f"phase {name}"] = Body(name, "phase")
            scope = Scope(body, has_me=False, labels=(name,))
            decl = RuleDecl(
                name=name,
                span=node.span,
                kind="phase",
                body=self.suite(node.body, scope),
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )
            if isinstance(node, syntax.Setup):
                self.game.phases.insert(0, decl)
            else:
                self.game.phases.append(decl)
        if not any(p.name != "setup" for p in self.game.phases) and self.game.name:
            header = next(self.each(syntax.Game))
            self.error(
                "D0203",
                "the game has no phase, so nothing would ever happen",
                header.span,
                help="add `phase Play:` with `turns p:` inside",
            )

    def _endings(self) -> None:
        for node in self.each(syntax.Ending):
            body = self.bodies[f"ending {node.name}"] = Body(str(node.name), "ending")
            scope = Scope(body, has_me=False)
            var = domain = None
            if node.binder is not None:
                domain = self.domain(node.binder.domain, scope)
                var = self.bind(scope, node.binder.name, self.element(domain))
            when = self.condition(node.when, scope)
            suite = self.suite(node.body, scope)
            self.game.endings[str(node.name)] = EndingDecl(
                name=str(node.name),
                span=node.name.span,
                var=var,
                domain=domain,
                when=when,
                body=suite,
                before=str(node.before) if node.before else None,
                cites=cites_of(node),
                doc=suite_doc(node.body),
            )
            if node.before is not None and node.before != "turn":
                self.error(
                    "D0208", "an ending is tested before each `turn`, or after every effect", node.before.span
                )

    def _invariants(self) -> None:
        for node in self.each(syntax.Always, syntax.Never):
            scope = Scope(Body(str(node.name), "invariant"), has_me=False)
            condition = self.condition(node.condition, scope)
            if isinstance(node, syntax.Never):
                condition = Apply(t.YES_NO, condition.span, "not", (condition,))
            self.game.invariants[str(node.name)] = InvariantDecl(
                name=str(node.name),
                span=node.name.span,
                condition=condition,
                cites=cites_of(node),
                doc=doc_of(node),
            )
        for node in self.each(syntax.Demand):
            condition = self.fixed(self.condition(node.condition, self.constants("require")), "this")
            self.game.demands.append((condition, str(node.because) if node.because else None, node.span))
        self.game.looks = check_looks(self)

    def _scenarios(self) -> None:
        """Scenarios are checked by their own module."""
        from .scenarios import check_scenario

        for node in self.each(syntax.Scenario):
            scenario = check_scenario(self, node)
            if scenario is not None:
                scenario.cites = cites_of(node)
                self.game.scenarios.append(scenario)

    # ------------------------------------------------------------ over all bodies
    def _settle_me(self) -> None:
        """A rule that calls one that needs `me` needs it too; where there is none, that is an error."""
        changed = True
        while changed:
            changed = False
            for body in self.bodies.values():
                for call in body.calls:
                    needed = self.bodies[call.callee].uses_me if call.callee in self.bodies else False
                    if needed and call.me_from == "caller" and not body.uses_me:
                        body.uses_me = changed = True
                        body.me_spans += self.bodies[call.callee].me_spans
            for name, trigger in self.game.triggers.items():
                if not self.bodies[f"trigger {name}"].uses_me:
                    continue
                for kind, event in trigger.events:  # a trigger gets the `me` of the rule that it hooks
                    if kind == "rule" and not self.bodies[event].uses_me:
                        self.bodies[event].uses_me = changed = True
                        self.bodies[event].me_spans += self.bodies[f"trigger {name}"].me_spans
        for body in self.bodies.values():
            for call in body.calls:
                callee = call.callee
                if call.me_from == "nowhere" and callee in self.bodies and self.bodies[callee].uses_me:
                    spans = self.bodies[callee].me_spans
                    related = [(spans[0], "here it asks for `me`")] if spans else []
                    self.error(
                        "D0308",
                        f"`{callee}` needs somebody who decides, but nobody does here",
                        call.span,
                        related=related,
                        help="call it inside `as p:` or a turn",
                    )
        for name, rule in self.game.rules.items():
            rule.uses_me = self.bodies[name].uses_me
        for name, trigger in self.game.triggers.items():
            trigger.uses_me = self.bodies[f"trigger {name}"].uses_me

    def _check_stops(self) -> None:
        """`stop X` in a rule: X must be open in every place that calls the rule."""
        for body, label, span in self.outer_stops:
            if not self._always_inside(body, label, set()):
                self.error(
                    "D0405",
                    f"`{body.name}` stops `{label}`, but is also used where that is not open",
                    span,
                    related=[(self.labels[label], f"`{label}` is opened here")],
                    help="it must stand around every call, and not outside of `together` or `atomic`",
                )

    def _always_inside(self, body: Body, label: str, seen: set[int]) -> bool:
        if id(body) in seen:
            return True
        seen.add(id(body))
        if body.kind in ("phase", "ending"):
            return False
        for call, caller in self._callers(body):
            if label not in call.labels and (call.walls or not self._always_inside(caller, label, seen)):
                return False
        return True

    def _callers(self, body: Body) -> Iterator[tuple[Call, Body]]:
        """Where control comes from into a rule, an action or a trigger. What crosses a place may do
        so anywhere, so nothing is said about triggers on places."""
        wanted: set[str] = set()
        hooked: set[str] = set()
        if self.bodies.get(body.name) is body:
            wanted = {body.name, f"menu {self.game.rules[body.name].menu}"}
        elif body.name in self.game.triggers:
            for kind, name in self.game.triggers[body.name].events:
                if kind == "rule":
                    yield from self._callers(self.bodies[name])
                elif kind == "menu":
                    wanted.add(f"menu {name}")
                else:
                    hooked.add(name)
        for caller in self.bodies.values():
            yield from ((call, caller) for call in caller.calls if call.callee in wanted)
        for label, call, caller in self.turn_loops:
            if label in hooked or "turn" in hooked:
                yield call, caller
