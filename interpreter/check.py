"""The checker: from a syntax tree (overlays laid on) to a checked game.

Declarations are gathered by name first, so their order does not matter; then
types, then bodies. Definitions are checked when first used, so their result
types can be inferred. Every problem is reported and checking goes on.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import attrs

from ..grammar import Report, Span, Word, did_you_mean, syntax
from . import types as t
from .check_exprs import LANGUAGE_NAMES, LARGEST, MANY, _high, _range
from .check_flow import check_flow
from .check_stmts import StmtChecker
from .citations import cited
from .constants import not_constant, options_in
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
from .scope import Body, Call, Scope
from .tables import cell_values, is_ruler, key_universe, read_cell, split_row
from .waiting import contains

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
        self.label_kinds: dict[str, type] = {}
        self.broken: set[str] = set()  # places and states that could not be made; their uses are not told again
        self.bodies: dict[str, Body] = {}
        self.outer_stops: list[tuple[Body, str, Span]] = []
        self.turn_loops: list[tuple[str | None, Call, Body]] = []

    # ------------------------------------------------------------ order of work
    def run(self) -> CheckedGame:
        self._gather()
        for step in (
            self._game_header,
            self._kinds,
            self._options,
            self._early_defines,
            self._components,
            self._owners,
            self._places_and_states,
            self._sizes,
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
        check_flow(self)
        return self.game

    def each(self, *kinds: type) -> Iterator[Any]:
        return (d for d in self.file.decls if isinstance(d, kinds))

    def _gather(self) -> None:
        """Every name once; labels of loops and phases for `stop`."""
        spaces: dict[str, dict[str, Span]] = {}
        for decl in self.file.decls:
            name = getattr(decl, "name", None)
            self._steps_once(decl)
            if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                for member in decl.members:
                    self._claim(spaces.setdefault(f"each {decl.owner}", {}), member.name)  # type: ignore[attr-defined]
                continue
            if isinstance(decl, syntax.Setup | syntax.Score):
                name = Word(type(decl).__name__.lower(), Span(decl.span.source, decl.span.start, decl.span.start + 5))
            if isinstance(decl, syntax.Game | syntax.Variant | syntax.Scenario | syntax.Rows) or name is None:
                continue
            own = isinstance(decl, syntax.Trigger | syntax.Ending | syntax.Phase | syntax.Setup)
            space = "invariant" if isinstance(decl, syntax.Always | syntax.Never) else type(decl).__name__ if own else "names"
            self._claim(spaces.setdefault(space, {}), name)
            if space == "names" and name in LANGUAGE_NAMES:
                self.error("D0210", f"`{name}` is a word of the language", name.span, help="choose another name")
        self.names = spaces.get("names", {})
        for node in _walk(self.file):
            if isinstance(node, syntax.Turns | syntax.Rounds | syntax.ForLoop | syntax.Repeat) and node.label:
                self.labels.setdefault(str(node.label), node.label.span)
                self.label_kinds.setdefault(str(node.label), type(node))
            elif isinstance(node, syntax.Phase):
                self.labels.setdefault(str(node.name), node.name.span)
                self.label_kinds[str(node.name)] = syntax.Phase
        things = {str(d.name) for d in self.each(syntax.Component, syntax.ComponentFields, syntax.Token)}
        for owner, member in self.members():
            known = not owner or owner == "player" or owner in things
            if not known or (isinstance(member, syntax.Place) and member.of not in things):
                self.broken.add(f"{owner}.{member.name}" if owner else str(member.name))  # type: ignore[attr-defined]

    def _steps_once(self, decl: syntax.Decl) -> None:
        steps: dict[str, Span] = {}
        for node in _walk(decl):
            if isinstance(node, syntax.Step):
                self._claim(steps, node.name)

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
        if not self.game.players:
            self.error("D0303", "the lower number of players comes first", header.players.span)
            self.game.players = (1,)
        if not min(self.game.players) >= 1 or max(self.game.players) > MOST_PLAYERS:
            self.error("D0303", f"a game is for 1 to {MOST_PLAYERS} players", header.players.span)
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
            if value in LANGUAGE_NAMES:
                self.error("D0210", f"`{value}` is a word of the language", value.span, help="choose another name")
            elif value in self.names and not self._only_called(value):
                here = [(self.names[value], "declared here")]
                self.error("D0209", f"`{value}` of `{node.name}` hides another `{value}`", value.span, related=here, help="rename one of them")
        if len(values) > MOST_KINDS:
            self.error("D0316", f"`{node.name}` has {len(values)} values; the most is {MOST_KINDS}", node.name.span)
        words = tuple(str(v) for v in seen)
        self.game.kinds[str(node.name)] = KindDecl(
            name=str(node.name), span=node.name.span, values=words, cites=_cites(node), doc=_doc(node)
        )

    def _only_called(self, name: str) -> bool:
        """A definition with parameters, a table or a rule is told from a value by its brackets."""
        return all(
            isinstance(d, syntax.Rule | syntax.Action | syntax.Table) or (isinstance(d, syntax.Define) and d.params)
            for d in self.file.decls
            if getattr(d, "name", None) == name and not isinstance(d, syntax.Game | syntax.Variant | syntax.Scenario)
        )

    def constants(self, name: str) -> Scope:
        """A scope for expressions that are fixed before the game."""
        return Scope(Body(name, "constant"), has_me=False)

    def fixed(self, ex: Ex, what: str) -> Ex:
        """The expression, if it can be worked out before a match starts."""
        found = not_constant(ex)
        if found is None:
            return ex
        span, inner = found
        related = [(inner, "because of this")] if inner is not None else []
        return self.error("D0317", f"{what} must be fixed before the game starts", span, related=related)

    def fixed_number(self, node: syntax.Expr, name: str, what: str, low: int = 0, high: int = LARGEST) -> Ex:
        """A number that is known before a match starts and stays within bounds."""
        ex = self.fixed(self.number(node, self.constants(name), what), what)
        if isinstance(ex.type, t.Num) and (ex.type.low > high or ex.type.high < low):
            return self.error("D0303", f"{what} is {_range(ex.type)}, outside {low}..{high}", node.span)
        return self._within(ex, t.Num(low, high))

    def _options(self) -> None:
        for node in self.each(syntax.Option):
            base = node.type.base if isinstance(node.type, syntax.PlainType) else node.type
            kind = isinstance(base, syntax.NamedType) and base.name in self.game.kinds
            if isinstance(base, syntax.YesNoType | syntax.RangeType) or kind:
                type_ = self.type(node.type)
            else:
                type_ = self.error("D0316", "an option is a range of numbers, yes/no or a kind", node.type.span).type
            decl = OptionDecl(name=str(node.name), span=node.name.span, type=type_, cites=_cites(node), doc=_doc(node))
            self.game.options[decl.name] = decl
        for node in self.each(syntax.Option):
            decl = self.game.options[str(node.name)]
            decl.default = self.fixed(self.value(node.default, self.constants(decl.name), decl.type, "the default"), "the default")
        self._option_cycles()
        for node in self.each(syntax.Token):
            self.game.tokens[str(node.name)] = TokenDecl(
                name=str(node.name), span=node.name.span, amounts=(), cites=_cites(node), doc=_doc(node)
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
                decl.default = self.error("D0318", f"the default of `{name}` needs `{name}` itself", decl.span)

    def _early_defines(self) -> None:
        """Definitions that only rest on options and numbers can count components and size places,
        so they are known before those are looked at."""
        known = {*self.game.options, *self.kind_values, "yes", "no", "player_count", "min", "max", "abs"}
        waiting = {str(d.name): d for d in self.each(syntax.Define) if not d.params}
        found = True
        while found:
            found = False
            for name, node in list(waiting.items()):
                parts = list(_walk(node.value))
                if any(isinstance(p, syntax.TypeName | syntax.Attribute | syntax.SetComp | syntax.Comprehension) for p in parts):
                    del waiting[name]
                elif all(p.text in known for p in parts if isinstance(p, syntax.Name)):
                    self.define_nodes[name] = waiting.pop(name)
                    known.add(name)
                    found = True

    def type(self, node: syntax.TypeNode) -> t.Type:
        match node:
            case syntax.PlainType(base=base):
                return self.type(base)
            case syntax.OptionalType(base=base):
                inner = self.type(base)
                if isinstance(inner, t.Num) and inner.low < 0:
                    self.error("D0316", "`or none` needs a range that starts at 0 or above", node.span)
                if isinstance(inner, t.SetOf | t.ListOf | t.Place):
                    return self.error("D0316", f"{t.a(inner)} is never none", node.span, help="an empty set is `{}`").type
                return t.UNKNOWN if isinstance(inner, t.Unknown) else t.Opt(inner)
            case syntax.YesNoType():
                return t.YES_NO
            case syntax.RangeType(low=low, high=high):
                scope = self.constants("range")
                a, b = self.number(low, scope), self.number(high, scope)
                if not isinstance(a.type, t.Num) or not isinstance(b.type, t.Num):
                    return t.UNKNOWN
                if a.type.low > b.type.high:
                    return self.error("D0303", "this range is empty: the lower number comes first", node.span).type
                return t.Num(a.type.low, b.type.high)
            case syntax.SetType(of=of) | syntax.ListType(of=of):
                inner = self.type(of)
                if isinstance(inner, t.SetOf | t.ListOf | t.Place):
                    return self.error("D0316", f"a set or list cannot hold {t.a(inner)}", of.span).type
                return t.SetOf(inner) if isinstance(node, syntax.SetType) else t.ListOf(inner)
            case syntax.SpaceType(place=place):
                return self._space_type(place, node.span)
            case syntax.PlaceType(of=of):
                if of not in self.game.tokens and of not in self.game.components:
                    return self._unknown_type(of)
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
        other = {"bool": "yes/no", "boolean": "yes/no", "int": "number", "integer": "number", "string": None, "text": None}
        help_line = did_you_mean(name, known)
        if name in other:
            help_line = f"write `{other[name]}`" if other[name] else "there are no texts; a `kinds` names what can be chosen"
        self.error("D0206", f"there is no type `{name}`", name.span, help=help_line)
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
                    return t.UNKNOWN if key in self.broken else t.Space(key)
            self.error("D0321", f"`{place}` is not a grid or a ring", place.span, help=did_you_mean(place, [d.name for _, d in grids]))
            return t.UNKNOWN
        if len(grids) == 1:
            return t.UNKNOWN if grids[0][0] in self.broken else t.Space(grids[0][0])
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
                    self.error("D0316", f"a {owner} cannot have a piece; only the table and each player can", member.name.span)
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
                help_line = f"add `rows {decl.name}:`" + ("" if decl.fields else f" or write `component {decl.name} count n`")
                self.error("D0320", f"`{decl.name}` has {word} {missing}", decl.span, help=help_line)
            if decl.name in tables and decl.count is not None:
                self.error("D0320", f"`{decl.name}` has both rows and a count", decl.span, related=[(tables[decl.name].name.span, "the rows")], help="put a column `count` into the rows")
            if self.size_of(t.Comp(decl.name)) > LARGEST:
                self.error("D0303", f"there are up to {self.size_of(t.Comp(decl.name))} `{decl.name}`; the most is {LARGEST}", decl.span)
        for node in self.each(syntax.Token):
            amounts = tuple(self.fixed_number(item.amount, str(node.name), "the amount", high=MANY) for item in node.items)
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
        if name not in self.broken:
            known = [*self.game.components, *(p.name for _, p in self._place_nodes() if isinstance(p.shape, syntax.ShapeGrid | syntax.ShapeRing))]
            self.error("D0206", f"`{name}` is neither a component nor a grid to stand on", name.span, help=did_you_mean(name, known))
        return t.UNKNOWN

    def _fields(self, node: syntax.ComponentFields, decl: CompDecl) -> None:
        claimed: dict[str, Span] = {}
        for fld in node.fields:
            self._claim(claimed, fld.name)
            type_ = self.type(fld.type)
            inner = t.plain(type_.of) if isinstance(type_, t.SetOf) else t.plain(type_)
            if fld.indices:
                self.error("D0316", f"a printed field is one value, so `{fld.name}` takes no index", fld.name.span, help=f"write `each {node.name} has:` for what changes")
            if not isinstance(inner, t.Num | t.YesNo | t.Kind | t.Unknown):
                self.error("D0316", f"a printed field cannot hold {t.a(type_)}", fld.type.span, help=f"write `each {node.name} has:` for what changes")
                type_ = t.UNKNOWN
            decl.fields[str(fld.name)] = type_

    def kind_words(self) -> dict[str, tuple[str, ...]]:
        return {name: decl.values for name, decl in self.game.kinds.items()}

    def _rows(self, node: syntax.Rows) -> None:
        decl = self.game.components.get(str(node.name))
        if decl is None:
            self.error("D0206", f"there is no component `{node.name}`", node.name.span, help=did_you_mean(node.name, self.game.components))
            return
        header, *body = [split_row(row) for row in node.rows]
        columns = [cell.text for cell in header]
        claimed: dict[str, Span] = {}
        for cell in header:
            self._claim(claimed, Word(cell.text, cell.span))
            if cell.text not in decl.fields and cell.text != "count":
                self.error("D0320", f"`{decl.name}` has no field `{cell.text}`", cell.span, related=[(decl.span, "declared here")], help=did_you_mean(cell.text, [*decl.fields, "count"]))
        missing = [f"`{f}`" for f in decl.fields if f not in columns]
        if missing:
            self.error("D0320", f"the header lacks {' and '.join(missing)}", node.rows[0].span, related=[(decl.span, "declared here")])
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
                self.report.add("D0320", "this row is the same as an earlier one", row.span, related=[(known[texts], "the earlier one")], help="write one row with a `count`", severity="warning")
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
            self.error("D0312", "a table has no ruler", row.span, help="delete this line; the first row is the header")
            return False
        if len(cells) != len(header):
            many = f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
            self.error("D0312", f"this row has {many}, but the header has {len(header)}", row.span)
            return False
        return True

    def _field_values(self, cell: Any, type_: t.Type, kinds: dict[str, tuple[str, ...]]) -> list[int]:
        """A cell such as `1..13` or `any` stands for one row each."""
        if isinstance(type_, t.Num | t.Kind) and (".." in cell.text or "," in cell.text or cell.text == "any"):
            return cell_values(cell, type_, kinds, self.report)
        value = read_cell(cell, type_, kinds, self.report)
        return [value] if value is not None else []

    def _count_cell(self, text: str, span: Span) -> Ex | int:
        if re.fullmatch(r"[0-9]+", text):
            return self.whole(text, span)
        if re.fullmatch(r"[a-z_]\w*", text):
            return self.fixed_number(syntax.Name(Word(text, span), span=span), "count", "the count")
        self.error("D0312", f"`{text}` is not a number" if text else "this cell is empty", span)
        return 1

    # ------------------------------------------------------------ places and states
    def _places_and_states(self) -> None:
        for owner, member in self.members():
            if owner and owner != "player" and owner not in self.game.components:
                continue
            clash = self.game.components[owner].fields if owner in self.game.components else ("seat",) if owner else ()
            if member.name in clash:  # type: ignore[attr-defined]
                name: Word = member.name  # type: ignore[attr-defined]
                self.error("D0209", f"a {owner} already has a `{name}`", name.span, help="choose another name")
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
                    cites=_cites(member),
                    doc=_doc(member),
                )
                self.game.states[f"{owner}.{decl.name}" if owner else decl.name] = decl
        for node in self.each(syntax.Record):
            claimed: dict[str, Span] = {}
            for fld in node.fields:
                self._claim(claimed, fld.name)
            fields = {str(f.name): (self._indices(f.indices), self._kept(f.type, "a record")) for f in node.fields}
            limit = self.fixed_number(node.limit, str(node.name), "the limit", low=1)
            self.game.records[str(node.name)] = RecordDecl(
                name=str(node.name), span=node.name.span, limit=limit, fields=fields, cites=_cites(node)
            )

    def _owners(self) -> None:
        for decl in self.each(syntax.EachHas, syntax.EachHasOne):
            if decl.owner != "player" and decl.owner not in self.game.components:
                self.error("D0206", f"there is no component `{decl.owner}`", decl.owner.span, help=did_you_mean(decl.owner, [*self.game.components, "player"]))

    def _indices(self, nodes: tuple[syntax.TypeNode, ...]) -> tuple[t.Type, ...]:
        """The types between brackets: each must have a known number of values."""
        out = []
        for node in nodes:
            type_ = self.type(node)
            grows = isinstance(type_, t.Space) and any(key == type_.of and _grows(place) for key, place in self._place_nodes())
            if grows:
                type_ = self.error("D0316", "a grid that grows has no fixed number of spaces, so they cannot be an index", node.span).type
            elif not isinstance(type_, t.Num | t.Kind | t.Player | t.YesNo | t.Comp | t.Space | t.Rec | t.Unknown):
                type_ = self.error("D0316", f"{t.a(type_)} cannot be an index", node.span).type
            out.append(type_)
        return tuple(out)

    def _kept(self, node: syntax.TypeNode, where: str) -> t.Type:
        """A type whose values can be kept from one decision to the next."""
        type_ = self.type(node)
        if isinstance(t.plain(type_), t.Place | t.ListOf):
            return self.error("D0316", f"{where} cannot hold {t.a(type_)}", node.span, help="a `place` holds components and tokens; a `set of` holds values").type
        return type_

    def _sizes(self) -> None:
        """Everything at the table must fit into a state of a reasonable size."""
        sized: list[StateDecl | PlaceDecl | RecordDecl]
        sized = [*self.game.states.values(), *self.game.places.values(), *self.game.records.values()]
        for decl in sized:
            if isinstance(decl, RecordDecl):
                cells = sum(self._cells(indices) for indices, _ in decl.fields.values()) * max(1, _high(decl.limit.type))
            else:
                own = (self.owner_type(decl.owner),) if decl.owner else ()
                cells = self._cells((*own, *decl.indices))
                if isinstance(decl, PlaceDecl) and decl.width is not None:
                    cells *= self.size_of(t.Space(self.place_key(decl)))
            if cells > MOST_CELLS:
                self.error("D0303", f"`{decl.name}` would have {cells} cells; the most is {MOST_CELLS}", decl.span)

    def _cells(self, indices: tuple[t.Type, ...]) -> int:
        return math.prod(self.size_of(i) for i in indices if not isinstance(i, t.Unknown))

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
            known = [*self.game.components, *self.game.tokens]
            if of in self.names:
                here = [(self.names[of], "declared here")]
                self.error("D0204", f"`{of}` is neither a component nor a token", of.span, related=here, help=f"write `token {of}: ...` or `component {of}: ...`")
            else:
                self.error("D0206", f"there is no component or token `{of}`", of.span, help=did_you_mean(of, known))
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
            cites=_cites(node),
            doc=_doc(node),
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
            self.error("D0314", f"tokens have no order, so a {shape} cannot hold them", node.shape.span, help=f"make it a `bag`, or `{of}` a component")
        if tokens and _grows(node):
            self.error("D0314", "tokens cannot make a grid grow", node.shape.span, help="give it a size: `grid 5 by 5`")
        if not tokens and self.game.components[str(of)].on is not None:
            standing = self.game.components[str(of)]
            self.error("D0314", f"{t.a(t.Comp(str(of)))} stands on {t.a(standing.on) if standing.on else 'something'}, so it cannot lie in a place", of.span, related=[(standing.span, "declared here")])
        explicit_size = False
        clauses: dict[type, Span] = {}
        for clause in node.clauses:
            if type(clause) in clauses:
                self.error("D0202", "this is said twice", clause.span, related=[(clauses[type(clause)], "first here")])
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
                        self.error("D0315", f"the top of a {shape} is not something to see", clause.span, help=help_line)
                case syntax.AtMost(limit=limit):
                    decl.cap = self.fixed_number(limit, decl.name, "the limit", high=MANY)
                case syntax.PerGroup(name=name):
                    decl.per = str(name)
                    if owner != "player":
                        self.error("D0316", "`per` is for a place that each player has", clause.span)
        if not explicit_size:
            decl.size_seen = "all"

    def _member_audience(self, node: syntax.Audience, owner: str) -> Any:
        if isinstance(node, syntax.AudienceOwner) and owner != "player":
            self.error("D0308", "this has no owner: only what each player has is seen by its owner", node.span)
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
                    self.error("D0207", "`until moved` is for what a component has", member.until.span, help="write `each Card has:`, say")
            if isinstance(member, syntax.Place) and key in self.game.places:
                for clause in member.clauses:
                    if isinstance(clause, syntax.AtMost) and clause.rest is not None:
                        rest = self.expr(clause.rest, Scope(Body(key, "constant"), has_me=True))
                        if isinstance(rest.type, t.Place):
                            self.game.places[key].rest = rest
                        elif not isinstance(rest.type, t.Unknown):
                            self.error("D0314", f"the rest goes to a place, not to {t.a(rest.type)}", clause.rest.span)
                        if isinstance(rest.type, t.Place) and rest.type.of != self.game.places[key].of:
                            self.error("D0314", f"this holds {rest.type.of}, not {self.game.places[key].of}", clause.rest.span)
                    if isinstance(clause, syntax.PerGroup) and owner == "player" and clause.name not in self.game.partitions:
                        self.error("D0201", f"there is no partition `{clause.name}`", clause.name.span, help=did_you_mean(clause.name, self.game.partitions))

    def _partitions(self) -> None:
        for node in self.each(syntax.Partition):
            scope = self.constants(str(node.name))
            var = scope.bind("seat", t.Num(1, max(self.game.players)))
            by = self.number(node.by, scope, "what the groups go by")
            found = not_constant(by, frozenset((var.uid,)))
            if found is not None:
                by = self.error("D0317", "groups go by `seat` and what is fixed before the game starts", found[0])
            self.game.partitions[str(node.name)] = PartitionDecl(name=str(node.name), span=node.name.span, by=by, var=var, cites=_cites(node))

    # ------------------------------------------------------------ tables
    def _tables(self) -> None:
        for node in self.each(syntax.Table):
            params = tuple(Var(str(p.name), str(p.name), self.type(p.type)) for p in node.params)
            decl = TableDecl(name=str(node.name), span=node.name.span, params=params, type=self.type(node.type), cites=_cites(node), doc=_doc(node))
            self.game.tables[decl.name] = decl
            inner = t.plain(decl.type.of) if isinstance(decl.type, t.SetOf) else t.plain(decl.type)
            claimed: dict[str, Span] = {}
            for p in node.params:
                self._claim(claimed, p.name)
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
            self.error("D0303", f"this table would have {self._cells(tuple(p.type for p in decl.params))} cases; the most is {MOST_CELLS // 10}", decl.span)
            return
        header, *body = [split_row(row) for row in node.rows]
        keys = len(decl.params)
        spread = self._spread(header, decl, kinds)
        if spread is None and len(header) != keys + 1:
            names = " ".join(f"`{p.name}`" for p in decl.params)
            self.error("D0312", f"the header needs {keys + 1} cells: {names} and the result", node.rows[0].span)
            return
        filled: dict[tuple[int, ...], tuple[int, Span]] = {}
        for cells, row in zip(body, node.rows[1:], strict=True):
            if not self._row_fits(cells, header, row):
                continue
            own = cells[: keys - 1] if spread is not None else cells[:keys]
            sets = [cell_values(c, p.type, kinds, self.report) for c, p in zip(own, decl.params, strict=False)]
            results = [((v,), c) for v, c in zip(spread, cells[keys - 1 :], strict=True)] if spread is not None else [((), cells[keys])]
            for more, cell in results:
                value = read_cell(cell, decl.type, kinds, self.report)
                keys_here = [(*combo, *more) for combo in itertools.product(*sets)]
                double = [key for key in keys_here if key in filled]
                if double:
                    shown = ", ".join(self._show(v, p.type) for v, p in zip(double[0], decl.params, strict=True))
                    rest = f" (and {len(double) - 1} more)" if len(double) > 1 else ""
                    first = filled[double[0]][1]
                    self.error("D0311", f"the case {shown}{rest} is given twice", cell.span, related=[(first, "first here")])
                filled |= {key: (value or 0, cell.span) for key in keys_here}
        decl.rows = [(key, value) for key, (value, _) in filled.items()]
        missing = [key for key in itertools.product(*(key_universe(p.type, kinds) for p in decl.params)) if key not in filled]
        span = range(node.span.start, node.span.end)
        if missing and not any(d.code in ("D0303", "D0312") and d.span.start in span for d in self.report):
            shown = ", ".join(self._show(v, p.type) for v, p in zip(missing[0], decl.params, strict=True))
            others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            self.error("D0311", f"the table says nothing for {shown}{others}", decl.span, help="every case needs a row; `9..` and `any` cover many")

    def _spread(self, header: list[Any], decl: TableDecl, kinds: dict[str, tuple[str, ...]]) -> list[int] | None:
        """The values of the last parameter, when they stand as columns of the header."""
        last = decl.params[-1].type
        columns = [cell.text for cell in header[len(decl.params) - 1 :]]
        if isinstance(last, t.Kind) and len(columns) > 1 and all(c in kinds[last.name] for c in columns):
            return [kinds[last.name].index(c) for c in columns]
        if isinstance(last, t.Num) and len(columns) > 1 and all(re.fullmatch(r"[0-9]{1,9}", c) for c in columns):
            return [int(c) for c in columns]
        return None

    def _show(self, value: int, type_: t.Type) -> str:
        if isinstance(type_, t.YesNo):
            return "yes" if value else "no"
        return self.game.kinds[type_.name].values[value] if isinstance(type_, t.Kind) else str(value)

    # ------------------------------------------------------------ definitions
    def _defines(self) -> None:
        self.define_nodes = {str(d.name): d for d in self.each(syntax.Define)}
        for node in self.each(syntax.Score):
            self.define_nodes["score"] = node
        for name in list(self.define_nodes):
            self.ensure_define(name)
        self.game.score = self.game.defines.get("score") if any(self.each(syntax.Score)) else None

    def _score(self, node: syntax.Score) -> None:
        scope = Scope(Body("score", "define"), has_me=False)
        var = self.bind(scope, node.player, t.PLAYER)
        value = self.number(node.value, scope, "the score")
        self._defining.pop()
        self.game.defines["score"] = DefineDecl(name="score", span=node.span, params=(var,), type=value.type, body=value, cites=_cites(node), doc=_doc(node))

    def ensure_define(self, name: str) -> None:
        node = self.define_nodes.get(name)
        if node is None or name in self.game.defines or name in self._defining:
            return
        self._defining.append(name)
        if isinstance(node, syntax.Score):
            self._score(node)
            return
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
            out.append(self.bind(scope, node.name, self.type(node.type)))
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
                    first = self.rule_nodes[self.game.menus[menu][0]]
                    shown = ", ".join(map(str, self.menus[menu])) or "nothing"
                    self.error("D0302", f"the actions of `{menu}` take ({shown}), so this one must too", node.name.span, related=[(first.name.span, "as the first does")])
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
            suite = self.suite(node.body, scope)
            self._check_replacing(timing, events, node, cancels=any(contains(st, "cancel") for st in suite))
            self.game.triggers[name] = RuleDecl(
                name=name,
                span=node.name.span,
                kind="trigger",
                params=params,
                body=suite,
                timing=timing,
                events=events,
                where=where,
                me=who,
                gives_me=who is not None,
                cites=_cites(node),
                doc=_suite_doc(node.body),
            )

    def _check_replacing(
        self, timing: str, events: tuple[tuple[str, str], ...], node: syntax.Trigger, *, cancels: bool
    ) -> None:
        """Who stands instead of a rule, or cancels it, cannot give back its value."""
        for kind, name in events:
            if not cancels and timing != "instead":
                continue
            if kind == "rule" and self.signatures[name][1] is not None:
                what = "cancelled" if cancels else "replaced by a trigger"
                self.error("D0319", f"`{name}` returns a value, so it cannot be {what}", node.name.span)
            if cancels and kind in ("turn", "scope"):
                self.error(
                    "D0316",
                    "a turn or a phase cannot be cancelled",
                    node.name.span,
                    help="leave players out with `turns ... where`, or use `instead of`",
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
                elif self.label_kinds.get(name) in (syntax.Turns, syntax.Phase):
                    kind, types = "scope", [t.PLAYER] if self.label_kinds[name] is syntax.Turns else []
                else:
                    known = [*self.signatures, *self.menus, *self.labels, "turn"]
                    hint = did_you_mean(name, known)
                    if name in self.labels:
                        hint = "hook a rule that is called in it; of the scopes, `turns` and phases are events"
                    self.error("D0208", f"there is no event `{name}`", event.span, help=hint)
                    continue
                if names and len(names) != len(types):
                    shown = ", ".join(map(str, types)) or "nothing"
                    self.error("D0302", f"`{name}` comes with ({shown})", event.span, related=self.where_declared(name))
                    continue
                if not params and event is node.events[0]:
                    params = tuple(self.bind(scope, n, ty) for n, ty in zip(names, types, strict=False))
                elif [p.name for p in params] != names or [p.type for p in params] != types[: len(names)]:
                    self.error("D0302", "all events of a trigger must bring the same things", event.span, related=[(node.events[0].span, "as the first does")])
                events.append((kind, name))
            else:
                word = "entering" if isinstance(event, syntax.EventEntering) else "leaving"
                key = _place_path(event.place)
                if key not in self.game.places:
                    owned = next((k for k in self.game.places if k.endswith(f".{key}")), None)
                    hint = f"write `{owned}`" if owned else did_you_mean(key, self.game.places)
                    if key not in self.broken:
                        self.error("D0208", f"there is no place `{key}`", event.place.span, help=hint)
                    continue
                events.append((word, key))
                if params:
                    self.error("D0302", "all events of a trigger must bring the same things", event.span, related=[(node.events[0].span, "as the first does")])
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
                var = self.bind(scope, node.binder.name, self.element(domain))
            when = self.condition(node.when, scope)
            suite = self.suite(node.body, scope)
            self.game.endings[str(node.name)] = EndingDecl(
                name=str(node.name),
                span=node.name.span,
                var=var,
                domain=domain,
                when=when,
                body=suite,
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
            condition = self.fixed(self.condition(node.condition, self.constants("require")), "this")
            self.game.demands.append((condition, str(node.because) if node.because else None, node.span))
        self._looks()
        for node in self.each(syntax.Look):
            self.game.looks[str(node.owner)] = str(node.text)
        for node in self.each(syntax.LookTable):
            self.game.looks[str(node.owner)] = {str(x.name): (str(x.text), str(x.colour) if x.colour else None) for x in node.lines}

    def _looks(self) -> None:
        for node in self.each(syntax.Look, syntax.LookTable):
            decl = self.game.components.get(str(node.owner))
            kind = self.game.kinds.get(str(node.owner))
            if decl is None and kind is None and node.owner not in self.names:
                self.error("D0201", f"there is nothing called `{node.owner}`", node.owner.span, help=did_you_mean(node.owner, self.names))
            elif isinstance(node, syntax.Look) and decl is not None:
                for found in re.finditer(r"\{(\w*)\}", node.text.span.text):
                    if found[1] not in decl.fields:
                        start = node.text.span.start + found.start()
                        where = Span(node.text.span.source, start, start + len(found[0]))
                        self.error("D0205", f"a {decl.name} has no `{found[1]}`", where, related=[(decl.span, "declared here")], help=did_you_mean(found[1], decl.fields))
            elif isinstance(node, syntax.LookTable) and kind is not None:
                for line in node.lines:
                    if line.name not in kind.values:
                        self.error("D0205", f"`{line.name}` is not a {kind.name}", line.name.span, related=[(kind.span, "declared here")], help=did_you_mean(line.name, kind.values))

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
                for call in body.calls:
                    needed = self.bodies[call.callee].uses_me if call.callee in self.bodies else False
                    if needed and call.me_from == "caller" and not body.uses_me:
                        body.uses_me = changed = True
            for name, trigger in self.game.triggers.items():
                if not self.bodies[f"trigger {name}"].uses_me:
                    continue
                for kind, event in trigger.events:  # a trigger gets the `me` of the rule that it hooks
                    if kind == "rule" and not self.bodies[event].uses_me:
                        self.bodies[event].uses_me = changed = True
        for body in self.bodies.values():
            for call in body.calls:
                callee = call.callee
                if call.me_from == "nowhere" and callee in self.bodies and self.bodies[callee].uses_me:
                    spans = self.bodies[callee].me_spans
                    related = [(spans[0], "here it asks for `me`")] if spans else []
                    self.error("D0308", f"`{callee}` needs somebody who decides, but nobody does here", call.span, related=related, help="call it inside `as p:` or a turn")
        for name, rule in self.game.rules.items():
            rule.uses_me = self.bodies[name].uses_me
        for name, trigger in self.game.triggers.items():
            trigger.uses_me = self.bodies[f"trigger {name}"].uses_me

    def _check_stops(self) -> None:
        """`stop X` in a rule: X must be open in every place that calls the rule."""
        for body, label, span in self.outer_stops:
            if not self._always_inside(body, label, set()):
                self.error(
                    "D0405",
                    f"`{body.name}` stops `{label}`, but is also used where that is not open",
                    span,
                    related=[(self.labels[label], f"`{label}` is opened here")],
                    help="it must stand around every call, and not outside of `together` or `atomic`",
                )

    def _always_inside(self, body: Body, label: str, seen: set[int]) -> bool:
        if id(body) in seen:
            return True
        seen.add(id(body))
        if body.kind in ("phase", "ending"):
            return False
        for call, caller in self._callers(body):
            if label not in call.labels and (call.walls or not self._always_inside(caller, label, seen)):
                return False
        return True

    def _callers(self, body: Body) -> Iterator[tuple[Call, Body]]:
        """Where control comes from into a rule, an action or a trigger. What crosses a place may do
        so anywhere, so nothing is said about triggers on places."""
        wanted: set[str] = set()
        hooked: set[str] = set()
        if self.bodies.get(body.name) is body:
            wanted = {body.name, f"menu {self.game.rules[body.name].menu}"}
        elif body.name in self.game.triggers:
            for kind, name in self.game.triggers[body.name].events:
                if kind == "rule":
                    yield from self._callers(self.bodies[name])
                elif kind == "menu":
                    wanted.add(f"menu {name}")
                else:
                    hooked.add(name)
        for caller in self.bodies.values():
            yield from ((call, caller) for call in caller.calls if call.callee in wanted)
        for label, call, caller in self.turn_loops:
            if label in hooked or "turn" in hooked:
                yield call, caller

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

    def first_of_menu(self, name: str) -> list[tuple[Span, str]]:
        node = self.rule_nodes[self.game.menus[name][0]]
        return [(node.name.span, "the first action of this menu")]

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


def _grows(place: syntax.Place) -> bool:
    return isinstance(place.shape, syntax.ShapeGrid) and place.shape.width is None


def player_counts(node: syntax.CountRange | syntax.CountList) -> tuple[int, ...]:
    """The numbers of players, cut off where they leave all reason."""
    if isinstance(node, syntax.CountRange):
        return tuple(range(int(node.low[:4]), int(node.high[:4]) + 1))
    return tuple(sorted({int(n[:4]) for n in node.counts}))


def _event_name(node: syntax.Expr) -> tuple[str, list[Word]]:
    if isinstance(node, syntax.Invoke) and isinstance(node.of, syntax.Name | syntax.TypeName):
        args = node.args if isinstance(node.args, tuple) else ()
        return str(node.of.text), [a.text for a in args if isinstance(a, syntax.Name)]
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
    return tuple(cited(node))


__all__ = ["Checker", "St", "check", "player_counts"]
