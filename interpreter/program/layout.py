"""Where everything lies in the flat state, for one number of players and one set of options.

A state owns three kinds of plain data:

- `I`, a list of whole numbers: states, token counts, cells of bounded grids,
  and for each component where it is, its space, rotation and what it stands on;
- `L`, a list of lists of component ids, one for each place that holds
  components: bags and grids sorted, rows and stacks in order. A deck has eight:
  the part whose order nobody knows (sorted), the known top and the known bottom
  (outermost last), a mask of viewers for each card of these two, the cards that
  were put at a known depth into the unknown part (uppermost first), how many
  unknown cards lie above each, and a mask of viewers for each;
- `G`, for grids that grow, a dictionary from space to component each.

`none` is -1 everywhere. Places of tokens are referred to by the offset of their
counts in `I`, places of components by their index in `L`.
"""

from __future__ import annotations

import itertools
from typing import Any

from attrs import Factory, define, frozen

from ..check.constants import Constants
from ..core import CheckedGame, CompDecl, PlaceDecl, RecordDecl, StateDecl
from ..core import value_types as t

DECK_LISTS = 8
GROWN_WIDTH = 4096  # spaces of a growing grid are (x + 2048) * 4096 + (y + 2048)
GROWN_ORIGIN = 2048


@frozen
class PlaceInstance:
    """One place at the table: `my.hand` of seat 2, say."""

    decl: PlaceDecl
    ref: int  # how the program refers to it
    keys: tuple[int, ...]  # owner and indices
    owner: int  # seat from 0, or -1


@define(eq=False)
class CompLayout:
    decl: CompDecl
    count: int
    rows: list[int]  # the row of each component
    columns: dict[str, tuple[int, ...]]
    where: int = -1
    cell: int = -1
    turned: int = -1
    on: int = -1


@define(eq=False)
class Geometry:
    """The spaces of a grid or ring."""

    key: str
    width: int
    height: int
    ring: bool
    grows: bool

    @property
    def size(self) -> int:
        return self.width * self.height

    def xy(self, space: int) -> tuple[int, int]:
        """Coordinates as people count them: from 1, or from the first tile of a growing grid."""
        if self.grows:
            return space // GROWN_WIDTH - GROWN_ORIGIN, space % GROWN_WIDTH - GROWN_ORIGIN
        return space % self.width + 1, space // self.width + 1

    def space(self, x: int, y: int) -> int:
        if self.grows:
            return (x + GROWN_ORIGIN) * GROWN_WIDTH + y + GROWN_ORIGIN
        return (y - 1) * self.width + x - 1 if 1 <= x <= self.width and 1 <= y <= self.height else -1


_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def neighbours(geometry: Geometry) -> list[tuple[int, ...]]:
    """For each direction, the neighbour of each space; the last entry is for `none`."""
    out = []
    for dx, dy in _STEPS:
        row = []
        for space in range(geometry.size):
            x, y = geometry.xy(space)
            if geometry.ring:
                row.append((space + dx) % geometry.size if dy == 0 else -1)
            else:
                row.append(geometry.space(x + dx, y + dy))
        out.append((*row, -1))
    return out


