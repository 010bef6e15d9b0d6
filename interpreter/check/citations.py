"""Citations: which items of a rulebook the parts of a spec refer to, as in `[DRA-31, DRA-40..42]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs

from ...grammar import Span, Word, syntax
from ..core.work import TooMuch

MOST_ITEMS = 10_000


def cited(node: Any) -> dict[str, Span]:
    """The items cited anywhere in a part of the tree, ranges written out, with the first place of each."""
    found: dict[str, Span] = {}
    for cite in _cites(node):
        if _length(cite) > MOST_ITEMS:
            raise TooMuch(f"this cites more than {MOST_ITEMS:,} items", cite.span)
        for item in items(cite):
            found.setdefault(item, cite.span)
    return found


def _cites(node: Any) -> Iterator[Word]:
    if isinstance(node, tuple):
        for part in node:
            yield from _cites(part)
    elif isinstance(node, syntax.Node):
        cite = getattr(node, "cite", None)
        if cite is not None:
            yield cite
        for field in attrs.fields(type(node)):
            yield from _cites(getattr(node, field.name))


def _length(cite: str) -> int:
    """How many items the ranges of a citation have."""
    return sum(
        int(last) - int(first) + 1 for first, last in re.findall(r"(\d{1,4000})\.\.(\d{1,4000})", cite)
    )


def items(cite: str) -> list[str]:
    """`[DRA-31, DRA-40..42]` as its four items."""
    out = []
    for part in cite.strip("[]").split(","):
        match = re.fullmatch(r"(.*?)(\d+)\.\.(\d+)", part.strip())
        if match is None:
            out.append(part.strip())
        else:
            prefix, first, last = match.groups()
            out += [f"{prefix}{number:0{len(first)}d}" for number in range(int(first), int(last) + 1)]
    return out
