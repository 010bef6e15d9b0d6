"""`dragonrules rulebook`: a rulebook for players, made from the rules."""

from __future__ import annotations

from pathlib import Path

import attrs
import click

from ...interpreter.check.options import option_values
from ...interpreter.core import CheckedGame, Const
from ...interpreter.core.errors import SpecError
from ...interpreter.files.find_variants import companions, same_file
from ...interpreter.rule_sets import Library, RuleSet
from ...interpreter.rulebook import Book, VariantRules, to_html, to_markdown, write_book
from ..formats.output import write_text
from ..options.helping import examples
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    "dragonrules rulebook drakon -o drakon.html",
    "dragonrules rulebook my_game.dragon > my_game.md",
    'dragonrules rulebook drakon --variant "Heroes!" --set goal=8 -o tonight.html',
)


def book_of(path: Path, *, with_variants: bool = True) -> Book:
    """The rulebook of a game file, with a section for each of its variants."""
    library = Library()
    sets = library.rule_sets(path)
    base = next(rules for rules in sets if not rules.variants)
    variants = []
    if with_variants:
        files = [file for file in companions(path) if file.parent.name == "variants"]
        for rules in [*sets, *(r for file in files for r in library.rule_sets(file))]:
            found = [v for v in library.parsed(rules.path).variants if rules.variants[-1:] == (str(v.name),)]
            if found and same_file(rules.base, path):
                variants.append(VariantRules(found[0], _checked(rules)))
    return write_book(_checked(base), variants)


def _checked(rules: RuleSet) -> CheckedGame:
    if rules.checked is None:
        raise SpecError(rules.report.errors)
    return rules.checked


def book_of_choice(choice: Choice) -> Book:
    """The rulebook of the game that variants and options make."""
    game = choice.load()
    checked = attrs.evolve(game.checked, options=dict(game.checked.options))
    given = option_values(checked, choice.options)
    for name in choice.options:
        decl = checked.options[name]
        default = Const(decl.type, decl.span, given[name])
        checked.options[name] = attrs.evolve(decl, default=default)
    book = write_book(checked)
    names = variant_titles(choice)
    if names:
        book.lead += f" With {', '.join(names)}."
    return book


def variant_titles(choice: Choice) -> list[str]:
    """The variants of a choice by their names, also where their files were given."""
    library = Library()
    out: list[str] = []
    for given in choice.all_variants:
        file = Path(given)
        out += [str(v.name) for v in library.parsed(file).variants] if file.is_file() else [given]
    return out


@click.command("rulebook", epilog=EPILOG, short_help="Write a rulebook for players.")
@game_options
@click.option(
    "--format",
    "style",
    type=click.Choice(["markdown", "html"]),
    help="How to write it; the ending of the output file decides if nothing is said.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("--alone", is_flag=True, help="Leave the variants out.")
def command(choice: Choice, style: str | None, output: Path | None, alone: bool) -> None:
    """Write a rulebook for players, made from the rules.

    Tells what is in the box, how to set up, what players do and what happens
    then, how the game ends, what the words mean, and what each variant changes.
    The sentences come from the docs, names, prompts and reasons in the rule file
    and from its `look ... says` lines; the rest is put into words statement by
    statement, so nothing of the rules is left out.

    With `--variant` or `--set` it is the rulebook of exactly these rules.
    """
    if choice.all_variants or choice.options:
        book = book_of_choice(choice)
    else:
        book = book_of(choice.path, with_variants=not alone)
    if style is None:
        style = "html" if output is not None and output.suffix in (".html", ".htm") else "markdown"
    write_text(to_html(book) if style == "html" else to_markdown(book), output)