@define(eq=False)
class Layout:
    game: CheckedGame
    players: int
    options: dict[str, int]
    constants: Constants
    initial: list[int] = Factory(list)
    lists: list[list[int]] = Factory(list)
    states: dict[str, tuple[int, tuple[int, ...], tuple[int, ...]]] = Factory(dict)  # offset, sizes, lows
    places: dict[str, tuple[int, tuple[int, ...], tuple[int, ...], int]] = Factory(dict)  # + stride
    comps: dict[str, CompLayout] = Factory(dict)
    records: dict[str, tuple[int, int, dict[str, tuple[int, tuple[int, ...], tuple[int, ...]]]]] = Factory(
        dict
    )
    grants: dict[str, int] = Factory(dict)  # offset of the extra viewers of a shown place or state
    geometries: dict[str, Geometry] = Factory(dict)
    grown: dict[str, int] = Factory(dict)  # growing grids: first index in `G`
    grown_count: int = 0
    instances: dict[str, list[PlaceInstance]] = Factory(dict)
    groups: dict[str, tuple[int, ...]] = Factory(dict)  # partition -> group of each seat
    place_owner: dict[int, int] = Factory(dict)  # L index -> seat
    indexed: dict[str, int] = Factory(dict)  # token grids: lists of the spaces of each kind, in `L`

    actions: int = -1  # how many actions of menus are under way, if a state lasts until one ends

    ACTIVE = 0
    TURN = 1

    def reserve(self, values: list[int]) -> int:
        offset = len(self.initial)
        self.initial += values
        return offset

    def size(self, type_: t.Type) -> int:
        match type_:
            case t.Num(low, high):
                return high - low + 1
            case t.Kind(name):
                return len(self.game.kinds[name].values)
            case t.Player():
                return self.players
            case t.YesNo():
                return 2
            case t.Comp(name):
                return self.comps[name].count
            case t.Space(of):
                return self.geometries[of].size
            case t.Rec(name):
                return self.records[name][1]
            case t.Opt(of):
                return self.size(of)
        raise AssertionError(type_)

    def low(self, type_: t.Type) -> int:
        return type_.low if isinstance(type_, t.Num) else 0

    def universe(self, type_: t.Type) -> range:
        low = self.low(type_)
        return range(low, low + self.size(type_))


def lay_out(
    game: CheckedGame, players: int, options: dict[str, int], shown: set[str], searched: set[str]
) -> Layout:
    """`shown` names the places and states that are ever shown or revealed, `searched` the grids of
    tokens that are searched by kind, for which the spaces of each kind are kept at hand."""
    constants = Constants(game, players, options)
    layout = Layout(game, players, options, constants)
    layout.reserve([-1, 0])
    if any(state.until == "action" for state in game.states.values()):
        layout.actions = layout.reserve([0])
    _geometries(layout)
    _groups(layout)
    _components(layout)
    for name, record in game.records.items():
        _record(layout, name, record)
    for key, place in game.places.items():
        _place(layout, key, place)
    for key, state in game.states.items():
        _state(layout, key, state)
    for key in sorted(searched):
        layout.indexed[key] = len(layout.lists)
        layout.lists += [[] for _ in game.kinds[game.places[key].of].values]
    for key in sorted(shown):
        count = len(layout.instances[key]) if key in layout.instances else _product(layout.states[key][1])
        layout.grants[key] = layout.reserve([0] * count)
    return layout


def _geometries(layout: Layout) -> None:
    for key, place in layout.game.places.items():
        if not place.form.spaces:
            continue
        if place.width is None:
            layout.geometries[key] = Geometry(key, 0, 0, ring=False, grows=True)
            continue
        width = layout.constants.evaluate(place.width)
        height = layout.constants.evaluate(place.height) if place.height is not None else 1
        layout.geometries[key] = Geometry(key, width, height, place.form.round, grows=False)


def _groups(layout: Layout) -> None:
    for name, partition in layout.game.partitions.items():
        values = [
            layout.constants.evaluate(partition.by, {partition.var.uid: seat})
            for seat in range(1, layout.players + 1)
        ]
        order = list(dict.fromkeys(values))
        layout.groups[name] = tuple(order.index(v) for v in values)


def _components(layout: Layout) -> None:
    grids = {p.of for p in layout.game.places.values() if p.form.spaces and not p.tokens}
    for name, decl in layout.game.components.items():
        rows: list[int] = []
        columns: dict[str, list[int]] = {field: [] for field in decl.fields}
        if decl.piece:
            rows = [0] * (layout.players if name.startswith("player.") else 1)
        elif decl.count is not None and not decl.rows:
            rows = [0] * layout.constants.evaluate(decl.count)
        for index, (values, amount) in enumerate(decl.rows):
            count = amount if isinstance(amount, int) else layout.constants.evaluate(amount)
            rows += [index] * count
            for field, column in columns.items():
                column += [values[field]] * count
        comp = CompLayout(decl, len(rows), rows, {f: tuple(c) for f, c in columns.items()})
        if decl.on is not None:
            comp.on = layout.reserve([-1] * comp.count)
        else:
            comp.where = layout.reserve([-1] * comp.count)
            if name in grids:
                comp.cell = layout.reserve([-1] * comp.count)
                comp.turned = layout.reserve([0] * comp.count)
        layout.comps[name] = comp


