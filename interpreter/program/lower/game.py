"""Lowering: from a checked game to the rule program.

Rules are split where they wait. A statement that cannot wait stays as it is;
one that can is taken apart into blocks. Triggers are woven in here: a rule with
triggers becomes a wrapper that calls them and the rule's own body. `as p:`
introduces a new variable for `me`; every instruction says which one it means.
"""

from __future__ import annotations

from ....grammar import Span
from ...check.privacy import Privacy
from ...core import (
    Apply,
    As,
    AtomicOff,
    AtomicOn,
    CallRule,
    CheckedGame,
    Choice,
    Choose,
    Const,
    Ex,
    Finish,
    For,
    Gen,
    If,
    InPhase,
    Local,
    MoveTokens,
    Nothing,
    Pick,
    Reduction,
    Return,
    RuleDecl,
    Scenario,
    St,
    Universe,
    Var,
    free_vars,
    map_bodies,
)
from ...core import value_types as t
from ...core.scenario_parts import Given
from ..ir import Proc, Program
from ..layout import Layout
from ..liveness import settle_slots
from ..passes.counters import Sites
from ..passes.crossings import Crossings
from ..terminators import Back
from ..waiting import Waiting
from .choices import ChoiceLowering
from .control import call_sites


def lower(
    game: CheckedGame, layout: Layout, *, scenarios: bool = False, sites: Sites | None = None
) -> Program:
    return Lowering(game, layout, sites).run(scenarios)


