"""What a position is worth to each seat, as a number that can be compared.

While a match goes on it is the `value` of the spec (see worth.py), less that of
the rivals: half of what the best of them has and half of what they have on
average, so that it matters whom one takes from. Partners, players of one group
of a `partition`, are no rivals. Without any rivals, in a game for one or with all players in
one group, it is the mean value of the group, so that all want the same.

When it is over, who won counts far more than by how much. Without rivals, a match that
nobody has won is lost.
"""

from __future__ import annotations

from ..play.engine import Engine
from ..play.rivalry import rivals
from ..play.state import State
from ..program.passes.worth import VALUE
from ..python.runtime import Failure

WON = 1_000_000.0


class Utility:
    """For one engine."""

    def __init__(self, engine: Engine) -> None:
        self.seats = range(engine.players)
        self.function = engine.namespace.get(VALUE)
        self.rivals = rivals(engine.layout)
        self.partners = [[q for q in self.seats if q not in self.rivals[p]] for p in self.seats]

    def values(self, state: State) -> list[float]:
        """The declared value for each seat; zero if nothing is declared."""
        value = self.function
        if value is None:
            return [0.0 for _ in self.seats]
        I, L = state.I, state.L
        try:
            return [float(value(state, I, L, p)) for p in self.seats]
        except Failure:  # it speaks of something that is not yet there, or no longer
            return [0.0 for _ in self.seats]

    def margins(self, state: State) -> list[float]:
        """How well each seat stands."""
        values = self.values(state)
        return [self._over_rivals(values, p) for p in self.seats]

    def _over_rivals(self, values: list[float], seat: int) -> float:
        rivals = self.rivals[seat]
        if not rivals:
            partners = self.partners[seat]
            return sum(values[q] for q in partners) / len(partners)
        if len(rivals) == 1:
            return values[seat] - values[rivals[0]]
        others = [values[q] for q in rivals]
        return values[seat] - (max(others) + sum(others) / len(others)) / 2

    def margin(self, state: State, seat: int) -> float:
        """How well a seat stands; the sure gain of a match is above all else."""
        margin = self._over_rivals(self.values(state), seat)
        return margin + WON * self.result(state, seat) if state.over else margin

    def result(self, state: State, seat: int) -> float:
        """1 for winning without rivals, less for winning with them, 0 for a draw, -1 for losing."""
        if not state.winners:
            return 0.0 if self.rivals[seat] else -1.0
        if not state.winners >> seat & 1:
            return -1.0
        sharing = sum(1 for q in self.rivals[seat] if state.winners >> q & 1)
        return 1.0 - sharing / max(1, len(self.rivals[seat]) + 1)
