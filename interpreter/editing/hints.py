"""What an editor may show between the words: the type of a name that `let` gives, and what an option was
before a variant set it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from ...grammar import Word, syntax
from .asking import default_text
from .structure import parts
from .workspace import Analysis, Workspace

GIVES = (syntax.Let, syntax.LetDrawn, syntax.IfLet)


@frozen
class Hint:
    at: int
    text: str


def hints(workspace: Workspace, path: Path, start: int, end: int) -> list[Hint]:
    """The hints in a stretch of a text, in order."""
    now = workspace.analysis(path)
    found = {hint.at: hint for hint in (*_types(now), *_options(workspace, now))}
    return [found[at] for at in sorted(found) if start <= at <= end]


def _types(now: Analysis) -> Iterator[Hint]:
    file = now.source.name
    for known in now.known:
        types = {
            symbol.span.start: symbol.type
            for symbol in known.index.symbols.values()
            if symbol.kind == "local" and symbol.span.source.name == file
        }
        trees = (*known.file.decls, *known.rules.layers)
        for name in _given(tree for tree in trees if tree.span.source.name == file):
            if (type_ := types.get(name.span.start)) is not None:
                yield Hint(name.span.end, f": {type_}")


def _given(nodes: Any) -> Iterator[Word]:
    for node in nodes:
        if isinstance(node, GIVES) and isinstance(node.name, Word):
            yield node.name
        yield from _given(part for _, part in parts(node) if isinstance(part, syntax.Node))


def _options(workspace: Workspace, now: Analysis) -> Iterator[Hint]:
    for known in now.known:
        if not known.rules.layers:
            continue
        below = [k.game for k in workspace.last(known.rules.base).known if k.game is not None]
        options = below[0].options if below else {}
        for layer in known.rules.layers:
            for item in layer.items:
                if isinstance(item, syntax.SetOption) and item.span.source.name == now.source.name:
                    option = options.get(str(item.name))
                    if option is not None:
                        yield Hint(item.span.end, f" (was {default_text(option)})")
