"""Native code: reading states, records, places and components."""

from __future__ import annotations

from ..core import (
    Apply,
    Attribute,
    Ex,
    Field,
    OwnedPiece,
    PlaceIs,
    PlaceRef,
    RecordField,
    StateRef,
    TotalComponents,
    TotalTokens,
    applies,
)
from ..core import value_types as t
from ..core.facts import state_name
from ..program.representations import Bits
from .builder import Value, constant
from .code import NONE, Unsupported, gives, llvm_type, tells
from .loops import Body
from .memory import WideAt, entry_bits
from .spaces import SpaceCode

DECK_PARTS = (("top", 1, (3,)), ("bottom", 2, (4,)), ("deep", 5, (6, 7)))
"""Known cards of a deck: their list, and the lists beside it."""
SORTED = frozenset(("bag", "grid", "ring", "deck"))
CELLS = frozenset(("slot", "grid", "ring"))


class ReadingCode(SpaceCode):
    # ------------------------------------------------------------ states and records
    def state_slot(self, ex: Ex) -> Value:
        """The index in `I` of a state or of a field of a record."""
        if isinstance(ex, RecordField):
            _, limit, fields = self.layout.records[ex.record.name]
            base, sizes, lows = fields[ex.name]
            given = len(ex.indices)
            stride = 1
            for size in sizes[given - 1 :]:
                stride *= size
            return self.offset(base, ex.indices, (limit, *sizes)[:given], (0, *lows)[:given], stride)
        assert isinstance(ex, StateRef)
        base, sizes, lows = self.layout.states[state_name(ex.state)]
        return self.offset(base, ex.indices, sizes, lows)

    def wide(self, ex: Ex) -> WideAt | None:
        """If it is a set that lies beside `I`: where."""
        if isinstance(ex, StateRef):
            return self.memory.wide_of(self.layout.states[state_name(ex.state)][0])
        if isinstance(ex, RecordField):
            return self.memory.wide_of(self.layout.records[ex.record.name][2][ex.name][0])
        return None

    def wide_at(self, wide: WideAt, slot: Value) -> Value:
        index = self.op("sub", slot, wide.first)
        self.within(index, wide.count)
        return self.at("%S", self.add(self.op("mul", index, wide.size), wide.at))

    def set_in_memory(self, ex: Ex) -> Value | None:
        wide = self.wide(ex)
        if wide is None or wide.bits.limbs == 1 or any(_maybe(i) for i in ex.indices):  # type: ignore[attr-defined]
            return None
        return self.wide_at(wide, self.state_slot(ex))

    @gives(StateRef)
    def _state(self, ex: StateRef) -> Value:
        wide = self.wide(ex)
        doubtful = [i for i, index in enumerate(ex.indices) if _maybe(index)]
        if not doubtful:
            return self._kept(wide, self.state_slot(ex))
        if wide is not None:
            raise Unsupported("a set that is kept for something that may be none")
        args: list[Ex | Value] = list(ex.indices)
        certain = "true"
        for i in doubtful:
            value = self.value(ex.indices[i])
            some = self.compare("sge", value, 0)
            certain = self.both(certain, some)
            low = self.layout.states[state_name(ex.state)][2][i]
            args[i] = self.select(some, value, str(low))
        base, sizes, lows = self.layout.states[state_name(ex.state)]
        found = self.number_at(self.offset(base, tuple(args), sizes, lows))
        return self.select(certain, found, "-1")

    def _kept(self, wide: WideAt | None, slot: Value) -> Value:
        if wide is not None:
            return self.load(self.wide_at(wide, slot), llvm_type(wide.bits), align=8)
        return self.number_at(slot)

    @gives(RecordField)
    def _record_field(self, ex: RecordField) -> Value:
        sizes = self.layout.records[ex.record.name][2][ex.name][1]
        slot = self.state_slot(ex)
        if len(ex.indices) == 1 and sizes:
            if self.wide(ex) is not None:
                raise Unsupported("a vector of sets in a record")
            words = 1
            for size in sizes:
                words *= size
            return self.slot_at(slot, words)
        return self._kept(self.wide(ex), slot)

    @gives("array_at")
    def _array_at(self, ex: Apply) -> Value:
        """A cell of a vector; nested indices are one."""
        vector, index = self.cell_index(ex)
        size = 1
        assert isinstance(vector.type, t.Array)
        for part in vector.type.index:
            size *= self.layout.size(part)
        if self.doubtful(ex):
            self.fail_if(self.compare("uge", index, size), 1)
        else:
            self.within(index, size)
        return self.load_int(self.at(self.value(vector), index, "i32"), 32)

    def doubtful(self, ex: Ex) -> bool:
        """May an index of a vector be none?"""
        while applies(ex, "array_at"):
            if not isinstance(ex.args[1].type, t.Kind | t.Player | t.Num | t.YesNo):
                return True
            ex = ex.args[0]
        return False

    def cell_index(self, ex: Ex) -> tuple[Ex, Value]:
        chain: list[Ex] = []
        while applies(ex, "array_at"):
            chain.append(ex.args[1])
            ex = ex.args[0]
        assert isinstance(ex.type, t.Array)
        return ex, self.linear(tuple(reversed(chain)), ex.type.index)

    # ------------------------------------------------------------ places
    @gives(PlaceRef)
    def _place(self, ex: PlaceRef) -> Value:
        base, sizes, lows, stride = self.layout.places[state_name(ex.place)]
        return self.offset(base, self.owners(ex), sizes, lows, stride)

    def owners(self, ex: PlaceRef) -> tuple[Ex | Value, ...]:
        """The indices of a place, with the group of its owner if the group shares it."""
        if any(_maybe(index) for index in ex.indices):  # of none there is no place
            values = tuple(self.value(index) for index in ex.indices)
            for index, value in zip(ex.indices, values, strict=True):
                if _maybe(index):
                    self.fail_if(self.compare("slt", value, 0), NONE)
            if not ex.place.per:
                return values
        if not ex.place.per:
            return ex.indices
        group = self.table(list(self.layout.groups[ex.place.per]), self.value(ex.indices[0]))
        return (group, *ex.indices[1:])

    @tells(PlaceIs)
    def _place_is(self, ex: PlaceIs) -> Value:
        base, sizes, _, stride = self.layout.places[state_name(ex.place)]
        count = stride
        for size in sizes:
            count *= size
        return self.compare("ult", self.op("sub", self.value(ex.of), base), count)

    def list_at(self, ref: Value) -> Value:
        """The address of a list of `L`."""
        fixed = constant(ref)
        if fixed is not None:
            return self.at("%S", self.memory.lists[fixed].at)
        return self.at("%S", self.table([found.at for found in self.memory.lists], ref))

    def sort(self, place: Ex) -> str:
        return place.place_type.of

    def limbs(self, comp: str) -> int:
        return max(1, (self.layout.comps[comp].count + 63) // 64)

    def entries(self, comp: str) -> int:
        return entry_bits(self.layout.comps[comp].count)

    def entry(self, pointer: Value, index: Value, bits: int) -> Value:
        return self.load_int(self.entry_at(pointer, index, bits), bits, signed=bits == 32)

    def entry_at(self, pointer: Value, index: Value, bits: int) -> Value:
        return self.at(self.at(pointer, 4), index, f"i{bits}")

    def part(self, ref: Value, number: int) -> Value:
        """One of the lists of a deck."""
        return self.list_at(self.add(ref, number))

    def known_parts(self, comp: str) -> list[tuple[str, int, tuple[int, ...]]]:
        return [row for row in DECK_PARTS if row[0] in self.module.known_cards.parts(comp)]

    def shape(self, place: Ex) -> str:
        """A place of tokens that is known by a name only is a bag."""
        shape = place.place_type.shape
        return shape or ("bag" if self.sort(place) in self.game.tokens else "")

    def is_sorted(self, ref: Value) -> Value:
        """Of a place that is known by a name only: is it kept as bits?"""
        return self.compare("ne", self.table([int(shape in SORTED) for shape in self.module.shapes], ref), 0)

    def size_of(self, place: Ex) -> Value:
        of, shape = self.sort(place), self.shape(place)
        ref = self.value(place)
        if of in self.game.tokens:
            if shape in CELLS:
                return self._cells_with(ref, self._cell_count(place), None)
            return self._tokens_at(ref, len(self.game.kinds[of].values))
        return self.list_size(ref, of, shape)

    def list_size(self, ref: Value, of: str, shape: str) -> Value:
        pointer = self.list_at(ref)
        if not shape:
            size = self.room()
            bits, array, done = (self.new_label() for _ in range(3))
            self.branch(self.is_sorted(ref), bits, array)
            self.label(bits)
            self.store(self.bits_size(pointer, self.limbs(of)), size)
            self.jump(done)
            self.label(array)
            self.store(self.length(pointer), size)
            self.label(done)
            return self.load(size)
        if shape not in SORTED:
            return self.length(pointer)
        size = self.bits_size(pointer, self.limbs(of))
        if shape == "deck":
            for _, number, _ in self.known_parts(of):
                size = self.add(size, self.length(self.part(ref, number)))
        return size

    def bits_size(self, pointer: Value, limbs: int) -> Value:
        total: Value = "0"
        for limb in range(limbs):
            word = self.load(self.at(pointer, limb, "i64"))
            total = self.add(total, self.let(f"call i64 @llvm.ctpop.i64(i64 {word})"))
        return total

    def _cell_count(self, place: Ex) -> int:
        return 1 if place.place_type.shape == "slot" else self.geometry(place).size

    def _cells_with(self, ref: Value, cells: int, kind: Value | None) -> Value:
        """How many cells have a token, or one of a kind."""
        if cells == 1:
            here = self.number_at(ref)
            return self.number(
                self.compare("ne", here, -1) if kind is None else self.compare("eq", here, kind)
            )
        total = self.room()
        self.store("0", total)

        def look(index: Value, _: str) -> None:
            here = self.number_at(self.add(ref, index))
            hit = self.compare("ne", here, -1) if kind is None else self.compare("eq", here, kind)
            self.store(self.add(self.load(total), self.number(hit)), total)

        self.count_up("0", str(cells), look)
        return self.load(total)

    def _tokens_at(self, ref: Value, kinds: int) -> Value:
        total: Value = "0"
        for kind in range(kinds):
            total = self.add(total, self.number_at(self.add(ref, kind)))
        return total

    @gives("size")
    def _size(self, ex: Apply) -> Value:
        return self.size_of(ex.args[0])

    @tells("empty")
    def _empty(self, ex: Apply) -> Value:
        (place,) = ex.args
        of = self.sort(place)
        if of not in self.game.tokens and place.place_type.shape in ("bag", "grid", "ring"):
            pointer, found = self.list_at(self.value(place)), "0"
            for limb in range(self.limbs(of)):
                found = self.op("or", found, self.load(self.at(pointer, limb, "i64")))
            return self.compare("eq", found, 0)
        return self.compare("eq", self.size_of(place), 0)

    @gives("tally")
    def _tally(self, ex: Apply) -> Value:
        place, kind = ex.args
        if self.shape(place) in CELLS:
            return self._cells_with(self.value(place), self._cell_count(place), self.value(kind))
        return self.number_at(self.add(self.value(place), self.value(kind)))

    @gives("slot_kind")
    def _slot_kind(self, ex: Apply) -> Value:
        return self.number_at(self.value(ex.args[0]))

    @gives(TotalTokens)
    def _total_tokens(self, ex: TotalTokens) -> Value:
        total: Value = "0"
        kind = self.value(ex.kind) if ex.kind is not None else None
        kinds = len(self.game.kinds[ex.token].values)
        for key, place in self.game.places.items():
            if not place.tokens or place.of != ex.token:
                continue
            geometry = self.layout.geometries.get(key)
            for instance in self.layout.instances[key]:
                ref = str(instance.ref)
                if geometry is not None or place.shape == "slot":
                    found = self._cells_with(ref, geometry.size if geometry is not None else 1, kind)
                elif kind is None:
                    found = self._tokens_at(ref, kinds)
                else:
                    found = self.number_at(self.add(ref, kind))
                total = self.add(total, found)
        return total

    @gives(TotalComponents)
    def _total_components(self, ex: TotalComponents) -> Value:
        total: Value = "0"
        for key, place in self.game.places.items():
            if not place.tokens and place.of == ex.component:
                for instance in self.layout.instances[key]:
                    total = self.add(total, self.list_size(str(instance.ref), place.of, place.shape))
        return total

    # ------------------------------------------------------------ what lies in a place
    def contents_bits(self, place: Ex) -> Value | None:
        """The contents as one set, if that is how they are kept."""
        of, shape = self.sort(place), place.place_type.shape
        if of in self.game.tokens or shape not in SORTED or (shape == "deck" and self.known_parts(of)):
            return None
        rep = Bits(self.layout.comps[of].count)
        return self.load(self.list_at(self.value(place)), llvm_type(rep), align=8)

    def each_in_place(self, place: Ex, body: Body, snapshot: bool) -> None:
        of, shape = self.sort(place), self.shape(place)
        if of in self.game.tokens:
            raise Unsupported("a loop over the tokens of a place")
        ref = self.value(place)
        pointer = self.list_at(ref)
        if not shape:
            cards = self._cards_anywhere(ref, of)
            self.count_up("0", self.length(cards), lambda i, out: body(self.element(cards, i), out))
        elif shape == "deck" and self.known_parts(of):
            cards = self.deck_cards(ref, of)
            self.count_up("0", self.length(cards), lambda i, out: body(self.element(cards, i), out))
        elif shape in SORTED:
            self.each_limb(pointer, self.limbs(of), body, copy=snapshot)
        else:
            bits, size = self.entries(of), self.length(pointer)
            if snapshot:
                room = self.layout.comps[of].count
                kept = self.room(f"[{8 + room * bits // 8} x i8]")
                self.copy(kept, pointer, self.add(self.op("mul", size, bits // 8), 4))
                pointer = kept
            self.count_up("0", size, lambda i, out: body(self.entry(pointer, i, bits), out))

    def _cards_anywhere(self, ref: Value, of: str) -> Value:
        """The contents of a place that is known by a name only, as a list."""
        room, pointer = self.layout.comps[of].count, self.list_at(ref)
        cards = self.new_list(room)
        bits, array, done = (self.new_label() for _ in range(3))
        self.branch(self.is_sorted(ref), bits, array)
        self.label(bits)
        self.each_limb(pointer, self.limbs(of), lambda value, _: self.push(cards, value, room))
        self.jump(done)
        self.label(array)
        entries = self.entries(of)
        self.count_up(
            "0", self.length(pointer), lambda i, _: self.push(cards, self.entry(pointer, i, entries), room)
        )
        self.label(done)
        return cards

    def deck_cards(self, ref: Value, of: str) -> Value:
        """As Python lists them: the known top, the unknown, those at a depth, the known bottom."""
        room, bits = self.layout.comps[of].count, self.entries(of)
        cards = self.new_list(room)
        parts = {name: number for name, number, _ in self.known_parts(of)}

        def put(name: str, backwards: bool) -> None:
            if name not in parts:
                return
            pointer = self.part(ref, parts[name])
            size = self.length(pointer)

            def one(index: Value, _: str) -> None:
                place = self.op("sub", self.op("sub", size, 1), index) if backwards else index
                self.push(cards, self.entry(pointer, place, bits), room)

            self.count_up("0", size, one)

        put("top", True)
        self.each_limb(self.list_at(ref), self.limbs(of), lambda value, _: self.push(cards, value, room))
        put("deep", False)
        put("bottom", False)
        return cards

    @gives("top", "bottom")
    def _end(self, ex: Apply) -> Value:
        (place,) = ex.args
        of, shape = self.sort(place), self.shape(place)
        if shape == "deck":
            if not self.known_parts(of):
                return "-1"
            return self.call(self.module.deck_end(of, ex.op), "ptr %S", f"i64 {self.value(place)}")
        if shape in SORTED:
            return self._end_of_bits(place, ex.op)
        if not shape:
            cards = self._cards_anywhere(self.value(place), of)
            size = self.length(cards)
            return self.nth_of(size if ex.op == "top" else "1", size, lambda at: self.element(cards, at))
        pointer = self.list_at(self.value(place))
        size = self.length(pointer)
        index = size if ex.op == "top" and shape != "slot" else "1"
        return self.nth_of(index, size, lambda at: self.entry(pointer, at, self.entries(of)))

    def _end_of_bits(self, place: Ex, op: str) -> Value:
        of = self.sort(place)
        pointer, limbs = self.list_at(self.value(place)), self.limbs(of)
        size = self.bits_size(pointer, limbs)
        index = size if op == "top" else "1"
        return self.nth_of(index, size, lambda at: self.kth(pointer, limbs, at))

    def kth(self, pointer: Value, limbs: int, index: Value) -> Value:
        """The element of a set in memory at a position from 0; it must be there."""
        return self.call("kth_bit", f"ptr {pointer}", f"i64 {limbs}", f"i64 {index}")

    @gives("nth")
    def _nth(self, ex: Apply) -> Value:
        place, number = ex.args
        of, shape = self.sort(place), self.shape(place)
        index, ref = self.value(number), self.value(place)
        pointer = self.list_at(ref)
        if not shape or (shape == "deck" and self.known_parts(of)):
            cards = self.deck_cards(ref, of) if shape else self._cards_anywhere(ref, of)
            return self.nth_of(index, self.length(cards), lambda at: self.element(cards, at))
        if shape in SORTED:
            limbs = self.limbs(of)
            return self.nth_of(index, self.bits_size(pointer, limbs), lambda at: self.kth(pointer, limbs, at))
        return self.nth_of(index, self.length(pointer), lambda at: self.entry(pointer, at, self.entries(of)))

    @tells("is_at")
    def _is_at(self, ex: Apply) -> Value:
        return self.lies_in(self.value(ex.args[0]), ex.args[1])

    def lies_in(self, value: Value, place: Ex) -> Value:
        ref = self.value(place)
        some = self.compare("sge", value, 0)
        where = self.layout.comps[self.sort(place)].where
        here = self.number_at(self.add(self.select(some, value, "0"), where))
        return self.both(some, self.compare("eq", here, ref))

    @gives("peek_need")
    def _peek_need(self, ex: Apply) -> Value:
        place, amount = ex.args
        wanted = self.least(self.value(amount), self.size_of(place))
        return self.most(self.op("sub", wanted, self.length(self.part(self.value(place), 1))), "0")

    # ------------------------------------------------------------ components
    @gives(Field)
    def _field(self, ex: Field) -> Value:
        column = self.layout.comps[ex.component.name].columns[ex.name]
        if not all(isinstance(value, int) for value in column):
            raise Unsupported(f"a printed {ex.type}")
        return self.table([-1, *column], self.add(self.value(ex.of), 1))

    @gives(OwnedPiece)
    def _owned_piece(self, ex: OwnedPiece) -> Value:
        return self.value(ex.player)

    @gives(Attribute)
    def _attribute(self, ex: Attribute) -> Value:
        slots = self.layout.comps[ex.component.name]
        if ex.name == "owner":
            if ex.component.piece:
                return self.value(ex.of)
            owners = [self.layout.place_owner.get(ref, -1) for ref in range(len(self.layout.lists))]
            return self.table([-1, *owners], self.add(self._of_component(slots.where, ex), 1))
        base = {"on": slots.on, "place": slots.where, "space": slots.cell, "turned": slots.turned}[ex.name]
        return self._of_component(base, ex)

    def _of_component(self, base: int, ex: Attribute) -> Value:
        value = self.value(ex.of)
        if not isinstance(ex.of.type, t.Opt):
            return self.number_at(self.add(value, base))
        some = self.compare("sge", value, 0)
        return self.select(some, self.number_at(self.add(self.select(some, value, "0"), base)), "-1")


def _maybe(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt)
