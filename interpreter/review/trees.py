"""Walking over the trees of a checked game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...grammar import Span
from ..check.returns import statements
from ..core import Case, CheckedGame, Decl, Ex, Gen, RuleDecl, St, children, within
from ..core import header as header_of

LONGEST_TEXT = 45


def procedures(game: CheckedGame) -> Iterator[RuleDecl]:
    """All that has a body with effects: phases, rules, actions, triggers."""
    yield from game.phases
    yield from game.rules.values()
    yield from game.triggers.values()


def name_of(decl: Any) -> str:
    """`player.purse` for what belongs to somebody."""
    owner = getattr(decl, "owner", "")
    return f"{owner}.{decl.name}" if owner else str(decl.name)


def own_expressions(st: St) -> Iterator[Ex]:
    """The expressions of a statement, without those of the statements inside it."""
    return children(st)


def inner(node: Ex | Gen | tuple[Any, ...] | list[Any] | None) -> Iterator[Ex]:
    """An expression and all expressions in it; the bodies of definitions are not entered."""
    match node:
        case Ex():
            yield from within(node)
        case Gen():
            for part in children(node):
                yield from within(part)
        case tuple() | list():
            for item in node:
                yield from inner(item)


def expressions(body: tuple[St, ...]) -> Iterator[Ex]:
    """Every expression of a body, however deep."""
    for st in statements(body):
        for ex in own_expressions(st):
            yield from inner(ex)


def short_text(span: Span) -> str:
    """The text of a span on one line, cut if it is long."""
    text = " ".join(span.text.split())
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."


def head_of(span: Span) -> Span:
    """The first line of a statement."""
    text = span.text.split("\n")[0].rstrip()
    return Span(span.source, span.start, span.start + len(text))


__all__ = [
    "Case",
    "Decl",
    "expressions",
    "head_of",
    "header_of",
    "inner",
    "name_of",
    "own_expressions",
    "procedures",
    "short_text",
    "statements",
]
