"""Reading spec files, and what of their trees the rules depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from ...grammar import Report, Source, did_you_mean, syntax
from ..core.bar_tables import split_row
from ..core.errors import UsageError
from .find_specs import Pathlike, find_spec, shipped_games
from .find_variants import base_file, same_file
from .texts import bytes_of

Reader = Callable[[Path], syntax.File]
"""Gives the tree of a file."""


def read_source(path: Path) -> Source:
    try:
        raw = bytes_of(path, to_parse=True)
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


def is_a_game(path: Path, read: Reader, report: Report) -> bool:
    """Reports a variant that leads to no game: one alone cannot be played."""
    way: list[tuple[Path, syntax.Variant]] = []
    while True:
        decls = read(path).decls
        variant = next((d for d in decls if isinstance(d, syntax.Variant)), None)
        if variant is None or any(isinstance(d, syntax.Game) for d in decls):
            return not way
        way.append((path, variant))
        base = base_file(path, str(variant.base))
        if base is None:
            _nowhere(path, variant, report)
            return False
        lower = next((v for file, v in way if same_file(file, base)), None)
        if lower is not None:
            message = f'"{variant.name}" builds on "{lower.name}", which builds on it'
            related = [(lower.base.span, f'what "{lower.name}" builds on')]
            report.add("D0608", message, variant.base.span, related=related)
            return False
        path = base


def _nowhere(path: Path, variant: syntax.Variant, report: Report) -> None:
    base = str(variant.base)
    if Path(base).stem == path.stem:
        help_line = f"is the file of the game called `{path.name}` too? Give this one another name"
        report.add("D0608", f'"{variant.name}" builds on itself', variant.base.span, help=help_line)
    else:
        message = f"there is no game `{base}` beside this file, above it or among those shipped"
        report.add("D0707", message, variant.base.span, help=did_you_mean(base, shipped_games()))


def digest(file: syntax.File) -> str:
    """A fingerprint of the rules, blind to layout, comments, docs, cites and scenarios."""
    decls = [essence(d) for d in file.decls if not is_dress(d)]
    return hashlib.sha256(repr(decls).encode()).hexdigest()


def is_dress(decl: syntax.Decl) -> bool:
    """Scenarios and looks: beside the rules, not part of them."""
    return isinstance(decl, syntax.Scenario) or type(decl).__name__.startswith("Look")


def essence(node: Any) -> Any:
    """What of a part of the tree the rules depend on."""
    if isinstance(node, tuple):
        return tuple(map(essence, node))
    if not isinstance(node, syntax.Node):
        return None if node is None else str(node)
    parts: list[Any] = [type(node).__name__]
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        if field.name == "rows":
            parts += [tuple(" ".join(cell.text.split()) for cell in split_row(row)) for row in value]
        elif field.name not in ("span", "cite", "doc"):
            parts.append(essence(value))
    return tuple(parts)


__all__ = [
    "Pathlike",
    "digest",
    "find_spec",
    "is_a_game",
    "read_source",
]
