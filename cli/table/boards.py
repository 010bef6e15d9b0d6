"""Boards, rings and tiles as text.

A board is drawn north up, in the largest of several manners that fits: tiles in
frames that are open where an exit leads out, two lines a space, one line a
space. The numbers of options stand on the spaces that they mean. What does not
fit at all is shown in part, with a note of what was left out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from attrs import Factory, define

from ...interpreter.table.dress import Glyphs
from ...interpreter.table.text import Line, cells, clipped, joined

Spot = tuple[int, int]
FRESH = "bold reverse"
MARK = "bold green"


@define
class Cell:
    """What one space of a board shows."""

    words: str = ""
    short: str = ""
    symbol: str = ""
    style: str = ""
    ways: frozenset[int] | None = None  # N E S W from 0; None: no tile with exits
    guests: list[Line] = Factory(list)
    notes: list[str] = Factory(list)
    mark: str = ""
    fresh: bool = False
    mine: bool = False  # the player's own piece stands there

    @property
    def named_style(self) -> str:
        return f"{self.style} {FRESH}".strip() if self.fresh else self.style


@define
class Board:
    """A board ready to be drawn: its cells, and the columns and rows with what they are called."""

    cells: dict[Spot, Cell]
    columns: list[tuple[int, str]]
    rows: list[int]  # from the top
    glyphs: Glyphs
    plain: bool = False  # no styles: what is fresh gets a star
    framed: bool = False  # things with words on them, which look well in frames

    @property
    def margin(self) -> int:
        """Room for the numbers of rows."""
        return max((len(str(y)) for y in self.rows), default=1) + 1

    @property
    def tiled(self) -> bool:
        """Is it made of tiles with exits?"""
        return any(cell.ways is not None for cell in self.cells.values())

    def drawn(self, margin: int, wide: int, height: int) -> list[Line]:
        """With tiles of a given size."""
        return self._drawn(margin, wide, height, self._tile)

    def manners(self, width: int) -> Iterator[list[Line]]:
        """Drawings, from the largest to the smallest, none wider than `width` if that can be. Of a board of tiles
        there may be none: then a window shows it (windows.py)."""
        count = max(1, len(self.columns))
        margin = self.margin
        room = (width - margin) // count
        if self.tiled:
            for height, widest in ((5, 15), (4, 13), (3, 13)):
                if room >= 9:
                    yield self._drawn(margin, min(widest, room), height, self._tile)
        else:
            if self.framed and room >= 9:
                wide = min(max(9, _needed(self.cells, 2) + 2), room)
                yield self._drawn(margin, wide, 4, self._tile)
            longest = max((cells(c.words) + cells(c.mark) for c in self.cells.values()), default=1)
            for height in (2,) if self.framed else (3, 2):
                if room >= 8 and longest > 9 - height:
                    yield self._drawn(
                        margin, min(max(9, _needed(self.cells, height) + 1), room), height, self._text
                    )
            wanted = max((self._line(cell, 99).width for cell in self.cells.values()), default=1) + 1
            yield self._drawn(margin, max(2, min(wanted, room)), 1, self._brief)
            yield self._part(margin, width)

    def _drawn(self, margin: int, wide: int, height: int, draw: object) -> list[Line]:
        assert callable(draw)
        out = []
        for y in self.rows:
            drawn = [draw(self.cells.get((x, y)), wide, height) for x, _ in self.columns]
            for n in range(height):
                number = str(y) if n == height // 2 else ""
                out.append(Line((f"{number:>{margin - 1}} ", "dim"), *(tile[n].pad(wide) for tile in drawn)))
        names = Line(
            " " * margin,
            *(Line((name, "dim")).pad(wide, "middle" if height > 1 else "left") for _, name in self.columns),
        )
        return [_trim(line) for line in [*out, names]]

    def _part(self, margin: int, width: int) -> list[Line]:
        """The columns around what matters, where not all of them fit."""
        wide = 6
        fitting = max(1, (width - margin) // wide)
        first = self.columns[0][0] if self.columns else 0
        start, left = _window([x - first for x in self._focus(0)], len(self.columns), fitting)
        part = Board(self.cells, self.columns[start : start + fitting], self.rows, self.glyphs, self.plain)
        note = [Line((f"and {left} more columns", "dim"))] if left else []
        return [*part._drawn(margin, wide, 1, part._brief), *note]

    def window(self, width: int, height: int) -> list[Line]:
        """As many rows as there is room for, around what matters."""
        fitting = max(1, height - 2)
        top = self.rows[0] if self.rows else 0
        start, left = _window([top - y for y in self._focus(1)], len(self.rows), fitting)
        part = Board(self.cells, self.columns, self.rows[start : start + fitting], self.glyphs, self.plain)
        *_, drawn = part.manners(width)
        return [*drawn, Line((f"and {left} more rows: `look` shows them", "dim"))][:height] if left else drawn

    def _focus(self, axis: int) -> list[int]:
        """Where somebody's eyes should be: at what can be chosen, else at what stands there or is new."""
        marked = [spot[axis] for spot, cell in self.cells.items() if cell.mark]
        return marked or [spot[axis] for spot, cell in self.cells.items() if cell.fresh or cell.guests]

    # ------------------------------------------------------------ one space
    def _empty(self, cell: Cell | None, width: int, height: int) -> list[Line]:
        """A space with nothing on it: a dot, the number of the option that means it, who stands there."""
        parts: list[Line] = []
        if cell is not None and cell.mark:
            parts.append(Line((f"[{cell.mark}]", MARK)))
        if cell is not None and cell.guests:
            parts.append(_guests(cell, width))
        what = joined(parts, " ").cut(width, "") if parts else Line((self.glyphs.empty, "dim"))
        blank = Line(" " * width)
        return [blank] * (height // 2) + [what.pad(width, "middle")] + [blank] * (height - height // 2 - 1)

    def _tile(self, cell: Cell | None, width: int, height: int) -> list[Line]:
        """A frame that is open where an exit leads out."""
        if cell is None or not (cell.words or cell.ways is not None):
            return self._empty(cell, width, height)
        g, inner = self.glyphs, width - 2
        edge = cell.named_style if cell.fresh and not cell.words else cell.style
        ways = cell.ways or frozenset()
        lines = height - 2
        guests = _guests(cell, inner)
        body = self._body(cell, inner, lines, guests)
        star = "*" if cell.fresh and self.plain else ""
        corner = f"[{cell.mark}]" if cell.mark else star
        top = _edge(g, g.exits[0] if 0 in ways else "", inner, corner, edge, upper=True)
        low = _edge(g, g.exits[2] if 2 in ways else "", inner, "", edge, upper=False)
        if lines == 1 and guests:
            low = self._low_with(guests, 2 in ways, inner, edge)
        out = [top]
        for n, text in enumerate(body):
            west, east = (
                ((g.exits[3] if 3 in ways else g.frame[5]), (g.exits[1] if 1 in ways else g.frame[5]))
                if n == len(body) // 2
                else (g.frame[5], g.frame[5])
            )
            out.append(Line((west, edge), text.pad(inner, "middle"), (east, edge)))
        return [*out, low]

    def _low_with(self, guests: Line, south: bool, inner: int, edge: str) -> Line:
        """The lower edge with who stands on the tile."""
        f = self.glyphs.frame
        shown = guests.cut(inner - 1, "+")
        line = [f[4]] * inner
        way = max((inner - 1) // 2, shown.width)
        if south:
            line[way] = self.glyphs.exits[2]
        return Line((f[3], edge), shown, ("".join(line[shown.width :]) + f[2], edge))

    def _body(self, cell: Cell, inner: int, lines: int, guests: Line) -> list[Line]:
        """The lines inside a frame: name, notes, guests."""
        seated = [guests] if guests and lines > 1 else []
        notes = [Line((note, "italic")).cut(inner, self.glyphs.more) for note in cell.notes][
            : max(0, lines - 1 - len(seated))
        ]
        room = lines - len(seated) - len(notes)
        text = _wrapped(cell.words, inner, room) or _wrapped(cell.short, inner, room)
        named = text if text is not None else [clipped(cell.short, inner)]
        out = [Line((word, cell.named_style)) for word in named] + notes
        return out + [Line()] * (lines - len(out) - len(seated)) + seated

    def _text(self, cell: Cell | None, width: int, height: int) -> list[Line]:
        """Two or three lines of words without a frame."""
        if cell is None or not (cell.words or cell.guests):
            return self._empty(cell, width, height)
        inner = width - 1
        mark = f"[{cell.mark}]" if cell.mark else "*" if cell.fresh and self.plain else ""
        guests = _guests(cell, inner)
        room = height - (1 if guests and cell.words else 0)
        text = _wrapped(f"{mark}{cell.words}", inner, room) if cell.words else []
        if text is None:
            text = _wrapped(f"{mark}{cell.short}", inner, room) or [clipped(f"{mark}{cell.short}", inner)]
        out = [Line((word, cell.named_style)) for word in text]
        if mark and out:
            out[0] = Line((mark, MARK), (text[0][len(mark) :], cell.named_style))
        if guests:
            out.append(Line((mark, MARK), guests) if not cell.words else guests)
        return [*out, *[Line()] * (height - len(out))][:height]

    def _brief(self, cell: Cell | None, width: int, height: int) -> list[Line]:
        return [self._line(cell, width - 1)]

    def _line(self, cell: Cell | None, width: int) -> Line:
        """A space in one line: its mark, its symbol or words, its exits, its guests."""
        if cell is None or not (cell.words or cell.guests or cell.mark or cell.ways is not None):
            return Line((self.glyphs.empty, "dim"))
        mark = Line((f"[{cell.mark}]", MARK)) if cell.mark else Line("*" if cell.fresh and self.plain else "")
        if cell.ways is not None:
            arrows = "".join(self.glyphs.arrows[2 * way] for way in sorted(cell.ways))
            if arrows.isalpha():
                arrows = f":{arrows}"
            guests = joined(cell.guests, "") if cell.guests else Line()
            room = max(1, width - mark.width - cells(arrows) - guests.width)
            name = next((n for n in (cell.words, cell.short) if cells(n) <= room), clipped(cell.symbol, room))
            line = Line(mark, (name, cell.named_style), (arrows, "bold"), guests)
            if line.width > width and guests:  # who stands there matters more than where one can go
                line = Line(mark, (name, cell.named_style), guests)
            return line.cut(width, "")
        guests = joined(cell.guests, "/") if cell.guests else Line()
        for name in (cell.words, cell.short, cell.symbol):
            between = "/" if name and guests else ""
            line = Line(mark, (name, cell.named_style), between, guests)
            if line.width <= width:
                return line
        return line.cut(width, "")


def ring(spaces: Sequence[Cell], width: int, glyphs: Glyphs, plain: bool) -> Iterator[list[Line]]:
    """Spaces in a circle: above from left to right, below back again; or as a list."""
    half = -(-len(spaces) // 2)
    wide = min(22, width // max(1, half))
    if wide >= 11:
        for height in (5, 4):
            rows = []
            for numbers in (range(half), range(len(spaces) - 1, half - 1, -1)):
                boxes = [_box(spaces[n], n + 1, wide, height, glyphs, plain) for n in numbers]
                indent = (wide * (half - len(boxes))) // 2
                rows += [Line(" " * indent, *(box[line] for box in boxes)) for line in range(height)]
            yield rows
    entries = []
    for number, cell in enumerate(spaces, start=1):
        mark = Line((f"[{cell.mark}]", MARK)) if cell.mark else Line((f"{number:>3}", "dim"))
        notes = f" ({', '.join(cell.notes)})" if cell.notes else ""
        guests = Line(" ", _guests(cell, 99)) if cell.guests else Line()
        star = "*" if cell.fresh and plain else ""
        entries.append(Line(mark, " ", star, (cell.words or glyphs.empty, cell.named_style), notes, guests))
    from ...interpreter.table.text import in_columns

    yield [line.cut(width, glyphs.more) for line in in_columns(entries, width, down=3)]


def _box(cell: Cell, number: int, wide: int, height: int, glyphs: Glyphs, plain: bool) -> list[Line]:
    """A space of a ring as a box: number, name, notes and guests."""
    inner = wide - 2
    star = "*" if cell.fresh and plain else ""
    corner = f"[{cell.mark}]" if cell.mark else f"{number}{star}"
    body: list[Line] = []
    guests = _guests(cell, inner)
    room = height - 2 - bool(guests)
    named = (
        _wrapped(cell.words, inner, room) or _wrapped(cell.short, inner, room) or [clipped(cell.short, inner)]
    )
    body += [Line((word, cell.named_style)) for word in named if word]
    body += [Line((note, "italic")).cut(inner, glyphs.more) for note in cell.notes][: room - len(body)]
    body += [guests] if guests else []
    body += [Line()] * (height - 2 - len(body))
    v = glyphs.frame[5]
    return [
        _edge(glyphs, "", inner, corner, cell.style, upper=True),
        *(Line((v, cell.style), line.pad(inner, "middle"), (v, cell.style)) for line in body[: height - 2]),
        _edge(glyphs, "", inner, "", cell.style, upper=False),
    ]


def card(
    title: Line, body: Sequence[Line], width: int, height: int, glyphs: Glyphs, style: str, mark: str = ""
) -> list[Line]:
    """A card with a title in its frame and lines under it; so high, or as high as it must be."""
    inner = width - 2
    corner = f"[{mark}]" if mark else ""
    shown = title.cut(inner - cells(corner) - 2, glyphs.more)
    f = glyphs.frame
    rest = inner - cells(corner) - shown.width - 1
    top = Line((f[0], style), (corner, MARK), (f[4], style), shown, (f[4] * max(0, rest) + f[1], style))
    lines = [line.cut(inner, glyphs.more) for line in body][: max(0, height - 2)]
    lines += [Line()] * (height - 2 - len(lines))
    middle = [Line((f[5], style), line.pad(inner), (f[5], style)) for line in lines]
    return [top, *middle, Line((f[3] + f[4] * inner + f[2], style))]


def _window(wanted: list[int], count: int, fitting: int) -> tuple[int, int]:
    """Where a window of `fitting` out of `count` starts, and how many are left out."""
    if fitting >= count:
        return 0, 0
    middle = sum(wanted) // len(wanted) if wanted else count // 2
    return max(0, min(count - fitting, middle - fitting // 2)), count - fitting


# ---------------------------------------------------------------- parts of tiles
def _edge(glyphs: Glyphs, way: str, inner: int, corner: str, style: str, *, upper: bool) -> Line:
    left, right = (glyphs.frame[0], glyphs.frame[1]) if upper else (glyphs.frame[3], glyphs.frame[2])
    bar = glyphs.frame[4]
    if way:
        before = (inner - 1) // 2
        line = bar * before + way + bar * (inner - before - 1)
    else:
        line = bar * inner
    marked = corner.startswith("[")
    corner = clipped(corner, inner)
    return Line((left, style), (corner, MARK if marked else "dim"), (line[cells(corner) :] + right, style))


def _guests(cell: Cell, width: int) -> Line:
    """Who stands there, as words if they fit and else as symbols."""
    line = joined(cell.guests, " ")
    if line.width <= width:
        return line
    return joined(cell.guests, "").cut(width, "+")


def _wrapped(text: str, width: int, lines: int) -> list[str] | None:
    """The words in at most so many lines; None if they do not fit."""
    if lines < 1:
        return None
    out = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return out if len(out) <= lines and all(cells(line) <= width for line in out) else None


def _needed(found: Mapping[Spot, Cell], height: int) -> int:
    """How wide spaces must be so that all words fit into so many lines."""
    for width in range(6, 24):
        if all(
            _wrapped(f"[{c.mark}]{c.words}" if c.mark else c.words, width, height - bool(c.guests))
            is not None
            for c in found.values()
            if c.words
        ):
            return width
    return 24


def _trim(line: Line) -> Line:
    from ...interpreter.table.text import stripped

    return stripped(line)
