"""`dragonrules fmt`: rule files in the canonical layout."""

from __future__ import annotations

import difflib
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path

import click
from attrs import frozen

from ...grammar import Report, Source, render
from ...interpreter.core.errors import UsageError
from ...interpreter.files import cache
from ..formats import colours
from ..options.helping import examples, plural
from ..rules.files import spec_files
from ..rules.parallel import in_processes, workers_for

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
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to use; all processors otherwise.",
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], check: bool, diff: bool, jobs: int | None) -> None:
    """Lay rule files out in the canonical form, in place.

    Only white space changes. A file with syntax errors is left alone. `-` reads
    standard input and writes standard output.
    """
    if paths == ("-",):
        ctx.exit(_pass_through())
    work = partial(_format, write=not (check or diff), diff=diff)
    known: list[Path] = []
    files: list[Path] = []
    for file in spec_files(paths):
        (known if _is_formatted(file) else files).append(file)
    workers = workers_for(len(files), jobs)
    results = in_processes(work, files, workers) if workers > 1 else map(work, files)
    outcomes = ["same"] * len(known)
    for result in results:
        outcomes.append(result.outcome)
        _print(result)
    changed, broken = outcomes.count("changed"), outcomes.count("broken")
    fine = len(outcomes) - changed - broken
    verb = "would change" if check or diff else "changed"
    counts = [f"{plural(changed, 'file')} {verb}"] if changed else []
    counts += [f"{plural(broken, 'file')} cannot be read"] if broken else []
    counts += [f"{plural(fine, 'file')} already formatted"] if fine else []
    click.echo(", ".join(counts), err=True)
    ctx.exit(int(broken > 0 or ((check or diff) and changed > 0)))


def _pass_through() -> int:
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8 text") from None
    from ...grammar import format_source

    report = Report()
    formatted = format_source(Source("<stdin>", text.replace("\r\n", "\n")), report)
    if formatted is None:
        for diagnostic in report.errors:
            click.echo(render(diagnostic), err=True)
        return 1
    click.echo(formatted, nl=False)
    return 0


@frozen
class Result:
    """What became of a file: `same`, `changed` or `broken`; what to say about it, and where."""

    outcome: str
    told: str = ""
    problems: tuple[str, ...] = ()


def _canonical(text: bytes) -> tuple[str, str]:
    """The key under which it is kept that a text is as it should be."""
    return ("formatted", sha256(text).hexdigest())


def _is_formatted(path: Path) -> bool:
    """Is it known from an earlier run that there is nothing to do?"""
    try:
        return cache.known(_canonical(path.read_bytes())) is True
    except OSError:
        return False


def _format(path: Path, *, write: bool, diff: bool) -> Result:
    from ...grammar import format_source  # late: it brings the parser along
    from ...interpreter.files.sources import read_source

    report = Report()
    try:
        source = read_source(path)
    except UsageError as problem:
        return Result("broken", problems=(str(problem),))
    formatted = format_source(source, report)
    if formatted is None:
        return Result("broken", problems=tuple(render(diagnostic) for diagnostic in report.errors))
    cache.keep(_canonical(formatted.encode()), True)
    if formatted.encode() == path.read_bytes():
        return Result("same")
    if write:
        path.write_text(formatted, encoding="utf-8", newline="\n")
        return Result("changed", f"changed {path}\n")
    return Result("changed", _difference(path, source.text, formatted) if diff else f"would change {path}\n")


def _difference(path: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{path} (as it is)",
        f"{path} (canonical)",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ no newline at end of file\n" for line in lines
    )


def _print(result: Result) -> None:
    for problem in result.problems:
        click.echo(problem, err=True)
    paint = colours.paint if colours.wanted() else colours.plain
    for line in result.told.splitlines(keepends=True):
        role = {"+": "added", "-": "removed", "@": "gutter"}.get(line[0], "")
        colours.tell(paint(role, line.rstrip("\n")))
