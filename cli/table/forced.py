"""Menus that left no choice: what was done there was not chosen, and the log says so.

Events do not tell, for what somebody else could not do may be a secret. Whoever decided
knows it, and so does who sees everything; they read a `ForcedChoice` where others read
`Chosen`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...interpreter.core.events import Chosen, Observation, part
from ...interpreter.play.match import Match


class ForcedChoice(Chosen):
    """A decision that was none: in a menu nothing else was possible. Stands in logs alone."""

    word, sizes = "forced", (4,)
    others: tuple[str, ...] = part(4)


def forced_event(match: Match) -> ForcedChoice | None:
    """What the pending decision will be in the log if it is a menu of which one action is possible."""
    state = match.state
    if state.over or state.player < 0 or len(state.options) != 1:
        return None
    point = state.engine.points[state.pc]
    if point.kind != "offer" or len(point.cases) < 2:
        return None
    key = state.engine.watcher.values.option_key(point, state.options[0])
    others = tuple(name for name, _ in point.cases if name != key[1])
    return ForcedChoice(state.player + 1, point.rule, key, others)


class Forced:
    """Forced actions that have not been told yet, in their order."""

    def __init__(self) -> None:
        self.expected: list[ForcedChoice] = []

    def meet(self, match: Match) -> None:
        """A decision comes up that will be taken."""
        event = forced_event(match)
        if event is not None:
            self.expected.append(event)

    def told(self, events: Iterable[Observation]) -> list[Observation]:
        """The events, with those that were forced for what they are."""
        return [self._told(event) for event in events]

    def _told(self, event: Observation) -> Observation:
        if isinstance(event, Chosen):
            for n, expected in enumerate(self.expected):
                if expected[1:4] == event[1:4]:
                    return self.expected.pop(n)
        return event
