"""`change place`, `change option`, `change turns` and `change doc`: parts of something, each by itself."""

from __future__ import annotations

from typing import Any

import attrs

from ...grammar import Word, syntax
from .adding import range_of, widened_to
from .trees import rewritten, walk, with_names


def with_clauses(place: syntax.Place, parts: tuple[syntax.Node, ...]) -> syntax.Place:
    """A place with another structure, or other clauses in place of those of the same sort."""
    shape, clauses = place.shape, list(place.clauses)
    for part in parts:
        if isinstance(part, syntax.Shape):
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


def turns_in(decl: syntax.Decl, label: Word | None) -> list[syntax.Turns]:
    """The turns of this name in a declaration, or all of them."""
    found = [node for node in walk(decl) if isinstance(node, syntax.Turns)]
    return found if label is None else [turns for turns in found if turns.label == label]


def with_turns(decl: syntax.Decl, item: syntax.ChangeTurns, said: dict[str, syntax.Expr]) -> Any:
    """A declaration whose turns of this name begin, go on or leave out players otherwise."""

    def change(node: syntax.Node) -> Any:
        if not isinstance(node, syntax.Turns) or node.label != item.name:
            return None
        names = {str(item.player): str(node.player)}
        parts = {"start" if word == "from" else word: with_names(e, names) for word, e in said.items()}
        return attrs.evolve(node, **parts)

    return rewritten(decl, change)
