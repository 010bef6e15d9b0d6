"""Names that can mean one thing only, read off the syntax tree and added to the index of the checker.

What a name in an expression means the checker has to find out, and it notes that in the index.
The sort of a place, the owner of a look, the label of a loop, the event of a trigger and what a
variant addresses can be looked up by their names alone. `NAMES` says where such names
stand; `TEXTS` which other words of the tree are no names. A test goes through the classes of the
tree, so a new one has to be told of here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs

from ...grammar import Span, Word, syntax
from ..check.index import Index, Symbol
from ..core.bar_tables import Cell, split_row

NAMES = {
    "Action.menu", "AlikeLine.name", "Attribute.name", "CellChange.name", "ChangeRows.name", "ChangeTable.name", "ChangeToken.name",
    "Component.on", "ComponentFields.on", "EachHas.owner", "EachHasOne.owner", "Ending.before", "Expire.label",
    "Look.member", "Look.owner", "LookHidden.member", "LookHidden.owner", "LookLine.name", "LookSaying.member",
    "LookSaying.owner", "LookTable.owner", "NamedArg.name", "Note.record", "NoteRow.record", "Order.names",
    "PerGroup.name", "Piece.on", "Place.of", "PlaceType.of", "Rows.name", "SetOption.name", "Setting.name",
    "SpaceType.place", "Stop.label", "TypeName.text", "UntilEnds.scope", "UntilNext.scope",
}  # fmt: skip
"""Words that mean something that is declared elsewhere, as `Class.field`."""

PATHS = {
    "AfterDecl.path", "AfterStep.path", "BeforeDecl.path", "BeforeStep.path", "EventEntering.place",
    "EventLeaving.place", "EventNamed.what", "Remove.path", "RemoveRows.path", "ReplaceStep.path",
}  # fmt: skip
"""Expressions that are an address, as `Class.field`: `act(h, c)`, `player.purse`, `Rounds.drakon`."""

LABELS = {"ForLoop.label", "Turns.label", "Rounds.label", "Repeat.label"}
"""Words that name a loop."""


def parts(node: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a node, in order; of several things in a field, each."""
    for field in attrs.fields(type(node)):
        if field.name != "span":
            value = getattr(node, field.name)
            for one in value if isinstance(value, tuple) else (value,):
                yield field.name, one


Place = tuple[str, int]


def read_names(file: syntax.File, index: Index) -> None:
    """Note what the tree itself says of its names."""
    names = Names(index)
    for decl in file.decls:
        names.labels(decl, _key(decl))
        if isinstance(decl, syntax.Score | syntax.Value):
            names.built_in(decl)
    fields = {str(d.name): d for d in file.decls if isinstance(d, syntax.ComponentFields)}
    for decl in file.decls:
        names.uses(decl, None)
        if isinstance(decl, syntax.Rows) and (owner := fields.get(str(decl.name))) is not None:
            names.rows(decl.rows, str(owner.name), {str(f.name): f for f in owner.fields}, ())
        elif isinstance(decl, syntax.Table):
            last = decl.params[-1:]
            names.rows(decl.rows, str(decl.name), {str(p.name): p for p in decl.params}, (*last, decl.type))


def _key(decl: syntax.Decl) -> str:
    name = getattr(decl, "name", None)
    return str(name) if isinstance(name, Word) else type(decl).__name__.lower()


def place_of(name: Word) -> Place:
    return name.span.source.name, name.span.start


