"""Native code: which place is meant, and what lies in it."""

from __future__ import annotations

from ..core import (
    Apply,
    Ex,
    PlaceIs,
    PlaceRef,
    TotalComponents,
    TotalTokens,
)
from ..core import value_types as t
from ..core.facts import state_name
from ..program.representations import Bits
from .builder import Value, constant
from .code import NONE, Unsupported, llvm_type
from .loops import Body
from .memory import entry_bits
from .part import Part, gives, tells

DECK_PARTS = (("top", 1, (3,)), ("bottom", 2, (4,)), ("deep", 5, (6, 7)))
"""Known cards of a deck: their list, and the lists beside it."""
SORTED = frozenset(("bag", "grid", "ring", "deck"))
CELLS = frozenset(("slot", "grid", "ring"))


class Contents(Part):
    # ------------------------------------------------------------ places
    @gives(PlaceRef)
    def _place(self, ex: PlaceRef) -> Value:
        base, sizes, lows, stride = self.layout.places[state_name(ex.place)]
        return self.c.calls.offset(base, self.owners(ex), sizes, lows, stride)

    def owners(self, ex: PlaceRef) -> tuple[Ex | Value, ...]:
        """The indices of a place, with the group of its owner if the group shares it."""
        if any(_maybe(index) for index in ex.indices):  # of none there is no place
            values = tuple(self.c.value(index) for index in ex.indices)
            for index, value in zip(ex.indices, values, strict=True):
                if _maybe(index):
                    self.c.fail_if(self.c.compare("slt", value, 0), NONE)
            if not ex.place.per:
                return values
        if not ex.place.per:
            return ex.indices
        group = self.c.table(list(self.layout.groups[ex.place.per]), self.c.value(ex.indices[0]))
        return (group, *ex.indices[1:])

    @tells(PlaceIs)
    def _place_is(self, ex: PlaceIs) -> Value:
        base, sizes, _, stride = self.layout.places[state_name(ex.place)]
        count = stride
        for size in sizes:
            count *= size
        return self.c.compare("ult", self.c.op("sub", self.c.value(ex.of), base), count)

    def list_at(self, ref: Value) -> Value:
        """The address of a list of `L`."""
        fixed = constant(ref)
        if fixed is not None:
            return self.c.at("%S", self.memory.lists[fixed].at)
        return self.c.at("%S", self.c.table([found.at for found in self.memory.lists], ref))

    def sort(self, place: Ex) -> str:
        return place.place_type.of

    def limbs(self, comp: str) -> int:
        return max(1, (self.layout.comps[comp].count + 63) // 64)

    def entries(self, comp: str) -> int:
        return entry_bits(self.layout.comps[comp].count)

    def entry(self, pointer: Value, index: Value, bits: int) -> Value:
        return self.c.load_int(self.entry_at(pointer, index, bits), bits, signed=bits == 32)

    def entry_at(self, pointer: Value, index: Value, bits: int) -> Value:
        return self.c.at(self.c.at(pointer, 4), index, f"i{bits}")

    def part(self, ref: Value, number: int) -> Value:
        """One of the lists of a deck."""
        return self.list_at(self.c.add(ref, number))

    def known_parts(self, comp: str) -> list[tuple[str, int, tuple[int, ...]]]:
        return [row for row in DECK_PARTS if row[0] in self.module.known_cards.parts(comp)]

    def shape(self, place: Ex) -> str:
        """A place of tokens that is known by a name only is a bag."""
        shape = place.place_type.shape
        return shape or ("bag" if self.sort(place) in self.game.tokens else "")

    def is_sorted(self, ref: Value) -> Value:
        """Of a place that is known by a name only: is it kept as bits?"""
        return self.c.compare(
            "ne", self.c.table([int(shape in SORTED) for shape in self.module.shapes], ref), 0
        )

    def size_of(self, place: Ex) -> Value:
        of, shape = self.sort(place), self.shape(place)
        ref = self.c.value(place)
        if of in self.game.tokens:
            if shape in CELLS:
                return self._cells_with(ref, self.cell_count(place), None)
            return self.tokens_at(ref, len(self.game.kinds[of].values))
        return self.list_size(ref, of, shape)

    def list_size(self, ref: Value, of: str, shape: str) -> Value:
        pointer = self.list_at(ref)
        if not shape:
            size = self.c.room()
            bits, array, done = (self.c.new_label() for _ in range(3))
            self.c.branch(self.is_sorted(ref), bits, array)
            self.c.label(bits)
            self.c.store(self.bits_size(pointer, self.limbs(of)), size)
            self.c.jump(done)
            self.c.label(array)
            self.c.store(self.c.lists.length(pointer), size)
            self.c.label(done)
            return self.c.load(size)
        if shape not in SORTED:
            return self.c.lists.length(pointer)
        size = self.bits_size(pointer, self.limbs(of))
        if shape == "deck":
            for _, number, _ in self.known_parts(of):
                size = self.c.add(size, self.c.lists.length(self.part(ref, number)))
        return size

    def bits_size(self, pointer: Value, limbs: int) -> Value:
        total: Value = "0"
        for limb in range(limbs):
            word = self.c.load(self.c.at(pointer, limb, "i64"))
            total = self.c.add(total, self.c.let(f"call i64 @llvm.ctpop.i64(i64 {word})"))
        return total

    def cell_count(self, place: Ex) -> int:
        return 1 if place.place_type.shape == "slot" else self.c.spaces.geometry(place).size

    def _cells_with(self, ref: Value, cells: int, kind: Value | None) -> Value:
        """How many cells have a token, or one of a kind."""
        if cells == 1:
            here = self.c.number_at(ref)
            return self.c.number(
                self.c.compare("ne", here, -1) if kind is None else self.c.compare("eq", here, kind)
            )
        total = self.c.room()
        self.c.store("0", total)

        def look(index: Value, _: str) -> None:
            here = self.c.number_at(self.c.add(ref, index))
            hit = self.c.compare("ne", here, -1) if kind is None else self.c.compare("eq", here, kind)
            self.c.store(self.c.add(self.c.load(total), self.c.number(hit)), total)

        self.c.loops.count_up("0", str(cells), look)
        return self.c.load(total)

    def tokens_at(self, ref: Value, kinds: int) -> Value:
        total: Value = "0"
        for kind in range(kinds):
            total = self.c.add(total, self.c.number_at(self.c.add(ref, kind)))
        return total

    @gives("size")
    def _size(self, ex: Apply) -> Value:
        return self.size_of(ex.args[0])

    @tells("empty")
    def _empty(self, ex: Apply) -> Value:
        (place,) = ex.args
        of = self.sort(place)
        if of not in self.game.tokens and place.place_type.shape in ("bag", "grid", "ring"):
            pointer, found = self.list_at(self.c.value(place)), "0"
            for limb in range(self.limbs(of)):
                found = self.c.op("or", found, self.c.load(self.c.at(pointer, limb, "i64")))
            return self.c.compare("eq", found, 0)
        return self.c.compare("eq", self.size_of(place), 0)

    @gives("tally")
    def _tally(self, ex: Apply) -> Value:
        place, kind = ex.args
        if self.shape(place) in CELLS:
            return self._cells_with(self.c.value(place), self.cell_count(place), self.c.value(kind))
        return self.c.number_at(self.c.add(self.c.value(place), self.c.value(kind)))

    @gives("slot_kind")
    def _slot_kind(self, ex: Apply) -> Value:
        return self.c.number_at(self.c.value(ex.args[0]))

    @gives(TotalTokens)
    def _total_tokens(self, ex: TotalTokens) -> Value:
        total: Value = "0"
        kind = self.c.value(ex.kind) if ex.kind is not None else None
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
                    found = self.tokens_at(ref, kinds)
                else:
                    found = self.c.number_at(self.c.add(ref, kind))
                total = self.c.add(total, found)
        return total

    @gives(TotalComponents)
    def _total_components(self, ex: TotalComponents) -> Value:
        total: Value = "0"
        for key, place in self.game.places.items():
            if not place.tokens and place.of == ex.component:
                for instance in self.layout.instances[key]:
                    total = self.c.add(total, self.list_size(str(instance.ref), place.of, place.shape))
        return total

    # ------------------------------------------------------------ what lies in a place
    def contents_bits(self, place: Ex) -> Value | None:
        """The contents as one set, if that is how they are kept."""
        of, shape = self.sort(place), place.place_type.shape
        if of in self.game.tokens or shape not in SORTED or (shape == "deck" and self.known_parts(of)):
            return None
        rep = Bits(self.layout.comps[of].count)
        return self.c.load(self.list_at(self.c.value(place)), llvm_type(rep), align=8)

    def each_in_place(self, place: Ex, body: Body, snapshot: bool) -> None:
        of, shape = self.sort(place), self.shape(place)
        if of in self.game.tokens:
            raise Unsupported("a loop over the tokens of a place")
        ref = self.c.value(place)
        pointer = self.list_at(ref)
        if not shape:
            cards = self._cards_anywhere(ref, of)
            self.c.loops.count_up(
                "0", self.c.lists.length(cards), lambda i, out: body(self.c.lists.element(cards, i), out)
            )
        elif shape == "deck" and self.known_parts(of):
            cards = self.deck_cards(ref, of)
            self.c.loops.count_up(
                "0", self.c.lists.length(cards), lambda i, out: body(self.c.lists.element(cards, i), out)
            )
        elif shape in SORTED:
            self.c.loops.each_limb(pointer, self.limbs(of), body, copy=snapshot)
        else:
            bits, size = self.entries(of), self.c.lists.length(pointer)
            if snapshot:
                room = self.layout.comps[of].count
                kept = self.c.room(f"[{8 + room * bits // 8} x i8]")
                self.c.copy(kept, pointer, self.c.add(self.c.op("mul", size, bits // 8), 4))
                pointer = kept
            self.c.loops.count_up("0", size, lambda i, out: body(self.entry(pointer, i, bits), out))

    def _cards_anywhere(self, ref: Value, of: str) -> Value:
        """The contents of a place that is known by a name only, as a list."""
        room, pointer = self.layout.comps[of].count, self.list_at(ref)
        cards = self.c.lists.new_list(room)
        bits, array, done = (self.c.new_label() for _ in range(3))
        self.c.branch(self.is_sorted(ref), bits, array)
        self.c.label(bits)
        self.c.loops.each_limb(
            pointer, self.limbs(of), lambda value, _: self.c.lists.push(cards, value, room)
        )
        self.c.jump(done)
        self.c.label(array)
        entries = self.entries(of)
        self.c.loops.count_up(
            "0",
            self.c.lists.length(pointer),
            lambda i, _: self.c.lists.push(cards, self.entry(pointer, i, entries), room),
        )
        self.c.label(done)
        return cards

    def deck_cards(self, ref: Value, of: str) -> Value:
        """As Python lists them: the known top, the unknown, those at a depth, the known bottom."""
        room, bits = self.layout.comps[of].count, self.entries(of)
        cards = self.c.lists.new_list(room)
        parts = {name: number for name, number, _ in self.known_parts(of)}

        def put(name: str, backwards: bool) -> None:
            if name not in parts:
                return
            pointer = self.part(ref, parts[name])
            size = self.c.lists.length(pointer)

            def one(index: Value, _: str) -> None:
                place = self.c.op("sub", self.c.op("sub", size, 1), index) if backwards else index
                self.c.lists.push(cards, self.entry(pointer, place, bits), room)

            self.c.loops.count_up("0", size, one)

        put("top", True)
        self.c.loops.each_limb(
            self.list_at(ref), self.limbs(of), lambda value, _: self.c.lists.push(cards, value, room)
        )
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
            return self.c.call(self.module.deck_end(of, ex.op), "ptr %S", f"i64 {self.c.value(place)}")
        if shape in SORTED:
            return self._end_of_bits(place, ex.op)
        if not shape:
            cards = self._cards_anywhere(self.c.value(place), of)
            size = self.c.lists.length(cards)
            return self.c.lists.nth_of(
                size if ex.op == "top" else "1", size, lambda at: self.c.lists.element(cards, at)
            )
        pointer = self.list_at(self.c.value(place))
        size = self.c.lists.length(pointer)
        index = size if ex.op == "top" and shape != "slot" else "1"
        return self.c.lists.nth_of(index, size, lambda at: self.entry(pointer, at, self.entries(of)))

    def _end_of_bits(self, place: Ex, op: str) -> Value:
        of = self.sort(place)
        pointer, limbs = self.list_at(self.c.value(place)), self.limbs(of)
        size = self.bits_size(pointer, limbs)
        index = size if op == "top" else "1"
        return self.c.lists.nth_of(index, size, lambda at: self.kth(pointer, limbs, at))

    def kth(self, pointer: Value, limbs: int, index: Value) -> Value:
        """The element of a set in memory at a position from 0; it must be there."""
        return self.c.call("kth_bit", f"ptr {pointer}", f"i64 {limbs}", f"i64 {index}")

    @gives("nth")
    def _nth(self, ex: Apply) -> Value:
        place, number = ex.args
        of, shape = self.sort(place), self.shape(place)
        index, ref = self.c.value(number), self.c.value(place)
        pointer = self.list_at(ref)
        if not shape or (shape == "deck" and self.known_parts(of)):
            cards = self.deck_cards(ref, of) if shape else self._cards_anywhere(ref, of)
            return self.c.lists.nth_of(
                index, self.c.lists.length(cards), lambda at: self.c.lists.element(cards, at)
            )
        if shape in SORTED:
            limbs = self.limbs(of)
            return self.c.lists.nth_of(
                index, self.bits_size(pointer, limbs), lambda at: self.kth(pointer, limbs, at)
            )
        return self.c.lists.nth_of(
            index, self.c.lists.length(pointer), lambda at: self.entry(pointer, at, self.entries(of))
        )

    @tells("is_at")
    def _is_at(self, ex: Apply) -> Value:
        return self.lies_in(self.c.value(ex.args[0]), ex.args[1])

    def lies_in(self, value: Value, place: Ex) -> Value:
        ref = self.c.value(place)
        some = self.c.compare("sge", value, 0)
        where = self.layout.comps[self.sort(place)].where
        here = self.c.number_at(self.c.add(self.c.select(some, value, "0"), where))
        return self.c.both(some, self.c.compare("eq", here, ref))

    @gives("peek_need")
    def _peek_need(self, ex: Apply) -> Value:
        place, amount = ex.args
        wanted = self.c.least(self.c.value(amount), self.size_of(place))
        return self.c.most(
            self.c.op("sub", wanted, self.c.lists.length(self.part(self.c.value(place), 1))), "0"
        )


def _maybe(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt)
