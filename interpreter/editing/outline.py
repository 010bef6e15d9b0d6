"""The shape of a file: its declarations, what can be folded, where it links to, what can be run from it."""

from __future__ import annotations

from pathlib import Path

from attrs import Factory, define, frozen

from ...grammar import Span, Word, syntax
from ..files.find_variants import base_file
from .workspace import Workspace


@define
class Entry:
    """A declaration with its members: `kind` is its word."""

    kind: str
    name: str
    span: Span  # of the name
    whole: Span
    members: list[Entry] = Factory(list)


@frozen
class Lens:
    """Something that can be run: `command` are the words behind `dragonrules`."""

    span: Span
    title: str
    command: tuple[str, ...]


def symbols(workspace: Workspace, path: Path) -> list[Entry]:
    return [entry for decl in workspace.parsed(path).file.decls for entry in _entries(decl)]


def _entries(decl: syntax.Node) -> list[Entry]:
    kind = type(decl).__name__.removesuffix("Fields").lower()
    match decl:
        case syntax.EachHas():
            inside = [e for member in decl.members for e in _entries(member)]
            return [Entry("each", f"each {decl.owner}", decl.owner.span, decl.span, inside)]
        case syntax.Variant():
            inside = [e for item in decl.items for e in _of_overlay(item)]
            return [Entry("variant", str(decl.name), decl.name.span, decl.span, inside)]
        case syntax.Scenario():
            return [Entry("scenario", str(decl.title), decl.title.span, decl.span)]
    name = getattr(decl, "name", None)
    if isinstance(name, Word):
        return [Entry(kind, str(name), name.span, decl.span)]
    if isinstance(decl, syntax.Setup | syntax.Score | syntax.Value):
        return [Entry(kind, kind, decl.span, decl.span)]
    return []


def _of_overlay(item: syntax.Node) -> list[Entry]:
    if isinstance(item, syntax.Replace):
        return _entries(item.decl)
    if isinstance(item, syntax.Decl):
        return _entries(item)
    name = getattr(item, "name", None) or getattr(item, "path", None)
    if name is None:
        return []
    span = name.span
    return [Entry("change", span.text, span, item.span)]


MOST_FOUND = 500


def found(workspace: Workspace, query: str) -> list[tuple[Path, Entry]]:
    """Declarations of all files whose names hold some letters; only files that hold the letters are read."""
    out: list[tuple[Path, Entry]] = []
    letters = query.lower()
    for path in workspace.files():
        if letters in workspace.text(path).lower():
            entries = [one for entry in symbols(workspace, path) for one in (entry, *entry.members)]
            out += [(path, one) for one in entries if letters in one.name.lower()]
        if len(out) >= MOST_FOUND:
            break
    return out[:MOST_FOUND]


def folding(workspace: Workspace, path: Path) -> list[tuple[int, int]]:
    """First and last lines, from 1, of what can be folded: declarations and the blocks in them."""
    source = workspace.analysis(path).source
    lines = source.text.split("\n")
    found: list[tuple[int, int]] = []
    open_: list[tuple[int, int]] = []  # indent, line
    last = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        while open_ and open_[-1][0] >= indent:
            start = open_.pop()[1]
            if last > start:
                found.append((start, last))
        open_.append((indent, number))
        last = number
    for _, start in reversed(open_):
        if last > start:
            found.append((start, last))
    return sorted(found)


def links(workspace: Workspace, path: Path) -> list[tuple[Span, Path]]:
    """From `variant ... of BASE` to the file of the base."""
    out = []
    for variant in workspace.parsed(path).variants:
        with workspace.driver.world():
            base = base_file(path, str(variant.base))
        if base is not None:
            out.append((variant.base.span, base))
    return out


def lenses(workspace: Workspace, path: Path) -> list[Lens]:
    out = []
    for decl in workspace.parsed(path).file.decls:
        match decl:
            case syntax.Game():
                out.append(Lens(decl.span, "play", ("run", str(path))))
            case syntax.Variant():
                base, name = str(decl.base), str(decl.name)
                out.append(Lens(decl.span, "play", ("run", base, "--variant", str(path))))
                out.append(Lens(decl.span, "what changes", ("diff", base, str(path))))
                out.append(Lens(decl.span, "compare", ("compare", base, str(path), "--seconds", "60")))
                out += _scenarios(path, decl.items, name)
            case syntax.Scenario():
                out += _scenarios(path, (decl,), "")
    return out


def _scenarios(path: Path, decls: tuple[syntax.Node, ...], variant: str) -> list[Lens]:
    return [
        Lens(decl.span, "run scenario", ("test", str(path), "-k", f'"{decl.title}"'))
        for decl in decls
        if isinstance(decl, syntax.Scenario)
    ]
