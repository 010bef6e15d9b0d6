"""Two matches that differ only in which of several copies chance has brought.

They go side by side. Where chance draws a component out of what nobody knows, the
other match draws another copy of the same printed row. Nobody can tell the two
matches apart, so whatever anybody is given, view, observations, options, must be
the same in both; then the same option is taken by its key.
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
        return bool(self.matches[0].over)

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
        """What the other match draws instead: any copy out of a deck; out of a bag the one of the same rank.
        A copy that a state tells apart is another thing: what was noted about both must be the same."""
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
            return self.rng.choice(alike)
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
        if decl.owner == name or decl.indices == (t.Comp(name),):
            each = prod(sizes) // sizes[0]
            found.append(cells[base + c * each : base + (c + 1) * each])
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
