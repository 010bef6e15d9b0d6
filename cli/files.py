"""Which rule files the arguments of a command mean."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ..interpreter.errors import UsageError
from ..interpreter.places_of_specs import find_spec

SUFFIX = ".dragon"


def spec_files(paths: Sequence[str]) -> list[Path]:
    """The rule files that paths, directories, patterns and names of shipped games mean, each once."""
    found: dict[Path, None] = {}
    for given in paths:
        found.update(dict.fromkeys(_files_of(given)))
    return list(found)


def _files_of(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        return _some(sorted(_under(path)), f"there is no {SUFFIX} file in `{given}`")
    if path.exists():
        return [path]
    if glob.has_magic(given):
        hits = [Path(hit) for hit in sorted(glob.glob(given, recursive=True))]
        files = [file for hit in hits for file in (sorted(_under(hit)) if hit.is_dir() else [hit])]
        return _some(files, f"nothing matches `{given}`")
    return [game_file(given)]


def _under(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(root, name) for name in names if name.endswith(SUFFIX))


def _some(files: list[Path], otherwise: str) -> list[Path]:
    if not files:
        raise click.UsageError(otherwise)
    return files


def game_file(given: str) -> Path:
    """One rule file: a path, or the name of a game that ships with dragonrules."""
    try:
        path = find_spec(given)
    except UsageError:
        if not Path(given).is_dir():
            raise
        raise click.UsageError(f"`{given}` is a directory; a {SUFFIX} file is needed") from None
    if not path.is_file():
        raise click.UsageError(f"there is no file `{given}`")
    return path


def companions(game: Path) -> list[Path]:
    """The files of a game's `variants` and `scenarios` folders."""
    return [
        file for name in ("variants", "scenarios") for file in sorted((game.parent / name).glob(f"*{SUFFIX}"))
    ]
