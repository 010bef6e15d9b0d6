"""What lies on the table: places, components, states and records of one match.

Whoever reads or changes something here says so: `Table.read` and `Table.touch`
take the name of what it is. That is how endings know whether an effect has
touched what they read (see events.py), without anybody working it out in advance.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from ..core import CheckedGame, CompDecl, PlaceDecl
from ..core import value_types as t
from .spaces import Board, Space

Spot = tuple[Any, ...]
"""The name of something that is read or changed: `("state", "points", (0,))`."""

WHOLE: Space = (0, 0)
"""Where the one token of a slot lies."""

LINES = ("row", "stack")
"""Structures in which things lie in an order that is open: the reference does not ask the table that it checks."""


@define(eq=False)
class Known:
    """A card whose place in a deck is known, and who has seen it there."""

    card: int
    viewers: set[int]


@define(eq=False)
class Place:
    """One place at the table.

    Tokens in a bag are `counts`, tokens on spaces or in a slot are `cells`.
    Components are `items`: sorted in a bag or on a grid, in order elsewhere. Of a
    deck, `items` are the cards of which only that they are in it is known; `top`
    and `bottom` are known, the first of `top` lies on top, the last of `bottom`
    at the bottom, and `middle` between them has a card that is known at its
    depth or None for one of `items`.
    """

    key: str
    decl: PlaceDecl
    keys: tuple[Any, ...]
    board: Board | None
    counts: list[int] = Factory(list)
    cells: dict[Space, int] = Factory(dict)
    items: list[int] = Factory(list)
    top: list[Known] = Factory(list)
    middle: list[Known | None] = Factory(list)
    bottom: list[Known] = Factory(list)
    shown_to: set[int] = Factory(set)

    @property
    def owner(self) -> int | None:
        return self.keys[0] if self.decl.owner == "player" and not self.decl.per else None

    @property
    def spot(self) -> Spot:
        return ("place", self.key, self.keys)

    def known(self) -> list[Known]:
        return [*self.top, *(k for k in self.middle if k is not None), *self.bottom]

    def contents(self) -> list[int]:
        """The components in it, in its own order; of a deck, as far as that is known."""
        if self.decl.shape != "deck":
            return list(self.items)
        deep = [k.card for k in self.middle if k is not None]
        return [*(k.card for k in self.top), *sorted(self.items), *deep, *(k.card for k in self.bottom)]

    def size(self) -> int:
        if not self.decl.tokens:
            return len(self.contents())
        return sum(self.counts) + len(self.cells)

    def tally(self, kind: int) -> int:
        return self.counts[kind] if self.counts else list(self.cells.values()).count(kind)


@define(eq=False)
class Thing:
    """A component: what is printed on it, and where it is."""

    decl: CompDecl
    row: int
    printed: dict[str, Any]
    place: Place | None = None
    space: Space | None = None
    turned: int = 0
    on: Any = None


@define(eq=False)
class Record:
    """Rows of a record: each field a value, or a dictionary from indices to values."""

    limit: int
    rows: list[dict[str, Any]] = Factory(list)


@define(eq=False)
class Table:
    game: CheckedGame
    players: int
    boards: dict[str, Board] = Factory(dict)
    groups: dict[str, list[int]] = Factory(dict)  # partition: the group of each seat
    things: dict[str, list[Thing]] = Factory(dict)
    places: dict[str, dict[tuple[Any, ...], Place]] = Factory(dict)
    states: dict[str, dict[tuple[Any, ...], Any]] = Factory(dict)
    first_values: dict[str, Any] = Factory(dict)
    shown_states: dict[tuple[str, tuple[Any, ...]], set[int]] = Factory(dict)
    records: dict[str, Record] = Factory(dict)
    active: int | None = None
    turn: int = 0
    actions: int = 0  # actions of menus under way
    reading: list[set[Spot]] = Factory(list)  # who wants to know what is read
    touched: set[Spot] = Factory(set)
    moved: list[tuple[str, int]] = Factory(list)  # by the effect that is being carried out
    crossed: set[tuple[str, str]] = Factory(set)  # `("entering", "player.purse")`, by that effect

    # ------------------------------------------------------------ taking note
    def read(self, *spots: Spot) -> None:
        for reader in self.reading:
            reader.update(spots)

    def touch(self, *spots: Spot) -> None:
        self.touched.update(spots)

    # ------------------------------------------------------------ what there is
    def universe(self, type_: t.Type) -> list[Any]:
        """All values of a type, in order."""
        match type_:
            case t.Num(low, high):
                return list(range(low, high + 1))
            case t.Kind(name):
                return list(range(len(self.game.kinds[name].values)))
            case t.Player():
                return list(range(self.players))
            case t.YesNo():
                return [False, True]
            case t.Comp(name):
                return list(range(len(self.things[name])))
            case t.Space(of):
                return self.boards[of].spaces()
            case t.Rec(name):
                return list(range(self.records[name].limit))
            case t.Opt(of):
                return self.universe(of)
        raise AssertionError(type_)

    def in_order(self, values: Any, element: t.Type) -> tuple[Any, ...]:
        """A set: without doubles, without none, in the order of the language."""
        kept = {v for v in values if v is not None}
        if isinstance(element, t.Space):
            return tuple(sorted(kept, key=self.boards[element.of].order))
        return tuple(sorted(kept))

    def all_places(self) -> Iterator[Place]:
        for places in self.places.values():
            yield from places.values()

    def thing(self, comp: str, c: int) -> Thing:
        return self.things[comp][c]


def key_of(decl: Any) -> str:
    """How a place or state is called: `pile`, `player.purse`."""
    return f"{decl.owner}.{decl.name}" if decl.owner else decl.name


def decoded(data: Any, type_: t.Type) -> Any:
    """A constant of the checked game, where none is -1 and small sets are bits, as a value."""
    match type_:
        case t.Opt(of):
            return None if data == -1 else decoded(data, of)
        case t.Nothing():
            return None
        case t.SetOf(of) if isinstance(data, int):
            return tuple(i for i in range(data.bit_length()) if data >> i & 1)
        case t.YesNo():
            return bool(data)
    return data


def dimensions(table: Table, decl: Any) -> Iterator[tuple[Any, ...]]:
    """All indices of a place or state: whose it is, then what it is kept for."""
    ranges: list[list[Any]] = []
    if decl.owner == "player":
        per = getattr(decl, "per", None)
        ranges.append(sorted(set(table.groups[per])) if per else list(range(table.players)))
    elif decl.owner:
        ranges.append(list(range(len(table.things[decl.owner]))))
    ranges += [table.universe(type_) for type_ in decl.indices]
    return itertools.product(*ranges)
