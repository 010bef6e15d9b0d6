"""The Python back end: values, control and turns: statements that do not wait."""

from __future__ import annotations

from ..core import (
    ActionOff,
    ActionOn,
    As,
    BeginTurn,
    CallRule,
    Cancel,
    ClearRecords,
    Count,
    EndTurn,
    Ex,
    Finish,
    For,
    Gen,
    If,
    InPhase,
    Let,
    LogClock,
    LogExpired,
    Note,
    Nothing,
    Reduction,
    Repeat,
    Require,
    Reset,
    ResetOne,
    Return,
    Set,
    Skip,
    Stop,
    TestBefore,
    applies,
)
from ..core import value_types as t
from .part import Part, writes_lines


class Statements(Part):
    # ------------------------------------------------------------ values
    @writes_lines(Nothing)
    def s_nothing(self, st: Nothing) -> None:
        pass

    @writes_lines(Count)
    def s_count(self, st: Count) -> None:
        self.line(f"HITS[{st.number}] += 1")

    @writes_lines(Let)
    def s_let(self, st: Let) -> None:
        (value,) = (st.value,)
        self.c.bind(
            st.var,
            self.c.exprs.same_shape(value, st.var.type)
            if not isinstance(value.type, t.Place)
            else self.condition(value),
        )

    @writes_lines(Set)
    def s_set(self, st: Set) -> None:
        target, value = st.target, st.value
        slot = self.c.states.state_slot(target)
        code = self.c.exprs.same_shape(value, target.type)
        if isinstance(target.type, t.Num) and not _inside(value.type, target.type):
            name = self.temp()
            self.line(f"{name} = {code}")
            low, high = target.type.low, target.type.high
            self.line(
                f"if not {low} <= {name} <= {high}: {self.c.fail('D0902', st.span, name, str(low), str(high))}"
            )
            code = name
        self.line(f"I[{slot}] = {code}")
        self.c.moves.seen_kept(target, slot)

    @writes_lines(Reset)
    def s_reset(self, st: Reset) -> None:
        put_back = {key for key, state in self.game.states.items() if state.until in st.names}
        for key in self.game.states:
            if key in put_back:
                base, sizes, _ = self.layout.states[key]
                count = 1
                for size in sizes:
                    count *= size
                first = self.layout.initial[base]
                self.line(
                    f"I[{base}] = {first}"
                    if count == 1
                    else f"I[{base}:{base + count}] = {self.pool.const('ZERO', (first,) * count)}"
                )

    @writes_lines(ActionOn)
    def s_action_on(self, st: ActionOn) -> None:
        self.line(f"I[{self.layout.actions}] += 1")

    @writes_lines(ActionOff)
    def s_action_off(self, st: ActionOff) -> None:
        self.line(f"I[{self.layout.actions}] -= 1")
        with self.c.block(f"if not I[{self.layout.actions}]:"):
            self.s_reset(Reset(st.span, ("action",)))

    @writes_lines(ResetOne)
    def s_reset_one(self, st: ResetOne) -> None:
        base, sizes, _ = self.layout.states[st.state]
        count = 1
        for size in sizes[1:]:
            count *= size
        first = self.layout.initial[base]
        name = self.atom(st.thing)
        if count == 1:
            self.line(f"I[{base} + {name}] = {first}")
        else:
            self.line(
                f"I[{base} + {name} * {count}:{base} + ({name} + 1) * {count}] = {self.pool.const('ZERO', (first,) * count)}"
            )

    @writes_lines(Note)
    def s_note(self, st: Note) -> None:
        decl, var = (st.record, st.var)
        count, limit, fields = self.layout.records[decl.name]
        parts = []
        for name, value in st.fields:
            base, sizes, _ = fields[name]
            width = 1
            for size in sizes:
                width *= size
            code = self.emit(value)
            parts.append(f"({base}, {width}, {code if sizes else f'({code},)'})")
        result = self.temp("r")
        self.line(f"{result} = note(I, {count}, {limit}, ({', '.join(parts)},), {self.pool.span(st.span)})")
        self.c.seen(f"S.seen_note({decl.name!r}, {result})")
        if var is not None:
            self.c.bind(var, result)

    @writes_lines(ClearRecords)
    def s_clear_records(self, st: ClearRecords) -> None:
        for name in st.records:
            count, limit, fields = self.layout.records[name]
            self.line(f"I[{count}] = 0")
            for base, sizes, _ in fields.values():
                width = limit
                for size in sizes:
                    width *= size
                self.line(f"I[{base}:{base + width}] = {self.pool.const('ZERO', (0,) * width)}")

    # ------------------------------------------------------------ control
    @writes_lines(If)
    def s_if(self, st: If) -> None:
        fixed = self.known(st.condition)
        if fixed is not None:
            self.c.stmts(st.body if fixed else st.orelse)
            return
        with self.c.block(f"if {self.condition(st.condition)}:"):
            self.c.stmts(st.body)
        if st.orelse:
            with self.c.block("else:"):
                self.c.stmts(st.orelse)

    @writes_lines(For)
    def s_for(self, st: For) -> None:
        label, who = (st.label, st.who)
        gens: tuple[Gen, ...] = st.gens
        self._for(list(gens), st, who)
        if label:
            self.c.stmt(Reset(st.span, (str(label),)))

    def _for(self, gens: list[Gen], st: For, who: Ex | None) -> None:
        gen, *rest = gens
        fixed = self.c.sets.elements(gen.domain)
        iterable = self.c.sets.iterable(gen.domain)
        if fixed is None and (
            not isinstance(gen.domain, Reduction) and not applies(gen.domain, "range", "clockwise")
        ):
            iterable = f"tuple({iterable})"
        name = self.c.name_of(gen.var)
        with self.c.block(f"for {name} in {iterable}:"), self.c.loops.guarded(gen.where):
            if rest:
                self._for(rest, st, who)
            else:
                old = self.c.me
                if who is not None:
                    self.c.me = self.temp("me")
                    self.line(f"{self.c.me} = {self.emit(who)}")
                self.c.stmts(st.body)
                self.c.me = old

    @writes_lines(Repeat)
    def s_repeat(self, st: Repeat) -> None:
        assert st.limit is not None  # else it is taken apart
        with self.c.block(f"for _ in range({self.emit(st.limit)}):"):
            self.c.stmts(st.body)
        if st.label:
            self.c.stmt(Reset(st.span, (str(st.label),)))

    @writes_lines(As)
    def s_as(self, st: As) -> None:
        old, self.c.me = self.c.me, self.temp("me")
        code = self._as_old(st.who, old)
        self.line(f"{self.c.me} = {code}")
        self.c.stmts(st.body)
        self.c.me = old

    def _as_old(self, ex: Ex, old: str | None) -> str:
        now, self.c.me = self.c.me, old
        code = self.emit(ex)
        self.c.me = now
        return code

    @writes_lines(InPhase)
    def s_scope(self, st: InPhase) -> None:
        self.c.stmts(st.body)
        self.c.stmt(Reset(st.span, (str(st.phase), "phase")))

    @writes_lines(Skip)
    def s_skip(self, st: Skip) -> None:
        self.line("continue")

    @writes_lines(Stop)
    def s_stop(self, st: Stop) -> None:
        self.line("break")

    @writes_lines(Return)
    def s_return(self, st: Return) -> None:
        (value,) = (st.value,)
        self.line(f"return {self.condition(value)}" if value is not None else "return None")

    @writes_lines(Cancel)
    def s_cancel(self, st: Cancel) -> None:
        self.line("return 1")

    @writes_lines(CallRule)
    def s_call(self, st: CallRule) -> None:
        name, _, var = (st.rule, st.type, st.var)
        proc = self.pool.proc(name)
        args = ["S", "I", "L"]
        if proc.me is not None:
            args.append(self.c.me or "-1")
        args += [
            self.c.exprs.same_shape(a, p.type) if not isinstance(a.type, t.Place) else self.condition(a)
            for a, p in zip(st.args, proc.params, strict=True)
        ]
        call = f"{self.pool.proc_name(name)}({', '.join(args)})"
        if var is not None:
            self.c.bind(var, call)
        else:
            self.line(call)

    @writes_lines(Finish)
    def s_finish(self, st: Finish) -> None:
        """In a block the end can be returned; only inside loops of statements it has to be raised."""
        winners = self.c.sets.set_value(st.winners, t.PLAYER)
        call = "return S.finished" if self.c.in_block else "S.finish"
        self.line(f"{call}({winners}, {st.because!r})")

    @writes_lines(Require)
    def s_require(self, st: Require) -> None:
        """A call that does not keep to a requirement is a mistake of the spec."""
        self.line(f"if not {self.emit(st.condition)}: {self.c.fail('D0911', st.span)}")

    @writes_lines(BeginTurn)
    def s_begin_turn(self, st: BeginTurn) -> None:
        """A turn is counted and told; where a trigger may take its place, told when it is certain, and
        not counted if it does."""
        if st.how == "drop":
            self.line(f"I[{self.layout.TURN}] -= 1")
            return
        if st.how != "tell":
            self.line(f"I[{self.layout.ACTIVE}] = {self.emit(st.player)}")
            self.line(f"I[{self.layout.TURN}] += 1")
        if st.how != "count":
            self.c.seen(f"S.seen_turn({self.emit(st.player)})")

    @writes_lines(EndTurn)
    def s_end_turn(self, st: EndTurn) -> None:
        self.line(f"I[{self.layout.ACTIVE}] = {self.emit(st.before)}")

    @writes_lines(TestBefore)
    def s_test_before_turn(self, st: TestBefore) -> None:
        for name, ending in self.game.endings.items():
            if ending.before == st.what:
                call = f"{self.pool.ending(name)}(S, I, L)"
                plain = ending.domain is None and self.c.knows.simple(ending.when)
                self.line(f"if {self.condition(ending.when)}: {call}" if plain else call)

    @writes_lines(LogClock)
    def s_log_clock(self, st: LogClock) -> None:
        """What follows happens at this time."""
        if self.pool.watched:
            self.c.seen(f"S.seen_clock({st.name!r}, {self.emit(st.ticks)})")

    @writes_lines(LogExpired)
    def s_log_expired(self, st: LogExpired) -> None:
        self.c.seen(f"S.seen_expiry({st.name!r})")


def _inside(given: t.Type, wanted: t.Num) -> bool:
    return isinstance(given, t.Num) and wanted.low <= given.low and given.high <= wanted.high
