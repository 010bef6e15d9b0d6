"""Reading bar tables: `rows` of a component and `table`s, cell by cell with spans."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from ...grammar import Report, Span, Word, did_you_mean
from . import value_types as t

_NUMBER = re.compile(r"-?[0-9]{1,9}")

Kinds = dict[str, tuple[str, ...]]


@frozen
class Cell:
    text: str
    span: Span

    def part(self, text: str) -> Cell:
        """A word of the cell, with its own place."""
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self.text)
        if found is None or self.span.text != self.text:
            return Cell(text, self.span)
        start = self.span.start + found.start()
        return Cell(text, Span(self.span.source, start, start + len(text)))


class MadeRow(Word):
    """A row that a variant has changed: its cells stand in different places.

    `claims` tells which variant has changed which column, and where it says so.
    """

    spans: list[Span]
    claims: dict[str, Any]

    def __new__(cls, text: str, span: Span, spans: list[Span], claims: dict[str, Any]) -> MadeRow:
        row = super().__new__(cls, text, span)
        assert isinstance(row, MadeRow)
        row.spans = spans
        row.claims = claims
        return row


def split_row(row: Word) -> list[Cell]:
    """The cells of `| a | b |`."""
    if isinstance(row, MadeRow):
        texts = [part.strip() for part in row.strip()[1:-1].split("|")]
        return [Cell(text, span) for text, span in zip(texts, row.spans, strict=True)]
    cells = []
    start = 1
    body = row.rstrip()
    body = body.split("#")[0].rstrip() if "#" in body else body
    end = len(body) - 1 if body.endswith("|") and len(body) > 1 else len(body)
    position = start
    for part in body[start:end].split("|"):
        text = part.strip()
        offset = position + (len(part) - len(part.lstrip()) if text else 0)
        where = Span(row.span.source, row.span.start + offset, row.span.start + offset + max(1, len(text)))
        cells.append(Cell(text, where))
        position += len(part) + 1
    return cells


def is_ruler(cells: list[Cell]) -> bool:
    """A line such as `|---|---|`, which Markdown wants under a header."""
    return all(len(cell.text) > 1 and not cell.text.strip(":-") for cell in cells)


def read_cell(cell: Cell, type_: t.Type, kinds: Kinds, report: Report) -> int | None:
    """The constant that a cell stands for; None when it stands for nothing, which is reported."""
    text = cell.text
    match type_:
        case t.Opt(of):
            return -1 if text in ("none", "-") else read_cell(cell, of, kinds, report)
        case t.SetOf(of):
            return _read_set(cell, of, kinds, report)
        case t.Unknown():
            return None
    if not text:
        report.add("D0312", f"this cell is empty, but {t.a(type_)} is needed", cell.span)
        return None
    match type_:
        case t.Num(low, high):
            if re.fullmatch(r"-?[0-9]{10,}", text):
                report.add("D0303", "a number has at most nine digits", cell.span)
                return None
            if not _NUMBER.fullmatch(text):
                report.add("D0312", f"`{text}` is not a number", cell.span)
                return None
            if not low <= int(text) <= high:
                report.add("D0303", f"{text} is outside {low}..{high}", cell.span)
                return None
            return int(text)
        case t.YesNo():
            if text not in ("yes", "no"):
                report.add("D0312", f"`{text}` is neither yes nor no", cell.span)
                return None
            return int(text == "yes")
        case t.Kind(name):
            values = kinds[name]
            if text not in values:
                help_line = (
                    did_you_mean(text, values)
                    or f"there are {', '.join(values[:12])}{' ...' if len(values) > 12 else ''}"
                )
                report.add("D0312", f"`{text}` is not {t.a(type_)}", cell.span, help=help_line)
                return None
            return values.index(text)
    raise AssertionError(type_)


def _read_set(cell: Cell, of: t.Type, kinds: Kinds, report: Report) -> int | None:
    mask = 0
    words = cell.text.replace(",", " ").split() if cell.text not in ("-", "none", "") else []
    if of == t.DIRECTION and len(words) == 1 and len(words[0]) > 2:
        words = list(words[0])
    for word in words:
        value = read_cell(cell.part(word), of, kinds, report)
        if value is None:
            return None
        if value < 0:
            report.add(
                "D0303", f"{value} is outside 0..62: a set holds no negative numbers", cell.part(word).span
            )
            return None
        mask |= 1 << value
    return mask


def cell_values(cell: Cell, type_: t.Type, kinds: Kinds, report: Report) -> list[int]:
    """All the values that a key cell of a table covers: `3`, `6..8`, `9..`, `red, blue`, `any`."""
    plain = t.plain(type_)
    if cell.text == "any":
        return key_universe(plain, kinds)
    out: list[int] = []
    for part in cell.text.split(","):
        text = part.strip()
        if ".." in text and isinstance(plain, t.Num):
            out += _range(cell.part(text), plain, report)
        else:
            value = read_cell(cell.part(text), type_, kinds, report)
            out += [value] if value is not None else []
    return out


def _range(cell: Cell, type_: t.Num, report: Report) -> list[int]:
    low_text, high_text = (end.strip() for end in cell.text.split("..", 1))
    if any(end and not _NUMBER.fullmatch(end) for end in (low_text, high_text)):
        report.add(
            "D0312",
            f"`{cell.text}` is not a range",
            cell.span,
            help="write `6..8`, or `9..` for all from 9 on",
        )
        return []
    low = int(low_text) if low_text else type_.low
    high = int(high_text) if high_text else type_.high
    for end in (low, high):
        if not type_.low <= end <= type_.high:
            report.add("D0303", f"{end} is outside {type_.low}..{type_.high}", cell.span)
            return []
    if low > high:
        report.add("D0303", "this range is empty: the lower number comes first", cell.span)
    return list(range(low, high + 1))


def key_universe(type_: t.Type, kinds: Kinds) -> list[int]:
    """All values that a parameter of a table can take."""
    match type_:
        case t.Num(low, high):
            return list(range(low, high + 1))
        case t.Kind(name):
            return list(range(len(kinds[name])))
        case t.YesNo():
            return [0, 1]
    return []
