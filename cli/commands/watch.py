"""`dragonrules watch`: at each save the findings, the scenarios and what a variant changes, again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from ...interpreter.core.errors import DragonError
from ..options.helping import examples
from ..rules.files import spec_files
from ..rules.watching import at_each_save

EPILOG = examples("dragonrules watch my_variant.dragon", "dragonrules watch --once games/drakon.dragon")


@click.command("watch", epilog=EPILOG, short_help="Check, test and compare again at each save.")
@click.argument("file", metavar="FILE")
@click.option("--once", is_flag=True, help="Look once and stop, as after one save.")
@click.pass_context
def command(ctx: click.Context, file: str, once: bool) -> None:
    """Look at a rule file again whenever it, or a file it builds on, is saved.

    Findings come first, as `validate` tells them. A file without errors is
    tested, and of a variant it is told what it changes. Ctrl-C ends it.
    """
    (path,) = spec_files((file,))[:1] or (Path(file),)
    if once:
        ctx.exit(int(not look(path)))
    at_each_save([path], lambda: look(path))


def look(path: Path) -> bool:
    """One look at a file: is everything in order?"""
    from ...interpreter.rule_sets import Library
    from ..formats.diagnostics import as_text
    from ..rules.findings import findings

    try:
        found = findings([path], 1, Library())
        as_text(found)
        if found.count("error"):
            return False
        tested = _asked(lambda: _test(path))
        _asked(lambda: _differences(path))
        return tested
    except DragonError as problem:
        click.echo(str(problem), err=True)
        return False


def _asked(work: Callable[[], bool]) -> bool:
    """Another command's work, whose exit ends it alone."""
    try:
        return work()
    except click.exceptions.Exit as done:
        return done.exit_code == 0
    except SystemExit as done:
        return not done.code


def _test(path: Path) -> bool:
    from .test import command as test

    test.main([str(path)], standalone_mode=False)
    return True


def _differences(path: Path) -> bool:
    from ...interpreter.driver import DRIVER
    from .diff import command as diff

    for variant in DRIVER.parsed(path).variants:
        diff.main([str(variant.base), str(path)], standalone_mode=False)
    return True
