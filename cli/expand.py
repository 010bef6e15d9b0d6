"""`dragonrules expand`: the game that a variant makes, as a rule file of its own.

The text of the base game stays, comments and all. Where the overlay has put
something else into the tree, the text that it was written as, in the variant's
file, takes the place of the old one and is indented to fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs
import click
from attrs import frozen

from ..grammar import Report, Source, Span, format_source, parse, render, syntax
from ..interpreter.errors import SpecError
from ..interpreter.overlay import lay_over, name_of, word_for
from ..interpreter.sources import find_variants, read_source
from .files import game_file
from .helping import examples

EPILOG = examples(
    'dragonrules expand games/drakon.dragon --variant "Heroes!"',
    "dragonrules expand my_game.dragon --variant tonight.dragon > tonight_in_full.dragon",
)


@frozen
class Edit:
    """Text that takes the place of a stretch of the base game."""

    start: int
    end: int
    text: str


def expanded(base: syntax.File, result: syntax.File) -> str:
    """The text of `result`, which came about by laying variants over `base`."""
    old = [d for d in base.decls if not isinstance(d, syntax.Variant)]
    partners, added = _matched(old, list(result.decls))
    edits = [Edit(d.span.start, d.span.end, "") for d in base.decls if isinstance(d, syntax.Variant)]
    for decl, partner in zip(old, partners, strict=True):
        edits += _edits(decl, partner)
    text = base.span.source.text
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return "\n\n".join([text.rstrip(), *(_moved(decl, "") for decl in added)]) + "\n"


def _matched(old: list[Any], new: list[Any]) -> tuple[list[Any], list[Any]]:
    """For each old declaration what became of it (None if removed), and what was added."""
    left = list(new)
    partners: list[Any] = []
    for decl in old:
        same = [d for d in left if d is decl] or [d for d in left if _address(d) == _address(decl)]
        partners.append(same[0] if same else None)
        left = [d for d in left if not same or d is not same[0]]
    return partners, left


def _address(decl: Any) -> tuple[Any, ...]:
    """What tells declarations apart: their name, or where they stand."""
    if isinstance(decl, syntax.EachHas | syntax.EachHasOne | syntax.Scenario | syntax.Demand | syntax.Look):
        return type(decl), decl.span
    if isinstance(decl, syntax.Game):
        return (syntax.Game,)
    return word_for(decl), name_of(decl) if hasattr(decl, "name") else decl.span


def _edits(old: Any, new: Any) -> Iterator[Edit]:
    """What to change in the text of `old` so that it reads as `new`."""
    if old is new:
        return
    if new is None:
        yield Edit(old.span.start, old.span.end, "")
    elif type(old) is not type(new) or old.span != new.span:
        yield Edit(old.span.start, old.span.end, _moved(new, _indent(old.span)))
    else:
        for field in attrs.fields(type(old)):
            before, after = getattr(old, field.name), getattr(new, field.name)
            if isinstance(before, tuple):
                yield from _edits_in_list(before, after)
            elif isinstance(before, syntax.Node):
                yield from _edits(before, after)


def _edits_in_list(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Edit]:
    if len(before) == len(after):
        partners: list[Any] = list(after)
    else:
        partners = [next((n for n in after if n is o or n.span == o.span), None) for o in before]
    for old, new in zip(before, partners, strict=True):
        if isinstance(old, syntax.Node):
            yield from _edits(old, new)


def _moved(node: Any, indent: str) -> str:
    """The text of a part, indented for another place."""
    if isinstance(node, syntax.CountList):
        return " or ".join(node.counts)
    first, *rest = node.span.text.split("\n")
    if isinstance(node, syntax.Place | syntax.State) and node.member is None:
        first = re.sub(
            r"^(\w+\s+)\w+\.", r"\1", first
        )  # `replace place player.purse` goes into the owner's block
    here = _indent(node.span)
    return "\n".join([first, *(indent + line.removeprefix(here) if line.strip() else "" for line in rest)])


def _indent(span: Span) -> str:
    line = span.source.line(span.line)
    return line[: len(line) - len(line.lstrip())]


@click.command("expand", epilog=EPILOG, short_help="Print the game that a variant makes.")
@click.argument("file", metavar="FILE")
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME_OR_FILE", help="A variant to lay over; repeatable."
)
def command(file: str, variants: tuple[str, ...]) -> None:
    """Print the game that variants make of a base game, as a rule file of its own."""
    path = game_file(file)
    report = Report()
    base = parse(read_source(path), report)
    chosen = [decl for name in variants for decl in find_variants(path, name, report)]
    overlays = [d for d in chosen if isinstance(d, syntax.Variant)]
    result = lay_over(base, overlays, report)
    if report.errors:
        raise SpecError(report.errors)
    extra = tuple(d for d in chosen if not isinstance(d, syntax.Variant))
    text = expanded(base, syntax.File((*result.decls, *extra), span=result.span))
    formatted = format_source(Source(f"{path.stem} expanded", text), report)
    if formatted is None:
        click.echo(text)
        raise AssertionError("the expanded game cannot be read:\n" + "\n".join(map(render, report.errors)))
    click.echo(formatted, nl=False)
