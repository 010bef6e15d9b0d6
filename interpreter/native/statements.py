"""Native code: statements that do not wait."""

from __future__ import annotations

from math import prod
from typing import Any, assert_never

from ..core import (
    ActionOff,
    ActionOn,
    As,
    Atomic,
    AtomicOff,
    AtomicOn,
    Audience,
    BeginTurn,
    CallRule,
    Cancel,
    ClearRecords,
    Count,
    DrawOne,
    EndTurn,
    Ex,
    Finish,
    For,
    If,
    InPhase,
    Let,
    LogClock,
    LogExpired,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Note,
    Nothing,
    PeekOne,
    PeekShow,
    PlaceDecl,
    PlaceRef,
    PlacesOf,
    RecordField,
    Repeat,
    Require,
    Reset,
    ResetOne,
    Return,
    Reveal,
    Seal,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    Set,
    Show,
    ShowOff,
    ShowOn,
    Shuffle,
    Skip,
    St,
    StateDecl,
    StateRef,
    Stop,
    Swap,
    TestBeforeTurn,
    Unseal,
    Var,
    applies,
)
from ..core import value_types as t
from ..core.facts import state_name, writes
from ..program.representations import Bits, Listed, Vector
from .builder import Value
from .code import DEMAND, FAILED, LARGE, NONE, RANGE, Unsupported, does, llvm_type
from .memory import WideAt
from .placing import PlacingCode
from .reading import CELLS, SORTED

PURE = (Let, Count, Nothing, Require)


