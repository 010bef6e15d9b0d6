"""`dragonrules rulebook`: a rulebook for players, made from the rules."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import attrs
import click

from ...interpreter.check.options import option_values
from ...interpreter.core import CheckedGame, Const
from ...interpreter.core.errors import DragonError, SpecError
from ...interpreter.files.find_variants import companions, headers_of, is_name_of, same_file
from ...interpreter.loading import load
from ...interpreter.play.game import Game
from ...interpreter.primer import book_to_learn
from ...interpreter.primer.staging import EXAMPLES
from ...interpreter.rule_sets import Library, RuleSet
from ...interpreter.rulebook import Book, VariantRules, to_html, to_markdown, write_book
from ...interpreter.rulebook.document import Picture
from ..formats.output import write_text
from ..options.helping import examples
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    "dragonrules rulebook drakon -o drakon.html",
    "dragonrules rulebook my_game.dragon > my_game.md",
    'dragonrules rulebook drakon --variant "Heroes!" --set goal=8 -o tonight.html',
)


def book_of(path: Path, *, with_variants: bool = True, exactly: bool = False) -> Book:
    """The rulebook of a game file, with a section for each of its variants; `exactly`: the exact rules alone."""
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
    if exactly:
        return write_book(_checked(base), variants)
    return book_to_learn(load(path), variants, _shown(path))


def _shown(path: Path, variants: Sequence[str] = ()) -> list[Game]:
    """The game with each variant whose scenarios are the book's examples; those that do not go with the
    variants chosen are left out."""
    out = []
    for file in companions(path):
        if any(h.title == EXAMPLES and is_name_of(h.base, path) for h in headers_of(file)):
            with suppress(DragonError):
                out.append(load(path, variants=[*variants, str(file)]))
    return out


def _checked(rules: RuleSet) -> CheckedGame:
    if rules.checked is None:
        raise SpecError(rules.report.errors)
    return rules.checked


def book_of_choice(choice: Choice, *, exactly: bool = False) -> Book:
    """The rulebook of the game that variants and options make."""
    game = choice.load()
    checked = attrs.evolve(game.checked, options=dict(game.checked.options))
    given = option_values(checked, choice.options)
    for name in choice.options:
        decl = checked.options[name]
        default = Const(decl.type, decl.span, given[name])
        checked.options[name] = attrs.evolve(decl, default=default)
    if exactly:
        book = write_book(checked)
    else:
        game.checked = checked
        book = book_to_learn(game, (), _shown(choice.path, choice.all_variants))
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
    help="How to write it; default: by the ending of the output file.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("--alone", is_flag=True, help="Leave the variants out.")
@click.option("--exact", is_flag=True, help="Only the exact rules, without the part to learn from.")
def command(choice: Choice, style: str | None, output: Path | None, alone: bool, exact: bool) -> None:
    """Write a rulebook for players, made from the rules.

    First comes what one needs to play: the pieces, how to set up with a picture
    of the table, what you do in a turn, the tiles one by one, the end, and
    examples. The words are the docs of the rule file; the examples are the
    scenarios of a variant called "Examples". Behind it stand the exact rules,
    put into words statement by statement, so that nothing is left out: folded
    away in HTML, where only the first part is printed.

    In Markdown, pictures are files in a folder beside the page; on standard
    output there are none.

    With `--variant` or `--set` it is the rulebook of exactly these rules.
    """
    if choice.all_variants or choice.options:
        book = book_of_choice(choice, exactly=exact)
    else:
        book = book_of(choice.path, with_variants=not alone, exactly=exact)
    if style is None:
        style = "html" if output is not None and output.suffix in (".html", ".htm") else "markdown"
    if style == "html":
        write_text(to_html(book), output)
    else:
        write_text(to_markdown(book, None if output is None else _Beside(output).write), output)


class _Beside:
    """The folder for the pictures of a page: `drakon.md` has them in `drakon`."""

    def __init__(self, page: Path) -> None:
        self.folder = page.parent / page.stem

    def write(self, picture: Picture) -> str:
        self.folder.mkdir(exist_ok=True)
        file = self.folder / f"{picture.name}.svg"
        file.write_text(f"{picture.drawing}\n", encoding="utf-8", newline="\n")
        return f"{self.folder.name}/{picture.name}.svg"
