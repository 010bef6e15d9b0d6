"""`change place`, `change option` and `change doc`: parts of a declaration, each by itself."""

from __future__ import annotations

from typing import Any

import attrs

from ...grammar import Word, syntax
from .adding import range_of, widened_to


def with_clauses(place: syntax.Place, parts: tuple[syntax.Node, ...]) -> syntax.Place:
    """A place with another structure, or other clauses in place of those of the same sort."""
    shape, clauses = place.shape, list(place.clauses)
    for part in parts:
        if type(part).__name__.startswith("Shape"):
            shape = part
            continue
        at = next((i for i, old in enumerate(clauses) if type(old) is type(part)), None)
        if at is None:
            clauses.append(part)
        else:
            clauses[at] = part
    return attrs.evolve(place, shape=shape, clauses=tuple(clauses))


def with_type(
    option: syntax.Option, item: syntax.ChangeOption, first: syntax.Option | None
) -> tuple[syntax.Option, bool]:
    """An option with another range, and whether that only widens it: then two may do so."""
    old, new = range_of(option.type), range_of(item.type)
    ground = range_of(first.type) if first is not None else None
    wider = ground is not None and new is not None and new[0] <= ground[0] and new[1] >= ground[1]
    type_ = item.type
    if wider and old is not None:
        type_ = widened_to(item.type, [(old[0], item.type.span), (old[1], item.type.span)])
    return attrs.evolve(option, type=type_, default=item.default or option.default), wider


def with_doc(decl: Any, text: Word) -> Any:
    """A declaration with another sentence about it."""
    doc = syntax.Doc(text, span=text.span)
    body = getattr(decl, "body", None)
    if isinstance(body, syntax.Block):
        return attrs.evolve(decl, body=attrs.evolve(body, doc=doc))
    if isinstance(body, syntax.Line | syntax.Nested):
        from .steps import statements_of

        block = syntax.Block(getattr(body, "cite", None), doc, statements_of(body), span=body.span)
        return attrs.evolve(decl, body=block)
    if isinstance(getattr(decl, "doc", None), syntax.NoDoc | syntax.WithDoc):
        return attrs.evolve(decl, doc=syntax.WithDoc(doc, span=text.span))
    return attrs.evolve(decl, doc=doc)