class Names:
    def __init__(self, index: Index) -> None:
        self.index = index
        self.known: set[Place] = {(file, start) for file, start, _ in index.uses}
        self._declared: dict[Place, str] = {}
        self._locals: dict[str, list[Place]] = {}
        self._values: dict[str, list[str]] = {}
        for symbol in index.symbols.values():
            place = symbol.span.source.name, symbol.span.start
            self._declared[place] = symbol.id
            if symbol.kind == "local":
                self._locals.setdefault(symbol.name, []).append(place)
            elif symbol.kind == "value":
                self._values.setdefault(symbol.name, []).append(symbol.id)
        self.known |= {*self._declared}

    # ------------------------------------------------------------ what is declared
    def labels(self, node: Any, decl: str) -> None:
        """Loops, steps and the parameters of tables have no declarations that the checker keeps."""
        kind = type(node).__name__
        for field, value in parts(node):
            if isinstance(value, syntax.Node):
                self.labels(value, decl)
            elif isinstance(value, Word) and place_of(value) not in self.known:
                if f"{kind}.{field}" in LABELS:
                    self._declare(f"loop {value}", "loop", value, node)
                elif (kind, field) == ("Step", "name"):
                    self._declare(f"step {decl}.{value}", "step", value, node)
                elif (kind, field) == ("Param", "name"):
                    self._declare(f"{decl}.{value}", "parameter", value, node)

    def built_in(self, decl: syntax.Decl) -> None:
        """`score` and `value` are declared by their word."""
        word = type(decl).__name__.lower()
        span = Span(decl.span.source, decl.span.start, decl.span.start + len(word))
        self.index.symbols.setdefault(word, Symbol(word, word, word, span, decl.span))

    def _declare(self, key: str, kind: str, name: Word, node: Any) -> None:
        """Two loops of one name are one to whoever asks: what speaks of one speaks of both."""
        if key in self.index.symbols:
            self.index.called(name, key)
        else:
            self.index.symbols[key] = Symbol(key, kind, str(name), name.span, node.span)
        self.known.add(place_of(name))

    # ------------------------------------------------------------ what is used
    def uses(self, node: Any, around: Any) -> None:
        kind = type(node).__name__
        if isinstance(node, syntax.Trigger):
            self._parameters(node)
        for field, value in parts(node):
            if isinstance(value, syntax.Node):
                if f"{kind}.{field}" in PATHS:
                    self._address(value)
                if isinstance(value, syntax.PickValue):
                    self._picked(value)
                self.uses(value, node)
            elif isinstance(value, Word) and f"{kind}.{field}" == "AlikeLine.name":
                self._of_declaration(value)
            elif isinstance(value, Word) and f"{kind}.{field}" in NAMES:
                self._use(value, _full_name(node, field, value, around))

    def _picked(self, node: Any) -> None:
        """What a scenario says is chosen or comes up: actions, and values of kinds."""
        for _, part in parts(node):
            if isinstance(part, syntax.Name | syntax.TypeName):
                self._use(part.text, str(part.text))
                if len(values := self._values.get(str(part.text), [])) == 1:
                    self._use(part.text, values[0])
            elif isinstance(part, syntax.Node):
                self._picked(part)

    def _parameters(self, trigger: syntax.Trigger) -> None:
        """`after enter(p, c), hop(p, c)`: the second event names what the first one does."""
        given: dict[str, Word] = {}
        for event in reversed(trigger.events):
            given.update((str(word), word) for word in _args(event))
        for event in trigger.events:
            for word in _args(event):
                symbol = self._declared.get(place_of(given[str(word)]))
                if symbol is not None and place_of(word) not in self.known:
                    self.index.called(word, symbol)

    def _of_declaration(self, word: Word) -> None:
        """A local name where it is spoken of again: the last one of that name before it."""
        file, start = place_of(word)
        before = [at for name, at in self._locals.get(str(word), ()) if name == file and at < start]
        if before and place_of(word) not in self.known:
            self.index.called(word, self._declared[file, max(before)])

    def rows(
        self, rows: tuple[Word, ...], owner: str, columns: dict[str, Any], rest: tuple[Any, ...]
    ) -> None:
        """The columns of a table, and in its cells the values of kinds; `rest` says what other columns hold."""
        if not rows:
            return
        header, *body = (split_row(row) for row in rows)
        for cell in header:
            self._cell(cell, (f"{owner}.{cell.text}",))
            self._cells(cell, rest)
        for row in body:
            for head, cell in zip(header, row, strict=False):
                column = columns.get(head.text)
                self._cells(cell, rest if column is None else (column,))

    def _cells(self, cell: Cell, holders: tuple[Any, ...]) -> None:
        kinds = [str(word) for holder in holders for word in _types_in(holder)]
        for found in re.finditer(r"[A-Za-z_]\w*", cell.text):
            start = cell.span.start + found.start()
            part = Cell(found[0], Span(cell.span.source, start, start + len(found[0])))
            self._cell(part, tuple(f"{kind}.{found[0]}" for kind in kinds))

    def _cell(self, cell: Cell, symbols: tuple[str, ...]) -> None:
        for symbol in symbols:
            if symbol in self.index.symbols:
                word = Word(cell.text, cell.span)
                if place_of(word) not in self.known:
                    self.index.called(word, symbol)
                return

    def _use(self, word: Word, name: str) -> None:
        if place_of(word) not in self.known and (symbol := find(name, self.index)) is not None:
            self.index.called(word, symbol)

    def _address(self, path: Any) -> None:
        """The parts of an address, each with what it means."""
        match path:
            case syntax.Invoke(of=of):
                self._address(of)
            case syntax.Attribute(of=syntax.Name(text=first) | syntax.TypeName(text=first), name=last):
                self._use(first, str(first))
                self._use(last, f"{first}.{last}")
            case syntax.Name(text=word) | syntax.TypeName(text=word):
                self._use(word, str(word))


def _args(event: Any) -> list[Word]:
    """The names that an event gives to what it is about."""
    args = getattr(getattr(event, "what", None), "args", None) or ()
    return [arg.text for arg in args if isinstance(arg, syntax.Name)]


def _types_in(node: Any) -> list[Word]:
    """The types that are named in a declaration of a field or a parameter."""
    if isinstance(node, syntax.NamedType):
        return [node.name]
    if not isinstance(node, syntax.Node):
        return []
    return [word for _, part in parts(node) for word in _types_in(part)]


def _full_name(node: Any, field: str, name: Word, around: Any) -> str:
    if field == "member":
        return f"{node.owner}.{name}"
    if isinstance(node, syntax.Attribute):
        return f"player.{name}"  # of several players, where the checker looks at each
    if isinstance(node, syntax.LookLine):
        return f"{around.owner}.{name}"
    if isinstance(node, syntax.NamedArg):
        of = getattr(getattr(around, "of", None), "text", None)  # `Card(rank: 8)`
        owner = getattr(around, "record", None) or getattr(around, "name", None) or of
        return f"{owner}.{name}"
    if isinstance(node, syntax.CellChange):
        return f"{around.name}.{name}"
    return str(name)


SORTS = ("", "player.", "loop ", "trigger ", "ending ", "phase ", "always ", "never ", "step ")


def find(name: str, index: Index) -> str | None:
    """The symbol that goes by a name where only one can be meant."""
    for sort in SORTS:
        if f"{sort}{name}" in index.symbols:
            return f"{sort}{name}"
    return None
