"""Native code: ends of blocks: going on, decisions, offers, vectors.

A procedure of the rule program becomes one function; its blocks are labels `B7` in it. As long as nothing waits,
locals live in registers, and going on is a jump. What is entered from outside, behind a decision or a call, is
wanted: `leave` stores what is live there in the frame first, on a stack of numbers in the state, and `run` enters
the function again by the number of the block. A block to which a jump leads that has been placed already may be a
way back: there steps are counted, so that rules that go on without end are told as D0914 and not waited for.

A decision writes its options into the state and returns: whoever asks reads them there, writes the answer and calls
`run` again.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import Case, Choose, Ex, Let, Require, St, applies, as_binders, header
from ..core import value_types as t
from ..core.depth import LONG_RUN
from ..program.ir import Block
from ..program.passes.interchangeable import copies_of
from ..program.representations import Bits
from ..program.terminators import (
    AskCase,
    AskCell,
    AskValue,
    Back,
    Binding,
    Branch,
    Call,
    Finished,
    Jump,
    Switch,
    Unwind,
)
from ..program.vector_bounds import depend
from .builder import Value
from .code import DEEP, ENDLESS, NOTHING, Unsupported, llvm_type
from .memory import OPTIONS, STACK
from .part import Part, ends


class Blocks(Part):
    # ------------------------------------------------------------ going on
    def go(self, number: int) -> None:
        """To a block of the same procedure."""
        if number not in self.c.placed:
            self.c.placed.add(number)
            self.c.todo.append(number)
        else:  # perhaps a way back: counted, so that a loop without decisions ends
            steps = self.c.add(self.c.head("steps"), 1)
            self.c.set_head("steps", steps)
            self.c.fail_if(self.c.compare("sgt", steps, LONG_RUN), ENDLESS)
        self.c.jump(f"B{number}")

    def want(self, number: int) -> int:
        self.c.wanted.add(number)
        return number

    def write_block(self, block: Block) -> None:
        self.c.label(f"B{block.id}")
        self.c.hoisted = {}
        self.c.counting.answered(block)
        for instr in block.code:
            self.c.me = self.c.local(instr.me) if instr.me is not None else None
            self.c.statements.stmt(instr.st)
        term = block.term
        assert term is not None
        self.c.hoisted = {}
        self.c.me = self.c.local(term.me) if term.me is not None else None
        self.c.end_block(term)

    def leave(self, number: int) -> int:
        """Store in the frame what a block needs that will be entered later."""
        for uid in self.module.program.blocks[number].live:
            rep = self.module.slot_rep(uid)
            if llvm_type(rep) != "ptr" and uid in self.c.env:
                self.c.store_rep(self.c.frame_at(uid), rep, self.c.local_uid(uid, rep))
        return self.want(number)

    @ends(Jump)
    def _jump_end(self, term: Jump) -> None:
        self.go(term.target)

    @ends(Branch)
    def _branch_end(self, term: Branch) -> None:
        yes, no = self.c.new_label(), self.c.new_label()
        self.c.branch(self.c.test(term.condition), yes, no)
        for label, target in ((yes, term.then), (no, term.otherwise)):
            self.c.label(label)
            self.go(target)

    @ends(Switch)
    def _switch_end(self, term: Switch) -> None:
        which = self.c.value(term.which)
        for number, target in enumerate(term.cases):
            yes, no = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.compare("eq", which, number), yes, no)
            self.c.label(yes)
            self.go(target)
            self.c.label(no)
        self.go(term.otherwise)

    @ends(Call)
    def _call_end(self, term: Call) -> None:
        callee = self.module.program.procs[term.proc]
        values: dict[str, Value] = {}
        for param, arg in zip(callee.params, term.args, strict=True):
            if param.uid in callee.slots:
                place = isinstance(arg.type, t.Place)
                values[param.uid] = self.c.value(arg) if place else self.c.exprs.as_type(arg, param.type)
        if callee.me is not None:
            values[callee.me.uid] = self.c.me or "-1"
        after = self.leave(term.after)
        top = self.c.head("sp")
        size = 1 + self.module.frame_words(callee)
        self.c.fail_if(self.c.compare("ugt", top, STACK - size), DEEP)
        self.c.store_int(after, self.c.stack_at(top), 32)
        at = 1
        for uid in callee.slots:
            rep = self.module.slot_rep(uid)
            pointer = self.c.stack_at(self.c.add(top, at))
            if uid in values:
                self.c.store_rep(pointer, rep, values[uid])
            elif llvm_type(rep) != "ptr":
                self.c.store_rep(pointer, rep, "0")
            at += rep.words
        self.c.set_head("sp", self.c.add(top, size))
        self.c.give(str(self.want(callee.entry)))

    @ends(Back)
    def _return_end(self, term: Back) -> None:
        value = term.value
        assert self.c.proc is not None
        if value is not None:
            type_ = self.module.result_type(self.c.proc.name) or value.type
            rep = self.reps.of(type_)
            self.c.store_rep(self.c.at("%S", self.memory.result), rep, self.c.exprs.as_type(value, type_))
        top = self.c.op("sub", self.c.head("sp"), self.module.frame_words(self.c.proc) + 1)
        self.c.set_head("sp", top)
        self.c.give(self.c.load_int(self.c.stack_at(top), 32))

    @ends(Finished)
    def _end_end(self, term: Finished) -> None:
        """`finish` has already left."""

    @ends(Unwind)
    def _stop_end(self, term: Unwind) -> None:
        assert self.c.proc is not None
        size, label = self.module.frame_words(self.c.proc), self.module.label_number(term.label)
        self.c.give(self.c.call("unwind", "ptr %S", f"i64 {size}", f"i64 {label}"))

    # ------------------------------------------------------------ decisions
    def no_options(self) -> Value:
        count = self.c.room()
        self.c.store("0", count)
        return count

    def wait(self, target: int, count: Value, who: Value) -> None:
        self.c.counting.offered(target, count)
        self.c.set_head("pc", self.leave(target))
        self.c.set_head("player", who)
        self.c.set_head("options", count)
        self.c.give("-1")

    def if_nothing(self, count: Value, term: AskValue | AskCell) -> None:
        none, some = self.c.new_label("none"), self.c.new_label("some")
        self.c.branch(self.c.compare("eq", count, 0), none, some)
        self.c.label(none)
        self.nothing(term)
        self.c.label(some)

    def nothing(self, term: AskValue | AskCell) -> None:
        if term.orelse is not None:
            self.go(term.orelse)
        else:
            self.c.fail(NOTHING)

    @ends(AskValue)
    def _choose_end(self, term: AskValue) -> None:
        count = self.no_options()
        saved = dict(self.c.env)
        self._list_options(term.binding, count)
        self.c.env = {**self.c.env, **saved}
        made = self.c.load(count)
        if not (term.decline and term.always):
            self.if_nothing(made, term)
        if term.decline:
            self.c.push_option(count, "-1")
            made = self.c.load(count)
        assert self.c.me is not None
        self.wait(term.after, made, self.c.me)

    def _list_options(self, binding: Binding, count: Value) -> None:
        gen = binding.gen
        rows = self._alike(gen.domain) if not binding.distinct else None
        keys: list[tuple[Value, str]] = []
        if binding.distinct:
            for ex in binding.distinct:
                type_ = llvm_type(self.reps.of(ex.type))
                if type_ == "ptr":
                    raise Unsupported("options that differ in a list")
                keys.append((self.c.room(f"[{OPTIONS} x {type_}]"), type_))

        def hit(_: str) -> None:
            value, again = self.c.local(gen.var), self.c.new_label("again")
            mine = [self.c.exprs.as_type(ex, ex.type) for ex in binding.distinct] if keys else []
            if keys:
                self._unless_known(mine, keys, count, again)
            if rows is not None:
                seen, row_of, own = rows
                index = self.c.select(self.c.load(own, "i1"), value, self.c.table(row_of, value))
                limb, bit = self.c.sets.bit_at(seen, index)
                fresh = self.c.new_label()
                self.c.branch(self.c.compare("eq", self.c.op("and", self.c.load(limb), bit), 0), fresh, again)
                self.c.label(fresh)
            if binding.rest:
                yes = self.c.new_label("yes")
                self.c.vectors.nested(binding.rest, lambda: self.c.jump(yes), unused=True)
                self.c.jump(again)
                self.c.label(yes)
            if rows is not None:
                limb, bit = self.c.sets.bit_at(seen, index)
                self.c.store(self.c.op("or", self.c.load(limb), bit), limb)
            for value_of, (room, type_) in zip(mine, keys, strict=True):
                self.c.store(value_of, self.c.at(room, self.c.load(count), type_), type_, align=8)
            self.c.push_option(count, value)
            self.c.label(again)

        self.c.loops.loop((gen,), hit)

    def _unless_known(
        self, mine: list[Value], keys: list[tuple[Value, str]], count: Value, again: str
    ) -> None:
        def look(index: Value, _: str) -> None:
            same = "true"
            for value, (room, type_) in zip(mine, keys, strict=True):
                old = self.c.load(self.c.at(room, index, type_), type_, align=8)
                same = self.c.both(same, self.c.compare("eq", value, old, type_))
            other = self.c.new_label()
            self.c.branch(same, again, other)
            self.c.label(other)

        self.c.loops.count_up("0", self.c.load(count), look)

    def _alike(self, domain: Ex) -> tuple[Value, list[int], Value] | None:
        """Copies that nobody can tell apart are offered once: where it is kept which rows have been met,
        the row of each component, and whether something tells them apart now."""
        if not applies(domain, "items") or domain.args[0].place_type.shape != "bag":
            return None
        place = domain.args[0]
        copies = copies_of(self.game, self.layout, place.place_type.of)
        if copies is None:
            return None
        rep = Bits(max(len(copies.rows), 1))
        seen, own = self.c.sets.bits_room(rep), self.c.room("i1")
        self.c.store("false", own, "i1")

        def tell(apart: Value) -> None:
            self.c.store(self.c.either(self.c.load(own, "i1"), apart), own, "i1")

        kept, holding = copies.marks
        for offset, first in kept:
            wide = self.memory.wide_of(offset)
            if wide is not None:
                raise Unsupported("a set that is kept for each copy of a component")
            self.c.contents.each_in_place(
                place,
                lambda v, _, o=offset, f=first: tell(
                    self.c.compare("ne", self.c.number_at(self.c.add(v, o)), f)
                ),  # type: ignore[misc]
                False,
            )
        for held in holding:
            tell(self.c.contents.lies_in(self.c.number_at(held), place))
        return seen, list(copies.rows), own

    # ------------------------------------------------------------ offers
    def possible(self, checks: list[St], answer: Callable[[], None], otherwise: str) -> None:
        """Run `answer` if the header of a body can be completed."""
        checks = list(checks)
        while checks:
            st = checks.pop(0)
            if isinstance(st, Require):
                go = self.c.new_label("may")
                self.c.branch(self.c.test(st.condition), go, otherwise)
                self.c.label(go)
            elif isinstance(st, Let):
                self.c.statements.let_var(st)
            elif isinstance(st, Choose) and any(gen.cells for gen in st.choice.gens):
                self.c.vectors.nested((*st.choice.gens, *as_binders(tuple(checks))), answer, unused=True)
                self.c.jump(otherwise)
                return
            elif isinstance(st, Choose):

                def behind(rest: list[St] = checks) -> None:
                    miss = self.c.new_label("miss")
                    self.possible(rest, answer, miss)
                    self.c.label(miss)

                self.c.vectors.nested(st.choice.gens, behind, unused=not checks)
                self.c.jump(otherwise)
                return
        answer()

    @ends(AskCase)
    def _offer_end(self, term: AskCase) -> None:
        cases, decline, always, has_else = term.cases, term.decline, term.always, term.has_else
        count = self.no_options()
        headers = [self.header_of(case) for case in cases]
        for number, (case, checks) in enumerate(zip(cases, headers, strict=True)):
            saved, consts = dict(self.c.env), dict(self.c.consts)
            self._offer_case(case, checks, number, count)
            self.c.env, self.c.consts, self.c.hoisted = {**self.c.env, **saved}, consts, {}
        if any(headers) and not (decline and always):
            none, some = self.c.new_label("none"), self.c.new_label("some")
            self.c.branch(self.c.compare("eq", self.c.load(count), 0), none, some)
            self.c.label(none)
            if decline or has_else:
                self.go(term.otherwise)
            else:
                self.c.fail(NOTHING)
            self.c.label(some)
        if decline:
            self.c.push_option(count, str(len(cases)))
        assert self.c.me is not None
        self.wait(term.chosen, self.c.load(count), self.c.me)

    def header_of(self, case: Case) -> tuple[St, ...]:
        return header(self.game.rules[case.action].body if case.action is not None else case.body)

    def _offer_case(self, case: Case, checks: tuple[St, ...], number: int, count: Value) -> None:
        done = self.c.new_label("case")
        if not checks:
            self.c.push_option(count, str(number))
        elif case.action is not None:
            yes = self.c.new_label()
            self.c.branch(self.c.calls.can_do(case.action, case.args), yes, done)
            self.c.label(yes)
            self.c.push_option(count, str(number))
        else:
            yes = self.c.new_label()
            self.possible(list(checks), lambda: self.c.jump(yes), done)
            self.c.jump(done)
            self.c.label(yes)
            self.c.push_option(count, str(number))
        self.c.label(done)

    # ------------------------------------------------------------ vectors
    @ends(AskCell)
    def _vector_end(self, term: AskCell) -> None:
        binding, chosen, after = term.binding, term.chosen, term.after
        plan, done = self.c.local(term.cells.var), self.c.local(term.filled.var)
        dependent = depend(binding.rest, binding.gen.var.uid)
        asked = self.c.load_int(plan, 32)
        some, full = self.c.new_label("ask"), self.c.new_label("full")
        self.c.branch(self.c.compare("slt", self.c.lists.length(done), asked), some, full)
        self.c.label(some)
        count = self.c.vectors.vector_options(binding, plan, done)
        if binding.rest and not dependent:  # asked once: it does not depend on the cells
            shown = self.c.room()
            self.c.store(count, shown)
            first, later = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.compare("eq", self.c.lists.length(done), 0), first, later)
            self.c.label(first)
            self.c.vectors.nested(binding.rest, lambda: self.c.jump(later), unused=True)
            self.c.store("0", shown)
            self.c.label(later)
            count = self.c.load(shown)
        self.if_nothing(count, term)
        assert self.c.me is not None
        self.wait(chosen, count, self.c.me)
        self.c.label(full)
        none, on = self.c.new_label(), self.c.new_label("on")
        self.c.branch(self.c.compare("eq", asked, 0), none, on)
        self.c.label(none)  # nothing to ask, but is it allowed as it is?
        into = self.c.room("[64 x i32]")
        allowed, refused = self.c.new_label(), self.c.new_label()
        found = self.c.vectors.vector_witness(binding.gen, plan, into, binding.rest)
        self.c.branch(found, allowed, refused)
        self.c.label(allowed)
        if binding.rest and not dependent:
            self.c.vectors.nested(binding.rest, lambda: self.c.jump(on), unused=True)
        else:
            self.c.jump(on)
        self.c.label(refused)
        self.nothing(term)
        self.c.label(on)
        self.go(after)
