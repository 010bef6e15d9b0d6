"""Lowering of control: branches, calls, jumps, scopes and loops that wait."""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    And,
    Apply,
    As,
    Atomic,
    AtomicOff,
    AtomicOn,
    BeginTurn,
    CallRule,
    Cancel,
    CheckedGame,
    ClearRecords,
    Const,
    EndTurn,
    Ex,
    Expire,
    Finish,
    For,
    Gen,
    If,
    InPhase,
    Let,
    LogClock,
    LogExpired,
    May,
    Offer,
    Repeat,
    Reset,
    Return,
    Rounds,
    Seal,
    Show,
    ShowOff,
    ShowOn,
    Skip,
    St,
    Stop,
    TestBeforeTurn,
    Together,
    Turns,
    Unseal,
    Var,
    bodies,
)
from ...core import value_types as t
from ...core.facts import JUMPS, jumps_out
from ..ir import Block, Instr, Proc, Program, Scope, statements
from ..terminators import Back, Call, Finished, Jump, Unwind
from .base import LoweringBase, local, number, takes_apart

SMALL = 6  # statements
DEEPEST = 6


class ControlLowering(LoweringBase):
    # ------------------------------------------------------------ blocks
    def stmt(self, st: St) -> None:
        if isinstance(st, Finish):
            self.emit(st)
            self.end(Finished(st.span, self.me))
            self.block = self.new_block()
            return
        open_inside = isinstance(st, If | As | InPhase | Show | Atomic | For | Repeat) and jumps_out(st)
        if open_inside or isinstance(st, JUMPS) or self.waiting.needs_blocks((st,)):
            takes_apart[st](self, st)
        else:
            self.emit(st)

    @takes_apart(If)
    def low_if(self, st: If) -> None:
        then, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        self.branch(st.condition, then, otherwise, st.span)
        self.block = then
        self.stmts(st.body)
        self.jump(after, st.span)
        self.block = otherwise
        self.stmts(st.orelse)
        self.jump(after, st.span)
        self.block = after

    @takes_apart(CallRule)
    def low_call(self, st: CallRule) -> None:
        name, _, var = (st.rule, st.type, st.var)
        proc = self.program.procs[name]
        after = self.new_block()
        if self.written_in(proc):
            self._write_in(proc, st, var, after)
        else:
            self.end(Call(st.span, self.me, name, st.args, var, after.id))
        self.block = after

    def written_in(self, proc: Proc) -> bool:
        """Is a procedure written into its caller? If it is small or called from one place only, and
        not from within itself. It saves the frame and the way there and back."""
        if proc.name in self.inside or proc.name == self.proc.name or len(self.inside) >= DEEPEST:
            return False
        return self.sites.get(proc.name, 0) == 1 or self._copied(proc, frozenset()) <= SMALL

    def _copied(self, proc: Proc, outer: frozenset[str]) -> int:
        """How many statements a copy of it brings along, with what is written into it in turn."""
        total = statements(proc.body)
        for name in calls(proc.body):
            inner = self.program.procs.get(name)
            if total <= SMALL and inner is not None and not inner.plain and name not in outer:
                total += self._copied(inner, outer | {proc.name})
        return total

    def _write_in(self, proc: Proc, st: CallRule, var: Var | None, after: Block) -> None:
        for param, arg in zip(proc.params, st.args, strict=True):
            self.emit(Let(st.span, param, arg))
        outer = (self.rule, self.unit, self.loops)
        self.rule, self.unit, self.loops = proc.rule, proc.name, []
        self.inside.append(proc.name)
        self.returns.append((after, var, len(self.scopes)))
        self.proc_body(proc)
        self.jump(after, st.span)
        self.returns.pop()
        self.inside.pop()
        self.rule, self.unit, self.loops = outer

    @takes_apart(Return)
    def low_return(self, st: Return) -> None:
        (value,) = (st.value,)
        if self.returns:
            after, var, depth = self.returns[-1]
            self.close_scopes(self.scopes[depth:])
            if var is not None and value is not None:
                self.emit(Let(st.span, var, value))
            self.jump(after, st.span)
        else:
            self.close_scopes(self.scopes)
            self.end(Back(st.span, self.me, st.value))
        self.block = self.new_block()

    @takes_apart(Cancel)
    def low_cancel(self, st: Cancel) -> None:
        yes = Const(t.YES_NO, st.span, 1)
        self.low_return(Return(st.span, yes))

    def _ends(self, label: str | None, *more: str) -> tuple[Instr, ...]:
        """What runs when a scope is left by force: the reset of what lasts `until` it ends."""
        names = tuple(n for n in (label, *more) if n and any(s.until == n for s in self.game.states.values()))
        return (Instr(Reset(self.proc.span, names), None),) if names else ()

    @takes_apart(Stop)
    def low_stop(self, st: Stop) -> None:
        label, local = (st.label, st.local)
        for depth in range(len(self.scopes) - 1, -1, -1):
            if self.scopes[depth].label == label:
                self.close_scopes(self.scopes[depth + 1 :])
                self.end(Jump(st.span, self.me, self.scopes[depth].exit))
                self.block = self.new_block()
                return
        assert not local, label
        self.close_scopes(self.scopes)
        self.end(Unwind(st.span, self.me, label))
        self.block = self.new_block()

    @takes_apart(Skip)
    def low_skip(self, st: Skip) -> None:
        _, again, depth = self.loops[-1]
        self.close_scopes(self.scopes[depth:])
        self.end(Jump(st.span, self.me, again))
        self.block = self.new_block()

    @takes_apart(As)
    def low_as(self, st: As) -> None:
        old = self.me
        who = self.new_me(True)
        assert who is not None
        self.emit(Let(st.span, who, st.who))
        self.me = who
        self.stmts(st.body)
        self.me = old

    @takes_apart(InPhase)
    def low_scope(self, st: InPhase) -> None:
        """A phase: `stop Phase` leaves it, and states `until phase ends` are reset behind it."""
        exit_block = self.new_block()
        self.open(Scope(str(st.phase), exit_block.id))
        self.block = self.follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.jump(exit_block, st.span)
        self.block = exit_block
        self.emit(Reset(st.span, (str(st.phase), "phase")))

    @takes_apart(Show)
    def low_show(self, st: Show) -> None:
        saved = Var("shown", f"shown_{self.number()}", t.UNKNOWN)
        self.emit(ShowOn(st.span, st.place, st.audience, saved, secretly=st.secretly))
        undo = Instr(ShowOff(st.span, saved), None)
        self.open(Scope(None, -1, (undo,)))
        self.block = self.follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    @takes_apart(Atomic)
    def low_atomic(self, st: Atomic) -> None:
        self.emit(AtomicOn(st.span))
        undo = Instr(AtomicOff(st.span), None)
        self.open(Scope(None, -1, (undo,)))
        self.block = self.follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    # ------------------------------------------------------------ loops
    @takes_apart(For)
    def low_for(self, st: For) -> None:
        """Over what the domains hold at entry; several binders are several loops."""
        label, who = (st.label, st.who)
        exit_block = self.new_block()
        self.open(Scope(str(label) if label else None, exit_block.id, self._ends(label)))
        depth = len(self.scopes)
        self._nest(list(st.gens), st, who, exit_block, depth)
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        if label:
            self.emit(Reset(st.span, (str(label),)))

    def _nest(self, gens: list[Gen], st: For, who: Ex | None, exit_block: Block, depth: int) -> None:
        gen, *rest = gens
        items = Var("items", f"items_{self.number()}", t.ListOf(gen.var.type))
        index = Var("next", f"next_{self.number()}", t.Num(0, 10**6))
        snapshot = Apply(items.type, st.span, "snapshot", (gen.domain,))
        self.emit(Let(st.span, items, snapshot))
        self.emit(Let(st.span, index, number(0, st.span)))
        head = self.follow()
        self.block = head
        body = self.new_block()
        test = Apply(
            t.YES_NO,
            st.span,
            "lt",
            (local(index, st.span), Apply(index.type, st.span, "length", (local(items, st.span),))),
        )
        self.branch(test, body, exit_block, st.span)
        self.block = body
        element = Apply(gen.var.type, st.span, "element", (local(items, st.span), local(index, st.span)))
        self.emit(Let(st.span, gen.var, element))
        self.emit(
            Let(
                st.span, index, Apply(index.type, st.span, "add", (local(index, st.span), number(1, st.span)))
            )
        )
        for condition in gen.where:
            ok = self.new_block()
            self.branch(condition, ok, head, st.span)
            self.block = ok
        if rest:
            self._nest(rest, st, who, head, depth)
            return
        self.loops.append((None, head.id, depth))
        if who is not None:
            self.low_as(As(st.span, who, st.body))
        else:
            self.stmts(st.body)
        self.loops.pop()
        self.jump(head, st.span)

    @takes_apart(Repeat)
    def low_repeat(self, st: Repeat) -> None:
        index = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        exit_block = self.new_block()
        label = str(st.label) if st.label else None
        self.emit(Let(st.span, index, st.limit))
        self.open(Scope(label, exit_block.id, self._ends(label)))
        head = self.follow()
        self.block = head
        body = self.new_block()
        test = Apply(t.YES_NO, st.span, "gt", (local(index, st.span), number(0, st.span)))
        self.branch(test, body, exit_block, st.span)
        self.block = body
        self.emit(
            Let(
                st.span, index, Apply(index.type, st.span, "sub", (local(index, st.span), number(1, st.span)))
            )
        )
        self.loops.append((label, head.id, len(self.scopes)))
        self.stmts(st.body)
        self.loops.pop()
        self.jump(head, st.span)
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        if label:
            self.emit(Reset(st.span, (label,)))

    @takes_apart(Turns)
    def low_turns(self, st: Turns) -> None:
        """Seat after seat, clockwise, for ever; ends when stopped, or when nobody may have a turn."""
        start, where = (st.start, st.where)
        label, var = (st.label, st.var)
        name = str(label) if label else None
        exit_block = self.new_block()
        first = start if start is not None else Const(t.PLAYER, st.span, 0)
        skipped = Var("skipped", f"skipped_{self.number()}", t.Num(0, 64))
        self.emit(Let(st.span, var, first))
        self.emit(Let(st.span, skipped, number(0, st.span)))
        before = Var("before", f"before_{self.number()}", t.Opt(t.PLAYER))
        self.emit(Let(st.span, before, Apply(before.type, st.span, "active")))
        end_turn = EndTurn(st.span, local(before, st.span))
        undo = (Instr(end_turn, None), *self._ends(name, "turn"))
        self.open(Scope(name, exit_block.id, undo, _first_word(st)))
        head = self.follow()
        follow = self.new_block()
        self.block = head
        old, self.me = self.me, var
        self.emit(TestBeforeTurn(st.span))
        if where is not None:
            ready, skip = self.new_block(), self.new_block()
            self.branch(where, ready, skip, st.span)
            self.block = skip
            self.emit(
                Let(
                    st.span,
                    skipped,
                    Apply(skipped.type, st.span, "add", (local(skipped, st.span), number(1, st.span))),
                )
            )
            test = Apply(
                t.YES_NO,
                st.span,
                "lt",
                (local(skipped, st.span), Apply(t.Num(1, 64), st.span, "player_count")),
            )
            self.branch(test, follow, exit_block, st.span)
            self.block = ready
            self.emit(Let(st.span, skipped, number(0, st.span)))
        turn = {("turn", "turn"), *([("scope", name)] if name else [])}
        hooks = [hook for hook in self.game.triggers.values() if turn & set(hook.events)]
        args = (local(var, st.span),)
        instead = [h for h in hooks if h.timing == "instead"]
        self.emit(BeginTurn(st.span, args[0], "count" if instead else "count and tell"))
        self.stmts(self._calls(hooks, "before", args, st.span))
        over = self.new_block()
        self.loops.append((name, over.id, len(self.scopes)))
        told = (BeginTurn(st.span, args[0], "tell"), *st.body) if instead else st.body
        dropped = (BeginTurn(st.span, args[0], "drop"),)  # that was no turn
        self.stmts(self._answering(instead, args, st.span, told, dropped))
        self.loops.pop()
        self.jump(over, st.span)
        self.block = over
        self.stmts(self._calls(hooks, "after", args, st.span))
        self.emit(Reset(st.span, ("turn",)))
        self.jump(follow, st.span)
        self.block = follow
        self.emit(Let(st.span, var, Apply(t.PLAYER, st.span, "left", (local(var, st.span),))))
        self.jump(head, st.span)
        self.me = old
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        self.emit(end_turn)
        self.emit(Reset(st.span, ("turn", name) if name else ("turn",)))

    @takes_apart(Rounds)
    def low_rounds(self, st: Rounds) -> None:
        """Turns over some players against a clock: each pass costs a tick, `else` is time running out."""
        order, where, clock, tick = (st.order, st.where, st.clock, st.tick)
        label, var = (st.label, st.var)
        name = str(label) if label else None
        span = st.span
        exit_block, expired = self.new_block(), self.new_block()
        items = Var("order", f"order_{self.number()}", t.ListOf(t.PLAYER))
        index = Var("next", f"next_{self.number()}", t.Num(0, 10**6))
        idle = Var("idle", f"idle_{self.number()}", t.Num(0, 64))
        left = Var("time", f"time_{self.number()}", t.Num(0, 10**6))
        self.emit(Let(span, items, Apply(items.type, span, "snapshot", (order,))))
        self.emit(Let(span, index, number(0, span)))
        self.emit(Let(span, idle, number(0, span)))
        if clock is not None:
            self.emit(Let(span, left, clock))
        records = tuple(self.game.records)
        clear = Instr(ClearRecords(span, records), None)
        self.open(Scope(name, exit_block.id, (clear, *self._ends(name)), _first_word(st)))
        self.open(Scope(f"{'clock' if clock is not None else 'expire'} {name}", expired.id))
        head = self.follow()
        self.block = head
        ready, again = self.new_block(), self.new_block()
        size = Apply(index.type, span, "length", (local(items, span),))
        if clock is not None and tick is not None:
            test = Apply(t.YES_NO, span, "ge", (local(left, span), tick))
            enough = And(t.YES_NO, span, test, Apply(t.YES_NO, span, "lt", (local(idle, span), size)))
            self.branch(enough, ready, expired, span)
        else:
            test = Apply(t.YES_NO, span, "lt", (local(idle, span), size))
            self.branch(test, ready, exit_block, span)
        self.block = ready
        place = Apply(index.type, span, "mod", (local(index, span), size))
        self.emit(Let(span, var, Apply(t.PLAYER, span, "element", (local(items, span), place))))
        self.emit(Let(span, index, Apply(index.type, span, "add", (local(index, span), number(1, span)))))
        old, self.me = self.me, var
        if where is not None:
            ok, no = self.new_block(), self.new_block()
            self.branch(where, ok, no, span)
            self.block = no
            self.emit(Let(span, idle, Apply(idle.type, span, "add", (local(idle, span), number(1, span)))))
            self.jump(head, span)
            self.block = ok
            self.emit(Let(span, idle, number(0, span)))
        if clock is not None and tick is not None:
            gone = Apply(left.type, span, "sub", (clock, local(left, span)))
            self.emit(LogClock(span, Apply(left.type, span, "add", (gone, tick)), name))
        self.loops.append((name, again.id, len(self.scopes)))
        self.stmts(st.body)
        self.loops.pop()
        self.jump(again, span)
        self.block = again
        if clock is not None and tick is not None:
            self.emit(Let(span, left, Apply(left.type, span, "sub", (local(left, span), tick))))
        self.jump(head, span)
        self.me = old
        self.scopes = self.scopes[:-1]
        self.block = expired
        expired.scopes = self.scopes
        if clock is not None:
            self.emit(LogExpired(span, name))
        self.stmts(st.orelse)
        self.jump(exit_block, span)
        self.scopes = self.scopes[:-1]
        exit_block.scopes = self.scopes
        self.block = exit_block
        self.emit(clear.st)
        if name:
            self.emit(Reset(span, (name,)))

    @takes_apart(Expire)
    def low_expire(self, st: Expire) -> None:
        clocked = any(scope.label == f"clock {st.label}" for scope in self.scopes)
        self.low_stop(Stop(st.span, f"{'clock' if clocked else 'expire'} {st.label}", True))

    @takes_apart(Together)
    def low_together(self, st: Together) -> None:
        """Sealed: what one decides is nobody's business until all are done."""
        (gen,) = (st.gen,)
        self.emit(Seal(st.span))
        undo = Instr(Unseal(st.span), None)
        self.open(Scope(None, -1, (undo,)))
        self.sealed = True
        who = local(gen.var, st.span)
        self.low_for(For(st.span, (gen,), who=who, body=st.body))
        self.sealed = False
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)


