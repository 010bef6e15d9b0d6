"""`dragonrules export`: a game in a form that other programs read."""

from __future__ import annotations

from pathlib import Path

import click

from ..formats.output import write_text
from ..options.helping import examples
from ..options.rule_set import Choice, game_options

EFG = examples(
    "dragonrules export efg kuhn_poker -o kuhn.efg",
    "dragonrules export efg my_game.dragon --players 2 --limit 50000",
)


@click.group("export", epilog=EFG, short_help="Write a game for other programs.")
def command() -> None:
    """Write a game in a form that other programs read."""


@command.command("efg", epilog=EFG, short_help="The whole tree, as Gambit and OpenSpiel read it.")
@game_options
@click.option("--players", type=int, help="Number of players; default: the minimum.")
@click.option("--by", type=click.Choice(["win", "score"]), help="What the payoffs count; see below.")
@click.option("--limit", type=click.IntRange(1), default=1_000_000, show_default=True, help="Most nodes.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
def efg(choice: Choice, players: int | None, by: str | None, limit: int, output: Path | None) -> None:
    """Write the whole tree of a small game as a Gambit file.

    Every history is in it, with what each player knows. Payoffs are the scores where these
    add up to zero at every end, as chips do; otherwise 1 for winning less the share of
    one's rivals who win. A game with more nodes than the limit is refused.
    """
    from ...interpreter.solving.gambit import to_efg
    from ...interpreter.solving.trees import whole_tree

    write_text(to_efg(whole_tree(choice.load(), players, limit=limit, by=by)), output)
