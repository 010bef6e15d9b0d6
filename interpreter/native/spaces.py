"""Native code: spaces of grids and rings, and grids that grow."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import Apply, Attribute, Coordinate, Ex, Near, PlaceRef, SpaceAt, applies
from ..core import value_types as t
from ..core.facts import state_name
from ..program.layout import GROWN_ORIGIN, GROWN_WIDTH, Geometry, neighbours
from ..python.geometry import _GROWN_STEPS, _around, _distance, _lines
from .builder import Value, constant
from .code import NONE, Unsupported
from .loops import Body
from .memory import GROWN, GROWN_ROWS
from .part import Part, gives

ORTHOGONAL = (0, 2, 4, 6)


class Spaces(Part):
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
            return self.c.value(place)
        key = self.key_of(place)
        base, (count, stride), _ = self.layout.states[f"cells of {key}"]
        if count == 1:
            return str(base)
        first = self.layout.places[key][0]
        return self.c.add(self.c.op("mul", self.c.op("sub", self.c.value(place), first), stride), base)

    def grown(self, place: Ex) -> Value:
        """The address of a grid that grows."""
        key = self.key_of(place)
        return self.grown_at(self.c.value(place), key)

    def grown_at(self, ref: Value, key: str) -> Value:
        number = self.c.add(self.c.op("sub", ref, self.layout.places[key][0]), self.layout.grown[key])
        if constant(number) is None:
            self.c.within(number, self.memory.grid_count)
        return self.c.at("%S", self.c.add(self.c.op("mul", number, GROWN), self.memory.grids))

    @gives("cell")
    def _cell(self, ex: Apply) -> Value:
        place, space = ex.args
        return self.cell(place, self.c.value(space))

    def cell(self, place: Ex, space: Value) -> Value:
        if self.geometry(place).grows:
            spaces = self.c.slot_at(self.layout.comps[place.place_type.of].cell)
            return self.c.call("grown_cell", f"ptr {self.grown(place)}", f"i64 {space}", f"ptr {spaces}")
        if self.c.checked:
            self.c.fail_if(self.c.compare("uge", self.c.add(space, 1), self.geometry(place).size + 1), 15)
        return self.c.number_at(self.c.add(space, self.cells_base(place)))

    @gives("neighbour")
    def _neighbour(self, ex: Apply) -> Value:
        space, direction = ex.args
        return self.neighbour(
            self.geometry(space), self.c.value(space), self.c.value(direction), _maybe(space)
        )

    def neighbour(self, geometry: Geometry, space: Value, direction: Value, maybe: bool) -> Value:
        if geometry.grows:
            moved = self.c.add(space, self.c.table(list(_GROWN_STEPS), direction))
            return self.c.select(self.c.compare("slt", space, 0), "-1", moved) if maybe else moved
        tables = neighbours(geometry)
        fixed = constant(direction)
        if fixed is not None:
            return self.c.table([-1, *tables[fixed][:-1]], self.c.add(space, 1))
        flat = [x for table in tables for x in (-1, *table[:-1])]
        row = self.c.op("mul", direction, geometry.size + 1)
        return self.c.table(flat, self.c.add(row, self.c.add(space, 1)))

    @gives("beyond")
    def _beyond(self, ex: Apply) -> Value:
        comp, direction, place = ex.args
        kind = t.plain(comp.type)
        assert isinstance(kind, t.Comp)
        cell_type = t.Space(self.key_of(place))
        cell = Attribute(cell_type, ex.span, comp, self.game.components[kind.name], "space")
        there = Apply(t.Opt(cell_type), ex.span, "neighbour", (cell, direction))
        return self.cell(place, self.c.value(there))

    @gives("beside")
    def _beside(self, ex: Apply) -> Value:
        place, space = ex.args
        geometry, here, found = self.geometry(place), self.c.value(space), "0"
        for direction in ORTHOGONAL:
            there = self.neighbour(geometry, here, str(direction), maybe=False)
            taken = self.c.compare("sge", self.cell(place, there), 0)
            if not geometry.grows:  # the cell before the first stands for `none`, and is empty
                taken = self.c.both(taken, self.c.compare("sge", there, 0))
            found = self.c.op("or", found, self.c.select(taken, str(1 << direction), "0"))
        return found

    @gives(Coordinate)
    def _coordinate(self, ex: Coordinate) -> Value:
        geometry = self.geometry(ex.of)
        space = self.c.value(ex.of)
        if geometry.grows:
            part = (
                self.c.op("ashr", space, 12) if ex.axis == "x" else self.c.op("and", space, GROWN_WIDTH - 1)
            )
            return self.c.op("sub", part, GROWN_ORIGIN)
        axis = 0 if ex.axis == "x" else 1
        return self.c.table([-1, *(geometry.xy(s)[axis] for s in range(geometry.size))], self.c.add(space, 1))

    @gives(SpaceAt)
    def _space_at(self, ex: SpaceAt) -> Value:
        geometry = self.layout.geometries[ex.space.of]
        x, y = self.c.value(ex.x), self.c.value(ex.y)
        if geometry.grows:
            left = self.c.op("mul", self.c.add(x, GROWN_ORIGIN), GROWN_WIDTH)
            return self.c.add(left, self.c.add(y, GROWN_ORIGIN))
        bad = self.c.either(
            self.c.arithmetic.outside(x, 1, geometry.width), self.c.arithmetic.outside(y, 1, geometry.height)
        )
        self.c.fail_if(bad, NONE)
        return self.c.add(self.c.op("mul", self.c.op("sub", y, 1), geometry.width), self.c.op("sub", x, 1))

    @gives("ring_step")
    def _ring_step(self, ex: Apply) -> Value:
        size = self.geometry(ex.args[0]).size
        left = self.c.let(
            f"srem i64 {self.c.add(self.c.value(ex.args[0]), self.c.value(ex.args[1]))}, {size}"
        )
        return self.c.select(self.c.compare("slt", left, 0), self.c.add(left, size), left)

    @gives("distance")
    def _distance(self, ex: Apply) -> Value:
        geometry = self.geometry(ex.args[0])
        a, b = (self.c.value(part) for part in ex.args)
        if not geometry.grows:
            size = geometry.size
            if size * size > 1_000_000:
                raise Unsupported("distances on so large a board")
            flat = [_distance(geometry, x, y) for x in range(size) for y in range(size)]
            index = self.c.add(self.c.op("mul", a, size), b)
            return self.c.table(flat, index)
        total: Value = "0"
        for name, by in (("ashr", 12), ("and", GROWN_WIDTH - 1)):
            apart = self.c.op("sub", self.c.op(name, a, by), self.c.op(name, b, by))
            total = self.c.add(total, self.c.most(apart, self.c.op("sub", 0, apart)))
        return total

    @gives("rotate")
    def _rotate(self, ex: Apply) -> Value:
        what, turn = ex.args
        by = self.c.op("shl", self.c.value(turn), 1)
        if what.type == t.DIRECTION:
            return self.c.op("and", self.c.add(self.c.value(what), by), 7)
        mask = self.c.sets.set_value(what, self.c.sets.natural(what))
        out = self.c.op("lshr", mask, self.c.op("sub", 8, by))
        return self.c.op("and", self.c.op("or", self.c.op("shl", mask, by), out), 255)

    @gives("opposite")
    def _opposite(self, ex: Apply) -> Value:
        return self.c.op("xor", self.c.value(ex.args[0]), 4)

    # ------------------------------------------------------------ several spaces
    def line_rows(self, space: Ex, length: int) -> Sequence[Sequence[Sequence[int]]]:
        return _lines(self.bounded(self.geometry(space)), length)

    def each_space(self, ex: Ex, body: Body) -> None:
        """Rows of a constant table; its last row is for `none`."""
        if (isinstance(ex, Near) and self.c.exprs.known(ex.reach) is None) or (
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
        first, end = self.c.table(starts, row), self.c.table(starts, self.c.add(row, 1))
        name, bits = self.module.table(flat or [0])
        self.c.loops.count_up(
            first, end, lambda i, out: body(self.c.load_int(self.c.at(name, i, f"i{bits}"), bits), out)
        )

    def _rows(self, ex: Ex) -> tuple[list[tuple[int, ...]], Value]:
        rows: list[tuple[int, ...]] = []
        if applies(ex, "line"):
            space, direction = ex.args
            geometry = self.bounded(self.geometry(space))
            for table in self.module.engine_lines(geometry):
                rows += table
            at = self._or_last(self.c.value(space), geometry.size)
            return rows, self.c.add(self.c.op("mul", self.c.value(direction), geometry.size + 1), at)
        if isinstance(ex, Near):
            geometry, reach = self.layout.geometries[ex.space.of], self.c.exprs.known(ex.reach)
            assert reach is not None
            for o in range(geometry.size):
                near = (s for s in _around(geometry, o, reach) if _distance(geometry, o, s) <= reach)
                rows.append(tuple(near))
            return [*rows, ()], self._or_last(self.c.value(ex.of), geometry.size)
        assert isinstance(ex, Apply)
        geometry = self.bounded(self.geometry(ex.args[0]))
        axis = 1 if ex.op == "row_of" else 0
        for o in range(geometry.size):
            rows.append(
                tuple(s for s in range(geometry.size) if geometry.xy(s)[axis] == geometry.xy(o)[axis])
            )
        return [*rows, ()], self._or_last(self.c.value(ex.args[0]), geometry.size)

    def _or_last(self, space: Value, size: int) -> Value:
        return self.c.select(self.c.compare("slt", space, 0), str(size), space)

    def _each_near(self, ex: Near, body: Body) -> None:
        """So many steps away, where the number is known at play only or the grid grows."""
        geometry = self.layout.geometries[ex.space.of]
        here, reach = self.c.value(ex.of), self.c.value(ex.reach)
        some, out = self.c.new_label(), self.c.new_label("near")
        self.c.branch(self.c.compare("slt", here, 0), out, some)
        self.c.label(some)
        if not geometry.grows:
            flat = [_distance(geometry, a, b) for a in range(geometry.size) for b in range(geometry.size)]
            row = self.c.op("mul", here, geometry.size)

            def look(space: Value, _: str) -> None:
                yes, no = self.c.new_label(), self.c.new_label()
                self.c.branch(
                    self.c.compare("sle", self.c.table(flat, self.c.add(row, space)), reach), yes, no
                )
                self.c.label(yes)
                body(space, out)
                self.c.label(no)

            self.c.loops.count_up("0", str(geometry.size), look)
        else:

            def column(dx: Value, _: str) -> None:
                left = self.c.op("sub", reach, self.c.most(dx, self.c.op("sub", 0, dx)))
                base = self.c.add(here, self.c.op("mul", dx, GROWN_WIDTH))
                self.c.loops.count_up(
                    self.c.op("sub", 0, left),
                    self.c.add(left, 1),
                    lambda dy, _: body(self.c.add(base, dy), out),
                )

            self.c.loops.count_up(self.c.op("sub", 0, reach), self.c.add(reach, 1), column)
        self.c.label(out)

    def each_on_frontier(self, ex: Apply, body: Body, snapshot: bool) -> None:
        """Empty spaces beside something, in order."""
        place = ex.args[0]
        lifted = None
        if len(ex.args) > 1:
            cell = self.layout.comps[place.place_type.of].cell
            lifted = self.c.number_at(self.c.add(self.c.value(ex.args[1]), cell))
        if snapshot:
            room = self.c.lists.room_of(ex)
            made = self.c.lists.new_list(room)
            self.c.loops.each(ex, lambda value, _: self.c.lists.push(made, value, room))
            self.c.loops.count_up(
                "0", self.c.lists.length(made), lambda i, out: body(self.c.lists.element(made, i), out)
            )
        elif self.geometry(place).grows:
            self._grown_frontier(place, lifted, body)
        else:
            self._bounded_frontier(place, lifted, body)

    def _bounded_frontier(self, place: Ex, lifted: Value | None, body: Body) -> None:
        geometry = self.geometry(place)
        base = self.cells_base(place)

        def taken(space: Value) -> Value:
            full = self.c.compare("ne", self.c.number_at(self.c.add(base, space)), -1)
            return full if lifted is None else self.c.both(full, self.c.compare("ne", space, lifted))

        def look(space: Value, out: str) -> None:
            free = self.c.negate(taken(space))
            beside = "false"
            for direction in ORTHOGONAL:
                there = self.neighbour(geometry, space, str(direction), maybe=False)
                beside = self.c.either(beside, self.c.both(self.c.compare("sge", there, 0), taken(there)))
            yes, no = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.both(free, beside), yes, no)
            self.c.label(yes)
            body(space, out)
            self.c.label(no)

        self.c.loops.count_up("0", str(geometry.size), look)

    def _grown_frontier(self, place: Ex, lifted: Value | None, body: Body) -> None:
        """Shifts over the words of occupied rows; the order of x, then y, comes by itself."""
        grid = self.grown(place)
        rows = self.c.at(grid, GROWN_ROWS)
        gone = None
        if lifted is not None:
            self.c.fail_if(self.c.compare("slt", lifted, 0), NONE)
            bit = self.c.op("shl", 1, self.c.op("and", lifted, 63))
            gone = self.c.op("and", self.c.op("ashr", lifted, 12), 63), self.c.op("xor", bit, -1)

        def row(x: Value) -> Value:
            column = self.c.op("and", x, 63)
            word = self.c.load(self.c.at(rows, column, "i64"))
            if gone is None:
                return word
            return self.c.select(self.c.compare("eq", column, gone[0]), self.c.op("and", word, gone[1]), word)

        low, high = self.c.load(grid), self.c.load(self.c.at(grid, 8))
        start = self.c.op("sub", self.c.load(self.c.at(grid, 16)), 1)
        done = self.c.new_label("frontier")

        def column_at(x: Value, _: str) -> None:
            word = row(x)
            near = self.c.op("or", row(self.c.op("sub", x, 1)), row(self.c.add(x, 1)))
            near = self.c.op(
                "or", near, self.c.let(f"call i64 @llvm.fshl.i64(i64 {word}, i64 {word}, i64 1)")
            )
            near = self.c.op(
                "or", near, self.c.let(f"call i64 @llvm.fshr.i64(i64 {word}, i64 {word}, i64 1)")
            )
            near = self.c.op("and", near, self.c.op("xor", word, -1))
            by = self.c.op("and", start, 63)
            near = self.c.let(f"call i64 @llvm.fshr.i64(i64 {near}, i64 {near}, i64 {by})")
            base = self.c.add(self.c.op("shl", x, 12), start)
            self.each_word(near, lambda y, out: body(self.c.add(base, y), out), done)

        self.c.loops.count_up(self.c.op("sub", low, 1), self.c.add(high, 2), column_at)
        self.c.label(done)

    def each_word(self, word: Value, body: Body, out: str) -> None:
        from ..program.representations import Bits

        self.c.loops.each_bit(word, body, Bits(64), out)


def _maybe(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt)
