"""Finding and reading spec files, and laying variants over a game's syntax tree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ..grammar import Report, Source, did_you_mean, parse, syntax
from .errors import UsageError
from .overlay import lay_over
from .places_of_specs import Pathlike, find_spec


def read_source(path: Path) -> Source:
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise UsageError("D0106", f"there is no file `{path}`") from None
    except IsADirectoryError:
        raise UsageError("D0106", f"`{path}` is a directory") from None
    except UnicodeDecodeError as problem:
        raise UsageError("D0106", f"`{path}` is not UTF-8 text (byte {problem.start})") from None
    except OSError as problem:
        raise UsageError("D0106", f"`{path}` cannot be read: {problem.strerror}") from None
    return Source(str(path), text.replace("\r\n", "\n"))


def find_variants(spec: Path, name: Pathlike, report: Report) -> list[syntax.Decl]:
    """The declarations of a variant file, or of the variant called so beside the game."""
    path = Path(name)
    if path.suffix == ".dragon":
        return list(parse(read_source(path), report).decls)
    folder = spec.parent / "variants"
    for candidate in (folder / f"{spec.stem}_{name}.dragon", folder / f"{name}.dragon"):
        if candidate.exists():
            return list(parse(read_source(candidate), report).decls)
    known: dict[str, syntax.Decl] = {}
    sources = [spec, *sorted(folder.glob("*.dragon"))] if folder.exists() else [spec]
    for file in sources:
        for decl in parse(read_source(file), Report()).decls:
            if isinstance(decl, syntax.Variant) and _base_of(decl) == spec.stem:
                known[str(decl.name)] = decl
    for title, decl in known.items():
        if _slug(title) == _slug(str(name)):
            return [decl]
    raise UsageError(
        "D0606",
        f"there is no variant `{name}` of {spec.stem}",
        did_you_mean(str(name), known) or _list(known),
    )


def _list(known: Iterable[str]) -> str | None:
    names = ", ".join(known)
    return f"known variants: {names}" if names else None


def _base_of(variant: syntax.Variant) -> str:
    return Path(str(variant.base)).stem


def _slug(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


def read_game(path: Path, variants: tuple[str, ...], report: Report) -> syntax.File:
    """The syntax tree of a game with its variants laid over."""
    base = parse(read_source(path), report)
    _is_a_game(base, report)
    overlays: list[syntax.Variant] = []
    extra: list[syntax.Decl] = []
    for name in variants:
        for decl in find_variants(path, name, report):
            if isinstance(decl, syntax.Variant):
                if _base_of(decl) != path.stem:
                    report.add(
                        "D0601", f"this variant is for `{decl.base}`, not for `{path.stem}`", decl.base.span
                    )
                overlays.append(decl)
            elif isinstance(decl, syntax.Game):
                help_line = f'a variant starts with `variant "Name" of {path.stem}:`'
                report.add(
                    "D0601", "this file is a game of its own, not a variant", decl.span, help=help_line
                )
            else:
                extra.append(decl)
    file = lay_over(base, overlays, report)
    return syntax.File((*file.decls, *extra), span=file.span)


def _is_a_game(file: syntax.File, report: Report) -> None:
    """A variant alone cannot be played."""
    variant = next((d for d in file.decls if isinstance(d, syntax.Variant)), None)
    if variant is not None and not any(isinstance(d, syntax.Game) for d in file.decls):
        help_line = f"load `{_base_of(variant)}` and name this file as its variant"
        report.add("D0203", "this is a variant, not a game", variant.name.span, help=help_line)


def digest(file: syntax.File) -> str:
    """A fingerprint of the rules, blind to layout, comments and scenarios."""
    decls = [d for d in file.decls if not isinstance(d, syntax.Scenario | syntax.Look | syntax.LookTable)]
    return hashlib.sha256(repr(decls).encode()).hexdigest()


__all__ = ["Pathlike", "digest", "find_spec", "find_variants", "read_game", "read_source"]
