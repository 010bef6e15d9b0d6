"""What there is on the table, as data for front ends: places, boards, things, and how they look.

Nothing here is a position. `Game.table(players)` tells what a view is about: each
label of `view["places"]` is a place in here, each name in its contents is a thing.
Colours are names of the language with a value for screens; terminals have their own.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ..core import value_types as t
from ..core.look import Look, filled_in
from ..program.layout import Geometry, neighbours

if TYPE_CHECKING:
    from ..program.layout import PlaceInstance
    from .engine import Engine

Space = tuple[int, int]
DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
HEX = {
    "black": "#333333",
    "blue": "#1f77d0",
    "brown": "#8b5a2b",
    "cyan": "#17a2b8",
    "gold": "#d4a017",
    "green": "#2e8b3d",
    "grey": "#808080",
    "magenta": "#c2185b",
    "orange": "#f57c00",
    "pink": "#f06fa7",
    "purple": "#7e57c2",
    "red": "#d32f2f",
    "silver": "#b8bcc2",
    "violet": "#9c4dcc",
    "white": "#f5f5f5",
    "yellow": "#f4d03f",
}
"""The colours of looks for screens."""


@frozen
class Appearance:
    """How something looks: words for it, a short form, a symbol and a colour (None: up to the front end)."""

    words: str
    short: str
    symbol: str | None = None
    colour: str | None = None
    hidden: bool = False

    @property
    def hex(self) -> str | None:
        return HEX.get(self.colour) if self.colour else None


@frozen
class Thing:
    """A component or piece. `printed` is what is printed on it; `ways` are the sides that lead out of
    a tile, before it is turned, None if it is no such tile."""

    name: str
    component: str
    piece: bool
    owner: int | None
    printed: dict[str, Any]
    look: Appearance
    ways: tuple[str, ...] | None = None


@frozen
class Board:
    """The spaces of a grid or a ring, as coordinates from 1. A grid that grows has no bounds: its
    first tile lies on (0, 0)."""

    ring: bool
    grows: bool
    width: int | None
    height: int | None
    _geometry: Geometry = field(repr=False, eq=False)

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """All of them; none of a grid that grows."""
        return () if self.grows else tuple(map(self._geometry.xy, range(self._geometry.size)))

    def neighbours(self, space: Space) -> dict[str, Space]:
        """The spaces around one, by direction."""
        x, y = space
        if self.grows:
            return {way: (x + dx, y + dy) for way, (dx, dy) in zip(DIRECTIONS, _STEPS, strict=True)}
        here = self._geometry.space(x, y)
        if here < 0:
            return {}
        found = zip(DIRECTIONS, (row[here] for row in neighbours(self._geometry)), strict=True)
        return {way: self._geometry.xy(there) for way, there in found if there >= 0}


_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


@frozen
class Place:
    """A place at the table, under the label that views have.

    `structure` is bag, deck, row, stack, slot, grid, ring or pool (of tokens); `holds` the component
    or token; `owner` a seat. `seen_by` are the seats that see what lies in it, as declared: `show` and
    `reveal` may open it to more. `size_seen_by` and `top_seen_by` likewise.
    """

    label: str
    name: str
    structure: str
    holds: str
    tokens: bool
    owner: int | None
    capacity: int | None
    seen_by: tuple[int, ...]
    size_seen_by: tuple[int, ...]
    top_seen_by: tuple[int, ...]
    look: Appearance
    board: Board | None = None


class Table:
    """Made by `Game.table`."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._layout, self._game = engine, engine.layout, engine.game
        self.players = engine.players
        self.places: dict[str, Place] = {
            watched.labels[key, index]: self._place(key, index, instance)
            for watched in (engine.watcher,)
            for key, instances in self._layout.instances.items()
            if not key.startswith("box of ")
            for index, instance in enumerate(instances)
        }

    def _place(self, key: str, index: int, instance: PlaceInstance) -> Place:
        decl, watcher = instance.decl, self._engine.watcher
        geometry = self._layout.geometries.get(key)

        def seats(what: str) -> tuple[int, ...]:
            mask = watcher.declared_mask(key, index, what)
            return tuple(p + 1 for p in range(self.players) if mask >> p & 1)

        return Place(
            watcher.labels[key, index],
            key,
            "pool" if decl.tokens and geometry is None else decl.shape,
            decl.of,
            bool(decl.tokens),
            instance.owner + 1 if instance.owner >= 0 else None,
            None if decl.cap is None else int(self._layout.constants.evaluate(decl.cap)),
            seats("seen"),
            seats("size_seen"),
            seats("top_seen"),
            self.look(key),
            None if geometry is None else _board(geometry),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Every thing of the game."""
        values = self._engine.watcher.values
        return tuple(
            values.comp_name(n, c) for n, comp in self._layout.comps.items() for c in range(comp.count)
        )

    def thing(self, name: str) -> Thing:
        """`Card#3`, `dragon` or `hero of player 2`, as views call it; KeyError if there is none."""
        comp, number = self._identity(name)
        layout, values = self._layout.comps[comp], self._engine.watcher.values
        fields = layout.decl.fields
        printed = {f: values.encode(column[number], fields[f]) for f, column in layout.columns.items()}
        words = {f: values.label(column[number], fields[f]) for f, column in layout.columns.items()}
        ways = [f for f, type_ in fields.items() if type_ == t.SetOf(t.DIRECTION)]
        sides = layout.columns[ways[0]][number] if len(ways) == 1 else None
        look = self._game.looks.get(comp, Look())
        kinds = [self._of_kind(fields[f], column[number]) for f, column in layout.columns.items()]
        long = values.comp_label(comp, number)
        return Thing(
            name,
            comp,
            layout.decl.piece,
            number + 1 if comp.startswith("player.") else None,
            printed,
            Appearance(
                long,
                filled_in(look.short, words) if look.short else long,
                look.symbol or next((k.symbol for k in kinds if k.symbol), None),
                look.colour or next((k.colour for k in kinds if k.colour), None),
            ),
            None if sides is None else tuple(way for bit, way in enumerate(DIRECTIONS) if sides >> bit & 1),
        )

    def _of_kind(self, type_: t.Type, value: int) -> Look:
        inner = type_.of if isinstance(type_, t.Opt) else type_
        if not isinstance(inner, t.Kind) or value < 0:
            return Look()
        return self._game.looks.get(f"{inner.name}.{self._game.kinds[inner.name].values[value]}", Look())

    def _identity(self, name: str) -> tuple[str, int]:
        comps = self._layout.comps
        comp, _, number = name.partition("#")
        if number.isdigit() and comp in comps and 0 < int(number) <= comps[comp].count:
            return comp, int(number) - 1
        piece, _, seat = name.partition(" of player ")
        if seat.isdigit() and f"player.{piece}" in comps and 0 < int(seat) <= self.players:
            return f"player.{piece}", int(seat) - 1
        if name in comps and comps[name].decl.piece:
            return name, 0
        raise KeyError(name)

    def look(self, key: str) -> Appearance:
        """Of a place, state, action, or the value of a kind (`Colour.red`)."""
        look = self._game.looks.get(key, Look())
        words = look.words or key.rpartition(".")[2].replace("_", " ")
        return Appearance(words, look.short or words, look.symbol, look.colour, look.hidden)


def _board(geometry: Geometry) -> Board:
    if geometry.grows:
        return Board(geometry.ring, True, None, None, geometry)
    return Board(geometry.ring, False, geometry.width, geometry.height, geometry)
