"""Views: what lies open to one seat now, as plain data.

A view is made of a state and a seat and nothing else, and shows what the masks of
watch.py allow. Behind the seal of a `together` it shows what others have as it
was when the seal was put on, be it a place, a state, a piece or a record; only
one's own things are shown as they are.
"""

from __future__ import annotations

import itertools
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, Any

from attrs import define

from ..core import value_types as t
from ..program.layout import PlaceInstance
from .labels import Values

if TYPE_CHECKING:
    from .state import State
    from .visibility import Position, Watcher

NOBODY = -1


def view(watcher: Watcher, state: State, viewer: int | None) -> dict[str, Any]:
    """`places`, `states`, `pieces`, `records` and whose turn it is, as one seat sees them; None sees everything."""
    return _View(watcher, state, viewer).whole()


@define
class _Sealed:
    """How it was when a seal was put on."""

    I: list[int]
    L: list[list[int]]


class _View:
    def __init__(self, watcher: Watcher, state: State, viewer: int | None) -> None:
        self.watcher = watcher
        self.layout = watcher.layout
        self.state = state
        self.viewer = viewer
        self.values = watcher.values_for(state, viewer)

    def whole(self) -> dict[str, Any]:
        I = self.open_to(NOBODY).I
        active = I[self.layout.ACTIVE]
        seated = self.viewer is not None and self.viewer < self.watcher.spectator
        return {
            "player": self.viewer + 1 if self.viewer is not None and seated else None,
            "active": active + 1 if active >= 0 else None,
            "turn": I[self.layout.TURN],
            "places": self.places(),
            "states": self.states(),
            "pieces": self.pieces(),
            "records": {name: self.record(I, name) for name in self.layout.records},
            "over": self.state.over,
        }

    def sees(self, mask: int) -> bool:
        return self.viewer is None or bool(mask >> self.viewer & 1)

    def open_to(self, owner: int) -> Position:
        """Where the things of this owner are, as far as that is out: the seal hides what came since."""
        sealed = self.state.sealed
        if sealed is not None and self.viewer is not None and owner != self.viewer:
            return _Sealed(*sealed)
        return self.state

    # ------------------------------------------------------------ places
    def places(self) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        labels, spelled = self.watcher.labels, self.watcher.handles.spelled
        for key, instances in self.layout.instances.items():
            if not key.startswith("box of "):
                for index, instance in enumerate(instances):
                    label = labels[key, index]
                    if label in spelled:
                        label = self.values.place_label(key, instance)
                    shown[label] = self.place(key, index, instance)
        return self.watcher.handles.sorted_labels(shown)

    def place(self, key: str, index: int, instance: PlaceInstance) -> dict[str, Any]:
        watcher, state = self.watcher, self.open_to(instance.owner)
        I, L = state.I, state.L
        if self.sees(watcher.place_mask(state, key, index)):
            return {"contents": contents_of(self.values, I, L, key, index)}
        shown: dict[str, Any] = {}
        sized = self.sees(watcher.place_mask(state, key, index, "size_seen"))
        if sized:
            shown["size"] = _size(self.values, I, L, key, index)
        decl, ref = instance.decl, instance.ref
        if (
            decl.top_seen is not None
            and L[ref]
            and self.sees(watcher.place_mask(state, key, index, "top_seen"))
        ):
            shown["top"] = self.values.comp_name(decl.of, L[ref][-1])
        if decl.form.hidden:
            shown |= self.known_in_deck(L, instance, sized=sized)
        return shown

    def known_in_deck(self, L: list[list[int]], instance: PlaceInstance, *, sized: bool) -> dict[str, Any]:
        """What the viewer knows of the order of a deck. It follows from that alone: how many cards somebody
        else has looked at makes no difference."""
        ref, name = instance.ref, instance.decl.of

        def names(cards: list[int], masks: list[int]) -> list[str | None]:
            seen = (self.sees(self.watcher.public(mask)) for mask in masks)
            return [self.values.comp_name(name, c) if s else None for c, s in zip(cards, seen, strict=True)]

        middle: list[str | None] = [None] * len(L[ref])
        for number, (card, depth) in enumerate(zip(names(L[ref + 5], L[ref + 7]), L[ref + 6], strict=True)):
            middle.insert(depth + number, card)
        upper = [*names(L[ref + 1], L[ref + 3])[::-1], *middle]
        lower = names(L[ref + 2], L[ref + 4])
        return known_order([*upper, *lower], None) if sized else known_order(upper, lower)

    # ------------------------------------------------------------ states, pieces, records
    def states(self) -> dict[str, Any]:
        shown = {}
        watcher, spelled = self.watcher, self.watcher.handles.spelled
        for key, decl in self.layout.game.states.items():
            base, _, _ = self.layout.states[key]
            for index, label in enumerate(watcher.state_labels(key)):
                state = self.open_to(watcher.state_owner(key, index))
                if self.sees(watcher.state_mask(state, key, index)):
                    if label in spelled:
                        label = self.values.state_label(key, index)
                    shown[label] = self.values.encode(state.I[base + index], decl.type)
        return self.watcher.handles.sorted_labels(shown)

    def pieces(self) -> dict[str, Any]:
        """What each piece stands on; of a component that is not in sight, only what sort it is."""
        shown = {}
        for name, comp in self.layout.comps.items():
            on = comp.decl.on
            if on is None:
                continue
            for c in range(comp.count):
                state = self.open_to(self.watcher.piece_owner(name, c))
                there = state.I[comp.on + c]
                hidden = (
                    isinstance(on, t.Comp)
                    and there >= 0
                    and not self.sees(self.watcher.viewers_of(state, on.name, there))
                )
                where = str(on) if hidden else self.values.encode(there, t.Opt(on))
                shown[self.values.comp_name(name, c)] = where
        return shown

    def record(self, I: list[int], name: str) -> Any:
        return tuple(row_of(self.values, I, name, row) for row in range(I[self.layout.records[name][0]]))


