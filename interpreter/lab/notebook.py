"""Experiments from Python: `dr.simulate`, `dr.compare` and `dr.tournament`, with their results as tables.

>>> import dragonrules as dr
>>> played = dr.simulate("connect_four", games=200, seed=1)
>>> len(played.rows), played.summary.seats[0].told
(200, True)

`frame()` makes a data frame of pandas, or of polars where only that is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import perf_counter
from typing import Any

from attrs import frozen

from ..core.errors import UsageError
from ..loading import load
from ..play.game import Game
from .comparing import Comparison, chosen_figures
from .comparing import compare as judge
from .experiments import Entrant, Outcome, carry_out
from .measures import Summary, summarise
from .playing import LIMIT, Played, Series
from .results import row_of
from .runs import affordable, overtime
from .scoring import counted_alike
from .tournament import Table, series_of, table_of

Rules = Game | str


@frozen
class Simulated:
    games: tuple[Played, ...]
    summary: Summary
    fingerprint: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each game, with the columns of `simulate --out`."""
        return [row_of(game) for game in self.games]

    def frame(self) -> Any:
        return frame_of(self.rows)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from ..notebooks.bundles import simulated

        return simulated(self)


@frozen
class Compared:
    """`played` has the games of the base and of each of the others, under their names."""

    comparisons: tuple[Comparison, ...]
    played: dict[str, tuple[Played, ...]]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each figure of each rule set."""
        return [
            {
                "rules": comparison.title,
                "figure": d.measure.key,
                "base": d.base.estimate,
                "other": d.other.estimate,
                "change": d.finding.interval.estimate,
                "low": d.finding.interval.low,
                "high": d.finding.interval.high,
                "verdict": d.verdict.value,
                "games": comparison.games,
                "games_needed": d.needed,
            }
            for comparison in self.comparisons
            for d in comparison.differences
        ]

    def frame(self) -> Any:
        return frame_of(self.rows)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from ..notebooks.bundles import compared

        return compared(self)

    def __str__(self) -> str:
        return "\n".join(f"{c.title}: {c.sentence}." for c in self.comparisons)


def simulate(
    rules: Rules,
    *,
    players: int | None = None,
    seats: Sequence[str] = (),
    rest: str = "random",
    games: int = 1000,
    seconds: float | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    lead: bool = False,
    jobs: int = 1,
) -> Simulated:
    """Many games by bots. `seats` name players, and `rest` takes the seats that are left."""
    game = _game(rules)
    series = Series(game, _lineup(game, players, seats, rest), seed=seed, limit=limit, lead=lead)
    outcome = _played([Entrant(game.name, series)], games, seconds, jobs)
    found = tuple(outcome.games[0])
    return Simulated(found, summarise(found, series.lineup), game.fingerprint)


def compare(
    base: Rules,
    *others: Rules | dict[str, Any],
    players: int | None = None,
    seats: Sequence[str] = (),
    rest: str = "greedy",
    games: int = 200,
    seconds: float | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    lead: bool = False,
    jobs: int = 1,
    about: str | None = None,
    confidence: float = 0.95,
    worth: float = 0.05,
) -> Compared:
    """What other rules change. Each of the others is a game, a variant of the base by name or file, or a
    dictionary of options."""
    game = _game(base)
    if not others:
        raise UsageError("D0704", "there is nothing to compare with")
    lineup = _lineup(game, players, seats, rest)
    keyed = set(lineup) == {"random"}
    entrants = [Entrant("base", Series(game, lineup, seed=seed, limit=limit, lead=lead, keyed=keyed))]
    for number, other in enumerate(others, 1):
        entrants.append(Entrant(*_other(game, other, number, lineup, seed, limit, lead)))
    outcome = _played(entrants, games, seconds, jobs)
    comparisons = judge(
        outcome.games[0],
        [(e.title, found) for e, found in zip(entrants[1:], outcome.games[1:], strict=True)],
        lineup,
        alpha=1 - confidence,
        worth=worth,
        rescored=[e.title for e in entrants[1:] if not counted_alike(game, e.series.game)],
        about=None if about is None else chosen_figures(about),
    )
    played = {e.title: tuple(found) for e, found in zip(entrants, outcome.games, strict=True)}
    return Compared(tuple(comparisons), played)


def tournament(
    rules: Rules,
    *kinds: str,
    players: int | None = None,
    games: int = 100,
    seed: int = 0,
    limit: int = LIMIT,
    jobs: int = 1,
) -> Table:
    """Every kind of player against every other; `games` of each pairing, in both ways to sit."""
    game = _game(rules)
    count = players or next((n for n in game.players if n > 1), game.players[0])
    pairs = series_of(game, kinds, count, seed=seed, limit=limit)
    entrants = [Entrant(f"{one} {other}", series) for (one, other), series in pairs.items()]
    outcome = _played(entrants, max(1, games // 2), None, jobs)
    return table_of(kinds, dict(zip(pairs, outcome.games, strict=True)), seed)


def _game(rules: Rules) -> Game:
    return rules if isinstance(rules, Game) else load(rules)


def _lineup(game: Game, players: int | None, seats: Sequence[str], rest: str) -> tuple[str, ...]:
    count = players or next((n for n in game.players if n >= len(seats)), game.players[0])
    if len(seats) > count:
        raise UsageError("D0704", f"there are {len(seats)} seats named, but only {count} players")
    return (*seats, *(rest,) * (count - len(seats)))


def _other(
    game: Game,
    other: Rules | dict[str, Any],
    number: int,
    lineup: tuple[str, ...],
    seed: int,
    limit: int,
    lead: bool,
) -> tuple[str, Series]:
    match other:
        case Game():
            title, found = " + ".join(other.variants) or f"{other.name} {number}", other
        case dict():
            title = ", ".join(f"{name}={value}" for name, value in other.items())
            found = game.variation({**game.given_options, **other})
        case str():
            title = other
            found = load(game.spec, variants=(*game.variants, other), options=game.given_options)
    keyed = set(lineup) == {"random"}
    return title, Series(found, lineup, seed=seed, limit=limit, lead=lead, keyed=keyed)


def _played(entrants: Sequence[Entrant], games: int, seconds: float | None, jobs: int) -> Outcome:
    until, begin = None, perf_counter()
    if seconds is not None:
        games = affordable([entrant.series for entrant in entrants], seconds, jobs)
        until = overtime(begin, seconds)
    outcome = carry_out(entrants, games, jobs=jobs, until=until)
    if outcome.problem is not None:
        raise outcome.problem
    if outcome.interrupted:
        raise KeyboardInterrupt
    return outcome


def frame_of(rows: Sequence[dict[str, Any]]) -> Any:
    """A data frame of whatever library there is."""
    for name in ("pandas", "polars"):
        try:
            library = import_module(name)
        except ImportError:
            continue
        return library.DataFrame(list(rows))
    raise UsageError(
        "D0704", "data frames need pandas or polars", "`rows` has the same as plain dictionaries"
    )
