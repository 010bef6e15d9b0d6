"""Rows of bar tables, changed or removed by a variant.

    change rows Chamber where effect = find_a_coin: count = count + 1
    change table toll where coins >= 9: toll = 4
    remove rows Chamber where effect in {escape, teleport}

A row is found by what stands in it, never by its position. The condition is
asked for every single thing that a row stands for: where it holds for some of
them only (`colour = red`, and the row says `red, green`), the row is taken apart
and the rest stays as it was. All this happens to the text of the cells, before
names are resolved; the checker then reads the new rows like any others, and a
mistake in a new cell is reported where the variant says it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from attrs import define, frozen

from ...grammar import Report, Span, Word, did_you_mean, syntax
from ..core.bar_tables import MadeRow, split_row

Value = int | str | frozenset[str]
Universe = Callable[[syntax.TypeNode], list[Value] | None]

_NUMBER = re.compile(r"-?[0-9]{1,9}")
_RANGE = re.compile(r"(-?[0-9]{1,9})?\s*\.\.\s*(-?[0-9]{1,9})?")


class NotUnderstood(Exception):
    """A condition that says nothing about rows; carries what to report."""

    def __init__(self, message: str, span: Span, help: str | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.help = help


@frozen
class Column:
    """What is known of a column: its type as it is written, and the values that `any` stands for."""

    name: str
    is_set: bool = False
    universe: tuple[Value, ...] | None = None

    def values(self, text: str) -> list[Value] | None:
        """The single values that a cell stands for; None if that cannot be told from the text."""
        if self.is_set:
            return [_words_of(text)]
        if text == "any":
            return list(self.universe) if self.universe is not None else None
        out: list[Value] = []
        for part in text.split(","):
            found = _RANGE.fullmatch(part.strip())
            if found is None:
                out.append(_scalar(part.strip()))
                continue
            numbers = [v for v in self.universe or () if isinstance(v, int)]
            ends = [found[1], found[2]]
            if None in ends and not numbers:
                return None
            low = int(ends[0]) if ends[0] else min(numbers)
            high = int(ends[1]) if ends[1] else max(numbers)
            out += range(low, high + 1)
        return out

    def text(self, values: list[Value]) -> str:
        """The cell for some values: the reverse of `values`."""
        if self.is_set:
            return cell_of_set(values[0]) if isinstance(values[0], frozenset) else str(values[0])
        parts: list[str] = []
        for _, run in itertools.groupby(enumerate(values), _run_key):
            members = [value for _, value in run]
            parts += [f"{members[0]}..{members[-1]}"] if len(members) > 2 else map(str, members)
        return ", ".join(parts)


def _run_key(numbered: tuple[int, Value]) -> Value:
    """The same for numbers that follow each other."""
    index, value = numbered
    return value - index if isinstance(value, int) else f"{value}"


def _scalar(text: str) -> Value:
    return int(text) if _NUMBER.fullmatch(text) else text


def _words_of(text: str) -> frozenset[str]:
    words = text.replace(",", " ").split() if text not in ("-", "none", "") else []
    if len(words) == 1 and len(words[0]) > 2 and set(words[0]) <= set("NESW"):
        words = list(words[0])
    return frozenset(words)


def cell_of_set(value: frozenset[str]) -> str:
    compass = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    return " ".join(sorted(value, key=lambda w: (compass.index(w) if w in compass else 9, w))) or "none"


# ---------------------------------------------------------------- conditions
@frozen
class Conditions:
    """Evaluates conditions and new values over the cells of one row."""

    columns: dict[str, Column]
    called: str

    def mentioned(self, node: Any) -> set[str]:
        """The columns that an expression speaks of."""
        if isinstance(node, syntax.Name):
            return {str(node.text)} & set(self.columns)
        if isinstance(node, tuple):
            return set().union(*map(self.mentioned, node)) if node else set()
        if isinstance(node, syntax.Node):
            fields = [f.name for f in attrs.fields(type(node)) if f.name != "span"]
            return set().union(*(self.mentioned(getattr(node, name)) for name in fields))
        return set()

    def holds(self, node: syntax.Expr, cells: dict[str, Value]) -> bool:
        match node:
            case syntax.AndExpr(left=left, right=right):
                return self.holds(left, cells) and self.holds(right, cells)
            case syntax.OrExpr(left=left, right=right):
                return self.holds(left, cells) or self.holds(right, cells)
            case syntax.NotExpr():
                return not self.holds(_only(node), cells)
            case syntax.Group():
                return self.holds(_only(node), cells)
            case syntax.Equals(left=left, right=right):
                return self._equal(left, right, cells)
            case syntax.IsIn(left=left, right=right):
                return self._among(left, right, cells)
            case syntax.IsNotIn(left=left, right=right):
                return not self._among(left, right, cells)
            case syntax.Compare(left=left, op=op, right=right):
                return self._compare(left, str(op), right, cells)
        raise NotUnderstood(
            "rows are found by what stands in their cells",
            node.span,
            f"write it like `where {next(iter(self.columns))} = ...`",
        )

    def check(self, node: Any) -> None:
        """Every comparison must speak of a column."""
        if isinstance(node, syntax.Equals | syntax.IsIn | syntax.IsNotIn | syntax.Compare):
            if not self.mentioned(node):
                name = node.left.span.text
                raise NotUnderstood(
                    f"{self.called} has no column `{name}`",
                    node.left.span,
                    did_you_mean(name, self.columns) or f"the columns are {', '.join(self.columns)}",
                )
        elif isinstance(node, syntax.Node):
            for fld in attrs.fields(type(node)):
                if fld.name != "span":
                    self.check(getattr(node, fld.name))

    def _equal(self, left: syntax.Expr, right: syntax.Expr, cells: dict[str, Value]) -> bool:
        a, b = self.value(left, cells), self.value(right, cells)
        if isinstance(a, frozenset) or isinstance(b, frozenset):
            return _plain(a) == _plain(b)
        if isinstance(a, list) != isinstance(b, list):  # `coins = 5..8`: any of them
            return b in a if isinstance(a, list) else a in b  # type: ignore[operator]
        return a == b

    def _among(self, left: syntax.Expr, right: syntax.Expr, cells: dict[str, Value]) -> bool:
        one, many = self.value(left, cells), self.value(right, cells)
        if isinstance(one, frozenset) and isinstance(right, syntax.SetOf):  # one of several sets
            return any(_plain(self.value(item, cells)) == _plain(one) for item in right.items or ())
        return one in many if isinstance(many, list | frozenset) else one == many

    def _compare(self, left: syntax.Expr, op: str, right: syntax.Expr, cells: dict[str, Value]) -> bool:
        if op == "!=":
            return not self._equal(left, right, cells)
        a, b = self.value(left, cells), self.value(right, cells)
        if not isinstance(a, int) or not isinstance(b, int):
            wrong = left if not isinstance(a, int) else right
            raise NotUnderstood(f"`{wrong.span.text}` is not a number here", wrong.span)
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]

    def value(self, node: syntax.Expr, cells: dict[str, Value]) -> Value | list[Value]:
        """A value of a condition; what is not a column is itself."""
        match node:
            case syntax.Name(text=text) | syntax.TypeName(text=text):
                return cells.get(str(text), str(text))
            case syntax.Number(text=text):
                return int(text)
            case syntax.Group():
                return self.value(_only(node), cells)
            case syntax.Negative():
                inner = self.value(_only(node), cells)
                return -inner if isinstance(inner, int) else node.span.text
            case syntax.SetOf(items=items):
                parts = [self.value(item, cells) for item in items or ()]
                return [p for part in parts for p in (part if isinstance(part, list) else [part])]
            case syntax.RangeExpr():
                low, high = (self.value(part, cells) for part in _parts(node))
                if isinstance(low, int) and isinstance(high, int):
                    return list(range(low, high + 1))
                return node.span.text
            case syntax.Plus() | syntax.Minus() | syntax.Times():
                a, b = (self.value(part, cells) for part in _parts(node))
                if isinstance(a, int) and isinstance(b, int):
                    return (
                        a + b
                        if isinstance(node, syntax.Plus)
                        else (a - b if isinstance(node, syntax.Minus) else a * b)
                    )
                return " ".join(node.span.text.split())
        return " ".join(node.span.text.split())


def _plain(value: Value | list[Value]) -> frozenset[str]:
    """A set of words; a single word is the set of it."""
    return frozenset(map(str, value if isinstance(value, list | frozenset) else [value])) - {"none"}


def _parts(node: syntax.Node) -> list[Any]:
    return [getattr(node, f.name) for f in attrs.fields(type(node)) if f.name != "span"]


def _only(node: syntax.Node) -> Any:
    return _parts(node)[0]


# ---------------------------------------------------------------- the rows of one declaration
@define
class Piece:
    """A part of a row: what stands in its cells, and what was said about each column."""

    cells: list[str]
    spans: list[Span]
    claims: dict[str, Any]
    row: Word
    changed: bool = False

    @property
    def word(self) -> Word:
        if not self.changed:
            return self.row
        return MadeRow("| " + " | ".join(self.cells) + " |", self.row.span, self.spans, self.claims)


def pieces_of(row: Word) -> Piece:
    cells = split_row(row)
    claims = row.claims if isinstance(row, MadeRow) else {}
    return Piece([c.text for c in cells], [c.span for c in cells], dict(claims), row)


def taken_apart(
    piece: Piece,
    names: list[str],
    rules: Conditions,
    asked: set[str],
    outcome: Callable[[dict[str, Value]], Any],
) -> Iterator[tuple[Piece, Any]]:
    """The parts of a row with the same outcome. `asked` are the columns that it depends on."""
    values: dict[str, list[Value]] = {}
    for name, text in zip(names, piece.cells, strict=False):
        found = rules.columns[name].values(text)
        if name in asked and found is None:
            raise NotUnderstood(
                f"`{text}` in column `{name}` cannot be taken apart",
                piece.spans[names.index(name)],
                "write the row out in the game, or replace the whole table",
            )
        values[name] = found if name in asked and found else [text]
    several = [name for name in asked if name in values and len(values[name]) > 1]
    results: list[tuple[dict[str, Value], Any]] = []
    for combo in itertools.product(*(values[name] for name in several)):
        single = {name: values[name][0] for name in values} | dict(zip(several, combo, strict=True))
        results.append((single, outcome(single)))
    if all(result == results[0][1] for _, result in results):
        yield piece, results[0][1]
        return
    if len(several) == 1:
        name = several[0]
        groups: list[tuple[Any, list[Value]]] = []
        for single, result in results:
            same = next((members for known, members in groups if known == result), None)
            if same is None:
                groups.append((result, [single[name]]))
            else:
                same.append(single[name])
        split = [({name: rules.columns[name].text(members)}, result) for result, members in groups]
    else:
        split = [
            ({name: rules.columns[name].text([single[name]]) for name in several}, result)
            for single, result in results
        ]
    for texts, result in split:
        cells = [texts.get(name, text) for name, text in zip(names, piece.cells, strict=False)]
        yield Piece(cells, list(piece.spans), dict(piece.claims), piece.row, True), result


# ---------------------------------------------------------------- columns
def columns_of_component(
    name: str, header: list[str], decls: list[Any], universe: Universe
) -> dict[str, Column]:
    fields = {
        str(f.name): f.type
        for d in decls
        if isinstance(d, syntax.ComponentFields) and d.name == name
        for f in d.fields
    }
    return {column: _column(column, fields.get(column), universe) for column in header}


def columns_of_table(table: syntax.Table, header: list[str], universe: Universe) -> dict[str, Column]:
    types: dict[str, syntax.TypeNode] = {str(p.name): p.type for p in table.params}
    last = table.params[-1]
    if is_spread(table, header, universe):
        names = [*header[: len(table.params) - 1], str(last.name), str(table.name)]
    else:
        names = list(header)
    types[names[-1]] = table.type
    return {name: _column(name, types.get(name), universe) for name in names}


def is_spread(table: syntax.Table, header: list[str], universe: Universe) -> bool:
    """Are the values of the last parameter the columns?"""
    columns = header[len(table.params) - 1 :]
    known = universe(table.params[-1].type)
    return len(columns) > 1 and (
        all(re.fullmatch(r"[0-9]{1,9}", c) for c in columns)
        or (known is not None and all(c in known for c in columns))
    )


def _column(name: str, type_: syntax.TypeNode | None, universe: Universe) -> Column:
    if type_ is None:
        return Column(name)
    is_set = isinstance(_only(type_), syntax.SetType)
    known = None if is_set else universe(type_)
    return Column(name, is_set, tuple(known) if known is not None else None)


def universe_in(decls: list[Any]) -> Universe:
    """What `any` stands for, as far as the text tells: ranges of numbers, kinds, tokens, yes and no."""
    kinds: dict[str, list[Value]] = {}
    for decl in decls:
        if isinstance(decl, syntax.Kinds):
            kinds[str(decl.name)] = [str(v) for v in decl.values]
        elif isinstance(decl, syntax.Token):
            kinds[str(decl.name)] = [str(item.name) for item in decl.items]

    def universe(type_: syntax.TypeNode) -> list[Value] | None:
        base = _only(type_)
        if isinstance(base, syntax.RangeType):
            ends = [part.span.text for part in _parts(base)]
            if all(_NUMBER.fullmatch(end) for end in ends):
                return list(range(int(ends[0]), int(ends[1]) + 1))
        if isinstance(base, syntax.YesNoType):
            return ["yes", "no"]
        return kinds.get(base.span.text)

    return universe


def column_of(name: str, type_: syntax.TypeNode) -> Column:
    """A column of a table by itself; what its kinds are is not known."""
    return _column(name, type_, universe_in([]))


# ---------------------------------------------------------------- new cells
def new_text(change: syntax.CellChange, column: Column, rules: Conditions, cells: dict[str, Value]) -> str:
    """The text that a cell gets."""
    value = rules.value(change.value, cells)
    if column.is_set:
        words = value if isinstance(value, list | frozenset) else [value]
        return cell_of_set(frozenset(map(str, words)) - {"none"})
    return column.text(value) if isinstance(value, list) else str(value)


def nothing_fits(
    rules: Conditions, where: syntax.Expr, seen: dict[str, set[str]], report: Report, removed: str | None
) -> None:
    """No row has what the condition asks for; the nearest value, if a word is misspelt."""
    help_line = removed
    if help_line is None and isinstance(where, syntax.Equals) and isinstance(where.left, syntax.Name):
        known = seen.get(str(where.left.text), set())
        help_line = did_you_mean(where.right.span.text, known) or (
            f"there are {', '.join(sorted(known)[:12])}" if known else None
        )
    report.add("D0610", f"no row of {rules.called} fits", where.span, help=help_line)