def _record(layout: Layout, name: str, record: RecordDecl) -> None:
    limit = layout.constants.evaluate(record.limit)
    layout.records[name] = (0, limit, {})
    offset = layout.reserve([0])
    fields = {}
    for field, (indices, _type) in record.fields.items():
        sizes = tuple(layout.size(i) for i in indices)
        lows = tuple(layout.low(i) for i in indices)
        fields[field] = (layout.reserve([0] * (limit * _product(sizes))), sizes, lows)
    layout.records[name] = (offset, limit, fields)


def _dims(layout: Layout, decl: PlaceDecl | StateDecl) -> tuple[tuple[int, ...], tuple[int, ...]]:
    sizes, lows = [], []
    if decl.owner == "player":
        per = decl.per if isinstance(decl, PlaceDecl) else None
        sizes.append(max(layout.groups[per]) + 1 if per else layout.players)
        lows.append(0)
    elif decl.owner:
        sizes.append(layout.comps[decl.owner].count)
        lows.append(0)
    sizes += [layout.size(i) for i in decl.indices]
    lows += [layout.low(i) for i in decl.indices]
    return tuple(sizes), tuple(lows)


def _place(layout: Layout, key: str, place: PlaceDecl) -> None:
    sizes, lows = _dims(layout, place)
    count = _product(sizes)
    geometry = layout.geometries.get(key)
    instances = []
    if place.tokens:
        kinds = len(layout.game.kinds[place.of].values)
        if geometry is not None or place.form.single:
            cells = geometry.size if geometry is not None else 1
            stride = cells + 1  # the cell before the first stands for `none`
            base = layout.reserve([-1] * (stride * count)) + 1
        else:
            stride = kinds
            base = layout.reserve([0] * (kinds * count))
        if key == f"box of {place.of}":
            for kind, amount in enumerate(layout.game.tokens[place.of].amounts):
                layout.initial[base + kind] = layout.constants.evaluate(amount)
    else:
        stride = DECK_LISTS if place.form.hidden else 1
        base = len(layout.lists)
        layout.lists += [[] for _ in range(stride * count)]
        if key == f"box of {place.of}":
            comp = layout.comps[place.of]
            layout.lists[base] = list(range(comp.count))
            layout.initial[comp.where : comp.where + comp.count] = [base] * comp.count
    layout.places[key] = (base, sizes, lows, stride)
    for number, index in enumerate(itertools.product(*(range(s) for s in sizes))):
        owner = index[0] if place.owner == "player" and not place.per else -1
        ref = base + number * stride
        keys = tuple(i + low for i, low in zip(index, lows, strict=True))
        instances.append(PlaceInstance(place, ref, keys, owner))
        if not place.tokens:
            layout.place_owner[ref] = owner
    layout.instances[key] = instances
    if geometry is not None and not place.tokens:
        if geometry.grows:
            layout.grown[key] = layout.grown_count
            layout.grown_count += count
        else:
            layout.states[f"cells of {key}"] = (
                layout.reserve([-1] * ((geometry.size + 1) * count)) + 1,
                (count, geometry.size + 1),
                (0, 0),
            )


def _state(layout: Layout, key: str, state: StateDecl) -> None:
    sizes, lows = _dims(layout, state)
    first: Any = layout.constants.first_value(state.initial, state.type)
    layout.states[key] = (layout.reserve([first] * _product(sizes)), sizes, lows)


def _product(sizes: tuple[int, ...]) -> int:
    out = 1
    for size in sizes:
        out *= size
    return out


def describe(value: Any) -> str:
    return str(value)
