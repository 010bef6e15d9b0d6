"""A tournament: every kind of player against every other, and ratings with intervals.

Of each pairing half of the games has one player of the first kind among players of the second,
and half the other way round; seats move on from game to game. So two equals win equally
often, however many sit at the table. A shared win counts in parts, a game that nobody has won as an even lot.

Ratings are Bradley and Terry's, on the scale of Elo: 400 points more are odds of ten to one. Each pairing
counts as if one more game had been drawn, so that who has lost all games has a rating too. Intervals
come from ratings of games drawn anew from those played and two more, one won and one lost (a bootstrap, 400 times,
with numbers that follow from the results' seed): who has won all of twenty games might still lose the next.
Shares leave room for what did not come up in so many games, as everywhere in the laboratory. Who is called surely
stronger is so for all pairs together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import exp, log, log10

from attrs import frozen

from ..core.errors import UsageError
from ..core.randomness import Generator
from ..play.game import Game
from .intervals import Interval, mean_interval, with_unseen
from .measures import shares
from .playing import LIMIT, Played, Series

RESAMPLED = 400
Pair = tuple[str, str]


@frozen
class Pairing:
    """What the first won against the second: 1 for a win, 0 for a loss, parts of it for a shared one."""

    first: str
    second: str
    results: tuple[float, ...]

    @property
    def share(self) -> Interval:
        found = with_unseen(mean_interval(self.results), len(self.results), 0.05, 0.0, 1.0)
        return Interval(found.estimate, max(0.0, found.low), min(1.0, found.high))


@frozen
class Standing:
    """A kind of player. `surely_above`: those who are weaker whatever the luck of these games."""

    kind: str
    rating: Interval
    surely_above: tuple[str, ...]


@frozen
class Table:
    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]


def series_of(
    game: Game, kinds: Sequence[str], players: int, *, seed: int = 0, limit: int = LIMIT
) -> dict[tuple[str, str], Series]:
    """Two series for each pairing: one of the first among the second, and the other way round."""
    if len(set(kinds)) != len(kinds) or len(kinds) < 2:
        raise UsageError("D0704", "a tournament needs two or more different kinds of players")
    if players < 2:
        raise UsageError("D0704", "a tournament needs a game for two or more players")
    return {
        (alone, many): Series(game, (alone, *(many,) * (players - 1)), seed=seed, limit=limit)
        for one, other in combinations(kinds, 2)
        for alone, many in ((one, other), (other, one))
    }


def result_of(game: Played, kind: str) -> float:
    """What a kind has of the win; an even lot where nobody has won."""
    parts = shares(game) if game.winners else [1 / len(game.seats)] * len(game.seats)
    return sum(part for part, seat in zip(parts, game.seats, strict=True) if seat == kind)


def table_of(kinds: Sequence[str], games: Mapping[Pair, Sequence[Played]], seed: int = 0) -> Table:
    """Games under who sat alone among whom."""
    pairings = []
    for one, other in combinations(kinds, 2):
        both = zip(games[one, other], games[other, one], strict=True)
        results = [
            (result_of(a, one) + result_of(b, one)) / 2
            for a, b in both
            if a.error is None and b.error is None
        ]
        if len(results) < 2:
            raise UsageError("D0704", f"too few games of {one} against {other} came to an end")
        pairings.append(Pairing(one, other, tuple(results)))
    return table_of_pairings(kinds, pairings, seed)


def table_of_pairings(kinds: Sequence[str], pairings: Sequence[Pairing], seed: int = 0) -> Table:
    return Table(_standings(kinds, pairings, seed), tuple(pairings))


def _standings(kinds: Sequence[str], pairings: Sequence[Pairing], seed: int) -> tuple[Standing, ...]:
    found = ratings(kinds, {(p.first, p.second): (sum(p.results), len(p.results)) for p in pairings})
    generator = Generator(seed)
    drawn = []
    for _ in range(RESAMPLED):
        again: dict[Pair, tuple[float, int]] = {}
        for p in pairings:
            n, urn = len(p.results), (*p.results, 1.0, 0.0)
            again[p.first, p.second] = (sum(urn[generator.below(n + 2)] for _ in range(n)), n)
        drawn.append(ratings(kinds, again, start=found))
    cut = RESAMPLED // 40
    rarely = max(1.0, cut / len(pairings))  # all pairs are looked at together
    out = []
    for kind in kinds:
        ordered = sorted(each[kind] for each in drawn)
        above = tuple(
            other for other in kinds if other != kind and sum(d[kind] <= d[other] for d in drawn) < rarely
        )
        out.append(Standing(kind, Interval(found[kind], ordered[cut], ordered[-cut - 1]), above))
    return tuple(sorted(out, key=lambda s: -s.rating.estimate))


def ratings(
    kinds: Sequence[str],
    won: Mapping[Pair, tuple[float, int]],
    start: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Of each pairing what the first has won of how many; the mean rating is 0."""
    wins = dict.fromkeys(kinds, 0.0)
    met: dict[Pair, float] = {}
    for (one, other), (share, count) in won.items():
        wins[one] += share + 0.5
        wins[other] += count - share + 0.5
        met[one, other] = met[other, one] = count + 1.0
    scale = 400 / log(10)
    strength = {kind: exp(start[kind] / scale) if start else 1.0 for kind in kinds}
    for _ in range(2_000):  # Hunter's MM steps; each makes the games more likely
        new = {}
        for kind in kinds:
            rest = sum(
                met[kind, other] / (strength[kind] + strength[other])
                for other in kinds
                if (kind, other) in met
            )
            new[kind] = wins[kind] / rest
        middle = exp(sum(log(value) for value in new.values()) / len(new))
        new = {kind: value / middle for kind, value in new.items()}
        moved = max(abs(log(new[kind] / strength[kind])) for kind in kinds)
        strength = new
        if moved < 1e-6:
            break
    return {kind: 400 * log10(value) for kind, value in strength.items()}
