"""Menus that left no choice: what was done there was not chosen, and the log says so.

Events do not tell, for what somebody else could not do may be a secret. Whoever decided
knows it, and so does who sees everything; they read `("forced", seat, rule, key, others)`
where others read `("choice", seat, rule, key)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...interpreter.play.match import Match

Event = tuple[Any, ...]


def forced_event(match: Match) -> Event | None:
    """What the pending decision will be in the log if it is a menu of which one action is possible."""
    state = match.state
    if state.over or state.player < 0 or len(state.options) != 1:
        return None
    point = state.engine.points[state.pc]
    if point.kind != "offer" or len(point.cases) < 2:
        return None
    key = state.engine.watcher.values.option_key(point, state.options[0])
    others = tuple(name for name, _ in point.cases if name != key[1])
    return ("forced", state.player + 1, point.rule, key, others)


class Forced:
    """Forced actions that have not been told yet, in their order."""

    def __init__(self) -> None:
        self.expected: list[Event] = []

    def meet(self, match: Match) -> None:
        """A decision comes up that will be taken."""
        event = forced_event(match)
        if event is not None:
            self.expected.append(event)

    def told(self, events: Iterable[Event]) -> list[Event]:
        """The events, with those that were forced for what they are."""
        return [self._told(event) for event in events]

    def _told(self, event: Event) -> Event:
        if event[0] == "choice":
            for n, expected in enumerate(self.expected):
                if expected[1:4] == event[1:4]:
                    return self.expected.pop(n)
        return event
