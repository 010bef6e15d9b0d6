"""`dragonrules simulate`: many games by bots, and what they were like."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...interpreter.lab.experiments import Entrant, Outcome
from ...interpreter.lab.measures import Summary, percent, points, shown, shown_interval, summarise
from ...interpreter.lab.results import checked_writable
from ...interpreter.lab.sweeping import read_sweep
from ...interpreter.lab.tallies import Usage
from ...interpreter.play.game import Game
from ..formats.figures import first_line, headline, identity, summary_data, tell_broken
from ..formats.stories import story_data, story_text
from ..options.coverage import Wanted, coverage_options, report
from ..options.engine import engine_option
from ..options.helping import examples, plural
from ..options.laboratory import Effort, columns, effort_options, exit_code, play, write_whole
from ..options.rule_set import Choice, game_options
from .sweep import sweep

EPILOG = examples(
    "dragonrules simulate drakon --players 4 --games 2000 --seed 1",
    "dragonrules simulate ryu --out games.csv --report ryu.html",
    "dragonrules simulate dragons_gold --seat greedy --games 500",
    "dragonrules simulate drakon --variant heroes --set goal=8 --format json",
    "dragonrules simulate drakon --seat greedy --rest greedy --games 300 --stories 100",
    "dragonrules simulate drakon --sweep goal=6..14 --report goal.html",
)


@click.command("simulate", epilog=EPILOG, short_help="Play many games and summarise them.")
@game_options
@engine_option
@effort_options
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="OPTION=6..14",
    help="Play at each value of an option: a range, 6..14/2 in steps, a list 6,8,10, or all; repeatable.",
)
@click.option("--grid", is_flag=True, help="With several --sweep: all combinations, not one after the other.")
@click.option("--count", is_flag=True, help="Count how often each rule is used (--report does so anyway).")
@click.option(
    "--count-to",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.csv",
    help="Write these counts: a row for each rule, component and token.",
)
@coverage_options
@click.pass_context
def command(
    ctx: click.Context,
    choice: Choice,
    effort: Effort,
    sweeps: tuple[str, ...],
    grid: bool,
    count: bool,
    count_to: Path | None,
    coverage: Wanted,
) -> None:
    """Let bots play many games, and show what they were like.

    FILE is a rule file or the name of a game that comes with dragonrules. Prints the
    length of games, wins by seat, scores and how games end, with 95 % intervals. The
    same seed gives the same figures, however many processes play. Ctrl-C ends the
    run and gives the results so far.

    With --sweep the same games are played at each value of an option, and the
    figures are given as curves over its values.
    """
    game = choice.load()
    lineup = effort.lineup(game)
    if grid and len(sweeps) < 2:
        raise click.UsageError("--grid needs two or more --sweep")
    if sweeps and (count or count_to or coverage):
        raise click.UsageError("--sweep does not count rules; simulate one value at a time for that")
    if sweeps and (effort.stories or effort.moves):
        raise click.UsageError(
            "--sweep goes without --stories and --moves; look at one value at a time for that"
        )
    if sweeps:
        ctx.exit(sweep(choice, game, effort, lineup, [read_sweep(s, game.checked) for s in sweeps], grid))
    if count_to is not None:
        checked_writable(count_to)
    counted = bool(count or count_to or effort.report or coverage)
    entrant = Entrant(choice.title, effort.series(game, lineup, counted=counted))
    outcome = play(effort, [entrant])
    games = outcome.games[0]
    if not games:
        click.echo("no game was finished", err=True)
        ctx.exit(exit_code(outcome))
    summary = summarise(games, lineup)
    usage = outcome.usage()
    (story,) = effort.told([entrant])
    if effort.style == "json":
        data = document(game, effort, lineup, outcome, summary, usage)
        data["course"] = None if story is None else story_data(story)
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo("\n".join(text(game, effort, lineup, summary, usage if count else None)))
        if story is not None:
            click.echo("\n".join(["", *story_text(story)]))
    if count_to is not None and usage is not None:
        write_whole(count_to, counts_csv(usage))
    if effort.report is not None:
        from ...interpreter.lab.reports import simulation_page

        page = simulation_page(headline(game, effort, lineup), games, summary, lineup, usage, story)
        write_whole(effort.report, page)
        click.echo(f"report: {effort.report}", err=True)
    enough = True
    if coverage and usage is not None:
        enough = report(coverage, usage.coverage, [game.checked], quiet=effort.style != "text")
    tell_broken(summary)
    ctx.exit(exit_code(outcome) or int(not enough))


# ---------------------------------------------------------------- as text
def text(
    game: Game, effort: Effort, lineup: Sequence[str], summary: Summary, usage: Usage | None
) -> list[str]:
    out = [first_line(game, effort, lineup, summary.games), ""]
    rows = [("", "mean (95 % interval)", "deviation", "least", "median", "most")]
    for figure in summary.figures:
        m = figure.measure
        if m.key.endswith("_seat") or m.key.startswith("edge_"):
            continue  # told below
        spread = ("", "", "", "")
        if not m.events:
            spread = tuple(shown(m, v) for v in (figure.deviation, figure.least, figure.median, figure.most))  # type: ignore[assignment]
        rows.append((m.title, shown_interval(m, figure.interval), *spread))
    out += columns(rows)
    out += ["", *_seats(summary)]
    if summary.kinds:
        out += ["", *_kinds(summary)]
    out += ["", "How games end"]
    ends = [(reason, f"{count:,}", percent(count / summary.games, 0.01)) for reason, count in summary.reasons]
    out += columns(ends)
    if usage is not None:
        out += ["", *_usage(usage)]
    return out


def _seats(summary: Summary) -> list[str]:
    rows = [("", "games won", "alone", "share of games (95 %)", "beyond an equal share")]
    for seat in summary.seats:
        rows.append(
            (
                f"seat {seat.seat}",
                f"{seat.won:,}",
                f"{seat.alone:,}",
                _share(seat.wins.estimate, seat.wins.low, seat.wins.high),
                points(seat.advantage),
            )
        )
    told = [seat for seat in summary.seats if seat.told]
    if not told:
        verdict = "No sign that a seat is better than another."
    else:
        words = [
            f"seat {s.seat} has {'an advantage' if s.advantage.estimate > 0 else 'a disadvantage'}"
            for s in told
        ]
        verdict = f"{'; '.join(words)}.".capitalize()
    return ["Wins by seat", *columns(rows), f"  {verdict}"]


def _kinds(summary: Summary) -> list[str]:
    rows = [("", "seats", "share of wins (95 %)", "an equal share")]
    for kind in summary.kinds:
        share = kind.share
        rows.append(
            (
                kind.kind,
                f"{kind.seats:g}",
                _share(share.estimate, share.low, share.high),
                percent(kind.fair, 0.01),
            )
        )
    return ["Wins by player", *columns(rows)]


def _share(middle: float, low: float, high: float) -> str:
    width = max(1e-9, high - low)
    return f"{percent(middle, width)} ({percent(low, width).removesuffix(' %')} to {percent(high, width)})"


def _usage(usage: Usage) -> list[str]:
    out = ["What came into play"]
    rows = [("", "times", "in games", "offered", "taken")]
    for use in usage.uses:
        d = use.declaration
        rows.append(
            (
                f"{d.kind} {d.name}",
                f"{d.runs:,}",
                percent(use.games / max(1, usage.games), 0.01),
                "" if d.offered is None else f"{d.offered:,}",
                "" if d.taken is None else f"{d.taken:,}",
            )
        )
    out += columns(rows)
    impossible = {d.name for d in usage.coverage.never_possible()}
    never = [
        f"{d.kind} {d.name}" + (" (never possible)" if d.kind == "action" and d.name in impossible else "")
        for d in (u.declaration for u in usage.unused)
    ]
    never += [f"{t.type} {t.label}" for t in usage.unused_things]
    never += [f"{q.owner}: {', '.join(words)} (never offered)" for q, words in usage.coverage.never_offered()]
    out += ["", f"Never in {plural(usage.games, 'game')}"]
    return out + ([f"  {line}" for line in never] or ["  nothing: everything came into play"])


# ---------------------------------------------------------------- as data
def document(
    game: Game,
    effort: Effort,
    lineup: Sequence[str],
    outcome: Outcome,
    summary: Summary,
    usage: Usage | None,
) -> dict[str, Any]:
    return {
        **identity(game, effort, lineup),
        "complete": outcome.complete,
        **summary_data(summary),
        "usage": None if usage is None else _usage_data(usage),
    }


def _usage_data(usage: Usage) -> dict[str, Any]:
    return {
        "rules": [
            {
                "kind": u.declaration.kind,
                "name": u.declaration.name,
                "times": u.declaration.runs,
                "games": u.games,
                "offered": u.declaration.offered,
                "taken": u.declaration.taken,
            }
            for u in usage.uses
        ],
        "components": [
            {"type": t.type, "label": t.label, "drawn": t.drawn, "chosen": t.chosen} for t in usage.things
        ],
        "never_possible": [d.name for d in usage.coverage.never_possible()],
        "never_offered": [
            {"where": q.owner, "line": q.line, "options": list(words)}
            for q, words in usage.coverage.never_offered()
        ],
    }


def counts_csv(usage: Usage) -> str:
    """A row for each rule, component and kind of token, those that never came into play too."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("kind", "name", "file", "line", "times", "games", "offered", "taken", "drawn", "chosen"))
    for use in usage.uses:
        d = use.declaration
        writer.writerow((d.kind, d.name, d.file, d.line, d.runs, use.games, d.offered, d.taken, None, None))
    for thing in usage.things:
        writer.writerow((thing.type, thing.label, *[None] * 6, thing.drawn, thing.chosen))
    return out.getvalue()
