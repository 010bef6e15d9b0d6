"""`dragonrules new`: a starter game that validates and runs, a copy of a shipped one, or the start of a house rule."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...interpreter.core.errors import UsageError
from ...interpreter.files.find_specs import find_spec
from ..options.helping import examples
from ..options.starting import house_rule
from ..rules.files import SUFFIX

EPILOG = examples(
    "dragonrules new last_coin",
    "dragonrules run last_coin.dragon",
    "dragonrules new my_pig --like pig",
    "dragonrules new thrift --of drakon --replace lose_a_gold",
    "dragonrules new tonight --of ryu --set reach --replace dragon_bid.winners",
)

STARTER = """game "{title}" for 2 to 4 players:
    "Coins lie in a pile. In turn, take one, two or three. Whoever takes the last coin loses."

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


def rules_like(name: str, title: str) -> str:
    """The rules of another game under a title of their own."""
    try:
        text = find_spec(name).read_text(encoding="utf-8")
    except OSError:
        raise UsageError("D0707", f"there is no game `{name}`") from None
    return re.sub(
        r'^game\s+"(?:[^"\\\n]|\\.)*"', lambda _: f'game "{title}"', text, count=1, flags=re.MULTILINE
    )


@click.command("new", epilog=EPILOG, short_help="Write a starter game.")
@click.argument("name")
@click.option(
    "--like", metavar="GAME", help="Start from the rules of this game instead of from a pile of coins."
)
@click.option("--of", "base", metavar="GAME", help="Write a house rule of this game instead.")
@click.option(
    "--replace",
    multiple=True,
    metavar="NAME",
    help="With --of: what is to be rewritten; its old text is put there.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME", help="With --of: an option or constant to set."
)
@click.option(
    "--add", multiple=True, metavar="NAME", help="With --of: a component, table, kinds or token to add to."
)
def command(
    name: str,
    like: str | None,
    base: str | None,
    replace: tuple[str, ...],
    settings: tuple[str, ...],
    add: tuple[str, ...],
) -> None:
    """Write a starter game called NAME into a file in this folder; with --of, a house rule.

    What --replace names is found whatever its sort: a rule, trigger, action, definition, table,
    place, or a step like `dragon_bid.winners`. The file validates as it is written.
    """
    if (replace or settings or add) and base is None:
        raise click.UsageError("--replace, --set and --add belong to --of GAME")
    if base is not None and like is not None:
        raise click.UsageError("--like starts a game, --of a house rule: take one of them")
    path = Path(name if name.endswith(SUFFIX) else name + SUFFIX)
    stem = re.sub(r"\W+", "_", path.stem.lower()).strip("_")
    if not stem or not stem.isascii() or stem[0].isdigit():
        raise click.UsageError(f"`{path.stem}` cannot be the name of a game; use letters, like `last_coin`")
    path = path.with_name(stem + SUFFIX)
    if not path.parent.is_dir():
        raise click.UsageError(f"there is no folder `{path.parent}`")
    title = stem.replace("_", " ").title()
    if base is not None:
        text = house_rule(find_spec(base), title, replace, settings, add)
    else:
        text = STARTER.format(title=title) if like is None else rules_like(like, title)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"`{path}` is already there") from None
    if base is not None:
        click.echo(f"wrote {path}; change it, then `dragonrules diff {path}` and `dragonrules run {path}`")
        return
    click.echo(f"wrote {path}; try `dragonrules run {path}` and `dragonrules test {path}`")
