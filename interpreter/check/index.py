"""What names mean, and where: an index that checking leaves behind, for editors.

Nothing is resolved here. Where the checker has found out what a name means, it says so
(`meant`, `called`, `binds`), and declarations are read off the tree. A symbol goes by its
`id`: `hand` of the table, `player.hand`, `Colour.red`, `Card.value`, `trigger feast`; a
local name by its number, `x_12`. Names inside looks and texts, events of triggers, labels
of loops and what variants address are not in it yet.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define, frozen

from ...grammar import Span, Word, syntax
from ..core import (
    CallDefine,
    Const,
    Ex,
    Field,
    Local,
    Lookup,
    Option,
    OwnedPiece,
    PartitionOf,
    PlaceRef,
    RecordField,
    Rows,
    StateRef,
    Universe,
    Var,
)
from ..core import value_types as t

APART = (syntax.Trigger, syntax.Ending, syntax.Phase, syntax.Always, syntax.Never)
"""Declarations with names of their own: a trigger may be called as a rule is."""


@frozen
class Symbol:
    """Something with a name: `kind` is the word of its declaration, or `local`, `field`, `value`."""

    id: str
    kind: str
    name: str
    span: Span  # of the name
    whole: Span  # of the declaration
    type: t.Type | None = None


@frozen
class Use:
    """A name that means a symbol, with the type that it has there."""

    span: Span
    symbol: str
    type: t.Type | None = None


@define
class Index:
    symbols: dict[str, Symbol] = Factory(dict)
    uses: dict[tuple[str, int, int], Use] = Factory(dict)

    # ------------------------------------------------------------ asking
    def at(self, file: str, offset: int) -> Symbol | None:
        """What the name at a position of a text means, be it used or declared there."""
        for use in self.uses.values():
            if use.span.source.name == file and use.span.start <= offset < use.span.end:
                return self.symbols.get(use.symbol)
        for symbol in self.symbols.values():
            if symbol.span.source.name == file and symbol.span.start <= offset < symbol.span.end:
                return symbol
        return None

    def references(self, symbol: str) -> list[Use]:
        """Where a symbol is used, in the order of the text."""
        found = (use for use in self.uses.values() if use.symbol == symbol)
        return sorted(found, key=lambda use: (use.span.source.name, use.span.start))

    # ------------------------------------------------------------ taking note
    def meant(self, name: Word, ex: Ex) -> None:
        """A name was found to mean this."""
        symbol = _symbol(ex, str(name))
        if symbol is not None:
            self._use(name, symbol, ex.type)

    def called(self, name: Word, symbol: str | None = None) -> None:
        """A type, a rule, an action or a menu is named."""
        self._use(name, symbol or str(name), None)

    def _use(self, name: Word, symbol: str, type_: t.Type | None) -> None:
        span = name.span
        self.uses[span.source.name, span.start, span.end] = Use(span, symbol, type_)

    def binds(self, name: str, var: Var) -> None:
        """A local name comes up."""
        if isinstance(name, Word):
            self.symbols[var.uid] = Symbol(var.uid, "local", str(name), name.span, name.span, var.type)

    def declared(self, decls: Iterable[syntax.Decl]) -> None:
        for decl in decls:
            if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                for member in decl.members:
                    self._declare(member, f"{decl.owner}.")
            else:
                self._declare(decl)

    def _declare(self, decl: syntax.Decl, owner: str = "") -> None:
        name = getattr(decl, "name", None)
        if not isinstance(name, Word) or isinstance(decl, syntax.Rows):
            return
        kind = type(decl).__name__.removesuffix("Fields").lower()
        key = f"{kind} {name}" if isinstance(decl, APART) else f"{owner}{name}"
        self._symbol(key, kind, name, decl.span)
        if isinstance(decl, syntax.Kinds):
            for value in decl.values:
                self._symbol(f"{name}.{value}", "value", value, value.span)
        if isinstance(decl, syntax.Token):
            for item in decl.items:
                self._symbol(f"{name}.{item.name}", "value", item.name, item.span)
        if isinstance(decl, syntax.Action) and decl.menu is not None:
            self._symbol(str(decl.menu), "menu", decl.menu, decl.menu.span)
        if isinstance(decl, syntax.ComponentFields | syntax.Record):
            for field in decl.fields:
                self._symbol(f"{name}.{field.name}", "field", field.name, field.span)

    def _symbol(self, key: str, kind: str, name: Word, whole: Span) -> None:
        self.symbols.setdefault(key, Symbol(key, kind, str(name), name.span, whole))


def _symbol(ex: Ex, name: str) -> str | None:
    """What an expression that a name was found to mean is about."""
    match ex:
        case Local(var=var):
            return var.uid
        case PlaceRef(place=decl) if str(decl.name).startswith("box of "):
            return None  # `box(Card)` is a function
        case PlaceRef(place=decl) | StateRef(state=decl):
            return f"{decl.owner}.{decl.name}" if decl.owner else str(decl.name)
        case CallDefine(define=decl):
            return str(decl.name)
        case Lookup(table=table):
            return str(table.name)
        case Option(name=option):
            return option
        case Field(component=decl, name=field):
            return f"{decl.name}.{field}"
        case RecordField(record=record, name=field):
            return f"{record.name}.{field}"
        case PartitionOf(partition=partition):
            return str(partition.name)
        case Rows(record=record):
            return str(record.name)
        case OwnedPiece():
            return f"player.{name}"
        case Universe(of=t.Kind(kind)):
            return kind if kind == name else None
        case Universe(of=t.Comp(comp)):
            return comp if comp == name else None
        case Const(type=t.Kind(kind)):
            return f"{kind}.{name}"
        case Const(type=t.Comp()):
            return name
    return None
