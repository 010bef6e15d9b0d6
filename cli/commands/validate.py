"""`dragonrules validate`: every diagnostic of rule files, for people, programs and code review."""

from __future__ import annotations

from pathlib import Path

import click

from ..formats.diagnostics import FORMATS
from ..options.helping import examples
from ..options.rule_set import rule_options
from ..rules.files import spec_files
from ..rules.findings import findings

EPILOG = examples(
    "dragonrules validate my_game.dragon",
    'dragonrules validate --strict games "house_rules/*.dragon"',
    'dragonrules validate drakon --variant "Heroes!" --variant tonight.dragon --set goal=12',
    "dragonrules validate --fix my_game.dragon",
    "dragonrules validate --watch my_game.dragon",
    "dragonrules validate --format github games",
    "dragonrules validate --format sarif . > rules.sarif",
)


@click.command("validate", epilog=EPILOG, short_help="Find every mistake in rule files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@rule_options
@click.option(
    "--format", "style", type=click.Choice(list(FORMATS)), default="text", help="How to print what is found."
)
@click.option("--fix", is_flag=True, help="Make the fixes that are safe, then say what is left.")
@click.option("--diff", is_flag=True, help="With --fix: show what would change, and change nothing.")
@click.option("--watch", is_flag=True, help="Look again at each save, until Ctrl-C.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to use; all processors otherwise.",
)
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    variants: tuple[str, ...],
    options: dict[str, str],
    style: str,
    fix: bool,
    diff: bool,
    watch: bool,
    strict: bool,
    jobs: int | None,
) -> None:
    """Find every mistake in rule files, directories and patterns.

    A file that holds a variant or scenarios is checked on top of the game that it
    names, which is looked for beside it, in the folder above, and among the games
    that come with dragonrules. With --variant or --set, each game is checked with
    these variants over it, all at once, and with these options.

    Errors keep a game from being played; warnings and notes do not. A comment on
    the line, or alone on the line above, allows one warning or note:
    `# allow D0503: both only add gold`. With --fix, what is surely meant is written
    into the files: a name with one like it, a missing colon, a word of another
    language. Exit code 1 if there is an error, with
    --strict also if there is a warning.
    """
    if watch and fix:
        raise click.UsageError("--watch does not go with --fix")
    if diff and not fix:
        raise click.UsageError("--diff goes with --fix")
    if fix:
        if variants or options:
            raise click.UsageError("--fix works on files as they are, without --variant and --set")
        ctx.exit(_fix(spec_files(paths), style, diff=diff, strict=strict))

    def look() -> bool:
        library = None
        if variants or options:
            from ...interpreter.rule_sets import library_for

            library = library_for(variants, options)
        found = findings(spec_files(paths), jobs, library)
        FORMATS[style](found)
        return not found.failed(strict=strict)

    if watch:
        from ..rules.watching import at_each_save

        at_each_save(spec_files(paths), look)
    else:
        ctx.exit(int(not look()))


def _fix(files: list[Path], style: str, *, diff: bool, strict: bool) -> int:
    from ..rules.fixing import difference, mended, write

    done = mended(files)
    if diff:
        click.echo(difference(done.texts), nl=False)
        return int(bool(done.texts))
    write(done.texts)
    for path in done.texts:
        click.echo(f"fixed {path}", err=True)
    FORMATS[style](done.left)
    return int(done.left.failed(strict=strict))
