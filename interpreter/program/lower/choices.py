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
    Const,
    Ex,
    Gen,
    Let,
    Local,
    May,
    Offer,
    Offering,
    Or,
    St,
    Var,
    VectorCells,
    VectorStart,
    VectorValue,
    as_binders,
    asked_for,
    operands,
    several,
    taken_uid,
)
from ...core import value_types as t
from ..ir import Block, Instr, Scope
from ..terminators import (
    NO_MORE,
    AskCase,
    AskCell,
    AskValue,
    Binding,
    DecisionPoint,
    Switch,
)
from .part import Part, local, number, takes_apart


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
        otherwise = self.new_block() if st.orelse or choice.decline else None
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
                    type=t.optional(gen.var.type) if choice.decline and position == 0 else asked_for(gen),
                    prompt=choice.prompt,
                    rule=self.c.rule,
                    span=st.span,
                    group=self.c.groups,
                    first=position == 0,
                    last=position == last,
                    private=private,
                    sealed=self.c.sealed,
                    none=NO_MORE if several(gen) else "no" if choice.decline and position == 0 else "",
                    quiet=choice.decline and position == 0,
                )
            )
            orelse = otherwise.id if position == 0 and otherwise is not None else None
            if gen.cells:
                self._vector(st, gen, binding, point, after, orelse)
            elif several(gen):
                self._set(st, binding, point, after, orelse)
            else:
                self.c.block = self.follow()  # a decision starts a block, so that it can be asked anew
                decline = choice.decline and position == 0
                self.end(
                    AskValue(
                        st.span, self.c.me, point, binding, gen.var, after.id, orelse, decline, choice.always
                    )
                )
                if decline and otherwise is not None:
                    self.c.block, after = after, self.new_block()
                    none = Const(t.NOTHING, st.span, -1)
                    no = Apply(
                        t.YES_NO, st.span, "eq", (Local(t.optional(gen.var.type), st.span, gen.var), none)
                    )
                    self.branch(no, otherwise, after, st.span)
            self.c.block = after
        self.stmts(st.body)
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
        self.c.block = start = self.follow()  # here the whole of it can be asked anew
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
                start.id,
            )
        )
        self.c.block = chosen
        more = Apply(t.UNKNOWN, st.span, "tuple_append", (local(filled, st.span), local(picked, st.span)))
        self.emit(Let(st.span, filled, more))
        self.jump(head, st.span)
        self.c.block = after
        whole = VectorValue(gen.var.type, st.span, gen, local(cells, st.span), local(filled, st.span))
        self.emit(Let(st.span, gen.var, whole))

    def _set(self, st: St, binding: Binding, point: DecisionPoint, after: Block, orelse: int | None) -> None:
        """Member by member: `taken` holds those so far, none as the next ends it."""
        gen, span = binding.gen, st.span
        within, low, high = operands(gen.domain)
        whole = gen.var.type
        assert isinstance(whole, t.SetOf) and point.type is not None
        taken = Var("taken", taken_uid(gen), whole)
        have = local(taken, span)
        following = Var(gen.var.name, f"{gen.var.uid}_next", point.type)
        member = local(following, span)
        self.emit(Let(span, taken, Apply(whole, span, "set", ())))
        head = self.follow()
        self.c.block = head
        chosen, added = self.new_block(), self.new_block()
        listed = t.ListOf(point.type)
        ways = Apply(gen.domain.type, span, "subsets_from", (within, low, high, have, member))
        asked = Binding(
            Gen(following, Apply(listed, span, "next_members", (within, have, low))),
            (Gen(gen.var, ways, gen.where), *binding.rest),
            (),
            binding.alike,
            binding.guards,
            binding.behind,
        )
        self.end(AskValue(span, self.c.me, point, asked, following, chosen.id, orelse))
        self.c.block = chosen
        done = Apply(t.YES_NO, span, "eq", (member, Const(t.NOTHING, span, -1)))
        self.branch(done, after, added, span)
        self.c.block = added
        one = Apply(whole, span, "set", (Apply(whole.of, span, "some", (member,)),))
        self.emit(Let(span, taken, Apply(whole, span, "union", (have, one))))
        more = Apply(listed, span, "next_members", (within, have, Const(t.Num(0, t.MANY), span, t.MANY)))
        size, left = (_length(ex) for ex in (Apply(t.ListOf(whole.of), span, "snapshot", (have,)), more))
        enough = Apply(t.YES_NO, span, "ge", (size, high))
        nothing_left = Apply(t.YES_NO, span, "eq", (left, number(0, span)))
        self.branch(Or(t.YES_NO, span, enough, nothing_left), after, head, span)
        self.c.block = after
        self.emit(Let(span, gen.var, have))

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


def _length(ex: Ex) -> Ex:
    return Apply(t.Num(0, t.MANY), ex.span, "length", (ex,))
