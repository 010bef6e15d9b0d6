"""Is a state sound? Everything that must hold in every position of every game.

Each component lies in exactly one place and every record of where it lies says
the same; tokens are neither made nor lost; unordered lists are sorted, so that
equal positions are equal data; every value is one that its type allows.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from dragonrules.interpreter.core import value_types as t
from dragonrules.interpreter.program.layout import GROWN_WIDTH

_SORTED = frozenset(("bag", "grid", "ring", "deck"))
_STEPS = (1, -1, GROWN_WIDTH, -GROWN_WIDTH)


def audit(state: Any) -> None:
    layout = state.engine.layout
    for name, comp in layout.comps.items():
        if comp.decl.on is None:
            _components(state, name, comp)
        else:
            of = t.Opt(comp.decl.on)
            assert all(allowed(state, state.I[comp.on + c], of) for c in range(comp.count)), (
                f"{name} stand nowhere"
            )
    for key, place in layout.game.places.items():
        for number, instance in enumerate(layout.instances[key]):
            if place.tokens:
                _token_place(state, key, instance)
            else:
                _component_place(state, key, number, instance)
    _tokens_conserved(state)
    _values(state)
    assert -1 <= state.I[layout.ACTIVE] < layout.players


def _components(state: Any, name: str, comp: Any) -> None:
    found: Counter[int] = Counter()
    for key, place in state.engine.layout.game.places.items():
        if place.of != name or place.tokens:
            continue
        for instance in state.engine.layout.instances[key]:
            here = cards(state, instance)
            found.update(here)
            for c in here:
                assert state.I[comp.where + c] == instance.ref, (
                    f"{name} {c} lies in {key} but does not know it"
                )
            if comp.cell >= 0 and key not in state.engine.layout.geometries:
                for c in here:
                    assert state.I[comp.cell + c] == -1, f"{name} {c} has a space outside of any grid"
                    assert state.I[comp.turned + c] == 0, f"{name} {c} is turned outside of any grid"
    assert found == Counter(range(comp.count)), f"{name}: not each of them in one place"


def cards(state: Any, instance: Any) -> list[int]:
    """All components in a place; a deck keeps them in several lists."""
    lists = (0, 1, 2, 5) if instance.decl.shape == "deck" else (0,)
    return list(chain.from_iterable(state.L[instance.ref + n] for n in lists))


def _component_place(state: Any, key: str, number: int, instance: Any) -> None:
    layout, decl, ref = state.engine.layout, instance.decl, instance.ref
    lists = state.L[ref]
    if decl.shape in _SORTED:
        assert lists == sorted(lists), f"{key} is unordered, but its list is not sorted"
    if decl.shape == "slot":
        assert len(lists) <= 1, f"{len(lists)} in the slot {key}"
    if decl.cap is not None:
        assert len(cards(state, instance)) <= layout.constants.evaluate(decl.cap), f"too many in {key}"
    if decl.shape == "deck":
        for known, *beside in ((1, 3), (2, 4), (5, 6, 7)):
            for other in beside:
                assert len(state.L[ref + known]) == len(state.L[ref + other]), (
                    f"{key}: lists of different lengths"
                )
        watcher = state.engine.watcher  # who has no seat sees only what all seats see
        assert all(
            0 <= mask <= watcher.seats or mask == watcher.everyone
            for n in (3, 4, 7)
            for mask in state.L[ref + n]
        ), f"{key}: odd viewers"
        assert state.L[ref + 6] == sorted(state.L[ref + 6]), f"{key}: known depths out of order"
    comp = layout.comps[decl.of]
    spaces = {state.I[comp.cell + c]: c for c in lists} if key in layout.geometries else {}
    if key in layout.grown:
        grown = state.G[layout.grown[key] + number]
        assert grown.cells == spaces, f"{key}: its dictionary is out of step"
        edge = Counter(s + d for s in spaces for d in _STEPS if s + d not in spaces)
        assert grown.edge == edge, f"{key}: its frontier is out of step"
        assert grown.sorted_edge in (None, tuple(sorted(edge))), f"{key}: its sorted frontier is out of step"
    elif key in layout.geometries:
        base, (_, width), _ = layout.states[f"cells of {key}"]
        first = base + number * width
        cells = [spaces.get(s, -1) for s in range(width - 1)]
        assert state.I[first : first + width - 1] == cells, f"{key}: its cells are out of step"
        assert state.I[first - 1] == -1, f"{key}: something lies beside the board"


def _token_place(state: Any, key: str, instance: Any) -> None:
    layout, decl, ref = state.engine.layout, instance.decl, instance.ref
    kinds = len(layout.game.kinds[decl.of].values)
    geometry = layout.geometries.get(key)
    if geometry is not None or decl.shape == "slot":
        size = geometry.size if geometry is not None else 1
        cells = state.I[ref : ref + size]
        assert all(-1 <= kind < kinds for kind in cells), f"{key}: no such kind"
        assert state.I[ref - 1] == -1, f"{key}: something lies beside the board"
        if key in layout.indexed:
            for kind in range(kinds):
                where = [s for s, k in enumerate(cells) if k == kind]
                assert state.L[layout.indexed[key] + kind] == where, f"{key}: its index is out of step"
        return
    assert all(n >= 0 for n in state.I[ref : ref + kinds]), f"{key}: less than nothing"
    if decl.cap is not None:
        assert sum(state.I[ref : ref + kinds]) <= layout.constants.evaluate(decl.cap), f"too many in {key}"


def _tokens_conserved(state: Any) -> None:
    for token, kind in state.engine.layout.game.kinds.items():
        if token in state.engine.layout.game.tokens:
            first, now = (tally(state, numbers, token) for numbers in (state.engine.layout.initial, state.I))
            for value, before, after in zip(kind.values, first, now, strict=True):
                assert before == after, f"{token} {value}: {before} became {after}"


def tally(state: Any, numbers: list[int], token: str) -> list[int]:
    """How many tokens of each kind there are, over all places."""
    layout = state.engine.layout
    kinds = range(len(layout.game.kinds[token].values))
    out = [0 for _ in kinds]
    for key, place in layout.game.places.items():
        if not place.tokens or place.of != token:
            continue
        geometry = layout.geometries.get(key)
        for instance in layout.instances[key]:
            if geometry is not None or place.shape == "slot":
                size = geometry.size if geometry is not None else 1
                there = [numbers[instance.ref : instance.ref + size].count(kind) for kind in kinds]
            else:
                there = numbers[instance.ref : instance.ref + len(kinds)]
            out = [a + b for a, b in zip(out, there, strict=True)]
    return out


def _values(state: Any) -> None:
    layout = state.engine.layout
    for key, decl in layout.game.states.items():
        base, sizes, _ = layout.states[key]
        for value in state.I[base : base + _product(sizes)]:
            assert allowed(state, value, decl.type), f"{key} is {value}, not {decl.type}"
    for name, (count, limit, fields) in layout.records.items():
        rows = state.I[count]
        assert 0 <= rows <= limit, f"{rows} rows of {name}"
        for field, (base, sizes, _) in fields.items():
            width = _product(sizes)
            type_ = layout.game.records[name].fields[field][1]
            for value in state.I[base : base + rows * width]:
                assert allowed(state, value, type_), f"{name}.{field} is {value}, not {type_}"
            assert not any(state.I[base + rows * width : base + limit * width]), (
                f"{name}: traces of rows that are gone"
            )


def allowed(state: Any, value: Any, type_: Any) -> bool:
    """Is it one of the values of a type?"""
    layout = state.engine.layout
    match type_:
        case t.Opt(of):
            return value == -1 or allowed(state, value, of)
        case t.Num(low, high):
            return low <= value <= high
        case t.YesNo():
            return value in (0, 1)
        case t.SetOf(of) | t.ListOf(of) if isinstance(value, tuple):
            return all(allowed(state, v, of) for v in value)
        case t.SetOf(of):
            return 0 <= value < 1 << layout.size(of)
        case t.Space(of) if layout.geometries[of].grows:
            return isinstance(value, int) and value >= 0
        case t.Kind() | t.Player() | t.Comp() | t.Space() | t.Rec():
            return 0 <= value < layout.size(type_)
    return True


def _product(sizes: tuple[int, ...]) -> int:
    out = 1
    for size in sizes:
        out *= size
    return out
