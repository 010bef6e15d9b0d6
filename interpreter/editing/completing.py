"""What could stand here: words that the parser would take, names in scope, members behind a dot.

Words come from the parser itself: the text of the declaration up to the cursor is read, and
a sign that stands nowhere in the language makes it say what it would have taken instead. Names come from the
last index: those declared at top level, locals of the declaration around the cursor, values of kinds.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs
from attrs import frozen
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedToken

from ...grammar import Report, Source
from ...grammar.parsing import lark_parser, pieces
from ..check.index import Index, Symbol
from ..core import value_types as t
from .workspace import Analysis, Workspace

NOWHERE = "\u0001"
ORDER = {"local": "1", "word": "8"}
TARGETS = ("replace", "remove", "before", "after", "set", "change")
PLAYER = ("my", "me", "active")


@frozen
class Completion:
    name: str
    kind: str
    detail: str = ""

    fits: bool = False
    """Is it of the sort that is wanted here?"""

    @property
    def order(self) -> str:
        return ("0" if self.fits else ORDER.get(self.kind, "4")) + self.name


def completions(workspace: Workspace, path: Path, offset: int) -> list[Completion]:
    analysis = workspace.analysis(path)
    last = workspace.last(path)
    if analysis.syntax and (sound := workspace.good(path)):  # what is being typed cannot be read yet
        last = attrs.evolve(last, known=sound)
    text = analysis.source.text[:offset]
    start = re.search(r"\w*$", text)
    assert start is not None
    before = text[: start.start()]
    if before.endswith("."):
        return _members(last, before[:-1])
    line = before[before.rfind("\n") + 1 :]
    if (found := re.match(r"\s+(\w+)\s+(?:instead of )?(\w+)\s+$", line)) and found[1] in TARGETS:
        return _addressed(workspace, last, found[2])
    if re.match(r"\s*\|", line):
        return _cells(last)
    words, names = _accepted(analysis.source, start.start())
    out = [Completion(word, "word") for word in sorted(words)]
    if names:
        wanted = _wanted(last, line)
        out += [attrs.evolve(c, fits=wanted is not None and c.detail == wanted) for c in _names(last, offset)]
    return sorted({c.name: c for c in reversed(out)}.values(), key=lambda c: c.order)


def _accepted(source: Source, offset: int) -> tuple[set[str], bool]:
    """What the parser would take at an offset: words of the language, and whether a name would do."""
    start, piece = 0, ""
    for at, text in pieces(Source(source.name, source.text[:offset] + "x"), Report()):
        start, piece = at, text
    body = (
        source.text[start:offset] if piece else source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    )
    if not body.strip() and offset == source.text.rfind("\n", 0, offset) + 1:
        body = ""
    expected: set[str] = set()
    try:
        lark_parser().parse(body + NOWHERE)
    except UnexpectedCharacters as problem:
        expected = set(problem.allowed or ())
    except UnexpectedToken as problem:
        expected = set(problem.accepts or problem.expected or ())
    except LarkError:
        return set(), True
    patterns = {term.name: term.pattern.value.removesuffix(r"\b") for term in lark_parser().terminals}
    words = {patterns[name] for name in expected if re.fullmatch(r"[a-z]+", patterns.get(name, ""))}
    return words, bool(expected & {"NAME", "TYPE"})


def _names(last: Analysis, offset: int) -> list[Completion]:
    out = []
    for known in last.known:
        around = _around(known.index, last.source.name, offset)
        for symbol in known.index.symbols.values():
            if symbol.kind == "local":
                if around is None or not around[0] <= symbol.span.start < min(offset, around[1]):
                    continue
                if symbol.span.source.name != last.source.name:
                    continue
            elif "." in symbol.id and symbol.kind != "value":
                continue
            out.append(_completion(symbol))
    return out


def _wanted(last: Analysis, line: str) -> str | None:
    """The type of what stands on the other side of a comparison, or of what is set."""
    found = re.search(r"(\w+)(?:\([^()]*\)|\[[^\[\]]*\])?\s*(?:=|!=|<=?|>=?)\s*$", line)
    if found is None:
        return None
    for known in last.known:
        for use in known.index.uses.values():
            if use.span.text == found[1] and use.type is not None:
                return str(use.type)
        for symbol in known.index.symbols.values():
            if symbol.name == found[1] and symbol.type is not None:
                return str(symbol.type)
    return None


def _around(index: Index, file: str, offset: int) -> tuple[int, int] | None:
    """The declaration that an offset stands in."""
    best: tuple[int, int] | None = None
    for symbol in index.symbols.values():
        span = symbol.whole
        inside = span.source.name == file and span.start <= offset <= span.end + 1
        if inside and symbol.kind != "local" and (best is None or span.start >= best[0]):
            best = span.start, max(span.end, offset) + 1
    return best


def _completion(symbol: Symbol) -> Completion:
    of = symbol.id.partition(".")[0] if symbol.kind == "value" else ""
    return Completion(symbol.name, symbol.kind, of if symbol.type is None else str(symbol.type))


def _members(last: Analysis, before: str) -> list[Completion]:
    """What a thing has: fields of a component, places and states of a player."""
    word = re.search(r"(\w+)(?:\([^()]*\)|\[[^\[\]]*\])?$", before)
    if word is None:
        return []
    owners: set[str] = set()
    if word[1] in PLAYER:
        owners.add("player")
    for known in last.known:
        for use in known.index.uses.values():
            if use.span.text == word[1] and use.type is not None:
                owners |= _owner(use.type)
        for symbol in known.index.symbols.values():
            if symbol.name == word[1] and symbol.type is not None:
                owners |= _owner(symbol.type)
    if re.search(r"\b(left|right|player|owner)\([^()]*\)$", before):
        owners.add("player")
    out = [
        _completion(symbol)
        for known in last.known
        for symbol in known.index.symbols.values()
        if any(symbol.id == f"{owner}.{symbol.name}" for owner in owners) and symbol.kind != "value"
    ]
    return sorted({c.name: c for c in out}.values(), key=lambda c: c.name)


def _owner(type_: t.Type) -> set[str]:
    match type_:
        case t.Opt(of):
            return _owner(of)
        case t.Player():
            return {"player"}
        case t.Comp(name) | t.Rec(name):
            return {name}
    return set()


def _addressed(workspace: Workspace, last: Analysis, word: str) -> list[Completion]:
    """What a variant may address with this word: names of that sort in its base."""
    out = []
    for known in last.known:
        base = workspace.last(known.rules.base)
        for below in base.known:
            for symbol in below.index.symbols.values():
                if symbol.kind.removesuffix("fields") == word or (word == "step" and symbol.kind == "step"):
                    out.append(_completion(symbol))
    return sorted({c.name: c for c in out}.values(), key=lambda c: c.name)


def _cells(last: Analysis) -> list[Completion]:
    """In a table: values of kinds, and columns."""
    out = [
        _completion(symbol)
        for known in last.known
        for symbol in known.index.symbols.values()
        if symbol.kind in ("value", "field")
    ]
    return sorted({c.name: c for c in out}.values(), key=lambda c: c.name)
