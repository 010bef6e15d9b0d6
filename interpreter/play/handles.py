"""Handles: what a seat calls components that look the same.

Two guards of one pack cannot be told apart once both have been out of sight. So a
seat is never given the true number of a copy. It is given a handle, which reads
the same, `Card#3`, and names a component of the same printed row, but is the
seat's own. While a seat sees a copy, its handle stays; when it comes into sight
again, it gets the next free one of its row, in turn. What is free follows from
what the seat sees, so handles tell nothing that the seat does not know anyway.

Something may be noted in sight of all about a copy that is out of sight: `dusty[c]`,
a set of cards, a row of a record. The seat reads that under the copy's handle, so
the copy comes back under a handle of which just the same was noted: what is
written under each handle stays as it was, whichever copy it turned out to be.

    handles[viewer][copy]   for every viewer a permutation within each row
    given[viewer][row, notes]   the handle that was given out last, of this row and so noted
    sighted[copy]           who sees it, as a mask: whose handle for it lasts

Alike copies in one bag are offered as one, and the lowest is taken. So in a bag
the lowest handle belongs to the lowest of them; which is which nobody can know.

Behind a seal, what others do is told when the seal comes off, and only then do
handles change for it. Logs, saves and outcomes of chance have the true numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from attrs import define

from ..core import value_types as t
from ..core.events import Chosen, Observation, PlaceShown, StateSet, ThingMoved
from ..program.layout import Layout
from .labels import Values

if TYPE_CHECKING:
    from .state import State
    from .visibility import Watcher


@define
class Names:
    """The handles of one match, as they are now."""

    handles: list[list[int]]
    given: list[dict[Any, int]]
    sighted: list[int]
    floor: tuple[int, ...] = ()
    """How much each viewer had noticed when this step began."""

    def copy(self) -> Names:
        return Names(
            [x.copy() for x in self.handles], [x.copy() for x in self.given], self.sighted.copy(), self.floor
        )

    def to_json(self) -> list[Any]:
        given = [[[key, position] for key, position in x.items()] for x in self.given]
        return [[list(x) for x in self.handles], given, list(self.sighted)]

    @classmethod
    def from_json(cls, data: list[Any]) -> Names:
        handles, given, sighted = data
        last = [{_frozen(key): position for key, position in x} for x in given]
        return cls([list(x) for x in handles], last, list(sighted))


class SeatValues(Values):
    """Values with the names that one viewer gives to copies."""

    def __init__(self, layout: Layout, first: dict[str, int], handles: list[int]) -> None:
        super().__init__(layout)
        self.first = first
        self.handles = handles

    def number(self, comp: str, c: int) -> int:
        return self.handles[self.first[comp] + c] if comp in self.first else c


class Handles:
    """What is fixed about handles in one engine: which components are copies of which."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.layout = watcher.layout
        self.first: dict[str, int] = {}
        """Of each sort of components that has copies: where its handles begin."""
        self.row_of: list[int] = []
        self.rows: list[list[int]] = []
        self.alike: set[str] = set()
        """The sorts of which copies can look the same: they have no states and places of their own."""
        for name, comp in self.layout.comps.items():
            if comp.decl.on is None and len(set(comp.rows)) < comp.count:
                self._add(name, comp.rows)
        self.holders = {name: self._holders(name) for name in self.first}
        self.notes = {name: self._notes(name) for name in self.first}
        self.named_by = {
            key: [
                name
                for name in self.first
                if name == decl.owner or any(t.mentions(x, name) for x in (decl.type, *decl.indices))
            ]
            for key, decl in self.layout.game.states.items()
        }
        """The sorts that a state may name, in its label or as its value."""
        self.heaps = {
            watcher.labels[key, index]
            for key, index, instance in watcher.comp_places.values()
            if not instance.decl.form.ordered
        }
        self.spelled: dict[str, tuple[Any, ...]] = {}
        self.order: dict[str, int] = {}
        if self.first:
            self._spell()

    def _add(self, name: str, rows: Iterable[int]) -> None:
        self.first[name] = len(self.row_of)
        game = self.layout.game
        owners = {s.owner for s in game.states.values()} | {p.owner for p in game.places.values()}
        if name not in owners:
            self.alike.add(name)
        numbers: dict[int, int] = {}
        for c, row in enumerate(rows):
            if row not in numbers:
                numbers[row] = len(self.rows)
                self.rows.append([])
            self.rows[numbers[row]].append(c)
            self.row_of.append(numbers[row])

    def _holders(self, name: str) -> list[tuple[str, int, int]]:
        """States that may hold such a component: the declaration, its place among them, the slot."""
        found = []
        for key, decl in self.layout.game.states.items():
            if t.plain(decl.type) == t.Comp(name):
                base, sizes, _ = self.layout.states[key]
                found += [(key, index, base + index) for index in range(prod(sizes))]
        return found

    def _notes(self, name: str) -> list[tuple[str, int | None]]:
        """States that say something of such a component wherever it is: kept for each of them, with the
        position of that index, or lists and sets of them, with None. And the records that name one."""
        found: list[tuple[str, int | None]] = []
        for key, decl in self.layout.game.states.items():
            found += [(key, at) for at, index in enumerate(decl.indices) if t.plain(index) == t.Comp(name)]
            if t.mentions(decl.type, name) and t.plain(decl.type) != t.Comp(name):
                found.append((key, None))
        for record in self.layout.game.records.values():
            if any(t.mentions(type_, name) for _, type_ in record.fields.values()):
                found.append((record.name, None))
        return found

    def noted(self, state: State, viewer: int, comp: str, c: int) -> tuple[Any, ...]:
        """What the viewer can read about a component, wherever it is."""
        found: list[Any] = []
        for key, at in self.notes[comp]:
            if key in self.layout.records:
                found += self._in_record(state, key, comp, c)
                continue
            decl = self.layout.game.states[key]
            base, sizes, _ = self.layout.states[key]
            dimension = None if at is None else at + bool(decl.owner)
            after = 1 if dimension is None else prod(sizes[dimension + 1 :])
            for index in range(prod(sizes)):
                if dimension is not None and index // after % sizes[dimension] != c:
                    continue
                if self.watcher.state_mask(state, key, index) >> viewer & 1:
                    value = state.I[base + index]
                    found.append(value if at is not None else _has(value, decl.type, c))
        return tuple(found)

    def _in_record(self, state: State, name: str, comp: str, c: int) -> Iterator[bool]:
        count, _, fields = self.layout.records[name]
        for field, (base, sizes, _) in fields.items():
            type_ = self.layout.game.records[name].fields[field][1]
            if t.mentions(type_, comp):
                for slot in range(base, base + state.I[count] * prod(sizes)):
                    yield _has(state.I[slot], type_, c)

    def _spell(self) -> None:
        """The words that name copies: themselves, and places and states that belong to one or are kept for one."""
        values = self.watcher.values
        for name, first in self.first.items():
            for c in range(self.layout.comps[name].count):
                self.spelled[values.comp_name(name, c)] = ((name, c, first + c),)
        marked = _Marked(self.layout, self.first)
        labels = [
            (marked.place_label(key, instance), self.watcher.labels[key, index])
            for key, instances in self.layout.instances.items()
            for index, instance in enumerate(instances)
        ]
        for key in self.layout.game.states:
            for index in range(prod(self.layout.states[key][1])):
                labels.append((marked.state_label(key, index), values.state_label(key, index)))
        for number, (parts, label) in enumerate(labels):
            self.order[label] = number
            if _MARK in parts:
                self.spelled[label] = tuple(self._part(part) for part in parts.split(_MARK))

    def _part(self, text: str) -> Any:
        name, _, number = text.partition(_SIGN)
        return (name, int(number), self.first[name] + int(number)) if number else text

    def new(self) -> Names | None:
        """At the start all is in the box, in sight of all, and each has its own number."""
        if not self.first:
            return None
        viewers = self.watcher.spectator + 1
        numbers = [c for name in self.first for c in range(self.layout.comps[name].count)]
        return Names(
            [numbers.copy() for _ in range(viewers)],
            [{} for _ in range(viewers)],
            [self.watcher.everyone] * len(numbers),
        )

    # ------------------------------------------------------------ in and out of sight
    def viewers(self, state: State, comp: str, c: int) -> int:
        """Who sees a copy: where it lies, or named by a state."""
        mask = self.watcher.viewers_of(state, comp, c)
        for key, index, slot in self.holders[comp]:
            if state.I[slot] == c:
                mask |= self.watcher.state_mask(state, key, index)
        return mask

    def look(self, state: State, comp: str, cards: Iterable[int], now: int) -> None:
        """Take in who sees these copies by now, for the viewers in a mask."""
        names, first = state.names, self.first[comp]
        assert names is not None
        for c in cards:
            before = names.sighted[first + c]
            after = self.viewers(state, comp, c) & now | before & ~now
            new = after & ~before
            names.sighted[first + c] = after
            for viewer in range(self.watcher.spectator + 1):
                if new >> viewer & 1:
                    self._fresh(state, viewer, comp, c)

    def _fresh(self, state: State, viewer: int, comp: str, c: int) -> None:
        """The next handle of the row that names nothing the viewer sees, and of which the same is noted; who
        had it takes the old one."""
        names, first = state.names, self.first[comp]
        assert names is not None
        number = self.row_of[first + c]
        row, mine = self.rows[number], names.handles[viewer]
        if len(row) < 2:
            return
        alike = [d for d in row if d == c or not names.sighted[first + d] >> viewer & 1]
        key: Any = (number,)
        if self.notes[comp]:
            noted = self.noted(state, viewer, comp, c)
            alike = [d for d in alike if d == c or self.noted(state, viewer, comp, d) == noted]
            key = (number, noted)
        free = {mine[first + d] for d in alike}
        start = names.given[viewer].get(key, -1)
        position = next(n for step in range(1, len(row) + 1) if row[n := (start + step) % len(row)] in free)
        names.given[viewer][key] = position
        new, old = row[position], mine[first + c]
        if new != old:
            holder = next(d for d in row if mine[first + d] == new)
            mine[first + holder], mine[first + c] = old, new

    def tidy(self, state: State, ref: int, now: int) -> None:
        """In a bag the lowest handle belongs to the lowest of those that nobody could tell apart."""
        key, index, instance = self.watcher.comp_places[ref]
        comp = instance.decl.of
        names = state.names
        if comp not in self.alike or names is None or not instance.decl.form.heap:
            return
        if state.sealed is not None:  # views still show how it was; it is done when the seal comes off
            return
        cards, first = state.L[ref], self.first[comp]
        viewers = self.watcher.place_mask(state, key, index) & now
        for viewer in range(self.watcher.spectator + 1):
            if viewers >> viewer & 1:
                groups: dict[Any, list[int]] = {}
                for c in cards:
                    told = (self.row_of[first + c], *self.told_apart_by(state, viewer, comp, c))
                    groups.setdefault(told, []).append(c)
                mine = names.handles[viewer]
                for alike in groups.values():
                    for c, handle in zip(alike, sorted(mine[first + c] for c in alike), strict=True):
                        mine[first + c] = handle

    def told_apart_by(self, state: State, viewer: int, comp: str, c: int) -> Iterator[Any]:
        """What is noted of a copy that the viewer sees, and which states name it."""
        if self.notes[comp]:
            yield self.noted(state, viewer, comp, c)
        for key, index, slot in self.holders[comp]:
            if state.I[slot] == c and self.watcher.state_mask(state, key, index) >> viewer & 1:
                yield slot

    # ------------------------------------------------------------ words
    def values(self, state: State, viewer: int) -> Values:
        if state.names is None:
            return self.watcher.values
        return SeatValues(self.layout, self.first, state.names.handles[viewer])

    def add(self, state: State, viewer: int, event: Observation) -> None:
        """To what a viewer has noticed. Copies that go the same way one after the other go in the order of
        their handles, and so do those of which the same is said: a rule takes them in the order of their true
        numbers."""
        assert state.seen is not None
        seen, said = state.seen[viewer], self.told(state, viewer, event)
        at = len(seen)
        if state.names is not None and (about := self._about(said)) is not None:
            floor = state.names.floor[viewer] if state.names.floor else 0
            while at > floor and self._goes_behind(seen[at - 1], about):
                at -= 1
        said.cause = event.cause
        seen.insert(at, said)

    def _about(self, said: Observation) -> tuple[int, int, Any] | None:
        """Of something that may as well be told of several copies in any order: the handle of the one it is
        told of, its row, and what is told."""
        match said:
            case ThingMoved() if said.spot is None and self._unordered(said.dest):
                label = said.thing
            case StateSet():
                label = said.label
            case _:
                return None
        parts = self.spelled.get(label, ())
        copies = [part for part in parts if not isinstance(part, str)]
        if len(copies) != 1:
            return None
        ((_, handle, index),) = copies
        words = tuple(part if isinstance(part, str) else _MARK for part in parts)
        return handle, self.row_of[index], (type(said), words, said[2:])

    def _goes_behind(self, before: Observation, about: tuple[int, int, Any]) -> bool:
        other = self._about(before)
        return other is not None and other[1:] == about[1:] and other[0] > about[0]

    def told(self, state: State, viewer: int, event: Observation) -> Observation:
        """An event in the viewer's words. What it names without its being in sight gets a new handle first."""
        names = state.names
        if names is None or (isinstance(event, Chosen) and event.key[0] == "offer"):
            return event
        said = event.again(self._told(state, viewer, part) for part in event)
        if isinstance(said, PlaceShown) and self._unordered(said.place):
            return PlaceShown(said.place, tuple(sorted(said.contents, key=_place_in_box)), *said[3:])
        return said

    def _told(self, state: State, viewer: int, said: Any) -> Any:
        names = state.names
        assert names is not None
        if isinstance(said, tuple):
            return tuple(self._told(state, viewer, part) for part in said)
        parts = self.spelled.get(said) if isinstance(said, str) else None
        if parts is None:
            return said
        words = []
        for part in parts:
            if isinstance(part, str):
                words.append(part)
                continue
            comp, c, index = part
            if not names.sighted[index] >> viewer & 1:
                self._fresh(state, viewer, comp, c)
                names.sighted[index] |= 1 << viewer
            words.append(f"{comp}#{names.handles[viewer][index] + 1}")
        return "".join(words)

    def _unordered(self, label: str) -> bool:
        return label in self.heaps

    def order_of(self, state: State, type_: t.Type | None) -> Sequence[int]:
        """The options of who is asked, as the rules list them, but copies of one row in the order of their
        handles: the order of their true numbers would tell which is which."""
        options, names = state.options, state.names
        if names is None:
            return range(len(options))
        of = t.plain(type_) if type_ is not None else None
        if not isinstance(of, t.Comp) or of.name not in self.first:
            return range(len(options))
        first, mine = self.first[of.name], names.handles[state.player]
        places: dict[int, list[int]] = {}
        for place, c in enumerate(options):
            if c >= 0:
                places.setdefault(self.row_of[first + c], []).append(place)
        order = list(range(len(options)))
        for taken in places.values():
            alike = sorted(taken, key=lambda place: mine[first + options[place]])
            for place, other in zip(taken, alike, strict=True):
                order[place] = other
        return order

    def sorted_labels(self, shown: dict[str, Any]) -> dict[str, Any]:
        """Labels in the order of the handles in them, which is no clue to the true numbers."""
        if not self.spelled:
            return shown
        return dict(sorted(shown.items(), key=lambda item: self.order[item[0]]))


def _has(value: Any, type_: t.Type, c: int) -> bool:
    """Is a component what a state or a field holds, or among it?"""
    if isinstance(value, tuple | list):
        return c in value
    return bool(value >> c & 1) if isinstance(t.plain(type_), t.SetOf) and value >= 0 else value == c


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_MARK, _SIGN = "\0", "\1"


class _Marked(Values):
    """Labels in which the names of copies can be found again."""

    def __init__(self, layout: Layout, first: dict[str, int]) -> None:
        super().__init__(layout)
        self.first = first

    def comp_name(self, comp: str, c: int) -> str:
        return f"{_MARK}{comp}{_SIGN}{c}{_MARK}" if comp in self.first else super().comp_name(comp, c)


def _place_in_box(item: Any) -> tuple[str, int]:
    name, _, number = str(item[0] if isinstance(item, tuple) else item).partition("#")
    return name, int(number or 0)
