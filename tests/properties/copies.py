"""Two matches that differ only in which of several copies chance has brought.

They go side by side. Where chance draws a component out of what nobody knows, the
other match draws another copy of the same printed row. Nobody can tell the two
matches apart, so whatever anybody is given, view, observations, options, must be
the same in both; then the same option is taken by its key.

Rules go through copies by their true numbers. Where a state tells one copy in a heap
from the others, its number may be the lowest in one match and the highest in the
other: a rule may then do another thing in each, and they part.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

from dragonrules.interpreter.core import value_types as t


class SideBySide:
    """Two matches of one table with the same seed."""

    def __init__(self, table: Any, seed: int) -> None:
        self.matches = [table.start(seed, chance="ask") for _ in range(2)]
        self.rng = Random(seed)
        self.exchanged = 0
        self.settle()

    @property
    def over(self) -> bool:
        """Is a match over, or may the rules go another way in each?"""
        one, other = self.matches
        return bool(one.over) or marked(one) != marked(other)

    def settle(self) -> None:
        """Chance brings copies of the same row to both."""
        one, other = self.matches
        while one.chance is not None:
            assert other.state.pc == one.state.pc, "they have come to different points"
            value = one.state.rng.settle(one.state.options, one.state.weights)
            twin = self._twin(value)
            self.exchanged += twin != value
            one.bring(value)
            other.bring(twin)

    def _twin(self, value: Any) -> Any:
        """What the other match draws instead: any copy out of a deck that those who see it call by the same
        name; out of a bag the one of the same rank. A copy that a state tells apart is another thing: what
        was noted about both must be the same."""
        one, other = self.matches
        type_ = one.state.engine.generated.chances[one.state.pc]
        if not isinstance(type_, t.Comp):
            return value
        layout = one.state.engine.layout
        rows = layout.comps[type_.name].rows
        noted = _noted(one, type_.name, value)
        mine = [
            c for c in one.state.options if rows[c] == rows[value] and _noted(one, type_.name, c) == noted
        ]
        alike = [
            c for c in other.state.options if rows[c] == rows[value] and _noted(other, type_.name, c) == noted
        ]
        ref = one.state.I[layout.comps[type_.name].where + value]
        _, _, instance = one.state.engine.watcher.comp_places[ref]
        if instance.decl.shape == "deck":
            called = _called(one, type_.name, value)
            return self.rng.choice([c for c in alike if _called(other, type_.name, c) == called])
        return alike[mine.index(value)]

    def step(self, number: int) -> None:
        one, other = self.matches
        decision = one.decision
        key = one.view(decision.player)["decision"]["options"][number % len(decision.options)]
        for match in (one, other):
            match.choose(key)
        self.settle()

    def differences(self) -> Iterator[str]:
        """What somebody could tell them apart by."""
        one, other = self.matches
        for viewer in (*range(1, one.players + 1), None):
            who = f"player {viewer}" if viewer else "a spectator"
            for what, mine, theirs in (
                ("sees", one.view(viewer), other.view(viewer)),
                ("has noticed", one.observations(viewer), other.observations(viewer)),
            ):
                if repr(mine) != repr(theirs):  # the order of labels counts, too
                    yield f"{who} {what} {_difference(mine, theirs)}"
        if one.decision is not None and offered(one) != offered(other):
            yield f"offered: {offered(one)} or {offered(other)}"


def _noted(match: Any, name: str, c: int) -> list[list[int]]:
    """What the states that are kept for components of this sort say about one of them."""
    layout, cells = match.state.engine.layout, match.state.I
    found = []
    for key, decl in layout.game.states.items():
        base, sizes, _ = layout.states[key]
        if t.plain(decl.type) == t.Comp(name):
            found.append([cell == c for cell in cells[base : base + prod(sizes)]])
        if decl.owner == name or decl.indices == (t.Comp(name),):
            each = prod(sizes) // sizes[0]
            found.append(cells[base + c * each : base + (c + 1) * each])
    return found


def _called(match: Any, name: str, c: int) -> list[int | None]:
    """What each viewer who sees a copy calls it, wherever it lies: in a deck, too, of which one sees what is in it."""
    names, first = match.state.names, match.state.engine.watcher.handles.first
    if name not in first:
        return []
    at = first[name] + c
    return [
        mine[at] if names.sighted[at] >> viewer & 1 else None for viewer, mine in enumerate(names.handles)
    ]


def marked(match: Any) -> list[Any]:
    """In the order in which rules go through what lies in each heap, that of true numbers: the row of each, and
    what states say about it."""
    state = match.state
    found = []
    for ref, (_, _, place) in state.engine.watcher.comp_places.items():
        name, heap = place.decl.of, state.L[ref]
        rows = state.engine.layout.comps[name].rows
        if place.decl.form.heap:
            found.append([(rows[c], _noted(match, name, c)) for c in sorted(heap)])
    return found


def offered(match: Any) -> Any:
    decision = match.decision
    return decision.player, decision.prompt, [repr((o.key, o.label)) for o in decision.options]


def _difference(a: Any, b: Any) -> str:
    if isinstance(a, dict) and isinstance(b, dict):
        parts = [
            f"{key}: {_difference(a.get(key), b.get(key))}" for key in {**a, **b} if a.get(key) != b.get(key)
        ]
        return "; ".join(parts) or "labels in another order"
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) > 6:
        return next((f"{x} or {y}" for x, y in zip(a, b, strict=False) if x != y), "more or less")
    return f"{a!r} or {b!r}"
