"""Lowering of loops that wait: over things, turns, rounds against a clock, all at once.

A loop in which nobody is asked stays a statement, and the back ends print a loop for it. One that waits is taken
apart into blocks, and whatever it must remember over a decision becomes variables of the frame: the elements, as a
snapshot made at entry, since the body may change what it runs over, and the number of the next. Every loop has

    head    is there another pass? else to the exit
    body    the next element, the conditions of `where` (who fails one goes back to the head), the statements
    exit    what lasts until this loop ends is put back

and a scope with its label and its exit: `stop` leaves scopes until it has found its own, from inside called rules, too.
Where `skip` goes, to the head, is kept in `passes` beside the depth of scopes there. Several binders are
loops inside each other with one scope in all, so that `stop` leaves all of them; `turns` and `rounds` are such
loops over players, with what begins and ends a turn woven in.
"""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    NEXT,
    And,
    Apply,
    As,
    BeginTurn,
    ClearRecords,
    Conditional,
    Const,
    EndTurn,
    Ex,
    For,
    Gen,
    If,
    Let,
    LogClock,
    LogExpired,
    Reduction,
    Repeat,
    Reset,
    ResetOne,
    Rounds,
    Seal,
    Set,
    StateRef,
    TestBefore,
    Together,
    Turns,
    Unseal,
    Var,
)
from ...core import value_types as t
from ..ir import Block, Instr, Scope
from .part import Part, local, number, takes_apart


