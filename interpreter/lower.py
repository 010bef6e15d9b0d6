"""Lowering: from a checked game to the rule program.

Rules are split where they wait. A statement that cannot wait stays as it is;
one that can is taken apart into blocks. Triggers are woven in here: a rule with
triggers becomes a wrapper that calls them and the rule's own body. `as p:`
introduces a new variable for `me`; every instruction says which one it means.
"""

from __future__ import annotations

from typing import Any

import attrs

from ..grammar import Span
from . import types as t
from .core import Case, CheckedGame, Choice, Comp, Ex, Gen, Offering, RuleDecl, St, Var
from .crossings import Crossings
from .layout import Layout
from .liveness import settle_slots
from .program import Binding, Block, DecisionPoint, Instr, Proc, Program, Scope, Term
from .waiting import Waiting


def lower(game: CheckedGame, layout: Layout, *, scenarios: bool = False) -> Program:
    return Lowering(game, layout).run(scenarios)


class Lowering:
    def __init__(self, game: CheckedGame, layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self.program = Program()
        self.block: Block
        self.proc: Proc
        self.scopes: tuple[Scope, ...] = ()
        self.me: Var | None = None
        self.loops: list[tuple[str | None, int, int]] = []  # label, next pass, exit
        self.names = 0
        self.groups = 0
        self.sealed = False
        self.quiet = False
        self.crossings = Crossings(game, self._number)
        bodies = {name: self.weave(rule.body) for name, rule in game.rules.items()}
        bodies |= {f"trigger {name}": self.weave(trig.body) for name, trig in game.triggers.items()}
        self.woven = bodies
        self.waiting = Waiting(game, bodies)

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
        for proc in self.program.procs.values():
            settle_slots(self.program, proc, self.game)
        return self.program

    def _me(self, wanted: bool) -> Var | None:
        return Var("me", f"me_{self._number()}", t.PLAYER) if wanted else None

    def _number(self) -> int:
        self.names += 1
        return self.names

    def _rule(self, rule: RuleDecl) -> None:
        hooks = self.waiting.hooks("rule", rule.name)
        if not hooks:
            self._procedure(rule.name, rule, rule.params, self.woven[rule.name], rule.uses_me, rule.type is not None)
            return
        own = f"{rule.name}!"
        self._procedure(own, rule, rule.params, self.woven[rule.name], rule.uses_me, rule.type is not None)
        params = tuple(Var(p.name, f"{p.name}_{self._number()}", p.type) for p in rule.params)
        args = tuple(Ex("local", p.type, rule.span, data=p) for p in params)
        span = rule.span
        result = Var("result", f"result_{self._number()}", rule.type) if rule.type is not None else None
        body = self._hooked(hooks, args, span, (St("call", span, args, data=(own, rule.type, result)),))
        if result is not None:
            body = (*body, St("return", span, (Ex("local", result.type, span, data=result),)))
        self._procedure(rule.name, rule, params, body, rule.uses_me, rule.type is not None)

    def _call(self, name: str, args: tuple[Ex, ...], span: Span, var: Var | None = None) -> St:
        return St("call", span, args, data=(name, var.type if var else None, var))

    def _hooked(self, hooks: list[RuleDecl], args: tuple[Ex, ...], span: Span, body: tuple[St, ...]) -> tuple[St, ...]:
        """What happens with its triggers: all `before`, the body or the one `instead of` it, all
        `after`. A `before` that cancels drops all the rest."""
        first = self._answering([h for h in hooks if h.timing == "instead"], args, span, body)
        out = (*first, *self._calls(hooks, "after", args, span))
        for hook in reversed([h for h in hooks if h.timing == "before"]):
            if self.waiting.cancels(hook):
                out = self._answering([hook], args, span, out)
            else:
                out = (self._call(f"trigger {hook.name}", args[: len(hook.params)], span), *out)
        return out

    def _calls(self, hooks: list[RuleDecl], timing: str, args: tuple[Ex, ...], span: Span) -> tuple[St, ...]:
        return tuple(
            self._call(f"trigger {h.name}", args[: len(h.params)], span) for h in hooks if h.timing == timing
        )

    def _answering(self, hooks: list[RuleDecl], args: tuple[Ex, ...], span: Span, body: tuple[St, ...]) -> tuple[St, ...]:
        """A trigger that tells whether it took the place of what follows."""
        for hook in hooks:
            var = Var("taken", f"taken_{self._number()}", t.YES_NO)
            call = self._call(f"trigger {hook.name}", args[: len(hook.params)], span, var)
            free = Ex("not", t.YES_NO, span, (Ex("local", t.YES_NO, span, data=var),))
            body = (call, St("if", span, (free,), body))
        return body

    def _trigger(self, trigger: RuleDecl) -> None:
        body = self.woven[f"trigger {trigger.name}"]
        instead = trigger.timing == "instead"
        answers = instead or (trigger.timing == "before" and self.waiting.cancels(trigger))
        if answers:
            body = (*_answer(body, instead), _give(instead, trigger.span))
        if trigger.where is not None:
            body = (St("if", trigger.span, (trigger.where,), body),)
        if trigger.me is not None:
            body = (St("as", trigger.span, (trigger.me,), body),)
        if answers:
            body = (*body, _give(False, trigger.span))
        self._procedure(f"trigger {trigger.name}", trigger, trigger.params, body, trigger.uses_me, answers)

    def _main(self) -> None:
        span = next(iter(self.game.phases)).span
        calls = []
        for phase in self.game.phases:
            name = f"phase {phase.name}"
            body = self.weave(phase.body)
            body = self._hooked(self.waiting.hooks("scope", phase.name), (), phase.span, body)
            wrapped = St("scope", phase.span, body=body, data=phase.name)
            self._procedure(name, phase, (), (wrapped,), False, False)
            calls.append(St("call", phase.span, (), data=(name, None, None)))
        nobody = Ex("const", t.SetOf(t.PLAYER), span, data=0)
        calls.append(St("finish", span, (nobody,), data="the phases are over"))
        main = RuleDecl(name="main", span=span, kind="phase")
        self._procedure("main", main, (), tuple(calls), False, False)

    def _scenario(self, number: int, scenario: Any) -> None:
        for index, part in enumerate(scenario.parts):
            if part.op == "given":
                decl = RuleDecl(name=scenario.name, span=part.span, kind="scenario")
                self._procedure(f"given {number}.{index}", decl, (), self.weave(part.body), False, False)

    def _procedure(
        self, name: str, rule: RuleDecl, params: tuple[Var, ...], body: tuple[St, ...], uses_me: bool, returns: bool
    ) -> None:
        me = self._me(uses_me)
        proc = Proc(name, params, me, rule.name, rule.span, returns=returns, cites=rule.cites)
        self.program.procs[name] = proc
        self.proc, self.me = proc, me
        proc.plain = name != self.program.main and not self.waiting.needs_blocks(body)
        self.waiting.settle(name, not proc.plain)
        if proc.plain:
            proc.body = body
            return
        self.scopes, self.loops, self.sealed, self.quiet = (), [], False, False
        self.block = self._new_block()
        self.stmts(body)
        self.end(Term("return", rule.span, args=(None,)))

    # ------------------------------------------------------------ weaving
    def weave(self, body: tuple[St, ...]) -> tuple[St, ...]:
        """Put the triggers of place crossings and the resets of `until` behind the effects."""
        out: list[St] = []
        for st in body:
            for attr in ("body", "orelse"):
                inner = getattr(st, attr)
                if inner:
                    st = _replace(st, attr, self.weave(inner))
            if st.op in ("offer", "may") and any(c.body for c in st.data.cases):
                offering = st.data
                cases = [Case(c.key, c.label, c.span, c.action, c.args, self.weave(c.body)) for c in offering.cases]
                st = _replace(st, "data", Offering(offering.prompt, cases, offering.menu, offering.menu_args, offering.decline, offering.always))
            if st.op == "pick":
                out += self.weave(self._unpick(st))
                continue
            before, st, after = self.crossings.around(st)
            out += [*before, st, *after]
        return tuple(out)

    def _unpick(self, st: St) -> tuple[St, ...]:
        """`pick lo..hi from a to b` is a vector of amounts, one for each kind, then the moves."""
        low, high, source, place = st.args
        token = source.type.of
        number = self._number()
        kind = t.Kind(token)
        universe = Ex("universe", t.SetOf(kind), st.span, data=kind)
        cell = Var("kind", f"kind_{number}", kind)
        each = Ex("local", kind, st.span, data=cell)
        most = Ex("tally", t.Num(0, 10**6), st.span, (source, each))
        zero = Ex("const", t.Num(0, 0), st.span, data=0)
        amounts = Var("amount", f"amount_{number}", t.Array((kind,), t.Num(0, 10**6)))
        vector = Ex("local", amounts.type, st.span, data=amounts)
        inner = Var("k", f"k_{number}", kind)
        inner_ex = Ex("local", kind, st.span, data=inner)
        term = Ex("array_at", t.Num(0, 10**6), st.span, (vector, inner_ex), amounts.type)
        total = Ex("comp", t.Num(0, 10**6), st.span, data=Comp("sum", (Gen(inner, universe),), term))
        limits = Ex("range", t.SetOf(t.Num(0, 10**6)), st.span, (low, high))
        condition = Ex("in", t.YES_NO, st.span, (total, limits))
        domain = Ex("range", t.SetOf(t.Num(0, 10**6)), st.span, (zero, most))
        gen = Gen(amounts, domain, (condition,), ((cell, universe),))
        choice = Choice(None, (gen,), (), pick=True)
        loop_var = Var("k", f"k_{number}b", kind)
        loop_ex = Ex("local", kind, st.span, data=loop_var)
        amount = Ex("array_at", t.Num(0, 10**6), st.span, (vector, loop_ex), amounts.type)
        move = St("move_tokens", st.span, (amount, loop_ex, source, place, None))
        loop = St("for", st.span, (Gen(loop_var, universe),), (move,), data=(None, None))
        return (St("choose", st.span, data=choice), loop)

    # ------------------------------------------------------------ blocks
    def _new_block(self) -> Block:
        block = self.program.new_block(self.proc.name, self.scopes)
        self.proc.blocks.append(block.id)
        return block

    def emit(self, st: St) -> None:
        if self.block.term is None:
            self.block.code.append(Instr(st, self.me))

    def end(self, term: Term) -> None:
        """Close the current block; what follows in it could never be reached."""
        if self.block.term is None:
            term.me = term.me or self.me
            self.block.term = term

    def jump(self, target: Block, span: Span) -> None:
        self.end(Term("jump", span, [target.id]))

    def stmts(self, body: tuple[St, ...]) -> None:
        for st in body:
            self.stmt(st)

    def stmt(self, st: St) -> None:
        if st.op == "finish":
            self.emit(st)
            self.end(Term("end", st.span))
            self.block = self._new_block()
            return
        if self.waiting.needs_blocks((st,)):
            getattr(self, f"low_{st.op}")(st)
            return
        if st.op in ("stop", "skip", "return", "expire", "cancel"):
            getattr(self, f"low_{st.op}")(st)
            return
        if st.op == "if" and _leaves(st):
            self.low_if(st)
            return
        if st.op in ("as", "scope", "show", "atomic") and _leaves(st):
            getattr(self, f"low_{st.op}")(st)
            return
        if st.op in ("for", "repeat") and _leaves(st):
            getattr(self, f"low_{st.op}")(st)
            return
        self.emit(st)

    def low_if(self, st: St) -> None:
        then, otherwise, after = self._new_block(), self._new_block(), self._new_block()
        self.end(Term("branch", st.span, [then.id, otherwise.id], st.args))
        self.block = then
        self.stmts(st.body)
        self.jump(after, st.span)
        self.block = otherwise
        self.stmts(st.orelse)
        self.jump(after, st.span)
        self.block = after

    def low_call(self, st: St) -> None:
        name, _, var = st.data
        after = self._new_block()
        self.end(Term("call", st.span, [after.id], st.args, binds=var, data=name))
        self.block = after

    def low_return(self, st: St) -> None:
        self.close_scopes(self.scopes)
        self.end(Term("return", st.span, args=st.args))
        self.block = self._new_block()

    def low_cancel(self, st: St) -> None:
        yes = Ex("const", t.YES_NO, st.span, data=1)
        self.low_return(St("return", st.span, (yes,)))

    def _ends(self, label: str | None, *more: str) -> tuple[Instr, ...]:
        """What runs when a scope is left by force: the reset of what lasts `until` it ends."""
        names = tuple(n for n in (label, *more) if n and any(s.until == n for s in self.game.states.values()))
        return (Instr(St("reset", self.proc.span, data=names), None),) if names else ()

    def close_scopes(self, scopes: tuple[Scope, ...]) -> None:
        for scope in reversed(scopes):
            for instr in scope.cleanup:
                if self.block.term is None:
                    self.block.code.append(instr)

    def low_stop(self, st: St) -> None:
        label, local = st.data
        for depth in range(len(self.scopes) - 1, -1, -1):
            if self.scopes[depth].label == label:
                self.close_scopes(self.scopes[depth + 1 :])
                self.end(Term("jump", st.span, [self.scopes[depth].exit]))
                self.block = self._new_block()
                return
        assert not local, label
        self.close_scopes(self.scopes)
        self.end(Term("stop", st.span, data=label))
        self.block = self._new_block()

    def low_skip(self, st: St) -> None:
        _, again, depth = self.loops[-1]
        self.close_scopes(self.scopes[depth:])
        self.end(Term("jump", st.span, [again]))
        self.block = self._new_block()

    def low_as(self, st: St) -> None:
        old = self.me
        who = self._me(True)
        assert who is not None
        self.emit(St("let", st.span, st.args, data=who))
        self.me = who
        self.stmts(st.body)
        self.me = old

    def low_scope(self, st: St) -> None:
        """A phase: `stop Phase` leaves it, and states `until phase ends` are reset behind it."""
        exit_block = self._new_block()
        self.open(Scope(str(st.data), exit_block.id))
        self.block = self._follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.jump(exit_block, st.span)
        self.block = exit_block
        self.emit(St("reset", st.span, data=(str(st.data), "phase")))

    def open(self, scope: Scope) -> None:
        self.scopes = (*self.scopes, scope)

    def _follow(self) -> Block:
        """A new block that the current one runs into."""
        block = self._new_block()
        self.end(Term("jump", self.proc.span, [block.id]))
        return block

    def low_show(self, st: St) -> None:
        saved = Var("shown", f"shown_{self._number()}", t.UNKNOWN)
        self.emit(St("show_on", st.span, st.args, data=(st.data, saved)))
        undo = Instr(St("show_off", st.span, st.args, data=saved), self.me)
        self.open(Scope(None, -1, (undo,)))
        self.block = self._follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    def low_atomic(self, st: St) -> None:
        self.emit(St("atomic_on", st.span))
        undo = Instr(St("atomic_off", st.span), None)
        self.open(Scope(None, -1, (undo,)))
        self.block = self._follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    # ------------------------------------------------------------ loops
    def low_for(self, st: St) -> None:
        """Over what the domains hold at entry; several binders are several loops."""
        label, who = st.data
        exit_block = self._new_block()
        self.open(Scope(str(label) if label else None, exit_block.id, self._ends(label)))
        depth = len(self.scopes)
        self._nest(list(st.args), st, who, exit_block, depth)
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        if label:
            self.emit(St("reset", st.span, data=(str(label),)))

    def _nest(self, gens: list[Gen], st: St, who: Ex | None, exit_block: Block, depth: int) -> None:
        gen, *rest = gens
        items = Var("items", f"items_{self._number()}", t.ListOf(gen.var.type))
        index = Var("next", f"next_{self._number()}", t.Num(0, 10**6))
        snapshot = Ex("snapshot", items.type, st.span, (gen.domain,))
        self.emit(St("let", st.span, (snapshot,), data=items))
        self.emit(St("let", st.span, (_number(0, st.span),), data=index))
        head = self._follow()
        self.block = head
        body = self._new_block()
        test = Ex("lt", t.YES_NO, st.span, (_local(index, st.span), Ex("length", index.type, st.span, (_local(items, st.span),))))
        self.end(Term("branch", st.span, [body.id, exit_block.id], (test,)))
        self.block = body
        element = Ex("element", gen.var.type, st.span, (_local(items, st.span), _local(index, st.span)))
        self.emit(St("let", st.span, (element,), data=gen.var))
        self.emit(St("let", st.span, (Ex("add", index.type, st.span, (_local(index, st.span), _number(1, st.span))),), data=index))
        for condition in gen.where:
            ok = self._new_block()
            self.end(Term("branch", st.span, [ok.id, head.id], (condition,)))
            self.block = ok
        if rest:
            self._nest(rest, st, who, head, depth)
            return
        self.loops.append((None, head.id, depth))
        if who is not None:
            self.low_as(St("as", st.span, (who,), st.body))
        else:
            self.stmts(st.body)
        self.loops.pop()
        self.jump(head, st.span)

    def low_repeat(self, st: St) -> None:
        index = Var("left", f"left_{self._number()}", t.Num(0, 10**6))
        exit_block = self._new_block()
        label = str(st.data) if st.data else None
        self.emit(St("let", st.span, st.args, data=index))
        self.open(Scope(label, exit_block.id, self._ends(label)))
        head = self._follow()
        self.block = head
        body = self._new_block()
        test = Ex("gt", t.YES_NO, st.span, (_local(index, st.span), _number(0, st.span)))
        self.end(Term("branch", st.span, [body.id, exit_block.id], (test,)))
        self.block = body
        self.emit(St("let", st.span, (Ex("sub", index.type, st.span, (_local(index, st.span), _number(1, st.span))),), data=index))
        self.loops.append((label, head.id, len(self.scopes)))
        self.stmts(st.body)
        self.loops.pop()
        self.jump(head, st.span)
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        if label:
            self.emit(St("reset", st.span, data=(label,)))

    def low_turns(self, st: St) -> None:
        """Seat after seat, clockwise, for ever; ends when stopped, or when nobody may have a turn."""
        start, where = st.args
        label, var = st.data
        name = str(label) if label else None
        exit_block = self._new_block()
        first = start if start is not None else Ex("const", t.PLAYER, st.span, data=0)
        skipped = Var("skipped", f"skipped_{self._number()}", t.Num(0, 64))
        self.emit(St("let", st.span, (first,), data=var))
        self.emit(St("let", st.span, (_number(0, st.span),), data=skipped))
        before = Var("before", f"before_{self._number()}", t.PLAYER)
        self.emit(St("let", st.span, (Ex("active", t.PLAYER, st.span),), data=before))
        end_turn = St("end_turn", st.span, (_local(before, st.span),))
        undo = (Instr(end_turn, None), *self._ends(name, "turn"))
        self.open(Scope(name, exit_block.id, undo))
        head = self._follow()
        follow = self._new_block()
        self.block = head
        old, self.me = self.me, var
        self.emit(St("test_before_turn", st.span))
        if where is not None:
            ready, skip = self._new_block(), self._new_block()
            self.end(Term("branch", st.span, [ready.id, skip.id], (where,)))
            self.block = skip
            self.emit(St("let", st.span, (Ex("add", skipped.type, st.span, (_local(skipped, st.span), _number(1, st.span))),), data=skipped))
            test = Ex("lt", t.YES_NO, st.span, (_local(skipped, st.span), Ex("player_count", t.Num(1, 64), st.span)))
            self.end(Term("branch", st.span, [follow.id, exit_block.id], (test,)))
            self.block = ready
            self.emit(St("let", st.span, (_number(0, st.span),), data=skipped))
        self.emit(St("begin_turn", st.span, (_local(var, st.span),)))
        hooks = [*self.waiting.hooks("turn", "turn"), *(self.waiting.hooks("scope", name) if name else [])]
        args = (_local(var, st.span),)
        self.stmts(self._calls(hooks, "before", args, st.span))
        over = self._new_block()
        self.loops.append((name, over.id, len(self.scopes)))
        self.stmts(self._answering([h for h in hooks if h.timing == "instead"], args, st.span, st.body))
        self.loops.pop()
        self.jump(over, st.span)
        self.block = over
        self.stmts(self._calls(hooks, "after", args, st.span))
        self.emit(St("reset", st.span, data=("turn",)))
        self.jump(follow, st.span)
        self.block = follow
        self.emit(St("let", st.span, (Ex("left", t.PLAYER, st.span, (_local(var, st.span),)),), data=var))
        self.jump(head, st.span)
        self.me = old
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        self.emit(end_turn)
        self.emit(St("reset", st.span, data=("turn", name) if name else ("turn",)))

    def low_rounds(self, st: St) -> None:
        """Turns over some players against a clock: each pass costs a tick, `else` is time running out."""
        order, where, clock, tick = st.args
        label, var = st.data
        name = str(label) if label else None
        span = st.span
        exit_block, expired = self._new_block(), self._new_block()
        items = Var("order", f"order_{self._number()}", t.ListOf(t.PLAYER))
        index = Var("next", f"next_{self._number()}", t.Num(0, 10**6))
        idle = Var("idle", f"idle_{self._number()}", t.Num(0, 64))
        left = Var("time", f"time_{self._number()}", t.Num(0, 10**6))
        self.emit(St("let", span, (Ex("snapshot", items.type, span, (order,)),), data=items))
        self.emit(St("let", span, (_number(0, span),), data=index))
        self.emit(St("let", span, (_number(0, span),), data=idle))
        if clock is not None:
            self.emit(St("let", span, (clock,), data=left))
        records = tuple(self.game.records)
        clear = Instr(St("clear_records", span, data=records), None)
        self.open(Scope(name, exit_block.id, (clear, *self._ends(name))))
        self.open(Scope(f"expire {name}", expired.id))
        head = self._follow()
        self.block = head
        ready, again = self._new_block(), self._new_block()
        size = Ex("length", index.type, span, (_local(items, span),))
        if clock is not None and tick is not None:
            test = Ex("ge", t.YES_NO, span, (_local(left, span), tick))
            enough = Ex("and", t.YES_NO, span, (test, Ex("lt", t.YES_NO, span, (_local(idle, span), size))))
            self.end(Term("branch", span, [ready.id, expired.id], (enough,)))
        else:
            test = Ex("lt", t.YES_NO, span, (_local(idle, span), size))
            self.end(Term("branch", span, [ready.id, exit_block.id], (test,)))
        self.block = ready
        place = Ex("mod", index.type, span, (_local(index, span), size))
        self.emit(St("let", span, (Ex("element", t.PLAYER, span, (_local(items, span), place)),), data=var))
        self.emit(St("let", span, (Ex("add", index.type, span, (_local(index, span), _number(1, span))),), data=index))
        old, self.me = self.me, var
        if where is not None:
            ok, no = self._new_block(), self._new_block()
            self.end(Term("branch", span, [ok.id, no.id], (where,)))
            self.block = no
            self.emit(St("let", span, (Ex("add", idle.type, span, (_local(idle, span), _number(1, span))),), data=idle))
            self.jump(head, span)
            self.block = ok
            self.emit(St("let", span, (_number(0, span),), data=idle))
        self.loops.append((name, again.id, len(self.scopes)))
        self.stmts(st.body)
        self.loops.pop()
        self.jump(again, span)
        self.block = again
        if clock is not None and tick is not None:
            self.emit(St("let", span, (Ex("sub", left.type, span, (_local(left, span), tick)),), data=left))
        self.jump(head, span)
        self.me = old
        self.scopes = self.scopes[:-1]
        self.block = expired
        expired.scopes = self.scopes
        if clock is not None:
            self.emit(St("log_expired", span, data=name))
        self.stmts(st.orelse)
        self.jump(exit_block, span)
        self.scopes = self.scopes[:-1]
        exit_block.scopes = self.scopes
        self.block = exit_block
        self.emit(clear.st)
        if name:
            self.emit(St("reset", span, data=(name,)))

    def low_expire(self, st: St) -> None:
        self.low_stop(St("stop", st.span, data=(f"expire {st.data}", True)))

    def low_together(self, st: St) -> None:
        """Sealed: what one decides is nobody's business until all are done."""
        (gen,) = st.args
        self.emit(St("seal", st.span))
        undo = Instr(St("unseal", st.span), None)
        self.open(Scope(None, -1, (undo,)))
        self.sealed = True
        who = _local(gen.var, st.span)
        self.low_for(St("for", st.span, (gen,), st.body, data=(None, who)))
        self.sealed = False
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    # ------------------------------------------------------------ decisions
    def point(self, kind: str, name: str, type_: Any, span: Span, group: int, **more: Any) -> DecisionPoint:
        point = DecisionPoint(
            id=len(self.program.decisions),
            kind=kind,
            name=name,
            type=type_,
            rule=self.proc.rule,
            span=span,
            group=group,
            sealed=self.sealed,
            **{"prompt": None, "first": True, "last": True, "private": False, **more},
        )
        self.program.decisions.append(point)
        return point

    def low_choose(self, st: St) -> None:
        choice: Choice = st.data
        self.groups += 1
        gens = choice.gens
        private = self.waiting.hides(choice, self.me)
        otherwise = self._new_block() if st.orelse else None
        last = len(gens) - 1
        for position, gen in enumerate(gens):
            after = self._new_block()
            binding = Binding(gen, gens[position + 1 :], choice.distinct if position == last else (), choice.alike, choice.guards)
            point = self.point(
                "vector" if gen.cells else "choose",
                gen.var.name,
                gen.var.type,
                st.span,
                self.groups,
                prompt=choice.prompt,
                first=position == 0,
                last=position == last,
                private=private,
                guards=choice.guards,
            )
            targets = [after.id]
            if position == 0 and otherwise is not None:
                targets.append(otherwise.id)
            if gen.cells:
                self._vector(st, gen, binding, point, after, targets)
            else:
                self.block = self._follow()  # a decision starts a block, so that it can be asked anew
                self.end(Term("choose", st.span, targets, (binding,), binds=gen.var, data=point))
            self.block = after
        if otherwise is not None:
            done = self._new_block()
            self.jump(done, st.span)
            self.block = otherwise
            self.stmts(st.orelse)
            self.jump(done, st.span)
            self.block = done

    def _vector(self, st: St, gen: Gen, binding: Binding, point: DecisionPoint, after: Block, targets: list[int]) -> None:
        """Cell by cell: `filled` holds the values so far, `cells` which are to be filled."""
        number = self._number()
        cells = Var("cells", f"cells_{number}", t.UNKNOWN)
        filled = Var("filled", f"filled_{number}", t.UNKNOWN)
        self.emit(St("let", st.span, (Ex("vector_cells", t.UNKNOWN, st.span, data=gen),), data=cells))
        self.emit(St("let", st.span, (Ex("vector_start", t.UNKNOWN, st.span, data=gen),), data=filled))
        head = self._follow()
        self.block = head
        chosen = self._new_block()
        picked = Var("picked", f"picked_{number}", t.Num(0, 10**6))
        args = (binding, _local(cells, st.span), _local(filled, st.span))
        self.end(Term("vector", st.span, [chosen.id, after.id, *targets[1:]], args, binds=picked, data=point))
        self.block = chosen
        more = Ex("tuple_append", t.UNKNOWN, st.span, (_local(filled, st.span), _local(picked, st.span)))
        self.emit(St("let", st.span, (more,), data=filled))
        self.jump(head, st.span)
        self.block = after
        whole = Ex("vector_value", gen.var.type, st.span, (_local(cells, st.span), _local(filled, st.span)), gen)
        self.emit(St("let", st.span, (whole,), data=gen.var))

    def low_offer(self, st: St) -> None:
        offering: Offering = st.data
        cases = self._cases(offering)
        self._decide_cases(st, offering, cases, (), decline=False)

    def low_may(self, st: St) -> None:
        offering: Offering = st.data
        cases = self._cases(offering)
        self._decide_cases(st, offering, cases, st.body, decline=True)

    def _cases(self, offering: Offering) -> list[Case]:
        if offering.menu is None:
            return offering.cases
        return [
            Case(name, name.replace("_", " "), self.game.rules[name].span, name, offering.menu_args)
            for name in self.game.menus[offering.menu]
        ]

    def _decide_cases(self, st: St, offering: Offering, cases: list[Case], then: tuple[St, ...], *, decline: bool) -> None:
        self.groups += 1
        words = [(case.key, case.label) for case in cases]
        if decline:
            words.append(("no", "no"))
        point = self.point(
            "offer", "offer", None, st.span, self.groups,
            prompt=offering.prompt or (offering.menu.replace("_", " ") if offering.menu else None),
            cases=tuple(words), quiet=decline,
        )  # fmt: skip
        done = self._new_block()
        chosen = [self._new_block() for _ in cases]
        otherwise = self._new_block()
        which = Var("which", f"which_{self._number()}", t.Num(0, 10**6))
        dispatch = self._new_block()
        self.block = self._follow()
        self.end(
            Term(
                "offer",
                st.span,
                [dispatch.id, otherwise.id],
                (tuple(cases),),
                binds=which,
                data=(point, decline, offering.always, bool(st.orelse)),
            )
        )
        self.block = dispatch
        self.end(Term("switch", st.span, [*(b.id for b in chosen), otherwise.id], (_local(which, st.span),)))
        hooks = self.waiting.hooks("menu", offering.menu) if offering.menu else []
        for case, block in zip(cases, chosen, strict=True):
            self.block = block
            if case.action is not None:
                call = self._call(case.action, case.args, st.span)
                extra = [*self._hooked(hooks, case.args, st.span, (call,))]
                if self.game.rules[case.action].menu and self.waiting.kind_of(self.proc.name) not in ("action", "trigger"):
                    extra.append(St("reset", st.span, data=("action",)))
                self.stmts(tuple(extra))
            else:
                self.stmts(case.body)
            self.stmts(then)
            self.jump(done, st.span)
        self.block = otherwise
        self.stmts(st.orelse)
        self.jump(done, st.span)
        self.block = done

    # ------------------------------------------------------------ chance
    def low_draw(self, st: St) -> None:
        amount, source, place, at = st.args
        random, end = st.data
        left = Var("left", f"left_{self._number()}", t.Num(0, 10**6))
        size = Ex("size", t.Num(0, 10**6), st.span, (source,))
        limited = Ex("min_of", left.type, st.span, (amount, size))
        self.emit(St("let", st.span, (limited,), data=left))
        head = self._follow()
        self.block = head
        ready, done, drawn = self._new_block(), self._new_block(), self._new_block()
        test = Ex("gt", t.YES_NO, st.span, (_local(left, st.span), _number(0, st.span)))
        self.end(Term("branch", st.span, [ready.id, done.id], (test,)))
        self.block = ready
        what = Var("drawn", f"drawn_{self._number()}", t.UNKNOWN)
        self.end(Term("draw", st.span, [drawn.id], (source,), binds=what, data=random))
        self.block = drawn
        move = St("draw_one", st.span, (_local(what, st.span), source, place, at), data=end)
        before, move, after = self.crossings.around(move)
        for part in (*before, move, *after):
            self.stmt(part)
        self.emit(St("let", st.span, (Ex("sub", left.type, st.span, (_local(left, st.span), _number(1, st.span))),), data=left))
        self.jump(head, st.span)
        self.block = done

    def low_roll(self, st: St) -> None:
        domain, weight = st.args
        var, audience = st.data
        after = self._new_block()
        self.end(Term("roll", st.span, [after.id], (domain, weight), binds=var, data=audience))
        self.block = after

    def low_peek(self, st: St) -> None:
        """The unknown top of a deck becomes known, to the audience, card by card."""
        amount, place = st.args
        left = Var("left", f"left_{self._number()}", t.Num(0, 10**6))
        self.emit(St("let", st.span, (Ex("peek_need", left.type, st.span, (place, amount)),), data=left))
        head = self._follow()
        self.block = head
        ready, done, drawn = self._new_block(), self._new_block(), self._new_block()
        test = Ex("gt", t.YES_NO, st.span, (_local(left, st.span), _number(0, st.span)))
        self.end(Term("branch", st.span, [ready.id, done.id], (test,)))
        self.block = ready
        what = Var("drawn", f"drawn_{self._number()}", t.UNKNOWN)
        self.end(Term("draw", st.span, [drawn.id], (place,), binds=what, data="peek"))
        self.block = drawn
        self.emit(St("peek_one", st.span, (_local(what, st.span), place)))
        self.emit(St("let", st.span, (Ex("sub", left.type, st.span, (_local(left, st.span), _number(1, st.span))),), data=left))
        self.jump(head, st.span)
        self.block = done
        self.emit(St("peek_show", st.span, (place, amount), data=st.data))


def _local(var: Var, span: Span) -> Ex:
    return Ex("local", var.type, span, data=var)


def _number(value: int, span: Span) -> Ex:
    return Ex("const", t.Num(value, value), span, data=value)


def _give(yes: bool, span: Span) -> St:
    return St("return", span, (Ex("const", t.YES_NO, span, data=int(yes)),))


def _answer(body: tuple[St, ...], yes: bool) -> tuple[St, ...]:
    """A bare `return` in a trigger that has to tell whether it took the place of its event."""
    out = []
    for st in body:
        if st.op == "return":
            st = _give(yes, st.span)
        for attr in ("body", "orelse"):
            if getattr(st, attr):
                st = _replace(st, attr, _answer(getattr(st, attr), yes))
        if st.op in ("offer", "may") and any(c.body for c in st.data.cases):
            cases = [attrs.evolve(c, body=_answer(c.body, yes)) for c in st.data.cases]
            st = _replace(st, "data", attrs.evolve(st.data, cases=cases))
        out.append(st)
    return tuple(out)


def _replace(st: St, attr: str, value: Any) -> St:
    copy = St(st.op, st.span, st.args, st.body, st.orelse, st.data)
    setattr(copy, attr, value)
    return copy


def _leaves(st: St) -> bool:
    """Does a plain statement contain a jump out of itself?"""
    if st.op in ("stop", "skip", "return", "expire", "cancel"):
        return True
    return any(_leaves(inner) for inner in (*st.body, *st.orelse))
