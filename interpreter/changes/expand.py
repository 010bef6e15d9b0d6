"""The text of a game with its variants laid over, as a rule file of its own.

The text of the base game stays, comments and all. The trees before and after are
walked side by side; where the overlay has put something else, the text that it was
written as, in the variant's file, takes the place of the old one and is indented
to fit. What changed is told in comments. The result is laid out by the formatter
and reads back as the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs
from attrs import frozen

from ...grammar import Report, Source, Span, format_source, render, syntax
from ...grammar.format import set_out
from ..files.sources import is_dress
from ..overlay.addresses import WORDS, member_name, name_of, word_for
from ..overlay.trees import Made
from .differences import Change

Key = tuple[str, str]
Notes = dict[Key, list[str]]


@frozen
class Edit:
    """Text that takes the place of a stretch of the base game."""

    start: int
    end: int
    text: str


def expanded(base: syntax.File, result: syntax.File, notes: Notes | None = None) -> str:
    """The formatted text of `result`, which came about by laying variants over `base`.

    `notes` are comments for declarations, by sort and name.
    """
    report = Report()
    text = _raw(base, result, notes or {})
    source = Source("the expanded game", text)
    if text.rstrip() == base.span.source.text.rstrip():  # it has been read already
        return set_out(source)
    formatted = format_source(source, report)
    assert formatted is not None, "\n".join(map(render, report.errors)) + "\n" + text
    return formatted


def notes_of(changes: list[Change]) -> Notes:
    """Comments for an expanded game: which variant did what, in the sentences of the differences."""
    out: Notes = {}
    for change in changes:
        who = f"{' and '.join(change.variants)}: " if change.variants else ""
        if change.kind == "added":
            out.setdefault((change.word, change.name), []).append(f"{who}new")
            continue
        lines = out.setdefault((change.word, change.name), [])
        for sentence in change.sentences:
            told = sentence.rstrip(".")
            head, colon, rest = told.partition(": ")
            same = change.kind != "removed" and colon and change.name.replace("_", " ") in head
            lines.append(f"{who}{rest if same else told}")
    return out


def _raw(base: syntax.File, result: syntax.File, notes: Notes) -> str:
    gone = _names(base) - _names(result)
    dropped = {id(d): d for d in base.decls if _is_left_out(d, gone)}
    old = [d for d in base.decls if id(d) not in dropped]
    new = [d for d in result.decls if id(d) not in dropped]
    source = base.span.source
    edits = [Edit(*_with_comments(d.span), "") for d in dropped.values()]
    partners = _matched(old, new)
    for decl, partner in zip(old, partners, strict=True):
        edits += _edits_with_notes(decl, partner, notes)
    edits += _insertions(old, partners, new, notes, len(source.text.rstrip()))
    text = source.text
    # From the end to the start, so that no edit moves another. What goes in at one spot keeps its
    # order: of equals, the last goes in first.
    for edit in sorted(edits, key=lambda e: (e.start, e.end))[::-1]:
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text.rstrip() + "\n"


def _names(file: syntax.File) -> set[str]:
    """The names of all that is declared, members under their owner."""
    out: set[str] = set()
    for decl in file.decls:
        if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
            out |= {member_name(decl, member) for member in decl.members}
        elif type(decl) in WORDS:
            out.add(name_of(decl))
    return out


def _is_left_out(decl: Any, gone: set[str]) -> bool:
    """Variants, scenarios, which may not hold any more, and the looks of what is no longer there."""
    if isinstance(decl, syntax.Variant | syntax.Scenario):
        return True
    member = getattr(decl, "member", None)
    name = f"{decl.owner}.{member}" if member is not None else str(getattr(decl, "owner", ""))
    return is_dress(decl) and name in gone


def _edits_with_notes(decl: Any, partner: Any, notes: Notes) -> Iterator[Edit]:
    key = _key(decl)
    if partner is None:
        start, end = _with_comments(decl.span)
        told = notes.get(key, []) if key else []
        yield Edit(start, end, "\n".join(f"# {line}" for line in told))
        return
    inner = list(_edits(decl, partner))
    yield from inner
    if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
        members = {id(m): m for m in partner.members}
        for member in decl.members:
            told = notes.get((word_for(member), member_name(decl, member)), [])
            changed = id(member) not in members
            if told and changed and isinstance(decl, syntax.EachHas):
                indent = _indent(member.span)
                yield Edit(member.span.start, member.span.start, _comment(told, indent))
            elif told and changed:
                yield Edit(decl.span.start, decl.span.start, _comment(told, ""))
    elif inner and key in notes:
        yield Edit(decl.span.start, decl.span.start, _comment(notes[key], ""))


def _comment(lines: list[str], indent: str) -> str:
    return "".join(f"# {line}\n{indent}" for line in lines)


def _key(decl: Any) -> Key | None:
    if isinstance(decl, syntax.Game):
        return "game", ""
    return (word_for(decl), name_of(decl)) if type(decl) in WORDS else None


def _insertions(
    old: list[Any], partners: list[Any], new: list[Any], notes: Notes, end: int
) -> Iterator[Edit]:
    """What was added: behind what it stands behind."""
    placed = {id(partner): decl for decl, partner in zip(old, partners, strict=True) if partner is not None}
    after: int | None = None
    block: list[str] = []
    last = max((i for i, d in enumerate(new) if id(d) in placed), default=-1)
    for index, decl in enumerate(new):
        if id(decl) in placed:
            if block:
                yield _inserted(after, block)
                block = []
            after = placed[id(decl)].span.end
            continue
        key = _key(decl)
        told = notes.get(key, []) if key else []
        if isinstance(decl, syntax.Rows):  # what is told stands at the first of them
            told = [told[0].partition(": ")[0] + ": more"] if told else []
        block.append(_comment(told, "") + _moved(decl, ""))
        if index > last:
            after = end
    if block:
        yield _inserted(after, block)


def _inserted(after: int | None, block: list[str]) -> Edit:
    at = after or 0
    text = "\n\n".join(block)
    return Edit(at, at, f"\n\n{text}\n\n" if after is not None else f"{text}\n\n")


def _matched(old: list[Any], new: list[Any]) -> list[Any]:
    """For each old declaration what became of it; None if it was removed."""
    left = {id(d): d for d in new}
    partners: list[Any] = []
    for decl in old:
        if id(decl) in left:
            partners.append(left.pop(id(decl)))
            continue
        same = next((d for d in left.values() if _address(d) == _address(decl)), None)
        if same is not None:
            del left[id(same)]
        partners.append(same)
    return partners


def _address(decl: Any) -> tuple[Any, ...]:
    """What tells declarations apart: their name, or where they stand."""
    key = _key(decl)
    if key is None or isinstance(decl, syntax.Rows):
        return type(decl), decl.span
    return key


# ---------------------------------------------------------------- inside a declaration
def _edits(old: Any, new: Any) -> Iterator[Edit]:
    """What to change in the text of `old` so that it reads as `new`."""
    if old is new:
        return
    if new is None:
        yield Edit(old.span.start, old.span.end, "")
    elif type(old) is not type(new) or old.span != new.span:
        yield Edit(old.span.start, old.span.end, _moved(new, _indent(old.span)))
    elif isinstance(old, syntax.Turns) and _clauses(old) != _clauses(new):
        said = [part for _, part in _clauses(old) if part is not None]
        end = max(part.span.end for part in (old.player, *said))
        text = "".join(f" {word} {_moved(part, '')}" for word, part in _clauses(new) if part is not None)
        yield Edit(old.player.span.end, end, text)
        yield from _edits(old.body, new.body)
    else:
        for field in attrs.fields(type(old)):
            before, after = getattr(old, field.name), getattr(new, field.name)
            if isinstance(after, Made) and before is not after:
                yield Edit(after.span.start, after.span.end, _made(after))
            elif isinstance(before, syntax.NoDoc) and isinstance(after, syntax.WithDoc):
                end = old.span.end
                yield Edit(end, end, f"\n{_indent(old.span)}    {after.doc.span.text}")
            elif before is None and isinstance(after, syntax.Doc):
                start = old.body[0].span.start if isinstance(old, syntax.Block) else old.rows[0].span.start
                indent = _indent(old.body[0].span if isinstance(old, syntax.Block) else old.rows[0].span)
                yield Edit(start, start, f"{after.span.text}\n{indent}")
            elif before is None and isinstance(after, syntax.Node):
                raise AssertionError(f"{field.name} of {type(old).__name__} has come from nowhere")
            elif field.name in ("values", "items", "clauses") and before is not after:
                yield from _edits_behind(old, before, after)
            elif field.name == "rows":
                yield from _edits_of_rows(before, after)
            elif isinstance(before, tuple):
                yield from _edits_in_list(before, after)
            elif isinstance(before, syntax.Node):
                yield from _edits(before, after)


def _clauses(turns: syntax.Turns) -> list[tuple[str, Any]]:
    """Between the name of the player and the end of the header."""
    return [("in", turns.order), ("from", turns.start), ("then", turns.then), ("where", turns.where)]


def _edits_behind(old: Any, before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Edit]:
    """A list with commas on one line: what was changed, and what is new behind the last."""
    for one, other in zip(before, after, strict=False):
        if isinstance(one, syntax.Node):
            if type(one) is type(other) and one.span == other.span:
                yield from _edits(one, other)
            elif one is not other:
                yield Edit(one.span.start, one.span.end, _moved(other, ""))
    more = after[len(before) :]
    if more:
        last = before[-1].span if before else old.of.span
        texts = [_moved(m, "") if isinstance(m, syntax.Node) else str(m) for m in more]
        yield Edit(last.end, last.end, "".join(f", {text}" for text in texts))


def _edits_of_rows(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Edit]:
    if before is after or list(before) == list(after):
        return
    indent = _indent(before[0].span)
    yield Edit(before[0].span.start, before[-1].span.end, f"\n{indent}".join(after))


def _edits_in_list(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Edit]:
    if not before or not isinstance(before[0], syntax.Node):
        return
    if len(before) == len(after) and not any(b is a for b in before for a in after):
        pairs = dict(zip(range(len(before)), after, strict=True))
    else:
        pairs = {
            i: next((n for n in after if n is o or (type(n) is type(o) and n.span == o.span)), None)
            or next((n for n in after if type(n) is type(o) and _member(n) == _member(o) is not None), None)
            for i, o in enumerate(before)
        }
    if len(before) == len(after):  # what was replaced stands where the old one stood
        for i, new in enumerate(after):
            if pairs[i] is None and all(new is not p for p in pairs.values()):
                pairs[i] = new
    kept = {id(p) for p in pairs.values() if p is not None}
    for i, old in enumerate(before):
        yield from _edits(old, pairs[i])
    position = {id(p): before[i] for i, p in pairs.items() if p is not None}
    last: Any = None
    waiting: list[Any] = []
    for new in after:
        if id(new) in kept:
            for piece in waiting:
                at = position[id(new)].span
                yield Edit(at.start, at.start, f"{_moved(piece, _indent(at))}\n{_indent(at)}")
            waiting = []
            last = position[id(new)]
        elif last is not None:
            indent = _indent(last.span)
            yield Edit(last.span.end, last.span.end, f"\n{indent}{_moved(new, indent)}")
        else:
            waiting.append(new)
    for piece in waiting:  # nothing of the old list is left
        at = before[0].span
        yield Edit(at.start, at.start, f"{_moved(piece, _indent(at))}\n{_indent(at)}")


def _member(node: Any) -> str | None:
    """The name of a place, state or piece, by which it is known again when it was replaced."""
    return str(node.name) if isinstance(node, syntax.Place | syntax.State | syntax.Piece) else None


def _moved(node: Any, indent: str) -> str:
    """The text of a part, indented for another place."""
    if isinstance(node, syntax.CountList):
        return " or ".join(node.counts)
    if isinstance(node, syntax.Rows | syntax.Table):
        return _table_text(node, indent)
    first, *rest = _written(node).split("\n")
    if isinstance(node, syntax.Place | syntax.State) and node.member is None:
        first = re.sub(r"^(\w+\s+)\w+\.", r"\1", first)  # `replace place player.purse` in the owner's block
    here = _indent(node.span)
    return "\n".join([first, *(indent + line.removeprefix(here) if line.strip() else "" for line in rest)])


def _written(node: Any) -> str:
    """The text of a part as it stands, with what stands there for something else written out."""
    text: str = node.span.text
    edits = [e for e in _made_in(node, node.span) if node.span.start <= e.start and e.end <= node.span.end]
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.start, e.end))[::-1]:
        start = edit.start - node.span.start
        text = text[:start] + edit.text + text[edit.end - node.span.start :]
    return text


def _made_in(node: Any, whole: Span) -> Iterator[Edit]:
    if isinstance(node, tuple):
        for item in node:
            yield from _made_in(item, whole)
    elif isinstance(node, syntax.Step | syntax.Repeat) and isinstance(_label(node), Made):
        yield Edit(node.span.start, node.span.end, _original(node))
    elif isinstance(node, syntax.Node):
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if isinstance(value, Made):
                yield Edit(value.span.start, value.span.end, _made(value))
            elif isinstance(value, syntax.Node | tuple):
                yield from _made_in(value, whole)


def _made(word: Made) -> str:
    whole: str = getattr(word, "whole", str(word))
    return whole


def _label(node: syntax.Step | syntax.Repeat) -> Any:
    return node.name if isinstance(node, syntax.Step) else node.label


def _original(node: syntax.Step | syntax.Repeat) -> str:
    """What `original` stands for: the old statements, under a name."""
    indent = _indent(node.span)
    line = node.span.source.text[: node.span.start].rpartition("\n")[2]
    inline = bool(line.strip())
    inner = indent + ("        " if inline else "    ")
    name = _label(node)
    head = f"step {name}:" if isinstance(node, syntax.Step) else f"repeat {name} up to 1:"
    assert isinstance(node.body, syntax.Block)
    lines = [head, *(inner + _moved(stmt, inner) for stmt in node.body.body)]
    return (f"\n{indent}    " if inline else "") + "\n".join(lines)


def _table_text(node: syntax.Rows | syntax.Table, indent: str) -> str:
    """A bar table; its rows may have been changed since it was written."""
    head = _written(node).split("\n")
    above = []
    for line in head:
        if line.lstrip().startswith("|"):
            break
        above.append(line)
    here = _indent(node.span)
    inner = indent + "    "
    lines = [above[0], *(indent + line.removeprefix(here) for line in above[1:] if line.strip())]
    return "\n".join([*lines, *(inner + row for row in node.rows)])


def _indent(span: Span) -> str:
    line = span.source.line(span.line)
    return line[: len(line) - len(line.lstrip())]


def _with_comments(span: Span) -> tuple[int, int]:
    """A declaration with the comments right above it, which are about it; not those that head a section."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        line = text[above : start - 1].strip()
        if not line.startswith("#") or re.match(r"#\s*[=-]{4}", line):
            break
        start = above
    return (start, span.end) if text[start : span.start].strip() else (span.start, span.end)
