"""Checking looks: that what they dress exists, and what their braces name."""

from __future__ import annotations

import re
from typing import Any

from attrs import evolve

from ...grammar import Span, did_you_mean, syntax
from .look import COLOURS, Look


def check_looks(checker: Any) -> dict[str, Look]:
    """The looks of a game, by name; complains of names that do not exist."""
    looks: dict[str, Look] = {}
    for node in checker.each(syntax.Look, syntax.LookHidden, syntax.LookSaying, syntax.LookTable):
        owner = str(node.owner)
        if isinstance(node, syntax.LookTable):
            _check_table(checker, node)
            for line in node.lines:
                looks[f"{owner}.{line.name}"] = _parts(checker, line.text, line.parts)
            continue
        if not _known(checker, node):
            continue
        name = f"{owner}.{node.member}" if node.member else owner
        if isinstance(node, syntax.LookHidden):
            looks[name] = evolve(looks.get(name, Look()), hidden=True)
            continue
        if isinstance(node, syntax.LookSaying):
            _check_sentence(checker, name, node.says)
            looks[name] = evolve(looks.get(name, Look()), says=str(node.says))
            continue
        for part in node.parts:
            if isinstance(part, syntax.LookSays):
                _check_sentence(checker, name, part.text)
        decl = checker.game.components.get(owner) if not node.member else None
        texts = [
            node.text,
            *(p.text for p in node.parts if isinstance(p, syntax.LookShort | syntax.LookSymbol)),
        ]
        for text in texts if decl is not None else ():
            _check_fields(checker, decl, text)
        looks[name] = _parts(checker, node.text, node.parts, looks.get(name, Look()))
    return looks


def _parts(checker: Any, text: Any, parts: tuple[Any, ...], before: Look | None = None) -> Look:
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
                    checker.error("D0201", f"there is no colour `{part.name}`", part.name.span, help=known)
    return look


def _known(checker: Any, node: Any) -> bool:
    """Is there something of that name?"""
    if node.member:
        members = {
            key.partition(".")[2]
            for table in (checker.game.places, checker.game.states, checker.game.components)
            for key in table
            if key.startswith(f"{node.owner}.")
        }
        if str(node.member) in members:
            return True
        if str(node.member) in checker.report.removed:  # a variant has no use for it: nor for its look
            return False
        help_line = did_you_mean(node.member, members)
        checker.error("D0205", f"`{node.owner}` has no `{node.member}`", node.member.span, help=help_line)
        return False
    game = checker.game
    happening = {*game.triggers, *game.endings, *game.menus, *(phase.name for phase in game.phases)}
    if str(node.owner) in game.components or node.owner in checker.names or str(node.owner) in happening:
        return True
    if str(node.owner) in checker.report.removed:
        return False
    help_line = did_you_mean(node.owner, [*checker.names, *happening])
    checker.error("D0201", f"there is nothing called `{node.owner}`", node.owner.span, help=help_line)
    return False


def _check_fields(checker: Any, decl: Any, text: Any) -> None:
    for found in re.finditer(r"\{(\w*)\}", text.span.text):
        if found[1] not in decl.fields:
            start = text.span.start + found.start()
            checker.error(
                "D0205",
                f"a {decl.name} has no `{found[1]}`",
                Span(text.span.source, start, start + len(found[0])),
                related=[(decl.span, "declared here")],
                help=did_you_mean(found[1], decl.fields),
            )


def _check_sentence(checker: Any, name: str, text: Any) -> None:
    """The braces of a sentence name parameters; for a place or state `owner`, and `index` for what it is kept for."""
    game = checker.game
    state = game.states.get(name) or game.places.get(name)
    noun = game.components.get(name) or game.kinds.get(name)
    decl = state or noun or game.rules.get(name) or game.defines.get(name) or game.tables.get(name)
    if decl is None:
        checker.error(
            "D0204",
            f"`{name}` takes no sentence",
            text.span,
            help="rules, definitions, tables, places, states and components do",
        )
        return
    if noun is not None:
        known = []
    elif state is not None:
        indices = [f"index{number}" if number > 1 else "index" for number in range(1, len(state.indices) + 1)]
        known = [*(["owner"] if state.owner else []), *indices]
    else:
        known = [var.name for var in decl.params]
    for found in re.finditer(r"\{(\w*)\}", text.span.text):
        if found[1] not in known:
            start = text.span.start + found.start()
            checker.error(
                "D0205",
                f"`{name}` has no `{found[1]}`",
                Span(text.span.source, start, start + len(found[0])),
                related=[(decl.span, "declared here")],
                help=did_you_mean(found[1], known) or (f"there is {', '.join(known)}" if known else None),
            )


def _check_table(checker: Any, node: Any) -> None:
    kind = checker.game.kinds.get(str(node.owner))
    if kind is None:
        known = node.owner in checker.names
        message = (
            f"`{node.owner}` has no values to list" if known else f"there is nothing called `{node.owner}`"
        )
        help_line = "give it words on the same line" if known else did_you_mean(node.owner, checker.names)
        checker.error("D0204" if known else "D0201", message, node.owner.span, help=help_line)
        return
    for line in node.lines:
        if line.name not in kind.values:
            checker.error(
                "D0205",
                f"`{line.name}` is not a {kind.name}",
                line.name.span,
                related=[(kind.span, "declared here")],
                help=did_you_mean(line.name, kind.values),
            )
