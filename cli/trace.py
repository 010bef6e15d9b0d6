"""`dragonrules trace`: which item of a rulebook is cited by which rule and scenario, and which by none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from attrs import Factory, define

from ..grammar import Span, render, syntax
from ..interpreter.citations import cited
from ..interpreter.citations import items as items_of
from ..interpreter.overlay import name_of, word_for
from .files import companions, game_file
from .helping import examples, plural
from .specs import Library

EPILOG = examples(
    "dragonrules trace games/drakon.dragon --inventory rules/drakon.md",
    "dragonrules trace my_game.dragon --inventory items.md --format json",
)

_ITEM = re.compile(r"\|\s*[*`]*([A-Z][A-Z0-9]*-?\d+)[*`]*\s*\|(.*)")


@define
class Item:
    """An item of the inventory, with the names and places of what cites it."""

    id: str
    text: str
    rules: dict[str, Span] = Factory(dict)
    scenarios: dict[str, Span] = Factory(dict)


def read_inventory(path: Path) -> dict[str, Item]:
    """The items of a Markdown file: table rows whose first cell is `DK-12`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise click.UsageError(f"`{path}` is not UTF-8 text") from None
    items: dict[str, Item] = {}
    for line in text.splitlines():
        found = _ITEM.match(line.strip())
        if found:
            items.setdefault(found[1], Item(found[1], found[2].split("|")[0].strip()))
    if not items:
        raise click.UsageError(
            f"`{path}` lists no items; a line of it reads like `| DK-12 | what the rule says |`"
        )
    return items


def parts(library: Library, game: Path) -> Iterator[tuple[str, syntax.Node]]:
    """Every declaration of a game, its variants and its scenario files, with the name to show."""
    for file in (game, *companions(game)):
        here = library.parsed(file)
        variants = [v for v in here.variants if Path(str(v.base)).stem == game.stem]
        if file == game or variants or any(r.base == game for r in library.rule_sets(file)):
            for decl in here.others:
                yield _title(decl), decl
        for variant in variants:
            yield f'variant "{variant.name}"', variant
            for item in variant.items:
                inner = item.decl if isinstance(item, syntax.Replace) else item
                yield f'{_title(inner)} of "{variant.name}"', inner


def _title(node: Any) -> str:
    if isinstance(node, syntax.Scenario):
        return str(node.title)
    if isinstance(node, syntax.EachHas | syntax.EachHasOne):
        return f"each {node.owner}"
    word = word_for(node)
    name = name_of(node) if hasattr(node, "name") else ""
    return f"{word} {name}".strip()


def citations(library: Library, game: Path, items: dict[str, Item]) -> dict[str, list[str]]:
    """Fill in who cites the items; returns the cited items that the inventory does not have, with places."""
    unknown: dict[str, list[str]] = {}
    for title, node in parts(library, game):
        if isinstance(node, syntax.Variant):  # its header alone: what it holds comes by itself
            found = dict.fromkeys(items_of(node.cite), node.span) if node.cite else {}
        else:
            found = cited(node)
        for item, span in found.items():
            if item not in items:
                unknown.setdefault(item, []).append(str(span))
            elif isinstance(node, syntax.Scenario):
                items[item].scenarios.setdefault(title, span)
            else:
                items[item].rules.setdefault(title, span)
    return unknown


@click.command("trace", epilog=EPILOG, short_help="Compare a rulebook's items with what cites them.")
@click.argument("file", metavar="FILE")
@click.option(
    "--inventory",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A Markdown file with a table row `| DK-12 | ... |` for each item.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the answer."
)
@click.pass_context
def command(ctx: click.Context, file: str, inventory: Path, style: str) -> None:
    """Compare the items of a rulebook with the rules and scenarios that cite them.

    Looks through the game, the variants in its file, and the files in the folders
    `variants` and `scenarios` beside it that build on it. Exit code 1 if an item
    is cited by no rule or by no scenario, or if something cites an unknown item.
    """
    game = game_file(file)
    items = read_inventory(inventory)
    library = Library()
    wrong = [d for rules in library.family(game) for d in rules.report.errors]
    for diagnostic in wrong:
        click.echo(render(diagnostic), err=True)
    if wrong:
        ctx.exit(1)
    unknown = citations(library, game, items)
    if style == "json":
        click.echo(json.dumps(_document(items, unknown), indent=2))
    else:
        _print(items, unknown)
    ctx.exit(int(bool(unknown) or any(not i.rules or not i.scenarios for i in items.values())))


def _document(items: dict[str, Item], unknown: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "items": {
            i.id: {
                "rules": {title: str(span) for title, span in i.rules.items()},
                "scenarios": {title: str(span) for title, span in i.scenarios.items()},
            }
            for i in items.values()
        },
        "without_rule": [i.id for i in items.values() if not i.rules],
        "without_scenario": [i.id for i in items.values() if not i.scenarios],
        "unknown": unknown,
    }


def _print(items: dict[str, Item], unknown: dict[str, list[str]]) -> None:
    for words, missing in (
        ("cited by no rule", [i for i in items.values() if not i.rules]),
        ("cited by no scenario", [i for i in items.values() if not i.scenarios]),
    ):
        if missing:
            click.echo(f"{words}:")
            for item in missing:
                text = item.text if len(item.text) <= 80 else item.text[:77] + "..."
                click.echo(f"  {item.id:<8} {text}")
            click.echo()
    if unknown:
        click.echo("cited, but not in the inventory:")
        for item_id, places in unknown.items():
            click.echo(f"  {item_id:<8} {', '.join(places)}")
        click.echo()
    with_rule = sum(bool(i.rules) for i in items.values())
    with_scenario = sum(bool(i.scenarios) for i in items.values())
    click.echo(
        f"{plural(len(items), 'item')}: {with_rule} cited by a rule, {with_scenario} by a scenario"
        + (f"; {plural(len(unknown), 'unknown item')} cited" if unknown else "")
    )
