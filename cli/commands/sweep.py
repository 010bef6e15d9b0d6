"""`dragonrules simulate --sweep`: the figures of a game over the values of its options."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from ...interpreter.lab.experiments import Entrant
from ...interpreter.lab.measures import MEASURES, Measure, edge_measures, shown_interval, summarise
from ...interpreter.lab.sweeping import Curve, Point, Sweep, curves, points_of
from ...interpreter.play.game import Game
from ..formats.figures import finite, first_line, headline, identity, plain_value, summary_data, tell_broken
from ..options.laboratory import Effort, columns, exit_code, play, write_whole
from ..options.rule_set import Choice

SWEPT = ("turns", "decisions_per_turn", "won", "draws", "first_seat", "top_score", "spread", "lead_changes")
"""The figures that a sweep prints; the report and JSON have all."""


def sweep(
    choice: Choice, game: Game, effort: Effort, lineup: tuple[str, ...], sweeps: list[Sweep], grid: bool
) -> int:
    settings = points_of(sweeps, grid=grid)
    names = [sweep.option for sweep in sweeps]
    entrants = []
    for chosen in settings:
        varied = choice.plus(options=chosen).load()
        title = ", ".join(f"{k}={v}" for k, v in chosen.items())
        labels = {name: chosen.get(name, plain_value(game.options[name])) for name in names}
        entrants.append(Entrant(title, effort.series(varied, lineup), labels))
    outcome = play(effort, entrants)
    if not outcome.played:
        click.echo("no game was finished at every value", err=True)
        return exit_code(outcome)
    points = [Point(chosen, games) for chosen, games in zip(settings, outcome.games, strict=True)]
    measures = [*MEASURES, *edge_measures(lineup)]
    found = curves(sweeps, points, measures, grid=grid)
    if effort.style == "json":
        data = {
            **identity(game, effort, lineup),
            "complete": outcome.complete,
            "points": [
                {"settings": point.settings, **summary_data(summarise(point.games, lineup))}
                for point in points
            ],
            "curves": [_curve_data(curve) for curve in found],
        }
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo(first_line(game, effort, lineup, outcome.played) + " at each value")
        click.echo(
            "\n".join(sweep_text(found, [m for m in measures if m.key in SWEPT or m.key.startswith("edge_")]))
        )
    if effort.report is not None:
        from ...interpreter.lab.reports import sweep_page

        write_whole(effort.report, sweep_page(headline(game, effort, lineup), outcome.played, found))
        click.echo(f"report: {effort.report}", err=True)
    for point in points:
        tell_broken(summarise(point.games, lineup))
    return exit_code(outcome)


def sweep_text(found: Sequence[Curve], measures: Sequence[Measure]) -> list[str]:
    """A table for each option: a line for each value, a column for each figure, then the slopes."""
    out: list[str] = []
    keys = [m.key for m in measures]
    for option, where in dict.fromkeys((c.option, c.where) for c in found):
        mine = [c for c in found if (c.option, c.where) == (option, where) and c.measure.key in keys]
        rows = [(f"{option}" + (f" ({where})" if where else ""), *(c.measure.title for c in mine))]
        for at, value in enumerate(mine[0].values):
            cells = (c.intervals[at] for c in mine)
            rows.append(
                (value, *("" if i is None else shown_interval(c.measure, i) for c, i in zip(mine, cells)))
            )
        out += ["", *columns(rows)]
        slopes = [
            (
                c.measure.title + (f", {s.first} to {s.last}" if len(c.slopes) > 1 else ""),
                shown_interval(c.measure, s.each),
            )
            for c in mine
            for s in c.slopes
        ]
        if slopes:
            out += ["", f"One more {option} adds", *columns(slopes)]
    return out


def _curve_data(curve: Curve) -> dict[str, Any]:
    return {
        "figure": curve.measure.key,
        "option": curve.option,
        "where": curve.where,
        "values": list(curve.values),
        "means": [i.estimate if i else None for i in curve.intervals],
        "low": [finite(i.low) if i else None for i in curve.intervals],
        "high": [finite(i.high) if i else None for i in curve.intervals],
        "slopes": [
            {
                "from": slope.first,
                "to": slope.last,
                "mean": slope.each.estimate,
                "low": finite(slope.each.low),
                "high": finite(slope.each.high),
            }
            for slope in curve.slopes
        ],
    }
