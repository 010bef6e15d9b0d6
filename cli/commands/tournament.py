"""`dragonrules tournament`: who is the stronger player, with ratings."""

from __future__ import annotations

import json
import secrets

import attrs
import click

from ...interpreter.lab.experiments import Entrant, carry_out
from ...interpreter.lab.playing import LIMIT
from ...interpreter.lab.runs import available_jobs
from ...interpreter.lab.tournament import Table, series_of, table_of
from ...interpreter.players import player
from ..options.engine import engine_option
from ..options.helping import examples, plural
from ..options.laboratory import columns, exit_code, progress_bar
from ..options.rule_set import Choice, rule_options

EPILOG = examples(
    "dragonrules tournament connect_four random greedy mcts:100 --games 40",
    "dragonrules tournament dragon_keeper greedy mcts:50 --players 3 --seed 1 --format json",
)


@click.command("tournament", epilog=EPILOG, short_help="Let kinds of players meet, and rate them.")
@click.argument("file", metavar="FILE")
@click.argument("kinds", metavar="PLAYER...", nargs=-1, required=True)
@rule_options
@engine_option
@click.option(
    "--players", type=click.IntRange(min=2), metavar="N", help="Seats at the table; default: the fewest."
)
@click.option(
    "--games",
    type=click.IntRange(min=4),
    default=100,
    show_default=True,
    metavar="N",
    help="Games of each pairing.",
)
@click.option("--seed", type=int, help="Fixes every game; default: a new one each time.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    metavar="N",
    help="Abandon a game after N decisions.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to play in; default: one for each processor.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the table."
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    kinds: tuple[str, ...],
    variants: tuple[str, ...],
    options: dict[str, str],
    engine: str,
    players: int | None,
    games: int,
    seed: int | None,
    limit: int,
    jobs: int | None,
    style: str,
) -> None:
    """Let kinds of players meet, and rate them.

    Every PLAYER (random, greedy, mcts:100) meets every other. In half of the games
    of a pairing one of the first sits among players of the second, in the other
    half it is the other way round. Ratings are on the scale of Elo, with 95 %
    intervals: 400 points more are odds of ten to one.
    """
    for kind in kinds:
        player(kind, seed=0, seat=1)  # complains of what does not exist
    game = attrs.evolve(Choice.read(file), engine=engine).plus(variants=variants, options=options).load()
    count = players or next((n for n in game.players if n > 1), game.players[0])
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    pairs = series_of(game, kinds, count, seed=seed, limit=limit)
    entrants = [Entrant(f"{one} among {other}", series) for (one, other), series in pairs.items()]
    _ = entrants[0].series.engine  # a wrong number of players is told now
    half = games // 2
    with progress_bar(len(entrants) * half) as tell:
        outcome = carry_out(entrants, half, jobs=jobs or available_jobs(), tell=tell)
    if outcome.played < 2:
        click.echo("too few games were finished", err=True)
        ctx.exit(exit_code(outcome) or 1)
    table = table_of(kinds, dict(zip(pairs, outcome.games, strict=True)), seed)
    if style == "json":
        click.echo(
            json.dumps(
                {
                    "game": game.name,
                    "fingerprint": game.fingerprint,
                    "players": count,
                    "seed": seed,
                    **as_data(table),
                },
                indent=2,
            )
        )
    else:
        click.echo(
            f"{game.name} for {plural(count, 'player')}, {2 * outcome.played} games of each pairing, seed {seed}\n"
        )
        click.echo("\n".join(text_of(table)))
    ctx.exit(exit_code(outcome))


def text_of(table: Table) -> list[str]:
    rows = [("", "rating (95 % interval)", "surely stronger than")]
    for s in table.standings:
        r = s.rating
        rows.append((s.kind, f"{r.estimate:+.0f} ({r.low:+.0f} to {r.high:+.0f})", ", ".join(s.surely_above)))
    met = [("", "won (95 % interval)")]
    for p in table.pairings:
        share = p.share
        met.append(
            (f"{p.first} against {p.second}", f"{share.estimate:.0%} ({share.low:.0%} to {share.high:.0%})")
        )
    return [*columns(rows), "", *columns(met)]


def as_data(table: Table) -> dict[str, object]:
    return {
        "ratings": [
            {
                "player": s.kind,
                "rating": s.rating.estimate,
                "low": s.rating.low,
                "high": s.rating.high,
                "surely_above": list(s.surely_above),
            }
            for s in table.standings
        ],
        "pairings": [
            {
                "first": p.first,
                "second": p.second,
                "games": 2 * len(p.results),
                "won": p.share.estimate,
                "low": p.share.low,
                "high": p.share.high,
            }
            for p in table.pairings
        ],
    }
