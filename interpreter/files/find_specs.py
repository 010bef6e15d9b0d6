"""Where specs and variants are found; no parsing, and only headers are read."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from os import PathLike
from pathlib import Path

from ...grammar import did_you_mean
from ..core.errors import UsageError
from .texts import bytes_of, is_file, rule_files, same_file

Pathlike = str | PathLike[str]
SUFFIX = ".dragon"

_GAME = re.compile(r'^\ufeff?game\s+"', re.MULTILINE)
_VARIANT = re.compile(r'^\ufeff?variant\s+"((?:[^"\\\n]|\\.)*)"\s+of\s+(?:"([^"\n]*)"|(\w+))', re.MULTILINE)


def find_spec(name: Pathlike) -> Path:
    """A path as it is, or the name of a game that ships with dragonrules."""
    path = Path(name)
    if path.suffix == SUFFIX or is_file(path):
        return path
    for folder in shipped_folders().values():
        candidate = folder / f"{path.name}{SUFFIX}"
        if candidate.exists():
            return candidate
    raise UsageError("D0707", f"there is no game `{name}`", did_you_mean(str(name), shipped_games()))


def shipped() -> Path:
    """The folder of the games that come with dragonrules."""
    return Path(str(files("dragonrules.games")))


def shipped_games() -> list[str]:
    return [p.stem for folder in shipped_folders().values() for p in sorted(folder.glob(f"*{SUFFIX}"))]


def shipped_folders() -> dict[str, Path]:
    """The folders of the games that come with dragonrules, by the kind of game that lies there."""
    games = shipped()
    library = sorted(folder for folder in (games / "library").glob("*") if folder.is_dir())
    return {"dragons": games, "classics": games / "classics", **{folder.name: folder for folder in library}}


# ---------------------------------------------------------------- variants and their bases
def headers_of(path: Path) -> list[tuple[str, str]]:
    """Title and base of the variants in a file, as they write it."""
    return [
        (found[1].replace('\\"', '"').replace("\\\\", "\\"), found[2] or found[3])
        for found in _VARIANT.finditer(_text(path))
    ]


def bases_of(path: Path) -> list[str]:
    """What the variants in a file build on; nothing for the file of a game."""
    return [] if _GAME.search(_text(path)) else [base for _, base in headers_of(path)]


def _text(path: Path) -> str:
    try:
        return bytes_of(path).decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def known_variants(game: Path) -> dict[str, Path]:
    """The variants of a game, in its file and in the folder beside it: titles and files."""
    out: dict[str, Path] = {}
    for file in (game, *rule_files(game.parent / "variants", SUFFIX)):
        for title, base in headers_of(file):
            if file == game or Path(base).stem == game.stem or same_file(whose(file, ())[0], game):
                out.setdefault(title, file)
    return out


def find_variant(game: Path, name: str) -> tuple[Path, str | None]:
    """The file of a variant; and its title, when it was found by that."""
    if Path(name).suffix == SUFFIX:
        return Path(name), None
    folder = game.parent / "variants"
    for candidate in (folder / f"{game.stem}_{name}{SUFFIX}", folder / f"{name}{SUFFIX}"):
        if is_file(candidate):
            return candidate, None
    known = known_variants(game)
    for title, file in known.items():
        if _slug(title) == _slug(name):
            return file, title
    names = ", ".join(known)
    raise UsageError(
        "D0606",
        f"there is no variant `{name}` of {game.stem}",
        did_you_mean(name, known) or (f"known variants: {names}" if names else None),
    )


def _slug(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


def base_file(path: Path, name: str) -> Path | None:
    """The file that a variant in `path` builds on: beside it, in the folder above, or shipped."""
    given = Path(name)
    above = Path(os.path.normpath(path.parent / ".."))
    for folder in (path.parent, above):
        for candidate in (folder / given, folder / f"{given.stem}{SUFFIX}"):
            if candidate.suffix == SUFFIX and is_file(candidate) and not same_file(candidate, path):
                return Path(os.path.normpath(candidate))
    try:
        found = find_spec(given.stem)
    except UsageError:
        return None
    return found if is_file(found) and not same_file(found, path) else None


def whose(path: Path, variants: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """The game that a file is about, and the variants over it: the file of a variant may stand for both.

    A variant without a game, or one that builds on itself, stays what it is:
    whoever reads it complains.
    """
    here, seen = path, [path]
    while bases := bases_of(here):
        base = base_file(here, bases[0])
        if base is None or any(same_file(base, file) for file in seen):
            return path, variants
        here = base
        seen.append(here)
    return (path, variants) if here == path else (here, (str(path), *variants))


def files_of(spec: Pathlike, variants: tuple[str, ...]) -> list[Path]:
    """Every file that may have a say in a game with these variants."""
    path, chosen = whose(find_spec(spec), variants)
    out = {path: None}
    folder = path.parent / "variants"
    for name in chosen:
        if Path(name).suffix == SUFFIX:
            here: Path | None = Path(name)
            while here is not None and here not in out:
                out[here] = None
                bases = bases_of(here)
                here = base_file(here, bases[0]) if bases else None
        else:
            out |= dict.fromkeys(rule_files(folder, SUFFIX))
    return list(out)


def companions(game: Path) -> list[Path]:
    """The files of a game's `variants` and `scenarios` folders."""
    return [file for name in ("variants", "scenarios") for file in rule_files(game.parent / name, SUFFIX)]


__all__ = [
    "SUFFIX",
    "Pathlike",
    "base_file",
    "bases_of",
    "companions",
    "files_of",
    "find_spec",
    "find_variant",
    "headers_of",
    "known_variants",
    "same_file",
    "shipped_folders",
    "shipped_games",
    "whose",
]
