"""The log of one viewer, sentence by sentence; turns that are over are told once and kept."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, frozen

from ..core.events import Chosen, Observation, TurnBegan
from .lying import Lying
from .narrate import Narrator


@frozen
class Told:
    """A sentence: the position of its first event, the rule behind it if that is known, whether it opens a turn."""

    at: int
    words: str
    rule: str | None
    opens: bool


@define
class _Turn:
    events: tuple[Observation, ...]
    told: list[Told]
    after: Lying


class Tale:
    def __init__(self, narrator: Narrator) -> None:
        self.narrator = narrator
        self._turns: list[_Turn] = []

    def of(self, events: Sequence[Observation]) -> list[Told]:
        """All that is told of these events, from the first turn or choice on."""
        start = next(
            (n for n, event in enumerate(events) if isinstance(event, TurnBegan | Chosen)), len(events)
        )
        bounds = [n for n in range(start, len(events)) if n == start or isinstance(events[n], TurnBegan)]
        turns: list[_Turn] = []
        then = Lying().after(events[:start])
        same = True
        for number, first in enumerate(bounds):
            last = bounds[number + 1] if number + 1 < len(bounds) else len(events)
            part = tuple(events[first:last])
            known = self._turns[number] if same and number < len(self._turns) else None
            same = known is not None and known.events == part
            turn = known if same and known is not None else self._turn(part, first, then.copy())
            turns.append(turn)
            then = turn.after
        self._turns = turns
        return [told for turn in turns for told in turn.told]

    def _turn(self, events: tuple[Observation, ...], first: int, then: Lying) -> _Turn:
        told = [
            Told(first + at, words, getattr(event, "rule", None), isinstance(event, TurnBegan))
            for at, words, event in self.narrator.told(events, then)
        ]
        return _Turn(events, told, then)
