"""The procedures of a rule program: rules, triggers and phases."""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    As,
    AtomicOff,
    AtomicOn,
    CallRule,
    Const,
    Finish,
    If,
    InPhase,
    Local,
    Return,
    RuleDecl,
    St,
    Var,
    map_bodies,
)
from ...core import value_types as t
from ..ir import Proc, Program
from ..liveness import settle_slots
from ..terminators import Back
from .control import call_sites
from .part import Part


class Procedures(Part):
    def run(self) -> Program:
        for rule in self.game.rules.values():
            self._rule(rule)
        for trigger in self.game.triggers.values():
            self._trigger(trigger)
        self._main()
        self.c.sites = call_sites(self.program, self.game)
        for proc in self.program.procs.values():
            if not proc.plain:
                self._take_apart(proc)
        for proc in self.program.procs.values():
            settle_slots(self.program, proc, self.game)
        return self.program

    def _rule(self, rule: RuleDecl) -> None:
        hooks = self.c.waiting.hooks("rule", rule.name)
        if not hooks:
            self._procedure(
                rule.name, rule, rule.params, self.c.woven[rule.name], rule.uses_me, rule.type is not None
            )
            return
        own = f"{rule.name}!"
        self._procedure(own, rule, rule.params, self.c.woven[rule.name], rule.uses_me, rule.type is not None)
        params = tuple(Var(p.name, f"{p.name}_{self.number()}", p.type) for p in rule.params)
        args = tuple(Local(p.type, rule.span, p) for p in params)
        span = rule.span
        result = Var("result", f"result_{self.number()}", rule.type) if rule.type is not None else None
        body = self.c.hooks.hooked(hooks, args, span, (CallRule(span, own, args, rule.type, result),))
        if result is not None:
            body = (*body, Return(span, Local(result.type, span, result)))
        self._procedure(rule.name, rule, params, body, rule.uses_me, rule.type is not None)

    def _trigger(self, trigger: RuleDecl) -> None:
        body = self.c.woven[f"trigger {trigger.name}"]
        instead = trigger.timing == "instead"
        answers = instead or (trigger.timing == "before" and self.c.waiting.cancels(trigger))
        if answers:
            body = (*_answer(body, instead), _give(instead, trigger.span))
        if trigger.where is not None:
            body = (If(trigger.span, trigger.where, body),)
        if trigger.me is not None:
            body = (As(trigger.span, trigger.me, body),)
        if answers:
            body = (*body, _give(False, trigger.span))
        self._procedure(f"trigger {trigger.name}", trigger, trigger.params, body, trigger.uses_me, answers)

    def _main(self) -> None:
        span = next(iter(self.game.phases)).span
        calls = []
        for phase in self.game.phases:
            name = f"phase {phase.name}"
            body = self.c.weaving.woven(phase)
            body = self.c.hooks.hooked(self.c.waiting.hooks("scope", phase.name), (), phase.span, body)
            wrapped = InPhase(phase.span, phase.name, body)
            self._procedure(name, phase, (), (wrapped,), False, False)
            call = CallRule(phase.span, name)
            if phase.name == "setup" and self.game.endings:  # they are tested once, behind it
                calls += [AtomicOn(phase.span), call, AtomicOff(phase.span)]
            else:
                calls.append(call)
        nobody = Const(t.SetOf(t.PLAYER), span, 0)
        calls.append(Finish(span, nobody, "the phases are over"))
        main = RuleDecl(name="main", span=span, kind="phase")
        self._procedure("main", main, (), tuple(calls), False, False)

    def _procedure(
        self,
        name: str,
        rule: RuleDecl,
        params: tuple[Var, ...],
        body: tuple[St, ...],
        uses_me: bool,
        returns: bool,
    ) -> None:
        """Take note of a procedure; those that wait are taken apart when all are known."""
        me = self.c.new_me(uses_me)
        proc = Proc(name, params, me, rule.name, rule.span, returns=returns, cites=rule.cites)
        self.program.procs[name] = proc
        proc.body = body
        proc.plain = name != self.program.main and not self.c.waiting.needs_blocks(body)
        self.c.waiting.settle(name, not proc.plain)

    def _take_apart(self, proc: Proc) -> None:
        self.c.proc, self.c.me, self.c.rule, self.c.unit = proc, proc.me, proc.rule, proc.name
        self.c.scopes, self.c.passes, self.c.returns, self.c.sealed = (), [], [], False
        self.c.block = self.new_block()
        self.c.proc_body(proc)
        self.end(Back(proc.span, self.c.me, None))


def _give(yes: bool, span: Span) -> St:
    return Return(span, Const(t.YES_NO, span, int(yes)))


def _answer(body: tuple[St, ...], yes: bool) -> tuple[St, ...]:
    """A bare `return` in a trigger that has to tell whether it took the place of its event."""
    out = []
    for st in body:
        if isinstance(st, Return):
            st = _give(yes, st.span)
        st = map_bodies(lambda inner: _answer(inner, yes), st)
        out.append(st)
    return tuple(out)
