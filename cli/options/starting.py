"""The first lines of a house rule: header, a sentence to fill in, the old text of what is to be changed.

Whatever is named is found, whatever its sort. What was there stands below the header, ready to be
edited; the old header is a comment. The text validates as it is written.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...grammar import Span, did_you_mean, syntax
from ...interpreter.core.errors import UsageError
from ...interpreter.driver import DRIVER
from ...interpreter.overlay.addresses import WORDS, member_name, name_of, word_for
from ...interpreter.overlay.steps import owner_of_step, steps_of
from ...interpreter.overlay.trees import walk


def house_rule(
    game: Path, title: str, replace: Sequence[str], settings: Sequence[str], add: Sequence[str]
) -> str:
    """The text of a new variant of a game."""
    decls = [d for d in DRIVER.parsed(game).file.decls if not isinstance(d, syntax.Variant)]
    parts = [_set(decls, name) for name in settings]
    parts += [_added(decls, name) for name in add]
    parts += [_replaced(decls, name) for name in replace]
    if not parts:
        parts = ['scenario "nothing has changed yet":\n    then:\n        check yes']
    body = "\n\n".join(textwrap.indent(part, "    ") for part in parts)
    return f'variant "{title}" of {game.stem}:\n    "What is different, in a sentence that players understand."\n\n{body}\n'


def _find(decls: list[Any], name: str, *sorts: type) -> Any:
    for decl in decls:
        if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
            for member in decl.members:
                full = member_name(decl, member)
                if name in (full, full.rpartition(".")[2]) and (not sorts or isinstance(member, sorts)):
                    return member
        elif (
            type(decl) in WORDS
            and name == (name_of(decl) or word_for(decl))
            and (not sorts or isinstance(decl, sorts))
        ):
            return decl
    return None


def _unknown(decls: list[Any], name: str, what: str) -> UsageError:
    known = [name_of(d) or word_for(d) for d in decls if type(d) in WORDS] + steps_of(decls)
    return UsageError("D0602", f"the game has no {what} `{name}`", did_you_mean(name, known))


def _replaced(decls: list[Any], name: str) -> str:
    decl = _find(decls, name)
    if decl is None:
        return _step(decls, name)
    word, called = word_for(decl), name_of(decl)
    owner = next(
        (d.owner for d in decls if isinstance(d, syntax.EachHas | syntax.EachHasOne) and decl in d.members),
        None,
    )
    text = _text(decl.span)
    body = getattr(decl, "body", None)
    if body is not None and word in ("rule", "trigger", "ending", "action"):
        header = " ".join(decl.span.text[: body.span.start - decl.span.start].split())
        return f"# {header}:\nreplace {word} {called}{_text(body.span, decl.span)}"
    if owner is not None:
        text = text.replace(f"{word} {decl.name}", f"{word} {owner}.{decl.name}", 1)
    return f"replace {text}"


def _step(decls: list[Any], name: str) -> str:
    owner = owner_of_step(decls, name)
    step = next(
        (n for n in walk(owner) if isinstance(n, syntax.Step) and n.name == name.rpartition(".")[2]), None
    )
    if owner is None or step is None:
        raise _unknown(decls, name, "rule or step")
    full = name if "." in name else f"{name_of(owner) or word_for(owner)}.{name}"
    return f"replace step {full}{_text(step.body.span, step.span)}"


def _text(span: Span, owner: Span | None = None) -> str:
    """A stretch of text as it would stand in the first column, without citations."""
    line = span.source.line((owner or span).line)
    indent = len(line) - len(line.lstrip())
    first, *rest = span.text.split("\n")
    lines = [
        first,
        *(text[indent:] if text[:indent].isspace() or not indent else text.lstrip() for text in rest),
    ]
    return "\n".join(re.sub(r"\s*\[[A-Z]+-?\d[^\]]*\]\s*$", "", text).rstrip() for text in lines)


def _set(decls: list[Any], name: str) -> str:
    decl = _find(decls, name, syntax.Option, syntax.Define)
    if isinstance(decl, syntax.Option):
        return f"set {name} = {decl.default.span.text}"
    if isinstance(decl, syntax.Define) and decl.params is None:
        return f"set {name} = {_text(decl.value.span)}"
    raise _unknown(decls, name, "option or constant")


def _added(decls: list[Any], name: str) -> str:
    rows = _find(decls, name, syntax.Rows, syntax.Table)
    if rows is not None:
        lines = "\n".join(f"    {row}" for row in rows.rows[:2])
        return f"# a row of your own in place of this one\nadd rows {name}:\n{lines}"
    kinds = _find(decls, name, syntax.Kinds)
    if kinds is not None:
        return f"add kinds {name}: new_{str(name).lower()}"
    token = _find(decls, name, syntax.Token)
    if token is not None:
        return f"add token {name}: new_{str(name).lower()} 1"
    raise _unknown(decls, name, "component, table, kinds or token")
