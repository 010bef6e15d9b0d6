"""What a position is worth to each seat, as a number that can be compared.

While a match goes on it is the `value` of the spec (see worth.py), less that of
the rivals: half of what the best of them has and half of what they have on
average, so that it matters whom one takes from. Partners, players of one group
of a `partition`, are no rivals. Without any rivals, in a game for one or with all players in
one group, it is the mean value of the group, so that all want the same.

With k rivals a margin is counted in 2k-ths, `2k * own - k * best - sum`, and without any
in as many parts as there are partners, doubled: so it is a whole number, the same on every machine.

When it is over, who won counts far more than by how much. Without rivals, a match that
nobody has won is lost.
"""

from __future__ import annotations

from ..play.engine import Engine
from ..play.rivalry import rivals
from ..play.state import State
from ..program.passes.worth import VALUE
from ..python.runtime import Failure

WON = 1 << 40
"""What a share of a won match counts, in the parts of a margin."""


class Utility:
    """For one engine."""

    def __init__(self, engine: Engine) -> None:
        self.seats = range(engine.players)
        self.function = engine.namespace.get(VALUE)
        self.rivals = rivals(engine.layout)
        self.partners = [[q for q in self.seats if q not in self.rivals[p]] for p in self.seats]
        self.parts = [2 * len(self.rivals[p] or self.partners[p]) for p in self.seats]
        """For each seat, how many parts of a margin make 1."""
        self.shares = [len(self.rivals[p]) + 1 for p in self.seats]
        """For each seat, how many shares a match has that is won without rivals."""

    def values(self, state: State) -> list[int]:
        """The declared value for each seat; zero if nothing is declared."""
        value = self.function
        if value is None:
            return [0 for _ in self.seats]
        I, L = state.I, state.L
        try:
            return [int(value(state, I, L, p)) for p in self.seats]
        except Failure:  # it speaks of something that is not yet there, or no longer
            return [0 for _ in self.seats]

    def margins(self, state: State) -> list[int]:
        """How well each seat stands."""
        return self.margins_of(self.values(state))

    def margins_of(self, values: list[int]) -> list[int]:
        return [self._over_rivals(values, p) for p in self.seats]

    def _over_rivals(self, values: list[int], seat: int) -> int:
        rivals = self.rivals[seat]
        if not rivals:
            return 2 * sum(values[q] for q in self.partners[seat])
        others = [values[q] for q in rivals]
        count = len(others)
        return 2 * count * values[seat] - count * max(others) - sum(others)

    def margin(self, state: State, seat: int) -> int:
        """How well a seat stands; the sure gain of a match is above all else."""
        margin = self._over_rivals(self.values(state), seat)
        return margin + WON * self.result(state, seat) if state.over else margin

    def result(self, state: State, seat: int) -> int:
        """In shares: all for winning without rivals, fewer for winning with them, 0 for a draw, all of them
        below zero for losing."""
        shares = self.shares[seat]
        if not state.winners:
            return 0 if self.rivals[seat] else -shares
        if not state.winners >> seat & 1:
            return -shares
        return shares - sum(1 for q in self.rivals[seat] if state.winners >> q & 1)
