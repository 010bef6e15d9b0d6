"""The Python back end: spaces of grids and rings, what is beside them and how far."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..core import (
    Apply,
    Attribute,
    Coordinate,
    Ex,
    Near,
    PlaceRef,
    SpaceAt,
)
from ..core import value_types as t
from ..core.work import TABLE, TooMuch
from ..program.layout import GROWN_WIDTH, Geometry, neighbours
from .part import Part, writes_value

_GROWN_STEPS = (
    1,
    GROWN_WIDTH + 1,
    GROWN_WIDTH,
    GROWN_WIDTH - 1,
    -1,
    -GROWN_WIDTH - 1,
    -GROWN_WIDTH,
    -GROWN_WIDTH + 1,
)


class Spaces(Part):
    # ------------------------------------------------------------ spaces
    def geometry(self, ex: Ex) -> Geometry:
        """Of a place, or of an expression of spaces."""
        type_ = t.plain(ex.type)
        if isinstance(type_, t.Space):
            return self.layout.geometries[type_.of]
        return self.layout.geometries[self.key_of(ex)]

    def key_of(self, place: Ex) -> str:
        assert isinstance(place, PlaceRef)
        return self.c.holdings.place_key(place.place)

    def cells_base(self, place: Ex) -> str:
        """Where the cells of a bounded grid start in `I`."""
        if place.place_type.of in self.game.tokens:
            return self.emit(place)
        key = self.key_of(place)
        base, (count, stride), _ = self.layout.states[f"cells of {key}"]
        if count == 1:
            return str(base)
        first = self.layout.places[key][0]
        value = self.emit(place)
        if value.isdigit():
            return str(base + (int(value) - first) * stride)
        return f"({value} * {stride} + {base - first * stride})".replace("+ -", "- ")

    def grown(self, place: Ex) -> str:
        key = self.key_of(place)
        first = self.layout.places[key][0]
        start = self.layout.grown[key]
        value = self.emit(place)
        return f"G[{int(value) - first + start}]" if value.isdigit() else f"G[{value} - {first - start}]"

    @writes_value("cell")
    def x_cell(self, ex: Apply) -> str:
        place, space = ex.args
        if self.geometry(place).grows:
            return f"{self.grown(place)}.cells.get({self.condition(space)}, -1)"
        base = self.cells_base(place)
        value = self.known(space)
        if base.isdigit() and value is not None:
            return f"I[{int(base) + value}]"
        return f"I[{base} + {self.emit(space)}]"

    @writes_value("neighbour")
    def x_neighbour(self, ex: Apply) -> str:
        space, direction = ex.args
        geometry = self.geometry(space)
        step = self.known(direction)
        if geometry.grows:
            move = (
                str(_GROWN_STEPS[step])
                if step is not None
                else f"{self.pool.const('STEP', _GROWN_STEPS)}[{self.condition(direction)}]"
            )
            if isinstance(space.type, t.Opt):
                name = self.atom(space)
                return f"({name} + {move} if {name} >= 0 else -1)"
            return f"({self.emit(space)} + {move})"
        tables = tuple(neighbours(geometry))
        if step is not None:
            return f"{self.pool.const('NEXT', tables[step])}[{self.condition(space)}]"
        return f"{self.pool.const('NEXT', tables)}[{self.condition(direction)}][{self.condition(space)}]"

    @writes_value("line")
    def x_line(self, ex: Apply) -> str:
        space, direction = ex.args
        geometry = self.geometry(space)
        step = self.known(direction)
        tables = self.pool.lines(geometry)
        if step is not None:
            return f"{self.pool.const('LINE', tables[step])}[{self.condition(space)}]"
        return f"{self.pool.const('LINE', tables)}[{self.condition(direction)}][{self.condition(space)}]"

    @writes_value("lines")
    def x_lines(self, ex: Apply) -> str:
        """For each space, the other spaces of every straight line of n spaces through it."""
        geometry = self.geometry(ex.args[0])
        length = self.known(ex.args[1])
        if length is None:
            tables = self.pool.const(
                "LINES", tuple(_lines(geometry, n) for n in range(max(geometry.width, geometry.height) + 1))
            )
            return f"{tables}[{self.condition(ex.args[1])}][{self.condition(ex.args[0])}]"
        return f"{self.pool.const('LINES', _lines(geometry, length))}[{self.condition(ex.args[0])}]"

    @writes_value("row_of")
    def x_row_of(self, ex: Apply) -> str:
        geometry = self.geometry(ex.args[0])
        rows = tuple(
            tuple(s for s in range(geometry.size) if geometry.xy(s)[1] == geometry.xy(o)[1])
            for o in range(geometry.size)
        )
        return f"{self.pool.const('ROW', (*rows, ()))}[{self.condition(ex.args[0])}]"

    @writes_value("column_of")
    def x_column_of(self, ex: Apply) -> str:
        geometry = self.geometry(ex.args[0])
        rows = tuple(
            tuple(s for s in range(geometry.size) if geometry.xy(s)[0] == geometry.xy(o)[0])
            for o in range(geometry.size)
        )
        return f"{self.pool.const('COLUMN', (*rows, ()))}[{self.condition(ex.args[0])}]"

    @writes_value(Coordinate)
    def x_coordinate(self, ex: Coordinate) -> str:
        axis = 0 if ex.axis == "x" else 1
        geometry = self.geometry(ex.of)
        if geometry.grows:
            inner = self.emit(ex.of)
            return f"({inner} // {GROWN_WIDTH} - 2048)" if axis == 0 else f"({inner} % {GROWN_WIDTH} - 2048)"
        table = tuple(geometry.xy(s)[axis] for s in range(geometry.size))
        return f"{self.pool.const('XY', (*table, -1))}[{self.condition(ex.of)}]"

    @writes_value(SpaceAt)
    def x_space_at(self, ex: SpaceAt) -> str:
        geometry = self.layout.geometries[ex.space.of]
        x, y = (ex.x, ex.y)
        known_x, known_y = self.known(x), self.known(y)
        if (
            known_x is not None
            and known_y is not None
            and (geometry.grows or geometry.space(known_x, known_y) >= 0)
        ):
            return str(geometry.space(known_x, known_y))
        if geometry.grows:
            return f"(({self.emit(x)} + 2048) * {GROWN_WIDTH} + {self.emit(y)} + 2048)"
        return f"space_at({self.emit(x)}, {self.emit(y)}, {geometry.width}, {geometry.height}, {self.pool.span(ex.span)})"

    @writes_value("ring_step")
    def x_ring_step(self, ex: Apply) -> str:
        geometry = self.geometry(ex.args[0])
        return f"(({self.emit(ex.args[0])} + {self.emit(ex.args[1])}) % {geometry.size})"

    @writes_value(Near)
    def x_near(self, ex: Near) -> str:
        geometry = self.layout.geometries[ex.space.of]
        if geometry.grows:
            return f"near_grown({self.emit(ex.of)}, {self.emit(ex.reach)})"
        reach = self.known(ex.reach)
        self._bound_table(geometry, geometry.size if reach is None else (2 * reach + 1) ** 2, ex)
        if reach is not None:
            around = tuple(
                tuple(s for s in _around(geometry, o, reach) if _distance(geometry, o, s) <= reach)
                for o in range(geometry.size)
            )
            return f"{self.pool.const('NEAR', (*around, ()))}[{self.condition(ex.of)}]"
        table = self.pool.const("FAR", self._distances(geometry))
        name, limit = self.atom(ex.of), self.atom(ex.reach)
        return f"tuple([s for s in range({geometry.size}) if {table}[{name}][s] <= {limit}])"

    def _bound_table(self, geometry: Geometry, each: int, ex: Ex) -> None:
        """A table from every space to those around it has a bound."""
        entries = geometry.size * min(geometry.size, each)
        if entries > TABLE:
            message = f"from {geometry.size:,} spaces this reaches {entries:,} pairs, which is too much"
            raise TooMuch(message, ex.span, "a smaller board, or a shorter reach")

    def _distances(self, geometry: Geometry) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(_distance(geometry, a, b) for b in range(geometry.size)) for a in range(geometry.size)
        )

    @writes_value("distance")
    def x_distance(self, ex: Apply) -> str:
        geometry = self.geometry(ex.args[0])
        a, b = (self.emit(x) for x in ex.args)
        if geometry.grows:
            return f"grown_distance({a}, {b})"
        self._bound_table(geometry, geometry.size, ex)
        return f"{self.pool.const('FAR', self._distances(geometry))}[{a}][{b}]"

    @writes_value("rotate")
    def x_rotate(self, ex: Apply) -> str:
        what, turn = ex.args
        if what.type == t.DIRECTION:
            return f"(({self.emit(what)} + 2 * {self.emit(turn)}) & 7)"
        return f"ROTATED[{self.condition(turn)}][{self.condition(what)}]"

    @writes_value("opposite")
    def x_opposite(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} ^ 4)"

    @writes_value("beside")
    def x_beside(self, ex: Apply) -> str:
        place, space = ex.args
        if self.geometry(place).grows:
            return f"beside_grown({self.grown(place)}, {self.emit(space)})"
        tables = self.pool.const("NEXT", tuple(neighbours(self.geometry(place))))
        return f"beside({tables}, I, {self.cells_base(place)}, {self.emit(space)})"

    @writes_value("beyond")
    def x_beyond(self, ex: Apply) -> str:
        comp, direction, place = ex.args
        kind = t.plain(comp.type)
        assert isinstance(kind, t.Comp)
        cell = Attribute(t.Space(self.key_of(place)), ex.span, comp, self.game.components[kind.name], "space")
        step = Apply(t.Opt(cell.type), ex.span, "neighbour", (cell, direction))
        return self.x_cell(Apply(ex.type, ex.span, "cell", (place, step)))

    @writes_value("frontier")
    def x_frontier(self, ex: Apply) -> str:
        place = ex.args[0]
        without = self.emit(ex.args[1]) if len(ex.args) > 1 else None
        if self.geometry(place).grows:
            if without is not None:
                cell = self.layout.comps[place.place_type.of].cell
                return f"frontier_without({self.grown(place)}, I[{cell} + {without}])"
            return f"frontier({self.grown(place)})"
        tables = self.pool.const("NEXT", tuple(neighbours(self.geometry(place))))
        size = self.geometry(place).size
        lifted = ""
        if without is not None:
            lifted = f", I[{self.layout.comps[place.place_type.of].cell} + {without}]"
        return f"bounded_frontier({tables}, I, {self.cells_base(place)}, {size}{lifted})"


def _lines(geometry: Geometry, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    tables = neighbours(geometry)
    out: list[list[tuple[int, ...]]] = [[] for _ in range(geometry.size + 1)]
    for direction in range(4):
        for start in range(geometry.size):
            line, space = [start], tables[direction][start]
            while space >= 0 and space != start and len(line) < length:
                line.append(space)
                space = tables[direction][space]
            if len(line) == length:
                for member in line:
                    out[member].append(tuple(s for s in line if s != member))
    return tuple(tuple(rows) for rows in out)


_LOOKUP = re.compile(r"\bG\[(\d+)\]\.cells\.get\(")


WORTH_NAMING = 4


def with_lookups(lines: list[str]) -> list[str]:
    """A function that looks up many spaces of a growing grid names the way to do so once."""
    found = [match[1] for line in lines for match in _LOOKUP.finditer(line)]
    named = {grid for grid in found if found.count(grid) >= WORTH_NAMING}
    start = next((n for n, line in enumerate(lines) if line.strip() == "G = S.G"), None)
    if not named or start is None:
        return lines
    heads = [f"    at{grid} = G[{grid}].cells.get" for grid in sorted(named)]
    rest = [
        _LOOKUP.sub(lambda m: f"at{m[1]}(" if m[1] in named else m[0], line) for line in lines[start + 1 :]
    ]
    return [*lines[: start + 1], *heads, *rest]


def _around(geometry: Geometry, space: int, reach: int) -> Iterable[int]:
    """The spaces that may be within reach, in order."""
    if geometry.ring or geometry.grows:
        return range(geometry.size)
    x, y = geometry.xy(space)
    rows = range(max(1, y - reach), min(geometry.height, y + reach) + 1)
    columns = range(max(1, x - reach), min(geometry.width, x + reach) + 1)
    return (geometry.space(column, row) for row in rows for column in columns)


def _distance(geometry: Geometry, a: int, b: int) -> int:
    if geometry.ring:
        return min((a - b) % geometry.size, (b - a) % geometry.size)
    (ax, ay), (bx, by) = geometry.xy(a), geometry.xy(b)
    return abs(ax - bx) + abs(ay - by)
