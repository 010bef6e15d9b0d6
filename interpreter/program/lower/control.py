"""Lowering of control: branches, calls, jumps and scopes."""

from __future__ import annotations

from ...core import (
    As,
    Atomic,
    AtomicOff,
    AtomicOn,
    CallRule,
    Cancel,
    CheckedGame,
    Const,
    Expire,
    If,
    InPhase,
    Let,
    May,
    Offer,
    Reset,
    Return,
    Show,
    ShowOff,
    ShowOn,
    Skip,
    St,
    Stop,
    Var,
    bodies,
)
from ...core import value_types as t
from ..ir import Block, Instr, Proc, Program, Scope, statements
from ..terminators import Back, Call, Jump, Unwind
from .part import Part, takes_apart

SMALL = 6  # statements


DEEPEST = 6


class Control(Part):
    @takes_apart(If)
    def low_if(self, st: If) -> None:
        then, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        self.branch(st.condition, then, otherwise, st.span)
        self.c.block = then
        self.stmts(st.body)
        self.jump(after, st.span)
        self.c.block = otherwise
        self.stmts(st.orelse)
        self.jump(after, st.span)
        self.c.block = after

    @takes_apart(CallRule)
    def low_call(self, st: CallRule) -> None:
        name, _, var = (st.rule, st.type, st.var)
        proc = self.program.procs[name]
        after = self.new_block()
        if self.written_in(proc):
            self._write_in(proc, st, var, after)
        else:
            self.end(Call(st.span, self.c.me, name, st.args, var, after.id))
        self.c.block = after

    def written_in(self, proc: Proc) -> bool:
        """Is a procedure written into its caller? If it is small or called from one place only, and
        not from within itself. It saves the frame and the way there and back."""
        if proc.name in self.c.inside or proc.name == self.c.proc.name or len(self.c.inside) >= DEEPEST:
            return False
        return self.c.sites.get(proc.name, 0) == 1 or self._copied(proc, frozenset()) <= SMALL

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
        outer = (self.c.rule, self.c.unit, self.c.passes)
        self.c.rule, self.c.unit, self.c.passes = proc.rule, proc.name, []
        self.c.inside.append(proc.name)
        self.c.returns.append((after, var, len(self.c.scopes)))
        self.c.proc_body(proc)
        self.jump(after, st.span)
        self.c.returns.pop()
        self.c.inside.pop()
        self.c.rule, self.c.unit, self.c.passes = outer

    @takes_apart(Return)
    def low_return(self, st: Return) -> None:
        (value,) = (st.value,)
        if self.c.returns:
            after, var, depth = self.c.returns[-1]
            self.c.close_scopes(self.c.scopes[depth:])
            if var is not None and value is not None:
                self.emit(Let(st.span, var, value))
            self.jump(after, st.span)
        else:
            self.c.close_scopes(self.c.scopes)
            self.end(Back(st.span, self.c.me, st.value))
        self.c.block = self.new_block()

    @takes_apart(Cancel)
    def low_cancel(self, st: Cancel) -> None:
        yes = Const(t.YES_NO, st.span, 1)
        self.low_return(Return(st.span, yes))

    @takes_apart(Stop)
    def low_stop(self, st: Stop) -> None:
        label, local = (st.label, st.local)
        for depth in range(len(self.c.scopes) - 1, -1, -1):
            if self.c.scopes[depth].label == label:
                self.c.close_scopes(self.c.scopes[depth + 1 :])
                self.end(Jump(st.span, self.c.me, self.c.scopes[depth].exit))
                self.c.block = self.new_block()
                return
        assert not local, label
        self.c.close_scopes(self.c.scopes)
        self.end(Unwind(st.span, self.c.me, label))
        self.c.block = self.new_block()

    @takes_apart(Skip)
    def low_skip(self, st: Skip) -> None:
        _, again, depth = self.c.passes[-1]
        self.c.close_scopes(self.c.scopes[depth:])
        self.end(Jump(st.span, self.c.me, again))
        self.c.block = self.new_block()

    @takes_apart(As)
    def low_as(self, st: As) -> None:
        old = self.c.me
        who = self.c.new_me(True)
        assert who is not None
        self.emit(Let(st.span, who, st.who))
        self.c.me = who
        self.stmts(st.body)
        self.c.me = old

    @takes_apart(InPhase)
    def low_scope(self, st: InPhase) -> None:
        """A phase: `stop Phase` leaves it, and states `until phase ends` are reset behind it."""
        exit_block = self.new_block()
        self.c.open(Scope(str(st.phase), exit_block.id))
        self.c.block = self.follow()
        self.stmts(st.body)
        self.c.scopes = self.c.scopes[:-1]
        self.jump(exit_block, st.span)
        self.c.block = exit_block
        self.emit(Reset(st.span, (str(st.phase), "phase")))
        if str(st.phase) != "setup":
            self.c.at_rest(st.span)

    @takes_apart(Show)
    def low_show(self, st: Show) -> None:
        saved = Var("shown", f"shown_{self.number()}", t.UNKNOWN)
        self.emit(ShowOn(st.span, st.place, st.audience, saved, secretly=st.secretly))
        undo = Instr(ShowOff(st.span, saved), None)
        self.c.open(Scope(None, -1, (undo,)))
        self.c.block = self.follow()
        self.stmts(st.body)
        self.c.scopes = self.c.scopes[:-1]
        self.emit(undo.st)

    @takes_apart(Atomic)
    def low_atomic(self, st: Atomic) -> None:
        self.emit(AtomicOn(st.span))
        undo = Instr(AtomicOff(st.span), None)
        self.c.open(Scope(None, -1, (undo,)))
        self.c.block = self.follow()
        self.stmts(st.body)
        self.c.scopes = self.c.scopes[:-1]
        self.emit(undo.st)

    @takes_apart(Expire)
    def low_expire(self, st: Expire) -> None:
        clocked = any(scope.label == f"clock {st.label}" for scope in self.c.scopes)
        self.low_stop(Stop(st.span, f"{'clock' if clocked else 'expire'} {st.label}", True))


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
