"""Syntax trees taken apart and put together: walking, rewriting, names that are bound and renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from ...grammar import Span, Word, syntax

BINDS = {
    syntax.Let: "name",
    syntax.IfLet: "name",
    syntax.Spreading: "name",
    syntax.Binder: "name",
    syntax.VectorBinder: "name",
    syntax.SetBinder: "name",
    syntax.Roll: "name",
    syntax.Turns: "player",
    syntax.Rounds: "player",
    syntax.Together: "player",
}
"""Where statements and expressions give a name to something."""


class Made(Word):
    """A word that stands nowhere as it is: another one in the text means it."""


class Kept(Made):
    """The name under which an old version is kept; `whole` is the text that stands for it."""

    whole: str

    def __new__(cls, text: str, span: Span, whole: str | None = None) -> Kept:
        word = super().__new__(cls, text, span)
        assert isinstance(word, Kept)
        word.whole = whole or text
        return word


def fields_of(node: syntax.Node) -> Iterator[tuple[str, Any]]:
    for field in attrs.fields(type(node)):
        if field.name != "span":
            yield field.name, getattr(node, field.name)


def walk(node: Any) -> Iterator[syntax.Node]:
    """A node and all that is in it."""
    if isinstance(node, tuple | list):
        for item in node:
            yield from walk(item)
    elif isinstance(node, syntax.Node):
        yield node
        for _, value in fields_of(node):
            yield from walk(value)


def rewritten(node: Any, change: Callable[[syntax.Node], Any]) -> Any:
    """The same tree with other parts: `change` gives what takes the place of a node, or None to look inside."""
    if isinstance(node, tuple):
        items = tuple(rewritten(item, change) for item in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    if not isinstance(node, syntax.Node):
        return node
    done = change(node)
    if done is not None:
        return done
    inside = {name: rewritten(value, change) for name, value in fields_of(node)}
    changed = {name: value for name, value in inside.items() if value is not getattr(node, name)}
    return attrs.evolve(node, **changed) if changed else node


def bound_in(node: Any) -> set[str]:
    """The names that a piece of a rule gives."""
    return {str(getattr(n, BINDS[type(n)])) for n in walk(node) if type(n) in BINDS}


def names_in(node: Any) -> set[str]:
    """The names that a piece of a rule uses, attributes too."""
    out: set[str] = set()
    for n in walk(node):
        if isinstance(n, syntax.Name | syntax.TypeName):
            out.add(str(n.text))
        elif isinstance(n, syntax.Attribute):
            out.add(str(n.name))
    return out


def with_names(node: Any, names: Mapping[str, str], members: bool = False) -> Any:
    """The same with other names for what is meant by these; with `members`, behind a dot as well."""

    def word(old: Any) -> Any:
        plain = isinstance(old, Word) and not old.span.text.startswith(('"', "|"))
        return Made(names[str(old)], old.span) if plain and str(old) in names else old

    def change(n: syntax.Node) -> Any:
        kept = isinstance(n, syntax.NamedArg) or (isinstance(n, syntax.Attribute) and not members)
        changed: dict[str, Any] = {}
        for name, value in fields_of(n):
            if isinstance(value, syntax.Node):
                new = rewritten(value, change)
            elif isinstance(value, tuple):
                new = tuple(rewritten(v, change) if isinstance(v, syntax.Node) else word(v) for v in value)
                new = value if all(a is b for a, b in zip(new, value, strict=True)) else new
            else:
                new = value if kept else word(value)
            if new is not value:
                changed[name] = new
        return attrs.evolve(n, **changed) if changed else n

    return rewritten(node, change)
