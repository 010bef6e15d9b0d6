"""`add`: more values of a kind, rows, tokens and fields of what is there already.

What is indexed by a kind grows with it. Rows of a table come with its header or, where the
last parameter is spread over the columns, with its parameters and the result; numbers that
are new widen their parameter. A new field has a value for all rows that do not give one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import attrs

from ...grammar import Report, Span, Word, syntax
from ..core.bar_tables import MadeRow, split_row
from .rows import is_spread, universe_in
from .trees import Made


def rows_decl(item: syntax.AddRows) -> syntax.Rows:
    """`add rows Chamber:` as the declaration that it stands for."""
    span = item.span
    start = span.start + span.text.index("rows")
    return syntax.Rows(item.name, item.cite, None, item.rows, span=Span(span.source, start, span.end))


def keys_of(table: syntax.Table, rows: tuple[Word, ...]) -> list[str]:
    """What the new rows of a table are about, as a claim says it."""
    header = [cell.text for cell in split_row(rows[0])]
    count = len(table.params) if _is_long(table, header) else min(len(table.params), len(header) - 1)
    return [" ".join(cell.text for cell in split_row(row)[:count]) for row in rows[1:]]


def _is_long(table: syntax.Table, header: Sequence[str]) -> bool:
    """Parameters and the result, one case a row."""
    return [*header[:-1]] == [str(p.name) for p in table.params]


def with_rows(
    table: syntax.Table, item: syntax.AddRows, decls: Sequence[syntax.Decl], report: Report
) -> syntax.Table:
    """A table with more rows."""
    header = [cell.text for cell in split_row(item.rows[0])]
    old = [cell.text for cell in split_row(table.rows[0])]
    spread = is_spread(table, old, universe_in(list(decls)))
    if header == old or (not spread and len(header) == len(old) and header[:-1] == old[:-1]):
        rows = (*table.rows, *item.rows[1:])
    elif spread and _is_long(table, header):
        rows = _joined(_long(table, old), item.rows[1:])
    else:
        names = " | ".join([*(str(p.name) for p in table.params), str(table.name)])
        report.add(
            "D0610",
            f"these are not the columns of table `{table.name}`",
            item.rows[0].span,
            help=f"its header is `| {' | '.join(old)} |`" + (f"; or write `| {names} |`" if spread else ""),
        )
        return table
    widened = tuple(_widened(p, i, header, item.rows[1:]) for i, p in enumerate(table.params))
    return attrs.evolve(table, rows=rows, params=widened)


def _joined(rows: tuple[Word, ...], new: Sequence[Word]) -> tuple[Word, ...]:
    return (*rows, *new)


def _long(table: syntax.Table, header: list[str]) -> tuple[Word, ...]:
    """A spread table as one with a row for each case."""
    keys = len(table.params) - 1
    names = [*(str(p.name) for p in table.params), str(table.name)]
    first = table.rows[0]
    out: list[Word] = [MadeRow("| " + " | ".join(names) + " |", first.span, [first.span] * len(names), {})]
    for row in table.rows[1:]:
        cells = split_row(row)
        for column, cell in zip(header[keys:], cells[keys:], strict=False):
            texts = [*(c.text for c in cells[:keys]), column, cell.text]
            spans = [*(c.span for c in cells[:keys]), cell.span, cell.span]
            out.append(MadeRow("| " + " | ".join(texts) + " |", row.span, spans, getattr(row, "claims", {})))
    return tuple(out)


def _widened(param: syntax.Param, index: int, header: list[str], rows: Sequence[Word]) -> syntax.Param:
    """A number parameter for the new keys as well."""
    numbers: list[tuple[int, Span]] = []
    for row in rows:
        cells = split_row(row)
        if index < len(cells) - 1:
            numbers += [(int(n), cells[index].span) for n in re.findall(r"-?\d{1,9}", cells[index].text)]
    if index >= len(header) - 1:  # spread over the columns
        numbers += [(int(h), rows[0].span) for h in header[index:] if re.fullmatch(r"\d{1,9}", h)]
    return attrs.evolve(param, type=widened_to(param.type, numbers)) if numbers else param


def widened_to(type_: syntax.TypeNode, numbers: Sequence[tuple[int, Span]]) -> syntax.TypeNode:
    """A range that these numbers are in."""
    base = getattr(type_, "base", type_)
    ends = range_of(type_)
    if ends is None or not isinstance(base, syntax.RangeType):
        return type_
    low, high = min(ends[0], *(n for n, _ in numbers)), max(ends[1], *(n for n, _ in numbers))
    parts: dict[str, Any] = {}
    for field, value, end in (("low", low, ends[0]), ("high", high, ends[1])):
        if value != end:
            node = getattr(base, field)
            parts[field] = number(value, node.span)
    if not parts:
        return type_
    made: Any = attrs.evolve(base, **parts)
    return made if base is type_ else attrs.evolve(type_, base=made)  # type: ignore[call-arg]


def number(value: int, span: Span) -> syntax.Node:
    """A number that stands nowhere as it is."""
    if value < 0:
        return syntax.NegativeNumber(Made(str(-value), span), span=span)
    return syntax.Number(Made(str(value), span), span=span)


def range_of(type_: Any) -> tuple[int, int] | None:
    """The ends of a written range of numbers."""
    base = getattr(type_, "base", type_)
    if not isinstance(base, syntax.RangeType):
        return None
    ends = []
    for end in (base.low, base.high):
        if not isinstance(end, syntax.Number | syntax.NegativeNumber):
            return None
        ends.append(int(end.text) * (-1 if isinstance(end, syntax.NegativeNumber) else 1))
    return ends[0], ends[1]


# ---------------------------------------------------------------- fields
def with_fields(decl: Any, name: str, fields: Sequence[syntax.NewField]) -> Any:
    """A component with more fields, or rows of it with what they have there."""
    if isinstance(decl, syntax.ComponentFields) and decl.name == name:
        new = tuple(syntax.Field(f.name, f.indices, f.type, f.cite, span=f.span) for f in fields)
        return attrs.evolve(decl, fields=(*decl.fields, *new))
    if not isinstance(decl, syntax.Rows) or decl.name != name:
        return decl
    header = [cell.text for cell in split_row(decl.rows[0])]
    missing = [f for f in fields if f.name not in header]
    if not missing:
        return decl
    rows = [_longer(decl.rows[0], [(str(f.name), f.name.span) for f in missing])]
    rows += [
        _longer(row, [(" ".join(f.default.span.text.strip("{}").split()), f.default.span) for f in missing])
        for row in decl.rows[1:]
    ]
    return attrs.evolve(decl, rows=tuple(rows))


def _longer(row: Word, more: Sequence[tuple[str, Span]]) -> MadeRow:
    cells = split_row(row)
    texts = [*(c.text for c in cells), *(text for text, _ in more)]
    spans = [*(c.span for c in cells), *(span for _, span in more)]
    return MadeRow("| " + " | ".join(texts) + " |", row.span, spans, getattr(row, "claims", {}))
