"""Where things stand in a source text: `Source`, `Span` and `Word`."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from attrs import frozen

UNSHOWN = (
    "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffd-\\uffff"
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069"
)
"""Control characters, and the marks that turn the direction of writing around, as a set of a regular expression:
with those a line shows something else than it says."""


@frozen
class Source:
    """A text with the name it is shown by in messages."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its newline."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@frozen
class Span:
    """A stretch of a source: offsets from `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The stretch from here to the end of `other`."""
        return Span(self.source, self.start, other.end)

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


class Word(str):
    """A word of the source that remembers where it stands."""

    span: Span

    def __new__(cls, text: str, span: Span) -> Word:
        word = super().__new__(cls, text)
        word.span = span
        return word

    def __reduce__(self) -> tuple[object, ...]:
        return Word, (str(self), self.span)
