"""A view as what lies on a table: boards, panels of players, what is common, records.

Made of a view and of what is printed on components, never of a position. How it is drawn is
up to svg.py and html.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import Factory, define

from ..play.table_data import Place, Table
from .changes import Changes, changes
from .faces import Face, Faces
from .text import Line
from .words import View, Words, split_label

MOST_STATES = 14
Space = tuple[int, int]


@define
class Item:
    """One thing that is seen, by the name that the seat has for it."""

    name: str
    face: Face
    turned: int = 0
    fresh: bool = False
    heaps: list[Heap] = Factory(list)
    """What lies on it, if it has places of its own."""
    notes: list[str] = Factory(list)
    tip: str = ""
    """What is told of it when one points at it."""


@define
class Spot:
    """A space of a board, with all that is there."""

    space: Space
    name: str
    item: Item | None = None
    token: tuple[str, Face] | None = None
    pieces: list[Item] = Factory(list)
    fresh: bool = False


@define
class Ground:
    """A board."""

    label: str
    key: str
    title: str
    place: Place
    spots: dict[Space, Spot]
    named: bool
    """Is there more than one board, so that each needs its name?"""


@define
class Heap:
    """A place that is no board: things side by side, tokens with amounts, or a number face down."""

    label: str
    title: str
    place: Place
    items: list[Item] = Factory(list)
    tokens: list[tuple[str, Face, int]] = Factory(list)
    hidden: int = 0
    """So many lie there face down besides what is shown."""
    size: int | None = None
    """How many there are, where it is a pile."""
    fresh: bool = False
    notes: list[str] = Factory(list)
    known: bool = True
    """Is anything at all seen of it?"""

    @property
    def empty(self) -> bool:
        return not (self.items or self.tokens or self.hidden or self.size)


@define
class Fact:
    """A state, in words."""

    label: str
    name: str
    text: Line
    fresh: bool = False


@define
class Panel:
    """What belongs to one player, or with None to nobody."""

    seat: int | None
    heaps: list[Heap] = Factory(list)
    facts: list[Fact] = Factory(list)
    score: int | None = None
    active: bool = False


@define
class Scene:
    view: View
    grounds: list[Ground]
    panels: dict[int, Panel]
    common: Panel
    records: list[tuple[str, str]]
    """Rows in words, by their names (`Debt#2`)."""

    def spaces(self) -> Iterator[tuple[Ground, Spot]]:
        for ground in self.grounds:
            for spot in ground.spots.values():
                yield ground, spot


class Setter:
    """Sets the table for one seat after the other."""

    def __init__(self, words: Words, table: Table) -> None:
        self.words, self.table, self.faces = words, table, Faces(words)

    def scene(self, view: View, before: View | None = None) -> Scene:
        return _Setting(self, view, changes(before, view)).scene()


class _Setting:
    def __init__(self, setter: Setter, view: View, fresh: Changes) -> None:
        self.words, self.table, self.faces = setter.words, setter.table, setter.faces
        self.view, self.fresh = view, fresh
        self.words.view = view
        self.owned: dict[str, list[Heap]] = {}
        self.noted: dict[str, list[str]] = {}

    def scene(self) -> Scene:
        places, heaps = self.view["places"], []
        grounds = []
        shown = {label: seen for label, seen in places.items() if not self.table.places[label].look.hidden}
        self._facts_of_things()
        for label, seen in shown.items():
            owner = split_label(label)[0]
            if owner and not owner.startswith("player "):
                heap = self._heap(label, seen)
                if heap.known and not heap.empty:
                    self.owned.setdefault(owner, []).append(heap)
        boards = [label for label in shown if self.table.places[label].board is not None]
        for label, seen in shown.items():
            owner = split_label(label)[0]
            if owner and not owner.startswith("player "):
                continue
            if self.table.places[label].board is not None and "contents" in seen:
                grounds.append(self._ground(label, seen["contents"], named=len(boards) > 1))
            else:
                heaps.append(self._heap(label, seen))
        seats = range(1, self.table.players + 1)
        scores = self.view.get("scores") or {}
        panels = {
            seat: Panel(seat, score=scores.get(seat), active=self.view.get("active") == seat)
            for seat in seats
        }
        common = Panel(None)
        for heap in heaps:
            if heap.known:
                seat = heap.place.owner
                (panels[seat] if seat is not None else common).heaps.append(heap)
        for whose, fact in self._facts():
            (panels[whose] if whose is not None else common).facts.append(fact)
        records = [
            (f"{name}#{number}", self.words.row(name, row))
            for name, rows in self.view["records"].items()
            for number, row in enumerate(rows, start=1)
        ]
        return Scene(self.view, grounds, panels, common, records)

    # ------------------------------------------------------------ things
    def _item(self, name: str, turned: int = 0, *, fresh: bool = False) -> Item:
        return Item(
            name,
            self.faces.thing(name, turned),
            turned,
            fresh,
            self.owned.get(name, []),
            self.noted.get(name, []),
        )

    def _ground(self, label: str, contents: Any, *, named: bool) -> Ground:
        place = self.table.places[label]
        board = place.board
        assert board is not None
        spots = {space: self._spot(place, space) for space in board.spaces}
        lying: dict[str, Space] = {}
        for item in contents or ():
            if isinstance(item[0], str):
                name, space, turned = item[0], tuple(item[1]), item[2]
                spot = spots.setdefault(space, self._spot(place, space))
                spot.item = self._item(name, turned)
                lying[name] = space
            else:
                space, kind = tuple(item[0]), item[1]
                spot = spots.setdefault(space, self._spot(place, space))
                spot.token = (kind, self.faces.token(kind))
            spot.fresh = (label, tuple(space)) in self.fresh.spots
        for name, where in self.view["pieces"].items():
            at = lying.get(where) if isinstance(where, str) else where
            if at is not None and self.words.stands_on(name, where, place.name):
                space = tuple(at)
                spot = spots.setdefault(space, self._spot(place, space))
                spot.pieces.append(self._item(name, fresh=name in self.fresh.pieces))
        return Ground(label, place.name, self.words.place(label), place, spots, named)

    def _spot(self, place: Place, space: Space) -> Spot:
        return Spot(space, self.words.space(place.name, space))

    def _heap(self, label: str, seen: Mapping[str, Any]) -> Heap:
        place = self.table.places[label]
        heap = Heap(label, self.words.place_name(label), place, fresh=label in self.fresh.places)
        if "contents" in seen:
            contents = seen["contents"]
            if isinstance(contents, str):
                contents = (contents,)
            for item in contents or ():
                if isinstance(item, str):
                    if place.tokens:
                        heap.tokens.append((item, self.faces.token(item), 1))
                    else:
                        heap.items.append(self._item(item))
                elif isinstance(item[0], str) and len(item) == 2:
                    heap.tokens.append((item[0], self.faces.token(item[0]), item[1]))
                elif isinstance(item[0], str):
                    heap.items.append(self._item(item[0], item[2]))
                else:
                    heap.tokens.append((item[1], self.faces.token(item[1]), 1))
            return heap
        ends = [seen[end] for end in ("top", "bottom") if end in seen]
        names = [n for end in ends for n in (end if isinstance(end, tuple) else (end,)) if n]
        heap.items = [self._item(name) for name in names]
        heap.notes = [
            f"{self.words.thing(name)}, {depth} below the top" for depth, name in seen.get("deep", ())
        ]
        heap.size = seen.get("size")
        heap.known = bool(seen)
        heap.hidden = max(0, (heap.size or 0) - len(heap.items))
        return heap

    # ------------------------------------------------------------ states
    def _facts_of_things(self) -> None:
        """States of components that say something, as notes on them."""
        for label, value in self.view["states"].items():
            decl = self.words.game.states[self.words.state_keys[label]]
            if decl.owner in ("", "player") or self._silent(label, value):
                continue
            owner = split_label(label)[0]
            name = self.words.place_name(label)
            text = "" if value is True else f" {self.words.state(label, value)}"
            self.noted.setdefault(owner, []).append(f"{name}{text}")

    def _facts(self) -> Iterator[tuple[int | None, Fact]]:
        told = 0
        for label, value in self.view["states"].items():
            decl = self.words.game.states[self.words.state_keys[label]]
            if decl.owner not in ("", "player") or self._silent(label, value):
                continue
            if decl.indices:
                told += 1
                if told > MOST_STATES:
                    continue
            owner = split_label(label)[0]
            seat = int(owner.rpartition(" ")[2]) if owner.startswith("player ") else None
            text = Line() if value is True else Line(self.words.state(label, value))
            yield seat, Fact(label, self.words.place_name(label), text, label in self.fresh.states)

    def _silent(self, label: str, value: Any) -> bool:
        """States that say nothing: hidden ones, a `no`, a `none`, an empty set, and of many alike those
        that are still as at the start."""
        key = self.words.state_keys[label]
        decl = self.words.game.states[key]
        if self.words.dress.is_hidden(key) or value is None or value is False or value == ():
            return True
        many = bool(decl.indices) or decl.owner not in ("", "player")
        first = self.words.layout.initial[self.words.layout.states[key][0]]
        return many and bool(value == self.words.values.encode(first, decl.type))
