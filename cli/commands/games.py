"""`dragonrules games`: what comes with dragonrules."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from ...grammar import syntax
from ...interpreter.check.player_counts import player_counts
from ...interpreter.driver import DRIVER
from ...interpreter.files.find_specs import known_variants
from ..options.helping import examples
from ..rules.files import SUFFIX

EPILOG = examples("dragonrules games", "dragonrules games --format json")


def shipped() -> list[dict[str, Any]]:
    """The shipped games, by their headers alone: a game that does not validate is listed too."""
    root = Path(str(files("dragonrules.games")))
    out = []
    for folder in (root, root / "classics"):
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            for header in DRIVER.headers(path, "game"):
                if isinstance(header, syntax.Game):
                    out.append(_entry(path, header))
    return out


def _entry(path: Path, header: syntax.Game) -> dict[str, Any]:
    variants = list(known_variants(path))
    return {
        "name": path.stem,
        "title": str(header.name),
        "players": list(player_counts(header.players)),
        "about": str(header.doc.doc.text) if isinstance(header.doc, syntax.WithDoc) else "",
        "variants": variants,
        "path": str(path),
    }


@click.command("games", epilog=EPILOG, short_help="List the games that come with dragonrules.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the list."
)
def command(style: str) -> None:
    """List the games that come with dragonrules; `dragonrules run NAME` plays one."""
    found = shipped()
    if style == "json":
        click.echo(json.dumps(found, indent=2))
        return
    width = max((len(game["name"]) for game in found), default=0)
    for game in found:
        counts = game["players"]
        players = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
        sentence = game["about"].split(". ")[0].rstrip(".")
        click.echo(
            f"{game['name']:<{width}}  {players:>3}  {game['title']}{': ' + sentence if sentence else ''}"
        )
        if game["variants"]:
            click.echo(f"{'':<{width}}       variants: {', '.join(game['variants'])}")
