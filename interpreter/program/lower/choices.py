"""Lowering of decisions and chance."""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    ActionOff,
    ActionOn,
    And,
    Apply,
    Case,
    Choice,
    Choose,
    Const,
    Draw,
    DrawOne,
    Ex,
    Gen,
    If,
    Let,
    May,
    Nothing,
    Offer,
    Offering,
    Peek,
    PeekOne,
    PeekShow,
    Roll,
    St,
    Var,
    VectorCells,
    VectorStart,
    VectorValue,
    as_binders,
)
from ...core import value_types as t
from ..ir import Block, Instr, Scope
from ..terminators import (
    AskCase,
    AskCell,
    AskValue,
    Binding,
    ChanceDraw,
    ChanceRoll,
    DecisionPoint,
    Switch,
)
from .base import local, number, takes_apart
from .control import ControlLowering


class ChoiceLowering(ControlLowering):
    # ------------------------------------------------------------ decisions
    def noted(self, point: DecisionPoint) -> DecisionPoint:
        self.program.decisions.append(point)
        return point

    @takes_apart(Choose)
    def low_choose(self, st: Choose) -> None:
        choice: Choice = st.choice
        self.groups += 1
        gens = choice.gens
        private = self.privacy.hides(choice, st.span)
        otherwise = self.new_block() if st.orelse else None
        last = len(gens) - 1
        behind = self.behind.get(id(st), ())
        then = as_binders(behind)
        for position, gen in enumerate(gens):
            after = self.new_block()
            binding = Binding(
                gen,
                (*gens[position + 1 :], *then),
                choice.distinct if position == last else (),
                choice.alike,
                choice.guards,
                behind,
            )
            point = self.noted(
                DecisionPoint(
                    id=len(self.program.decisions),
                    kind="vector" if gen.cells else "choose",
                    name=gen.var.name,
                    type=gen.var.type,
                    prompt=choice.prompt,
                    rule=self.rule,
                    span=st.span,
                    group=self.groups,
                    first=position == 0,
                    last=position == last,
                    private=private,
                    sealed=self.sealed,
                )
            )
            orelse = otherwise.id if position == 0 and otherwise is not None else None
            if gen.cells:
                self._vector(st, gen, binding, point, after, orelse)
            else:
                self.block = self.follow()  # a decision starts a block, so that it can be asked anew
                self.end(AskValue(st.span, self.me, point, binding, gen.var, after.id, orelse))
            self.block = after
        if otherwise is not None:
            done = self.new_block()
            self.jump(done, st.span)
            self.block = otherwise
            self.stmts(st.orelse)
            self.jump(done, st.span)
            self.block = done

    def _vector(
        self, st: St, gen: Gen, binding: Binding, point: DecisionPoint, after: Block, orelse: int | None
    ) -> None:
        """Cell by cell: `filled` holds the values so far, `cells` which are to be filled."""
        number = self.number()
        cells = Var("cells", f"cells_{number}", t.UNKNOWN)
        filled = Var("filled", f"filled_{number}", t.UNKNOWN)
        self.emit(Let(st.span, cells, VectorCells(t.UNKNOWN, st.span, gen, binding.alike)))
        self.emit(Let(st.span, filled, VectorStart(t.UNKNOWN, st.span, gen)))
        head = self.follow()
        self.block = head
        chosen = self.new_block()
        picked = Var("picked", f"picked_{number}", t.Num(0, 10**6))
        self.end(
            AskCell(
                st.span,
                self.me,
                point,
                binding,
                local(cells, st.span),
                local(filled, st.span),
                picked,
                chosen.id,
                after.id,
                orelse,
            )
        )
        self.block = chosen
        more = Apply(t.UNKNOWN, st.span, "tuple_append", (local(filled, st.span), local(picked, st.span)))
        self.emit(Let(st.span, filled, more))
        self.jump(head, st.span)
        self.block = after
        whole = VectorValue(gen.var.type, st.span, gen, local(cells, st.span), local(filled, st.span))
        self.emit(Let(st.span, gen.var, whole))

    @takes_apart(Offer)
    def low_offer(self, st: Offer) -> None:
        offering: Offering = st.offering
        cases = self._cases(offering)
        self._decide_cases(st, offering, cases, (), decline=False)

    @takes_apart(May)
    def low_may(self, st: May) -> None:
        offering: Offering = st.offering
        cases = self._cases(offering)
        self._decide_cases(st, offering, cases, st.body, decline=True)

    def _cases(self, offering: Offering) -> list[Case]:
        if offering.menu is None:
            return offering.cases
        return [
            Case(name, name.replace("_", " "), self.game.rules[name].span, name, offering.menu_args)
            for name in self.game.menus[offering.menu]
        ]

    def _decide_cases(
        self, st: Offer | May, offering: Offering, cases: list[Case], then: tuple[St, ...], *, decline: bool
    ) -> None:
        self.groups += 1
        words = [(case.key, case.label) for case in cases]
        if decline:
            words.append(("no", "no"))
        point = self.noted(
            DecisionPoint(
                id=len(self.program.decisions),
                kind="offer",
                name="offer",
                type=None,
                prompt=offering.prompt or (offering.menu.replace("_", " ") if offering.menu else None),
                rule=self.rule,
                span=st.span,
                group=self.groups,
                cases=tuple(words),
                sealed=self.sealed,
                quiet=decline,
                unnamed=offering.window and not offering.always,
            )
        )
        done = self.new_block()
        taken = self.new_block() if then else done
        chosen = [self.new_block() for _ in cases]
        otherwise = self.new_block()
        which = Var("which", f"which_{self.number()}", t.Num(0, 10**6))
        dispatch = self.new_block()
        self.block = self.follow()
        self.end(
            AskCase(
                st.span,
                self.me,
                point,
                tuple(cases),
                decline,
                offering.always,
                bool(st.orelse),
                which,
                dispatch.id,
                otherwise.id,
            )
        )
        self.block = dispatch
        self.end(Switch(st.span, self.me, local(which, st.span), tuple(b.id for b in chosen), otherwise.id))
        hooks = self.waiting.hooks("menu", offering.menu) if offering.menu else []
        for case, block in zip(cases, chosen, strict=True):
            self.block = block
            if case.action is not None:
                args = self._given(case.args) if hooks else case.args
                call = self.call(case.action, args, st.span)
                whole = self._hooked(hooks, args, st.span, (call,))
                if self.game.rules[case.action].menu and "action" in self.waiting.lifetimes:
                    self._count_action(whole, st.span)
                else:
                    self.stmts(whole)
            else:
                self.headed(case.body)
            self.jump(taken, st.span)
        if then:
            self.block = taken
            self.stmts(then)
            self.jump(done, st.span)
        self.block = otherwise
        self.stmts(st.orelse)
        self.jump(done, st.span)
        self.block = done

    def _given(self, args: tuple[Ex, ...]) -> tuple[Ex, ...]:
        """What an action is called with, worked out before its triggers run."""
        out: list[Ex] = []
        for arg in args:
            var = Var("given", f"given_{self.number()}", arg.type)
            self.emit(Let(arg.span, var, arg))
            out.append(local(var, arg.span))
        return tuple(out)

    def _count_action(self, body: tuple[St, ...], span: Span) -> None:
        """What lasts `until action ends` lasts until the outermost action of a menu is over."""
        self.emit(ActionOn(span))
        off = ActionOff(span)
        self.open(Scope(None, -1, (Instr(off, None),)))
        self.block = self.follow()
        self.stmts(body)
        self.scopes = self.scopes[:-1]
        self.emit(off)

    # ------------------------------------------------------------ chance
    @takes_apart(Draw)
    def low_draw(self, st: Draw) -> None:
        """One draw after the other, as long as there is something to draw; then, if that was not
        enough, the `else`."""
        amount, source, place, at = (st.amount, st.source, st.place, st.at)
        once = isinstance(amount, Const) and amount.value == 1
        or_else = any(not isinstance(part, Nothing) for part in st.orelse)
        left = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        more = Apply(t.YES_NO, st.span, "gt", (local(left, st.span), number(0, st.span)))
        # asked before each draw: what a draw triggers may take from the source, or fill it again
        test: Ex = Apply(t.YES_NO, st.span, "not", (Apply(t.YES_NO, st.span, "empty", (source,)),))
        if not once:
            self.emit(Let(st.span, left, amount))
            test = And(t.YES_NO, st.span, more, test)
        elif or_else:
            self.emit(Let(st.span, left, number(1, st.span)))
        head = self.follow()
        self.block = head
        ready, done, drawn = self.new_block(), self.new_block(), self.new_block()
        self.branch(test, ready, done, st.span)
        self.block = ready
        what = Var("drawn", f"drawn_{self.number()}", t.UNKNOWN)
        self.end(ChanceDraw(st.span, self.me, source, "random" if st.random else "top", what, drawn.id))
        self.block = drawn
        move: St = DrawOne(st.span, local(what, st.span), source, place, at, st.end)
        before, move, after = self.crossings.around(move)
        for part in (*before, move, *after):
            self.stmt(part)
        if not once or or_else:
            fewer = Apply(left.type, st.span, "sub", (local(left, st.span), number(1, st.span)))
            self.emit(Let(st.span, left, fewer))
        self.jump(done if once else head, st.span)
        self.block = done
        if or_else:
            self.stmt(If(st.span, more, st.orelse))

    @takes_apart(Roll)
    def low_roll(self, st: Roll) -> None:
        after = self.new_block()
        self.end(ChanceRoll(st.span, self.me, st.domain, st.weight, st.audience, st.var, after.id))
        self.block = after

    @takes_apart(Peek)
    def low_peek(self, st: Peek) -> None:
        """The unknown top of a deck becomes known, to the audience, card by card."""
        amount, place = (st.amount, st.place)
        left = Var("left", f"left_{self.number()}", t.Num(0, 10**6))
        self.emit(Let(st.span, left, Apply(left.type, st.span, "peek_need", (place, amount))))
        head = self.follow()
        self.block = head
        ready, done, drawn = self.new_block(), self.new_block(), self.new_block()
        test = Apply(t.YES_NO, st.span, "gt", (local(left, st.span), number(0, st.span)))
        self.branch(test, ready, done, st.span)
        self.block = ready
        what = Var("drawn", f"drawn_{self.number()}", t.UNKNOWN)
        self.end(ChanceDraw(st.span, self.me, place, "peek", what, drawn.id))
        self.block = drawn
        self.emit(PeekOne(st.span, local(what, st.span), place))
        self.emit(
            Let(st.span, left, Apply(left.type, st.span, "sub", (local(left, st.span), number(1, st.span))))
        )
        self.jump(head, st.span)
        self.block = done
        self.emit(PeekShow(st.span, place, amount, st.audience, secretly=st.secretly))
