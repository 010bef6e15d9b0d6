"""Checking looks: that what they dress exists, and what their braces name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ...grammar import Span, did_you_mean, syntax
from ..core import value_types as t
from ..core.look import COLOURS, Look

if TYPE_CHECKING:
    from .context import Context


def check_looks(c: Context) -> dict[str, Look]:
    """The looks of a game, by name; complains of names that do not exist."""
    looks: dict[str, Look] = {}
    for node in c.names.each(syntax.Look, syntax.LookHidden, syntax.LookSaying, syntax.LookTable):
        owner = str(node.owner)
        if isinstance(node, syntax.LookTable):
            _check_table(c, node)
            for line in node.lines:
                looks[f"{owner}.{line.name}"] = _parts(c, line.text, line.parts)
            continue
        if not _known(c, node):
            continue
        name = f"{owner}.{node.member}" if node.member else owner
        if isinstance(node, syntax.LookHidden):
            looks[name] = evolve(looks.get(name, Look()), hidden=True)
            continue
        if isinstance(node, syntax.LookSaying):
            _check_sentence(c, name, node.says)
            looks[name] = evolve(looks.get(name, Look()), says=str(node.says))
            continue
        for part in node.parts:
            if isinstance(part, syntax.LookSays):
                _check_sentence(c, name, part.text)
        decl = (c.game.components.get(owner) or c.game.records.get(owner)) if not node.member else None
        texts = [
            node.text,
            *(p.text for p in node.parts if isinstance(p, syntax.LookShort | syntax.LookSymbol)),
        ]
        for text in texts if decl is not None else ():
            _check_fields(c, decl, text)
        looks[name] = _parts(c, node.text, node.parts, looks.get(name, Look()))
    return looks


def _parts(c: Context, text: Any, parts: tuple[Any, ...], before: Look | None = None) -> Look:
    look = evolve(before or Look(), words=str(text))
    for part in parts:
        match part:
            case syntax.LookShort():
                look = evolve(look, short=str(part.text))
            case syntax.LookSymbol():
                look = evolve(look, symbol=str(part.text))
            case syntax.LookSays():
                look = evolve(look, says=str(part.text))
            case syntax.LookColour():
                if part.name in COLOURS:
                    look = evolve(look, colour=str(part.name))
                else:
                    known = did_you_mean(part.name, COLOURS) or f"colours are {', '.join(COLOURS)}"
                    c.error("D0201", f"there is no colour `{part.name}`", part.name.span, help=known)
    return look


def _known(c: Context, node: Any) -> bool:
    """Is there something of that name?"""
    if node.member:
        members = {
            key.partition(".")[2]
            for table in (c.game.places, c.game.states, c.game.components)
            for key in table
            if key.startswith(f"{node.owner}.")
        }
        if str(node.member) in members:
            return True
        if str(node.member) in c.report.removed:  # a variant has no use for it: nor for its look
            return False
        help_line = did_you_mean(node.member, members)
        c.error("D0205", f"`{node.owner}` has no `{node.member}`", node.member.span, help=help_line)
        return False
    game = c.game
    happening = {*game.triggers, *game.endings, *game.menus, *(phase.name for phase in game.phases)}
    if str(node.owner) in game.components or node.owner in c.names.all or str(node.owner) in happening:
        return True
    if str(node.owner) in c.report.removed:
        return False
    help_line = did_you_mean(node.owner, [*c.names.all, *happening])
    c.error("D0201", f"there is nothing called `{node.owner}`", node.owner.span, help=help_line)
    return False


def _check_fields(c: Context, decl: Any, text: Any) -> None:
    for found in re.finditer(r"\{(\w*)\}", text.span.text):
        if found[1] not in decl.fields:
            start = text.span.start + found.start()
            c.error(
                "D0205",
                f"a {decl.name} has no `{found[1]}`",
                Span(text.span.source, start, start + len(found[0])),
                related=[(decl.span, "declared here")],
                help=did_you_mean(found[1], decl.fields),
            )


def _check_sentence(c: Context, name: str, text: Any) -> None:
    """The braces of a sentence name parameters; for a place or state `owner`, and `index` for what it is kept for."""
    game = c.game
    state = game.states.get(name) or game.places.get(name)
    noun = game.components.get(name) or game.kinds.get(name)
    called = game.rules.get(name) or game.defines.get(name) or game.tables.get(name)
    decl = state or noun or called
    if decl is None:
        c.error(
            "D0204",
            f"`{name}` takes no sentence",
            text.span,
            help="rules, definitions, tables, places, states and components do",
        )
        return
    known: list[str] = []
    choices: set[str] = set()
    if state is not None:
        indices = [f"index{number}" if number > 1 else "index" for number in range(1, len(state.indices) + 1)]
        known = [*(["owner"] if state.owner else []), *indices]
    elif called is not None:
        known = [var.name for var in called.params]
        choices = {var.name for var in called.params if isinstance(t.plain(var.type), t.YesNo)}
    for found in re.finditer(r"\{(\w*)(:[^{}]*)?\}", text.span.text):
        start = text.span.start + found.start()
        if found[1] in known and found[2] and found[1] not in choices:
            c.error(
                "D0301",
                f"`{found[1]}` is not a yes or no, so no words depend on it",
                Span(text.span.source, start, start + len(found[0])),
                related=[(decl.span, "declared here")],
                help=f"write `{{{found[1]}}}` to name it",
            )
        elif found[1] not in known:
            c.error(
                "D0205",
                f"`{name}` has no `{found[1]}`",
                Span(text.span.source, start, start + len(found[0])),
                related=[(decl.span, "declared here")],
                help=did_you_mean(found[1], known) or (f"there is {', '.join(known)}" if known else None),
            )


def _check_table(c: Context, node: Any) -> None:
    kind = c.game.kinds.get(str(node.owner))
    if kind is None:
        known = node.owner in c.names.all
        message = (
            f"`{node.owner}` has no values to list" if known else f"there is nothing called `{node.owner}`"
        )
        help_line = "give it words on the same line" if known else did_you_mean(node.owner, c.names.all)
        c.error("D0204" if known else "D0201", message, node.owner.span, help=help_line)
        return
    for line in node.lines:
        if line.name not in kind.values:
            c.error(
                "D0205",
                f"`{line.name}` is not a {kind.name}",
                line.name.span,
                related=[(kind.span, "declared here")],
                help=did_you_mean(line.name, kind.values),
            )
