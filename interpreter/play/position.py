"""A position as the reference interpreter sees it, and back: the flat state as a table with places.

"Why not?" and the lines of scenarios ask what holds in a position, and `given` changes one.
They ask the reference interpreter, which knows nothing of how a state is laid out: `Position`
reads a state into its `Table`, turns values into the form of the other side, and writes a table
that was changed back into a state. Reading what was written gives the same (a test compares).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from ..core import value_types as t
from ..program.layout import PlaceInstance
from ..python.runtime import Grown
from ..reference.match import PARTS
from ..reference.play import Frame, Play
from ..reference.setup import new_play
from ..reference.table import WHOLE, Known, Place
from .state import State

assert PARTS, "what operations mean is known"


class Position:
    """The table of a state. Other seats' things are in it, too: it is not for players."""

    def __init__(self, state: State) -> None:
        engine = state.engine
        self.state, self.engine, self.layout = state, engine, engine.layout
        self.play: Play = new_play(engine.game, engine.players, engine.options)
        self.everyone = engine.players + 1
        self.refs: dict[tuple[bool, int], Place] = {}
        self._read()

    # ------------------------------------------------------------ values
    def plain(self, value: Any, type_: t.Type) -> Any:
        """A value of the state as the reference interpreter has it."""
        match type_:
            case t.Opt(of):
                return None if value == -1 else self.plain(value, of)
            case t.Nothing():
                return None
            case t.YesNo():
                return bool(value)
            case t.Space(of):
                return None if value == -1 else self.layout.geometries[of].xy(value)
            case t.SetOf(of):
                values: Iterable[int] = value
                if t.is_mask(of):
                    values = (v for v in range(value.bit_length()) if value >> v & 1)
                return self.play.table.in_order((self.plain(v, of) for v in values), of)
            case t.ListOf(of):
                return tuple(self.plain(v, of) for v in value)
            case t.Array(index, of):
                keys = product(*(self.play.table.universe(i) for i in index))
                return {key: self.plain(v, of) for key, v in zip(keys, value, strict=True)}
            case t.Place(of=of):
                return self.refs[of in self.engine.game.tokens, value]
        return value

    def flat(self, value: Any, type_: t.Type) -> Any:
        """A value of the reference interpreter as states keep it."""
        if value is None:
            return -1
        match type_:
            case t.Opt(of):
                return self.flat(value, of)
            case t.Space(of):
                return self.layout.geometries[of].space(*value)
            case t.SetOf(of):
                values = [self.flat(v, of) for v in value]
                return sum(1 << v for v in values) if t.is_mask(of) else tuple(sorted(values))
            case t.ListOf(of):
                return tuple(self.flat(v, of) for v in value)
            case t.Array(index, of):
                keys = product(*(self.play.table.universe(i) for i in index))
                return tuple(self.flat(value.get(key, 0), of) for key in keys)
            case t.Place():
                return self.layout.instances[value.key][self._numbers(value)].ref
            case t.YesNo():
                return int(value)
        return value

    def _numbers(self, place: Place) -> int:
        return list(self.play.table.places[place.key]).index(place.keys)

    def frame(self) -> Frame:
        """The names around the pending decision, and who decides."""
        state = self.state
        base = len(state.st) - self.engine.frames[state.pc][0]
        live = self.engine.live[state.pc]
        known = {
            uid: self.plain(state.st[base + slot], type_)
            for slot, uid, type_ in self.engine.generated.variables.get(state.pc, ())
            if slot in live
        }
        return Frame("", known, state.player)

    def vector(self) -> tuple[dict[tuple[Any, ...], int], tuple[Any, ...]]:
        """Of a vector that is being filled: the cells so far, and the one that is asked."""
        plan, filled = (self.state.st[slot] for slot in self.engine.generated.vectors[self.state.pc])
        point = self.engine.points[self.state.pc]
        assert isinstance(point.type, t.Array)
        keys = list(product(*(self.play.table.universe(i) for i in point.type.index)))
        done = {**dict(plan[3]), **dict(zip(plan[0], filled, strict=False))}
        return {keys[n]: value for n, value in done.items()}, keys[plan[0][len(filled)]]

    # ------------------------------------------------------------ reading
    def _read(self) -> None:
        state, layout, table = self.state, self.layout, self.play.table
        I = state.I
        self.play.over, self.play.reason = state.over, state.reason
        self.play.winners = set(self._seats(state.winners))
        table.active = None if I[layout.ACTIVE] < 0 else I[layout.ACTIVE]
        table.turn = I[layout.TURN]
        table.actions = I[layout.actions] if layout.actions >= 0 else 0
        for places, instances in self._places():
            for number, (place, instance) in enumerate(zip(places, instances, strict=True)):
                self.refs[instance.decl.tokens, instance.ref] = place
                self._read_place(place, instance)
                place.shown_to = self._shown_to(place.key, number)
        self._read_things()
        for key, decl in table.game.states.items():
            base, _, _ = layout.states[key]
            for number, index in enumerate(table.states[key]):
                table.states[key][index] = self.plain(I[base + number], decl.type)
                if shown := self._shown_to(key, number):
                    table.shown_states[key, index] = shown
        for name, record in table.records.items():
            record.rows = [self._row(name, row) for row in range(I[layout.records[name][0]])]

    def _places(self) -> Iterable[tuple[Sequence[Place], Sequence[PlaceInstance]]]:
        for key, places in self.play.table.places.items():
            yield tuple(places.values()), self.layout.instances[key]

    def _seats(self, mask: int) -> Iterable[int]:
        return (p for p in range(self.everyone) if mask >> p & 1)

    def _shown_to(self, key: str, number: int) -> set[int]:
        base = self.layout.grants.get(key)
        return set() if base is None else set(self._seats(self.state.I[base + number]))

    def _read_place(self, place: Place, instance: PlaceInstance) -> None:
        I, L, ref = self.state.I, self.state.L, instance.ref
        if place.counts:
            place.counts = I[ref : ref + len(place.counts)]
        elif place.decl.tokens and place.board is None:
            place.cells = {WHOLE: I[ref]} if I[ref] >= 0 else {}
        elif place.decl.tokens:
            geometry = self.layout.geometries[place.key]
            place.cells = {geometry.xy(n): I[ref + n] for n in range(geometry.size) if I[ref + n] >= 0}
        else:
            place.items = list(L[ref])
            place.cells = {}
        if place.decl.form.hidden:
            place.top = self._known(L[ref + 1], L[ref + 3])[::-1]
            place.bottom = self._known(L[ref + 2], L[ref + 4])
            place.middle = [None] * len(place.items)
            for number, known in enumerate(self._known(L[ref + 5], L[ref + 7])):
                place.middle.insert(L[ref + 6][number] + number, known)

    def _known(self, cards: list[int], masks: list[int]) -> list[Known]:
        return [Known(card, set(self._seats(mask))) for card, mask in zip(cards, masks, strict=True)]

    def _read_things(self) -> None:
        I = self.state.I
        for name, things in self.play.table.things.items():
            where = self.layout.comps[name]
            for c, thing in enumerate(things):
                if where.on >= 0:
                    thing.on = self.plain(I[where.on + c], t.optional(thing.decl.on or t.NOTHING))
                    continue
                thing.place = self.refs.get((False, I[where.where + c]))
                if where.cell < 0:
                    continue
                thing.turned, cell = I[where.turned + c], I[where.cell + c]
                thing.space = None
                if thing.place is not None and thing.place.board is not None:
                    thing.space = self.layout.geometries[thing.place.key].xy(cell)
                    thing.place.cells[thing.space] = c

    def _row(self, name: str, row: int) -> dict[str, Any]:
        fields = self.layout.records[name][2]
        out: dict[str, Any] = {}
        for field, (indices, type_) in self.engine.game.records[name].fields.items():
            base, sizes, _ = fields[field]
            width = _product(sizes)
            cells = [
                self.plain(v, type_) for v in self.state.I[base + row * width : base + (row + 1) * width]
            ]
            keys = product(*(self.play.table.universe(i) for i in indices))
            out[field] = dict(zip(keys, cells, strict=True)) if indices else cells[0]
        return out

    # ------------------------------------------------------------ writing
    def write(self) -> None:
        """The table into the state, which keeps its control stack and what anybody has noticed."""
        state, layout, table = self.state, self.layout, self.play.table
        I = state.I = layout.initial.copy()
        state.L = [[] for _ in layout.lists]
        state.G = [Grown() for _ in range(layout.grown_count)]
        I[layout.ACTIVE] = -1 if table.active is None else table.active
        I[layout.TURN] = table.turn
        if layout.actions >= 0:
            I[layout.actions] = table.actions
        for places, instances in self._places():
            for number, (place, instance) in enumerate(zip(places, instances, strict=True)):
                self._write_place(place, instance, number)
                if place.key in layout.grants:
                    I[layout.grants[place.key] + number] = _mask(place.shown_to)
        self._write_things()
        for key, decl in table.game.states.items():
            base, _, _ = layout.states[key]
            for number, (index, value) in enumerate(table.states[key].items()):
                I[base + number] = self.flat(value, decl.type)
                if key in layout.grants:
                    I[layout.grants[key] + number] = _mask(table.shown_states.get((key, index), set()))
        for name, record in table.records.items():
            I[layout.records[name][0]] = len(record.rows)
            for row, values in enumerate(record.rows):
                self._write_row(name, row, values)

    def _write_place(self, place: Place, instance: PlaceInstance, number: int) -> None:
        I, L, ref = self.state.I, self.state.L, instance.ref
        geometry = self.layout.geometries.get(place.key)
        if place.counts:
            I[ref : ref + len(place.counts)] = place.counts
        elif place.decl.tokens:
            for space, kind in place.cells.items():
                cell = geometry.space(*space) if geometry is not None else 0
                I[ref + cell] = kind
                if place.key in self.layout.indexed:
                    kinds = L[self.layout.indexed[place.key] + kind]
                    kinds.append(cell)
                    kinds.sort()
        else:
            L[ref] = list(place.items)
        if place.decl.form.hidden:
            for known, cards, masks in ((place.top[::-1], 1, 3), (place.bottom, 2, 4)):
                L[ref + cards] = [k.card for k in known]
                L[ref + masks] = [_mask(k.viewers) for k in known]
            deep = [(n, k) for n, k in enumerate(place.middle) if k is not None]
            L[ref + 5] = [k.card for _, k in deep]
            L[ref + 6] = [n - above for above, (n, _) in enumerate(deep)]
            L[ref + 7] = [_mask(k.viewers) for _, k in deep]
        if geometry is not None and not place.decl.tokens:
            for at, c in sorted((geometry.space(*space), c) for space, c in place.cells.items()):
                if geometry.grows:
                    self.state.G[self.layout.grown[place.key] + number].put(at, c)
                else:
                    base, (_, width), _ = self.layout.states[f"cells of {place.key}"]
                    I[base + number * width + at] = c

    def _write_things(self) -> None:
        I, layout = self.state.I, self.layout
        for name, things in self.play.table.things.items():
            where = layout.comps[name]
            for c, thing in enumerate(things):
                if where.on >= 0:
                    I[where.on + c] = self.flat(thing.on, t.optional(thing.decl.on or t.NOTHING))
                    continue
                place = thing.place
                I[where.where + c] = -1 if place is None else self.flat(place, t.Place("", ""))
                if where.cell >= 0:
                    I[where.turned + c] = thing.turned
                    if thing.space is not None and place is not None:
                        I[where.cell + c] = layout.geometries[place.key].space(*thing.space)

    def _write_row(self, name: str, row: int, values: dict[str, Any]) -> None:
        fields = self.layout.records[name][2]
        for field, (indices, type_) in self.engine.game.records[name].fields.items():
            base, sizes, _ = fields[field]
            width = _product(sizes)
            cells = list(values[field].values()) if indices else [values[field]]
            self.state.I[base + row * width : base + (row + 1) * width] = [self.flat(v, type_) for v in cells]


def _mask(viewers: Iterable[int]) -> int:
    return sum(1 << p for p in viewers)


def _product(sizes: Iterable[int]) -> int:
    out = 1
    for size in sizes:
        out *= size
    return out
