"""Checking bar tables."""

from __future__ import annotations

import itertools
import re
from typing import Any

from ...grammar import Span, syntax
from ..core import TableDecl, Var
from ..core import value_types as t
from ..core.bar_tables import cell_values, key_universe, read_cell, split_row
from .names import cites_of, doc_of
from .part import Part

MOST_CASES = 100_000


class Tables(Part):
    """Tables by their rows."""

    def tables(self) -> None:
        for node in self.c.names.each(syntax.Table):
            params = tuple(Var(str(p.name), str(p.name), self.c.types.type(p.type)) for p in node.params)
            decl = TableDecl(
                name=str(node.name),
                span=node.name.span,
                params=params,
                type=self.c.types.type(node.type),
                cites=cites_of(node),
                doc=doc_of(node),
            )
            self.game.tables[decl.name] = decl
            inner = t.plain(decl.type.of) if isinstance(decl.type, t.SetOf) else t.plain(decl.type)
            claimed: dict[str, Span] = {}
            for p in node.params:
                self.c.names.claim(claimed, p.name)
            if not isinstance(inner, t.Num | t.YesNo | t.Kind | t.Unknown):
                self.error("D0316", f"a table cannot give {t.a(decl.type)}", node.type.span)
            elif not any(isinstance(p.type, t.Unknown) for p in params) and not isinstance(inner, t.Unknown):
                self._fill_table(node, decl)

    def _fill_table(self, node: syntax.Table, decl: TableDecl) -> None:
        kinds = self.c.names.kind_words()
        for p, written in zip(decl.params, node.params, strict=True):
            if not isinstance(p.type, t.Num | t.Kind | t.YesNo):
                self.error("D0316", f"a table cannot run over {t.a(p.type)}", written.type.span)
                return
        if self.c.places.cells(tuple(p.type for p in decl.params)) > MOST_CASES:
            self.error(
                "D0303",
                f"this table would have {self.c.places.cells(tuple(p.type for p in decl.params))} cases; the most is {MOST_CASES}",
                decl.span,
            )
            return
        header, *body = [split_row(row) for row in node.rows]
        keys = len(decl.params)
        spread = self._spread(header, decl, kinds)
        if spread is None and len(header) != keys + 1:
            names = " ".join(f"`{p.name}`" for p in decl.params)
            self.error(
                "D0312", f"the header needs {keys + 1} cells: {names} and the result", node.rows[0].span
            )
            return
        filled: dict[tuple[int, ...], tuple[int, Span]] = {}
        for cells, row in zip(body, node.rows[1:], strict=True):
            if not self.c.things.row_fits(cells, header, row):
                continue
            own = cells[: keys - 1] if spread is not None else cells[:keys]
            sets = [
                cell_values(c, p.type, kinds, self.c.report) for c, p in zip(own, decl.params, strict=False)
            ]
            results = (
                [((v,), c) for v, c in zip(spread, cells[keys - 1 :], strict=True)]
                if spread is not None
                else [((), cells[keys])]
            )
            for more, cell in results:
                value = read_cell(cell, decl.type, kinds, self.c.report)
                keys_here = [(*combo, *more) for combo in itertools.product(*sets)]
                double = [key for key in keys_here if key in filled]
                if double:
                    shown = ", ".join(
                        self._show(v, p.type) for v, p in zip(double[0], decl.params, strict=True)
                    )
                    rest = f" (and {len(double) - 1} more)" if len(double) > 1 else ""
                    first = filled[double[0]][1]
                    self.error(
                        "D0311",
                        f"the case {shown}{rest} is given twice",
                        cell.span,
                        related=[(first, "first here")],
                    )
                filled |= dict.fromkeys(keys_here, (value or 0, cell.span))
        decl.rows = [(key, value) for key, (value, _) in filled.items()]
        missing = [
            key
            for key in itertools.product(*(key_universe(p.type, kinds) for p in decl.params))
            if key not in filled
        ]
        span = range(node.span.start, node.span.end)
        if missing and not any(d.code in ("D0303", "D0312") and d.span.start in span for d in self.c.report):
            shown = ", ".join(self._show(v, p.type) for v, p in zip(missing[0], decl.params, strict=True))
            others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            self.error(
                "D0311",
                f"the table says nothing for {shown}{others}",
                decl.span,
                help="every case needs a row; `9..` and `any` cover many",
            )

    def _spread(
        self, header: list[Any], decl: TableDecl, kinds: dict[str, tuple[str, ...]]
    ) -> list[int] | None:
        """The values of the last parameter, when they stand as columns of the header."""
        last = decl.params[-1].type
        columns = [cell.text for cell in header[len(decl.params) - 1 :]]
        if isinstance(last, t.Kind) and len(columns) > 1 and all(c in kinds[last.name] for c in columns):
            return [kinds[last.name].index(c) for c in columns]
        if (
            isinstance(last, t.Num)
            and len(columns) > 1
            and all(re.fullmatch(r"[0-9]{1,9}", c) for c in columns)
        ):
            return [int(c) for c in columns]
        return None

    def _show(self, value: int, type_: t.Type) -> str:
        if isinstance(type_, t.YesNo):
            return "yes" if value else "no"
        return self.game.kinds[type_.name].values[value] if isinstance(type_, t.Kind) else str(value)
