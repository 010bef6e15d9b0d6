"""What `simulate` and `compare` share: their options, the progress bar, where games are played."""

from __future__ import annotations

import functools
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from ...interpreter.lab.experiments import Entrant, Outcome, carry_out
from ...interpreter.lab.playing import LIMIT, Series
from ...interpreter.lab.results import NotWritten, Rows, checked_writable
from ...interpreter.lab.runs import MOST_GAMES, Runner, Tell, affordable, available_jobs, overtime
from ...interpreter.lab.stories import Told, told
from ...interpreter.play.game import Game
from ...interpreter.players import KINDS, player
from .engine import say_what_is_missing
from .helping import plural

if TYPE_CHECKING:
    from rich.progress import Progress

Function = Callable[..., Any]
LOOK = 0.05
"""The part of a time limit in which single games are looked at."""


@frozen
class Effort:
    """How much is played, by whom and where; the options that the commands of the laboratory share."""

    games: int
    seconds: float | None
    players: int | None
    seats: tuple[str, ...]
    rest: str | None
    fixed_seats: bool
    seed: int
    limit: int
    lead: bool
    jobs: int
    cluster: str | None
    out: Path | None
    report: Path | None
    style: str
    stories: int
    moves: bool

    @property
    def games_at_most(self) -> int:
        return self.games if self.seconds is None else MOST_GAMES

    def told(self, entrants: Sequence[Entrant]) -> list[Told | None]:
        """The course of the first games of each, looked at closely; None where nobody asked for it."""
        if not self.stories:
            return [None for _ in entrants]
        closely = [
            evolve(e, series=evolve(e.series, counted=False, keyed=False, stories=self.stories))
            for e in entrants
        ]
        outcome = carry_out(closely, self.stories, jobs=self.jobs)
        if outcome.interrupted:
            raise KeyboardInterrupt
        return [told(games) for games in outcome.games]

    @property
    def look_until(self) -> float | None:
        """When to stop looking at single games, on the clock of `time.perf_counter`, where time is limited."""
        return None if self.seconds is None else time.perf_counter() + LOOK * self.seconds

    def lineup(self, game: Game, usual: str = "random", others: Sequence[Game] = ()) -> tuple[str, ...]:
        """Who plays, with the seats that were not given taken by the rest, or by whom is usual; as few as all
        rule sets allow."""
        rest = self.rest or usual
        for kind in (*self.seats, rest):
            player(kind, seed=0, seat=1)  # complains of what does not exist
        possible = [n for n in game.players if all(n in other.players for other in others)] or game.players
        count = self.players or next((n for n in possible if n >= len(self.seats)), game.players[0])
        if len(self.seats) > count:
            raise click.UsageError(f"there are {len(self.seats)} --seat but only {plural(count, 'player')}")
        return self.seats + (rest,) * (count - len(self.seats))

    def series(
        self, game: Game, lineup: tuple[str, ...], *, counted: bool = False, keyed: bool = False
    ) -> Series:
        made = Series(
            game,
            lineup,
            seed=self.seed,
            rotate=not self.fixed_seats,
            limit=self.limit,
            counted=counted,
            lead=self.lead,
            keyed=keyed,
            stories=self.games_at_most if self.moves else 0,
        )
        _ = made.engine  # a wrong number of players, or options that do not go together, are told now
        return made


