"""Lowering of control: branches, calls, jumps, scopes and loops that wait."""

from __future__ import annotations

from . import types as t
from .core import CheckedGame, Ex, Gen, St, Var
from .facts import JUMPS, jumps_out
from .lower_base import LoweringBase, local, number
from .program import Block, Instr, Proc, Program, Scope, Term, statements

SMALL = 6  # statements
DEEPEST = 6


class ControlLowering(LoweringBase):
    # ------------------------------------------------------------ blocks
    def stmt(self, st: St) -> None:
        if st.op == "finish":
            self.emit(st)
            self.end(Term("end", st.span))
            self.block = self.new_block()
            return
        if self.waiting.needs_blocks((st,)):
            getattr(self, f"low_{st.op}")(st)
            return
        if st.op in JUMPS:
            getattr(self, f"low_{st.op}")(st)
            return
        if st.op == "if" and jumps_out(st):
            self.low_if(st)
            return
        if st.op in ("as", "scope", "show", "atomic") and jumps_out(st):
            getattr(self, f"low_{st.op}")(st)
            return
        if st.op in ("for", "repeat") and jumps_out(st):
            getattr(self, f"low_{st.op}")(st)
            return
        self.emit(st)

    def low_if(self, st: St) -> None:
        then, otherwise, after = self.new_block(), self.new_block(), self.new_block()
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
        proc = self.program.procs[name]
        after = self.new_block()
        if self.written_in(proc):
            self._write_in(proc, st, var, after)
        else:
            self.end(Term("call", st.span, [after.id], st.args, binds=var, data=name))
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

    def _write_in(self, proc: Proc, st: St, var: Var | None, after: Block) -> None:
        for param, arg in zip(proc.params, st.args, strict=True):
            self.emit(St("let", st.span, (arg,), data=param))
        outer = (self.rule, self.unit, self.loops)
        self.rule, self.unit, self.loops = proc.rule, proc.name, []
        self.inside.append(proc.name)
        self.returns.append((after, var, len(self.scopes)))
        self.stmts(proc.body)
        self.jump(after, st.span)
        self.returns.pop()
        self.inside.pop()
        self.rule, self.unit, self.loops = outer

    def low_return(self, st: St) -> None:
        (value,) = st.args
        if self.returns:
            after, var, depth = self.returns[-1]
            self.close_scopes(self.scopes[depth:])
            if var is not None and value is not None:
                self.emit(St("let", st.span, (value,), data=var))
            self.jump(after, st.span)
        else:
            self.close_scopes(self.scopes)
            self.end(Term("return", st.span, args=st.args))
        self.block = self.new_block()

    def low_cancel(self, st: St) -> None:
        yes = Ex("const", t.YES_NO, st.span, data=1)
        self.low_return(St("return", st.span, (yes,)))

    def _ends(self, label: str | None, *more: str) -> tuple[Instr, ...]:
        """What runs when a scope is left by force: the reset of what lasts `until` it ends."""
        names = tuple(n for n in (label, *more) if n and any(s.until == n for s in self.game.states.values()))
        return (Instr(St("reset", self.proc.span, data=names), None),) if names else ()

    def low_stop(self, st: St) -> None:
        label, local = st.data
        for depth in range(len(self.scopes) - 1, -1, -1):
            if self.scopes[depth].label == label:
                self.close_scopes(self.scopes[depth + 1 :])
                self.end(Term("jump", st.span, [self.scopes[depth].exit]))
                self.block = self.new_block()
                return
        assert not local, label
        self.close_scopes(self.scopes)
        self.end(Term("stop", st.span, data=label))
        self.block = self.new_block()

    def low_skip(self, st: St) -> None:
        _, again, depth = self.loops[-1]
        self.close_scopes(self.scopes[depth:])
        self.end(Term("jump", st.span, [again]))
        self.block = self.new_block()

    def low_as(self, st: St) -> None:
        old = self.me
        who = self.new_me(True)
        assert who is not None
        self.emit(St("let", st.span, st.args, data=who))
        self.me = who
        self.stmts(st.body)
        self.me = old

    def low_scope(self, st: St) -> None:
        """A phase: `stop Phase` leaves it, and states `until phase ends` are reset behind it."""
        exit_block = self.new_block()
        self.open(Scope(str(st.data), exit_block.id))
        self.block = self.follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.jump(exit_block, st.span)
        self.block = exit_block
        self.emit(St("reset", st.span, data=(str(st.data), "phase")))

    def low_show(self, st: St) -> None:
        saved = Var("shown", f"shown_{self.number()}", t.UNKNOWN)
        self.emit(St("show_on", st.span, st.args, data=(st.data, saved)))
        undo = Instr(St("show_off", st.span, st.args, data=saved), self.me)
        self.open(Scope(None, -1, (undo,)))
        self.block = self.follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    def low_atomic(self, st: St) -> None:
        self.emit(St("atomic_on", st.span))
        undo = Instr(St("atomic_off", st.span), None)
        self.open(Scope(None, -1, (undo,)))
        self.block = self.follow()
        self.stmts(st.body)
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)

    # ------------------------------------------------------------ loops
    def low_for(self, st: St) -> None:
        """Over what the domains hold at entry; several binders are several loops."""
        label, who = st.data
        exit_block = self.new_block()
        self.open(Scope(str(label) if label else None, exit_block.id, self._ends(label)))
        depth = len(self.scopes)
        self._nest(list(st.args), st, who, exit_block, depth)
        self.scopes = self.scopes[:-1]
        self.block = exit_block
        if label:
            self.emit(St("reset", st.span, data=(str(label),)))

    def _nest(self, gens: list[Gen], st: St, who: Ex | None, exit_block: Block, depth: int) -> None:
        gen, *rest = gens
        items = Var("items", f"items_{self.number()}", t.ListOf(gen.var.type))
        index = Var("next", f"next_{self.number()}", t.Num(0, 10**6))
        snapshot = Ex("snapshot", items.type, st.span, (gen.domain,))
        self.emit(St("let", st.span, (snapshot,), data=items))
        self.emit(St("let", st.span, (number(0, st.span),), data=index))
        head = self.follow()
        self.block = head
        body = self.new_block()
        test = Ex(
            "lt",
            t.YES_NO,
            st.span,
            (local(index, st.span), Ex("length", index.type, st.span, (local(items, st.span),))),
        )
        self.end(Term("branch", st.span, [body.id, exit_block.id], (test,)))
        self.block = body
        element = Ex("element", gen.var.type, st.span, (local(items, st.span), local(index, st.span)))
        self.emit(St("let", st.span, (element,), data=gen.var))
        self.emit(
            St(
                "let",
                st.span,
                (Ex("add", index.type, st.span, (local(index, st.span), number(1, st.span))),),
                data=index,
            )
        )
        for condition in gen.where:
            ok = self.new_block()
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
        index = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        exit_block = self.new_block()
        label = str(st.data) if st.data else None
        self.emit(St("let", st.span, st.args, data=index))
        self.open(Scope(label, exit_block.id, self._ends(label)))
        head = self.follow()
        self.block = head
        body = self.new_block()
        test = Ex("gt", t.YES_NO, st.span, (local(index, st.span), number(0, st.span)))
        self.end(Term("branch", st.span, [body.id, exit_block.id], (test,)))
        self.block = body
        self.emit(
            St(
                "let",
                st.span,
                (Ex("sub", index.type, st.span, (local(index, st.span), number(1, st.span))),),
                data=index,
            )
        )
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
        exit_block = self.new_block()
        first = start if start is not None else Ex("const", t.PLAYER, st.span, data=0)
        skipped = Var("skipped", f"skipped_{self.number()}", t.Num(0, 64))
        self.emit(St("let", st.span, (first,), data=var))
        self.emit(St("let", st.span, (number(0, st.span),), data=skipped))
        before = Var("before", f"before_{self.number()}", t.PLAYER)
        self.emit(St("let", st.span, (Ex("active", t.PLAYER, st.span),), data=before))
        end_turn = St("end_turn", st.span, (local(before, st.span),))
        undo = (Instr(end_turn, None), *self._ends(name, "turn"))
        self.open(Scope(name, exit_block.id, undo))
        head = self.follow()
        follow = self.new_block()
        self.block = head
        old, self.me = self.me, var
        self.emit(St("test_before_turn", st.span))
        if where is not None:
            ready, skip = self.new_block(), self.new_block()
            self.end(Term("branch", st.span, [ready.id, skip.id], (where,)))
            self.block = skip
            self.emit(
                St(
                    "let",
                    st.span,
                    (Ex("add", skipped.type, st.span, (local(skipped, st.span), number(1, st.span))),),
                    data=skipped,
                )
            )
            test = Ex(
                "lt", t.YES_NO, st.span, (local(skipped, st.span), Ex("player_count", t.Num(1, 64), st.span))
            )
            self.end(Term("branch", st.span, [follow.id, exit_block.id], (test,)))
            self.block = ready
            self.emit(St("let", st.span, (number(0, st.span),), data=skipped))
        self.emit(St("begin_turn", st.span, (local(var, st.span),)))
        hooks = [*self.waiting.hooks("turn", "turn"), *(self.waiting.hooks("scope", name) if name else [])]
        args = (local(var, st.span),)
        self.stmts(self._calls(hooks, "before", args, st.span))
        over = self.new_block()
        self.loops.append((name, over.id, len(self.scopes)))
        self.stmts(self._answering([h for h in hooks if h.timing == "instead"], args, st.span, st.body))
        self.loops.pop()
        self.jump(over, st.span)
        self.block = over
        self.stmts(self._calls(hooks, "after", args, st.span))
        self.emit(St("reset", st.span, data=("turn",)))
        self.jump(follow, st.span)
        self.block = follow
        self.emit(St("let", st.span, (Ex("left", t.PLAYER, st.span, (local(var, st.span),)),), data=var))
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
        exit_block, expired = self.new_block(), self.new_block()
        items = Var("order", f"order_{self.number()}", t.ListOf(t.PLAYER))
        index = Var("next", f"next_{self.number()}", t.Num(0, 10**6))
        idle = Var("idle", f"idle_{self.number()}", t.Num(0, 64))
        left = Var("time", f"time_{self.number()}", t.Num(0, 10**6))
        self.emit(St("let", span, (Ex("snapshot", items.type, span, (order,)),), data=items))
        self.emit(St("let", span, (number(0, span),), data=index))
        self.emit(St("let", span, (number(0, span),), data=idle))
        if clock is not None:
            self.emit(St("let", span, (clock,), data=left))
        records = tuple(self.game.records)
        clear = Instr(St("clear_records", span, data=records), None)
        self.open(Scope(name, exit_block.id, (clear, *self._ends(name))))
        self.open(Scope(f"{'clock' if clock is not None else 'expire'} {name}", expired.id))
        head = self.follow()
        self.block = head
        ready, again = self.new_block(), self.new_block()
        size = Ex("length", index.type, span, (local(items, span),))
        if clock is not None and tick is not None:
            test = Ex("ge", t.YES_NO, span, (local(left, span), tick))
            enough = Ex("and", t.YES_NO, span, (test, Ex("lt", t.YES_NO, span, (local(idle, span), size))))
            self.end(Term("branch", span, [ready.id, expired.id], (enough,)))
        else:
            test = Ex("lt", t.YES_NO, span, (local(idle, span), size))
            self.end(Term("branch", span, [ready.id, exit_block.id], (test,)))
        self.block = ready
        place = Ex("mod", index.type, span, (local(index, span), size))
        self.emit(St("let", span, (Ex("element", t.PLAYER, span, (local(items, span), place)),), data=var))
        self.emit(
            St("let", span, (Ex("add", index.type, span, (local(index, span), number(1, span))),), data=index)
        )
        old, self.me = self.me, var
        if where is not None:
            ok, no = self.new_block(), self.new_block()
            self.end(Term("branch", span, [ok.id, no.id], (where,)))
            self.block = no
            self.emit(
                St(
                    "let",
                    span,
                    (Ex("add", idle.type, span, (local(idle, span), number(1, span))),),
                    data=idle,
                )
            )
            self.jump(head, span)
            self.block = ok
            self.emit(St("let", span, (number(0, span),), data=idle))
        if clock is not None and tick is not None:
            gone = Ex("sub", left.type, span, (clock, local(left, span)))
            self.emit(St("log_clock", span, (Ex("add", left.type, span, (gone, tick)),), data=name))
        self.loops.append((name, again.id, len(self.scopes)))
        self.stmts(st.body)
        self.loops.pop()
        self.jump(again, span)
        self.block = again
        if clock is not None and tick is not None:
            self.emit(St("let", span, (Ex("sub", left.type, span, (local(left, span), tick)),), data=left))
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
        clocked = any(scope.label == f"clock {st.data}" for scope in self.scopes)
        self.low_stop(St("stop", st.span, data=(f"{'clock' if clocked else 'expire'} {st.data}", True)))

    def low_together(self, st: St) -> None:
        """Sealed: what one decides is nobody's business until all are done."""
        (gen,) = st.args
        self.emit(St("seal", st.span))
        undo = Instr(St("unseal", st.span), None)
        self.open(Scope(None, -1, (undo,)))
        self.sealed = True
        who = local(gen.var, st.span)
        self.low_for(St("for", st.span, (gen,), st.body, data=(None, who)))
        self.sealed = False
        self.scopes = self.scopes[:-1]
        self.emit(undo.st)


