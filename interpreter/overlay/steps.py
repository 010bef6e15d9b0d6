"""Named steps inside rules, which a variant replaces, removes or puts something beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ...grammar import Source, Span, syntax
from .addresses import WORDS, name_of, word_for

_EMPTY = Span(Source("nothing", ": nothing"), 0, len(": nothing"))
_NOTHING = Span(Source("nothing", "nothing"), 0, len("nothing"))
Change = Callable[[syntax.Step], tuple[syntax.Stmt, ...]]


def statements_of(suite: syntax.Suite) -> tuple[syntax.Stmt, ...]:
    """What follows a `:`, as the statements of a block."""
    if isinstance(suite, syntax.Block):
        return suite.body
    assert isinstance(suite, syntax.Line | syntax.Nested)
    if isinstance(suite, syntax.Line):
        return (syntax.SimpleLine(suite.body, suite.cite, span=suite.body.span),)
    return (suite.body,)


def change_step(decls: list[syntax.Decl], name: str, change: Change) -> tuple[list[syntax.Decl], int]:
    """Puts other statements in the place of a step; returns how many steps there were.

    `Rounds.act` is the step `act` inside the declaration or loop called `Rounds`, `setup.deal` one of `setup`.
    """
    owner, _, step = name.rpartition(".")
    hits = 0

    def rewrite(node: Any, inside: bool) -> Any:
        nonlocal hits
        if isinstance(node, tuple):
            out: list[Any] = []
            for item in node:
                if isinstance(item, syntax.Step) and inside and item.name == step:
                    hits += 1
                    out += change(item)
                else:
                    out.append(rewrite(item, inside))
            return tuple(out)
        if not isinstance(node, syntax.Node):
            return node
        here = inside or owner == (
            "setup"
            if isinstance(node, syntax.Setup)
            else getattr(node, "label", None) or getattr(node, "name", "")
        )
        changes: dict[str, Any] = {}
        for fld in attrs.fields(type(node)):
            if fld.name == "span":
                continue
            old = getattr(node, fld.name)
            if isinstance(old, tuple | syntax.Node):
                new = rewrite(old, here)
                if not _same(new, old):
                    changes[fld.name] = new
        if isinstance(node, syntax.Block) and changes.get("body") == ():
            nothing = syntax.Nothing(span=_NOTHING)
            changes["body"] = (syntax.SimpleLine(nothing, None, span=_NOTHING),)
        return attrs.evolve(node, **changes) if changes else node

    return [rewrite(decl, not owner) for decl in decls], hits


def emptied(step: syntax.Step) -> syntax.Step:
    """A step in which nothing happens any more; it keeps its name, so that others still find their place."""
    return attrs.evolve(step, body=syntax.Line(syntax.Nothing(span=_EMPTY), None, span=_EMPTY))


def owner_of_step(decls: list[syntax.Decl], name: str) -> syntax.Decl | None:
    """The declaration in which there is a step."""
    changed, hits = change_step(decls, name, lambda step: (emptied(step),))
    if not hits:
        return None
    return next(old for old, new in zip(decls, changed, strict=True) if old is not new)


def _same(new: Any, old: Any) -> bool:
    if isinstance(new, tuple):
        return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
    return new is old


def steps_of(decls: list[syntax.Decl]) -> list[str]:
    """The steps of all rules, as a variant writes them."""
    found: list[str] = []

    def walk(node: Any, owner: str) -> None:
        if isinstance(node, tuple):
            for item in node:
                walk(item, owner)
        elif isinstance(node, syntax.Node):
            if isinstance(node, syntax.Step):
                found.append(f"{owner}.{node.name}")
            for fld in attrs.fields(type(node)):
                walk(getattr(node, fld.name), owner)

    for decl in decls:
        if type(decl) in WORDS:
            walk(decl, name_of(decl) or word_for(decl))
    return found