def effort_options(function: Function, *, seconds: float | None = None, usual: str = "random") -> Function:
    """The shared options, handed over as one `effort`. `seconds` is the time that is taken, and `usual` who
    plays, where nothing is said."""

    @functools.wraps(function)
    def with_effort(*args: Any, **given: Any) -> Any:
        mine = {name: given.pop(name) for name in Effort.__annotations__}
        mine["seed"] = secrets.randbelow(1_000_000) if mine["seed"] is None else mine["seed"]
        mine["jobs"] = mine["jobs"] or available_jobs()
        if mine["games"] is not None and mine["seconds"] is not None:
            raise click.UsageError("--games and --seconds both say how much is played; give one of them")
        if mine["games"] is None and mine["seconds"] is None:
            mine["seconds"] = seconds
        mine["games"] = mine["games"] or 1000
        if mine["moves"] and mine["out"] is None:
            raise click.UsageError("--moves is a column of --out")
        return function(*args, effort=Effort(**mine), **given)

    kinds = "|".join(KINDS).replace("mcts", "mcts[:N]")
    options = [
        click.option(
            "--games", type=click.IntRange(min=1), metavar="N",
            help=f"How many games of each rule set{'' if seconds else '; 1000 if not given'}.",
        ),
        click.option(
            "--seconds", type=click.FloatRange(min=0, min_open=True), metavar="S",
            help="As many games as can be played in S seconds"
            f"{f'; {seconds:g} if not given' if seconds else ''}. Games of other seeds are played first to see "
            "how long they take, so the number does not depend on what comes of them.",
        ),
        click.option(
            "--players", type=click.IntRange(min=1), metavar="N", help="Number of players; default: the minimum."
        ),
        click.option(
            "--seat", "seats", multiple=True, metavar=kinds,
            help="A player; repeatable. They move on by one seat from game to game.",
        ),
        click.option(
            "--rest", metavar=kinds, help=f"Who takes the seats that are left; {usual} if not given."
        ),
        click.option("--fixed-seats", is_flag=True, help="Players keep the seats in which they were named."),
        click.option("--seed", type=int, help="Fixes every game; default: a new one each time."),
        click.option(
            "--limit", type=click.IntRange(min=1), default=LIMIT, show_default=True, metavar="N",
            help="Abandon a game after N decisions.",
        ),
        click.option("--lead", is_flag=True, help="Count how often the lead changes; scores after every turn take time."),
        click.option(
            "-j", "--jobs", type=click.IntRange(min=1), metavar="N",
            help="Processes to play in; default: one for each processor. The figures do not depend on it.",
        ),
        click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster, e.g. tcp://10.0.0.5:8786."),
        click.option(
            "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
            help="A row for each game, as .csv or .parquet.",
        ),
        click.option(
            "--report", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html",
            help="A page with plots.",
        ),
        click.option(
            "--stories", type=click.IntRange(min=0), default=0, metavar="N",
            help="Look closely at N games: who is ahead when and wins, how long one waits, what winners did, where "
            "players went.",
        ),
        click.option(
            "--moves", is_flag=True, help="With --out: a column with the choices of each game, which is then played slowly."
        ),
        click.option(
            "--format", "style", type=click.Choice(["text", "json"]), default="text",
            help="How to print the figures.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        with_effort = option(with_effort)
    return with_effort


# ---------------------------------------------------------------- playing
def play(effort: Effort, entrants: Sequence[Entrant], *, games: int | None = None) -> Outcome:
    """Play, with a progress bar where somebody is looking, and say on standard error how it went."""
    if effort.report is not None:
        checked_writable(effort.report)
    labels = list(entrants[0].labels)
    rows = (
        Rows(effort.out, entrants[0].series.players, labels, moves=effort.moves)
        if effort.out is not None
        else None
    )
    begin = time.perf_counter()
    games, until = games or effort.games, None
    try:
        if effort.seconds is not None:
            games = affordable([entrant.series for entrant in entrants], effort.seconds, effort.jobs)
            until = overtime(begin, effort.seconds)
        with progress_bar(len(entrants) * games) as tell, _runner(effort) as runner:
            outcome = carry_out(
                entrants, games, jobs=effort.jobs, runner=runner, rows=rows, tell=tell, until=until
            )
        if rows is not None and outcome.problem is None:
            rows.close()
    except BaseException as problem:
        if rows is not None:
            rows.__exit__(type(problem), problem, None)
        raise
    _say_how_it_went(effort, outcome, time.perf_counter() - begin)
    if effort.style == "text":
        say_what_is_missing(entrant.series.game for entrant in entrants if entrant.series.at_random)
    return outcome


@contextmanager
def _runner(effort: Effort) -> Iterator[Runner | None]:
    if effort.cluster is None:
        yield None
        return
    from ...interpreter.lab.cluster import cluster_runner

    with cluster_runner(effort.cluster) as runner:
        yield runner


def _say_how_it_went(effort: Effort, outcome: Outcome, seconds: float) -> None:
    total = sum(len(games) for games in outcome.games)
    if outcome.interrupted:
        each = " of each rule set" if len(outcome.entrants) > 1 else ""
        click.echo(
            f"interrupted: these are the results so far, {outcome.played:,} of {outcome.wanted:,} games{each}",
            err=True,
        )
    if outcome.out_of_time:
        click.echo(
            f"the machine is slower than it was: stopped after {outcome.played:,} of {outcome.wanted:,} games "
            "of each rule set",
            err=True,
        )
    if outcome.problem is not None:
        click.echo(str(outcome.problem), err=True)
    if total and effort.style == "text":
        click.echo(f"{total:,} games in {seconds:,.1f} s ({_speed(total / seconds)})", err=True)


@contextmanager
def progress_bar(games: int) -> Iterator[Tell | None]:
    """Games played, games a second, time left; on standard error, and only at a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _teller(progress, games)


def _teller(progress: Progress, games: int) -> Tell:
    task = progress.add_task("games", total=games, speed="")
    begin = time.perf_counter()
    done = 0

    def tell(played: int) -> None:
        nonlocal done
        done += played
        speed = done / max(1e-9, time.perf_counter() - begin)
        progress.update(task, advance=played, speed=_speed(speed))

    return tell


def _speed(games: float) -> str:
    return f"{games:,.0f} games/s" if games >= 10 else f"{games:.2g} games/s"


# ---------------------------------------------------------------- ending
def write_whole(path: Path, text: str) -> None:
    """A file is written beside and renamed, so that a full disk does not leave half of one."""
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as problem:
        partial.unlink(missing_ok=True)
        raise NotWritten(path, problem, None, 0) from None


def exit_code(outcome: Outcome) -> int:
    """0 if all was played and written; 1 if rules broke or results were lost; 130 if interrupted."""
    if outcome.problem is not None or any(game.error for games in outcome.games for game in games):
        return 1
    return 130 if outcome.interrupted else 0


def columns(rows: Sequence[Sequence[str]], *, left: int = 1, indent: str = "  ") -> list[str]:
    """Lines of a table, the first `left` columns to the left and the others to the right."""
    if not rows:
        return []
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        indent
        + "  ".join(
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def lineup_words(lineup: Sequence[str]) -> str:
    """`greedy, 3 x random`."""
    parts = [(kind, lineup.count(kind)) for kind in dict.fromkeys(lineup)]
    return ", ".join(kind if count == 1 else f"{count} x {kind}" for kind, count in parts)
