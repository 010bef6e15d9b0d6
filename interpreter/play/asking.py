"""The pending decision beyond its options: its place in the rules, the form it belongs to, cells of a vector.

Front ends ask here; nobody else need know how a state is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..core.events import Chosen, part
from ..program.terminators import DecisionPoint
from .state import State

if TYPE_CHECKING:
    from .match import Match


@frozen
class Cell:
    """One number of a vector: what it is for (`("player 2", "silver")`), and its value if that is said or
    follows. One cell is `asked` at a time."""

    labels: tuple[str, ...]
    value: int | None
    given: bool = False
    """Was it said by the one who decides, rather than the only one possible?"""
    asked: bool = False


class ForcedChoice(Chosen):
    """A decision that was none: in a menu nothing else was possible. Stands in logs alone."""

    word, sizes = "forced", (4,)
    others: tuple[str, ...] = part(4)


def point_at(state: State) -> DecisionPoint:
    return state.engine.points[state.pc]


def point_of(match: Match) -> DecisionPoint:
    """What is fixed about the pending decision."""
    return point_at(match.state)


def opens_form(state: State) -> bool:
    """Does the pending decision start something new, rather than go on with a form?"""
    where = state.engine.generated.vectors.get(state.pc)
    filled = state.st[where[1]] if where is not None else ()
    return point_at(state).first and not filled


def key_of(match: Match, index: int) -> tuple[Any, ...]:
    """The key of an option as the one who is asked reads it."""
    state = match.state
    values = state.engine.watcher.values_for(state, state.player)
    return values.option_key(point_of(match), match.offered[index])


def part_of(match: Match) -> tuple[str, ...]:
    """What the pending number of a vector is for; empty if it is none."""
    return match.state.engine.watcher.cell(match.state)


def cells_of(match: Match) -> list[Cell]:
    """The vector that is being chosen, in the order of its cells; empty if none is."""
    state = match.state
    where = state.engine.generated.vectors.get(state.pc)
    if where is None:
        return []
    point, values = point_of(match), state.engine.watcher.values_for(state, state.player)
    cells, filled = state.st[where[0]], state.st[where[1]]
    known: dict[int, tuple[int | None, bool, bool]] = {
        index: (value, False, False) for index, value in dict(cells[3]).items()
    }
    for n, index in enumerate(cells[0]):
        known[index] = (filled[n], True, False) if n < len(filled) else (None, False, n == len(filled))
    return [Cell(values.cell(point, index), *known[index]) for index in sorted(known)]


def forced_event(match: Match) -> ForcedChoice | None:
    """What the pending decision will be in the log if it is a menu of which one action is possible."""
    state = match.state
    if match.asked is None or len(state.options) != 1:
        return None
    point = point_of(match)
    if point.kind != "offer" or len(point.cases) < 2:
        return None
    key = state.engine.watcher.values.option_key(point, state.options[0])
    others = tuple(name for name, _ in point.cases if name != key[1])
    return ForcedChoice(state.player + 1, point.rule, key, others)
