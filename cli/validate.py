"""`dragonrules validate`: every diagnostic of rule files, for people, programs and code review."""

from __future__ import annotations

from pathlib import Path

import click

from ..grammar import Diagnostic
from .diagnostics import FORMATS
from .files import spec_files
from .helping import examples
from .specs import Library

EPILOG = examples(
    "dragonrules validate my_game.dragon",
    'dragonrules validate --strict games "house_rules/*.dragon"',
    "dragonrules validate --format github games",
)


Key = tuple[str, str, int, str]
UNUSED = "D0403"


def diagnostics_of(paths: tuple[str, ...]) -> tuple[list[Diagnostic], int]:
    """What is wrong with the rule files, and how many there are.

    A variant is checked as a whole game; of the game it builds on only errors are
    told, unless that file was asked for too.
    """
    library = Library()
    files = spec_files(paths)
    found: dict[Key, Diagnostic] = {}
    for file in files:
        told: dict[Key, Diagnostic] = {}
        for rules in library.rule_sets(file):
            _ = rules.checked
            told |= rules.report.found
        used = _used_elsewhere(library, file) if any(key[0] == UNUSED for key in told) else set()
        for key, diagnostic in told.items():
            own = diagnostic.span.source.name == str(file)
            if diagnostic.severity == "error" or (own and key not in used):
                found.setdefault(key, diagnostic)
    return sorted(found.values(), key=Diagnostic.sort_key), len(files)


def _used_elsewhere(library: Library, file: Path) -> set[Key]:
    """What is unused in the game by itself, but used by a variant of it."""
    sets = [rules for rules in library.family(file) if rules.checked is not None]
    unused = [{key for key in rules.report.found if key[0] == UNUSED} for rules in sets]
    return {
        key for keys in unused for key in keys if key[1] == str(file) and not all(key in k for k in unused)
    }


@click.command("validate", epilog=EPILOG, short_help="Find every mistake in rule files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format", "style", type=click.Choice(list(FORMATS)), default="text", help="How to print what is found."
)
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], style: str, strict: bool) -> None:
    """Find every mistake in rule files, directories and patterns.

    A file that holds a variant or scenarios is checked on top of the game that it
    names, which is looked for beside it, in the folder above, and among the games
    that come with dragonrules. Exit code 1 if there is an error.
    """
    found, files = diagnostics_of(paths)
    FORMATS[style](found, files)
    ctx.exit(int(any(strict or d.severity == "error" for d in found)))