class Loops(Part):
    # ------------------------------------------------------------ loops
    @takes_apart(For)
    def low_for(self, st: For) -> None:
        """Over what the domains hold at entry; several binders are several loops."""
        label, who = (st.label, st.who)
        exit_block = self.new_block()
        self.c.open(Scope(str(label) if label else None, exit_block.id, self.c.ends(label)))
        depth = len(self.c.scopes)
        self._nest(list(st.gens), st, who, exit_block, depth)
        self.c.scopes = self.c.scopes[:-1]
        self.c.block = exit_block
        self._over(st.span, label)

    def _over(self, span: Span, *labels: str | None) -> None:
        """What lasts until loops end, or until their next pass, is put back."""
        names = [str(label) for label in labels if label]
        if names:
            self.emit(Reset(span, (*names, *(f"next {name}" for name in names))))

    def _next_pass(self, span: Span, label: str | None) -> None:
        if f"next {label}" in self.c.waiting.lifetimes:
            self.emit(Reset(span, (f"next {label}",)))

    def _nest(self, gens: list[Gen], st: For, who: Ex | None, exit_block: Block, depth: int) -> None:
        gen, *rest = gens
        items = Var("items", f"items_{self.number()}", t.ListOf(gen.var.type))
        index = Var("next", f"next_{self.number()}", t.Num(0, 10**6))
        snapshot = Apply(items.type, st.span, "snapshot", (gen.domain,))
        self.emit(Let(st.span, items, snapshot))
        self.emit(Let(st.span, index, number(0, st.span)))
        head = self.follow()
        self.c.block = head
        body = self.new_block()
        test = Apply(
            t.YES_NO,
            st.span,
            "lt",
            (local(index, st.span), Apply(index.type, st.span, "length", (local(items, st.span),))),
        )
        self.branch(test, body, exit_block, st.span)
        self.c.block = body
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
            self.c.block = ok
        if rest:
            self._nest(rest, st, who, head, depth)
            return
        self._next_pass(st.span, st.label)
        self.c.passes.append((None, head.id, depth))
        if who is not None:
            self.c.control.low_as(As(st.span, who, st.body))
        else:
            self.stmts(st.body)
        self.c.passes.pop()
        self.jump(head, st.span)

    @takes_apart(Repeat)
    def low_repeat(self, st: Repeat) -> None:
        index = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        exit_block = self.new_block()
        label = str(st.label) if st.label else None
        if st.limit is not None:
            self.emit(Let(st.span, index, st.limit))
        self.c.open(Scope(label, exit_block.id, self.c.ends(label)))
        head = self.follow()
        self.c.block = head
        if st.limit is not None:
            body = self.new_block()
            test = Apply(t.YES_NO, st.span, "gt", (local(index, st.span), number(0, st.span)))
            self.branch(test, body, exit_block, st.span)
            self.c.block = body
            fewer = Apply(index.type, st.span, "sub", (local(index, st.span), number(1, st.span)))
            self.emit(Let(st.span, index, fewer))
        self._next_pass(st.span, label)
        self.c.passes.append((label, head.id, len(self.c.scopes)))
        self.stmts(st.body)
        self.c.passes.pop()
        self.jump(head, st.span)
        self.c.scopes = self.c.scopes[:-1]
        self.c.block = exit_block
        self._over(st.span, label)

    @property
    def _rounds_matter(self) -> bool:
        return any(ending.before == "round" for ending in self.game.endings.values())

    def _test_before(self, st: Turns, again: Ex, before: Var) -> None:
        """The endings that are tested when a turn, or a round of the outermost turns, is about to begin."""
        if self._rounds_matter:
            nobody = Const(t.NOTHING, st.span, -1)
            outermost = Apply(t.YES_NO, st.span, "eq", (local(before, st.span), nobody))
            ready, go = self.new_block(), self.new_block()
            self.branch(And(t.YES_NO, st.span, again, outermost), ready, go, st.span)
            self.c.block = ready
            self.emit(TestBefore(st.span, "round"))
            self.jump(go, st.span)
            self.c.block = go
        self.emit(TestBefore(st.span, "turn"))

    # ------------------------------------------------------------ turns
    def _called_up(self, span: Span) -> StateRef | None:
        """Whom `next p` has called up, in games that say so."""
        state = self.game.states.get(NEXT)
        return None if state is None else StateRef(state.type, span, state)

    def _keep_next(self, span: Span) -> tuple[If, ...]:
        """Turns inside a turn: who is called up for the outer ones is kept meanwhile."""
        called = self._called_up(span)
        if called is None:
            return ()
        kept = Var("kept", f"kept_{self.number()}", called.type)
        self.emit(Let(span, kept, called))
        self.emit(Reset(span, (NEXT,)))
        back = Set(span, called, local(kept, span))
        return (If(span, Apply(t.YES_NO, span, "not", (_is_nobody(local(kept, span)),)), (back,)),)

    @takes_apart(Turns)
    def low_turns(self, st: Turns) -> None:
        """Seat after seat, clockwise, for ever; ends when stopped, or when nobody may have a turn. Or
        the players of a list, again and again or once."""
        start, where = (st.start, st.where)
        label, var = (st.label, st.var)
        name = str(label) if label else None
        exit_block = self.new_block()
        first = start if start is not None else Const(t.PLAYER, st.span, 0)
        skipped = Var("skipped", f"skipped_{self.number()}", t.Num(0, 64))
        listed = _Listed(self, st) if st.order is not None else None
        if listed is None:
            self.emit(Let(st.span, var, first))
        begun = Var("begun", f"begun_{self.number()}", t.PLAYER)
        if self._rounds_matter and listed is None:
            self.emit(Let(st.span, begun, local(var, st.span)))
        self.emit(Let(st.span, skipped, number(0, st.span)))
        before = Var("before", f"before_{self.number()}", t.Opt(t.PLAYER))
        self.emit(Let(st.span, before, Apply(before.type, st.span, "active")))
        end_turn = EndTurn(st.span, local(before, st.span))
        again_next = self._keep_next(st.span)
        undo = (Instr(end_turn, None), *(Instr(do, None) for do in again_next), *self.c.ends(name, "turn"))
        self.c.open(Scope(name, exit_block.id, undo, _first_word(st)))
        head = self.follow()
        follow = self.new_block()
        self.c.block = head
        old, self.c.me = self.c.me, var
        if listed is not None:
            ready = self.new_block()
            self.branch(listed.more(local(skipped, st.span)), ready, exit_block, st.span)
            self.c.block = ready
            self.emit(Let(st.span, var, listed.player()))
        again: Ex = Apply(t.YES_NO, st.span, "eq", (local(var, st.span), local(begun, st.span)))
        self._test_before(st, listed.at_its_front() if listed is not None else again, before)
        if listed is not None:
            self.emit(listed.onward())
        if where is not None:
            ready, skip = self.new_block(), self.new_block()
            self.branch(where, ready, skip, st.span)
            self.c.block = skip
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
            if listed is not None:
                self.jump(head, st.span)
            else:
                self.branch(test, follow, exit_block, st.span)
            self.c.block = ready
            self.emit(Let(st.span, skipped, number(0, st.span)))
        turn = {("turn", "turn"), *([("scope", name)] if name else [])}
        hooks = [hook for hook in self.game.triggers.values() if turn & set(hook.events)]
        args = (local(var, st.span),)
        instead = [h for h in hooks if h.timing == "instead"]
        for key, state in self.game.states.items():
            if state.until == "next turn":
                self.emit(ResetOne(st.span, args[0], key))
        self._next_pass(st.span, name)
        self.emit(BeginTurn(st.span, args[0], "count" if instead else "count and tell"))
        self.stmts(self.c.hooks.calls(hooks, "before", args, st.span))
        over = self.new_block()
        self.c.passes.append((name, over.id, len(self.c.scopes)))
        told = (BeginTurn(st.span, args[0], "tell"), *st.body) if instead else st.body
        dropped = (BeginTurn(st.span, args[0], "drop"),)  # that was no turn
        self.stmts(self.c.hooks.answering(instead, args, st.span, told, dropped))
        self.c.passes.pop()
        self.jump(over, st.span)
        self.c.block = over
        self.stmts(self.c.hooks.calls(hooks, "after", args, st.span))
        self.emit(Reset(st.span, ("turn",)))
        self.jump(follow, st.span)
        self.c.block = follow
        left = Apply(t.PLAYER, st.span, "left", (local(var, st.span),))
        following: Ex = st.then if st.then is not None else left
        called = self._called_up(st.span)
        if listed is not None and called is not None:
            self.emit(listed.called_up(called))
        elif listed is None:
            if called is not None:
                nobody = _is_nobody(called)
                certain = Apply(t.PLAYER, st.span, "some", (called,))
                following = Conditional(t.PLAYER, st.span, nobody, following, certain)
            self.emit(Let(st.span, var, following))
        if called is not None:
            self.emit(Reset(st.span, (NEXT,)))
        self.jump(head, st.span)
        self.c.me = old
        self.c.scopes = self.c.scopes[:-1]
        self.c.block = exit_block
        self.emit(end_turn)
        for do in again_next:
            self.emit(do)
        self._over(st.span, "turn", name)

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
        self.c.open(Scope(name, exit_block.id, (clear, *self.c.ends(name)), _first_word(st)))
        self.c.open(Scope(f"{'clock' if clock is not None else 'expire'} {name}", expired.id))
        head = self.follow()
        self.c.block = head
        ready, again = self.new_block(), self.new_block()
        size = Apply(index.type, span, "length", (local(items, span),))
        if clock is not None and tick is not None:
            test = Apply(t.YES_NO, span, "ge", (local(left, span), tick))
            enough = And(t.YES_NO, span, test, Apply(t.YES_NO, span, "lt", (local(idle, span), size)))
            self.branch(enough, ready, expired, span)
        else:
            test = Apply(t.YES_NO, span, "lt", (local(idle, span), size))
            self.branch(test, ready, exit_block, span)
        self.c.block = ready
        place = Apply(index.type, span, "mod", (local(index, span), size))
        self.emit(Let(span, var, Apply(t.PLAYER, span, "element", (local(items, span), place))))
        self.emit(Let(span, index, Apply(index.type, span, "add", (local(index, span), number(1, span)))))
        old, self.c.me = self.c.me, var
        if where is not None:
            ok, no = self.new_block(), self.new_block()
            self.branch(where, ok, no, span)
            self.c.block = no
            self.emit(Let(span, idle, Apply(idle.type, span, "add", (local(idle, span), number(1, span)))))
            self.jump(head, span)
            self.c.block = ok
            self.emit(Let(span, idle, number(0, span)))
        if clock is not None and tick is not None:
            gone = Apply(left.type, span, "sub", (clock, local(left, span)))
            self.emit(LogClock(span, Apply(left.type, span, "add", (gone, tick)), name))
        self._next_pass(span, name)
        self.c.passes.append((name, again.id, len(self.c.scopes)))
        self.stmts(st.body)
        self.c.passes.pop()
        self.jump(again, span)
        self.c.block = again
        if clock is not None and tick is not None:
            self.emit(Let(span, left, Apply(left.type, span, "sub", (local(left, span), tick))))
        self.jump(head, span)
        self.c.me = old
        self.c.scopes = self.c.scopes[:-1]
        self.c.block = expired
        expired.scopes = self.c.scopes
        if clock is not None:
            self.emit(LogExpired(span, name))
        self.stmts(st.orelse)
        self.jump(exit_block, span)
        self.c.scopes = self.c.scopes[:-1]
        exit_block.scopes = self.c.scopes
        self.c.block = exit_block
        self.emit(clear.st)
        self._over(span, name)

    @takes_apart(Together)
    def low_together(self, st: Together) -> None:
        """Sealed: what one decides is nobody's business until all are done."""
        (gen,) = (st.gen,)
        self.emit(Seal(st.span))
        undo = Instr(Unseal(st.span), None)
        self.c.open(Scope(None, -1, (undo,)))
        self.c.sealed = True
        who = local(gen.var, st.span)
        self.low_for(For(st.span, (gen,), who=who, body=st.body))
        self.c.sealed = False
        self.c.scopes = self.c.scopes[:-1]
        self.emit(undo.st)


