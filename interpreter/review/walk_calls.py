"""The walk through calls: rules with their triggers, each once for every way of calling it."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from .. import types as t
from ..core import Ex, RuleDecl, St
from .secrets import NOTHING, Binding, Label, Sight
from .walk_seeing import Seeing
from .walks import Exits, Summary, Walked, merged, root


class Calling(Seeing):
    def _call(self, st: St, s: Sight) -> Walked:
        name, _, var = st.data
        s, exits, result = self.invoke(name, st.args, s)
        if var is not None:
            token = s.fresh(var.uid) if isinstance(t.plain(var.type), t.Player) else None
            s = s.bind(var.uid, Binding(token, result))
        return s, exits

    def invoke(self, name: str, args: tuple[Any, ...], s: Sight) -> tuple[Sight, Exits, Label]:
        """A rule or action with the triggers on it."""
        rule = self.game.rules.get(name)
        if rule is None:
            return s, {}, NOTHING
        before = s.pc
        s, early = self.ahead("rule", name, args, s)
        s, exits, result = self.procedure(rule, args, s)
        s, late = self.behind("rule", name, args, s)
        return evolve(s, pc=s.pc if s.told else before), merged(early, exits, late), result

    def ahead(self, kind: str, name: str, args: tuple[Any, ...], s: Sight) -> Walked:
        """What runs before an event; the sight is that of the event itself, which triggers may have
        dropped or replaced."""
        s, dropped, early = self.hooks(kind, name, args, s, "before")
        s, replaced, instead = self.hooks(kind, name, args, s, "instead")
        return evolve(s, pc=s.pc | dropped | replaced), merged(early, instead)

    def behind(self, kind: str, name: str, args: tuple[Any, ...], s: Sight) -> Walked:
        s, _, exits = self.hooks(kind, name, args, s, "after")
        return s, exits

    def hooks(
        self, kind: str, name: str, args: tuple[Any, ...], s: Sight, timing: str
    ) -> tuple[Sight, Label, Exits]:
        """The triggers on an event; the label tells what it depends on whether the event goes on."""
        drops = NOTHING
        ways: Exits = {}
        for trigger in self.game.triggers.values():
            if trigger.timing != timing or (kind, name) not in trigger.events:
                continue
            here = s if kind in ("rule", "menu") else evolve(s, me=None)
            where = self._where(trigger, args, here)[0]
            after, exits = self.hook(trigger, args, here)
            s = evolve(s, grants=after.grants, vars=after.vars)
            drops |= exits.pop("cancel", NOTHING)
            if timing == "instead":
                drops |= where
            for label in exits.values():
                s = evolve(s, pc=s.pc | label)
            ways = merged(ways, exits)
        return s, drops, ways

    def _where(self, trigger: RuleDecl, args: tuple[Any, ...], s: Sight) -> tuple[Label, Sight]:
        inner = evolve(s, vars=self._bound(trigger, args, s))
        if trigger.me is not None:
            who = self.reader.token(trigger.me, inner) or inner.fresh(f"?{trigger.me.span.start}")
            inner = evolve(inner, me=who, pc=inner.pc | self.reader.label(trigger.me, inner))
        if trigger.where is None:
            return NOTHING, inner
        label = self.reader.label(trigger.where, inner)
        return label, self.reader.narrowed(trigger.where, evolve(inner, pc=inner.pc | label))

    def hook(self, trigger: RuleDecl, args: tuple[Any, ...], s: Sight) -> Walked:
        _, inner = self._where(trigger, args, s)
        after, exits, _ = self.procedure(trigger, args, inner)
        names = {uid: after.vars.get(uid, binding) for uid, binding in s.vars.items()}
        return evolve(s, grants=after.grants, vars=names), exits

    def _bound(self, rule: RuleDecl, args: tuple[Any, ...], s: Sight) -> dict[str, Binding]:
        return {
            param.uid: self.reader.binding(arg, s)
            for param, arg in zip(rule.params, args, strict=False)
            if isinstance(arg, Ex)
        }

    def procedure(self, rule: RuleDecl, args: tuple[Any, ...], s: Sight) -> tuple[Sight, Exits, Label]:
        """Walk through a procedure, once for each way of calling it."""
        names = (
            {p.uid: s.vars[p.uid] for p in rule.params if p.uid in s.vars}
            if rule.kind == "trigger"
            else self._bound(rule, args, s)
        )
        key = (rule.kind, rule.name, tuple(names.items()), s.me, s.active, s.grants, s.pc, s.sealed)
        if key not in self.done and key not in self.open:
            self.open.add(key)
            self.summaries[key] = self._walk(rule, names, s)
            self.open.discard(key)
            self.done.add(key)
        summary = self.summaries.get(key)
        if summary is None:  # a rule inside itself, for the first time
            return s, {}, NOTHING
        for arg, label in zip(args, summary.params, strict=False):
            name = root(arg)
            if name is not None and name in s.vars:
                s = s.bind(name, evolve(s.vars[name], label=label))
        after = evolve(
            s,
            grants=summary.grants,
            pc=NOTHING if summary.told else s.pc,
            told=s.told or summary.told,
        )
        exits = dict(summary.stops)
        if summary.cancels is not None:
            exits["cancel"] = summary.cancels
        return after, exits, summary.result

    def _walk(self, rule: RuleDecl, names: dict[str, Binding], s: Sight) -> Summary:
        outer, self.result = self.result, NOTHING
        after, exits = self.body(rule.body, evolve(s, vars=names, told=False))
        result, self.result = self.result, outer
        told = after.told and "return" not in exits
        stops = tuple(
            sorted((way, label) for way, label in exits.items() if way.startswith(("stop", "expire")))
        )
        params = tuple(after.vars[p.uid].label if p.uid in after.vars else NOTHING for p in rule.params)
        return Summary(told, after.grants, result, stops, exits.get("cancel"), params)
