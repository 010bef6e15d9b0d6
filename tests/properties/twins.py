"""Positions that one player cannot tell apart.

`twins` changes a position in something that a seat does not see: two hidden
components or tokens change places, a hidden number becomes another. Sizes that
the seat sees stay as they are. The position need not be one that play could
reach; what the seat sees and may do must not depend on that either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from dragonrules.interpreter.core import value_types as t

Change = Callable[[Any], None]
"""Something to do to a state."""


def changes(state: Any, seat: int, rng: Random) -> Iterator[tuple[str, Change]]:
    """Changes that a seat (from 0) cannot see, with words for them, at most a few of each kind."""
    for name, comp in state.engine.layout.comps.items():
        if comp.decl.on is None:
            yield from _component_changes(state, seat, rng, name, comp)
    for token in state.engine.layout.game.tokens:
        yield from _token_changes(state, seat, rng, token)
    yield from _state_changes(state, seat, rng)
    if state.sealed is not None:
        yield from _sealed_changes(state, seat, rng)


# ---------------------------------------------------------------- components
def _component_changes(
    state: Any, seat: int, rng: Random, name: str, comp: Any
) -> Iterator[tuple[str, Change]]:
    watcher = state.engine.watcher
    hidden = [c for c in range(comp.count) if not watcher.viewers_of(state, name, c) >> seat & 1]
    pairs = [
        (a, b) for a in hidden for b in hidden if a < b and _spot(state, comp, a) != _spot(state, comp, b)
    ]
    for a, b in _some(pairs, rng):
        yield f"{name} {a} and {b} change places", lambda twin, a=a, b=b: exchange(twin, name, comp, a, b)


def _some(items: list[Any], rng: Random) -> list[Any]:
    return rng.sample(items, min(3, len(items)))


def _spot(state: Any, comp: Any, c: int) -> Any:
    """Where it lies; the same for two in one unordered place."""
    ref = state.I[comp.where + c]
    _, _, instance = state.engine.watcher.comp_places[ref]
    shape = instance.decl.shape
    if shape in ("bag", "slot"):
        return ref
    if shape == "deck":
        return next(
            (ref, n, state.L[ref + n].index(c) if n else 0) for n in (0, 1, 2, 5) if c in state.L[ref + n]
        )
    return ref, state.L[ref].index(c)


def exchange(state: Any, name: str, comp: Any, a: int, b: int) -> None:
    """Two components of one type take each other's place, wherever those are."""
    layout = state.engine.layout
    other = {a: b, b: a}
    places = [
        i for key, place in layout.game.places.items() if place.of == name for i in layout.instances[key]
    ]
    for instance in places:
        for n in (0, 1, 2, 5) if instance.decl.shape == "deck" else (0,):
            renamed = [other.get(c, c) for c in state.L[instance.ref + n]]
            ordered = instance.decl.shape in ("row", "stack", "slot") or n
            state.L[instance.ref + n] = renamed if ordered else sorted(renamed)
    for base in (comp.where, comp.cell, comp.turned):
        if base >= 0:
            state.I[base + a], state.I[base + b] = state.I[base + b], state.I[base + a]
    for piece in layout.comps.values():
        if piece.decl.on == t.Comp(name):
            for slot in range(piece.on, piece.on + piece.count):
                state.I[slot] = other.get(state.I[slot], state.I[slot])
    for key, geometry in layout.geometries.items():
        if layout.game.places[key].of != name or layout.game.places[key].tokens:
            continue
        if geometry.grows:
            for grown in state.G[layout.grown[key] : layout.grown[key] + len(layout.instances[key])]:
                grown.cells = {space: other.get(c, c) for space, c in grown.cells.items()}
        else:
            base, (count, width), _ = layout.states[f"cells of {key}"]
            for cell in range(base, base + count * width - 1):
                state.I[cell] = other.get(state.I[cell], state.I[cell])


