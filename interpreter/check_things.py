"""Checking what there is: header, kinds, options, components, places, states, tables."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

from ..grammar import Span, Word, did_you_mean, syntax
from . import types as t
from .check_exprs import LANGUAGE_NAMES, LARGEST, MANY, _high
from .check_names import NameChecker, cites_of, doc_of, grows, player_counts, walk
from .constants import not_constant, options_in
from .core import (
    CompDecl,
    Ex,
    KindDecl,
    OptionDecl,
    PartitionDecl,
    PlaceDecl,
    RecordDecl,
    StateDecl,
    TableDecl,
    TokenDecl,
    Var,
)
from .scope import Body, Scope
from .tables import cell_values, is_ruler, key_universe, read_cell, split_row

MOST_PLAYERS = 62
MOST_KINDS = 62
MOST_CELLS = 1_000_000

SHAPES = {
    syntax.ShapeBag: "bag",
    syntax.ShapeRow: "row",
    syntax.ShapeStack: "stack",
    syntax.ShapeDeck: "deck",
    syntax.ShapeSlot: "slot",
    syntax.ShapeGrid: "grid",
    syntax.ShapeRing: "ring",
}


class ThingChecker(NameChecker):
    def _game_header(self) -> None:
        headers = list(self.each(syntax.Game))
        if not headers:
            start = Span(self.file.span.source, 0, min(1, len(self.file.span.source.text)))
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
        self.game.doc = doc_of(header)

    def _kinds(self) -> None:
        kinds = self.game.kinds
        nowhere = self.file.span
        kinds["direction"] = KindDecl(name="direction", span=nowhere, values=t.DIRECTIONS)
        kinds["rotation"] = KindDecl(name="rotation", span=nowhere, values=("r0", "r90", "r180", "r270"))
        for node in self.each(syntax.Kinds):
            self._kind(node, tuple(node.values))
        for node in self.each(syntax.Token):
            self._kind(node, tuple(item.name for item in node.items))
        for name, decl in kinds.items():
            if name != "direction":
                for value in decl.values:
                    self.kind_values.setdefault(value, []).append(name)

    def _kind(self, node: syntax.Kinds | syntax.Token, values: tuple[Word, ...]) -> None:
        seen: dict[str, Span] = {}
        for value in values:
            self.claim(seen, value)
            if value in LANGUAGE_NAMES:
                self.error(
                    "D0210", f"`{value}` is a word of the language", value.span, help="choose another name"
                )
            elif value in self.names and not self._only_called(value):
                here = [(self.names[value], "declared here")]
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

    def _options(self) -> None:
        for node in self.each(syntax.Option):
            base = node.type.base if isinstance(node.type, syntax.PlainType) else node.type
            kind = isinstance(base, syntax.NamedType) and base.name in self.game.kinds
            if isinstance(base, syntax.YesNoType | syntax.RangeType) or kind:
                type_ = self.type(node.type)
            else:
                type_ = self.error(
                    "D0316", "an option is a range of numbers, yes/no or a kind", node.type.span
                ).type
            decl = OptionDecl(
                name=str(node.name), span=node.name.span, type=type_, cites=cites_of(node), doc=doc_of(node)
            )
            self.game.options[decl.name] = decl
        for node in self.each(syntax.Option):
            decl = self.game.options[str(node.name)]
            decl.default = self.fixed(
                self.value(node.default, self.constants(decl.name), decl.type, "the default"), "the default"
            )
        self._option_cycles()
        for node in self.each(syntax.Token):
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

    def _early_defines(self) -> None:
        """Definitions that only rest on options and numbers can count components and size places,
        so they are known before those are looked at."""
        known = {*self.game.options, *self.kind_values, "yes", "no", "player_count", "min", "max", "abs"}
        waiting = {str(d.name): d for d in self.each(syntax.Define) if not d.params}
        found = True
        while found:
            found = False
            for name, node in list(waiting.items()):
                parts = list(walk(node.value))
                if any(
                    isinstance(p, syntax.TypeName | syntax.Attribute | syntax.SetComp | syntax.Comprehension)
                    for p in parts
                ):
                    del waiting[name]
                elif all(p.text in known for p in parts if isinstance(p, syntax.Name)):
                    self.define_nodes[name] = waiting.pop(name)
                    known.add(name)
                    found = True

    # ------------------------------------------------------------ components
    def _components(self) -> None:
        components = self.game.components
        for node in self.each(syntax.Component, syntax.ComponentFields):
            components[str(node.name)] = CompDecl(
                name=str(node.name), span=node.name.span, cites=cites_of(node), doc=doc_of(node)
            )
        for owner, member in self.members():
            if isinstance(member, syntax.Piece):
                key = f"{owner}.{member.name}" if owner else str(member.name)
                components[key] = CompDecl(
                    name=key, span=member.name.span, piece=True, cites=cites_of(member), doc=doc_of(member)
                )
        for owner, member in self.members():
            if isinstance(member, syntax.Piece):
                key = f"{owner}.{member.name}" if owner else str(member.name)
                components[key].on = self._standing(member.on)
                if owner not in ("", "player"):
                    self.error(
                        "D0316",
                        f"a {owner} cannot have a piece; only the table and each player can",
                        member.name.span,
                    )
        for node in self.each(syntax.Component, syntax.ComponentFields):
            decl = components[str(node.name)]
            if node.on is not None:
                decl.on = self._standing(node.on)
            if node.count is not None:
                decl.count = self.fixed_number(node.count, decl.name, "the count")
            if isinstance(node, syntax.ComponentFields):
                self._fields(node, decl)
        tables = {str(node.name): node for node in self.each(syntax.Rows)}
        for node in self.each(syntax.Rows):
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
                self.error(
                    "D0320",
                    f"`{decl.name}` has both rows and a count",
                    decl.span,
                    related=[(tables[decl.name].name.span, "the rows")],
                    help="put a column `count` into the rows",
                )
            if self.size_of(t.Comp(decl.name)) > LARGEST:
                self.error(
                    "D0303",
                    f"there are up to {self.size_of(t.Comp(decl.name))} `{decl.name}`; the most is {LARGEST}",
                    decl.span,
                )
        for node in self.each(syntax.Token):
            amounts = tuple(
                self.fixed_number(item.amount, str(node.name), "the amount", high=MANY) for item in node.items
            )
            self.game.tokens[str(node.name)].amounts = amounts
        for name in [*components, *self.game.tokens]:
            if name in components and (components[name].piece or components[name].on is not None):
                continue
            self.game.places[f"box of {name}"] = PlaceDecl(
                name=f"box of {name}",
                span=self.file.span,
                owner="",
                indices=(),
                shape="bag",
                of=name,
                tokens=name in self.game.tokens,
            )

    def _standing(self, name: Word) -> t.Type:
        if name in self.game.components:
            return t.Comp(str(name))
        for key, place in self._place_nodes():
            if place.name == name and isinstance(place.shape, syntax.ShapeGrid | syntax.ShapeRing):
                return t.Space(key)
        if name not in self.broken:
            known = [
                *self.game.components,
                *(
                    p.name
                    for _, p in self._place_nodes()
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
            self.claim(claimed, fld.name)
            type_ = self.type(fld.type)
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
            self.claim(claimed, Word(cell.text, cell.span))
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
        kinds = self.kind_words()
        known: dict[Any, Span] = {}
        for cells, row in zip(body, node.rows[1:], strict=True):
            if not self._row_fits(cells, header, row):
                continue
            texts = tuple(cell.text for cell in cells)
            if texts in known:
                self.report.add(
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

    def _row_fits(self, cells: list[Any], header: list[Any], row: Word) -> bool:
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
        if isinstance(type_, t.Num | t.Kind) and (
            ".." in cell.text or "," in cell.text or cell.text == "any"
        ):
            return cell_values(cell, type_, kinds, self.report)
        value = read_cell(cell, type_, kinds, self.report)
        return [value] if value is not None else []

    def _count_cell(self, text: str, span: Span) -> Ex | int:
        if re.fullmatch(r"[0-9]+", text):
            return self.whole(text, span)
        if re.fullmatch(r"[a-z_]\w*", text):
            return self.fixed_number(syntax.Name(Word(text, span), span=span), "count", "the count")
        self.error("D0312", f"`{text}` is not a number of components" if text else "this cell is empty", span)
        return 1

    # ------------------------------------------------------------ places and states
    def _places_and_states(self) -> None:
        for owner, member in self.members():
            if owner and owner != "player" and owner not in self.game.components:
                continue
            clash = (
                self.game.components[owner].fields
                if owner in self.game.components
                else ("seat",)
                if owner
                else ()
            )
            if member.name in clash:  # type: ignore[attr-defined]
                name: Word = member.name  # type: ignore[attr-defined]
                self.error(
                    "D0209", f"a {owner} already has a `{name}`", name.span, help="choose another name"
                )
            if isinstance(member, syntax.Place):
                self._place(owner, member)
            elif isinstance(member, syntax.State):
                decl = StateDecl(
                    name=str(member.name),
                    span=member.name.span,
                    owner=owner,
                    indices=self._indices(member.indices),
                    type=self._kept(member.type, "a state"),
                    initial=Ex("const", t.UNKNOWN, member.span, data=0),
                    until=self._until(member.until),
                    cites=cites_of(member),
                    doc=doc_of(member),
                )
                self.game.states[f"{owner}.{decl.name}" if owner else decl.name] = decl
        for node in self.each(syntax.Record):
            claimed: dict[str, Span] = {}
            for fld in node.fields:
                self.claim(claimed, fld.name)
            fields = {
                str(f.name): (self._indices(f.indices), self._kept(f.type, "a record")) for f in node.fields
            }
            limit = self.fixed_number(node.limit, str(node.name), "the limit", low=1)
            self.game.records[str(node.name)] = RecordDecl(
                name=str(node.name), span=node.name.span, limit=limit, fields=fields, cites=cites_of(node)
            )

    def _owners(self) -> None:
        for decl in self.each(syntax.EachHas, syntax.EachHasOne):
            if decl.owner != "player" and decl.owner not in self.game.components:
                self.error(
                    "D0206",
                    f"there is no component `{decl.owner}`",
                    decl.owner.span,
                    help=did_you_mean(decl.owner, [*self.game.components, "player"]),
                )

    def _indices(self, nodes: tuple[syntax.TypeNode, ...]) -> tuple[t.Type, ...]:
        """The types between brackets: each must have a known number of values."""
        out = []
        for node in nodes:
            type_ = self.type(node)
            unbounded = isinstance(type_, t.Space) and any(
                key == type_.of and grows(place) for key, place in self._place_nodes()
            )
            if unbounded:
                type_ = self.error(
                    "D0316",
                    "a grid that grows has no fixed number of spaces, so they cannot be an index",
                    node.span,
                ).type
            elif not isinstance(
                type_, t.Num | t.Kind | t.Player | t.YesNo | t.Comp | t.Space | t.Rec | t.Unknown
            ):
                type_ = self.error("D0316", f"{t.a(type_)} cannot be an index", node.span).type
            out.append(type_)
        return tuple(out)

    def _kept(self, node: syntax.TypeNode, where: str) -> t.Type:
        """A type whose values can be kept from one decision to the next."""
        type_ = self.type(node)
        if isinstance(t.plain(type_), t.Place | t.ListOf):
            return self.error(
                "D0316",
                f"{where} cannot hold {t.a(type_)}",
                node.span,
                help="a `place` holds components and tokens; a `set of` holds values",
            ).type
        return type_

    def _sizes(self) -> None:
        """Everything at the table must fit into a state of a reasonable size."""
        sized: list[StateDecl | PlaceDecl | RecordDecl]
        sized = [*self.game.states.values(), *self.game.places.values(), *self.game.records.values()]
        for decl in sized:
            if isinstance(decl, RecordDecl):
                cells = sum(self._cells(indices) for indices, _ in decl.fields.values()) * max(
                    1, _high(decl.limit.type)
                )
            else:
                own = (self.owner_type(decl.owner),) if decl.owner else ()
                cells = self._cells((*own, *decl.indices))
                if isinstance(decl, PlaceDecl) and decl.width is not None:
                    cells *= self.size_of(t.Space(self.place_key(decl)))
            if cells > MOST_CELLS:
                self.error(
                    "D0303", f"`{decl.name}` would have {cells} cells; the most is {MOST_CELLS}", decl.span
                )

    def _cells(self, indices: tuple[t.Type, ...]) -> int:
        return math.prod(self.size_of(i) for i in indices if not isinstance(i, t.Unknown))

    def _until(self, node: syntax.UntilEnds | syntax.UntilMoved | None) -> str | None:
        if node is None:
            return None
        if isinstance(node, syntax.UntilMoved):
            return "moved"
        known = {"turn", "phase", "action", *self.labels}
        if node.scope not in known:
            self.error(
                "D0207",
                f"there is no scope `{node.scope}`",
                node.scope.span,
                help=did_you_mean(node.scope, known),
            )
        return str(node.scope)

    def _place(self, owner: str, node: syntax.Place) -> None:
        of = node.of
        tokens = of in self.game.tokens
        if not tokens and of not in self.game.components:
            known = [*self.game.components, *self.game.tokens]
            if of in self.names:
                here = [(self.names[of], "declared here")]
                self.error(
                    "D0204",
                    f"`{of}` is neither a component nor a token",
                    of.span,
                    related=here,
                    help=f"write `token {of}: ...` or `component {of}: ...`",
                )
            else:
                self.error(
                    "D0206", f"there is no component or token `{of}`", of.span, help=did_you_mean(of, known)
                )
            return
        shape = SHAPES[type(node.shape)]
        key = f"{owner}.{node.name}" if owner else str(node.name)
        decl = PlaceDecl(
            name=str(node.name),
            span=node.name.span,
            owner=owner,
            indices=self._indices(node.indices),
            shape=shape,
            of=str(of),
            tokens=tokens,
            cites=cites_of(node),
            doc=doc_of(node),
        )
        self.game.places[key] = decl
        if isinstance(node.shape, syntax.ShapeGrid) and node.shape.width is not None:
            assert node.shape.height is not None
            decl.width = self.fixed_number(node.shape.width, decl.name, "the width", low=1)
            decl.height = self.fixed_number(node.shape.height, decl.name, "the height", low=1)
        if isinstance(node.shape, syntax.ShapeRing):
            if node.shape.size is not None:
                decl.width = self.fixed_number(node.shape.size, decl.name, "the size", low=1)
            else:
                self.error("D0315", "how many spaces has the ring?", node.shape.span, help="write `ring 9`")
        if tokens and shape in ("row", "stack", "deck"):
            self.error(
                "D0314",
                f"tokens have no order, so a {shape} cannot hold them",
                node.shape.span,
                help=f"make it a `bag`, or `{of}` a component",
            )
        if tokens and grows(node):
            self.error(
                "D0314",
                "tokens cannot make a grid grow",
                node.shape.span,
                help="give it a size: `grid 5 by 5`",
            )
        if not tokens and self.game.components[str(of)].on is not None:
            standing = self.game.components[str(of)]
            self.error(
                "D0314",
                f"{t.a(t.Comp(str(of)))} stands on {t.a(standing.on) if standing.on else 'something'}, so it cannot lie in a place",
                of.span,
                related=[(standing.span, "declared here")],
            )
        explicit_size = False
        clauses: dict[type, Span] = {}
        for clause in node.clauses:
            if type(clause) in clauses:
                self.error(
                    "D0202",
                    "this is said twice",
                    clause.span,
                    related=[(clauses[type(clause)], "first here")],
                )
            clauses.setdefault(type(clause), clause.span)
            match clause:
                case syntax.SeenBy(who=who):
                    decl.seen = self._member_audience(who, owner)
                case syntax.SizeSeenBy(who=who):
                    decl.size_seen = self._member_audience(who, owner)
                    explicit_size = True
                case syntax.TopSeenBy(who=who):
                    decl.top_seen = self._member_audience(who, owner)
                    if shape not in ("stack", "row"):
                        help_line = "`peek` shows the top of a deck" if shape == "deck" else None
                        self.error(
                            "D0315",
                            f"the top of a {shape} is not something to see",
                            clause.span,
                            help=help_line,
                        )
                case syntax.AtMost(limit=limit):
                    if shape not in ("bag", "row", "stack"):
                        self.error(
                            "D0315",
                            f"`at most` is for a bag, a row or a stack, not for a {shape}",
                            clause.span,
                        )
                    decl.cap = self.fixed_number(limit, decl.name, "the limit", high=MANY)
                case syntax.PerGroup(name=name):
                    decl.per = str(name)
                    if owner != "player":
                        self.error("D0316", "`per` is for a place that each player has", clause.span)
        if not explicit_size:
            decl.size_seen = "all"

    def _member_audience(self, node: syntax.Audience, owner: str) -> Any:
        if isinstance(node, syntax.AudienceOwner) and owner != "player":
            self.error(
                "D0308", "this has no owner: only what each player has is seen by its owner", node.span
            )
            return "nobody"
        audience = self.audience(node, self.constants("audience"), owner=True)
        return self.fixed(audience, "who sees it") if isinstance(audience, Ex) else audience

    def _initial_values(self) -> None:
        for owner, member in self.members():
            key = f"{owner}.{member.name}" if owner else str(member.name)  # type: ignore[attr-defined]
            if isinstance(member, syntax.State) and key in self.game.states:
                decl = self.game.states[key]
                first = self.value(member.initial, self.constants(key), decl.type, "the first value")
                decl.initial = self.fixed(first, "the first value")
                if member.seen is not None:
                    decl.seen = self._member_audience(member.seen, owner)
                if decl.until == "moved" and (not owner or owner == "player"):
                    assert member.until is not None
                    self.error(
                        "D0207",
                        "`until moved` is for what a component has",
                        member.until.span,
                        help="write `each Card has:`, say",
                    )
            if isinstance(member, syntax.Place) and key in self.game.places:
                for clause in member.clauses:
                    if isinstance(clause, syntax.AtMost) and clause.rest is not None:
                        rest = self.expr(clause.rest, Scope(Body(key, "constant"), has_me=owner == "player"))
                        if isinstance(rest.type, t.Place):
                            self.game.places[key].rest = rest
                        elif not isinstance(rest.type, t.Unknown):
                            self.error(
                                "D0314",
                                f"the rest goes to a place, not to {t.a(rest.type)}",
                                clause.rest.span,
                            )
                        if isinstance(rest.type, t.Place) and not self._passable(rest.type):
                            self.error(
                                "D0315",
                                f"the rest cannot go to {t.a(rest.type)}",
                                clause.rest.span,
                                related=self.where(rest),
                            )
                        elif isinstance(rest.type, t.Place) and rest.type.of != self.game.places[key].of:
                            self.error(
                                "D0314",
                                f"this holds {rest.type.of}, not {self.game.places[key].of}",
                                clause.rest.span,
                            )
                    if (
                        isinstance(clause, syntax.PerGroup)
                        and owner == "player"
                        and clause.name not in self.game.partitions
                    ):
                        self.error(
                            "D0201",
                            f"there is no partition `{clause.name}`",
                            clause.name.span,
                            help=did_you_mean(clause.name, self.game.partitions),
                        )

    def _rests(self) -> None:
        """What is too much must come to lie somewhere in the end."""
        for place in self.game.places.values():
            way = [place]
            while way[-1].rest is not None and way[-1].rest.op == "place" and way[-1].rest.data not in way:
                way.append(way[-1].rest.data)
            last = way[-1].rest
            if last is not None and last.op == "place" and last.data is place:
                self.error("D0318", f"the rest of `{place.name}` comes back to `{place.name}`", place.span)

    def _partitions(self) -> None:
        for node in self.each(syntax.Partition):
            scope = self.constants(str(node.name))
            var = scope.bind("seat", t.Num(1, max(self.game.players)))
            by = self.number(node.by, scope, "what the groups go by")
            found = not_constant(by, frozenset((var.uid,)))
            if found is not None:
                by = self.error(
                    "D0317", "groups go by `seat` and what is fixed before the game starts", found[0]
                )
            self.game.partitions[str(node.name)] = PartitionDecl(
                name=str(node.name), span=node.name.span, by=by, var=var, cites=cites_of(node)
            )

    # ------------------------------------------------------------ tables
    def _tables(self) -> None:
        for node in self.each(syntax.Table):
            params = tuple(Var(str(p.name), str(p.name), self.type(p.type)) for p in node.params)
            decl = TableDecl(
                name=str(node.name),
                span=node.name.span,
                params=params,
                type=self.type(node.type),
                cites=cites_of(node),
                doc=doc_of(node),
            )
            self.game.tables[decl.name] = decl
            inner = t.plain(decl.type.of) if isinstance(decl.type, t.SetOf) else t.plain(decl.type)
            claimed: dict[str, Span] = {}
            for p in node.params:
                self.claim(claimed, p.name)
            if not isinstance(inner, t.Num | t.YesNo | t.Kind | t.Unknown):
                self.error("D0316", f"a table cannot give {t.a(decl.type)}", node.type.span)
            elif not any(isinstance(p.type, t.Unknown) for p in params) and not isinstance(inner, t.Unknown):
                self._fill_table(node, decl)

    def _fill_table(self, node: syntax.Table, decl: TableDecl) -> None:
        kinds = self.kind_words()
        for p, written in zip(decl.params, node.params, strict=True):
            if not isinstance(p.type, t.Num | t.Kind | t.YesNo):
                self.error("D0316", f"a table cannot run over {t.a(p.type)}", written.type.span)
                return
        if self._cells(tuple(p.type for p in decl.params)) > MOST_CELLS // 10:
            self.error(
                "D0303",
                f"this table would have {self._cells(tuple(p.type for p in decl.params))} cases; the most is {MOST_CELLS // 10}",
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
            if not self._row_fits(cells, header, row):
                continue
            own = cells[: keys - 1] if spread is not None else cells[:keys]
            sets = [
                cell_values(c, p.type, kinds, self.report) for c, p in zip(own, decl.params, strict=False)
            ]
            results = (
                [((v,), c) for v, c in zip(spread, cells[keys - 1 :], strict=True)]
                if spread is not None
                else [((), cells[keys])]
            )
            for more, cell in results:
                value = read_cell(cell, decl.type, kinds, self.report)
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
        if missing and not any(d.code in ("D0303", "D0312") and d.span.start in span for d in self.report):
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
