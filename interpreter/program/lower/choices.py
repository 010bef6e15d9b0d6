"""Lowering of decisions: choices, vectors, offers."""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    ActionOff,
    ActionOn,
    Apply,
    Case,
    Choice,
    Choose,
    Ex,
    Gen,
    Let,
    May,
    Offer,
    Offering,
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
    DecisionPoint,
    Switch,
)
from .part import Part, local, takes_apart


class Choices(Part):
    # ------------------------------------------------------------ decisions
    def noted(self, point: DecisionPoint) -> DecisionPoint:
        self.program.decisions.append(point)
        return point

    @takes_apart(Choose)
    def low_choose(self, st: Choose) -> None:
        choice: Choice = st.choice
        self.c.groups += 1
        gens = choice.gens
        private = self.c.privacy.hides(choice, st.span)
        otherwise = self.new_block() if st.orelse else None
        last = len(gens) - 1
        behind = self.c.behind.get(id(st), ())
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
                    rule=self.c.rule,
                    span=st.span,
                    group=self.c.groups,
                    first=position == 0,
                    last=position == last,
                    private=private,
                    sealed=self.c.sealed,
                )
            )
            orelse = otherwise.id if position == 0 and otherwise is not None else None
            if gen.cells:
                self._vector(st, gen, binding, point, after, orelse)
            else:
                self.c.block = self.follow()  # a decision starts a block, so that it can be asked anew
                self.end(AskValue(st.span, self.c.me, point, binding, gen.var, after.id, orelse))
            self.c.block = after
        if otherwise is not None:
            done = self.new_block()
            self.jump(done, st.span)
            self.c.block = otherwise
            self.stmts(st.orelse)
            self.jump(done, st.span)
            self.c.block = done

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
        self.c.block = head
        chosen = self.new_block()
        picked = Var("picked", f"picked_{number}", t.Num(0, 10**6))
        self.end(
            AskCell(
                st.span,
                self.c.me,
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
        self.c.block = chosen
        more = Apply(t.UNKNOWN, st.span, "tuple_append", (local(filled, st.span), local(picked, st.span)))
        self.emit(Let(st.span, filled, more))
        self.jump(head, st.span)
        self.c.block = after
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
        self.c.groups += 1
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
                rule=self.c.rule,
                span=st.span,
                group=self.c.groups,
                cases=tuple(words),
                sealed=self.c.sealed,
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
        self.c.block = self.follow()
        self.end(
            AskCase(
                st.span,
                self.c.me,
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
        self.c.block = dispatch
        self.end(Switch(st.span, self.c.me, local(which, st.span), tuple(b.id for b in chosen), otherwise.id))
        hooks = self.c.waiting.hooks("menu", offering.menu) if offering.menu else []
        for case, block in zip(cases, chosen, strict=True):
            self.c.block = block
            if case.action is not None:
                args = self._given(case.args) if hooks else case.args
                call = self.c.call(case.action, args, st.span)
                whole = self.c.hooks.hooked(hooks, args, st.span, (call,))
                if self.game.rules[case.action].menu and "action" in self.c.waiting.lifetimes:
                    self._count_action(whole, st.span)
                else:
                    self.stmts(whole)
            else:
                self.c.headed(case.body)
            self.jump(taken, st.span)
        if then:
            self.c.block = taken
            self.stmts(then)
            self.jump(done, st.span)
        self.c.block = otherwise
        self.stmts(st.orelse)
        self.jump(done, st.span)
        self.c.block = done

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
        self.c.open(Scope(None, -1, (Instr(off, None),)))
        self.c.block = self.follow()
        self.stmts(body)
        self.c.scopes = self.c.scopes[:-1]
        self.emit(off)
