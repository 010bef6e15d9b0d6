"""Native code: taking things out of places and putting them into others.

What python/places.py says about the structures of places holds here as well: the
same limits, the same ways on for what has no room.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import Ex, PlaceRef
from ..core.facts import rest_of, state_name
from .builder import Value
from .code import FAILED, LARGE, NO_ROOM, WINDOW, Unsupported
from .memory import MOST_ON_GROWN
from .memory import WINDOW as WINDOW_SIZE
from .reading import CELLS, ReadingCode


class PlacingCode(ReadingCode):
    def limit_of(self, place: Ex) -> Ex | None:
        return place.place.cap if isinstance(place, PlaceRef) else None

    def when(
        self, test: Value, then: Callable[[], None], otherwise: Callable[[], None] | None = None
    ) -> None:
        """Do something if a test says so."""
        yes, no, done = self.new_label("then"), self.new_label("else"), self.new_label("done")
        self.branch(test, yes, no if otherwise is not None else done)
        self.label(yes)
        then()
        if otherwise is not None:
            self.jump(done)
            self.label(no)
            otherwise()
        self.label(done)

    # ------------------------------------------------------------ ordered places
    def find_entry(self, pointer: Value, component: Value, bits: int) -> Value:
        return self.call(f"array_find_{bits}", f"ptr {pointer}", f"i64 {component}")

    def remove_entry(self, pointer: Value, index: Value, bits: int) -> None:
        bad = self.call(f"array_remove_{bits}", f"ptr {pointer}", f"i64 {index}")
        self.fail_if(self.compare("ne", bad, 0), FAILED)

    def insert_entry(self, pointer: Value, index: Value, component: Value, bits: int, room: int) -> None:
        bad = self.call(
            f"array_insert_{bits}", f"ptr {pointer}", f"i64 {index}", f"i64 {component}", f"i64 {room}"
        )
        self.fail_if(self.compare("ne", bad, 0), LARGE)

    def append_entry(self, pointer: Value, component: Value, bits: int, room: int) -> None:
        size = self.length(pointer)
        self.fail_if(self.compare("uge", size, room), LARGE)
        self.store_int(component, self.entry_at(pointer, size, bits), bits)
        self.store_int(self.add(size, 1), pointer, 32)

    # ------------------------------------------------------------ components
    def put_comp(
        self,
        comp: Value,
        name: str,
        place: Ex,
        *,
        at: Ex | None = None,
        turned: Ex | None = None,
        end: str = "",
        source: Ex | None = None,
    ) -> None:
        """Take a component from where it is (`source`, if the statement says so) and put it into a
        place, or where the rest goes."""
        limit, rest = self.limit_of(place), rest_of(place)
        if limit is None or rest is None:
            self._put_here(comp, name, place, at, turned, end, source)
            return
        dest = self.value(place)
        full = self.compare("sge", self.list_size(dest, name, self.shape(place)), self.value(limit))
        elsewhere = self.compare("ne", self.number_at(self.add(comp, self.layout.comps[name].where)), dest)
        self.when(
            self.both(full, elsewhere),
            lambda: self.put_comp(comp, name, rest, source=source),
            lambda: self._put_here(comp, name, place, at, turned, end, source),
        )

    def take_comp(self, comp: Value, name: str, source: Ex | None) -> None:
        shape = source.place_type.shape if source is not None else ""
        if source is not None and shape == "deck" and self.known_parts(name):
            self.take_from_deck(self.value(source), comp, name)
        elif source is not None and shape in ("deck", "bag"):
            self.clear_bit(self.list_at(self.value(source)), comp, self.limbs(name))
        else:
            self.call(self.module.taker(name), "ptr %S", f"i64 {comp}")
            self.after_call(False)

    def take_from_deck(self, ref: Value, comp: Value, name: str) -> None:
        self.call(self.module.deck_taker(name), "ptr %S", f"i64 {ref}", f"i64 {comp}")
        self.after_call(False)

    def _put_here(
        self,
        comp: Value,
        name: str,
        place: Ex,
        at: Ex | None,
        turned: Ex | None,
        end: str,
        source: Ex | None,
    ) -> None:
        dest, shape = self.value(place), place.place_type.shape
        space = self.value(at) if at is not None else "-1"
        turn = self.value(turned) if turned is not None else "0"
        layout = self.layout.comps[name]
        self.within(comp, layout.count)
        viewers: Value = "0"
        if shape == "deck" and (end or at is not None):
            viewers = self.call(self.module.viewers(name), "ptr %S", f"i64 {comp}")
        self.take_comp(comp, name, source)
        pointer = self.list_at(dest)
        bits, room = self.entries(name), layout.count
        match shape:
            case "bag":
                self.set_bit(pointer, comp, self.limbs(name))
            case "stack" | "row":
                if end == "bottom":
                    self.insert_entry(pointer, "0", comp, bits, room)
                else:
                    self.append_entry(pointer, comp, bits, room)
            case "slot":
                self.fail_if(self.compare("ne", self.length(pointer), 0), NO_ROOM)
                self.append_entry(pointer, comp, bits, 1)
            case "deck":
                self._put_in_deck(comp, name, dest, space if at is not None else None, end, viewers)
            case "grid" | "ring":
                self._put_on_grid(comp, name, place, space)
                self.set_bit(pointer, comp, self.limbs(name))
                self.set_number(self.add(comp, layout.cell), space)
                self.set_number(self.add(comp, layout.turned), turn)
            case _:
                self._put_anywhere(comp, name, dest, pointer)
        self.set_number(self.add(comp, layout.where), dest)
        limit = self.limit_of(place)
        if limit is not None and rest_of(place) is None:
            size = self.list_size(dest, name, shape)
            self.fail_if(self.compare("sgt", size, self.value(limit)), NO_ROOM)

    def _put_anywhere(self, comp: Value, name: str, dest: Value, pointer: Value) -> None:
        """Into a place that is known by a name only."""
        shapes = self.module.shapes
        bag = self.compare("ne", self.table([int(s == "bag") for s in shapes], dest), 0)
        ordered = [int(s in ("slot", "row", "stack")) for s in shapes]

        def into_order() -> None:
            self.fail_if(self.compare("eq", self.table(ordered, dest), 0), LARGE)
            slot = self.compare("ne", self.table([int(s == "slot") for s in shapes], dest), 0)
            full = self.compare("ne", self.length(pointer), 0)
            self.fail_if(self.both(slot, full), NO_ROOM)
            self.append_entry(pointer, comp, self.entries(name), self.layout.comps[name].count)

        self.when(bag, lambda: self.set_bit(pointer, comp, self.limbs(name)), into_order)

    def _put_in_deck(
        self, comp: Value, name: str, dest: Value, position: Value | None, end: str, viewers: Value
    ) -> None:
        room = self.layout.comps[name].count
        if end:
            part = 1 if end == "top" else 2
            self.append_entry(self.part(dest, part), comp, self.entries(name), room)
            self.append_entry(self.part(dest, part + 2), viewers, 32, room)
        elif position is not None:
            function = self.module.deck_putter(name)
            args = (f"i64 {value}" for value in (dest, comp, position, viewers))
            self.call(function, "ptr %S", *args)
            self.after_call(False)
        else:
            self.set_bit(self.list_at(dest), comp, self.limbs(name))

    def _put_on_grid(self, comp: Value, name: str, place: Ex, space: Value) -> None:
        if self.geometry(place).grows:
            if self.layout.comps[name].count > MOST_ON_GROWN:
                raise Unsupported(f"more than {MOST_ON_GROWN} components on a grid that grows")
            grid = self.grown(place)
            self.fail_if(self.compare("sge", self.cell(place, space), 0), NO_ROOM)
            far = self.call("grown_put", f"ptr {grid}", f"i64 {space}", f"i64 {comp}")
            self.fail_if(self.compare("sgt", far, WINDOW_SIZE - 3), WINDOW)
            return
        self.fail_if(self.compare("uge", space, self.geometry(place).size), LARGE)
        cell = self.add(space, self.cells_base(place))
        self.fail_if(self.compare("ne", self.number_at(cell), -1), NO_ROOM)
        self.set_number(cell, comp)

    # ------------------------------------------------------------ tokens
    def take_tokens(self, amount: Value, kind: Value, src: Value, *, checked: bool) -> None:
        """Out of a bag; `checked` if it is known that there are so many."""
        slot = self.add(src, kind)
        left = self.number_at(slot)
        if not checked:
            self.fail_if(self.compare("ugt", amount, left), FAILED)
        self.set_number(slot, self.op("sub", left, amount))

    def take_cell(self, source: Ex, cell: Value, kind: Value) -> None:
        """Out of a cell, whose kind is known already; `cell` is where it is in the state."""
        self.set_number(cell, "-1")
        if source.place_type.shape != "slot":
            self.index(source, kind, self.op("sub", cell, self.cells_base(source)), False)

    def put_tokens(self, amount: Value, kind: Value, place: Ex, at: Ex | None = None) -> None:
        """So many of a kind, at least one, into a place, or where the rest goes."""
        shape = self.shape(place)
        if shape in CELLS:
            self._put_cell(amount, kind, place, at)
            return
        dest, limit = self.value(place), self.limit_of(place)
        slot = self.add(dest, kind)
        if limit is None:
            self.set_number(slot, self.add(self.number_at(slot), amount))
            return
        kinds = len(self.game.kinds[self.sort(place)].values)
        left = self.op("sub", self.value(limit), self._tokens_at(dest, kinds))
        stays = self.most(self.least(amount, left), "0")
        rest = rest_of(place)
        if rest is None:
            self.fail_if(self.compare("slt", stays, amount), NO_ROOM)
        self.set_number(slot, self.add(self.number_at(slot), stays))
        if rest is not None:
            goes = self.op("sub", amount, stays)
            self.when(self.compare("ne", goes, 0), lambda: self.put_tokens(goes, kind, rest))

    def _put_cell(self, amount: Value, kind: Value, place: Ex, at: Ex | None) -> None:
        slot = self.shape(place) == "slot"
        dest = self.value(place) if slot else self.cells_base(place)
        space = self.value(at) if at is not None else "0"
        if not slot:
            self.fail_if(self.compare("uge", space, self.geometry(place).size), LARGE)
        cell = self.add(dest, space)
        self.fail_if(self.compare("sgt", amount, 1), NO_ROOM)
        self.fail_if(self.compare("ne", self.number_at(cell), -1), NO_ROOM)
        self.set_number(cell, kind)
        if not slot:
            self.index(place, kind, space, True)

    def index(self, place: Ex, kind: Value, space: Value, put: bool) -> None:
        """Keep the set of the spaces of each kind, for grids that are searched by kind."""
        if not isinstance(place, PlaceRef):
            return
        base = self.layout.indexed.get(state_name(place.place))
        if base is not None:
            pointer, limbs = self.list_at(self.add(kind, base)), self.memory.lists[base].limbs
            (self.set_bit if put else self.clear_bit)(pointer, space, limbs)

    # ------------------------------------------------------------ too much at once
    def spill(self, place: Ex) -> None:
        """A place has got new contents as a whole: what is too much goes on to where the rest goes."""
        limit, rest = self.limit_of(place), rest_of(place)
        if limit is None:
            return
        dest, of, cap = self.value(place), self.sort(place), self.value(limit)
        if of not in self.game.tokens:
            size = self.list_size(dest, of, self.shape(place))
            if rest is None:
                self.fail_if(self.compare("sgt", size, cap), NO_ROOM)
                return
            number = self.room()
            self.store("0", number)

            def one(value: Value, _: str) -> None:
                place_of = self.load(number)
                self.store(self.add(place_of, 1), number)
                self.when(
                    self.compare("sge", place_of, cap), lambda: self.put_comp(value, of, rest, source=place)
                )

            self.each_in_place(place, one, True)
            return
        kinds = len(self.game.kinds[of].values)
        over = self.room()
        self.store(self.op("sub", self._tokens_at(dest, kinds), cap), over)
        if rest is None:
            self.fail_if(self.compare("sgt", self.load(over), 0), NO_ROOM)
            return
        for kind in range(kinds - 1, -1, -1):
            here = self.number_at(self.add(dest, kind))
            goes = self.most(self.least(self.load(over), here), "0")

            def move(goes: Value = goes, kind: int = kind) -> None:
                self.store(self.op("sub", self.load(over), goes), over)
                self.take_tokens(goes, str(kind), dest, checked=True)
                self.put_tokens(goes, str(kind), rest)

            self.when(self.compare("ne", goes, 0), move)
