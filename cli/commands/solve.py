"""`dragonrules solve`: best play of a small game, worked out."""

from __future__ import annotations

import json

import click

from ..options.helping import examples
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    "dragonrules solve tic_tac_toe",
    "dragonrules solve connect_four --set columns=4 --set rows=4",
    "dragonrules solve kuhn_poker --rounds 1000",
    "dragonrules solve my_game.dragon --format json",
)


@click.command("solve", epilog=EPILOG, short_help="Work out best play of a small game.")
@game_options
@click.option("--players", type=int, help="Number of players; default: the minimum.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=300,
    show_default=True,
    help="Of CFR+, where things are hidden.",
)
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=3_000_000,
    show_default=True,
    help="Most positions to look at.",
)
@click.option(
    "--nodes", type=click.IntRange(1), default=1_000_000, show_default=True, help="Most nodes of a tree."
)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(choice: Choice, players: int | None, rounds: int, positions: int, nodes: int, style: str) -> None:
    """Work out what best play comes to, and whether the first seat is better.

    Where nothing is hidden the answer is exact: all play from every position, each worked
    out once. Where things are hidden, the whole tree is solved for two players by
    CFR+, and the answer says how much anybody could still gain. A game that is too large is refused.
    """
    from ...interpreter.solving.verdict import verdict

    found = verdict(choice.load(), players, positions=positions, nodes=nodes, rounds=rounds)
    if style == "json":
        click.echo(json.dumps(found.to_json(), indent=2))
        return
    click.echo(f"{found.game}: {found.sentence}")
    if found.moves:
        click.echo(
            "First choices: "
            + ", ".join(
                f"{move} {worth:+.3g}" if found.exact else f"{move} {worth:.0%}"
                for move, worth in found.moves
            )
        )
    click.echo(f"Rests on {found.basis}.")