def _first_word(loop: Turns | Rounds) -> Span:
    word = "turns" if isinstance(loop, Turns) else "rounds"
    return Span(loop.span.source, loop.span.start, loop.span.start + len(word))


def calls(body: tuple[St, ...]) -> list[str]:
    """The procedures that a body calls, as often as it does."""
    found: list[str] = []
    for st in body:
        if isinstance(st, CallRule):
            found.append(st.rule)
        for inner in bodies(st):
            found += calls(inner)
    return found


def call_sites(program: Program, game: CheckedGame) -> dict[str, int]:
    """From how many places each procedure is called."""
    sites: dict[str, int] = {}

    def count(body: tuple[St, ...]) -> None:
        for st in body:
            if isinstance(st, CallRule):
                sites[st.rule] = sites.get(st.rule, 0) + 1
            if isinstance(st, Offer | May):
                offered = (
                    game.menus[st.offering.menu]
                    if st.offering.menu
                    else [c.action for c in st.offering.cases if c.action]
                )
                for name in offered:
                    sites[name] = sites.get(name, 0) + 1
            for inner in bodies(st):
                count(inner)

    for proc in program.procs.values():
        count(proc.body)
    for trigger in game.triggers.values():  # woven in where their events happen, often more than once
        if any(kind != "rule" for kind, _ in trigger.events):
            sites[f"trigger {trigger.name}"] = 2
    return sites
