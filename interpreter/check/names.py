"""Checking, the base: names gathered from the declarations, types, what is fixed before play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ...grammar import Report, Span, Word, did_you_mean, syntax
from ..core import CheckedGame, Ex, Var
from ..core import value_types as t
from .choices import ChoiceChecker
from .citations import cited
from .constants import not_constant
from .expressions import LANGUAGE_NAMES, LARGEST, MANY, _range
from .scope import Body, Call, Scope


class NameChecker(ChoiceChecker):
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
        self.broken: set[str] = (
            set()
        )  # places and states that could not be made; their uses are not told again
        self.bodies: dict[str, Body] = {}
        self.outer_stops: list[tuple[Body, str, Span]] = []
        self.turn_loops: list[tuple[str | None, Call, Body]] = []

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
                    self.claim(spaces.setdefault(f"each {decl.owner}", {}), member.name)  # type: ignore[attr-defined]
                continue
            if isinstance(decl, syntax.Setup | syntax.Score | syntax.Value):
                name = Word(
                    type(decl).__name__.lower(), Span(decl.span.source, decl.span.start, decl.span.start + 5)
                )
            if isinstance(decl, syntax.Game | syntax.Variant | syntax.Scenario | syntax.Rows) or name is None:
                continue
            own = isinstance(
                decl, syntax.Trigger | syntax.Ending | syntax.Phase | syntax.Setup | syntax.Value
            )
            space = (
                "invariant"
                if isinstance(decl, syntax.Always | syntax.Never)
                else type(decl).__name__
                if own
                else "names"
            )
            self.claim(spaces.setdefault(space, {}), name)
            if space == "names" and name in LANGUAGE_NAMES:
                self.error(
                    "D0210", f"`{name}` is a word of the language", name.span, help="choose another name"
                )
        self.names = spaces.get("names", {})
        for node in walk(self.file):
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
        for node in walk(decl):
            if isinstance(node, syntax.Step):
                self.claim(steps, node.name)

    def claim(self, space: dict[str, Span], name: Word) -> None:
        if name in space:
            self.error(
                "D0202",
                f"`{name}` is declared twice",
                name.span,
                related=[(space[name], "first declared here")],
            )
        else:
            space[str(name)] = name.span

    def _only_called(self, name: str) -> bool:
        """A definition with parameters, a table or a rule is told from a value by its brackets."""
        return all(
            isinstance(d, syntax.Rule | syntax.Action | syntax.Table)
            or (isinstance(d, syntax.Define) and d.params)
            for d in self.file.decls
            if getattr(d, "name", None) == name
            and not isinstance(d, syntax.Game | syntax.Variant | syntax.Scenario)
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

    def type(self, node: syntax.TypeNode) -> t.Type:
        match node:
            case syntax.PlainType(base=base):
                return self.type(base)
            case syntax.OptionalType(base=base):
                inner = self.type(base)
                if isinstance(inner, t.Num) and inner.low < 0:
                    self.error("D0316", "`or none` needs a range that starts at 0 or above", node.span)
                if isinstance(inner, t.SetOf | t.ListOf | t.Place):
                    return self.error(
                        "D0316", f"{t.a(inner)} is never none", node.span, help="an empty set is `{}`"
                    ).type
                return t.UNKNOWN if isinstance(inner, t.Unknown) else t.Opt(inner)
            case syntax.YesNoType():
                return t.YES_NO
            case syntax.RangeType(low=low, high=high):
                scope = self.constants("range")
                a, b = self.number(low, scope), self.number(high, scope)
                if not isinstance(a.type, t.Num) or not isinstance(b.type, t.Num):
                    return t.UNKNOWN
                if a.type.low > b.type.high:
                    return self.error(
                        "D0303", "this range is empty: the lower number comes first", node.span
                    ).type
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
        if any(
            isinstance(d, syntax.Component | syntax.ComponentFields) and d.name == name
            for d in self.file.decls
        ):
            return t.Comp(str(name))
        if any(isinstance(d, syntax.Record) and d.name == name for d in self.file.decls):
            return t.Rec(str(name))
        return self._unknown_type(name)

    def _unknown_type(self, name: Word) -> t.Type:
        known = ["player", "number", "direction", "rotation", "space"]
        known += [n for n in self.names if n[:1].isupper()]
        other = {
            "bool": "yes/no",
            "boolean": "yes/no",
            "int": "number",
            "integer": "number",
            "string": None,
            "text": None,
        }
        help_line = did_you_mean(name, known)
        if name in other:
            help_line = (
                f"write `{other[name]}`"
                if other[name]
                else "there are no texts; a `kinds` names what can be chosen"
            )
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
            self.error(
                "D0321",
                f"`{place}` is not a grid or a ring",
                place.span,
                help=did_you_mean(place, [d.name for _, d in grids]),
            )
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

    def kind_words(self) -> dict[str, tuple[str, ...]]:
        return {name: decl.values for name, decl in self.game.kinds.items()}

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


def grows(place: syntax.Place) -> bool:
    return isinstance(place.shape, syntax.ShapeGrid) and place.shape.width is None


def event_name(node: syntax.Expr) -> tuple[str, list[Word]]:
    if isinstance(node, syntax.Invoke) and isinstance(node.of, syntax.Name | syntax.TypeName):
        args = node.args if isinstance(node.args, tuple) else ()
        return str(node.of.text), [a.text for a in args if isinstance(a, syntax.Name)]
    return (str(node.text), []) if isinstance(node, syntax.Name | syntax.TypeName) else (node.span.text, [])


def place_path(node: syntax.Expr) -> str:
    if isinstance(node, syntax.Attribute) and isinstance(node.of, syntax.Name | syntax.TypeName):
        return f"{node.of.text}.{node.name}"
    return str(node.text) if isinstance(node, syntax.Name) else node.span.text


def walk(node: Any) -> Iterator[syntax.Node]:
    if isinstance(node, syntax.Node):
        yield node
        for fld in attrs.fields(type(node)):
            if fld.name != "span":
                yield from walk(getattr(node, fld.name))
    elif isinstance(node, tuple):
        for item in node:
            yield from walk(item)


def doc_of(node: Any) -> str | None:
    doc = getattr(node, "doc", None)
    if isinstance(doc, syntax.WithDoc):
        return str(doc.doc.text)
    return str(doc.text) if isinstance(doc, syntax.Doc) else None


def suite_doc(suite: syntax.Suite) -> str | None:
    return str(suite.doc.text) if isinstance(suite, syntax.Block) and suite.doc is not None else None


def cites_of(node: syntax.Node) -> tuple[str, ...]:
    return tuple(cited(node))
