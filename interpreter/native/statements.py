"""Native code: statements that do not wait: values, records, control, turns."""

from __future__ import annotations

from math import prod
from typing import Any

from ..core import (
    ActionOff,
    ActionOn,
    As,
    Atomic,
    AtomicOff,
    AtomicOn,
    BeginTurn,
    CallRule,
    Cancel,
    ClearRecords,
    Count,
    EndTurn,
    Finish,
    For,
    If,
    InPhase,
    Let,
    LogClock,
    LogExpired,
    Note,
    Nothing,
    Repeat,
    Require,
    Reset,
    ResetOne,
    Return,
    Seal,
    Set,
    Skip,
    St,
    StateRef,
    Stop,
    TestBefore,
    Unseal,
)
from ..core import value_types as t
from ..core.facts import writes
from ..program.representations import Bits, Listed, Vector
from .builder import Value
from .code import DEMAND, FAILED, LARGE, RANGE, Unsupported, llvm_type
from .memory import WideAt
from .part import Part, does

PURE = (Let, Count, Nothing, Require)


class Statements(Part):
    def stmts(self, body: tuple[St, ...]) -> None:
        for st in body:
            self.stmt(st)

    def stmt(self, st: St) -> None:
        self.c.do_statement(st)
        if not isinstance(st, PURE):
            self.c.hoisted = {}
        self.test_endings(self.module.endings_after(writes(st, self.game)))

    def test_endings(self, names: list[str]) -> None:
        for name in names:
            function = self.module.ending(name)
            self.c.call(function.name, "ptr %S")
            self.c.after_call()

    # ------------------------------------------------------------ values
    @does(Nothing, LogClock, LogExpired)
    def _nothing(self, st: St) -> None:
        pass

    @does(Count)
    def _count_site(self, st: Count) -> None:
        self.c.counting.site(st.number)

    @does(Let)
    def let_var(self, st: Let) -> None:
        if self.c.vectors.let_vector(st):
            return
        if isinstance(st.value.type, t.Place):
            self.c.bind(st.var, self.c.value(st.value))
            return
        rep = self.c.rep(st.var)
        if isinstance(rep, Listed) and isinstance(st.value.type, t.SetOf):
            self.c.bind(st.var, self.c.lists.list_value(st.value))
            return
        self.c.bind(st.var, self.c.exprs.as_type(st.value, st.var.type))

    @does(Set)
    def _set(self, st: Set) -> None:
        wide = self.c.reading.wide(st.target)
        if wide is not None:
            value = self.c.sets.set_value(st.value, wide.bits)
            self.c.store(
                value,
                self.c.reading.wide_at(wide, self.c.reading.state_slot(st.target)),
                llvm_type(wide.bits),
                align=8,
            )
            return
        type_ = st.target.type
        if isinstance(type_, t.ListOf | t.Array) or (isinstance(st.value.type, t.Array)):
            raise Unsupported(f"a {type_} that is set")
        value = self.c.exprs.as_type(st.value, type_)
        slot = self.c.reading.state_slot(st.target)
        if isinstance(type_, t.Num) and not _inside(st.value.type, type_):
            self.c.fail_if(self.c.arithmetic.outside(value, type_.low, type_.high), RANGE)
        elif isinstance(type_, t.Num) and (type_.high >= t.MANY or type_.low <= -t.MANY):
            self.c.fail_if(self.c.arithmetic.outside(value, -(1 << 31), (1 << 31) - 1), LARGE)
        self.c.set_number(slot, value)
        if isinstance(st.target, StateRef):
            self.c.watching.written(st.target.state.owner, slot)

    @does(Reset)
    def _reset(self, st: Reset) -> None:
        self.put_back({key for key, state in self.game.states.items() if state.until in st.names})

    def put_back(self, names: set[str]) -> None:
        for key in self.game.states:
            if key in names:
                base, sizes, _ = self.layout.states[key]
                self._fill(base, base, prod(sizes))

    def _fill(self, first: Value | int, initial: int, count: int) -> None:
        """Slots get the value that one has at the beginning."""
        wide = self.memory.wide_of(initial)
        value = self.layout.initial[initial]
        if wide is not None:
            bits = wide_bits(value, wide)
            for i in range(count):
                at = self.c.reading.wide_at(wide, self.c.add(str(first), i))
                self.c.store(str(bits), at, llvm_type(wide.bits), align=8)
        elif count > 4 and value in (0, -1):
            self.c.clear(self.c.slot_at(first, count), 4 * count, value)
        else:
            for i in range(count):
                self.c.set_number(self.c.add(str(first), i), value)

    @does(ActionOn)
    def _action_on(self, st: ActionOn) -> None:
        self.c.set_number(self.layout.actions, self.c.add(self.c.number_at(self.layout.actions), 1))

    @does(ActionOff)
    def _action_off(self, st: ActionOff) -> None:
        left = self.c.op("sub", self.c.number_at(self.layout.actions), 1)
        self.c.set_number(self.layout.actions, left)
        back = {key for key, state in self.game.states.items() if state.until == "action"}
        self.c.when(self.c.compare("eq", left, 0), lambda: self.put_back(back))

    @does(ResetOne)
    def _reset_one(self, st: ResetOne) -> None:
        base, sizes, _ = self.layout.states[st.state]
        count = prod(sizes[1:])
        self._fill(self.c.add(self.c.op("mul", self.c.value(st.thing), count), base), base, count)

    @does(Note)
    def _note(self, st: Note) -> None:
        """The row of a record that equals this one, added if there is none."""
        count, limit, fields = self.layout.records[st.record.name]
        parts: list[tuple[int, int, Value, WideAt | None]] = []
        for name, ex in st.fields:
            base, sizes, _ = fields[name]
            wide = self.memory.wide_of(base)
            width = prod(sizes)
            if sizes:
                kept = self.c.room(f"[{width} x i32]")
                self.c.copy(kept, self.c.exprs.as_type(ex, ex.type), 4 * width)
                parts.append((base, width, kept, None))
            else:
                value = (
                    self.c.sets.set_value(ex, wide.bits)
                    if wide is not None
                    else self.c.exprs.as_type(ex, st.record.fields[name][1])
                )
                parts.append((base, 0, value, wide))
        rows, answer = self.c.number_at(count), self.c.room()
        self.c.store(rows, answer)

        def look(row: Value, out: str) -> None:
            other = self.c.new_label("other")
            for base, width, value, wide in parts:
                self._same_part(row, base, width, value, wide, other)
            self.c.store(row, answer)
            self.c.jump(out)
            self.c.label(other)

        self.c.loops.count_up("0", rows, look)
        found = self.c.load(answer)

        def add_row() -> None:
            self.c.fail_if(self.c.compare("sge", rows, limit), FAILED)
            self.c.set_number(count, self.c.add(rows, 1))
            for base, width, value, wide in parts:
                slot = self.c.add(self.c.op("mul", rows, max(1, width)), base)
                if width:
                    self.c.copy(self.c.slot_at(slot, width), value, 4 * width)
                elif wide is not None:
                    self.c.store(value, self.c.reading.wide_at(wide, slot), llvm_type(wide.bits), align=8)
                else:
                    self.c.set_number(slot, value)

        self.c.when(self.c.compare("eq", found, rows), add_row)
        if st.var is not None:
            self.c.bind(st.var, found)

    def _same_part(
        self, row: Value, base: int, width: int, value: Value, wide: WideAt | None, other: str
    ) -> None:
        slot = self.c.add(self.c.op("mul", row, max(1, width)), base)
        if width:
            here = self.c.slot_at(slot, width)

            def cell(index: Value, _: str) -> None:
                a, b = (self.c.load_int(self.c.at(p, index, "i32"), 32) for p in (here, value))
                same = self.c.new_label()
                self.c.branch(self.c.compare("eq", a, b), same, other)
                self.c.label(same)

            self.c.loops.count_up("0", str(width), cell)
            return
        same = self.c.new_label()
        kept = self.c.reading.kept(wide, slot)
        type_ = llvm_type(wide.bits) if wide is not None else "i64"
        self.c.branch(self.c.compare("eq", kept, value, type_), same, other)
        self.c.label(same)

    @does(ClearRecords)
    def _clear_records(self, st: ClearRecords) -> None:
        for name in st.records:
            count, limit, fields = self.layout.records[name]
            self.c.set_number(count, "0")
            for base, sizes, _ in fields.values():
                words = limit * prod(sizes)
                self.c.clear(self.c.slot_at(base), 4 * words)
                wide = self.memory.wide_of(base)
                if wide is not None:
                    self.c.clear(self.c.at("%S", wide.at), wide.size * wide.count)

    # ------------------------------------------------------------ control
    @does(If)
    def _if(self, st: If) -> None:
        fixed = self.c.exprs.known(st.condition)
        if fixed is not None:
            self.stmts(st.body if fixed else st.orelse)
            return
        self.c.when(self.c.test(st.condition), lambda: self.stmts(st.body), lambda: self.stmts(st.orelse))

    @does(For)
    def _for(self, st: For) -> None:
        def body(_: str) -> None:
            old = self.c.me
            if st.who is not None:
                self.c.me = self.c.value(st.who)
            self.c.hoisted = {}
            self.stmts(st.body)
            self.c.me = old

        self.c.loops.loop(st.gens, body, snapshot=True)
        if st.label:
            self.stmt(Reset(st.span, (str(st.label),)))

    @does(Repeat)
    def _repeat(self, st: Repeat) -> None:
        assert st.limit is not None  # else it is taken apart
        self.c.loops.count_up("0", self.c.value(st.limit), lambda *_: self.stmts(st.body))
        if st.label:
            self.stmt(Reset(st.span, (str(st.label),)))

    @does(As)
    def _as(self, st: As) -> None:
        old, self.c.me = self.c.me, self.c.value(st.who)
        self.stmts(st.body)
        self.c.me = old

    @does(InPhase)
    def _in_phase(self, st: InPhase) -> None:
        self.stmts(st.body)
        self.stmt(Reset(st.span, (str(st.phase), "phase")))

    @does(Skip)
    def _skip(self, st: Skip) -> None:
        self.c.jump(self.c.loop_labels[-1][0])

    @does(Stop)
    def _stop(self, st: Stop) -> None:
        self.c.jump(self.c.loop_labels[-1][1])

    @does(Return)
    def _return(self, st: Return) -> None:
        if st.value is None or self.c.gives_back is None:
            self.c.give("0" if st.value is None else self.c.value(st.value))
            return
        value = self.c.exprs.as_type(st.value, self.c.gives_back)
        rep = self.reps.of(self.c.gives_back)
        if isinstance(rep, Listed | Vector):
            self.c.copy_words("%out", value, rep)
            value = "0"
        self.c.give(value)

    @does(Cancel)
    def _cancel(self, st: Cancel) -> None:
        self.c.give("1")

    @does(CallRule)
    def _call_rule(self, st: CallRule) -> None:
        proc = self.module.program.procs[st.rule]
        args = ["ptr %S"]
        if proc.me is not None:
            args.append(f"i64 {self.c.me or -1}")
        args += [self.c.exprs.argument(a, p.type) for a, p in zip(st.args, proc.params, strict=True)]
        function = self.module.procedure(st.rule)
        type_ = self.module.result_type(st.rule)
        rep = self.reps.of(type_) if type_ is not None else self.reps.of(t.YES_NO)
        made = self.c.calls.called(function.name, args, rep, True, stops=True)
        if st.var is not None:
            if isinstance(rep, Bits):
                wanted = self.c.rep(st.var)
                assert isinstance(wanted, Bits)
                made = self.c.sets.fit_bits(made, rep, wanted)
            self.c.bind(st.var, made)

    @does(Finish)
    def _finish(self, st: Finish) -> None:
        winners = self.c.sets.set_value(st.winners, self.reps.bits(t.PLAYER))
        self.c.set_head("winners", winners)
        self.c.set_head("over", 1)
        self.c.set_head("reason", self.module.reason(st.because))
        for name in ("pc", "player"):
            self.c.set_head(name, -1)
        for name in ("options", "sp"):
            self.c.set_head(name, 0)
        self.c.fails = True  # as far as callers go: they must leave
        self.c.give_up()

    @does(Require)
    def _require(self, st: Require) -> None:
        self.c.fail_if(self.c.negate(self.c.test(st.condition)), DEMAND)

    @does(BeginTurn)
    def _begin_turn(self, st: BeginTurn) -> None:
        turn = self.c.number_at(self.layout.TURN)
        if st.how == "drop":
            self.c.set_number(self.layout.TURN, self.c.op("sub", turn, 1))
        elif st.how != "tell":
            self.c.set_number(self.layout.ACTIVE, self.c.value(st.player))
            self.c.set_number(self.layout.TURN, self.c.add(turn, 1))

    @does(EndTurn)
    def _end_turn(self, st: EndTurn) -> None:
        self.c.set_number(self.layout.ACTIVE, self.c.value(st.before))

    @does(TestBefore)
    def _test_before_turn(self, st: TestBefore) -> None:
        self.test_endings([n for n, e in self.game.endings.items() if e.before == st.what])

    @does(AtomicOn)
    def _atomic_on(self, st: AtomicOn) -> None:
        self.c.set_head("atomic", self.c.add(self.c.head("atomic"), 1))

    @does(AtomicOff)
    def _atomic_off(self, st: AtomicOff) -> None:
        self.c.set_head("atomic", self.c.op("sub", self.c.head("atomic"), 1))
        self.test_endings([n for n, e in self.game.endings.items() if e.before is None])

    @does(Atomic)
    def _atomic(self, st: Atomic) -> None:
        self._atomic_on(AtomicOn(st.span))
        self.stmts(st.body)
        self._atomic_off(AtomicOff(st.span))

    @does(Seal)
    def _seal(self, st: Seal) -> None:
        self.c.call("put_seal", "ptr %S")
        self.c.watching.sealed()

    @does(Unseal)
    def _unseal(self, st: Unseal) -> None:
        self.c.set_head("sealed", 0)
        self.c.watching.unsealed()


def wide_bits(value: Any, wide: WideAt) -> int:
    """What Python keeps for a set, as bits."""
    if isinstance(value, int):
        return value << -wide.bits.low
    return sum(1 << (item - wide.bits.low) for item in value)


def _inside(given: t.Type, wanted: t.Num) -> bool:
    return isinstance(given, t.Num) and wanted.low <= given.low and given.high <= wanted.high
