"""An experiment: several series of the same length, played together and kept together.

Whatever ends it early (an interruption, a full disk), what is there is the same
number of games of every series, so they can be compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from attrs import Factory, define, frozen

from .playing import Played, Series
from .results import NotWritten, Rows
from .runs import Batch, Collector, OutOfTime, Runner, Stopped, Tell, run_locally
from .tallies import Tally, Usage, usage


@frozen
class Entrant:
    """A series under the name it has in the experiment, with the columns that tell its rows apart."""

    title: str
    series: Series
    labels: Mapping[str, str] = Factory(dict)


@define
class Outcome:
    """What was played. `interrupted`: somebody has stopped it; `out_of_time`: it took longer than it
    may; `problem`: results could not be written, or
    those who play are gone."""

    entrants: Sequence[Entrant]
    wanted: int
    games: list[list[Played]]
    tallies: list[Tally]
    interrupted: bool = False
    out_of_time: bool = False
    problem: NotWritten | Stopped | None = None

    @property
    def complete(self) -> bool:
        return all(len(games) == self.wanted for games in self.games)

    @property
    def played(self) -> int:
        """How many games there are of each series."""
        return min((len(games) for games in self.games), default=0)

    def usage(self, number: int = 0) -> Usage | None:
        """How often the rules of a series were used, if that was counted."""
        series = self.entrants[number].series
        return usage(series.engine, self.tallies[number]) if series.counted else None


def carry_out(
    entrants: Sequence[Entrant],
    games: int,
    *,
    jobs: int = 1,
    runner: Runner | None = None,
    rows: Rows | None = None,
    tell: Tell | None = None,
    until: float | None = None,
) -> Outcome:
    """Play `games` games of each entrant. `runner` decides where; otherwise it is here, in `jobs` processes.

    `until`: when to stop, on the clock of `time.perf_counter`.
    """
    outcome = Outcome(entrants, games, [[] for _ in entrants], [Tally() for _ in entrants])

    def sink(number: int, batch: Batch) -> None:
        if rows is not None and outcome.problem is None:
            try:
                rows.add(batch.games, entrants[number].labels)
            except NotWritten as problem:
                outcome.problem = problem
        outcome.games[number] += batch.games
        if batch.tally is not None:
            outcome.tallies[number].add(batch.tally)
        if outcome.problem is not None:
            raise outcome.problem

    told = {} if tell is None else {"tell": tell}
    collector = Collector(sink, series=len(entrants), until=until, **told)
    play = runner or partial(run_locally, jobs=jobs)
    try:
        play([entrant.series for entrant in entrants], games, collector)
    except KeyboardInterrupt:
        outcome.interrupted = True
    except OutOfTime:
        outcome.out_of_time = True
    except (NotWritten, Stopped) as problem:
        outcome.problem = problem
    if not outcome.complete:
        for number, found in enumerate(outcome.games):
            outcome.games[number] = found[: outcome.played]
    return outcome
