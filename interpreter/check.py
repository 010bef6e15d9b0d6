"""The checker: from a syntax tree (overlays laid on) to a checked game.

Declarations are gathered by name first, so their order does not matter; then
types, then bodies. Definitions are checked when first used, so their result
types can be inferred. Every problem is reported and checking goes on.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import attrs

from ..grammar import Report, Span, Word, did_you_mean, syntax
from . import types as t
from .check_exprs import MANY, _high, _low
from .check_stmts import StmtChecker
from .core import (
    CheckedGame,
    CompDecl,
    DefineDecl,
    EndingDecl,
    Ex,
    InvariantDecl,
    KindDecl,
    OptionDecl,
    PartitionDecl,
    PlaceDecl,
    RecordDecl,
    RuleDecl,
    St,
    StateDecl,
    TableDecl,
    TokenDecl,
    Var,
)
from .scope import Body, Scope
from .tables import cell_values, key_universe, read_cell, split_row

SHAPES = {
    syntax.ShapeBag: "bag",
    syntax.ShapeRow: "row",
    syntax.ShapeStack: "stack",
    syntax.ShapeDeck: "deck",
    syntax.ShapeSlot: "slot",
    syntax.ShapeGrid: "grid",
    syntax.ShapeRing: "ring",
}


def check(file: syntax.File, report: Report) -> CheckedGame:
    """The checked game; only to be used when the report has no errors."""
    return Checker(file, report).run()


class Checker(StmtChecker):
    def __init__(self, file: syntax.File, report: Report) -> None:
        self.file = file
        self.report = report
        self.game = CheckedGame()
        self.names: dict[str, Span] = {}
        self.kind_values: dict[str, list[str]] = {}
        self.define_nodes: dict[str, syntax.Define] = {}
        self._defining: list[str] = []
        self.rule_nodes: dict[str, syntax.Rule | syntax.Action] = {}
        self.signatures: dict[str, tuple[tuple[Var, ...], t.Type | None]] = {}
        self.menus: dict[str, tuple[t.Type, ...]] = {}
        self.labels: dict[str, Span] = {}
        self.bodies: dict[str, Body] = {}
        self.outer_stops: list[tuple[str, str, Span]] = []

    # ------------------------------------------------------------ order of work
    def run(self) -> CheckedGame:
        self._gather()
        for step in (
            self._game_header,
            self._kinds,
            self._options,
            self._components,
            self._places_and_states,
            self._tables,
            self._partitions,
            self._initial_values,
            self._defines,
            self._signatures,
            self._rules,
            self._triggers,
            self._phases,
            self._endings,
            self._invariants,
            self._scenarios,
            self._settle_me,
            self._check_stops,
        ):
            step()
        return self.game

    def each(self, *kinds: type) -> Iterator[Any]:
        return (d for d in self.file.decls if isinstance(d, kinds))

    def _gather(self) -> None:
        """Every name once; labels of loops and phases for `stop`."""
        spaces: dict[str, dict[str, Span]] = {}
        for decl in self.file.decls:
            name = getattr(decl, "name", None)
            if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                for member in decl.members:
                    self._claim(spaces.setdefault(f"each {decl.owner}", {}), member.name)  # type: ignore[attr-defined]
                continue
            if isinstance(decl, syntax.Game | syntax.Variant | syntax.Scenario | syntax.Rows) or name is None:
                continue
            own = isinstance(decl, syntax.Trigger | syntax.Ending | syntax.Always | syntax.Never | syntax.Phase)
            space = type(decl).__name__ if own else "names"
            self._claim(spaces.setdefault(space, {}), name)
        self.names = spaces.get("names", {})
        for node in _walk(self.file):
            if isinstance(node, syntax.Turns | syntax.Rounds | syntax.ForLoop | syntax.Repeat) and node.label:
                self.labels.setdefault(str(node.label), node.label.span)
            elif isinstance(node, syntax.Phase):
                self.labels.setdefault(str(node.name), node.name.span)

    def _claim(self, space: dict[str, Span], name: Word) -> None:
        if name in space:
            self.error(
                "D0202",
                f"`{name}` is declared twice",
                name.span,
                related=[(space[name], "first declared here")],
            )
        else:
            space[str(name)] = name.span

    # ------------------------------------------------------------ small declarations
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
        if not self.game.players or min(self.game.players) < 1:
            self.error("D0303", "a game has at least one player, and the lower number comes first", header.players.span)
            self.game.players = (1,)
        self.game.doc = _doc(header)

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
            self._claim(seen, value)
        if len(values) > 62:
            self.error("D0316", "an enumeration has at most 62 values", node.span)
        words = tuple(str(v) for v in seen)
        self.game.kinds[str(node.name)] = KindDecl(
            name=str(node.name), span=node.name.span, values=words, cites=_cites(node), doc=_doc(node)
        )

    def constants(self, name: str) -> Scope:
        """A scope for expressions that are fixed before the game."""
        return Scope(Body(name, "constant"), has_me=False)

    def _options(self) -> None:
        for node in self.each(syntax.Option):
            type_ = self.type(node.type)
            decl = OptionDecl(name=str(node.name), span=node.name.span, type=type_, cites=_cites(node), doc=_doc(node))
            self.game.options[decl.name] = decl
        for node in self.each(syntax.Option):
            decl = self.game.options[str(node.name)]
            decl.default = self.value(node.default, self.constants(decl.name), decl.type, "the default")
        for node in self.each(syntax.Token):
            scope = self.constants(str(node.name))
            self.game.tokens[str(node.name)] = TokenDecl(
                name=str(node.name), span=node.name.span, amounts=(), cites=_cites(node), doc=_doc(node)
            )
            del scope

    def type(self, node: syntax.TypeNode) -> t.Type:
        match node:
            case syntax.PlainType(base=base):
                return self.type(base)
            case syntax.OptionalType(base=base):
                inner = self.type(base)
                if isinstance(inner, t.Num) and inner.low < 0:
                    self.error("D0316", "`or none` needs a range that starts at 0 or above", node.span)
                return t.Opt(inner)
            case syntax.YesNoType():
                return t.YES_NO
            case syntax.RangeType(low=low, high=high):
                scope = self.constants("range")
                a, b = self.number(low, scope), self.number(high, scope)
                if isinstance(a.type, t.Num) and isinstance(b.type, t.Num) and a.type.low > b.type.high:
                    self.error("D0303", "this range is empty: the lower number comes first", node.span)
                return t.Num(_low(a.type), _high(b.type))
            case syntax.SetType(of=of):
                return t.SetOf(self.type(of))
            case syntax.ListType(of=of):
                return t.ListOf(self.type(of))
            case syntax.SpaceType(place=place):
                return self._space_type(place, node.span)
            case syntax.PlaceType(of=of):
                if of not in self.game.tokens and of not in self.game.components:
                    self._unknown_type(of)
                return t.Place("", str(of))
            case syntax.NamedType(name=name):
                return self._named_type(name)
        raise AssertionError(type(node))

    def _named_type(self, name: Word) -> t.Type:
        match str(name):
            case "player":
                return t.PLAYER
            case "direction":
                return t.DIRECTION
            case "rotation":
                return t.ROTATION
            case "number":
                return t.Num(-MANY, MANY)
        if name in self.game.kinds:
            return t.Kind(str(name))
        if any(isinstance(d, syntax.Component | syntax.ComponentFields) and d.name == name for d in self.file.decls):
            return t.Comp(str(name))
        if any(isinstance(d, syntax.Record) and d.name == name for d in self.file.decls):
            return t.Rec(str(name))
        return self._unknown_type(name)

    def _unknown_type(self, name: Word) -> t.Type:
        known = ["player", "number", "direction", "rotation", "space"]
        known += [n for n in self.names if n[:1].isupper()]
        self.error("D0206", f"there is no type `{name}`", name.span, help=did_you_mean(name, known))
        return t.UNKNOWN

    def _space_type(self, place: Word | None, span: Span) -> t.Type:
        grids = [
            (key, decl)
            for key, decl in self._place_nodes()
            if isinstance(decl.shape, syntax.ShapeGrid | syntax.ShapeRing)
        ]
        if place is not None:
            for key, decl in grids:
                if decl.name == place:
                    return t.Space(key)
            self.error("D0321", f"`{place}` is not a grid or a ring", place.span, help=did_you_mean(place, [k for k, _ in grids]))
            return t.UNKNOWN
        if len(grids) == 1:
            return t.Space(grids[0][0])
        if not grids:
            self.error("D0321", "there is no grid or ring with spaces", span)
        else:
            names = " or ".join(f"`space of {decl.name}`" for _, decl in grids)
            self.error("D0321", "which space is meant?", span, help=f"write {names}")
        return t.UNKNOWN

    def _place_nodes(self) -> Iterator[tuple[str, syntax.Place]]:
        for owner, member in self.members():
            if isinstance(member, syntax.Place):
                yield (f"{owner}.{member.name}" if owner else str(member.name)), member

    def members(self) -> Iterator[tuple[str, syntax.Decl]]:
        """Places, states and pieces with their owner ('' for the table)."""
        for decl in self.file.decls:
            if isinstance(decl, syntax.Place | syntax.State | syntax.Piece):
                yield "", decl
            elif isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                for member in decl.members:
                    yield str(decl.owner), member

    # ------------------------------------------------------------ components
    def _components(self) -> None:
        components = self.game.components
        for node in self.each(syntax.Component, syntax.ComponentFields):
            components[str(node.name)] = CompDecl(name=str(node.name), span=node.name.span, cites=_cites(node), doc=_doc(node))
        for owner, member in self.members():
            if isinstance(member, syntax.Piece):
                key = f"{owner}.{member.name}" if owner else str(member.name)
                components[key] = CompDecl(name=key, span=member.name.span, piece=True, cites=_cites(member), doc=_doc(member))
        for owner, member in self.members():
            if isinstance(member, syntax.Piece):
                key = f"{owner}.{member.name}" if owner else str(member.name)
                components[key].on = self._standing(member.on)
                if owner not in ("", "player"):
                    self.error("D0316", "a piece belongs to the table or to each player", member.span)
        for node in self.each(syntax.Component, syntax.ComponentFields):
            decl = components[str(node.name)]
            if node.on is not None:
                decl.on = self._standing(node.on)
            if node.count is not None:
                decl.count = self.number(node.count, self.constants(decl.name), "the count")
            if isinstance(node, syntax.ComponentFields):
                for fld in node.fields:
                    if fld.name in decl.fields:
                        self.error("D0202", f"`{fld.name}` is declared twice", fld.name.span)
                    decl.fields[str(fld.name)] = self.type(fld.type)
        for node in self.each(syntax.Rows):
            self._rows(node)
        for decl in components.values():
            if not decl.piece and decl.count is None and not decl.rows:
                self.error("D0320", f"`{decl.name}` has neither rows nor a count", decl.span, help=f"add `rows {decl.name}:` or `component {decl.name} count n`")
        for node in self.each(syntax.Token):
            scope = self.constants(str(node.name))
            amounts = tuple(self.number(item.amount, scope, "the amount") for item in node.items)
            self.game.tokens[str(node.name)].amounts = amounts
        for name in [*components, *self.game.tokens]:
            if name in components and (components[name].piece or components[name].on is not None):
                continue
            self.game.places[f"box of {name}"] = PlaceDecl(
                name=f"box of {name}", span=self.file.span, owner="", indices=(), shape="bag", of=name, tokens=name in self.game.tokens
            )

    def _standing(self, name: Word) -> t.Type:
        if name in self.game.components:
            return t.Comp(str(name))
        for key, place in self._place_nodes():
            if place.name == name and isinstance(place.shape, syntax.ShapeGrid | syntax.ShapeRing):
                return t.Space(key)
        self.error("D0206", f"nothing can stand on `{name}`: it is neither a component nor a grid", name.span)
        return t.UNKNOWN

    def kind_words(self) -> dict[str, tuple[str, ...]]:
        return {name: decl.values for name, decl in self.game.kinds.items()}

    def _rows(self, node: syntax.Rows) -> None:
        decl = self.game.components.get(str(node.name))
        if decl is None:
            self.error("D0206", f"there is no component `{node.name}`", node.name.span, help=did_you_mean(node.name, self.game.components))
            return
        header, *body = [split_row(row) for row in node.rows]
        columns = [cell.text for cell in header]
        for cell in header:
            if cell.text not in decl.fields and cell.text != "count":
                self.error("D0320", f"`{decl.name}` has no field `{cell.text}`", cell.span, help=did_you_mean(cell.text, [*decl.fields, "count"]))
        missing = [f for f in decl.fields if f not in columns]
        if missing:
            self.error("D0320", f"the table lacks the column {', '.join(missing)}", node.rows[0].span, related=[(decl.span, "the component")])
            return
        kinds = self.kind_words()
        for cells in body:
            if len(cells) != len(columns):
                self.error("D0312", f"{len(cells)} cells, but the header has {len(columns)}", cells[0].span)
                continue
            values: dict[str, list[int]] = {}
            amount: Ex | int = 1
            for column, cell in zip(columns, cells, strict=True):
                if column == "count":
                    amount = self._count_cell(cell.text, cell.span)
                elif column in decl.fields:
                    values[column] = self._field_values(cell, decl.fields[column], kinds)
            for combo in itertools.product(*values.values()):
                decl.rows.append((dict(zip(values, combo, strict=True)), amount))

    def _field_values(self, cell: Any, type_: t.Type, kinds: dict[str, tuple[str, ...]]) -> list[int]:
        """A cell such as `1..13` or `any` stands for one row each."""
        if isinstance(type_, t.Num | t.Kind) and (".." in cell.text or "," in cell.text or cell.text == "any"):
            return cell_values(cell, type_, kinds, self.report)
        return [read_cell(cell, type_, kinds, self.report)]

    def _count_cell(self, text: str, span: Span) -> Ex | int:
        if text.isdigit():
            return int(text)
        if re.fullmatch(r"[a-z_]\w*", text):
            return self.number(syntax.Name(Word(text, span), span=span), self.constants("count"), "the count")
        self.error("D0312", f"`{text}` is not a number", span)
        return 1

    # ------------------------------------------------------------ places and states
    def _places_and_states(self) -> None:
        for owner, member in self.members():
            if owner and owner != "player" and owner not in self.game.components:
                self.error("D0206", f"there is no component `{owner}`", member.span, help=did_you_mean(owner, [*self.game.components, "player"]))
                continue
            if isinstance(member, syntax.Place):
                self._place(owner, member)
            elif isinstance(member, syntax.State):
                decl = StateDecl(
                    name=str(member.name),
                    span=member.name.span,
                    owner=owner,
                    indices=tuple(self.type(i) for i in member.indices),
                    type=self.type(member.type),
                    initial=Ex("const", t.UNKNOWN, member.span, data=0),
                    until=self._until(member.until),
                    cites=_cites(member),
                    doc=_doc(member),
                )
                self.game.states[f"{owner}.{decl.name}" if owner else decl.name] = decl
        for node in self.each(syntax.Record):
            fields = {str(f.name): (tuple(self.type(i) for i in f.indices), self.type(f.type)) for f in node.fields}
            limit = self.number(node.limit, self.constants(str(node.name)), "the limit")
            self.game.records[str(node.name)] = RecordDecl(
                name=str(node.name), span=node.name.span, limit=limit, fields=fields, cites=_cites(node)
            )

    def _until(self, node: syntax.UntilEnds | syntax.UntilMoved | None) -> str | None:
        if node is None:
            return None
        if isinstance(node, syntax.UntilMoved):
            return "moved"
        known = {"turn", "phase", "action", *self.labels}
        if node.scope not in known:
            self.error("D0207", f"there is no scope `{node.scope}`", node.scope.span, help=did_you_mean(node.scope, known))
        return str(node.scope)

    def _place(self, owner: str, node: syntax.Place) -> None:
        of = node.of
        tokens = of in self.game.tokens
        if not tokens and of not in self.game.components:
            self.error("D0206", f"there is no component or token `{of}`", of.span, help=did_you_mean(of, [*self.game.components, *self.game.tokens]))
            return
        shape = SHAPES[type(node.shape)]
        key = f"{owner}.{node.name}" if owner else str(node.name)
        decl = PlaceDecl(
            name=str(node.name),
            span=node.name.span,
            owner=owner,
            indices=tuple(self.type(i) for i in node.indices),
            shape=shape,
            of=str(of),
            tokens=tokens,
            cites=_cites(node),
            doc=_doc(node),
        )
        self.game.places[key] = decl
        scope = self.constants(decl.name)
        if isinstance(node.shape, syntax.ShapeGrid) and node.shape.width is not None:
            assert node.shape.height is not None
            decl.width = self.number(node.shape.width, scope, "the width")
            decl.height = self.number(node.shape.height, scope, "the height")
        if isinstance(node.shape, syntax.ShapeRing):
            if node.shape.size is not None:
                decl.width = self.number(node.shape.size, scope, "the size")
            else:
                self.error("D0315", "how many spaces has the ring?", node.shape.span, help="write `ring 9`")
        if tokens and shape in ("row", "stack", "deck"):
            self.error("D0314", f"tokens have no order, so a {shape} cannot hold them", node.span, help="use a `bag`, or a `component`")
        if not tokens and self.game.components[str(of)].on is not None:
            self.error("D0314", f"a {of} stands on something and cannot lie in a place", of.span)
        explicit_size = False
        for clause in node.clauses:
            match clause:
                case syntax.SeenBy(who=who):
                    decl.seen = self._member_audience(who, owner)
                case syntax.SizeSeenBy(who=who):
                    decl.size_seen = self._member_audience(who, owner)
                    explicit_size = True
                case syntax.TopSeenBy(who=who):
                    decl.top_seen = self._member_audience(who, owner)
                    if shape not in ("stack", "deck", "row"):
                        self.error("D0315", f"a {shape} has no top", clause.span)
                case syntax.AtMost(limit=limit):
                    decl.cap = self.number(limit, scope, "the limit")
                case syntax.PerGroup(name=name):
                    decl.per = str(name)
        if not explicit_size:
            decl.size_seen = "all"

    def _member_audience(self, node: syntax.Audience, owner: str) -> Any:
        if isinstance(node, syntax.AudienceOwner) and owner != "player":
            self.error("D0308", "only what a player has is seen by its owner", node.span)
            return "nobody"
        return self.audience(node, self.constants("audience"), owner=True)

    def _initial_values(self) -> None:
        for owner, member in self.members():
            key = f"{owner}.{member.name}" if owner else str(member.name)  # type: ignore[attr-defined]
            if isinstance(member, syntax.State) and key in self.game.states:
                decl = self.game.states[key]
                decl.initial = self.value(member.initial, self.constants(key), decl.type, "the first value")
                if member.seen is not None:
                    decl.seen = self._member_audience(member.seen, owner)
                if decl.until == "moved" and (not owner or owner == "player"):
                    self.error("D0207", "`until moved` is for what a component has", member.span)
            if isinstance(member, syntax.Place) and key in self.game.places:
                for clause in member.clauses:
                    if isinstance(clause, syntax.AtMost) and clause.rest is not None:
                        rest = self.expr(clause.rest, Scope(Body(key, "constant"), has_me=True))
                        if isinstance(rest.type, t.Place):
                            self.game.places[key].rest = rest
                        elif not isinstance(rest.type, t.Unknown):
                            self.error("D0314", f"the rest goes to a place, not to {rest.type}", clause.rest.span)
                    if isinstance(clause, syntax.PerGroup) and clause.name not in self.game.partitions:
                        self.error("D0201", f"there is no partition `{clause.name}`", clause.name.span, help=did_you_mean(clause.name, self.game.partitions))

    def _partitions(self) -> None:
        for node in self.each(syntax.Partition):
            scope = self.constants(str(node.name))
            var = scope.bind("seat", t.Num(1, max(self.game.players)))
            by = self.number(node.by, scope, "what the groups go by")
            self.game.partitions[str(node.name)] = PartitionDecl(name=str(node.name), span=node.name.span, by=by, var=var, cites=_cites(node))

    # ------------------------------------------------------------ tables
    def _tables(self) -> None:
        for node in self.each(syntax.Table):
            params = tuple(Var(str(p.name), str(p.name), self.type(p.type)) for p in node.params)
            decl = TableDecl(name=str(node.name), span=node.name.span, params=params, type=self.type(node.type), cites=_cites(node), doc=_doc(node))
            self.game.tables[decl.name] = decl
            if not any(isinstance(p.type, t.Unknown) for p in params) and not isinstance(decl.type, t.Unknown):
                self._fill_table(node, decl)

    def _fill_table(self, node: syntax.Table, decl: TableDecl) -> None:
        kinds = self.kind_words()
        for p, written in zip(decl.params, node.params, strict=True):
            if not key_universe(p.type, kinds):
                self.error("D0311", f"a table cannot run over {p.type}", written.span)
                return
        header, *body = [split_row(row) for row in node.rows]
        keys = len(decl.params)
        spread = self._spread(header, decl, kinds)
        if spread is None and len(header) != keys + 1:
            self.error("D0312", f"the header needs {keys + 1} columns: {', '.join(p.name for p in decl.params)} and the result", node.rows[0].span)
            return
        filled: dict[tuple[int, ...], tuple[int, Span]] = {}
        for cells in body:
            if len(cells) != len(header):
                self.error("D0312", f"{len(cells)} cells, but the header has {len(header)}", cells[0].span)
                continue
            own = cells[: keys - 1] if spread is not None else cells[:keys]
            sets = [cell_values(c, p.type, kinds, self.report) for c, p in zip(own, decl.params, strict=False)]
            results = [((v,), c) for v, c in zip(spread, cells[keys - 1 :], strict=True)] if spread is not None else [((), cells[keys])]
            for more, cell in results:
                value = read_cell(cell, decl.type, kinds, self.report)
                for combo in itertools.product(*sets):
                    key = (*combo, *more)
                    if key in filled:
                        self.error("D0311", "this case is given twice", cell.span, related=[(filled[key][1], "first here")])
                    filled[key] = (value, cell.span)
        decl.rows = [(key, value) for key, (value, _) in filled.items()]
        for key in itertools.product(*(key_universe(p.type, kinds) for p in decl.params)):
            if key not in filled:
                shown = ", ".join(self._show(v, p.type) for v, p in zip(key, decl.params, strict=True))
                self.error("D0311", f"the table says nothing for {shown}", decl.span, help="every case needs a row; `9..` and `any` cover many")
                return

    def _spread(self, header: list[Any], decl: TableDecl, kinds: dict[str, tuple[str, ...]]) -> list[int] | None:
        """The values of the last parameter, when they stand as columns of the header."""
        last = decl.params[-1].type
        columns = [cell.text for cell in header[len(decl.params) - 1 :]]
        if isinstance(last, t.Kind) and len(columns) > 1 and all(c in kinds[last.name] for c in columns):
            return [kinds[last.name].index(c) for c in columns]
        if isinstance(last, t.Num) and len(columns) > 1 and all(c.isdigit() for c in columns):
            return [int(c) for c in columns]
        return None

    def _show(self, value: int, type_: t.Type) -> str:
        return self.game.kinds[type_.name].values[value] if isinstance(type_, t.Kind) else str(value)

    # ------------------------------------------------------------ definitions
    def _defines(self) -> None:
        self.define_nodes = {str(d.name): d for d in self.each(syntax.Define)}
        for name in list(self.define_nodes):
            self.ensure_define(name)
        for node in self.each(syntax.Score):
            body = Body("score", "define")
            scope = Scope(body, has_me=False)
            var = scope.bind(node.player, t.PLAYER)
            value = self.number(node.value, scope, "the score")
            self.game.score = DefineDecl(name="score", span=node.span, params=(var,), type=value.type, body=value, cites=_cites(node), doc=_doc(node))
            self.game.defines["score"] = self.game.score

    def ensure_define(self, name: str) -> None:
        node = self.define_nodes.get(name)
        if node is None or name in self.game.defines or name in self._defining:
            return
        self._defining.append(name)
        body = Body(name, "define")
        scope = Scope(body)
        params = self.params(node.params, scope)
        wanted = self.type(node.type) if node.type is not None else None
        ex = self.expr(node.value, scope, wanted)
        ex = self.expect(ex, wanted, node.value.span, "the value") if wanted is not None else self.as_value(ex)
        self._defining.pop()
        self.game.defines[name] = DefineDecl(
            name=name,
            span=node.name.span,
            params=params,
            type=wanted or ex.type,
            body=ex,
            uses_me=body.uses_me,
            cites=_cites(node),
            doc=_doc(node),
        )

    def params(self, nodes: tuple[syntax.Param, ...] | None, scope: Scope) -> tuple[Var, ...]:
        out = []
        for node in nodes or ():
            if node.name in scope.vars or node.name in ("me", "my"):
                self.error("D0209", f"`{node.name}` is already a name here", node.name.span)
            out.append(scope.bind(node.name, self.type(node.type)))
        return tuple(out)

    # ------------------------------------------------------------ rules
    def _signatures(self) -> None:
        for node in self.each(syntax.Rule, syntax.Action):
            name = str(node.name)
            self.rule_nodes[name] = node
            types = tuple(Var(str(p.name), str(p.name), self.type(p.type)) for p in node.params or ())
            returns = self.type(node.type) if isinstance(node, syntax.Rule) and node.type is not None else None
            self.signatures[name] = (types, returns)
            if isinstance(node, syntax.Action) and node.menu is not None:
                menu = str(node.menu)
                wanted = tuple(v.type for v in types)
                if menu in self.names:
                    self.error("D0202", f"`{menu}` is already something else", node.menu.span, related=[(self.names[menu], "declared here")])
                if self.menus.setdefault(menu, wanted) != wanted:
                    self.error("D0302", f"the actions of `{menu}` must take the same things", node.name.span)
                self.game.menus.setdefault(menu, []).append(name)

    def _rules(self) -> None:
        for name, node in self.rule_nodes.items():
            kind = "action" if isinstance(node, syntax.Action) else "rule"
            returns = self.signatures[name][1]
            body = self.bodies[name] = Body(name, kind, returns)
            scope = Scope(body)
            params = self.params(node.params, scope)
            self.game.rules[name] = RuleDecl(
                name=name,
                span=node.name.span,
                kind=kind,
                params=params,
                type=returns,
                body=self.suite(node.body, scope),
                menu=str(node.menu) if isinstance(node, syntax.Action) and node.menu else None,
                cites=_cites(node),
                doc=_suite_doc(node.body),
            )

    def _triggers(self) -> None:
        timings = {syntax.TimingBefore: "before", syntax.TimingInstead: "instead", syntax.TimingAfter: "after"}
        instead: dict[str, Span] = {}
        for node in self.each(syntax.Trigger):
            timing = timings[type(node.timing)]
            name = str(node.name)
            body = self.bodies[f"trigger {name}"] = Body(name, f"trigger-{timing}")
            scope = Scope(body)
            events, params, inherits_me = self._events(node, scope)
            if not inherits_me:
                scope.has_me = False
            if timing == "instead":
                for _, event in events:
                    if event in instead:
                        self.error("D0202", f"two triggers stand instead of `{event}`", node.name.span, related=[(instead[event], "the other")])
                    instead[event] = node.name.span
            who = None
            if node.player is not None:
                who = self.value(node.player, scope, t.PLAYER, "the player")
                scope = scope.as_player()
            where = self.condition(node.where, scope) if node.where is not None else None
            self.game.triggers[name] = RuleDecl(
                name=name,
                span=node.name.span,
                kind="trigger",
                params=params,
                body=self.suite(node.body, scope),
                timing=timing,
                events=events,
                where=where,
                me=who,
                gives_me=who is not None,
                cites=_cites(node),
                doc=_suite_doc(node.body),
            )

    def _events(self, node: syntax.Trigger, scope: Scope) -> tuple[tuple[tuple[str, str], ...], tuple[Var, ...], bool]:
        events: list[tuple[str, str]] = []
        params: tuple[Var, ...] = ()
        inherits = False
        for event in node.events:
            if isinstance(event, syntax.EventNamed):
                name, names = _event_name(event.what)
                if name in self.signatures:
                    kind, types = "rule", [v.type for v in self.signatures[name][0]]
                    inherits = True
                elif name in self.menus:
                    kind, types = "menu", list(self.menus[name])
                    inherits = True
                elif name == "turn":
                    kind, types = "turn", [t.PLAYER]
                elif name in self.labels:
                    kind, types = "scope", [t.PLAYER]
                else:
                    known = [*self.signatures, *self.menus, *self.labels, "turn"]
                    self.error("D0208", f"there is no event `{name}`", event.span, help=did_you_mean(name, known))
                    continue
                if names and len(names) != len(types):
                    shown = ", ".join(map(str, types)) or "nothing"
                    self.error("D0302", f"`{name}` comes with ({shown})", event.span)
                    continue
                if not params:
                    params = tuple(scope.bind(n, ty) for n, ty in zip(names, types, strict=False))
                events.append((kind, name))
            else:
                word = "entering" if isinstance(event, syntax.EventEntering) else "leaving"
                key = _place_path(event.place)
                if key not in self.game.places:
                    self.error("D0208", f"there is no place `{key}`", event.span, help=did_you_mean(key, self.game.places))
                    continue
                events.append((word, key))
                if not isinstance(node.timing, syntax.TimingAfter):
                    self.error("D0316", "what enters or leaves a place is noticed `after` it happened", node.timing.span)
        return tuple(events), params, inherits

    def _phases(self) -> None:
        for node in self.each(syntax.Setup, syntax.Phase):
            name = "setup" if isinstance(node, syntax.Setup) else str(node.name)
            body = self.bodies[f"phase {name}"] = Body(name, "phase")
            scope = Scope(body, has_me=False, labels=(name,))
            decl = RuleDecl(name=name, span=node.span, kind="phase", body=self.suite(node.body, scope), cites=_cites(node), doc=_suite_doc(node.body))
            if isinstance(node, syntax.Setup):
                self.game.phases.insert(0, decl)
            else:
                self.game.phases.append(decl)
        if not any(p.name != "setup" for p in self.game.phases) and self.game.name:
            header = next(self.each(syntax.Game))
            self.error("D0203", "the game has no phase, so nothing would ever happen", header.span, help="add `phase Play:` with `turns p:` inside")

    def _endings(self) -> None:
        for node in self.each(syntax.Ending):
            body = self.bodies[f"ending {node.name}"] = Body(str(node.name), "ending")
            scope = Scope(body, has_me=False)
            var = domain = None
            if node.binder is not None:
                domain = self.domain(node.binder.domain, scope)
                var = scope.bind(node.binder.name, self.element(domain))
            when = self.condition(node.when, scope)
            self.game.endings[str(node.name)] = EndingDecl(
                name=str(node.name),
                span=node.name.span,
                var=var,
                domain=domain,
                when=when,
                body=self.suite(node.body, scope),
                before=str(node.before) if node.before else None,
                cites=_cites(node),
                doc=_suite_doc(node.body),
            )
            if node.before is not None and node.before != "turn":
                self.error("D0208", "an ending is tested before each `turn`, or after every effect", node.before.span)

    def _invariants(self) -> None:
        for node in self.each(syntax.Always, syntax.Never):
            scope = Scope(Body(str(node.name), "invariant"), has_me=False)
            condition = self.condition(node.condition, scope)
            if isinstance(node, syntax.Never):
                condition = Ex("not", t.YES_NO, condition.span, (condition,))
            self.game.invariants[str(node.name)] = InvariantDecl(name=str(node.name), span=node.name.span, condition=condition, cites=_cites(node), doc=_doc(node))
        for node in self.each(syntax.Demand):
            condition = self.condition(node.condition, self.constants("require"))
            self.game.demands.append((condition, str(node.because) if node.because else None, node.span))
        for node in self.each(syntax.Look):
            self.game.looks[str(node.owner)] = str(node.text)
        for node in self.each(syntax.LookTable):
            self.game.looks[str(node.owner)] = {str(x.name): (str(x.text), str(x.colour) if x.colour else None) for x in node.lines}

    def _scenarios(self) -> None:
        """Scenarios are checked by their own module."""
        from .check_scenarios import check_scenario

        for node in self.each(syntax.Scenario):
            scenario = check_scenario(self, node)
            if scenario is not None:
                scenario.cites = _cites(node)
                self.game.scenarios.append(scenario)

    # ------------------------------------------------------------ over all bodies
    def _settle_me(self) -> None:
        """A rule that calls one that needs `me` needs it too; where there is none, that is an error."""
        changed = True
        while changed:
            changed = False
            for body in self.bodies.values():
                for callee, _, source in body.calls:
                    needed = self.bodies[callee].uses_me if callee in self.bodies else False
                    if needed and source == "caller" and not body.uses_me:
                        body.uses_me = changed = True
        for body in self.bodies.values():
            for callee, span, source in body.calls:
                if source == "nowhere" and callee in self.bodies and self.bodies[callee].uses_me:
                    spans = self.bodies[callee].me_spans
                    related = [(spans[0], "here it asks for `me`")] if spans else []
                    self.error("D0308", f"`{callee}` needs somebody who decides, but nobody does here", span, related=related, help="call it inside `as p:` or a turn")
        for name, rule in self.game.rules.items():
            rule.uses_me = self.bodies[name].uses_me or any(
                self.bodies[f"trigger {trig.name}"].uses_me and trig.me is None
                for trig in self.game.triggers.values()
                if ("rule", name) in trig.events
            )
        for name, trigger in self.game.triggers.items():
            trigger.uses_me = self.bodies[f"trigger {name}"].uses_me

    def _check_stops(self) -> None:
        """`stop X` in a rule: X must be open in every place that calls the rule."""
        for name, label, span in self.outer_stops:
            if name in self.bodies and not self._always_inside(name, label, set()):
                self.error(
                    "D0405",
                    f"`{name}` stops `{label}`, but is also used outside of it",
                    span,
                    related=[(self.labels[label], f"`{label}` is opened here")],
                )

    def _always_inside(self, name: str, label: str, seen: set[str]) -> bool:
        if name in seen:
            return True
        seen.add(name)
        opened = {label} & self._labels_around_calls(name)
        callers = [b for b in self.bodies.values() if any(c == name for c, _, _ in b.calls)]
        del opened
        for body in callers:
            if label in self._labels_of(body.name):
                continue
            if body.kind in ("phase",) and body.name == label:
                continue
            if body.kind == "phase" or not self._always_inside(body.name, label, seen):
                return False
        return True

    def _labels_around_calls(self, name: str) -> set[str]:
        return set()

    def _labels_of(self, name: str) -> set[str]:
        """The labels that a body opens somewhere (a rule of that name, or a phase)."""
        node: Any = self.rule_nodes.get(name) or next(
            (d for d in self.each(syntax.Phase, syntax.Trigger, syntax.Setup) if getattr(d, "name", "setup") == name), None
        )
        if node is None:
            return set()
        found = {str(n.label) for n in _walk(node) if isinstance(n, syntax.Turns | syntax.Rounds | syntax.ForLoop | syntax.Repeat) and n.label}
        return found | {name}

    # ------------------------------------------------------------ what the other parts ask
    def all_names(self) -> dict[str, Span]:
        return self.names

    def how_to_use(self, name: str) -> str | None:
        if name in self.rule_nodes:
            return f"`{name}` is a rule: call it as a statement, `{name}(...)`"
        if name in self.game.tables:
            return f"`{name}` is a table: `{name}(...)`"
        return None

    def rule_names(self) -> dict[str, object]:
        return dict(self.signatures)

    def action_names(self) -> dict[str, object]:
        return {n: d for n, d in self.rule_nodes.items() if isinstance(d, syntax.Action)}

    def menu_params(self) -> dict[str, tuple[t.Type, ...]]:
        return self.menus

    def param_types(self, name: str) -> list[t.Type]:
        if name in self.signatures:
            return [v.type for v in self.signatures[name][0]]
        return list(self.menus.get(name, ()))

    def return_type(self, name: str) -> t.Type | None:
        return self.signatures[name][1]

    def label_names(self) -> set[str]:
        return set(self.labels)


def player_counts(node: syntax.CountRange | syntax.CountList) -> tuple[int, ...]:
    if isinstance(node, syntax.CountRange):
        return tuple(range(int(node.low), int(node.high) + 1))
    return tuple(sorted({int(n) for n in node.counts}))


def _event_name(node: syntax.Expr) -> tuple[str, list[str]]:
    if isinstance(node, syntax.Invoke) and isinstance(node.of, syntax.Name | syntax.TypeName):
        args = node.args if isinstance(node.args, tuple) else ()
        return str(node.of.text), [str(a.text) for a in args if isinstance(a, syntax.Name)]
    return (str(node.text), []) if isinstance(node, syntax.Name | syntax.TypeName) else (node.span.text, [])


def _place_path(node: syntax.Expr) -> str:
    if isinstance(node, syntax.Attribute) and isinstance(node.of, syntax.Name | syntax.TypeName):
        return f"{node.of.text}.{node.name}"
    return str(node.text) if isinstance(node, syntax.Name) else node.span.text


def _walk(node: Any) -> Iterator[syntax.Node]:
    if isinstance(node, syntax.Node):
        yield node
        for fld in attrs.fields(type(node)):
            if fld.name != "span":
                yield from _walk(getattr(node, fld.name))
    elif isinstance(node, tuple):
        for item in node:
            yield from _walk(item)


def _doc(node: Any) -> str | None:
    doc = getattr(node, "doc", None)
    if isinstance(doc, syntax.WithDoc):
        return str(doc.doc.text)
    return str(doc.text) if isinstance(doc, syntax.Doc) else None


def _suite_doc(suite: syntax.Suite) -> str | None:
    return str(suite.doc.text) if isinstance(suite, syntax.Block) and suite.doc is not None else None


def _cites(node: syntax.Node) -> tuple[str, ...]:
    """The rulebook items cited anywhere in a declaration, ranges written out."""
    found: dict[str, None] = {}
    for part in _walk(node):
        cite = getattr(part, "cite", None)
        if cite:
            for item in str(cite).strip("[]").split(","):
                found.update(dict.fromkeys(_items(item.strip())))
    return tuple(found)


def _items(text: str) -> list[str]:
    match = re.fullmatch(r"(.*?)(\d+)\.\.(\d+)", text)
    if not match:
        return [text]
    prefix, low, high = match.groups()
    return [f"{prefix}{n:0{len(low)}d}" for n in range(int(low), int(high) + 1)]


__all__ = ["Checker", "St", "check", "player_counts"]
