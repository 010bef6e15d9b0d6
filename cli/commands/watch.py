"""`dragonrules watch`: at each save the findings, the scenarios and what a variant changes, again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import click

from ...interpreter.core.errors import DragonError
from ..options.helping import examples
from ..rules.files import spec_files

EPILOG = examples("dragonrules watch my_variant.dragon", "dragonrules watch --once games/drakon.dragon")
EVERY = 0.2
"""Seconds between two looks at the files."""


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
    seen: dict[Path, tuple[int, int]] = {}
    while True:
        now = _stamps(path)
        if now != seen:
            if seen:
                click.echo(f"\n== {path.name}, {time.strftime('%H:%M:%S')}")
            seen = now
            good = look(path)
            if once:
                ctx.exit(int(not good))
        time.sleep(EVERY)


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


def _stamps(path: Path) -> dict[Path, tuple[int, int]]:
    """Of the file and of those around it that it may build on, when they were saved."""
    out = {}
    for file in {path, *path.parent.glob("*.dragon"), *path.parent.parent.glob("*.dragon")}:
        try:
            found = file.stat()
        except OSError:
            continue
        out[file] = (found.st_mtime_ns, found.st_size)
    return out