def calls(body: tuple[St, ...]) -> list[str]:
    """The procedures that a body calls, as often as it does."""
    found: list[str] = []
    for st in body:
        if st.op == "call":
            found.append(st.data[0])
        if st.op in ("offer", "may"):
            for case in st.data.cases:
                found += calls(case.body)
        found += [*calls(st.body), *calls(st.orelse)]
    return found


def call_sites(program: Program, game: CheckedGame) -> dict[str, int]:
    """From how many places each procedure is called."""
    sites: dict[str, int] = {}

    def count(body: tuple[St, ...]) -> None:
        for st in body:
            if st.op == "call":
                sites[st.data[0]] = sites.get(st.data[0], 0) + 1
            if st.op in ("offer", "may"):
                offered = (
                    game.menus[st.data.menu]
                    if st.data.menu
                    else [c.action for c in st.data.cases if c.action]
                )
                for name in offered:
                    sites[name] = sites.get(name, 0) + 1
                for case in st.data.cases:
                    count(case.body)
            count(st.body)
            count(st.orelse)

    for proc in program.procs.values():
        count(proc.body)
    for trigger in game.triggers.values():  # woven in where their events happen, often more than once
        if any(kind != "rule" for kind, _ in trigger.events):
            sites[f"trigger {trigger.name}"] = 2
    return sites
