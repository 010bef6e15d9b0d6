"""`dragonrules games`: what comes with dragonrules, by kind; also as the page `docs/games.md`."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import click

from ...grammar import syntax
from ...interpreter.core.player_counts import player_counts
from ...interpreter.driver import DRIVER
from ...interpreter.files.find_specs import shipped_folders
from ...interpreter.files.find_variants import known_variants
from ..options.helping import examples
from ..rules.files import SUFFIX

EPILOG = examples("dragonrules games", "dragonrules games --format json")

KINDS = {
    "dragons": "Games with dragons",
    "classics": "Classics in a few lines",
    "boards": "Boards",
    "cards": "Cards and hidden hands",
    "dice": "Dice",
    "secrets": "Secret choices and hidden roles",
    "together": "Together, and alone",
}
"""The folders of the shipped games, and what lies in them."""

PAGE_WIDTH = 100
SHORT = 40
"""A first sentence with fewer characters says too little by itself."""

PAGE = """# The games that are included

`dragonrules run NAME` plays one, `dragonrules rulebook NAME` prints its rules, `dragonrules new
my_game --like NAME` starts a rule file of your own from it. This page is made from the rule files:
`dragonrules games --format markdown`.
"""


def shipped() -> list[dict[str, Any]]:
    """The shipped games, by their headers alone: a game that does not validate is listed too."""
    out = []
    for kind, folder in shipped_folders().items():
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            for header in DRIVER.headers(path, "game"):
                if isinstance(header, syntax.Game):
                    out.append(_entry(path, kind, header))
    return out


def _entry(path: Path, kind: str, header: syntax.Game) -> dict[str, Any]:
    variants = list(known_variants(path))
    return {
        "name": path.stem,
        "kind": kind,
        "title": str(header.name),
        "players": list(player_counts(header.players)),
        "about": str(header.doc.doc.text) if isinstance(header.doc, syntax.WithDoc) else "",
        "variants": variants,
        "path": str(path),
    }


def by_kind(found: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The games under the titles of their kinds."""
    out: dict[str, list[dict[str, Any]]] = {}
    for game in found:
        out.setdefault(KINDS.get(game["kind"], game["kind"].capitalize()), []).append(game)
    return out


def _players(game: dict[str, Any]) -> str:
    counts = game["players"]
    return f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"


def pitch(about: str) -> str:
    """What a game is about in a sentence; in more of them, where the first says little."""
    sentences = about.split(". ")
    told = sentences[0]
    for sentence in sentences[1:]:
        if len(told) >= SHORT:
            break
        told = f"{told}. {sentence}"
    return told.rstrip(".")


def text(found: list[dict[str, Any]]) -> str:
    """A line for each game, and one for its variants."""
    width = max((len(game["name"]) for game in found), default=0)
    lines: list[str] = []
    for title, games in by_kind(found).items():
        lines += ["", title] if lines else [title]
        for game in games:
            sentence = pitch(game["about"])
            about = f"{game['title']}{': ' + sentence if sentence else ''}"
            told = textwrap.wrap(about, PAGE_WIDTH - width - 7)
            lines.append(f"  {game['name']:<{width}}  {_players(game):>3}  {told[0]}")
            lines += [f"  {'':<{width}}       {line}" for line in told[1:]]
            if game["variants"]:
                variants = textwrap.wrap(f"variants: {', '.join(game['variants'])}", PAGE_WIDTH - width - 7)
                lines += [f"  {'':<{width}}       {line}" for line in variants]
    return "\n".join(lines)


def markdown(found: list[dict[str, Any]]) -> str:
    """The page on the games."""
    parts = [PAGE]
    for title, games in by_kind(found).items():
        parts.append(f"## {title}\n")
        for game in games:
            parts.append(
                f"**{game['title']}** (`{game['name']}`, {_players(game)} players). {game['about']}\n"
            )
            if game["variants"]:
                parts.append(f"Variants: {', '.join(game['variants'])}.\n")
    return "\n".join(parts)


@click.command("games", epilog=EPILOG, short_help="List the games that come with dragonrules.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="How to print the list.",
)
def command(style: str) -> None:
    """List the games that come with dragonrules by kind; `dragonrules run NAME` plays one."""
    found = shipped()
    if style == "json":
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo(text(found) if style == "text" else markdown(found).rstrip("\n"))
