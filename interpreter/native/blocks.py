"""Native code: blocks, decisions and chance.

One function for each procedure that waits. It is entered at a block that a decision,
chance or a call goes on with, and leaves with the number of the next block or, when
it waits, with -1. Locals are memory of the function; what the block entered needs is
read from the frame, and what the block waited for needs is written there.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import Case, Choose, Ex, Let, Require, St, applies, as_binders, header
from ..core import value_types as t
from ..core.dispatch import Dispatch
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
    ChanceDraw,
    ChanceRoll,
    Finished,
    Jump,
    Switch,
    Unwind,
)
from ..program.vector_bounds import depend
from .builder import Value
from .code import DEEP, ENDLESS, LONG_RUN, NOTHING, WEIGHTS, Unsupported, llvm_type
from .memory import AT, OPTIONS, STACK
from .reading import SORTED
from .vectors import VectorCode

ends = Dispatch()
"""What writes the end of a block."""


class FunctionCode(VectorCode):
    """Any function of the module."""

    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self.line_at = {}
        self.todo: list[int] = []
        self.placed: set[int] = set()
        self.wanted: set[int] = set()

    # ------------------------------------------------------------ going on
    def go(self, number: int) -> None:
        """To a block of the same procedure."""
        if number not in self.placed:
            self.placed.add(number)
            self.todo.append(number)
        else:  # perhaps a way back: counted, so that a loop without decisions ends
            steps = self.add(self.head("steps"), 1)
            self.set_head("steps", steps)
            self.fail_if(self.compare("sgt", steps, LONG_RUN), ENDLESS)
        self.jump(f"B{number}")

    def want(self, number: int) -> int:
        self.wanted.add(number)
        return number

    def write_block(self, block: Block) -> None:
        self.label(f"B{block.id}")
        self.hoisted = {}
        for instr in block.code:
            self.me = self.local(instr.me) if instr.me is not None else None
            self.stmt(instr.st)
        term = block.term
        assert term is not None
        self.hoisted = {}
        self.me = self.local(term.me) if term.me is not None else None
        ends[term](self, term)

    def leave(self, number: int) -> int:
        """Store in the frame what a block needs that will be entered later."""
        for uid in self.program.blocks[number].live:
            rep = self.module.slot_rep(uid)
            if llvm_type(rep) != "ptr" and uid in self.env:
                self.store_rep(self.frame_at(uid), rep, self.local_uid(uid, rep))
        return self.want(number)

    @ends(Jump)
    def _jump_end(self, term: Jump) -> None:
        self.go(term.target)

    @ends(Branch)
    def _branch_end(self, term: Branch) -> None:
        yes, no = self.new_label(), self.new_label()
        self.branch(self.test(term.condition), yes, no)
        for label, target in ((yes, term.then), (no, term.otherwise)):
            self.label(label)
            self.go(target)

    @ends(Switch)
    def _switch_end(self, term: Switch) -> None:
        which = self.value(term.which)
        for number, target in enumerate(term.cases):
            yes, no = self.new_label(), self.new_label()
            self.branch(self.compare("eq", which, number), yes, no)
            self.label(yes)
            self.go(target)
            self.label(no)
        self.go(term.otherwise)

    @ends(Call)
    def _call_end(self, term: Call) -> None:
        callee = self.program.procs[term.proc]
        values: dict[str, Value] = {}
        for param, arg in zip(callee.params, term.args, strict=True):
            if param.uid in callee.slots:
                place = isinstance(arg.type, t.Place)
                values[param.uid] = self.value(arg) if place else self.as_type(arg, param.type)
        if callee.me is not None:
            values[callee.me.uid] = self.me or "-1"
        after = self.leave(term.after)
        top = self.head("sp")
        size = 1 + self.module.frame_words(callee)
        self.fail_if(self.compare("ugt", top, STACK - size), DEEP)
        self.store_int(after, self.stack_at(top), 32)
        at = 1
        for uid in callee.slots:
            rep = self.module.slot_rep(uid)
            pointer = self.stack_at(self.add(top, at))
            if uid in values:
                self.store_rep(pointer, rep, values[uid])
            elif llvm_type(rep) != "ptr":
                self.store_rep(pointer, rep, "0")
            at += rep.words
        self.set_head("sp", self.add(top, size))
        self.give(str(self.want(callee.entry)))

    @ends(Back)
    def _return_end(self, term: Back) -> None:
        value = term.value
        assert self.proc is not None
        if value is not None:
            type_ = self.module.result_type(self.proc.name) or value.type
            rep = self.reps.of(type_)
            self.store_rep(self.at("%S", self.memory.result), rep, self.as_type(value, type_))
        top = self.op("sub", self.head("sp"), self.module.frame_words(self.proc) + 1)
        self.set_head("sp", top)
        self.give(self.load_int(self.stack_at(top), 32))

    @ends(Finished)
    def _end_end(self, term: Finished) -> None:
        """`finish` has already left."""

    @ends(Unwind)
    def _stop_end(self, term: Unwind) -> None:
        assert self.proc is not None
        size, label = self.module.frame_words(self.proc), self.module.label_number(term.label)
        self.give(self.call("unwind", "ptr %S", f"i64 {size}", f"i64 {label}"))

    # ------------------------------------------------------------ decisions
    def no_options(self) -> Value:
        count = self.room()
        self.store("0", count)
        return count

    def wait(self, target: int, count: Value, who: Value) -> None:
        self.set_head("pc", self.leave(target))
        self.set_head("player", who)
        self.set_head("options", count)
        self.give("-1")

    def if_nothing(self, count: Value, term: AskValue | AskCell) -> None:
        none, some = self.new_label("none"), self.new_label("some")
        self.branch(self.compare("eq", count, 0), none, some)
        self.label(none)
        self.nothing(term)
        self.label(some)

    def nothing(self, term: AskValue | AskCell) -> None:
        if term.orelse is not None:
            self.go(term.orelse)
        else:
            self.fail(NOTHING)

    @ends(AskValue)
    def _choose_end(self, term: AskValue) -> None:
        count = self.no_options()
        saved = dict(self.env)
        self._list_options(term.binding, count)
        self.env = {**self.env, **saved}
        made = self.load(count)
        self.if_nothing(made, term)
        assert self.me is not None
        self.wait(term.after, made, self.me)

    def _list_options(self, binding: Binding, count: Value) -> None:
        gen = binding.gen
        rows = self._alike(gen.domain) if not binding.distinct else None
        keys: list[tuple[Value, str]] = []
        if binding.distinct:
            for ex in binding.distinct:
                type_ = llvm_type(self.reps.of(ex.type))
                if type_ == "ptr":
                    raise Unsupported("options that differ in a list")
                keys.append((self.room(f"[{OPTIONS} x {type_}]"), type_))

        def hit(_: str) -> None:
            value, again = self.local(gen.var), self.new_label("again")
            mine = [self.as_type(ex, ex.type) for ex in binding.distinct] if keys else []
            if keys:
                self._unless_known(mine, keys, count, again)
            if rows is not None:
                seen, row_of, own = rows
                index = self.select(self.load(own, "i1"), value, self.table(row_of, value))
                limb, bit = self.bit_at(seen, index)
                fresh = self.new_label()
                self.branch(self.compare("eq", self.op("and", self.load(limb), bit), 0), fresh, again)
                self.label(fresh)
            if binding.rest:
                yes = self.new_label("yes")
                self.nested(binding.rest, lambda: self.jump(yes), unused=True)
                self.jump(again)
                self.label(yes)
            if rows is not None:
                limb, bit = self.bit_at(seen, index)
                self.store(self.op("or", self.load(limb), bit), limb)
            for value_of, (room, type_) in zip(mine, keys, strict=True):
                self.store(value_of, self.at(room, self.load(count), type_), type_, align=8)
            self.push_option(count, value)
            self.label(again)

        self.loop((gen,), hit)

    def _unless_known(
        self, mine: list[Value], keys: list[tuple[Value, str]], count: Value, again: str
    ) -> None:
        def look(index: Value, _: str) -> None:
            same = "true"
            for value, (room, type_) in zip(mine, keys, strict=True):
                old = self.load(self.at(room, index, type_), type_, align=8)
                same = self.both(same, self.compare("eq", value, old, type_))
            other = self.new_label()
            self.branch(same, again, other)
            self.label(other)

        self.count_up("0", self.load(count), look)

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
        seen, own = self.bits_room(rep), self.room("i1")
        self.store("false", own, "i1")

        def tell(apart: Value) -> None:
            self.store(self.either(self.load(own, "i1"), apart), own, "i1")

        kept, holding = copies.marks
        for offset, first in kept:
            wide = self.memory.wide_of(offset)
            if wide is not None:
                raise Unsupported("a set that is kept for each copy of a component")
            self.each_in_place(
                place,
                lambda v, _, o=offset, f=first: tell(self.compare("ne", self.number_at(self.add(v, o)), f)),  # type: ignore[misc]
                False,
            )
        for held in holding:
            tell(self.lies_in(self.number_at(held), place))
        return seen, list(copies.rows), own

    # ------------------------------------------------------------ offers
    def possible(self, checks: list[St], answer: Callable[[], None], otherwise: str) -> None:
        """Run `answer` if the header of a body can be completed."""
        checks = list(checks)
        while checks:
            st = checks.pop(0)
            if isinstance(st, Require):
                go = self.new_label("may")
                self.branch(self.test(st.condition), go, otherwise)
                self.label(go)
            elif isinstance(st, Let):
                self._let(st)
            elif isinstance(st, Choose) and any(gen.cells for gen in st.choice.gens):
                self.nested((*st.choice.gens, *as_binders(tuple(checks))), answer, unused=True)
                self.jump(otherwise)
                return
            elif isinstance(st, Choose):

                def behind(rest: list[St] = checks) -> None:
                    miss = self.new_label("miss")
                    self.possible(rest, answer, miss)
                    self.label(miss)

                self.nested(st.choice.gens, behind, unused=not checks)
                self.jump(otherwise)
                return
        answer()

    @ends(AskCase)
    def _offer_end(self, term: AskCase) -> None:
        cases, decline, always, has_else = term.cases, term.decline, term.always, term.has_else
        count = self.no_options()
        headers = [self.header_of(case) for case in cases]
        for number, (case, checks) in enumerate(zip(cases, headers, strict=True)):
            saved, consts = dict(self.env), dict(self.consts)
            self._offer_case(case, checks, number, count)
            self.env, self.consts, self.hoisted = {**self.env, **saved}, consts, {}
        if any(headers) and not (decline and always):
            none, some = self.new_label("none"), self.new_label("some")
            self.branch(self.compare("eq", self.load(count), 0), none, some)
            self.label(none)
            if decline or has_else:
                self.go(term.otherwise)
            else:
                self.fail(NOTHING)
            self.label(some)
        if decline:
            self.push_option(count, str(len(cases)))
        assert self.me is not None
        self.wait(term.chosen, self.load(count), self.me)

    def header_of(self, case: Case) -> tuple[St, ...]:
        return header(self.game.rules[case.action].body if case.action is not None else case.body)

    def _offer_case(self, case: Case, checks: tuple[St, ...], number: int, count: Value) -> None:
        done = self.new_label("case")
        if not checks:
            self.push_option(count, str(number))
        elif case.action is not None:
            yes = self.new_label()
            self.branch(self.can_do(case.action, case.args), yes, done)
            self.label(yes)
            self.push_option(count, str(number))
        else:
            yes = self.new_label()
            self.possible(list(checks), lambda: self.jump(yes), done)
            self.jump(done)
            self.label(yes)
            self.push_option(count, str(number))
        self.label(done)

    # ------------------------------------------------------------ vectors
    @ends(AskCell)
    def _vector_end(self, term: AskCell) -> None:
        binding, chosen, after = term.binding, term.chosen, term.after
        plan, done = self.local(term.cells.var), self.local(term.filled.var)
        dependent = depend(binding.rest, binding.gen.var.uid)
        asked = self.load_int(plan, 32)
        some, full = self.new_label("ask"), self.new_label("full")
        self.branch(self.compare("slt", self.length(done), asked), some, full)
        self.label(some)
        count = self.vector_options(binding, plan, done)
        if binding.rest and not dependent:  # asked once: it does not depend on the cells
            shown = self.room()
            self.store(count, shown)
            first, later = self.new_label(), self.new_label()
            self.branch(self.compare("eq", self.length(done), 0), first, later)
            self.label(first)
            self.nested(binding.rest, lambda: self.jump(later), unused=True)
            self.store("0", shown)
            self.label(later)
            count = self.load(shown)
        self.if_nothing(count, term)
        assert self.me is not None
        self.wait(chosen, count, self.me)
        self.label(full)
        none, on = self.new_label(), self.new_label("on")
        self.branch(self.compare("eq", asked, 0), none, on)
        self.label(none)  # nothing to ask, but is it allowed as it is?
        into = self.room("[64 x i32]")
        allowed, refused = self.new_label(), self.new_label()
        found = self.vector_witness(binding.gen, plan, into, binding.rest)
        self.branch(found, allowed, refused)
        self.label(allowed)
        if binding.rest and not dependent:
            self.nested(binding.rest, lambda: self.jump(on), unused=True)
        else:
            self.jump(on)
        self.label(refused)
        self.nothing(term)
        self.label(on)
        self.go(after)

    # ------------------------------------------------------------ chance
    def generator(self) -> str:
        return f"ptr {self.at('%S', AT['rng'])}"

    def one_of(self, count: Value) -> Value:
        return self.call("one_of", self.generator(), f"i64 {count}")

    def chance(
        self, term: ChanceDraw | ChanceRoll, listed: Callable[[Value], None], direct: Callable[[], Value]
    ) -> None:
        """Settle it at once, or stop with all outcomes and their weights."""
        settle, stop = self.new_label("settle"), self.new_label("stop")
        self.branch(self.compare("ne", self.head("auto"), 0), settle, stop)
        self.label(stop)
        count = self.no_options()
        listed(count)
        self.set_head("pc", self.leave(term.after))
        self.set_head("player", -1)
        self.set_head("options", self.load(count))
        self.give("-1")
        self.label(settle)
        self.bind(term.binds, direct())
        self.go(term.after)

    @ends(ChanceDraw)
    def _draw_end(self, term: ChanceDraw) -> None:
        source = term.source
        name, ref = self.sort(source), self.value(source)
        if name in self.game.tokens:
            self._draw_token(term, name, ref)
        elif self.shape(source) == "deck" and self.known_parts(name) and term.how != "random":
            self._draw_known(term, name, ref)
        elif self.shape(source) in SORTED and not (self.shape(source) == "deck" and self.known_parts(name)):
            self._draw_bits(term, self.list_at(ref), self.limbs(name))
        elif term.how == "random":
            self._draw_bits(term, self._sorted_contents(source, name, ref), self.limbs(name))
        else:
            pointer, bits = self.list_at(ref), self.entries(name)
            if not self.shape(source):
                raise Unsupported("a draw from a place that is known by a name only")

            def last() -> Value:
                size = self.length(pointer)
                self.fail_if(self.compare("eq", size, 0), NOTHING)
                return self.entry(pointer, self.op("sub", size, 1), bits)

            self.chance(term, lambda count: self.push_option(count, last(), "1"), last)

    def _sorted_contents(self, source: Ex, name: str, ref: Value) -> Value:
        """What lies there, by number."""
        rep = Bits(self.layout.comps[name].count)
        found = self.bits_room(rep)
        self.each_in_place(source, lambda value, _: self.set_bit(found, value, rep.limbs), False)
        return found

    def _draw_bits(self, term: ChanceDraw, pointer: Value, limbs: int) -> None:
        def direct() -> Value:
            size = self.bits_size(pointer, limbs)
            self.fail_if(self.compare("eq", size, 0), NOTHING)
            return self.kth(pointer, limbs, self.one_of(size))

        self.chance(
            term,
            lambda count: self.each_limb(pointer, limbs, lambda v, _: self.push_option(count, v, "1")),
            direct,
        )

    def _draw_token(self, term: ChanceDraw, name: str, ref: Value) -> None:
        kinds = len(self.game.kinds[name].values)

        def listed(count: Value) -> None:
            for kind in range(kinds):
                here = self.number_at(self.add(ref, kind))
                self.when(
                    self.compare("ne", here, 0),
                    lambda k=kind, h=here: self.push_option(count, str(k), h),  # type: ignore[misc]
                )

        def direct() -> Value:
            counts = [self.number_at(self.add(ref, kind)) for kind in range(kinds)]
            total, largest = "0", counts[0]
            for here in counts:
                total, largest = self.add(total, here), self.most(largest, here)
            ticket = self.room()
            self.store("0", ticket)
            self.fail_if(self.compare("sle", total, 0), NOTHING)
            self.when(
                self.compare("ne", largest, total),
                lambda: self.store(self.call("number_below", self.generator(), f"i64 {total}"), ticket),
            )
            left, drawn, found = self.load(ticket), "-1", "false"
            for kind, here in enumerate(counts):
                hit = self.both(self.compare("slt", left, here), self.negate(found))
                drawn = self.select(hit, str(kind), drawn)
                found = self.either(found, hit)
                left = self.op("sub", left, here)
            return drawn

        self.chance(term, listed, direct)

    def _draw_known(self, term: ChanceDraw, name: str, ref: Value) -> None:
        """From a deck with known cards: the known top, one that has come up, one of the others, the bottom."""
        bits, limbs = self.entries(name), self.limbs(name)
        parts = self.module.known_cards.parts(name)

        def next_card(certain: Callable[[Value], None], unknown: Callable[[Value], None]) -> None:
            done = self.new_label("next")

            def one(test: Value, card: Callable[[], None]) -> None:
                yes, no = self.new_label(), self.new_label()
                self.branch(test, yes, no)
                self.label(yes)
                card()
                self.jump(done)
                self.label(no)

            pointer = self.list_at(ref)
            left = self.bits_size(pointer, limbs)
            if "top" in parts and term.how != "peek":
                top = self.part(ref, 1)
                size = self.length(top)
                one(
                    self.compare("sgt", size, 0),
                    lambda: certain(self.entry(top, self.op("sub", size, 1), bits)),
                )
            if "deep" in parts:
                deep, depths = self.part(ref, 5), self.part(ref, 6)
                there = self.compare("sgt", self.length(deep), 0)
                depth = self.entry(depths, "0", 32)
                up = self.either(self.compare("eq", depth, 0), self.compare("eq", left, 0))
                one(self.both(there, up), lambda: certain(self.entry(deep, "0", bits)))
            one(self.compare("sgt", left, 0), lambda: unknown(left))
            if "bottom" in parts:
                bottom = self.part(ref, 2)
                one(
                    self.compare("sgt", self.length(bottom), 0),
                    lambda: certain(self.entry(bottom, "0", bits)),
                )
            self.fail(NOTHING)
            self.label(done)

        def listed(count: Value) -> None:
            next_card(
                lambda card: self.push_option(count, card, "1"),
                lambda _: self.each_limb(
                    self.list_at(ref), limbs, lambda v, _: self.push_option(count, v, "1")
                ),
            )

        def direct() -> Value:
            answer = self.room()
            next_card(
                lambda card: self.store(card, answer),
                lambda left: self.store(self.kth(self.list_at(ref), limbs, self.one_of(left)), answer),
            )
            return self.load(answer)

        self.chance(term, listed, direct)

    @ends(ChanceRoll)
    def _roll_end(self, term: ChanceRoll) -> None:
        domain, weight, var = term.domain, term.weight, term.binds

        def listed(count: Value) -> None:
            total = self.room()
            self.store("0", total)

            def one(value: Value, _: str) -> None:
                self.env.pop(var.uid, None)
                self.bind(var, value)
                share = self.value(weight) if weight is not None else "1"
                self.fail_if(self.compare("slt", share, 0), WEIGHTS)
                self.store(self.op("add", self.load(total), share), total)
                self.push_option(count, value, share)

            saved = self.env.get(var.uid)
            self.each(domain, one)
            if saved is not None:
                self.env[var.uid] = saved
            self.fail_if(self.compare("eq", self.load(count), 0), NOTHING)
            self.fail_if(self.compare("ugt", self.op("sub", self.load(total), 1), (1 << 31) - 2), WEIGHTS)

        def direct() -> Value:
            fixed = self.elements(domain) if weight is None else None
            if fixed:
                return self.table(fixed, self.one_of(str(len(fixed))))
            count = self.no_options()
            listed(count)
            if weight is None:
                return self.load_int(self.option_at(self.one_of(self.load(count))), 32)
            index = self.call(
                "weighted", self.generator(), f"ptr {self.weight_at('0')}", f"i64 {self.load(count)}"
            )
            return self.load_int(self.option_at(index), 32)

        self.chance(term, listed, direct)
