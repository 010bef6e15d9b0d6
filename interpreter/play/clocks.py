"""Which clock runs around the pending decision, for tables where time is real."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..core import CheckedGame, Rounds, St, bodies
from ..core.events import ClockRan

if TYPE_CHECKING:
    from .match import Match

PREFIX = "clock "


@frozen
class Clock:
    """A `rounds` with a clock: its name, its seconds, and how many of them its ticks have used up."""

    name: str
    seconds: int
    used: int


def running_clock(match: Match) -> Clock | None:
    """The innermost clock around the pending decision."""
    state = match.state
    if state.over or state.player < 0:
        return None
    name = next(
        (label.removeprefix(PREFIX) for label in open_scopes(state) if label.startswith(PREFIX)), None
    )
    if name is None:
        return None
    seconds = _seconds(match, name)
    if seconds is None:
        return None
    used = 0
    if state.seen is not None:
        events = reversed(state.seen[state.player])
        used = next(
            (event.ticks for event in events if isinstance(event, ClockRan) and event.name == name), 0
        )
    return Clock(name, seconds, used)


def open_scopes(state: Any) -> Iterator[str]:
    """The labels of what is open around the pending decision, from the inside out."""
    frames, st = state.engine.frames, state.st
    size, scopes = frames[state.pc]
    depth = len(st)
    yield from (scope[0] or "" for scope in reversed(scopes))
    while depth - size > 0:
        depth -= size + 1
        size, scopes = frames[st[depth]]
        yield from (scope[0] or "" for scope in reversed(scopes))


def _seconds(match: Match, name: str) -> int | None:
    """How long it runs, if that is known before the match."""
    constants = match.state.engine.layout.constants
    for st in _rounds(match.game.checked):
        if str(st.label) == name and st.clock is not None:
            try:
                return int(constants.evaluate(st.clock))
            except Exception:  # it depends on the position
                return None
    return None


def _rounds(game: CheckedGame) -> Iterator[Rounds]:
    todo: list[St] = [
        st for decl in (*game.rules.values(), *game.triggers.values(), *game.phases) for st in decl.body
    ]
    while todo:
        st = todo.pop()
        if isinstance(st, Rounds):
            yield st
        todo += [inner for body in bodies(st) for inner in body]
