"""Native code: spaces of grids and rings, and grids that grow."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import (
    Apply,
    Attribute,
    Coordinate,
    Ex,
    Near,
    PlaceRef,
    SpaceAt,
    applies,
)
from ..core import value_types as t
from ..core.facts import state_name
from ..program.layout import GROWN_ORIGIN, GROWN_WIDTH, Geometry, neighbours
from ..python.geometry import _GROWN_STEPS, _around, _distance, _lines
from .builder import Value, constant
from .code import NONE, Unsupported, gives
from .loops import Body, LoopCode
from .memory import GROWN, GROWN_ROWS

ORTHOGONAL = (0, 2, 4, 6)


class SpaceCode(LoopCode):
    def geometry(self, ex: Ex) -> Geometry:
        """Of a place, or of an expression of spaces."""
        type_ = t.plain(ex.type)
        if isinstance(type_, t.Space):
            return self.layout.geometries[type_.of]
        return self.layout.geometries[self.key_of(ex)]

    def key_of(self, place: Ex) -> str:
        if not isinstance(place, PlaceRef):
            raise Unsupported("a board that is known by another name")
        return state_name(place.place)

    def bounded(self, geometry: Geometry) -> Geometry:
        if geometry.grows:
            raise Unsupported("lines, rows and columns of a grid that grows")
        return geometry

    def cells_base(self, place: Ex) -> Value:
        """Where the cells of a bounded grid start in `I`."""
        if place.place_type.of in self.game.tokens:
            return self.value(place)
        key = self.key_of(place)
        base, (count, stride), _ = self.layout.states[f"cells of {key}"]
        if count == 1:
            return str(base)
        first = self.layout.places[key][0]
        return self.add(self.op("mul", self.op("sub", self.value(place), first), stride), base)

    def grown(self, place: Ex) -> Value:
        """The address of a grid that grows."""
        key = self.key_of(place)
        return self.grown_at(self.value(place), key)

    def grown_at(self, ref: Value, key: str) -> Value:
        number = self.add(self.op("sub", ref, self.layout.places[key][0]), self.layout.grown[key])
        if constant(number) is None:
            self.within(number, self.memory.grid_count)
        return self.at("%S", self.add(self.op("mul", number, GROWN), self.memory.grids))

    @gives("cell")
    def _cell(self, ex: Apply) -> Value:
        place, space = ex.args
        return self.cell(place, self.value(space))

    def cell(self, place: Ex, space: Value) -> Value:
        if self.geometry(place).grows:
            spaces = self.slot_at(self.layout.comps[place.place_type.of].cell)
            return self.call("grown_cell", f"ptr {self.grown(place)}", f"i64 {space}", f"ptr {spaces}")
        if self.checked:
            self.fail_if(self.compare("uge", self.add(space, 1), self.geometry(place).size + 1), 15)
        return self.number_at(self.add(space, self.cells_base(place)))

    @gives("neighbour")
    def _neighbour(self, ex: Apply) -> Value:
        space, direction = ex.args
        return self.neighbour(self.geometry(space), self.value(space), self.value(direction), _maybe(space))

    def neighbour(self, geometry: Geometry, space: Value, direction: Value, maybe: bool) -> Value:
        if geometry.grows:
            moved = self.add(space, self.table(list(_GROWN_STEPS), direction))
            return self.select(self.compare("slt", space, 0), "-1", moved) if maybe else moved
        tables = neighbours(geometry)
        fixed = constant(direction)
        if fixed is not None:
            return self.table([-1, *tables[fixed][:-1]], self.add(space, 1))
        flat = [x for table in tables for x in (-1, *table[:-1])]
        row = self.op("mul", direction, geometry.size + 1)
        return self.table(flat, self.add(row, self.add(space, 1)))

    @gives("beyond")
    def _beyond(self, ex: Apply) -> Value:
        comp, direction, place = ex.args
        kind = t.plain(comp.type)
        assert isinstance(kind, t.Comp)
        cell_type = t.Space(self.key_of(place))
        cell = Attribute(cell_type, ex.span, comp, self.game.components[kind.name], "space")
        there = Apply(t.Opt(cell_type), ex.span, "neighbour", (cell, direction))
        return self.cell(place, self.value(there))

    @gives("beside")
    def _beside(self, ex: Apply) -> Value:
        place, space = ex.args
        geometry, here, found = self.geometry(place), self.value(space), "0"
        for direction in ORTHOGONAL:
            there = self.neighbour(geometry, here, str(direction), maybe=False)
            taken = self.compare("sge", self.cell(place, there), 0)
            if not geometry.grows:  # the cell before the first stands for `none`, and is empty
                taken = self.both(taken, self.compare("sge", there, 0))
            found = self.op("or", found, self.select(taken, str(1 << direction), "0"))
        return found

    @gives(Coordinate)
    def _coordinate(self, ex: Coordinate) -> Value:
        geometry = self.geometry(ex.of)
        space = self.value(ex.of)
        if geometry.grows:
            part = self.op("ashr", space, 12) if ex.axis == "x" else self.op("and", space, GROWN_WIDTH - 1)
            return self.op("sub", part, GROWN_ORIGIN)
        axis = 0 if ex.axis == "x" else 1
        return self.table([-1, *(geometry.xy(s)[axis] for s in range(geometry.size))], self.add(space, 1))

    @gives(SpaceAt)
    def _space_at(self, ex: SpaceAt) -> Value:
        geometry = self.layout.geometries[ex.space.of]
        x, y = self.value(ex.x), self.value(ex.y)
        if geometry.grows:
            left = self.op("mul", self.add(x, GROWN_ORIGIN), GROWN_WIDTH)
            return self.add(left, self.add(y, GROWN_ORIGIN))
        bad = self.either(self.outside(x, 1, geometry.width), self.outside(y, 1, geometry.height))
        self.fail_if(bad, NONE)
        return self.add(self.op("mul", self.op("sub", y, 1), geometry.width), self.op("sub", x, 1))

    @gives("ring_step")
    def _ring_step(self, ex: Apply) -> Value:
        size = self.geometry(ex.args[0]).size
        left = self.let(f"srem i64 {self.add(self.value(ex.args[0]), self.value(ex.args[1]))}, {size}")
        return self.select(self.compare("slt", left, 0), self.add(left, size), left)

    @gives("distance")
    def _distance(self, ex: Apply) -> Value:
        geometry = self.geometry(ex.args[0])
        a, b = (self.value(part) for part in ex.args)
        if not geometry.grows:
            size = geometry.size
            if size * size > 1_000_000:
                raise Unsupported("distances on so large a board")
            flat = [_distance(geometry, x, y) for x in range(size) for y in range(size)]
            index = self.add(self.op("mul", a, size), b)
            return self.table(flat, index)
        total: Value = "0"
        for name, by in (("ashr", 12), ("and", GROWN_WIDTH - 1)):
            apart = self.op("sub", self.op(name, a, by), self.op(name, b, by))
            total = self.add(total, self.most(apart, self.op("sub", 0, apart)))
        return total

    @gives("rotate")
    def _rotate(self, ex: Apply) -> Value:
        what, turn = ex.args
        by = self.op("shl", self.value(turn), 1)
        if what.type == t.DIRECTION:
            return self.op("and", self.add(self.value(what), by), 7)
        mask = self.set_value(what, self.natural(what))
        out = self.op("lshr", mask, self.op("sub", 8, by))
        return self.op("and", self.op("or", self.op("shl", mask, by), out), 255)

    @gives("opposite")
    def _opposite(self, ex: Apply) -> Value:
        return self.op("xor", self.value(ex.args[0]), 4)

    # ------------------------------------------------------------ several spaces
    def line_rows(self, space: Ex, length: int) -> Sequence[Sequence[Sequence[int]]]:
        return _lines(self.bounded(self.geometry(space)), length)

    def each_space(self, ex: Ex, body: Body) -> None:
        """Rows of a constant table; its last row is for `none`."""
        if (isinstance(ex, Near) and self.known(ex.reach) is None) or (
            isinstance(ex, Near) and self.layout.geometries[ex.space.of].grows
        ):
            self._each_near(ex, body)
            return
        rows, row = self._rows(ex)
        starts = [0]
        flat: list[int] = []
        for spaces in rows:
            flat += spaces
            starts.append(len(flat))
        first, end = self.table(starts, row), self.table(starts, self.add(row, 1))
        name, bits = self.module.table(flat or [0])
        self.count_up(first, end, lambda i, out: body(self.load_int(self.at(name, i, f"i{bits}"), bits), out))

    def _rows(self, ex: Ex) -> tuple[list[tuple[int, ...]], Value]:
        rows: list[tuple[int, ...]] = []
        if applies(ex, "line"):
            space, direction = ex.args
            geometry = self.bounded(self.geometry(space))
            for table in self.module.engine_lines(geometry):
                rows += table
            at = self._or_last(self.value(space), geometry.size)
            return rows, self.add(self.op("mul", self.value(direction), geometry.size + 1), at)
        if isinstance(ex, Near):
            geometry, reach = self.layout.geometries[ex.space.of], self.known(ex.reach)
            assert reach is not None
            for o in range(geometry.size):
                near = (s for s in _around(geometry, o, reach) if _distance(geometry, o, s) <= reach)
                rows.append(tuple(near))
            return [*rows, ()], self._or_last(self.value(ex.of), geometry.size)
        assert isinstance(ex, Apply)
        geometry = self.bounded(self.geometry(ex.args[0]))
        axis = 1 if ex.op == "row_of" else 0
        for o in range(geometry.size):
            rows.append(
                tuple(s for s in range(geometry.size) if geometry.xy(s)[axis] == geometry.xy(o)[axis])
            )
        return [*rows, ()], self._or_last(self.value(ex.args[0]), geometry.size)

    def _or_last(self, space: Value, size: int) -> Value:
        return self.select(self.compare("slt", space, 0), str(size), space)

    def _each_near(self, ex: Near, body: Body) -> None:
        """So many steps away, where the number is known at play only or the grid grows."""
        geometry = self.layout.geometries[ex.space.of]
        here, reach = self.value(ex.of), self.value(ex.reach)
        some, out = self.new_label(), self.new_label("near")
        self.branch(self.compare("slt", here, 0), out, some)
        self.label(some)
        if not geometry.grows:
            flat = [_distance(geometry, a, b) for a in range(geometry.size) for b in range(geometry.size)]
            row = self.op("mul", here, geometry.size)

            def look(space: Value, _: str) -> None:
                yes, no = self.new_label(), self.new_label()
                self.branch(self.compare("sle", self.table(flat, self.add(row, space)), reach), yes, no)
                self.label(yes)
                body(space, out)
                self.label(no)

            self.count_up("0", str(geometry.size), look)
        else:

            def column(dx: Value, _: str) -> None:
                left = self.op("sub", reach, self.most(dx, self.op("sub", 0, dx)))
                base = self.add(here, self.op("mul", dx, GROWN_WIDTH))
                self.count_up(
                    self.op("sub", 0, left), self.add(left, 1), lambda dy, _: body(self.add(base, dy), out)
                )

            self.count_up(self.op("sub", 0, reach), self.add(reach, 1), column)
        self.label(out)

    def each_on_frontier(self, ex: Apply, body: Body, snapshot: bool) -> None:
        """Empty spaces beside something, in order."""
        place = ex.args[0]
        lifted = None
        if len(ex.args) > 1:
            cell = self.layout.comps[place.place_type.of].cell
            lifted = self.number_at(self.add(self.value(ex.args[1]), cell))
        if snapshot:
            room = self._room_of(ex)
            made = self.new_list(room)
            self.each(ex, lambda value, _: self.push(made, value, room))
            self.count_up("0", self.length(made), lambda i, out: body(self.element(made, i), out))
        elif self.geometry(place).grows:
            self._grown_frontier(place, lifted, body)
        else:
            self._bounded_frontier(place, lifted, body)

    def _bounded_frontier(self, place: Ex, lifted: Value | None, body: Body) -> None:
        geometry = self.geometry(place)
        base = self.cells_base(place)

        def taken(space: Value) -> Value:
            full = self.compare("ne", self.number_at(self.add(base, space)), -1)
            return full if lifted is None else self.both(full, self.compare("ne", space, lifted))

        def look(space: Value, out: str) -> None:
            free = self.negate(taken(space))
            beside = "false"
            for direction in ORTHOGONAL:
                there = self.neighbour(geometry, space, str(direction), maybe=False)
                beside = self.either(beside, self.both(self.compare("sge", there, 0), taken(there)))
            yes, no = self.new_label(), self.new_label()
            self.branch(self.both(free, beside), yes, no)
            self.label(yes)
            body(space, out)
            self.label(no)

        self.count_up("0", str(geometry.size), look)

    def _grown_frontier(self, place: Ex, lifted: Value | None, body: Body) -> None:
        """Shifts over the words of occupied rows; the order of x, then y, comes by itself."""
        grid = self.grown(place)
        rows = self.at(grid, GROWN_ROWS)
        gone = None
        if lifted is not None:
            self.fail_if(self.compare("slt", lifted, 0), NONE)
            bit = self.op("shl", 1, self.op("and", lifted, 63))
            gone = self.op("and", self.op("ashr", lifted, 12), 63), self.op("xor", bit, -1)

        def row(x: Value) -> Value:
            column = self.op("and", x, 63)
            word = self.load(self.at(rows, column, "i64"))
            if gone is None:
                return word
            return self.select(self.compare("eq", column, gone[0]), self.op("and", word, gone[1]), word)

        low, high = self.load(grid), self.load(self.at(grid, 8))
        start = self.op("sub", self.load(self.at(grid, 16)), 1)
        done = self.new_label("frontier")

        def column_at(x: Value, _: str) -> None:
            word = row(x)
            near = self.op("or", row(self.op("sub", x, 1)), row(self.add(x, 1)))
            near = self.op("or", near, self.let(f"call i64 @llvm.fshl.i64(i64 {word}, i64 {word}, i64 1)"))
            near = self.op("or", near, self.let(f"call i64 @llvm.fshr.i64(i64 {word}, i64 {word}, i64 1)"))
            near = self.op("and", near, self.op("xor", word, -1))
            by = self.op("and", start, 63)
            near = self.let(f"call i64 @llvm.fshr.i64(i64 {near}, i64 {near}, i64 {by})")
            base = self.add(self.op("shl", x, 12), start)
            self.each_word(near, lambda y, out: body(self.add(base, y), out), done)

        self.count_up(self.op("sub", low, 1), self.add(high, 2), column_at)
        self.label(done)

    def each_word(self, word: Value, body: Body, out: str) -> None:
        from ..program.representations import Bits

        self.each_bit(word, body, Bits(64), out)


def _maybe(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt)
