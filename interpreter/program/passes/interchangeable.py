"""Copies of a component: which of them nobody could tell apart.

Components of one printed row are identical as long as nothing else tells them
apart: a state of their own, a place of their own, or a state that is kept for
each of them or holds one. Of identical ones in an unordered place one is
offered, and chance counts them as one outcome.
"""

from __future__ import annotations

from math import prod

from attrs import frozen

from ...core import CheckedGame
from ...core import value_types as t
from ..layout import Layout

Marks = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


@frozen
class Copies:
    """The printed row of each component, and what may tell copies apart for a while: where states kept
    for each of them begin, with their first value, and where a state holds one of them."""

    rows: tuple[int, ...]
    marks: Marks


def copies_of(game: CheckedGame, layout: Layout, comp: str) -> Copies | None:
    """None if there are no copies, or if they can always be told apart."""
    here = layout.comps[comp]
    owners = {state.owner for state in game.states.values()} | {place.owner for place in game.places.values()}
    if comp in owners:
        return None
    if here.decl.on is not None or len(set(here.rows)) == here.count:
        return None
    marks = _marks(game, layout, comp)
    return None if marks is None else Copies(tuple(here.rows), marks)


def _marks(game: CheckedGame, layout: Layout, comp: str) -> Marks | None:
    """None if something may tell copies apart that is not looked into."""
    kept: list[tuple[int, int]] = []
    holding: list[int] = []
    for key, state in game.states.items():
        offset, sizes, _ = layout.states[key]
        if state.indices == (t.Comp(comp),) and not t.mentions(state.type, comp):
            kept.append((offset, layout.initial[offset]))
        elif t.plain(state.type) == t.Comp(comp) and not any(t.mentions(i, comp) for i in state.indices):
            holding += range(offset, offset + prod(sizes))
        elif any(t.mentions(type_, comp) for type_ in (state.type, *state.indices)):
            return None
    for record in game.records.values():
        for indices, type_ in record.fields.values():
            if any(t.mentions(part, comp) for part in (type_, *indices)):
                return None
    return tuple(kept), tuple(holding)