class Lowering(ChoiceLowering):
    def __init__(self, game: CheckedGame, layout: Layout, sites: Sites | None = None) -> None:
        super().__init__(game, layout)
        self.covered_sites = sites
        self.crossings = Crossings(game, self.number)
        bodies = {name: self.weave(self.counted(rule)) for name, rule in game.rules.items()}
        bodies |= {f"trigger {name}": self.weave(self.counted(trig)) for name, trig in game.triggers.items()}
        self.woven = bodies
        self.waiting = Waiting(game, bodies)
        self.privacy = Privacy(game)

    # ------------------------------------------------------------ procedures
    def run(self, scenarios: bool) -> Program:
        for rule in self.game.rules.values():
            self._rule(rule)
        for trigger in self.game.triggers.values():
            self._trigger(trigger)
        self._main()
        if scenarios:
            for number, scenario in enumerate(self.game.scenarios):
                self._scenario(number, scenario)
        self.sites = call_sites(self.program, self.game)
        for proc in self.program.procs.values():
            if not proc.plain:
                self._take_apart(proc)
        for proc in self.program.procs.values():
            settle_slots(self.program, proc, self.game)
        return self.program

    def _rule(self, rule: RuleDecl) -> None:
        hooks = self.waiting.hooks("rule", rule.name)
        if not hooks:
            self._procedure(
                rule.name, rule, rule.params, self.woven[rule.name], rule.uses_me, rule.type is not None
            )
            return
        own = f"{rule.name}!"
        self._procedure(own, rule, rule.params, self.woven[rule.name], rule.uses_me, rule.type is not None)
        params = tuple(Var(p.name, f"{p.name}_{self.number()}", p.type) for p in rule.params)
        args = tuple(Local(p.type, rule.span, p) for p in params)
        span = rule.span
        result = Var("result", f"result_{self.number()}", rule.type) if rule.type is not None else None
        body = self._hooked(hooks, args, span, (CallRule(span, own, args, rule.type, result),))
        if result is not None:
            body = (*body, Return(span, Local(result.type, span, result)))
        self._procedure(rule.name, rule, params, body, rule.uses_me, rule.type is not None)

    def _hooked(
        self, hooks: list[RuleDecl], args: tuple[Ex, ...], span: Span, body: tuple[St, ...]
    ) -> tuple[St, ...]:
        """What happens with its triggers: all `before`, the body or the one `instead of` it, all
        `after`. A `before` that cancels drops all the rest."""
        first = self._answering([h for h in hooks if h.timing == "instead"], args, span, body)
        out = (*first, *self._calls(hooks, "after", args, span))
        for hook in reversed([h for h in hooks if h.timing == "before"]):
            if self.waiting.cancels(hook):
                out = self._answering([hook], args, span, out)
            else:
                out = (self._hook(hook, args, span), *out)
        return out

    def _calls(self, hooks: list[RuleDecl], timing: str, args: tuple[Ex, ...], span: Span) -> tuple[St, ...]:
        return tuple(self._hook(h, args, span) for h in hooks if h.timing == timing)

    def _hook(self, hook: RuleDecl, args: tuple[Ex, ...], span: Span) -> St:
        """The call of a trigger. A condition that means the same here is tested before a frame is made."""
        call = self.call(f"trigger {hook.name}", args[: len(hook.params)], span)
        if hook.where is None or hook.me is not None or free_vars(hook.where):
            return call
        return If(span, hook.where, (call,))

    def _answering(
        self,
        hooks: list[RuleDecl],
        args: tuple[Ex, ...],
        span: Span,
        body: tuple[St, ...],
        taken: tuple[St, ...] = (),
    ) -> tuple[St, ...]:
        """Triggers that tell whether they took the place of what follows; the first that does is the last
        to be asked."""
        for hook in reversed(hooks):
            var = Var("taken", f"taken_{self.number()}", t.YES_NO)
            call = self.call(f"trigger {hook.name}", args[: len(hook.params)], span, var)
            free = Apply(t.YES_NO, span, "not", (Local(t.YES_NO, span, var),))
            body = (call, If(span, free, body, taken))
        return body

    def _trigger(self, trigger: RuleDecl) -> None:
        body = self.woven[f"trigger {trigger.name}"]
        instead = trigger.timing == "instead"
        answers = instead or (trigger.timing == "before" and self.waiting.cancels(trigger))
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
            body = self.weave(self.counted(phase))
            body = self._hooked(self.waiting.hooks("scope", phase.name), (), phase.span, body)
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

    def _scenario(self, number: int, scenario: Scenario) -> None:
        for index, part in enumerate(scenario.parts):
            if isinstance(part, Given):
                decl = RuleDecl(name=scenario.name, span=part.span, kind="scenario")
                self._procedure(f"given {number}.{index}", decl, (), self.weave(part.body), False, False)

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
        me = self.new_me(uses_me)
        proc = Proc(name, params, me, rule.name, rule.span, returns=returns, cites=rule.cites)
        self.program.procs[name] = proc
        proc.body = body
        proc.plain = name != self.program.main and not self.waiting.needs_blocks(body)
        self.waiting.settle(name, not proc.plain)

    def _take_apart(self, proc: Proc) -> None:
        self.proc, self.me, self.rule, self.unit = proc, proc.me, proc.rule, proc.name
        self.scopes, self.loops, self.returns, self.sealed = (), [], [], False
        self.block = self.new_block()
        self.proc_body(proc)
        self.end(Back(proc.span, self.me, None))

    # ------------------------------------------------------------ weaving
    def counted(self, rule: RuleDecl) -> tuple[St, ...]:
        """The body, and in a covered engine the statements that count it."""
        return rule.body if self.covered_sites is None else self.covered_sites.counted(rule.body, rule.span)

    def weave(self, body: tuple[St, ...]) -> tuple[St, ...]:
        """Put the triggers of place crossings and the resets of `until` behind the effects."""
        out: list[St] = []
        for st in body:
            st = map_bodies(self.weave, st)
            if isinstance(st, Pick):
                out += self.weave(self._unpick(st))
                continue
            before, st, after = self.crossings.around(st)
            if before:  # what is noted for the effect is no part of the header in front of it
                out.append(Nothing(st.span))
            out += [*before, st, *after]
        return tuple(out)

    def _unpick(self, st: Pick) -> tuple[St, ...]:
        """`pick lo..hi from a to b` is a vector of amounts, one for each kind, then the moves."""
        low, high, source, place = st.low, st.high, st.source, st.place
        token = source.place_type.of
        number = self.number()
        kind = t.Kind(token)
        universe = Universe(t.SetOf(kind), st.span, kind)
        cell = Var("kind", f"kind_{number}", kind)
        each = Local(kind, st.span, cell)
        most = Apply(t.Num(0, 10**6), st.span, "tally", (source, each))
        zero = Const(t.Num(0, 0), st.span, 0)
        amounts = Var("amount", f"amount_{number}", t.Array((kind,), t.Num(0, 10**6)))
        vector = Local(amounts.type, st.span, amounts)
        inner = Var("k", f"k_{number}", kind)
        inner_ex = Local(kind, st.span, inner)
        term = Apply(t.Num(0, 10**6), st.span, "array_at", (vector, inner_ex))
        total = Reduction(t.Num(0, 10**6), st.span, "sum", (Gen(inner, universe),), term)
        limits = Apply(t.SetOf(t.Num(0, 10**6)), st.span, "range", (low, high))
        condition = Apply(t.YES_NO, st.span, "in", (total, limits))
        domain = Apply(t.SetOf(t.Num(0, 10**6)), st.span, "range", (zero, most))
        gen = Gen(amounts, domain, (condition,), ((cell, universe),))
        choice = Choice(None, (gen,), (), pick=True)
        loop_var = Var("k", f"k_{number}b", kind)
        loop_ex = Local(kind, st.span, loop_var)
        amount = Apply(t.Num(0, 10**6), st.span, "array_at", (vector, loop_ex))
        move = MoveTokens(st.span, amount, loop_ex, source, place)
        loop = For(st.span, (Gen(loop_var, universe),), (move,))
        return (Choose(st.span, choice), loop)


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
