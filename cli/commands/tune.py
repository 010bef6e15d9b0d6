"""`dragonrules tune`: which value of an option brings a figure to where it is wanted."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from ...interpreter.core import value_types as t
from ...interpreter.lab.experiments import Entrant
from ...interpreter.lab.measures import shown, shown_interval
from ...interpreter.lab.playing import Played
from ...interpreter.lab.sweeping import read_sweep
from ...interpreter.lab.tuning import MORE, Tuned, read_target, tune
from ...interpreter.play.game import Game
from ..formats.figures import first_line, identity
from ..options.engine import engine_option
from ..options.helping import examples
from ..options.laboratory import Effort, columns, effort_options, play
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    'dragonrules tune drakon goal --target "length 60" --rest greedy --games 60',
    'dragonrules tune drakon goal=6..14 --target "start advantage 0" --players 3',
    'dragonrules tune drakon goal --target "ending escape 50%" --format json',
)

MOST_VALUES = 15
"""An option with more values is tried at so many of them, evenly spread."""


@click.command(
    "tune", epilog=EPILOG, short_help="Find the value of an option that brings a figure to a target."
)
@game_options
@engine_option
@click.argument("option", metavar="OPTION[=VALUES]")
@click.option(
    "--target",
    "wanted",
    required=True,
    metavar='"FIGURE NUMBER"',
    help="Such as `length 60`, `start advantage 0`, `draws 5%`, `ending escape 50%`.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(min=50, max=99.99),
    default=95.0,
    show_default=True,
    metavar="PERCENT",
    help="How sure it should be that the closest value is not excluded.",
)
@effort_options
@click.pass_context
def command(
    ctx: click.Context, choice: Choice, option: str, wanted: str, confidence: float, effort: Effort
) -> None:
    """Find the value of an option that brings a figure to a target.

    Every value plays the same --games games; values that are surely further from the
    target than another are excluded, and the rest plays four times as many. Says
    which value comes closest, which others may, and which are excluded.
    """
    if effort.out is not None or effort.report is not None or effort.seconds is not None:
        raise click.UsageError(
            "--out, --report and --seconds do not go with tune; simulate --sweep has rows and curves"
        )
    target = read_target(wanted)
    game = choice.load()
    lineup = effort.lineup(game)
    values = read_sweep(option if "=" in option else f"{option}={_values(game, option)}", game.checked).values
    if len(values) < 2:
        raise click.UsageError("there is only one value to choose from")
    name = option.partition("=")[0].strip()

    def games_at(some: Sequence[str], count: int) -> list[list[Played]]:
        entrants = [
            Entrant(f"{name}={value}", effort.series(choice.plus(options={name: value}).load(), lineup))
            for value in some
        ]
        outcome = play(effort, entrants, games=count)
        if not outcome.complete:
            ctx.exit(130 if outcome.interrupted else 1)
        return outcome.games

    found = tune(values, target, games_at, effort.games, 1 - confidence / 100)
    if effort.style == "json":
        click.echo(json.dumps({**identity(game, effort, lineup), "option": name, **as_data(found)}, indent=2))
    else:
        click.echo(first_line(game, effort, lineup, effort.games) + " at each value")
        click.echo("\n".join(text_of(name, found, confidence)))


def _values(game: Game, name: str) -> str:
    decl = game.checked.options.get(name)
    match decl.type if decl is not None else None:
        case t.Num(low, high) if high - low >= MOST_VALUES:
            return ",".join(
                str(v)
                for v in sorted({low + (high - low) * i // (MOST_VALUES - 1) for i in range(MOST_VALUES)})
            )
    return "all"


def text_of(name: str, found: Tuned, confidence: float) -> list[str]:
    best, m = found.best, found.measure
    goal = shown(m, found.goal)
    rows = [(name, m.title, "games", "")]
    for tried in found.tried:
        mark = "closest" if tried is best else "excluded" if tried.excluded else "may be closest"
        rows.append((tried.value, shown_interval(m, tried.figure), f"{tried.games:,}", mark))
    others = [value for value in found.left if value != best.value]
    told = f"{name}={best.value} comes closest: {m.title} {shown_interval(m, best.figure)}, wanted {goal}."
    sure = f"{confidence:g} % sure"
    more = (
        f"It could also be {', '.join(others)}; the others are excluded ({sure})."
        if others
        else f"All other values are excluded ({sure})."
    )
    if not found.reached:
        more += (
            f" No value that was tried surely reaches {goal}." if others else f" It does not reach {goal}."
        )
    return ["", told, more, "", *columns(rows)]


def as_data(found: Tuned) -> dict[str, object]:
    return {
        "figure": found.measure.key,
        "target": found.goal,
        "best": found.best.value,
        "left": found.left,
        "reached": found.reached,
        "second_round": MORE,
        "values": [
            {
                "value": tried.value,
                "games": tried.games,
                "mean": tried.figure.estimate,
                "low": tried.figure.low,
                "high": tried.figure.high,
                "excluded": tried.excluded,
            }
            for tried in found.tried
        ],
    }