# ---------------------------------------------------------------- tokens
def _token_changes(state: Any, seat: int, rng: Random, token: str) -> Iterator[tuple[str, Change]]:
    watcher = state.engine.watcher
    bags, cells = [], []
    for ref, (key, index, instance) in watcher.token_places.items():
        if instance.decl.of != token or watcher.place_mask(state, key, index) >> seat & 1:
            continue
        geometry = state.engine.layout.geometries.get(key)
        if geometry is None and instance.decl.shape != "slot":
            sized = watcher.place_mask(state, key, index, "size_seen") >> seat & 1
            bags.append((ref, bool(sized)))
        elif key not in state.engine.layout.indexed:
            size = geometry.size if geometry is not None else 1
            cells += [cell for cell in range(ref, ref + size) if state.I[cell] >= 0]
    kinds = range(len(state.engine.layout.game.kinds[token].values))
    held = [(ref, sized, kind) for ref, sized in bags for kind in kinds if state.I[ref + kind]]
    swaps = [(a, k, b, m) for a, _, k in held for b, _, m in held if a < b and k != m]
    for a, k, b, m in _some(swaps, rng):
        yield (
            f"a {token} {k} at {a} and a {m} at {b} change places",
            lambda twin, s=(a, k, b, m): _trade(twin, *s),
        )
    gifts = [(a, k, b) for a, seen, k in held for b, also in bags if a != b and not seen and not also]
    for a, k, b in _some(gifts, rng):
        yield f"a {token} {k} goes from {a} to {b}", lambda twin, a=a, k=k, b=b: _give(twin, a + k, b + k)
    pairs = [(a, b) for a in cells for b in cells if a < b and state.I[a] != state.I[b]]
    for a, b in _some(pairs, rng):
        yield f"{token}s on two spaces change places", lambda twin, a=a, b=b: _turn_round(twin, a, b)


def _trade(state: Any, a: int, k: int, b: int, m: int) -> None:
    _give(state, a + k, b + k)
    _give(state, b + m, a + m)


def _give(state: Any, source: int, dest: int) -> None:
    state.I[source] -= 1
    state.I[dest] += 1


def _turn_round(state: Any, a: int, b: int) -> None:
    state.I[a], state.I[b] = state.I[b], state.I[a]


# ---------------------------------------------------------------- numbers
def _state_changes(state: Any, seat: int, rng: Random) -> Iterator[tuple[str, Change]]:
    layout, watcher = state.engine.layout, state.engine.watcher
    hidden = []
    for key, decl in layout.game.states.items():
        base, sizes, _ = layout.states[key]
        count = 1
        for size in sizes:
            count *= size
        values = _values_of(layout, decl.type)
        for index in range(count) if values else ():
            if not watcher.state_mask(state, key, index) >> seat & 1:
                hidden.append((key, base + index, values))
    for key, slot, values in _some(hidden, rng):
        new = _one_of(values, rng)
        yield f"{key} becomes {new}", lambda twin, slot=slot, new=new: _set(twin, slot, new)


def _values_of(layout: Any, type_: Any) -> list[range]:
    """As ranges: a number up to a hundred million is drawn from one, never from a list of them all."""
    match type_:
        case t.Opt(of):
            return [range(-1, 0), *_values_of(layout, of)]
        case t.Num() | t.YesNo() | t.Kind() | t.Player():
            return [layout.universe(type_)]
    return []


def _one_of(values: list[range], rng: Random) -> int:
    number = rng.randrange(sum(map(len, values)))
    for some in values:
        if number < len(some):
            return some[number]
        number -= len(some)
    raise AssertionError("one of them has it")


def _set(state: Any, slot: int, value: int) -> None:
    state.I[slot] = value


# ---------------------------------------------------------------- behind a seal
def _sealed_changes(state: Any, seat: int, rng: Random) -> Iterator[tuple[str, Change]]:
    """What another has done since the seal: it might have been done with another thing of the same place."""
    before = state.sealed[0]
    for name, comp in state.engine.layout.comps.items():
        if comp.decl.on is not None:
            continue
        pairs = []
        for a in range(comp.count):
            was, now = before[comp.where + a], state.I[comp.where + a]
            _, _, place = state.engine.watcher.comp_places[was]
            if was != now and place.owner not in (-1, seat) and place.decl.shape == "bag":
                pairs += [(a, b) for b in state.L[was]]
        for a, b in _some(pairs, rng):
            yield (
                f"{name} {b} instead of {a} behind the seal",
                lambda twin, name=name, comp=comp, a=a, b=b: exchange(twin, name, comp, a, b),
            )
