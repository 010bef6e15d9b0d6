"""What a seat has noticed from the start on, as numbers: for players that remember by reading, not by a table.

Where the whole tree of a game is known, so is every event that a seat can ever notice, and
how many there can be in one match. Each place in the sequence then has a number for each event,
of which one is 1; behind the last event all are 0. Two histories have the same numbers if, and
only if, the seat cannot tell them apart.
"""

from __future__ import annotations

from ..play.match import Match
from ..solving.trees import Tree

LARGEST = 200_000
"""No more numbers than this: a history that long is read better in another way."""


class Histories:
    """The layout of histories. Made of a tree that was walked with `recall`."""

    def __init__(self, tree: Tree) -> None:
        events = sorted({event for seen in tree.noticed for event in seen}, key=repr)
        self._numbers = {event: n for n, event in enumerate(events)}
        self.players, self.longest, self.events = tree.players, tree.longest, len(events)
        self.size = self.players + self.longest * self.events

    def encode(self, match: Match, seat: int) -> list[float]:
        out = [0.0] * self.size
        out[seat - 1] = 1.0
        for place, event in enumerate(match.observations(seat)):
            out[self.players + place * self.events + self._numbers[tuple(event)]] = 1.0
        return out
