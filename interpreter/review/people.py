"""Who may be whom: the one place that says whether two words for players mean one player.

A rule speaks of players by names, and two names are not two players: `q` may be
`me` unless something says otherwise. So two questions are kept apart, and each
is answered with yes only if it is sure:

- `same(a, b)`: it is the same player, whatever happens at play;
- `differ(a, b)`: it never is.

A `Who` is a word for a player, or for any other value that stands in the index
of a place or state: the name it comes from, and how many seats further to the
left. `left(left(p))` is two steps from p, `player(2)` two steps from "seat".
Where the number of players is fixed, steps are counted round the table. Facts
such as "q is not p" (of `q in others(p)`) are pairs, and hold for the neighbours
of both as well.

An audience is a set of `Who` and of `AllBut`: it is known to include a player
only if it surely does.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

MOST_STEPS = 8


@frozen(order=True)
class Who:
    base: str
    steps: int = 0


@frozen(order=True)
class AllBut:
    """Everybody, with or without one."""

    who: Who | None = None


Viewer = Who | AllBut
Viewers = frozenset[Viewer]
Apart = frozenset[tuple[Who, Who]]
"""Pairs of which it is known that they are two."""

EVERYBODY = AllBut()
UNKNOWN = Who("?")
"""Somebody of whom nothing is known: the same as nobody, and different from nobody."""
OWNER = Who("its owner")
"""In what is shown of everybody: whose thing it is."""
NO_ONE: Viewers = frozenset()
ALL: Viewers = frozenset((EVERYBODY,))


class People:
    def __init__(self, counts: tuple[int, ...]) -> None:
        self.counts = counts or (1,)

    @property
    def pair(self) -> bool:
        """Are there always two? Then who is not the one is the other."""
        return self.counts == (2,)

    def step(self, who: Who, steps: int) -> Who:
        if who.base == UNKNOWN.base:
            return UNKNOWN
        return self._round(Who(who.base, who.steps + steps))

    def seat(self, number: int) -> Who:
        return self._round(Who("seat", number))

    def _round(self, who: Who) -> Who:
        if len(self.counts) == 1:
            return Who(who.base, who.steps % self.counts[0])
        return who if abs(who.steps) <= MOST_STEPS else UNKNOWN

    def same(self, a: Who, b: Who) -> bool:
        return a == b and a.base != UNKNOWN.base

    def differ(self, a: Who, b: Who, apart: Apart) -> bool:
        if UNKNOWN.base in (a.base, b.base):
            return False
        if a.base == b.base:
            return all((a.steps - b.steps) % count for count in self.counts)
        return any(
            (x.base, y.base) == (a.base, b.base) and self._level(a.steps - x.steps, b.steps - y.steps)
            for pair in apart
            for x, y in (pair, pair[::-1])
        )

    def _level(self, one: int, other: int) -> bool:
        return (
            all((one - other) % count == 0 for count in self.counts)
            if len(self.counts) == 1
            else one == other
        )

    def includes(self, viewers: Iterable[Viewer], player: Who | None, apart: Apart) -> bool:
        """Is a player surely among these?"""
        for viewer in viewers:
            if viewer == EVERYBODY:
                return True
            if player is None:
                continue
            if isinstance(viewer, Who):
                if self.same(viewer, player):
                    return True
            elif viewer.who is not None and self.differ(player, viewer.who, apart):
                return True
        return False

    def everybody(self, viewers: Viewers) -> bool:
        """Are these surely all players?"""
        if EVERYBODY in viewers:
            return True
        if any(isinstance(v, AllBut) and v.who in viewers and v.who != UNKNOWN for v in viewers):
            return True
        most = max(self.counts)
        named = [v for v in viewers if isinstance(v, Who) and v != UNKNOWN]
        return any(
            all(any(self.same(v, self.step(first, n)) for v in named) for n in range(most)) for first in named
        )
