"""In how many games changed rules came into play, and how far into a game they first did.

A few games of a series are played once more on the covered engine (counters.py), which tells after each choice what
has been used since the one before. The games are the first of the series, so they are among those that were measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from attrs import evolve, frozen

from ..core.errors import PlayError
from ..players import player
from .playing import Meter, Series, seed_of

RULES = ("rule", "action", "trigger", "ending", "phase")
"""The sorts of declarations that come into play at a moment."""
FEWEST = 3


@frozen
class Acted:
    """A declaration, such as `rule pay`: in how many games it came into play."""

    owner: str
    games: int


@frozen
class Acting:
    """`games` were looked at, in `touched` of them something of it came into play. `first`: of these, the part of
    the choices that had been made before, in the middle one of the games."""

    games: int
    touched: int
    first: float | None
    rules: tuple[Acted, ...]

    @property
    def words(self) -> str:
        if not self.touched:
            return f"None of the changed rules came into play in {self.games:,} games looked at."
        where = f"{self.touched:,} of {self.games:,}" if self.touched < self.games else f"all {self.games:,}"
        early = "" if self.first is None else f", first after {100 * self.first:.0f} % of the decisions"
        each = ", ".join(f"{a.owner.replace('_', ' ')} in {a.games:,}" for a in self.rules)
        parts = f" ({each})" if len(self.rules) > 1 else f" ({self.rules[0].owner.replace('_', ' ')})"
        return f"What was changed came into play in {where} games looked at{early}{parts}."


def acting(series: Series, owners: Collection[str], games: int, until: float | None = None) -> Acting | None:
    """The first `games` of a series, or as many as there is time for; None if nothing can come into play."""
    counted = evolve(series, counted=True)
    engine = counted.engine
    assert engine.counts is not None and engine.sites is not None
    places: dict[str, list[int]] = {owner: [] for owner in owners}
    for number, site in enumerate(engine.sites.sites):
        if site.kind == "run" and site.owner in places:
            places[site.owner].append(number)
    wanted = [number for numbers in places.values() for number in numbers]
    if not wanted:
        return None
    hits, seen = engine.counts.hits, dict.fromkeys(places, 0)
    firsts: list[float] = []
    looked = 0
    for number in range(games):
        if until is not None and looked >= FEWEST and time.perf_counter() > until:
            break
        first: list[int] = []

        def look(
            decisions: int, first: list[int] = first, before: int = sum(hits[n] for n in wanted)
        ) -> None:
            if not first and sum(hits[n] for n in wanted) > before:
                first.append(decisions)

        before = {owner: sum(hits[n] for n in numbers) for owner, numbers in places.items()}
        decisions = _again(counted, number, look)
        if decisions is None:
            continue
        looked += 1
        for owner, numbers in places.items():
            seen[owner] += sum(hits[n] for n in numbers) > before[owner]
        if first:
            firsts.append(min(1.0, first[0] / max(1, decisions)))
    engine.counts.reset()
    found = tuple(Acted(owner, count) for owner, count in seen.items() if places[owner])
    middle = sorted(firsts)[len(firsts) // 2] if firsts else None
    return Acting(looked, len(firsts), middle, tuple(sorted(found, key=lambda a: -a.games)))


def _again(series: Series, number: int, look: Callable[[int], None]) -> int | None:
    """Play a game on the covered engine; how many decisions it had, None if it breaks."""
    seed, seats = seed_of(series.seed, number), series.seats_of(number)
    meter = Meter(series.engine)
    try:
        if series.keyed and series.at_random:
            meter.keyed(seed, series.limit, look)
            return meter.decisions
        movers = [player(kind, seed=seed, seat=seat) for seat, kind in enumerate(seats, 1)]
        meter.match(series.game, seed, movers, series.limit)
        state = series.engine.new(seed)
        look(0)
        for done, pick in enumerate(meter.picks):
            state.apply(pick)
            look(done)
    except PlayError:
        return None
    return len(meter.picks)
