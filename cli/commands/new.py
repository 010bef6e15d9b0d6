"""`dragonrules new`: a starter game that validates, runs and passes its scenario."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ..options.helping import examples
from ..rules.files import SUFFIX

EPILOG = examples("dragonrules new last_coin", "dragonrules run last_coin.dragon")

STARTER = """game "{title}" for 2 to 4 players:
    "Coins lie in a pile. In turn, take one, two or three. Who takes the last coin loses."

option coins: 5..50 = 15
    "How many coins lie in the pile at the start."

token Coin: gold coins

place pile: bag of Coin, seen by all

each player has:
    place purse: bag of Coin, seen by all

setup:
    move all from box(Coin) to pile

phase Play:
    turns Round p:
        choose "how many coins" n in 1..3 where n <= count(pile) because "not enough coins"
        move n of gold from pile to my.purse

ending last_coin when count(pile) = 0: finish others(active)

scenario "who takes the last coin loses" for 2 players, coins = 5:
    when:
        player(1) chooses 3
        player(2) chooses 3 refused because "not enough coins"
        player(2) chooses 2
    then:
        over for {{player(1)}}
"""


@click.command("new", epilog=EPILOG, short_help="Write a starter game.")
@click.argument("name")
def command(name: str) -> None:
    """Write a starter game called NAME into a file in this folder."""
    path = Path(name if name.endswith(SUFFIX) else name + SUFFIX)
    stem = re.sub(r"\W+", "_", path.stem.lower()).strip("_")
    if not stem or not stem.isascii() or stem[0].isdigit():
        raise click.UsageError(f"`{path.stem}` cannot be the name of a game; use letters, like `last_coin`")
    path = path.with_name(stem + SUFFIX)
    if not path.parent.is_dir():
        raise click.UsageError(f"there is no folder `{path.parent}`")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(STARTER.format(title=stem.replace("_", " ").title()))
    except FileExistsError:
        raise click.UsageError(f"`{path}` is already there") from None
    click.echo(f"wrote {path}; try `dragonrules run {path}` and `dragonrules test {path}`")
