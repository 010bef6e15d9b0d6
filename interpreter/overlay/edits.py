"""`change rows`, `change table` and `remove rows`, carried out on one declaration after the other."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import Factory, define

from ...grammar import Report, Span, Word, did_you_mean, syntax
from ..core.bar_tables import split_row
from .addresses import called, word_for
from .claims import WHOLE, Claim, Claims, Does, Key, relation
from .rows import (
    Column,
    Conditions,
    NotUnderstood,
    Piece,
    columns_of_component,
    columns_of_table,
    is_spread,
    new_text,
    nothing_fits,
    pieces_of,
    taken_apart,
    universe_in,
)

Gone = tuple[Word, list[str], Claim]
"""A row that a variant has removed, the header over it, and where the variant says so."""


@define
class RowEdit:
    """One `change rows`, `change table` or `remove rows` of a variant."""

    key: Key
    where: syntax.Expr | None
    cells: tuple[syntax.CellChange, ...] | None
    variant: syntax.Variant
    decls: list[syntax.Decl]
    claims: Claims
    gone: list[Gone]
    hits: int = 0
    seen: dict[str, set[str]] = Factory(dict)
    rules: Conditions | None = None

    def of(self, table: syntax.Rows | syntax.Table) -> syntax.Rows | syntax.Table | None:
        """The declaration with its rows changed; None if none of them is left."""
        header = [cell.text for cell in split_row(table.rows[0])]
        universe = universe_in(self.decls)
        spread = isinstance(table, syntax.Table) and is_spread(table, header, universe)
        first: Word = table.rows[0]
        pieces = [pieces_of(row) for row in table.rows[1:]]
        if isinstance(table, syntax.Table):
            columns = columns_of_table(table, header, universe)
            result = str(table.name)
            if not spread and result not in columns:
                columns[result] = attrs.evolve(columns[header[-1]], name=result)
        else:
            columns = columns_of_component(str(table.name), header, self.decls, universe)
            if "count" not in header and any(cell.name == "count" for cell in self.cells or ()):
                header.append("count")
                columns["count"] = Column("count")
                top = pieces_of(first)
                first = Piece([*top.cells, "count"], [*top.spans, first.span], {}, first, True).word
                for piece in pieces:
                    piece.cells.append("1")
                    piece.spans.append(piece.row.span)
                    piece.changed = True
        rules = self.rules = Conditions(columns, self.called)
        if self.where is not None:
            rules.check(self.where)
        for cell in self.cells or ():
            if cell.name not in columns or (spread and cell.name != table.name):
                raise NotUnderstood(
                    f"{rules.called} has no column `{cell.name}`",
                    cell.name.span,
                    did_you_mean(cell.name, columns)
                    or f"the columns are {', '.join(columns if not spread else [str(table.name)])}",
                )
        for name, column in zip(header, _transposed(pieces), strict=False):
            self.seen.setdefault(name, set()).update(column)
        self._check_gone(rules)
        kept: list[Word] = []
        for piece in pieces:
            kept += self._spread(piece, table, header, rules) if spread else self._plain(piece, header, rules)
        if not kept:
            return None
        if kept == list(table.rows[1:]) and first is table.rows[0]:
            return table
        return attrs.evolve(table, rows=(first, *kept))

    def _plain(self, piece: Piece, header: list[str], rules: Conditions) -> list[Word]:
        result = self.key[1]
        mentioned = rules.mentioned(self.where) if self.where is not None else set()
        for cell in self.cells or ():
            mentioned |= rules.mentioned(cell.value)
        asked = {header[-1] if name == result and name not in header else name for name in mentioned}

        def outcome(single: dict[str, Any]) -> tuple[str, ...] | bool | None:
            """The new texts of the cells; False if the row is not meant, None if it goes."""
            single = {**single, result: single[header[-1]]} if result not in single else single
            if self.where is not None and not rules.holds(self.where, single):
                return False
            if self.cells is None:
                return None
            return tuple(new_text(cell, rules.columns[str(cell.name)], rules, single) for cell in self.cells)

        out: list[Word] = []
        for part, texts in taken_apart(piece, header, rules, asked, outcome):
            if texts is False:
                out.append(part.word)
                continue
            self.hits += 1
            if texts is None:
                claim = self._take(part, Claim(Does.REMOVE, WHOLE, self._span, self.variant))
                self.gone.append((part.word, header, claim))
                continue
            for cell, text in zip(self.cells or (), texts, strict=True):
                column = header[-1] if cell.name == result and result not in header else str(cell.name)
                self._take(part, self._cell(cell, column, text))
                at = header.index(column)
                part.cells[at], part.spans[at], part.changed = text, cell.value.span, True
            out.append(part.word)
        return out

    def _spread(
        self, piece: Piece, table: syntax.Rows | syntax.Table, header: list[str], rules: Conditions
    ) -> list[Word]:
        """A row of a table whose last parameter is spread over the columns."""
        assert isinstance(table, syntax.Table)
        last, result = str(table.params[-1].name), str(table.name)
        keys = header[: len(table.params) - 1]
        values = header[len(keys) :]
        columns = {name: rules.columns.get(name, Column(name)) for name in header}
        inner = Conditions(
            {**columns, last: rules.columns[last], result: rules.columns[result]}, rules.called
        )
        mentioned = inner.mentioned(self.where) if self.where is not None else set()
        asked = mentioned & set(keys)

        def outcome(single: dict[str, Any]) -> tuple[tuple[str, ...] | None, ...]:
            out: list[tuple[str, ...] | None] = []
            for value in values:
                here = {name: single[name] for name in keys}
                here[last] = int(value) if value.isdigit() else value
                here[result] = (rules.columns[result].values(str(single[value])) or [single[value]])[0]
                fits = self.where is None or inner.holds(self.where, here)
                texts = tuple(new_text(cell, rules.columns[result], inner, here) for cell in self.cells or ())
                out.append(texts if fits else None)
            return tuple(out)

        words: list[Word] = []
        for part, texts in taken_apart(piece, header, inner, asked, outcome):
            for value, new in zip(values, texts, strict=True):
                for cell, text in zip(self.cells or (), new or (), strict=bool(new)):
                    self.hits += 1
                    self._take(part, self._cell(cell, value, text))
                    at = header.index(value)
                    part.cells[at], part.spans[at], part.changed = text, cell.value.span, True
            words.append(part.word)
        return words

    @property
    def _span(self) -> Span:
        assert self.where is not None
        return self.where.span

    def _cell(self, cell: syntax.CellChange, column: str, text: str) -> Claim:
        """What is said about a column; more or less of what stood there adds up with what others say."""
        value = cell.value
        adds_up = (
            isinstance(value, syntax.Plus | syntax.Minus)
            and value.left.span.text == str(cell.name)
            and isinstance(value.right, syntax.Number)
        )
        return Claim(Does.PART, column, cell.name.span, self.variant, text, adds_up)

    def _take(self, part: Piece, claim: Claim) -> Claim:
        """A cell of a row, or the row, is touched by this variant."""
        for other in part.claims.values():
            self.claims.meet(self.key, other, claim, self._row_called(part))
        part.claims[claim.part] = claim
        return claim

    def _check_gone(self, rules: Conditions) -> None:
        """A row that another variant removes is touched by both."""
        where = self.where
        for row, header, claim in self.gone:
            piece = pieces_of(row)
            asked = rules.mentioned(where) & set(header)
            fits = where is None or any(
                hit
                for _, hit in taken_apart(piece, header, rules, asked, lambda one: rules.holds(where, one))
            )
            span = where.span if where is not None else self.cells[0].span if self.cells else claim.span
            if fits:
                does = Does.REMOVE if self.cells is None else Does.PART
                mine = Claim(does, WHOLE, span, self.variant)
                self.claims.meet(self.key, claim, mine, self._row_called(piece))
                if relation(self.variant, claim.variant) is None:
                    self.hits += 1

    @property
    def called(self) -> str:
        return called(*self.key) if self.key[0] == "table" else f"`{self.key[1]}`"

    def _row_called(self, piece: Piece) -> str:
        keys = piece.cells[:-1] if len(piece.cells) > 1 else piece.cells
        return f"row `{' '.join(keys)}` of {self.called}"

    def report_nothing(self, where: syntax.Expr, report: Report) -> None:
        assert self.rules is not None
        removed = [c for _, _, c in self.gone]
        help_line = f'"{removed[0].variant.name}" removes rows of it' if removed else None
        nothing_fits(self.rules, where, self.seen, report, help_line)


def _transposed(pieces: list[Piece]) -> list[list[str]]:
    return [list(column) for column in zip(*(piece.cells for piece in pieces), strict=False)]


def key_of(table: syntax.Rows | syntax.Table) -> Key:
    return word_for(table), str(table.name)
