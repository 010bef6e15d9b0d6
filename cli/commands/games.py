"""`dragonrules games`: what comes with dragonrules, by kind; also as the page `docs/games.md`."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import attrs
import click

from ...grammar import syntax
from ...interpreter.core.player_counts import player_counts
from ...interpreter.driver import DRIVER
from ...interpreter.files.find_specs import find_spec, shipped_folders
from ...interpreter.files.find_variants import known_variants
from ..options.helping import examples, plural
from ..options.variants import VariantEntry, entries, goes_with
from ..rules.files import SUFFIX

EPILOG = examples(
    "dragonrules games",
    "dragonrules games --variants drakon",
    "dragonrules games --variants drakon --pairs",
    "dragonrules games --format json",
)

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
`dragonrules games --format markdown --pictures pictures`, and its pictures by `docs/tools/game_pictures.py`.
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
    """`2`, `2-5`, or `2/4` where the numbers between cannot be played."""
    counts = game["players"]
    gap = len(counts) <= counts[-1] - counts[0]
    return "/".join(map(str, counts)) if gap or len(counts) == 1 else f"{counts[0]}-{counts[-1]}"


def _how_many(game: dict[str, Any]) -> str:
    return _players(game).replace("/", " or ") + (" player" if game["players"] == [1] else " players")


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


def markdown(found: list[dict[str, Any]], pictures: str | None = None) -> str:
    """The page on the games, each with the picture that lies in that folder."""
    parts = [PAGE]
    for title, games in by_kind(found).items():
        parts.append(f"## {title}\n")
        for game in games:
            parts.append(f"**{game['title']}** (`{game['name']}`, {_how_many(game)}). {game['about']}\n")
            if game["variants"]:
                parts.append(f"Variants: {', '.join(game['variants'])}.\n")
            if pictures is not None:
                parts.append(f"![A table of {game['title']}]({pictures}/{game['name']}.svg)\n")
    return "\n".join(parts)


# ---------------------------------------------------------------- variants
VARIANTS_PAGE = """# House variants

Rules that players have changed at their own table, written as overlays: a few lines each, which
say what is different and nothing else. They lie in `games/variants/`, next to the variants that the
rulebooks print; each file holds scenarios that show what it means. This page is made from the
files: `dragonrules games --variants --format markdown`.

```text
dragonrules run drakon --variant "Soft Claws"          play it
dragonrules diff drakon soft_claws                     what it changes
dragonrules diff drakon soft_claws --example           the smallest game in which it shows
dragonrules expand drakon --variant soft_claws         the whole game that it makes
dragonrules compare drakon soft_claws --players 3      measure what that does
```

