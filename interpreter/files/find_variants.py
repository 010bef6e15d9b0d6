"""Where variants and what they build on are found; no parsing, and only headers are read.

One way for all who name a variant: `of`, `needs`, `after` and `excludes` in a rule file,
`--variant` and `+` on the command line. A path is a path. Any other name is the title of a
variant or the name of its file, with or without that of the game in front. It is looked for
beside the file that says it, in `variants` there, in the folder above and in `variants` there;
for a name from the command line, in the folder where the command runs; beside the game; and
among those that ship with dragonrules. The nearest wins. A base goes by the name of its file
or by its title, so a copy of a game keeps its variants.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from ...grammar import did_you_mean
from ..core.errors import UsageError
from .find_specs import SUFFIX, Pathlike, find_spec, shipped_folders, shipped_games
from .texts import bytes_of, is_file, rule_files, same_file

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_GAME = re.compile(rf"^\ufeff?game\s+({_STRING})", re.MULTILINE)
_VARIANT = re.compile(
    rf"^\ufeff?variant\s+({_STRING})\s+of\s+({_STRING}|\w+)((?:{_STRING}|[^\"\n#])*)", re.MULTILINE
)
_CLAUSE = re.compile(rf"\b(needs|after|excludes)\s+({_STRING}(?:\s*,\s*{_STRING})*)|{_STRING}")

Found = tuple[Path, str | None]
"""A file; and the title of the variant in it, when it was found by that."""


@frozen
class Header:
    """The first line of a variant, as far as others need to know it."""

    title: str
    base: str
    needs: tuple[str, ...] = ()


# ---------------------------------------------------------------- headers
def headers_of(path: Path) -> list[Header]:
    """The headers of the variants in a file, as they are written."""
    return [
        Header(_unquoted(found[1]), _unquoted(found[2]), tuple(_needed(found[3])))
        for found in _VARIANT.finditer(_text(path))
    ]


def _needed(rest: str) -> Iterator[str]:
    for clause in _CLAUSE.finditer(rest):
        if clause[1] == "needs":
            yield from map(_unquoted, re.findall(_STRING, clause[2]))


def _unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\") if text.startswith('"') else text


def bases_of(path: Path) -> list[str]:
    """What the variants in a file build on; nothing for the file of a game."""
    return [] if _GAME.search(_text(path)) else [header.base for header in headers_of(path)]


def _title_of(game: Path) -> str:
    found = _GAME.search(_text(game))
    return _unquoted(found[1]) if found else ""


def _text(path: Path) -> str:
    try:
        return bytes_of(path).decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def alike(a: str, b: str) -> bool:
    """The same name, however it is spelt."""
    return _slug(a) == _slug(b)


def _slug(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


# ---------------------------------------------------------------- variants of a game
def known_variants(game: Path) -> dict[str, Path]:
    """The variants of a game, in its file, beside it and among those shipped: titles and files."""
    out: dict[str, Path] = {}
    folders = dict.fromkeys((game.parent / "variants", *_shipped_variants()))
    for file in (game, *(f for folder in folders for f in rule_files(folder, SUFFIX))):
        for header in headers_of(file):
            if _is_of(file, header.base, game):
                out.setdefault(header.title, file)
    return out


def find_variant(game: Path, name: str, beside: Path | None = None) -> Found:
    """A variant of a game, as somebody names it; in a rule file (`beside`) or elsewhere."""
    if Path(name).suffix == SUFFIX:
        near = None if beside is None else beside.parent / name
        return (near if near is not None and is_file(near) else Path(name)), None
    found = next(_named(game, name, beside), None)
    if found is not None:
        return found
    known = known_variants(game)
    names = ", ".join(known)
    raise UsageError(
        "D0606",
        f"there is no variant `{name}` of {game.stem}",
        did_you_mean(name, known) or (f"known variants: {names}" if names else None),
    )


def _named(game: Path, name: str, beside: Path | None) -> Iterator[Found]:
    """Nearest first."""
    if beside is not None:
        yield from _titled(beside, name, game)
    yield from _titled(game, name, game)
    for folder in dict.fromkeys(_folders(game, beside)):
        for candidate in (folder / f"{game.stem}_{name}{SUFFIX}", folder / f"{name}{SUFFIX}"):
            if is_file(candidate) and any(_is_of(candidate, base, game) for base in bases_of(candidate)):
                yield candidate, None
        for file in rule_files(folder, SUFFIX):
            if not _GAME.search(_text(file)):
                yield from _titled(file, name, game)


def _titled(file: Path, name: str, game: Path) -> Iterator[Found]:
    for header in headers_of(file):
        if alike(header.title, name) and _is_of(file, header.base, game):
            yield file, header.title


def _folders(game: Path, beside: Path | None) -> Iterator[Path]:
    if beside is not None:
        yield from _around(beside)
    else:
        yield from (Path(), Path("variants"))
    yield from (game.parent / "variants", game.parent)
    yield from _shipped_variants()


def _around(file: Path) -> Iterator[Path]:
    above = Path(os.path.normpath(file.parent / ".."))
    yield from (file.parent, file.parent / "variants", above, above / "variants")


def _shipped_variants() -> Iterator[Path]:
    return (folder / "variants" for folder in shipped_folders().values())


def _is_of(file: Path, base: str, game: Path, seen: tuple[Path, ...] = ()) -> bool:
    """Does a variant in a file that builds on `base` belong to a game?"""
    if is_name_of(base, game) or same_file(file, game):
        return True
    lower = base_of(file, base)
    if lower is None or any(same_file(lower[0], other) for other in seen):
        return False
    below = [h.base for h in headers_of(lower[0]) if lower[1] in (None, h.title)]
    return same_file(lower[0], game) or any(_is_of(lower[0], b, game, (*seen, file)) for b in below)


def is_name_of(base: str, game: Path) -> bool:
    """Does a variant that builds on `base` mean this game? It goes by its file or by its title."""
    stem = Path(base).stem if base.endswith(SUFFIX) else base
    return stem == game.stem or alike(base, _title_of(game) or game.stem)


# ---------------------------------------------------------------- what a file builds on
def base_of(path: Path, name: str) -> Found | None:
    """What a variant in `path` builds on: a game or another variant, the nearest of that name."""
    given = Path(name)
    above = Path(os.path.normpath(path.parent / ".."))
    for folder in (path.parent, above):
        for candidate in (folder / given, folder / f"{given.stem}{SUFFIX}"):
            if candidate.suffix == SUFFIX and is_file(candidate) and not same_file(candidate, path):
                return Path(os.path.normpath(candidate)), None
    found = _shipped_game(name if given.suffix != SUFFIX else given.stem)
    if found is not None and not same_file(found, path):
        return found, None
    return next(_variants_called(path, name), None)


def base_file(path: Path, name: str) -> Path | None:
    found = base_of(path, name)
    return None if found is None else found[0]


def _shipped_game(name: str) -> Path | None:
    for game in shipped_games():
        if game == name or alike(game, name):
            return find_spec(game)
    return None


def _variants_called(path: Path, name: str) -> Iterator[Found]:
    """Variants by title or by the name of their file, whatever their game."""
    stem = Path(name).stem if name.endswith(SUFFIX) else name
    for header in headers_of(path):
        if alike(header.title, name) and not alike(header.base, name):
            yield path, header.title
    for folder in dict.fromkeys((*_around(path), *_shipped_variants())):
        for file in rule_files(folder, SUFFIX):
            if same_file(file, path):
                continue
            if file.stem == stem and headers_of(file):
                yield file, None
            for header in headers_of(file):
                if alike(header.title, name):
                    yield file, header.title


def whose(path: Path, variants: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """The game that a file is about, and the variants over it: the file of a variant may stand for both.

    A variant without a game, or one that builds on itself, stays what it is:
    whoever reads it complains.
    """
    here, seen = path, [path]
    while bases := bases_of(here):
        lower = [base_file(here, base) for base in bases]
        others = [base for base in lower if base is not None and not same_file(base, here)]
        if not others or any(same_file(others[0], file) for file in seen):
            return path, variants
        here = others[0]
        seen.append(here)
    return (path, variants) if here == path else (here, (str(path), *variants))


# ---------------------------------------------------------------- all the files of a rule set
def needed_files(game: Path, variants: tuple[str, ...]) -> list[Path]:
    """The files that make up a game with these variants: these, what they build on and what they need."""
    out: dict[Path, None] = {game: None}

    def add(file: Path) -> None:
        if file in out:
            return
        out[file] = None
        is_game = bool(_GAME.search(_text(file)))
        for header in headers_of(file):
            base = None if is_game else base_file(file, header.base)
            if base is not None and not is_name_of(header.base, game):
                add(base)
            for name in header.needs:
                with suppress(UsageError):  # whoever lays it over complains
                    add(find_variant(game, name, file)[0])

    for name in variants:
        add(find_variant(game, name)[0])
    return list(out)


def files_of(spec: Pathlike, variants: tuple[str, ...]) -> list[Path]:
    """Every file that may have a say in a game with these variants."""
    path, chosen = whose(find_spec(spec), variants)
    return needed_files(path, chosen)


def companions(game: Path) -> list[Path]:
    """The files of a game's `variants` and `scenarios` folders."""
    return [file for name in ("variants", "scenarios") for file in rule_files(game.parent / name, SUFFIX)]


__all__ = [
    "Header",
    "alike",
    "base_file",
    "base_of",
    "bases_of",
    "companions",
    "files_of",
    "find_variant",
    "headers_of",
    "is_name_of",
    "known_variants",
    "needed_files",
    "same_file",
    "whose",
]
