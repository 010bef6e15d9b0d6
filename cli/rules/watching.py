"""Something done again whenever rule files are saved, until somebody presses Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

EVERY = 0.2
"""Seconds between two looks at the files."""


def at_each_save(files: Sequence[Path], look: Callable[[], object]) -> None:
    """Look at once, and again when one of the files, or one beside or above that it may build on, was saved."""
    seen: dict[Path, tuple[int, int]] = {}
    names = ", ".join(path.name for path in files[:3]) + (", ..." if len(files) > 3 else "")
    try:
        while True:
            now = _stamps(files)
            if now != seen:
                if seen:
                    click.echo(f"\n== {names}, {time.strftime('%H:%M:%S')}")
                seen = now
                look()
            time.sleep(EVERY)
    except KeyboardInterrupt:
        click.echo()


def _stamps(files: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """When the files, and those around them, were saved."""
    around = {folder for file in files for folder in (file.parent, file.parent.parent)}
    out = {}
    for file in {*files, *(found for folder in around for found in folder.glob("*.dragon"))}:
        try:
            found = file.stat()
        except OSError:
            continue
        out[file] = (found.st_mtime_ns, found.st_size)
    return out