class StatementCode(PlacingCode):
    gives_back: t.Type | None = None
    """What a plain procedure returns."""

    def stmts(self, body: tuple[St, ...]) -> None:
        for st in body:
            self.stmt(st)

    def stmt(self, st: St) -> None:
        write = does.find(st)
        if write is None:
            raise Unsupported(f"the statement {type(st).__name__}")
        write(self, st)
        if not isinstance(st, PURE):
            self.hoisted = {}
        self.test_endings(self.module.endings_after(writes(st, self.game)))

    def test_endings(self, names: list[str]) -> None:
        for name in names:
            function = self.module.ending(name)
            self.call(function.name, "ptr %S")
            self.after_call()

    # ------------------------------------------------------------ values
    @does(Nothing, LogClock, LogExpired)
    def _nothing(self, st: St) -> None:
        pass

    @does(Count)
    def _count_site(self, st: Count) -> None:
        raise Unsupported("counting which rules are used")

    @does(Let)
    def _let(self, st: Let) -> None:
        if self.let_vector(st):
            return
        if isinstance(st.value.type, t.Place):
            self.bind(st.var, self.value(st.value))
            return
        rep = self.rep(st.var)
        if isinstance(rep, Listed) and isinstance(st.value.type, t.SetOf):
            self.bind(st.var, self.list_value(st.value))
            return
        self.bind(st.var, self.as_type(st.value, st.var.type))

    def let_vector(self, st: Let) -> bool:
        """What a choice by cells remembers is changed where it lies."""
        return False

    @does(Set)
    def _set(self, st: Set) -> None:
        wide = self.wide(st.target)
        if wide is not None:
            value = self.set_value(st.value, wide.bits)
            self.store(value, self.wide_at(wide, self.state_slot(st.target)), llvm_type(wide.bits), align=8)
            return
        type_ = st.target.type
        if isinstance(type_, t.ListOf | t.Array) or (isinstance(st.value.type, t.Array)):
            raise Unsupported(f"a {type_} that is set")
        value = self.as_type(st.value, type_)
        slot = self.state_slot(st.target)
        if isinstance(type_, t.Num) and not _inside(st.value.type, type_):
            self.fail_if(self.outside(value, type_.low, type_.high), RANGE)
        elif isinstance(type_, t.Num) and (type_.high >= t.MANY or type_.low <= -t.MANY):
            self.fail_if(self.outside(value, -(1 << 31), (1 << 31) - 1), LARGE)
        self.set_number(slot, value)

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
                at = self.wide_at(wide, self.add(str(first), i))
                self.store(str(bits), at, llvm_type(wide.bits), align=8)
        elif count > 4 and value in (0, -1):
            self.clear(self.slot_at(first, count), 4 * count, value)
        else:
            for i in range(count):
                self.set_number(self.add(str(first), i), value)

    @does(ActionOn)
    def _action_on(self, st: ActionOn) -> None:
        self.set_number(self.layout.actions, self.add(self.number_at(self.layout.actions), 1))

    @does(ActionOff)
    def _action_off(self, st: ActionOff) -> None:
        left = self.op("sub", self.number_at(self.layout.actions), 1)
        self.set_number(self.layout.actions, left)
        back = {key for key, state in self.game.states.items() if state.until == "action"}
        self.when(self.compare("eq", left, 0), lambda: self.put_back(back))

    @does(ResetOne)
    def _reset_one(self, st: ResetOne) -> None:
        base, sizes, _ = self.layout.states[st.state]
        count = prod(sizes[1:])
        self._fill(self.add(self.op("mul", self.value(st.thing), count), base), base, count)

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
                kept = self.room(f"[{width} x i32]")
                self.copy(kept, self.as_type(ex, ex.type), 4 * width)
                parts.append((base, width, kept, None))
            else:
                value = (
                    self.set_value(ex, wide.bits)
                    if wide is not None
                    else self.as_type(ex, st.record.fields[name][1])
                )
                parts.append((base, 0, value, wide))
        rows, answer = self.number_at(count), self.room()
        self.store(rows, answer)

        def look(row: Value, out: str) -> None:
            other = self.new_label("other")
            for base, width, value, wide in parts:
                self._same_part(row, base, width, value, wide, other)
            self.store(row, answer)
            self.jump(out)
            self.label(other)

        self.count_up("0", rows, look)
        found = self.load(answer)

        def add_row() -> None:
            self.fail_if(self.compare("sge", rows, limit), FAILED)
            self.set_number(count, self.add(rows, 1))
            for base, width, value, wide in parts:
                slot = self.add(self.op("mul", rows, max(1, width)), base)
                if width:
                    self.copy(self.slot_at(slot, width), value, 4 * width)
                elif wide is not None:
                    self.store(value, self.wide_at(wide, slot), llvm_type(wide.bits), align=8)
                else:
                    self.set_number(slot, value)

        self.when(self.compare("eq", found, rows), add_row)
        if st.var is not None:
            self.bind(st.var, found)

    def _same_part(
        self, row: Value, base: int, width: int, value: Value, wide: WideAt | None, other: str
    ) -> None:
        slot = self.add(self.op("mul", row, max(1, width)), base)
        if width:
            here = self.slot_at(slot, width)

            def cell(index: Value, _: str) -> None:
                a, b = (self.load_int(self.at(p, index, "i32"), 32) for p in (here, value))
                same = self.new_label()
                self.branch(self.compare("eq", a, b), same, other)
                self.label(same)

            self.count_up("0", str(width), cell)
            return
        same = self.new_label()
        kept = self._kept(wide, slot)
        type_ = llvm_type(wide.bits) if wide is not None else "i64"
        self.branch(self.compare("eq", kept, value, type_), same, other)
        self.label(same)

    @does(ClearRecords)
    def _clear_records(self, st: ClearRecords) -> None:
        for name in st.records:
            count, limit, fields = self.layout.records[name]
            self.set_number(count, "0")
            for base, sizes, _ in fields.values():
                words = limit * prod(sizes)
                self.clear(self.slot_at(base), 4 * words)
                wide = self.memory.wide_of(base)
                if wide is not None:
                    self.clear(self.at("%S", wide.at), wide.size * wide.count)

    # ------------------------------------------------------------ control
    @does(If)
    def _if(self, st: If) -> None:
        fixed = self.known(st.condition)
        if fixed is not None:
            self.stmts(st.body if fixed else st.orelse)
            return
        self.when(self.test(st.condition), lambda: self.stmts(st.body), lambda: self.stmts(st.orelse))

    @does(For)
    def _for(self, st: For) -> None:
        def body(_: str) -> None:
            old = self.me
            if st.who is not None:
                self.me = self.value(st.who)
            self.hoisted = {}
            self.stmts(st.body)
            self.me = old

        self.loop(st.gens, body, snapshot=True)
        if st.label:
            self.stmt(Reset(st.span, (str(st.label),)))

    @does(Repeat)
    def _repeat(self, st: Repeat) -> None:
        self.count_up("0", self.value(st.limit), lambda *_: self.stmts(st.body))
        if st.label:
            self.stmt(Reset(st.span, (str(st.label),)))

    @does(As)
    def _as(self, st: As) -> None:
        old, self.me = self.me, self.value(st.who)
        self.stmts(st.body)
        self.me = old

    @does(InPhase)
    def _in_phase(self, st: InPhase) -> None:
        self.stmts(st.body)
        self.stmt(Reset(st.span, (str(st.phase), "phase")))

    @does(Skip)
    def _skip(self, st: Skip) -> None:
        self.jump(self.loops[-1][0])

    @does(Stop)
    def _stop(self, st: Stop) -> None:
        self.jump(self.loops[-1][1])

    @does(Return)
    def _return(self, st: Return) -> None:
        if st.value is None or self.gives_back is None:
            self.give("0" if st.value is None else self.value(st.value))
            return
        value = self.as_type(st.value, self.gives_back)
        rep = self.reps.of(self.gives_back)
        if isinstance(rep, Listed | Vector):
            self.copy("%out", value, 4 * rep.words)
            value = "0"
        self.give(value)

    @does(Cancel)
    def _cancel(self, st: Cancel) -> None:
        self.give("1")

    @does(CallRule)
    def _call_rule(self, st: CallRule) -> None:
        proc = self.program.procs[st.rule]
        args = ["ptr %S"]
        if proc.me is not None:
            args.append(f"i64 {self.me or -1}")
        args += [self.argument(a, p.type) for a, p in zip(st.args, proc.params, strict=True)]
        function = self.module.procedure(st.rule)
        type_ = self.module.result_type(st.rule)
        rep = self.reps.of(type_) if type_ is not None else self.reps.of(t.YES_NO)
        made = self.called(function.name, args, rep, True, stops=True)
        if st.var is not None:
            if isinstance(rep, Bits):
                wanted = self.rep(st.var)
                assert isinstance(wanted, Bits)
                made = self.fit_bits(made, rep, wanted)
            self.bind(st.var, made)

    @does(Finish)
    def _finish(self, st: Finish) -> None:
        winners = self.set_value(st.winners, self.reps.bits(t.PLAYER))
        self.set_head("winners", winners)
        self.set_head("over", 1)
        self.set_head("reason", self.module.reason(st.because))
        for name in ("pc", "player"):
            self.set_head(name, -1)
        for name in ("options", "sp"):
            self.set_head(name, 0)
        self.fails = True  # as far as callers go: they must leave
        self.give_up()

    @does(Require)
    def _require(self, st: Require) -> None:
        self.fail_if(self.negate(self.test(st.condition)), DEMAND)

    @does(BeginTurn)
    def _begin_turn(self, st: BeginTurn) -> None:
        turn = self.number_at(self.layout.TURN)
        if st.how == "drop":
            self.set_number(self.layout.TURN, self.op("sub", turn, 1))
        elif st.how != "tell":
            self.set_number(self.layout.ACTIVE, self.value(st.player))
            self.set_number(self.layout.TURN, self.add(turn, 1))

    @does(EndTurn)
    def _end_turn(self, st: EndTurn) -> None:
        self.set_number(self.layout.ACTIVE, self.value(st.before))

    @does(TestBeforeTurn)
    def _test_before_turn(self, st: TestBeforeTurn) -> None:
        self.test_endings([n for n, e in self.game.endings.items() if e.before is not None])

    @does(AtomicOn)
    def _atomic_on(self, st: AtomicOn) -> None:
        self.set_head("atomic", self.add(self.head("atomic"), 1))

    @does(AtomicOff)
    def _atomic_off(self, st: AtomicOff) -> None:
        self.set_head("atomic", self.op("sub", self.head("atomic"), 1))
        self.test_endings([n for n, e in self.game.endings.items() if e.before is None])

    @does(Atomic)
    def _atomic(self, st: Atomic) -> None:
        self._atomic_on(AtomicOn(st.span))
        self.stmts(st.body)
        self._atomic_off(AtomicOff(st.span))

    @does(Seal)
    def _seal(self, st: Seal) -> None:
        self.set_head("sealed", 1)

    @does(Unseal)
    def _unseal(self, st: Unseal) -> None:
        self.set_head("sealed", 0)

    # ------------------------------------------------------------ seeing
    def audience(self, who: Audience) -> Value:
        """A mask of seats."""
        match who:
            case SeenByAll():
                return str((1 << self.layout.players) - 1)
            case SeenByNobody():
                return "0"
            case SeenBy():
                return self.set_value(who.players, self.reps.bits(t.PLAYER))
            case SeenByOwner():
                raise AssertionError("only what is declared has an owner")
            case _:
                assert_never(who)

    @does(Reveal)
    def _reveal(self, st: Reveal) -> None:
        self._grant(st.place, st.audience, None)

    @does(ShowOn)
    def _show_on(self, st: ShowOn) -> None:
        rep = self.rep(st.saved)
        assert isinstance(rep, Listed)
        saved = self.buffer(st.saved.uid, rep)
        self._grant(st.place, st.audience, (saved, rep.room))

    @does(ShowOff)
    def _show_off(self, st: ShowOff) -> None:
        saved = self.local(st.saved)

        def close(index: Value, _: str) -> None:
            slot = self.element(saved, self.op("shl", index, 1))
            seats = self.element(saved, self.add(self.op("shl", index, 1), 1))
            self.within(slot, self.memory.numbers)
            self.set_number(slot, self.op("and", self.number_at(slot), self.op("xor", seats, -1)))

        self.count_up("0", self.op("lshr", self.length(saved), 1), close)

    @does(Show)
    def _show(self, st: Show) -> None:
        self.count += 1
        var = Var("shown", f"shown in place {self.name} {self.count}", t.UNKNOWN)
        several = isinstance(st.place, PlacesOf)
        self.reps.special[var.uid] = Listed(2 * self.layout.players if several else 2)
        self._show_on(ShowOn(st.span, st.place, st.audience, var))
        self.stmts(st.body)
        self._show_off(ShowOff(st.span, var))

    def _grant(self, ex: Ex, audience: Audience, saved: tuple[Value, int] | None) -> None:
        """Let an audience see something; `saved` keeps where, and the seats that are new."""
        mask = self.audience(audience)
        if saved is not None:
            self.store("0", saved[0], "i32")

        def grant(slot: Value) -> None:
            old = self.number_at(slot)
            if saved is not None:
                self.push(saved[0], slot, saved[1])
                self.push(saved[0], self.op("and", mask, self.op("xor", old, -1)), saved[1])
            self.set_number(slot, self.op("or", old, mask))

        if not isinstance(ex, PlacesOf):
            assert isinstance(ex, StateRef | PlaceRef)
            given = self.owners(ex) if isinstance(ex, PlaceRef) else ex.indices
            grant(self._grant_slot(ex.state if isinstance(ex, StateRef) else ex.place, given))
            return
        place, seen = ex.place, self.room()
        self.store("0", seen)

        def one(player: Value, _: str) -> None:
            owner = player
            if place.per:
                owner = self.table(list(self.layout.groups[place.per]), player)
            bit = self.op("shl", 1, owner)
            known = self.load(seen)
            self.store(self.op("or", known, bit), seen)
            self.when(
                self.compare("eq", self.op("and", known, bit), 0),
                lambda: grant(self._grant_slot(place, (owner,))),
            )

        if isinstance(ex.players.type, t.SetOf | t.ListOf):
            self.each(ex.players, one)
        else:
            raise Unsupported("places of one player at a time")

    def _grant_slot(self, decl: StateDecl | PlaceDecl, given: tuple[Ex | Value, ...]) -> Value:
        key = state_name(decl)
        table = self.layout.states if isinstance(decl, StateDecl) else self.layout.places
        sizes, lows = table[key][1], table[key][2]
        return self.offset(self.layout.grants[key], given, sizes, lows)

    # ------------------------------------------------------------ moves
    @does(Move)
    def _move(self, st: Move) -> None:
        comp = self.value(st.thing)
        self.put_comp(comp, st.thing.component_type.name, st.place, at=st.at, turned=st.turned, end=st.end)

    @does(MoveOn)
    def _move_on(self, st: MoveOn) -> None:
        base = self.layout.comps[st.thing.component_type.name].on
        slot = self.add(self.value(st.thing), base)
        self.set_number(slot, self.value(st.target))

    @does(MoveSet)
    def _move_set(self, st: MoveSet) -> None:
        name = st.place.place_type.of
        self.each(st.things, lambda value, _: self.put_comp(value, name, st.place, end=st.end), snapshot=True)

    @does(MoveAll)
    def _move_all(self, st: MoveAll) -> None:
        of, src = self.sort(st.source), self.value(st.source)
        if of not in self.game.tokens:
            self._move_all_comps(st, of, src)
        elif self.shape(st.source) in CELLS:
            cells = self._cell_count(st.source)

            def gather(index: Value, _: str) -> None:
                cell = self.add(src, index)
                kind = self.number_at(cell)

                def go() -> None:
                    self.take_cell(st.source, cell, kind)
                    self.put_tokens("1", kind, st.place)

                self.when(self.compare("sge", kind, 0), go)

            self.count_up("0", str(cells), gather)
        else:
            for kind in range(len(self.game.kinds[of].values)):
                amount = self.number_at(self.add(src, kind))

                def carry(amount: Value = amount, kind: int = kind) -> None:
                    self.take_tokens(amount, str(kind), src, checked=True)
                    self.put_tokens(amount, str(kind), st.place)

                self.when(self.compare("ne", amount, 0), carry)

    def _move_all_comps(self, st: MoveAll, of: str, src: Value) -> None:
        deck, target = self.shape(st.source) == "deck", st.place.place_type.shape
        if deck and target in ("bag", "deck") and self.limit_of(st.place) is None:
            self._into_unknown(of, src, self.value(st.place), from_deck=True)
            return
        if deck and self.known_parts(of):
            rep = Bits(self.layout.comps[of].count)
            cards = self.deck_cards(src, of)
            found = self.bits_room(rep)
            self.count_up(
                "0", self.length(cards), lambda i, _: self.set_bit(found, self.element(cards, i), rep.limbs)
            )
            self.each_limb(
                found, rep.limbs, lambda v, _: self.put_comp(v, of, st.place, end=st.end, source=st.source)
            )
            return
        self.each_in_place(
            st.source, lambda v, _: self.put_comp(v, of, st.place, end=st.end, source=st.source), True
        )

    def _into_unknown(self, of: str, src: Value, dest: Value, from_deck: bool) -> None:
        """All of one place, and of a deck what is known too, into the sorted part of another."""
        where, limbs = self.layout.comps[of].where, self.limbs(of)
        to = self.list_at(dest)

        def put(value: Value) -> None:
            self.set_bit(to, value, limbs)
            self.set_number(self.add(value, where), dest)

        if from_deck:
            self._empty_known(of, src, put)
        pointer = self.list_at(src)
        self.each_limb(pointer, limbs, lambda v, _: self.set_number(self.add(v, where), dest))
        for limb in range(limbs):
            a, b = self.at(pointer, limb, "i64"), self.at(to, limb, "i64")
            word = self.load(a)
            self.store("0", a)
            self.store(self.op("or", self.load(b), word), b)

    def _empty_known(self, of: str, ref: Value, put: Any) -> None:
        bits = self.entries(of)
        for _, number, beside in self.known_parts(of):
            cards = self.part(ref, number)
            self.count_up("0", self.length(cards), lambda i, _, c=cards: put(self.entry(c, i, bits)))  # type: ignore[misc]
            for other in (number, *beside):
                self.store("0", self.part(ref, other), "i32")

    @does(Shuffle)
    def _shuffle(self, st: Shuffle) -> None:
        of = self.sort(st.into)
        src, dest = self.value(st.place), self.value(st.into)
        where, limbs = self.layout.comps[of].where, self.limbs(of)
        to = self.list_at(dest)

        def put(value: Value) -> None:
            self.set_bit(to, value, limbs)
            self.set_number(self.add(value, where), dest)

        if self.shape(st.into) == "deck":
            self._empty_known(of, dest, put)
        shape = self.shape(st.place)
        if shape in SORTED:
            self._into_unknown(of, src, dest, from_deck=shape == "deck")
            return
        pointer, bits = self.list_at(src), self.entries(of)
        self.count_up("0", self.length(pointer), lambda i, _: put(self.entry(pointer, i, bits)))
        self.store("0", pointer, "i32")

    @does(MoveTokens)
    def _move_tokens(self, st: MoveTokens) -> None:
        self._carry(
            self.value(st.amount),
            self.value(st.kind),
            st.source,
            st.place,
            st.at,
            applies(st.amount, "tally"),
        )

    def _carry(self, amount: Value, kind: Value, source: Ex, place: Ex, at: Ex | None, checked: bool) -> None:
        if self.shape(source) in CELLS:
            raise Unsupported("tokens by their kind from a board or a slot")
        self.take_tokens(amount, kind, self.value(source), checked=checked)
        self.when(self.compare("ne", amount, 0), lambda: self.put_tokens(amount, kind, place, at))

    @does(MoveCell)
    def _move_cell(self, st: MoveCell) -> None:
        space = self.value(st.space)
        cell = self.add(self.cells_base(st.source), space)
        kind = self.number_at(cell)
        self.fail_if(self.compare("slt", kind, 0), NONE)
        self.take_cell(st.source, cell, kind)
        self.put_tokens("1", kind, st.place, st.at)

    @does(DrawOne)
    def _draw_one(self, st: DrawOne) -> None:
        name = self.sort(st.source)
        what = self.value(st.what)
        if name in self.game.tokens:
            self._carry("1", what, st.source, st.place, st.at, True)
        else:
            self.put_comp(what, name, st.place, at=st.at, end=st.end, source=st.source)

    @does(PeekOne)
    def _peek_one(self, st: PeekOne) -> None:
        """A card turns out to be the next one below those that are known to lie on top."""
        of = self.sort(st.place)
        comp, ref = self.value(st.what), self.value(st.place)
        bits, room = self.entries(of), self.layout.comps[of].count
        seen = self.room()
        self.store("0", seen)
        for name, number, beside in self.known_parts(of)[::-1]:  # deep, then bottom, as the latter counts
            if name != "top":
                index = self.find_entry(self.part(ref, number), comp, bits)
                masks = self.part(ref, beside[-1])
                self.when(
                    self.compare("sge", index, 0),
                    lambda m=masks, i=index: self.store(self.entry(m, i, 32), seen),  # type: ignore[misc]
                )
        self.take_from_deck(ref, comp, of)
        self.insert_entry(self.part(ref, 1), "0", comp, bits, room)
        self.insert_entry(self.part(ref, 3), "0", self.load(seen), 32, room)

    @does(PeekShow)
    def _peek_show(self, st: PeekShow) -> None:
        masks = self.part(self.value(st.place), 3)
        size = self.length(masks)
        viewers = self.audience(st.audience)
        first = self.most(self.op("sub", size, self.value(st.amount)), "0")

        def tell(index: Value, _: str) -> None:
            at = self.entry_at(masks, index, 32)
            self.store_int(self.op("or", self.load_int(at, 32), viewers), at, 32)

        self.count_up(first, size, tell)

    # ------------------------------------------------------------ swaps
    @does(Swap)
    def _swap(self, st: Swap) -> None:
        left, right = st.left, st.right
        if isinstance(left, StateRef | RecordField):
            self._swap_kept(left, right)
        elif isinstance(left.type, t.Place):
            self._swap_places(left, right)
            for side in (left, right):
                self.spill(side)
        else:
            name = left.component_type.name
            self.call(
                self.module.swapper(name), "ptr %S", f"i64 {self.value(left)}", f"i64 {self.value(right)}"
            )
            self.after_call(False)

    def exchange(self, a: Value, b: Value, size: int) -> None:
        kept = self.room(f"[{size} x i8]")
        self.copy(kept, a, size)
        self.copy(a, b, size)
        self.copy(b, kept, size)

    def _swap_kept(self, left: StateRef | RecordField, right: Ex) -> None:
        a, b = self.state_slot(left), self.state_slot(right)
        wide = self.wide(left)
        if wide is not None:
            self.exchange(self.wide_at(wide, a), self.wide_at(wide, b), wide.size)
            return
        words = 1
        if isinstance(left, RecordField):
            sizes = self.layout.records[left.record.name][2][left.name][1]
            words = prod(sizes[len(left.indices) - 1 :])
        self.exchange(self.slot_at(a, words), self.slot_at(b, words), 4 * words)

    def _swap_places(self, left: Ex, right: Ex) -> None:
        of, shapes = self.sort(left), {self.shape(left), self.shape(right)}
        a, b = self.value(left), self.value(right)
        if of in self.game.tokens:
            words = 1 if self.shape(left) == "slot" else len(self.game.kinds[of].values)
            self.exchange(self.slot_at(a, words), self.slot_at(b, words), 4 * words)
            return
        if not shapes <= {"bag"} and not shapes <= {"row", "stack"} and not shapes <= {"slot"}:
            raise Unsupported(f"a {self.shape(left)} and a {self.shape(right)} that are swapped")
        where, bag = self.layout.comps[of].where, shapes == {"bag"}
        bits, room = self.entries(of), 1 if shapes == {"slot"} else self.layout.comps[of].count
        size = 8 * self.limbs(of) if bag else 4 + room * bits // 8
        self.exchange(self.list_at(a), self.list_at(b), size)
        for ref in (a, b):
            pointer = self.list_at(ref)
            if bag:
                self.each_limb(
                    pointer,
                    self.limbs(of),
                    lambda v, _, r=ref: self.set_number(self.add(v, where), r),  # type: ignore[misc]
                )
            else:
                self.count_up(
                    "0",
                    self.length(pointer),
                    lambda i, _, p=pointer, r=ref: self.set_number(
                        self.add(self.entry(p, i, bits), where), r
                    ),  # type: ignore[misc]
                )


def wide_bits(value: Any, wide: WideAt) -> int:
    """What Python keeps for a set, as bits."""
    if isinstance(value, int):
        return value << -wide.bits.low
    return sum(1 << (item - wide.bits.low) for item in value)


def _inside(given: t.Type, wanted: t.Num) -> bool:
    return isinstance(given, t.Num) and wanted.low <= given.low and given.high <= wanted.high
