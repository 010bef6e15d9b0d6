"""Menus that left no choice: what was done there was not chosen, and the log says so.

Events do not tell, for what somebody else could not do may be a secret. Whoever decided
knows it, and so does who sees everything; they read a `ForcedChoice` where others read
`Chosen`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core.events import Chosen, Observation
from ..play.asking import ForcedChoice, forced_event
from ..play.match import Match


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


__all__ = ["Forced", "ForcedChoice", "forced_event"]
