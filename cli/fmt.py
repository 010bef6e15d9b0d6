"""`dragonrules fmt`: rule files in the canonical layout."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

from ..grammar import Report, Source, format_source, render
from ..interpreter.errors import UsageError
from ..interpreter.sources import read_source
from .files import spec_files
from .helping import examples, plural

EPILOG = examples(
    "dragonrules fmt my_game.dragon",
    "dragonrules fmt --check games",
    "dragonrules fmt --diff my_game.dragon",
    "dragonrules fmt - < my_game.dragon",
)


@click.command("fmt", epilog=EPILOG, short_help="Lay rule files out in the canonical form.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; print what would change.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], check: bool, diff: bool) -> None:
    """Lay rule files out in the canonical form, in place.

    Only white space changes. A file with syntax errors is left alone. `-` reads
    standard input and writes standard output.
    """
    if paths == ("-",):
        ctx.exit(_pass_through())
    outcomes = [_format(path, write=not (check or diff), diff=diff) for path in spec_files(paths)]
    changed, broken = outcomes.count("changed"), outcomes.count("broken")
    fine = len(outcomes) - changed - broken
    verb = "would change" if check or diff else "changed"
    counts = [f"{plural(changed, 'file')} {verb}"] if changed else []
    counts += [f"{plural(broken, 'file')} cannot be read"] if broken else []
    counts += [f"{plural(fine, 'file')} fine as {'it is' if fine == 1 else 'they are'}"] if fine else []
    click.echo(", ".join(counts), err=True)
    ctx.exit(int(broken > 0 or ((check or diff) and changed > 0)))


def _pass_through() -> int:
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8 text") from None
    report = Report()
    formatted = format_source(Source("<stdin>", text.replace("\r\n", "\n")), report)
    if formatted is None:
        for diagnostic in report.errors:
            click.echo(render(diagnostic), err=True)
        return 1
    click.echo(formatted, nl=False)
    return 0


def _format(path: Path, *, write: bool, diff: bool) -> str:
    report = Report()
    try:
        source = read_source(path)
    except UsageError as problem:
        click.echo(str(problem), err=True)
        return "broken"
    formatted = format_source(source, report)
    if formatted is None:
        for diagnostic in report.errors:
            click.echo(render(diagnostic), err=True)
        return "broken"
    if formatted.encode() == path.read_bytes():
        return "same"
    if diff:
        _show_difference(path, source.text, formatted)
    elif not write:
        click.echo(f"would change {path}")
    if write:
        path.write_text(formatted, encoding="utf-8", newline="\n")
        click.echo(f"changed {path}")
    return "changed"


def _show_difference(path: Path, before: str, after: str) -> None:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{path} (as it is)",
        f"{path} (canonical)",
    )
    for line in lines:
        click.echo(line if line.endswith("\n") else f"{line}\n\\ no newline at end of file\n", nl=False)