Several go together: `--variant soft_claws --variant restless`. To start your own, `dragonrules new
thrift --of drakon --replace lose_a_gold` writes the header and the old rule to change; [the first house
rule](tutorial/first-house-rule.md) shows how, and [the language](language.md#variants) lists what a
variant can say.

What a variant does was measured by the command that stands with it (`python
docs/tools/measure_variants.py` measures anew, from fresh seeds): the same games for the game and its
variant, with players who all look one step ahead (`--rest greedy`) or play at random, as the command says.
What stands in quotes is the answer of the command. It holds for such players; better ones may find other ways.
"""


def variants_of(names: tuple[str, ...]) -> dict[str, list[VariantEntry]]:
    """The variants of these games, or of all that come along, by game."""
    games = [find_spec(name) for name in names] or [Path(game["path"]) for game in shipped()]
    found = {game.stem: entries(game) for game in games}
    return {game: listed for game, listed in found.items() if listed}


def variants_text(found: dict[str, list[VariantEntry]], pairs: bool) -> str:
    lines: list[str] = []
    for game, variants in found.items():
        lines += ["", game] if lines else [game]
        together = goes_with(find_spec(game), [v.title for v in variants]) if pairs else {}
        for v in variants:
            facts = [plural(v.lines, "line"), *_facts(v)]
            lines.append(f"  {v.title} (`{v.name}`): {', '.join(facts)}")
            lines += textwrap.wrap(v.sentence, 96, initial_indent="    ", subsequent_indent="    ")
            lines += textwrap.wrap(
                f"touches {', '.join(v.touches)}", 96, initial_indent="    ", subsequent_indent="      "
            )
            for verdict, words in (
                ("clash", "not with"),
                ("order", "the order shows with"),
                ("note", "look twice with"),
            ):
                others = _others(v.title, together, verdict)
                if others:
                    lines.append(f"    {words} {', '.join(others)}")
    return "\n".join(lines)


def _others(title: str, together: dict[frozenset[str], str], verdict: str) -> list[str]:
    return sorted(
        name
        for pair, told in together.items()
        if told == verdict and title in pair
        for name in pair - {title}
    )


def _facts(v: VariantEntry) -> list[str]:
    out = []
    if v.players:
        out.append(f"for {' or '.join(map(str, v.players))} players")
    if v.needs:
        out.append(f"needs {', '.join(v.needs)}")
    if v.excludes:
        out.append(f"not with {', '.join(v.excludes)}")
    return out


def variants_markdown(found: dict[str, list[VariantEntry]], measured: dict[str, Any]) -> str:
    """The page on the house variants: those that were measured; the rulebooks print the others."""
    parts = [VARIANTS_PAGE]
    house = {game: [v for v in variants if v.title in measured] for game, variants in found.items()}
    rows = [
        f"| [{v.title}](#{_anchor(v.title)}) | {game} | {v.lines} | {', '.join(v.needs)} |"
        for game, variants in house.items()
        for v in variants
    ]
    parts.append("\n".join(["| | game | lines | needs |", "|---|---|---|---|", *rows]) + "\n")
    for game, variants in house.items():
        together = goes_with(find_spec(game), [v.title for v in found[game]]) if variants else {}
        for v in variants:
            kept = measured[v.title]
            parts.append(f"## {v.title}\n")
            parts.append(f"*{game}; {', '.join([plural(v.lines, 'line'), *_facts(v)])}.* {v.sentence}\n")
            parts.append(f"Touches {', '.join(f'`{name}`' for name in v.touches)}.")
            clash = _others(v.title, together, "clash")
            order = _others(v.title, together, "order")
            parts[-1] += f" Not with {', '.join(clash)}." if clash else ""
            parts[-1] += f" The order shows with {', '.join(order)}." if order else ""
            parts[-1] += "\n"
            commands = [
                f"dragonrules run {game} --variant {v.name}",
                f"dragonrules diff {game} {v.name}",
                kept["command"],
            ]
            parts.append("```text\n" + "\n".join(commands) + "\n```\n")
            parts.append(f'What it does: *"{kept["sentence"]}"*.\n')
    return "\n".join(parts)


def _anchor(title: str) -> str:
    return "".join(ch for ch in title.lower().replace(" ", "-") if ch.isalnum() or ch == "-")


@click.command("games", epilog=EPILOG, short_help="List the games that come with dragonrules.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="How to print the list.",
)
@click.option("--variants", is_flag=True, help="List the variants, of these games or of all.")
@click.option(
    "--pairs", is_flag=True, help="With --variants: lay every two over the game, and show which go together."
)
@click.option(
    "--measured",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --variants and markdown: what `docs/tools/measure_variants.py` has kept.",
)
@click.option(
    "--pictures",
    metavar="FOLDER",
    help="With markdown: show the picture of each game that lies there as NAME.svg.",
)
@click.argument("names", nargs=-1, metavar="[GAME]...")
def command(
    style: str,
    variants: bool,
    pairs: bool,
    measured: Path | None,
    pictures: str | None,
    names: tuple[str, ...],
) -> None:
    """List the games that come with dragonrules by kind; `dragonrules run NAME` plays one.

    With --variants, what can be laid over them: the sentence of each variant, its size, what it
    touches, needs and does not go with.
    """
    if variants:
        listed = variants_of(names)
        if style == "json":
            plain = {game: [attrs.asdict(v) for v in found] for game, found in listed.items()}
            click.echo(json.dumps(plain, indent=2))
        elif style == "markdown":
            kept = json.loads(measured.read_text(encoding="utf-8")) if measured is not None else {}
            click.echo(variants_markdown(listed, kept).rstrip("\n"))
        else:
            click.echo(variants_text(listed, pairs))
        return
    found = [game for game in shipped() if not names or game["name"] in names]
    if style == "json":
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo(text(found) if style == "text" else markdown(found, pictures).rstrip("\n"))