class _Listed:
    """The players of a list who have turns: where in it the next one stands."""

    def __init__(self, part: Part, st: Turns) -> None:
        self.st, self.span = st, st.span
        self.items = Var("order", f"order_{part.number()}", t.ListOf(t.PLAYER))
        self.index = Var("next", f"next_{part.number()}", t.Num(0, 10**6))
        assert st.order is not None
        part.emit(Let(st.span, self.items, Apply(self.items.type, st.span, "snapshot", (st.order,))))
        part.emit(Let(st.span, self.index, number(0, st.span)))
        self.size = Apply(self.index.type, st.span, "length", (local(self.items, st.span),))

    def more(self, skipped: Ex) -> Ex:
        """Does somebody of it have another turn?"""
        passed = local(self.index, self.span) if self.st.once else skipped
        return Apply(t.YES_NO, self.span, "lt", (passed, self.size))

    def _place(self) -> Ex:
        return Apply(self.index.type, self.span, "mod", (local(self.index, self.span), self.size))

    def player(self) -> Ex:
        return Apply(t.PLAYER, self.span, "element", (local(self.items, self.span), self._place()))

    def at_its_front(self) -> Ex:
        return Apply(t.YES_NO, self.span, "eq", (self._place(), number(0, self.span)))

    def called_up(self, called: Ex) -> Let:
        """Where to go on: behind the one who has had a turn, or with the one who was called up."""
        each = Var("each", f"{self.index.uid}_each", t.PLAYER)
        here, items = local(each, self.span), local(self.items, self.span)
        before = Apply(t.YES_NO, self.span, "ne", (here, called))
        place = Reduction(self.index.type, self.span, "count", (Gen(each, items),), here, (), before)
        at = Conditional(self.index.type, self.span, _is_nobody(called), local(self.index, self.span), place)
        return Let(self.span, self.index, at)

    def onward(self) -> Let:
        one = Apply(self.index.type, self.span, "add", (local(self.index, self.span), number(1, self.span)))
        return Let(self.span, self.index, one)


def _is_nobody(called: Ex) -> Ex:
    return Apply(t.YES_NO, called.span, "eq", (called, Const(t.NOTHING, called.span, -1)))


def _first_word(loop: Turns | Rounds) -> Span:
    word = "turns" if isinstance(loop, Turns) else "rounds"
    return Span(loop.span.source, loop.span.start, loop.span.start + len(word))
