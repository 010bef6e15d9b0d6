"""The Python back end, part 2: reading states, places, components and spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..core import (
    Apply,
    Attribute,
    Coordinate,
    Ex,
    Field,
    Local,
    Near,
    OwnedPiece,
    PlaceDecl,
    PlaceIs,
    PlaceRef,
    RecordField,
    Rows,
    SpaceAt,
    StateRef,
    TotalComponents,
    TotalTokens,
    Var,
    applies,
)
from ..core import value_types as t
from ..core.work import TABLE, TooMuch
from ..program.layout import GROWN_WIDTH, Geometry, Layout, neighbours
from .emitting import writes_value

if TYPE_CHECKING:
    from ...grammar import Span

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


class GeometryEmitter:
    layout: Layout
    pool: Any
    game: Any
    env: dict[str, str]

    def emit(self, ex: Ex) -> str:
        raise NotImplementedError

    def condition(self, ex: Ex) -> str:
        raise NotImplementedError

    def atom(self, ex: Ex) -> str:
        raise NotImplementedError

    def known(self, ex: Ex) -> int | None:
        raise NotImplementedError

    def line(self, text: str) -> None:
        raise NotImplementedError

    def temp(self, prefix: str = "t") -> str:
        raise NotImplementedError

    def iterable(self, ex: Ex) -> str:
        raise NotImplementedError

    def fail(self, code: str, span: Span, *values: str) -> str:
        raise NotImplementedError

    # ------------------------------------------------------------ states
    def offset(
        self, base: int, args: tuple[Ex, ...], sizes: tuple[int, ...], lows: tuple[int, ...], stride: int = 1
    ) -> str:
        """`base` plus the place of the indices, constants folded."""
        fixed, parts = base, []
        for arg, size, low in zip(reversed(args), reversed(sizes), reversed(lows), strict=True):
            value = self.known(arg)
            if value is not None:
                fixed += (value - low) * stride
            else:
                code = self.emit(arg)
                parts.append(code if stride == 1 else f"{code} * {stride}")
                fixed -= low * stride
            stride *= size
        parts.reverse()
        if not parts:
            return str(fixed)
        if fixed == 0:
            return " + ".join(parts)
        return f"{fixed} + {' + '.join(parts)}" if fixed > 0 else f"{' + '.join(parts)} - {-fixed}"

    def state_key(self, decl: Any) -> str:
        return f"{decl.owner}.{decl.name}" if decl.owner else decl.name

    def state_slot(self, ex: Ex) -> str:
        """The index in `I` of a state or record field."""
        if isinstance(ex, RecordField):
            decl, name = (ex.record, ex.name)
            _, limit, fields = self.layout.records[decl.name]
            base, sizes, lows = fields[name]
            return self.offset(base, ex.indices, (limit, *sizes), (0, *lows))
        assert isinstance(ex, StateRef)
        base, sizes, lows = self.layout.states[self.state_key(ex.state)]
        return self.offset(base, ex.indices, sizes, lows)

    @writes_value(StateRef)
    def x_state(self, ex: StateRef) -> str:
        doubtful = [i for i, a in enumerate(ex.indices) if isinstance(a.type, t.Opt)]
        if not doubtful:
            return f"I[{self.state_slot(ex)}]"
        names = {i: self.atom(ex.indices[i]) for i in doubtful}
        slot = self.state_slot(ex)
        test = " and ".join(f"{name} >= 0" for name in names.values())
        return f"(I[{slot}] if {test} else -1)"

    @writes_value(RecordField)
    def x_rec_field(self, ex: RecordField) -> str:
        decl, name = (ex.record, ex.name)
        sizes = self.layout.records[decl.name][2][name][1]
        if len(ex.indices) == 1 and sizes:
            width = 1
            for size in sizes:
                width *= size
            start = self.temp()
            base, _, _ = self.layout.records[decl.name][2][name]
            self.line(f"{start} = {base} + {self.emit(ex.indices[0])} * {width}")
            return f"tuple(I[{start}:{start} + {width}])"
        return f"I[{self.state_slot(ex)}]"

    @writes_value(Rows)
    def x_rec_rows(self, ex: Rows) -> str:
        count, _, _ = self.layout.records[ex.record.name]
        return f"tuple(range(I[{count}]))"

    @writes_value("array_at")
    def x_array_at(self, ex: Apply) -> str:
        """A cell of a vector value; nested indexing is folded into one."""
        chain: list[Ex] = []
        node: Ex = ex
        while applies(node, "array_at"):
            chain.append(node.args[1])
            node = node.args[0]
        chain.reverse()
        assert isinstance(node.type, t.Array)
        index = node.type.index
        sizes = tuple(self.layout.size(i) for i in index)
        lows = tuple(self.layout.low(i) for i in index)
        return f"{self.emit(node)}[{self.offset(0, tuple(chain), sizes, lows)}]"

    # ------------------------------------------------------------ places
    def place_key(self, decl: PlaceDecl) -> str:
        return f"{decl.owner}.{decl.name}" if decl.owner else decl.name

    @writes_value(PlaceRef)
    def x_place(self, ex: PlaceRef) -> str:
        decl: PlaceDecl = ex.place
        base, sizes, lows, stride = self.layout.places[self.place_key(decl)]
        code = self.offset(base, self.groups_for(decl, ex.indices), sizes, lows, stride)
        return code if code.isdigit() else f"({code})"

    def groups_for(self, decl: PlaceDecl, args: tuple[Ex, ...]) -> tuple[Ex, ...]:
        """The indices of a place, with the group of its owner if the group shares it."""
        if not decl.per:
            return args
        groups = self.pool.const("TEAM", self.layout.groups[decl.per])
        owner = self.player_written(f"{groups}[{self.condition(args[0])}]", args[0].span)
        return (owner, *args[1:])

    def player_written(self, code: str, span: Span) -> Local:
        """A player whose code is there already, as a name that stands for it."""
        var = Var("player", f"written {code}", t.PLAYER)
        self.env[var.uid] = code
        return Local(t.PLAYER, span, var)

    @writes_value(PlaceIs)
    def x_place_is(self, ex: PlaceIs) -> str:
        base, sizes, _, stride = self.layout.places[self.place_key(ex.place)]
        count = stride
        for size in sizes:
            count *= size
        return f"({base} <= {self.emit(ex.of)} < {base + count})"

    @writes_value("size")
    def x_size(self, ex: Apply) -> str:
        (place,) = ex.args
        of = place.place_type.of
        if of in self.game.tokens:
            kinds = len(self.game.kinds[of].values)
            if place.place_type.form.cells:
                ref = self.atom(place)
                cells = self.geometry(place).size if not place.place_type.form.single else 1
                return f"({cells} - I[{ref}:{ref} + {cells}].count(-1))"
            code = self.emit(place)
            if kinds == 1:
                return f"I[{code}]"
            if code.isdigit():
                return f"sum(I[{code}:{int(code) + kinds}])"
            name = self.temp()
            self.line(f"{name} = {code}")
            return f"sum(I[{name}:{name} + {kinds}])"
        if place.place_type.form.hidden:
            name = self.atom(place)
            return f"(len(L[{name}]) + len(L[{name} + 1]) + len(L[{name} + 2]) + len(L[{name} + 5]))"
        return f"len(L[{self.condition(place)}])"

    @writes_value("empty")
    def x_empty(self, ex: Apply) -> str:
        (place,) = ex.args
        tokens = place.place_type.of in self.game.tokens
        if tokens and not place.place_type.form.cells:
            kinds = range(len(self.game.kinds[place.place_type.of].values))
            if len(kinds) == 1:
                return f"(not I[{self.emit(place)}])"
            base = self.atom(place)
            cells = [f"I[{int(base) + k}]" if base.isdigit() else f"I[{base} + {k}]" for k in kinds]
            return f"(not ({' or '.join(cells)}))" if len(cells) <= 8 else f"(not {self.x_size(ex)})"
        if tokens or place.place_type.form.hidden:
            return f"(not {self.x_size(ex)})"
        return f"(not L[{self.condition(place)}])"

    @writes_value("tally")
    def x_tally(self, ex: Apply) -> str:
        place, kind = ex.args
        if place.place_type.form.cells:
            ref = self.atom(place)
            cells = self.geometry(place).size if not place.place_type.form.single else 1
            return f"I[{ref}:{ref} + {cells}].count({self.emit(kind)})"
        ref, value = self.emit(place), self.known(kind)
        if ref.isdigit() and value is not None:
            return f"I[{int(ref) + value}]"
        return f"I[{ref} + {self.emit(kind)}]"

    @writes_value("slot_kind")
    def x_slot_kind(self, ex: Apply) -> str:
        return f"I[{self.condition(ex.args[0])}]"

    @writes_value(TotalTokens)
    def x_total_token(self, ex: TotalTokens) -> str:
        """All tokens at the table, counted over every place: what an invariant asks for."""
        (kind,) = (ex.kind,)
        name = ex.token
        kinds = len(self.game.kinds[name].values)
        terms = []
        for key, place in self.game.places.items():
            if not place.tokens or place.of != name:
                continue
            geometry = self.layout.geometries.get(key)
            for instance in self.layout.instances[key]:
                ref = instance.ref
                if geometry is not None or place.form.single:
                    cells = geometry.size if geometry is not None else 1
                    if kind is None:
                        terms.append(f"{cells} - I[{ref}:{ref + cells}].count(-1)")
                    else:
                        terms.append(f"I[{ref}:{ref + cells}].count({self.emit(kind)})")
                elif kind is None:
                    terms.append(f"sum(I[{ref}:{ref + kinds}])")
                else:
                    terms.append(f"I[{ref} + {self.emit(kind)}]")
        return f"({' + '.join(terms)})"

    @writes_value(TotalComponents)
    def x_total_comp(self, ex: TotalComponents) -> str:
        terms = []
        for key, place in self.game.places.items():
            if not place.tokens and place.of == ex.component:
                lists = place.form.lists
                terms += [f"len(L[{i.ref + n}])" for i in self.layout.instances[key] for n in lists]
        return f"({' + '.join(terms)})"

    def contents(self, place: Ex) -> str:
        if place.place_type.form.hidden:
            name = self.atom(place)
            return f"[*L[{name} + 1][::-1], *L[{name}], *L[{name} + 5], *L[{name} + 2]]"
        return f"L[{self.condition(place)}]"

    @writes_value("top")
    def x_top(self, ex: Apply) -> str:
        (place,) = ex.args
        if place.place_type.form.hidden:
            return f"deck_top(L, {self.condition(place)})"
        name = self.atom(place)
        index = "0" if place.place_type.form.single else "-1"
        return f"(L[{name}][{index}] if L[{name}] else -1)"

    @writes_value("bottom")
    def x_bottom(self, ex: Apply) -> str:
        (place,) = ex.args
        if place.place_type.form.hidden:
            return f"deck_bottom(L, {self.condition(place)})"
        name = self.atom(place)
        return f"(L[{name}][0] if L[{name}] else -1)"

    @writes_value("nth")
    def x_nth(self, ex: Apply) -> str:
        place, index = ex.args
        whole, number = self.temp(), self.atom(index)
        self.line(f"{whole} = {self.contents(place)}")
        return f"({whole}[{number} - 1] if 0 < {number} <= len({whole}) else -1)"

    @writes_value("is_at")
    def x_is_at(self, ex: Apply) -> str:
        comp, place = ex.args
        where = self.layout.comps[place.place_type.of].where
        if isinstance(comp.type, t.Opt):
            name = self.atom(comp)
            return f"({name} >= 0 and I[{where} + {name}] == {self.emit(place)})"
        return f"(I[{where} + {self.emit(comp)}] == {self.emit(place)})"

    @writes_value("peek_need")
    def x_peek_need(self, ex: Apply) -> str:
        place, amount = ex.args
        name = self.atom(place)
        size = self.x_size(Apply(ex.type, ex.span, "size", (place,)))
        return f"max(0, min({self.emit(amount)}, {size}) - len(L[{name} + 1]))"

    # ------------------------------------------------------------ components
    @writes_value(Field)
    def x_field(self, ex: Field) -> str:
        decl, name = (ex.component, ex.name)
        column = self.pool.column(decl.name, name)
        return f"{column}[{self.condition(ex.of)}]"

    @writes_value(OwnedPiece)
    def x_owned_piece(self, ex: OwnedPiece) -> str:
        return self.emit(ex.player)

    def _comp_slot(self, base: int, ex: Attribute) -> str:
        value = self.known(ex.of)
        if value is not None:
            return f"I[{base + value}]"
        if isinstance(ex.of.type, t.Opt):
            name = self.atom(ex.of)
            return f"(I[{base} + {name}] if {name} >= 0 else -1)"
        return f"I[{base} + {self.emit(ex.of)}]"

    @writes_value(Attribute)
    def x_attribute(self, ex: Attribute) -> str:
        slots = self.layout.comps[ex.component.name]
        match ex.name:
            case "on":
                return self._comp_slot(slots.on, ex)
            case "place":
                return self._comp_slot(slots.where, ex)
            case "space":
                return self._comp_slot(slots.cell, ex)
            case "turned":
                return self._comp_slot(slots.turned, ex)
            case "owner":
                return self._owner(ex)

    def _owner(self, ex: Attribute) -> str:
        layout = self.layout
        if ex.component.piece:
            return self.emit(ex.of)
        owners = tuple(layout.place_owner.get(ref, -1) for ref in range(len(layout.lists)))
        table = self.pool.const("OWNER", (*owners, -1))
        return f"{table}[{self._comp_slot(layout.comps[ex.component.name].where, ex)}]"

    # ------------------------------------------------------------ spaces
    def geometry(self, ex: Ex) -> Geometry:
        """Of a place, or of an expression of spaces."""
        type_ = t.plain(ex.type)
        if isinstance(type_, t.Space):
            return self.layout.geometries[type_.of]
        return self.layout.geometries[self.key_of(ex)]

    def key_of(self, place: Ex) -> str:
        assert isinstance(place, PlaceRef)
        return self.place_key(place.place)

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
            table = tuple(
                tuple(s for s in _around(geometry, o, reach) if _distance(geometry, o, s) <= reach)
                for o in range(geometry.size)
            )
            return f"{self.pool.const('NEAR', (*table, ()))}[{self.condition(ex.of)}]"
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
