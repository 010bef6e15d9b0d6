"""Which rule files the arguments of a command mean."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ...interpreter.core.errors import UsageError
from ...interpreter.files.find_specs import find_spec

SUFFIX = ".dragon"


def spec_files(paths: Sequence[str]) -> list[Path]:
    """The rule files that paths, directories, patterns and names of shipped games mean, each once,
    by whatever ways it can be reached."""
    found: dict[object, Path] = {}
    for given in paths:
        for file in _files_of(given):
            found.setdefault(_identity(file), file)
    return list(found.values())


def _identity(path: Path) -> object:
    """What tells files apart, however they are called."""
    try:
        stat = path.stat()
    except OSError:
        return path
    return stat.st_dev, stat.st_ino


def _files_of(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        return _some(sorted(_under(path)), f"there is no {SUFFIX} file in `{given}`")
    if path.is_file() or path.is_relative_to("/dev"):
        return [path]
    if path.exists():  # a pipe that nobody writes to would keep us waiting
        raise click.UsageError(f"`{given}` is not a file with text")
    if glob.has_magic(given):
        return _some(list(_matching(given)), f"nothing matches `{given}`")
    return [game_file(given)]


def _matching(pattern: str) -> Iterator[Path]:
    """What a pattern means. `**` is not left to the standard library, which would follow links
    that lead in circles."""
    start, deep, _ = pattern.partition("**")
    if not deep:
        for hit in map(Path, sorted(glob.glob(pattern))):
            yield from sorted(_under(hit)) if hit.is_dir() else [hit]
        return
    wanted = re.compile(_as_expression(pattern))
    for folder in sorted(glob.glob(os.path.dirname(start) or os.curdir)):
        for file in sorted(_under(Path(folder))):
            if wanted.fullmatch(file.as_posix()) or wanted.fullmatch(f"./{file.as_posix()}"):
                yield file


def _as_expression(pattern: str) -> str:
    """A pattern of paths as a regular expression."""
    out = ""
    for part in re.findall(r"\*\*/|\*+|\?|\[!?\]?[^\]]*\]|.", Path(pattern).as_posix()):
        if part == "**/":
            out += "(?:.*/)?"
        elif part[0] == "*":
            out += ".*" if len(part) > 1 else "[^/]*"
        elif part == "?":
            out += "[^/]"
        elif part[0] == "[" and len(part) > 1:
            out += part.replace("[!", "[^", 1)
        else:
            out += re.escape(part)
    return out


def _under(folder: Path) -> Iterator[Path]:
    """The rule files in a folder and below it. Links are followed, into each folder once."""
    seen: set[object] = set()

    def refuse(problem: OSError) -> None:
        raise click.UsageError(f"the directory `{problem.filename}` cannot be read: {problem.strerror}")

    for root, folders, names in os.walk(folder, followlinks=True, onerror=refuse):
        here = _identity(Path(root))
        if here in seen:
            folders.clear()
            continue
        seen.add(here)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            path = Path(root, name)
            if name.endswith(SUFFIX) and not name.startswith(".") and (path.is_file() or path.is_symlink()):
                yield path


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
