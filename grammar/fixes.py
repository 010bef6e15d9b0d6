"""Fixes: what to write instead, as data. Made where the help line is made, carried by the diagnostic.

A help line that names the very text to write is a `Help`: it knows what it stands in the place of.
`safe` says that it may be done without asking: there is one candidate, and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from .spans import Source, Span


@frozen
class Edit:
    """This text in the place of a stretch of another."""

    span: Span
    text: str


@frozen
class Fix:
    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


class Help(str):
    """A help line whose advice can be taken: write `instead`, for `of` or for the whole stretch."""

    instead: str
    of: str
    safe: bool

    def __new__(cls, line: str, instead: str, of: str = "", safe: bool = True) -> Help:
        made = super().__new__(cls, line)
        made.instead, made.of, made.safe = instead, of, safe
        return made

    def __getnewargs__(self) -> tuple[str, str, str, bool]:  # type: ignore[override]
        return str(self), self.instead, self.of, self.safe

    def fix(self, span: Span) -> Fix | None:
        """The advice taken at a place; None if what it speaks of does not stand there just once."""
        of = self.of or span.text
        found = (
            [m.start() for m in re.finditer(rf"(?<!\w){re.escape(of)}(?!\w)", span.text)] if self.of else [0]
        )
        if len(found) != 1 or not of:
            return None
        start = span.start + found[0]
        edit = Edit(Span(span.source, start, start + len(of)), self.instead)
        return Fix(f"change `{of}` to `{self.instead}`", (edit,), self.safe)


def write(instead: str, of: str = "", more: str = "") -> Help:
    """The help line that says what to write."""
    return Help(f"write `{instead}`{more}", instead, of)


def apply(source: Source, fixes: Iterable[Fix]) -> str:
    """A text with fixes made in it, first come first served: one that touches what another has touched waits."""
    done: list[Edit] = []
    for fix in fixes:
        edits = [edit for edit in fix.edits if edit.span.source.name == source.name]
        if len(edits) == len(fix.edits) and not any(_meet(a, b) for a in edits for b in done):
            done += edits
    text = source.text
    for edit in sorted(done, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _meet(a: Edit, b: Edit) -> bool:
    return a.span.start < max(b.span.end, b.span.start + 1) and b.span.start < max(
        a.span.end, a.span.start + 1
    )
