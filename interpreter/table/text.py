"""Lines of styled text, and how they are set: cut, padded, wrapped, side by side.

A line is a sequence of pieces, each with a style: words such as `bold` and `dim`, and colours
as dress.py names them. Nothing here prints; widths are counted in cells of a terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

Piece = tuple[str, str]


def cells(text: str) -> int:
    """How wide a text is."""
    if text.isascii():
        return len(text)
    return sum(_cells(char) for char in text)


@cache
def _cells(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


class Line:
    """One line: pieces of text with styles. Never changes."""

    __slots__ = ("pieces", "width")

    def __init__(self, *parts: str | Piece | Line) -> None:
        pieces: list[Piece] = []
        for part in parts:
            if isinstance(part, Line):
                pieces += part.pieces
            elif isinstance(part, str):
                pieces.append((part, ""))
            else:
                pieces.append(part)
        self.pieces: tuple[Piece, ...] = tuple(p for p in pieces if p[0])
        self.width = sum(cells(text) for text, _ in self.pieces)

    @property
    def plain(self) -> str:
        return "".join(text for text, _ in self.pieces)

    def __repr__(self) -> str:
        return f"Line({self.plain!r})"

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def styled(self, style: str) -> Line:
        """The same with a style on top."""
        return Line(*((text, f"{own} {style}".strip()) for text, own in self.pieces)) if style else self

    def cut(self, width: int, more: str = "…") -> Line:
        """At most so wide; `more` stands for what is cut off."""
        if self.width <= width:
            return self
        room = max(0, width - cells(more))
        out: list[Piece] = []
        for text, style in self.pieces:
            kept = clipped(text, room)
            out.append((kept, style))
            room -= cells(kept)
            if kept != text:
                break
        return Line(*out, clipped(more, width))

    def pad(self, width: int, where: str = "left") -> Line:
        """Exactly so wide, if it is not wider: spaces behind (`left`), in front (`right`) or around."""
        space = width - self.width
        if space <= 0:
            return self
        before = {"left": 0, "right": space}.get(where, space // 2)
        return Line(" " * before, self, " " * (space - before))

    def wrap(self, width: int, indent: str = "") -> list[Line]:
        """Broken between words; what follows the first line is indented."""
        if self.width <= width:
            return [self]
        lines: list[Line] = []
        now: list[Piece] = []
        used, start = 0, 0
        for word in self._words():
            text = "".join(part for part, _ in word)
            if used + cells(text.rstrip()) > width and used > start:
                lines.append(stripped(Line(*now)))
                now, used = [(indent, "")], cells(indent)
                start = used
            while cells(text) > width - start and width > start + 1:  # wider than all there is
                head = Line(*word).cut(width - used, "")
                lines.append(Line(*now, head))
                word = _behind(word, len(head.plain))
                text = "".join(part for part, _ in word)
                now, used = [(indent, "")], cells(indent)
                start = used
            now += word
            used += cells(text)
        return [*lines, stripped(Line(*now))]

    def _words(self) -> Iterable[list[Piece]]:
        """Words with the blanks behind them; a word may have pieces of several styles."""
        word: list[Piece] = []
        blank = False
        for text, style in self.pieces:
            start = 0
            for at, char in enumerate(text):
                if blank and char != " ":
                    if at > start:
                        word.append((text[start:at], style))
                    yield word
                    word, start = [], at
                blank = char == " "
            word.append((text[start:], style))
        if word:
            yield word


def _behind(word: list[Piece], count: int) -> list[Piece]:
    """What is left of a word without its first characters."""
    out = []
    for text, style in word:
        out.append((text[count:], style))
        count = max(0, count - len(text))
    return out


def clipped(text: str, width: int) -> str:
    """The longest beginning of a text that is not wider."""
    if text.isascii():
        return text[: max(0, width)]
    while cells(text) > width:
        text = text[:-1]
    return text


def joined(parts: Sequence[Line], between: str = ", ") -> Line:
    out: list[str | Line] = []
    for part in parts:
        out += [between, part] if out else [part]
    return Line(*out)


def width_of(lines: Sequence[Line]) -> int:
    return max((line.width for line in lines), default=0)


def beside(left: Sequence[Line], right: Sequence[Line], gap: int = 2) -> list[Line]:
    """Two blocks side by side, both from the top."""
    wide = width_of(left) + gap
    height = max(len(left), len(right))
    out = []
    for row in range(height):
        a = left[row] if row < len(left) else Line()
        out.append(Line(a.pad(wide), right[row]) if row < len(right) and right[row] else a)
    return out


def in_columns(entries: Sequence[Line], width: int, *, down: int | None = None, gap: int = 2) -> list[Line]:
    """Entries in columns, read downwards: one under the other if there is room for it, `down` to a column."""
    if not entries:
        return []
    widest = min(width, width_of(entries))
    most = max(1, (width + gap) // (widest + gap))
    height = len(entries) if down is None or len(entries) <= down else max(down, -(-len(entries) // most))
    columns = [entries[at : at + height] for at in range(0, len(entries), height)]
    out = []
    for row in range(height):
        cols = [column[row].cut(width).pad(widest + gap) for column in columns if row < len(column)]
        line = Line(*cols)
        out.append(Line(*line.pieces).cut(width) if line.width <= width else stripped(line).cut(width))
    return [stripped(line) for line in out]


def stripped(line: Line) -> Line:
    """Without blanks at the end."""
    pieces = list(line.pieces)
    while pieces and not pieces[-1][0].rstrip(" "):
        pieces.pop()
    if pieces:
        pieces[-1] = (pieces[-1][0].rstrip(" "), pieces[-1][1])
    return Line(*pieces)
