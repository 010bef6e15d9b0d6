"""Names gathered from the declarations, and what is known of each so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

from ...grammar import Span, Word, syntax
from ..core import Var
from ..core import value_types as t
from .citations import cited
from .functions import LANGUAGE_NAMES
from .part import Part

if TYPE_CHECKING:
    from .context import Context


class Names(Part):
    """The names of a file, and what is known of them so far."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.all: dict[str, Span] = {}
        self.kind_values: dict[str, list[str]] = {}
        self.define_nodes: dict[str, syntax.Define] = {}
        self.rule_nodes: dict[str, syntax.Rule | syntax.Action] = {}
        self.signatures: dict[str, tuple[tuple[Var, ...], t.Type | None]] = {}
        self.menus: dict[str, tuple[t.Type, ...]] = {}
        self.labels: dict[str, Span] = {}
        self.label_kinds: dict[str, type] = {}
        self.loop_kinds: set[type] = set()
        self.broken: set[str] = (
            set()
        )  # places and states that could not be made; their uses are not told again

    @property
    def loops(self) -> list[str]:
        """The labels of loops, without phases."""
        return [name for name, kind in self.label_kinds.items() if kind is not syntax.Phase]

    def each(self, *kinds: type) -> Iterator[Any]:
        return (d for d in self.c.file.decls if isinstance(d, kinds))

    def gather(self) -> None:
        """Every name once; labels of loops and phases for `stop`."""
        spaces: dict[str, dict[str, Span]] = {}
        for decl in self.c.file.decls:
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
                decl,
                syntax.Limit | syntax.Trigger | syntax.Ending | syntax.Phase | syntax.Setup | syntax.Value,
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
        self.all = spaces.get("names", {})
        for node in walk(self.c.file):
            if isinstance(node, syntax.Turns | syntax.Rounds):
                self.loop_kinds.add(type(node))
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

    def only_called(self, name: str) -> bool:
        """A definition with parameters, a table or a rule is told from a value by its brackets."""
        return all(
            isinstance(d, syntax.Rule | syntax.Action | syntax.Table)
            or (isinstance(d, syntax.Define) and d.params)
            for d in self.c.file.decls
            if getattr(d, "name", None) == name
            and not isinstance(d, syntax.Game | syntax.Variant | syntax.Scenario)
        )

    def place_nodes(self) -> Iterator[tuple[str, syntax.Place]]:
        for owner, member in self.members():
            if isinstance(member, syntax.Place):
                yield (f"{owner}.{member.name}" if owner else str(member.name)), member

    def members(self) -> Iterator[tuple[str, syntax.Decl]]:
        """Places, states and pieces with their owner ('' for the table)."""
        for decl in self.c.file.decls:
            if isinstance(decl, syntax.Place | syntax.State | syntax.Piece):
                yield "", decl
            elif isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                for member in decl.members:
                    yield str(decl.owner), member

    def kind_words(self) -> dict[str, tuple[str, ...]]:
        return {name: decl.values for name, decl in self.game.kinds.items()}

    def how_to_use(self, name: str) -> str | None:
        if name in self.rule_nodes:
            return f"`{name}` is a rule: call it as a statement, `{name}(...)`"
        if name in self.game.tables:
            return f"`{name}` is a table: `{name}(...)`"
        return None

    def action_names(self) -> dict[str, object]:
        return {n: d for n, d in self.rule_nodes.items() if isinstance(d, syntax.Action)}

    def first_of_menu(self, name: str) -> list[tuple[Span, str]]:
        node = self.rule_nodes[self.game.menus[name][0]]
        return [(node.name.span, "the first action of this menu")]

    def param_types(self, name: str) -> list[t.Type]:
        if name in self.signatures:
            return [v.type for v in self.signatures[name][0]]
        return list(self.menus.get(name, ()))

    def return_type(self, name: str) -> t.Type | None:
        return self.signatures[name][1]


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


_parts: dict[Any, tuple[str, ...]] = {}


def parts_of(cls: Any) -> tuple[str, ...]:
    """The fields of a class of the syntax tree, without where it stands."""
    if cls not in _parts:
        _parts[cls] = tuple(fld.name for fld in attrs.fields(cls) if fld.name != "span")
    return _parts[cls]


def walk(node: Any) -> Iterator[syntax.Node]:
    """A part of the tree and all parts of it, in the order of the text."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo += reversed(part)
        elif isinstance(part, syntax.Node):
            yield part
            todo += [getattr(part, name) for name in reversed(parts_of(type(part)))]


def doc_of(node: Any) -> str | None:
    doc = getattr(node, "doc", None)
    if isinstance(doc, syntax.WithDoc):
        return str(doc.doc.text)
    return str(doc.text) if isinstance(doc, syntax.Doc) else None


def suite_doc(suite: syntax.Suite) -> str | None:
    return str(suite.doc.text) if isinstance(suite, syntax.Block) and suite.doc is not None else None


def cites_of(node: syntax.Node) -> tuple[str, ...]:
    return tuple(cited(node))