def known_order(upper: list[str | None], lower: list[str | None] | None) -> dict[str, Any]:
    """Of a deck from the top down: the known cards on top, at the bottom, and each that lies deep in it, below
    so many unknown ones. A lower part is told apart for who does not know how much lies above it."""
    top, rest = [*takewhile(bool, upper)], [*dropwhile(bool, upper)]
    bottom: list[str | None] = []
    if lower is not None:
        bottom = [*dropwhile(lambda card: card is None, lower)]
    else:
        while rest and rest[-1] is not None:
            bottom.insert(0, rest.pop())
    deep = tuple((rest[:n].count(None), card) for n, card in enumerate(rest) if card is not None)
    found = {"top": tuple(top), "bottom": tuple(bottom), "deep": deep}
    return {word: cards for word, cards in found.items() if cards}


def row_of(values: Values, I: list[int], name: str, row: int) -> dict[str, Any]:
    """A row of a record; of a field with indices, the cells that are not 0, each with its indices."""
    layout = values.layout
    shown: dict[str, Any] = {}
    for field, (base, sizes, lows) in layout.records[name][2].items():
        indices, type_ = layout.game.records[name].fields[field]
        if not sizes:
            shown[field] = values.encode(I[base + row], type_)
            continue
        cells = list(
            itertools.product(*(range(low, low + size) for size, low in zip(sizes, lows, strict=True)))
        )
        start = base + row * len(cells)
        shown[field] = tuple(
            (
                *(values.encode(k, i) for k, i in zip(keys, indices, strict=True)),
                values.encode(value, type_),
            )
            for keys, value in zip(cells, I[start : start + len(cells)], strict=True)
            if value
        )
    return shown


def contents_of(values: Values, I: list[int], L: list[list[int]], key: str, index: int) -> Any:
    """All that lies in a place, as plain data."""
    layout = values.layout
    instance = layout.instances[key][index]
    decl, ref = instance.decl, instance.ref
    geometry = layout.geometries.get(key)
    if decl.tokens:
        kinds = layout.game.kinds[decl.of].values
        if geometry is not None:
            cells = ((geometry.xy(s), I[ref + s]) for s in range(geometry.size))
            return tuple((xy, kinds[k]) for xy, k in cells if k >= 0)
        if decl.form.single:
            return kinds[I[ref]] if I[ref] >= 0 else None
        return tuple((kind, I[ref + n]) for n, kind in enumerate(kinds) if I[ref + n])
    name = decl.of
    cards = L[ref]
    if decl.form.hidden:
        cards = [*L[ref], *L[ref + 1], *L[ref + 2], *L[ref + 5]]
    if not decl.form.ordered:
        cards = sorted(cards, key=lambda c: values.number(name, c))
    if geometry is not None:
        comp = layout.comps[name]
        return tuple(
            (values.comp_name(name, c), geometry.xy(I[comp.cell + c]), I[comp.turned + c]) for c in cards
        )
    return tuple(values.comp_name(name, c) for c in cards)


def _size(values: Values, I: list[int], L: list[list[int]], key: str, index: int) -> int:
    layout = values.layout
    instance = layout.instances[key][index]
    decl, ref = instance.decl, instance.ref
    if not decl.tokens:
        lists = decl.form.lists
        return sum(len(L[ref + n]) for n in lists)
    geometry = layout.geometries.get(key)
    if geometry is not None or decl.form.single:
        cells = geometry.size if geometry is not None else 1
        return cells - I[ref : ref + cells].count(-1)
    return sum(I[ref : ref + len(layout.game.kinds[decl.of].values)])
