"""Checking what there is: header, kinds, options, components."""

from __future__ import annotations

import itertools
import math
import re
from collections import deque
from typing import Any

from ...grammar import Span, Word, did_you_mean, syntax
from ..core import CompDecl, Const, Ex, KindDecl, OptionDecl, PlaceDecl, TokenDecl
from ..core import value_types as t
from ..core.bar_tables import cell_values, is_ruler, read_cell, split_row
from ..core.player_counts import player_counts
from .constants import options_in
from .expressions import LARGEST
from .functions import LANGUAGE_NAMES
from .names import cites_of, doc_of, walk
from .part import Part

MOST_PLAYERS = 62
MOST_KINDS = 62


class Things(Part):
    """What comes in the box."""

    def game_header(self) -> None:
        headers = list(self.c.names.each(syntax.Game))
        if not headers:
            start = Span(self.c.file.span.source, 0, min(1, len(self.c.file.span.source.text)))
            self.error(
                "D0203",
                "the file has no game header",
                start,
                help='start with `game "Name" for 2 to 4 players:`',
            )
            self.game.players = (2,)
            return
        for extra in headers[1:]:
            self.error("D0202", "a file holds one game", extra.span, related=[(headers[0].span, "the first")])
        header = headers[0]
        self.game.name = str(header.name)
        self.game.players = player_counts(header.players)
        if not self.game.players:
            self.error("D0303", "the lower number of players comes first", header.players.span)
            self.game.players = (1,)
        if not min(self.game.players) >= 1 or max(self.game.players) > MOST_PLAYERS:
            self.error("D0303", f"a game is for 1 to {MOST_PLAYERS} players", header.players.span)
            self.game.players = (1,)
        self.game.together = header.together is not None
        self.game.doc = doc_of(header)

    def kinds(self) -> None:
        kinds = self.game.kinds
        nowhere = self.c.file.span
        kinds["direction"] = KindDecl(name="direction", span=nowhere, values=t.DIRECTIONS)
        kinds["rotation"] = KindDecl(name="rotation", span=nowhere, values=("r0", "r90", "r180", "r270"))
        for node in self.c.names.each(syntax.Kinds):
            self._kind(node, tuple(node.values))
        for node in self.c.names.each(syntax.Token):
            self._kind(node, tuple(item.name for item in node.items))
        for name, decl in kinds.items():
            if name != "direction":
                for value in decl.values:
                    self.c.names.kind_values.setdefault(value, []).append(name)

    def _kind(self, node: syntax.Kinds | syntax.Token, values: tuple[Word, ...]) -> None:
        seen: dict[str, Span] = {}
        for value in values:
            self.c.names.claim(seen, value)
            if value in LANGUAGE_NAMES:
                self.error(
                    "D0210", f"`{value}` is a word of the language", value.span, help="choose another name"
                )
            elif value in self.c.names.all and not self.c.names.only_called(value):
                here = [(self.c.names.all[value], "declared here")]
                self.error(
                    "D0209",
                    f"`{value}` of `{node.name}` hides another `{value}`",
                    value.span,
                    related=here,
                    help="rename one of them",
                )
        if len(values) > MOST_KINDS:
            self.error(
                "D0316", f"`{node.name}` has {len(values)} values; the most is {MOST_KINDS}", node.name.span
            )
        words = tuple(str(v) for v in seen)
        self.game.kinds[str(node.name)] = KindDecl(
            name=str(node.name), span=node.name.span, values=words, cites=cites_of(node), doc=doc_of(node)
        )

    def options(self) -> None:
        for node in self.c.names.each(syntax.Option):
            base = node.type.base if isinstance(node.type, syntax.PlainType) else node.type
            kind = isinstance(base, syntax.NamedType) and base.name in self.game.kinds
            if isinstance(base, syntax.YesNoType | syntax.RangeType) or kind:
                type_ = self.c.types.type(node.type)
            else:
                type_ = self.error(
                    "D0316", "an option is a range of numbers, yes/no or a kind", node.type.span
                ).type
            decl = OptionDecl(
                name=str(node.name), span=node.name.span, type=type_, cites=cites_of(node), doc=doc_of(node)
            )
            self.game.options[decl.name] = decl
        for node in self.c.names.each(syntax.Option):
            decl = self.game.options[str(node.name)]
            decl.default = self.c.exprs.fixed(
                self.c.exprs.value(node.default, self.c.exprs.constants(decl.name), decl.type, "the default"),
                "the default",
            )
        self._option_cycles()
        for node in self.c.names.each(syntax.Token):
            self.game.tokens[str(node.name)] = TokenDecl(
                name=str(node.name), span=node.name.span, amounts=(), cites=cites_of(node), doc=doc_of(node)
            )

    def _option_cycles(self) -> None:
        """Defaults may use other options, but not each other in a circle."""
        needs = {name: options_in(decl.default) for name, decl in self.game.options.items()}
        for name, decl in self.game.options.items():
            reached, todo = set(), list(needs[name])
            while todo:
                other = todo.pop()
                if other not in reached:
                    reached.add(other)
                    todo += needs.get(other, ())
            if name in reached:
                decl.default = self.error(
                    "D0318", f"the default of `{name}` needs `{name}` itself", decl.span
                )

    def early_defines(self) -> None:
        """Definitions that only rest on options and numbers can count components and size places,
        so they are known before those are looked at."""
        known = {
            *self.game.options,
            *self.c.names.kind_values,
            "yes",
            "no",
            "player_count",
            "min",
            "max",
            "abs",
        }
        nodes = {str(d.name): d for d in self.c.names.each(syntax.Define) if not d.params}
        unknown: dict[str, set[str]] = {}  # of each definition the names that are still to be known
        wanted: dict[str, list[str]] = {}  # the definitions that need a name
        for name, node in nodes.items():
            parts = list(walk(node.value))
            if not isinstance(node.value, syntax.Suite) and not any(
                isinstance(
                    p,
                    syntax.TypeName
                    | syntax.Attribute
                    | syntax.SetComp
                    | syntax.Comprehension
                    | syntax.Spreading,
                )
                for p in parts
            ):
                unknown[name] = {str(p.text) for p in parts if isinstance(p, syntax.Name)} - known
                for other in unknown[name]:
                    wanted.setdefault(other, []).append(name)
        ready = deque(name for name, needed in unknown.items() if not needed)
        while ready:
            name = ready.popleft()
            self.c.names.define_nodes[name] = nodes[name]
            for other in wanted.get(name, ()):
                unknown[other].discard(name)
                if not unknown[other]:
                    ready.append(other)

    # ------------------------------------------------------------ components
    def components(self) -> None:
        components = self.game.components
        for node in self.c.names.each(syntax.Component, syntax.ComponentFields):
            components[str(node.name)] = CompDecl(
                name=str(node.name), span=node.name.span, cites=cites_of(node), doc=doc_of(node)
            )
        for owner, member in self.c.names.members():
            if isinstance(member, syntax.Piece):
                key = f"{owner}.{member.name}" if owner else str(member.name)
                components[key] = CompDecl(
                    name=key, span=member.name.span, piece=True, cites=cites_of(member), doc=doc_of(member)
                )
        for owner, member in self.c.names.members():
            if isinstance(member, syntax.Piece):
                key = f"{owner}.{member.name}" if owner else str(member.name)
                components[key].on = self._standing(member.on)
                if owner not in ("", "player"):
                    self.error(
                        "D0316",
                        f"a {owner} cannot have a piece; only the table and each player can",
                        member.name.span,
                    )
        for node in self.c.names.each(syntax.Component, syntax.ComponentFields):
            decl = components[str(node.name)]
            if node.on is not None:
                decl.on = self._standing(node.on)
            if node.count is not None:
                decl.count = self.c.exprs.fixed_number(node.count, decl.name, "the count")
            if isinstance(node, syntax.ComponentFields):
                self._fields(node, decl)
        tables = {str(node.name): node for node in self.c.names.each(syntax.Rows)}
        for node in self.c.names.each(syntax.Rows):
            self._rows(node)
        for decl in components.values():
            if decl.piece:
                continue
            if decl.name not in tables and (decl.fields or decl.count is None):
                missing = "rows" if decl.fields else "rows nor a count"
                word = "no" if decl.fields else "neither"
                help_line = f"add `rows {decl.name}:`" + (
                    "" if decl.fields else f" or write `component {decl.name} count n`"
                )
                self.error("D0320", f"`{decl.name}` has {word} {missing}", decl.span, help=help_line)
            if decl.name in tables and decl.count is not None:
                self._add_up(decl, decl.count, tables[decl.name])
            if self.c.fit.size_of(t.Comp(decl.name)) > LARGEST:
                self.error(
                    "D0303",
                    f"there are up to {self.c.fit.size_of(t.Comp(decl.name))} `{decl.name}`; the most is {LARGEST}",
                    decl.span,
                )
        for node in self.c.names.each(syntax.Token):
            amounts = tuple(
                self.c.exprs.fixed_number(item.amount, str(node.name), "the amount", high=t.MANY)
                for item in node.items
            )
            self.game.tokens[str(node.name)].amounts = amounts
        for name in [*components, *self.game.tokens]:
            if name in components and (components[name].piece or components[name].on is not None):
                continue
            self.game.places[f"box of {name}"] = PlaceDecl(
                name=f"box of {name}",
                span=self.c.file.span,
                owner="",
                indices=(),
                shape="bag",
                of=name,
                tokens=name in self.game.tokens,
            )

    def _add_up(self, decl: CompDecl, declared: Ex, node: syntax.Rows) -> None:
        """A count beside rows says how many there are in all. Counts that hang on options or the
        number of players are compared by the review (review/counts.py)."""
        numbers = [number for _, number in decl.rows if isinstance(number, int)]
        if isinstance(declared, Const) and len(numbers) == len(decl.rows) and sum(numbers) != declared.value:
            self.error(
                "D0509",
                f"the rows add up to {sum(numbers)}, but {declared.value} are declared",
                node.name.span,
                related=[(declared.span, "declared here")],
            )

    def _standing(self, name: Word) -> t.Type:
        if name in self.game.components:
            return t.Comp(str(name))
        for key, place in self.c.names.place_nodes():
            if place.name == name and isinstance(place.shape, syntax.ShapeGrid | syntax.ShapeRing):
                return t.Space(key)
        if name not in self.c.names.broken:
            known = [
                *self.game.components,
                *(
                    p.name
                    for _, p in self.c.names.place_nodes()
                    if isinstance(p.shape, syntax.ShapeGrid | syntax.ShapeRing)
                ),
            ]
            self.error(
                "D0206",
                f"`{name}` is neither a component nor a grid to stand on",
                name.span,
                help=did_you_mean(name, known),
            )
        return t.UNKNOWN

    def _fields(self, node: syntax.ComponentFields, decl: CompDecl) -> None:
        claimed: dict[str, Span] = {}
        for fld in node.fields:
            self.c.names.claim(claimed, fld.name)
            type_ = self.c.types.type(fld.type)
            inner = t.plain(type_.of) if isinstance(type_, t.SetOf) else t.plain(type_)
            if fld.indices:
                self.error(
                    "D0316",
                    f"a printed field is one value, so `{fld.name}` takes no index",
                    fld.name.span,
                    help=f"write `each {node.name} has:` for what changes",
                )
            if not isinstance(inner, t.Num | t.YesNo | t.Kind | t.Unknown):
                self.error(
                    "D0316",
                    f"a printed field cannot hold {t.a(type_)}",
                    fld.type.span,
                    help=f"write `each {node.name} has:` for what changes",
                )
                type_ = t.UNKNOWN
            decl.fields[str(fld.name)] = type_

    def _rows(self, node: syntax.Rows) -> None:
        decl = self.game.components.get(str(node.name))
        if decl is None:
            self.error(
                "D0206",
                f"there is no component `{node.name}`",
                node.name.span,
                help=did_you_mean(node.name, self.game.components),
            )
            return
        header, *body = [split_row(row) for row in node.rows]
        columns = [cell.text for cell in header]
        claimed: dict[str, Span] = {}
        for cell in header:
            self.c.names.claim(claimed, Word(cell.text, cell.span))
            if cell.text not in decl.fields and cell.text != "count":
                self.error(
                    "D0320",
                    f"`{decl.name}` has no field `{cell.text}`",
                    cell.span,
                    related=[(decl.span, "declared here")],
                    help=did_you_mean(cell.text, [*decl.fields, "count"]),
                )
        missing = [f"`{f}`" for f in decl.fields if f not in columns]
        if missing:
            self.error(
                "D0320",
                f"the header lacks {' and '.join(missing)}",
                node.rows[0].span,
                related=[(decl.span, "declared here")],
            )
            return
        if not body:
            self.error("D0320", "there is a header, but no rows under it", node.rows[0].span)
        kinds = self.c.names.kind_words()
        known: dict[Any, Span] = {}
        for cells, row in zip(body, node.rows[1:], strict=True):
            if not self.row_fits(cells, header, row):
                continue
            texts = tuple(cell.text for cell in cells)
            if texts in known:
                self.c.report.add(
                    "D0320",
                    "this row is the same as an earlier one",
                    row.span,
                    related=[(known[texts], "the earlier one")],
                    help="write one row with a `count`",
                    severity="warning",
                )
            known.setdefault(texts, row.span)
            values: dict[str, list[int]] = {}
            amount: Ex | int = 1
            for column, cell in zip(columns, cells, strict=True):
                if column == "count":
                    amount = self._count_cell(cell.text, cell.span)
                elif column in decl.fields:
                    values[column] = self._field_values(cell, decl.fields[column], kinds)
            many = math.prod(map(len, values.values()))
            if many > LARGEST:
                self.error("D0303", f"this row stands for {many} components; the most is {LARGEST}", row.span)
                continue
            for combo in itertools.product(*values.values()):
                decl.rows.append((dict(zip(values, combo, strict=True)), amount))

    def row_fits(self, cells: list[Any], header: list[Any], row: Word) -> bool:
        if is_ruler(cells):
            self.error(
                "D0312",
                "a table has no ruler",
                row.span,
                help="delete this line; the first row is the header",
            )
            return False
        if len(cells) != len(header):
            many = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
            self.error("D0312", f"this row has {many}, but the header has {len(header)}", row.span)
            return False
        return True

    def _field_values(self, cell: Any, type_: t.Type, kinds: dict[str, tuple[str, ...]]) -> list[int]:
        """A cell such as `1..13` or `any` stands for one row each."""
        self._row_or_set(cell, type_)
        if isinstance(t.plain(type_), t.Num | t.Kind) and (
            ".." in cell.text or "," in cell.text or cell.text == "any"
        ):
            return cell_values(cell, type_, kinds, self.c.report)
        value = read_cell(cell, type_, kinds, self.c.report)
        return [value] if value is not None else []

    def _row_or_set(self, cell: Any, type_: t.Type) -> None:
        """Warns of `N, E`, which might be one set or two rows. (Lists of other kinds are common, `N, E` as
        two tiles with one exit each is not.)"""
        parts = [part.strip() for part in cell.text.split(",")]
        if len(parts) < 2:
            return
        if isinstance(t.plain(type_), t.SetOf):
            message = f"`{cell.text}` is read as one set, in one row"
            help_line = f"write `{' '.join(parts)}` for the set, or a row for each"
        elif t.plain(type_) == t.DIRECTION:
            message = f"`{cell.text}` stands for {len(parts)} rows with one direction each"
            help_line = "write a row for each; for one row with all, the field is a `set of direction`"
        else:
            return
        self.c.report.add("D0322", message, cell.span, help=help_line, severity="warning")

    def _count_cell(self, text: str, span: Span) -> Ex | int:
        if re.fullmatch(r"[0-9]+", text):
            return self.c.exprs.whole(text, span)
        if re.fullmatch(r"[a-z_]\w*", text):
            return self.c.exprs.fixed_number(syntax.Name(Word(text, span), span=span), "count", "the count")
        self.error("D0312", f"`{text}` is not a number of components" if text else "this cell is empty", span)
        return 1
