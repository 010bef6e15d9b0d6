"""The walk through calls: rules with their triggers, each once for every way of calling it."""

from __future__ import annotations

from typing import Any

from ..core import CallRule, Ex, RuleDecl
from .people import OWNER, UNKNOWN, Who
from .sights import NOTHING, Binding, Grant, Label, Sight, evolve
from .walk_seeing import Seeing
from .walks import BEFORE, Exit, Exits, Summary, Walked, label_of, merged, root

STANDING = ("seat", "= ", "option ", "state ", OWNER.base)
"""Words that mean the same inside and outside a procedure."""


class Calling(Seeing):
    def _call(self, st: CallRule, s: Sight) -> Walked:
        name, _, var = (st.rule, st.type, st.var)
        s, exits, result = self.invoke(name, st.args, s)
        if var is not None:
            s, who = s.fresh(var.uid)
            s = s.bind(var.uid, Binding(who, result))
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
        for trigger in self.hooked.get((kind, name, timing), ()):
            here = s if kind in ("rule", "menu") else evolve(s, me=None)
            where, inner = self._where(trigger, args, here)
            after, exits = self._run(trigger, args, here, inner)
            s = evolve(s, grants=after.grants, vars=after.vars)
            drops |= label_of(exits, "cancel")
            exits.pop("cancel", None)
            if timing == "instead":
                drops |= where
            for way in exits.values():
                s = evolve(s, pc=s.pc | way.label)
            ways = merged(ways, exits)
        return s, drops, ways

    def _where(self, trigger: RuleDecl, args: tuple[Any, ...], s: Sight) -> tuple[Label, Sight]:
        inner = self._bound(trigger, args, s)
        if trigger.me is not None:
            inner, who = self.player(trigger.me, inner)
            inner = evolve(inner, me=who, pc=inner.pc | self.reader.label(trigger.me, inner))
        if trigger.where is None:
            return NOTHING, inner
        label = self.reader.label(trigger.where, inner)
        return label, self.reader.narrowed(trigger.where, evolve(inner, pc=inner.pc | label))

    def player(self, ex: Ex, s: Sight) -> tuple[Sight, Who]:
        """Who an expression means; somebody new if that cannot be told."""
        who = self.reader.who(ex, s)
        return (s, who) if who != UNKNOWN else s.fresh(f"player at {ex.span.start}")

    def hook(self, trigger: RuleDecl, args: tuple[Any, ...], s: Sight) -> Walked:
        _, inner = self._where(trigger, args, s)
        return self._run(trigger, args, s, inner)

    def _run(self, trigger: RuleDecl, args: tuple[Any, ...], s: Sight, inner: Sight) -> Walked:
        """A trigger on an event; `inner` is the sight with its names and conditions."""
        after, exits, _ = self.procedure(trigger, args, inner)
        names = {uid: after.vars.get(uid, binding) for uid, binding in s.vars.items()}
        happened = evolve(s, grants=after.grants, vars=names)
        return (happened if trigger.where is None else s.meet(happened)), exits

    def _bound(self, rule: RuleDecl, args: tuple[Any, ...], s: Sight) -> Sight:
        """The sight in which the parameters of a rule are known, and no other names."""
        given = [(param, arg) for param, arg in zip(rule.params, args, strict=False) if isinstance(arg, Ex)]
        inner = evolve(s, vars={param.uid: self.reader.binding(arg, s) for param, arg in given})
        for param, _ in given:
            if inner.vars[param.uid].who == UNKNOWN:
                inner, who = inner.fresh(param.uid)
                inner = inner.bind(param.uid, evolve(inner.vars[param.uid], who=who))
        return inner

    def procedure(self, rule: RuleDecl, args: tuple[Any, ...], s: Sight) -> tuple[Sight, Exits, Label]:
        """Walk through a procedure, once for each way of calling it."""
        if rule.kind == "trigger":
            start = evolve(s, vars={p.uid: s.vars[p.uid] for p in rule.params if p.uid in s.vars})
        else:
            start = self._bound(rule, args, s)
        start = evolve(start, told=False)
        where = (start.me, start.active, start.grants, start.apart, start.pc, start.sealed)
        key = (rule.kind, rule.name, tuple(start.vars.items()), *where)
        self.circular |= key in self.open
        if key not in self.done and key not in self.open:
            self.open.add(key)
            self.summaries[key] = self._walk(rule, start)
            self.open.discard(key)
            self.done.add(key)
        summary = self.summaries.get(key)
        s = self.changed(self.writing.of_rule(rule), s, rule.span)
        if summary is None:  # a rule inside itself, for the first time
            return s, {}, NOTHING
        for arg, label in zip(args, summary.params, strict=False):
            name = root(arg)
            if name is not None and name in s.vars:
                s = s.bind(name, evolve(s.vars[name], label=label))
        after = evolve(
            s,
            grants=s.grants | summary.grants,
            pc=NOTHING if summary.told else s.pc,
            told=s.told or summary.told,
        )
        exits = {way: Exit(label, after) for way, label in summary.stops}
        if summary.cancels is not None:
            exits["cancel"] = Exit(summary.cancels, after)
        return after, exits, summary.result

    def _walk(self, rule: RuleDecl, start: Sight) -> Summary:
        outer, self.result = self.result, NOTHING
        after, exits = self.body(rule.body, start)
        result, self.result = self.result, outer
        told = after.told and "return" not in exits
        stops = tuple(
            sorted(
                ((way, out.label) for way, out in exits.items() if way.startswith(("stop", "expire"))),
                key=lambda item: item[0],
            )
        )
        for way, out in exits.items():
            if way in ("return", "return told"):
                after = after.meet(out.sight)
        params = tuple(after.vars[p.uid].label if p.uid in after.vars else NOTHING for p in rule.params)
        known = {who.base for who in start.live()}
        gained = frozenset(g for g in after.grants - start.grants if not g.top and _lasts(g, known))
        peeked = frozenset(g for g in after.grants if g.top and _lasts(g, known))
        cancels = exits["cancel"].label if "cancel" in exits else None
        return Summary(told, gained | peeked, result, stops, cancels, params)


def _lasts(grant: Grant, known: set[str]) -> bool:
    """Does a grant speak only of whom the caller speaks of, too?"""
    return all(
        who.base in known or (who.base.startswith(STANDING) and BEFORE not in who.base)
        for who in grant.names()
    )
