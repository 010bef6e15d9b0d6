"""What differs between two rule sets, declaration by declaration.

Declarations are matched by sort and name, never by where they stand. Inside one
that has changed, the two trees are walked side by side down to the smallest parts
that differ; `change_words` makes sentences of them. Layout, comments, docs and
cites are no changes of the rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

import attrs
from attrs import Factory, frozen

from ...grammar import Span, syntax
from ..check.citations import cited
from ..core.bar_tables import split_row
from ..files.sources import essence, is_dress
from ..overlay.addresses import WORDS, member_name, name_of, word_for
from ..overlay.steps import statements_of
from ..overlay.trees import Kept

Key = tuple[str, str]
ALIKE = 0.6


@frozen
class Part:
    """A declaration, with the name it is known by and what it belongs to."""

    word: str
    name: str
    node: Any
    owner: str = ""

    @property
    def key(self) -> Key:
        return self.word, self.name


@frozen
class Change:
    """One thing that has changed. `sentences` say it to people; the first is the most telling."""

    kind: str
    """added, removed, changed or moved"""
    word: str
    name: str
    sentences: tuple[str, ...]
    old: Span | None = None
    new: Span | None = None
    cites: tuple[str, ...] = ()
    variants: tuple[str, ...] = Factory(tuple)


def changes_between(old: syntax.File, new: syntax.File) -> list[Change]:
    """What is different in the new rules, in the order of the old ones; what is new comes last."""
    from .sentences import added, changed, removed

    before, after = _parts(old), _parts(new)
    out: list[Change] = []
    for key, parts in before.items():
        others = after.get(key, [])
        first = parts[0]
        if not others:
            sentences = removed(first)
            out.append(_change("removed", first, sentences, first.node.span, None, [first.node]))
        elif [essence(p.node) for p in parts] != [essence(p.node) for p in others]:
            sentences = changed([p.node for p in parts], [p.node for p in others], first)
            where = _where(parts, others)
            nodes = [p.node for p in (*parts, *others)]
            out.append(_change("changed", first, sentences, first.node.span, where, nodes))
    for key, parts in after.items():
        if key not in before:
            for part in parts:
                if isinstance(getattr(part.node, "name", None), Kept):
                    continue  # what was there before, under another name
                out.append(_change("added", part, added(part), None, part.node.span, [part.node]))
    out += _moved(before, after)
    return out


def _change(
    kind: str, part: Part, sentences: Sequence[str], old: Span | None, new: Span | None, nodes: list[Any]
) -> Change:
    cites = tuple(dict.fromkeys(item for node in nodes for item in cited(node)))
    return Change(kind, part.word, part.name, tuple(sentences), old, new, cites)


def _where(parts: list[Part], others: list[Part]) -> Span:
    """The first place in the new rules that is not in the old ones."""
    known = parts[0].node.span.source.name
    for other in others:
        for old, new in differences(parts[0].node, other.node):
            spot = new if new is not None else old
            span: Span | None = getattr(spot, "span", None)
            if span is not None and span.source.name != known:
                return span
    span = others[0].node.span
    if isinstance(parts[0].node, syntax.Rows | syntax.Table):
        rows = [row for other in others for row in other.node.rows]
        cells = [cell.span for row in rows for cell in split_row(row) if cell.span.source.name != known]
        return cells[0] if cells else span
    return span


def digests(file: syntax.File) -> dict[str, str]:
    """A short fingerprint of each declaration. A save keeps them, and so can name what has changed since."""
    out: dict[str, str] = {}
    for (word, name), parts in _parts(file).items():
        nodes = [essence(part.node) for part in parts if not is_dress(part.node)]
        if nodes:
            out[f"{word} {name}".strip()] = hashlib.sha256(repr(nodes).encode()).hexdigest()[:8]
    return out


def _parts(file: syntax.File) -> dict[Key, list[Part]]:
    """The declarations that rules are made of; members under the name of their owner."""
    out: dict[Key, list[Part]] = {}

    def add(part: Part) -> None:
        out.setdefault(part.key, []).append(part)

    for decl in file.decls:
        if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
            for member in decl.members:
                add(Part(word_for(member), member_name(decl, member), member, str(decl.owner)))
        elif isinstance(decl, syntax.Game):
            add(Part("game", "", decl))
        elif isinstance(decl, syntax.Demand):
            add(Part("require", " ".join(decl.condition.span.text.split()), decl))
        elif type(decl) in WORDS:
            add(Part(word_for(decl), name_of(decl), decl))
    return out


def _moved(before: dict[Key, list[Part]], after: dict[Key, list[Part]]) -> Iterator[Change]:
    """Phases, triggers and endings run in the order of declaration."""
    for word in ("phase", "ending", "trigger"):
        old = [key for key in before if key[0] == word and key in after]
        new = [key for key in after if key[0] == word and key in before]
        if old != new:
            matcher = SequenceMatcher(a=old, b=new, autojunk=False)
            kept = {
                key for block in matcher.get_matching_blocks() for key in old[block.a : block.a + block.size]
            }
            for index, key in enumerate(new):
                if key not in kept:
                    place = f"behind {new[index - 1][1]}" if index else "first of all"
                    name = key[1].replace("_", " ")
                    part = after[key][0]
                    sentence = f"{word.capitalize()} {name}: now comes {place.replace('_', ' ')}."
                    yield _change(
                        "moved", part, [sentence], before[key][0].node.span, part.node.span, [part.node]
                    )


# ---------------------------------------------------------------- inside a declaration
@frozen
class Gap:
    """Nothing where the other side has something; keeps the place in mind."""

    span: Span


Pair = tuple[Any, Any]


def differences(old: Any, new: Any) -> list[Pair]:
    """The smallest parts that differ, in pairs; None where one side has nothing."""
    if essence(old) == essence(new):
        return []
    if isinstance(old, tuple) and isinstance(new, tuple):
        return _differences_in_list(old, new)
    for chain in (syntax.AndExpr, syntax.OrExpr, syntax.Plus):
        if isinstance(old, chain) or isinstance(new, chain):
            a, b = _links(old, chain), _links(new, chain)
            if {repr(essence(x)) for x in a} & {repr(essence(x)) for x in b}:
                return _differences_in_list(a, b)
    if (
        isinstance(new, syntax.Line)
        and isinstance(new.body, syntax.Nothing)
        and isinstance(old, syntax.Suite)
    ):
        return [(stmt, None) for stmt in statements_of(old)]
    if type(old) is not type(new) or not isinstance(old, syntax.Node):
        return [(old, new)]
    inner: list[Pair] = []
    for fld in attrs.fields(type(old)):
        if fld.name in ("span", "cite", "doc"):
            continue
        a, b = getattr(old, fld.name), getattr(new, fld.name)
        if essence(a) == essence(b):
            continue
        if not isinstance(a, syntax.Node | tuple) or not isinstance(b, syntax.Node | tuple):
            return [(old, new)] if a is not None or b is not None else inner
        inner += differences(a, b)
    return inner or [(old, new)]


def _links(node: Any, chain: type) -> tuple[Any, ...]:
    """`a and b and c` as its three links."""
    return (*_links(node.left, chain), node.right) if isinstance(node, chain) else (node,)  # type: ignore[attr-defined]


def _differences_in_list(old: tuple[Any, ...], new: tuple[Any, ...]) -> list[Pair]:
    a, b = [repr(essence(x)) for x in old], [repr(essence(x)) for x in new]
    out: list[Pair] = []
    for op, a1, a2, b1, b2 in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        if op == "equal":
            continue
        if a2 - a1 == b2 - b1:
            for x, y in zip(old[a1:a2], new[b1:b2], strict=True):
                out += differences(x, y)
        else:
            out += _nearest(old[a1:a2], new[b1:b2])
    return out


def _nearest(old: tuple[Any, ...], new: tuple[Any, ...]) -> list[Pair]:
    """Parts that are alike are compared with each other; the rest is gone, or new."""
    out: list[Pair] = []
    left = list(new)
    for x in old:
        alike = [y for y in left if type(y) is type(x) and _likeness(x, y) > ALIKE]
        if alike:
            best = max(alike, key=lambda y: _likeness(x, y))
            left = [y for y in left if y is not best]
            out += differences(x, best)
        else:
            out.append((x, None))
    return out + [(None, y) for y in left]


def _likeness(old: Any, new: Any) -> float:
    if not isinstance(old, syntax.Node) or not isinstance(new, syntax.Node):
        return 0.0
    return SequenceMatcher(a=old.span.text, b=new.span.text, autojunk=False).ratio()


def share_kept(old: Any, new: Any, pairs: list[Pair]) -> float:
    """How much of the text is the same, from 0 to 1."""
    size = max(_length(old), _length(new), 1)
    lost = sum(max(_length(a), _length(b)) for a, b in pairs)
    return 1 - min(1.0, lost / size)


def _length(node: Any) -> int:
    return len(node.span.text) if isinstance(node, syntax.Node) else len(node) if node else 0


def rows_of(tables: list[Any]) -> list[dict[str, str]]:
    """The rows of bar tables, by column."""
    out = []
    for table in tables:
        header, *body = [[" ".join(cell.text.split()) for cell in split_row(row)] for row in table.rows]
        out += [dict(zip(header, cells, strict=False)) for cells in body]
    return out
