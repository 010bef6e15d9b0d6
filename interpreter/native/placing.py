"""Native code: taking things out of places and putting them into others.

What python/places.py says about the structures of places holds here as well: the
same limits, the same ways on for what has no room.
"""

from __future__ import annotations

from ..core import Ex, PlaceRef
from ..core.facts import rest_of, state_name
from .builder import Value
from .code import FAILED, LARGE, NO_ROOM, WINDOW, Unsupported
from .contents import CELLS
from .memory import MOST_ON_GROWN
from .memory import WINDOW as WINDOW_SIZE
from .part import Part


class Placing(Part):
    def limit_of(self, place: Ex) -> Ex | None:
        return place.place.cap if isinstance(place, PlaceRef) else None

    # ------------------------------------------------------------ ordered places
    def find_entry(self, pointer: Value, component: Value, bits: int) -> Value:
        return self.c.call(f"array_find_{bits}", f"ptr {pointer}", f"i64 {component}")

    def remove_entry(self, pointer: Value, index: Value, bits: int) -> None:
        bad = self.c.call(f"array_remove_{bits}", f"ptr {pointer}", f"i64 {index}")
        self.c.fail_if(self.c.compare("ne", bad, 0), FAILED)

    def insert_entry(self, pointer: Value, index: Value, component: Value, bits: int, room: int) -> None:
        bad = self.c.call(
            f"array_insert_{bits}", f"ptr {pointer}", f"i64 {index}", f"i64 {component}", f"i64 {room}"
        )
        self.c.fail_if(self.c.compare("ne", bad, 0), LARGE)

    def append_entry(self, pointer: Value, component: Value, bits: int, room: int) -> None:
        size = self.c.lists.length(pointer)
        self.c.fail_if(self.c.compare("uge", size, room), LARGE)
        self.c.store_int(component, self.c.contents.entry_at(pointer, size, bits), bits)
        self.c.store_int(self.c.add(size, 1), pointer, 32)

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
        dest = self.c.value(place)
        full = self.c.compare(
            "sge", self.c.contents.list_size(dest, name, self.c.contents.shape(place)), self.c.value(limit)
        )
        elsewhere = self.c.compare(
            "ne", self.c.number_at(self.c.add(comp, self.layout.comps[name].where)), dest
        )
        self.c.when(
            self.c.both(full, elsewhere),
            lambda: self.put_comp(comp, name, rest, source=source),
            lambda: self._put_here(comp, name, place, at, turned, end, source),
        )

    def take_comp(self, comp: Value, name: str, source: Ex | None) -> None:
        shape = source.place_type.shape if source is not None else ""
        if source is not None and shape == "deck" and self.c.contents.known_parts(name):
            self.take_from_deck(self.c.value(source), comp, name)
        elif source is not None and shape in ("deck", "bag"):
            self.c.sets.clear_bit(
                self.c.contents.list_at(self.c.value(source)), comp, self.c.contents.limbs(name)
            )
        else:
            self.c.call(self.module.taker(name), "ptr %S", f"i64 {comp}")
            self.c.after_call(False)

    def take_from_deck(self, ref: Value, comp: Value, name: str) -> None:
        self.c.call(self.module.deck_taker(name), "ptr %S", f"i64 {ref}", f"i64 {comp}")
        self.c.after_call(False)

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
        dest, shape = self.c.value(place), place.place_type.shape
        space = self.c.value(at) if at is not None else "-1"
        turn = self.c.value(turned) if turned is not None else "0"
        layout = self.layout.comps[name]
        self.c.within(comp, layout.count)
        before = self.c.watching.before_move(comp, name)
        viewers: Value = "0"
        if shape == "deck" and (end or at is not None):
            viewers = self.c.call(self.module.viewers(name), "ptr %S", f"i64 {comp}")
        self.take_comp(comp, name, source)
        pointer = self.c.contents.list_at(dest)
        bits, room = self.c.contents.entries(name), layout.count
        match shape:
            case "bag":
                self.c.sets.set_bit(pointer, comp, self.c.contents.limbs(name))
            case "stack" | "row":
                if end == "bottom":
                    self.insert_entry(pointer, "0", comp, bits, room)
                else:
                    self.append_entry(pointer, comp, bits, room)
            case "slot":
                self.c.fail_if(self.c.compare("ne", self.c.lists.length(pointer), 0), NO_ROOM)
                self.append_entry(pointer, comp, bits, 1)
            case "deck":
                self._put_in_deck(comp, name, dest, space if at is not None else None, end, viewers)
            case "grid" | "ring":
                self._put_on_grid(comp, name, place, space)
                self.c.sets.set_bit(pointer, comp, self.c.contents.limbs(name))
                self.c.set_number(self.c.add(comp, layout.cell), space)
                self.c.set_number(self.c.add(comp, layout.turned), turn)
            case _:
                self._put_anywhere(comp, name, dest, pointer)
        self.c.set_number(self.c.add(comp, layout.where), dest)
        limit = self.limit_of(place)
        if limit is not None and rest_of(place) is None:
            size = self.c.contents.list_size(dest, name, shape)
            self.c.fail_if(self.c.compare("sgt", size, self.c.value(limit)), NO_ROOM)
        spot = "-1"
        if end and place.place_type.form.ends:
            spot = "-2" if end == "bottom" else "-1"
        elif at is not None and shape not in ("grid", "ring"):
            spot = space
        self.c.watching.moved(before, comp, name, dest, spot)

    def _put_anywhere(self, comp: Value, name: str, dest: Value, pointer: Value) -> None:
        """Into a place that is known by a name only."""
        shapes = self.module.shapes
        bag = self.c.compare("ne", self.c.table([int(s == "bag") for s in shapes], dest), 0)
        ordered = [int(s in ("slot", "row", "stack")) for s in shapes]

        def into_order() -> None:
            self.c.fail_if(self.c.compare("eq", self.c.table(ordered, dest), 0), LARGE)
            slot = self.c.compare("ne", self.c.table([int(s == "slot") for s in shapes], dest), 0)
            full = self.c.compare("ne", self.c.lists.length(pointer), 0)
            self.c.fail_if(self.c.both(slot, full), NO_ROOM)
            self.append_entry(pointer, comp, self.c.contents.entries(name), self.layout.comps[name].count)

        self.c.when(bag, lambda: self.c.sets.set_bit(pointer, comp, self.c.contents.limbs(name)), into_order)

    def _put_in_deck(
        self, comp: Value, name: str, dest: Value, position: Value | None, end: str, viewers: Value
    ) -> None:
        room = self.layout.comps[name].count
        if end:
            part = 1 if end == "top" else 2
            self.append_entry(self.c.contents.part(dest, part), comp, self.c.contents.entries(name), room)
            self.append_entry(self.c.contents.part(dest, part + 2), viewers, 32, room)
        elif position is not None:
            function = self.module.deck_putter(name)
            args = (f"i64 {value}" for value in (dest, comp, position, viewers))
            self.c.call(function, "ptr %S", *args)
            self.c.after_call(False)
        else:
            self.c.sets.set_bit(self.c.contents.list_at(dest), comp, self.c.contents.limbs(name))

    def _put_on_grid(self, comp: Value, name: str, place: Ex, space: Value) -> None:
        if self.c.spaces.geometry(place).grows:
            if self.layout.comps[name].count > MOST_ON_GROWN:
                raise Unsupported(f"more than {MOST_ON_GROWN} components on a grid that grows")
            grid = self.c.spaces.grown(place)
            self.c.fail_if(self.c.compare("sge", self.c.spaces.cell(place, space), 0), NO_ROOM)
            far = self.c.call("grown_put", f"ptr {grid}", f"i64 {space}", f"i64 {comp}")
            self.c.fail_if(self.c.compare("sgt", far, WINDOW_SIZE - 3), WINDOW)
            return
        self.c.fail_if(self.c.compare("uge", space, self.c.spaces.geometry(place).size), LARGE)
        cell = self.c.add(space, self.c.spaces.cells_base(place))
        self.c.fail_if(self.c.compare("ne", self.c.number_at(cell), -1), NO_ROOM)
        self.c.set_number(cell, comp)

    # ------------------------------------------------------------ tokens
    def take_tokens(self, amount: Value, kind: Value, src: Value, *, checked: bool) -> None:
        """Out of a bag; `checked` if it is known that there are so many."""
        slot = self.c.add(src, kind)
        left = self.c.number_at(slot)
        if not checked:
            self.c.fail_if(self.c.compare("ugt", amount, left), FAILED)
        self.c.set_number(slot, self.c.op("sub", left, amount))

    def take_cell(self, source: Ex, cell: Value, kind: Value) -> None:
        """Out of a cell, whose kind is known already; `cell` is where it is in the state."""
        self.c.set_number(cell, "-1")
        if source.place_type.shape != "slot":
            self.index(source, kind, self.c.op("sub", cell, self.c.spaces.cells_base(source)), False)

    def put_tokens(self, amount: Value, kind: Value, place: Ex, src: Value, at: Ex | None = None) -> None:
        """So many of a kind, at least one, into a place, or where the rest goes; `src` is where they come from,
        for those who keep books."""
        shape = self.c.contents.shape(place)
        if shape in CELLS:
            self._put_cell(amount, kind, place, at)
            return
        dest, limit = self.c.value(place), self.limit_of(place)
        slot = self.c.add(dest, kind)
        if limit is None:
            self.c.set_number(slot, self.c.add(self.c.number_at(slot), amount))
            self.c.watching.tokens(self.c.contents.sort(place), amount, kind, src, dest)
            return
        kinds = len(self.game.kinds[self.c.contents.sort(place)].values)
        left = self.c.op("sub", self.c.value(limit), self.c.contents.tokens_at(dest, kinds))
        stays = self.c.most(self.c.least(amount, left), "0")
        rest = rest_of(place)
        if rest is None:
            self.c.fail_if(self.c.compare("slt", stays, amount), NO_ROOM)
        self.c.set_number(slot, self.c.add(self.c.number_at(slot), stays))
        self.c.watching.tokens(self.c.contents.sort(place), stays, kind, src, dest)
        if rest is not None:
            goes = self.c.op("sub", amount, stays)
            self.c.when(self.c.compare("ne", goes, 0), lambda: self.put_tokens(goes, kind, rest, src))

    def _put_cell(self, amount: Value, kind: Value, place: Ex, at: Ex | None) -> None:
        slot = self.c.contents.shape(place) == "slot"
        dest = self.c.value(place) if slot else self.c.spaces.cells_base(place)
        space = self.c.value(at) if at is not None else "0"
        if not slot:
            self.c.fail_if(self.c.compare("uge", space, self.c.spaces.geometry(place).size), LARGE)
        cell = self.c.add(dest, space)
        self.c.fail_if(self.c.compare("sgt", amount, 1), NO_ROOM)
        self.c.fail_if(self.c.compare("ne", self.c.number_at(cell), -1), NO_ROOM)
        self.c.set_number(cell, kind)
        if not slot:
            self.index(place, kind, space, True)

    def index(self, place: Ex, kind: Value, space: Value, put: bool) -> None:
        """Keep the set of the spaces of each kind, for grids that are searched by kind."""
        if not isinstance(place, PlaceRef):
            return
        base = self.layout.indexed.get(state_name(place.place))
        if base is not None:
            pointer, limbs = self.c.contents.list_at(self.c.add(kind, base)), self.memory.lists[base].limbs
            (self.c.sets.set_bit if put else self.c.sets.clear_bit)(pointer, space, limbs)

    # ------------------------------------------------------------ too much at once
    def spill(self, place: Ex) -> None:
        """A place has got new contents as a whole: what is too much goes on to where the rest goes."""
        limit, rest = self.limit_of(place), rest_of(place)
        if limit is None:
            return
        dest, of, cap = self.c.value(place), self.c.contents.sort(place), self.c.value(limit)
        if of not in self.game.tokens:
            size = self.c.contents.list_size(dest, of, self.c.contents.shape(place))
            if rest is None:
                self.c.fail_if(self.c.compare("sgt", size, cap), NO_ROOM)
                return
            number = self.c.room()
            self.c.store("0", number)

            def one(value: Value, _: str) -> None:
                place_of = self.c.load(number)
                self.c.store(self.c.add(place_of, 1), number)
                self.c.when(
                    self.c.compare("sge", place_of, cap), lambda: self.put_comp(value, of, rest, source=place)
                )

            self.c.contents.each_in_place(place, one, True)
            return
        kinds = len(self.game.kinds[of].values)
        over = self.c.room()
        self.c.store(self.c.op("sub", self.c.contents.tokens_at(dest, kinds), cap), over)
        if rest is None:
            self.c.fail_if(self.c.compare("sgt", self.c.load(over), 0), NO_ROOM)
            return
        for kind in range(kinds - 1, -1, -1):
            here = self.c.number_at(self.c.add(dest, kind))
            goes = self.c.most(self.c.least(self.c.load(over), here), "0")

            def move(goes: Value = goes, kind: int = kind) -> None:
                self.c.store(self.c.op("sub", self.c.load(over), goes), over)
                self.take_tokens(goes, str(kind), dest, checked=True)
                self.put_tokens(goes, str(kind), rest, dest)

            self.c.when(self.c.compare("ne", goes, 0), move)
