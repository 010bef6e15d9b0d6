"""Reading bar tables: `rows` of a component and `table`s, cell by cell with spans."""

from __future__ import annotations

from attrs import frozen

from ..grammar import Report, Span, Word, did_you_mean
from . import types as t


@frozen
class Cell:
    text: str
    span: Span


def split_row(row: Word) -> list[Cell]:
    """The cells of `| a | b |`."""
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


def read_cell(cell: Cell, type_: t.Type, kinds: dict[str, tuple[str, ...]], report: Report) -> int:
    """The constant that a cell stands for."""
    text = cell.text
    match type_:
        case t.Opt(of):
            return -1 if text in ("none", "-") else read_cell(cell, of, kinds, report)
        case t.Num(low, high):
            if not text.lstrip("-").isdigit():
                report.add("D0312", f"`{text}` is not a number", cell.span)
                return low
            if not low <= int(text) <= high:
                report.add("D0303", f"{text} is outside {low}..{high}", cell.span)
            return int(text)
        case t.YesNo():
            if text not in ("yes", "no"):
                report.add("D0312", f"`{text}` is neither yes nor no", cell.span)
            return int(text == "yes")
        case t.Kind(name):
            values = kinds[name]
            if text not in values:
                report.add("D0312", f"`{text}` is not a {name}", cell.span, help=did_you_mean(text, values))
                return 0
            return values.index(text)
        case t.SetOf(of):
            return _read_set(cell, of, kinds, report)
    report.add("D0312", f"a table cannot hold {type_}", cell.span)
    return 0


def _read_set(cell: Cell, of: t.Type, kinds: dict[str, tuple[str, ...]], report: Report) -> int:
    mask = 0
    words = cell.text.replace(",", " ").split() if cell.text not in ("-", "none", "") else []
    if of == t.DIRECTION and len(words) == 1 and len(words[0]) > 2:
        words = list(words[0])
    for word in words:
        mask |= 1 << read_cell(Cell(word, cell.span), of, kinds, report)
    return mask


def cell_values(cell: Cell, type_: t.Type, kinds: dict[str, tuple[str, ...]], report: Report) -> list[int]:
    """All the values that a key cell of a table covers: `3`, `6..8`, `9..`, `red, blue`, `any`."""
    universe = _universe(type_, kinds)
    if cell.text == "any":
        return universe
    out: list[int] = []
    for part in cell.text.split(","):
        text = part.strip()
        if ".." in text and isinstance(type_, t.Num):
            low_text, high_text = (x.strip() for x in text.split("..", 1))
            low = int(low_text) if low_text.lstrip("-").isdigit() else type_.low
            high = int(high_text) if high_text.lstrip("-").isdigit() else type_.high
            if (low_text and not low_text.lstrip("-").isdigit()) or (
                high_text and not high_text.lstrip("-").isdigit()
            ):
                report.add("D0312", f"`{text}` is not a range", cell.span)
            out += [v for v in universe if low <= v <= high]
        else:
            out.append(read_cell(Cell(text, cell.span), type_, kinds, report))
    return out


def _universe(type_: t.Type, kinds: dict[str, tuple[str, ...]]) -> list[int]:
    match type_:
        case t.Num(low, high):
            return list(range(low, high + 1))
        case t.Kind(name):
            return list(range(len(kinds[name])))
        case t.YesNo():
            return [0, 1]
    return []


def key_universe(type_: t.Type, kinds: dict[str, tuple[str, ...]]) -> list[int]:
    return _universe(type_, kinds)
