"""What the doc strings of a game say to somebody who learns it.

A doc may end with rulings and assumptions, which nobody needs at first: from `Ruling:` or `Assumed` on
it is left to the exact part, and what a `look ... hidden` calls house-keeping is left to it altogether.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..core import (
    Apply,
    CallDefine,
    CallRule,
    CheckedGame,
    Conditional,
    Const,
    Decl,
    Ex,
    If,
    Offering,
    RuleDecl,
    St,
    applies,
    within,
)
from ..core import value_types as t
from ..core.look import Look
from ..rulebook.book import SETUP
from ..rulebook.reachable import walk

_NOTES = re.compile(r"\s*\b(?:Rulings?:|Assumed\b|For bots:).*", re.DOTALL)
MOST_VALUES = 2
"""A rule that speaks of more values of a kind than these is about none of them in particular."""


def lesson(decl: Decl) -> str:
    """What its doc says to a learner."""
    return _NOTES.sub("", getattr(decl, "doc", None) or "").strip()


def is_upkeep(game: CheckedGame, decl: Decl) -> bool:
    """Limits, counters and the like: not for the first reading."""
    return game.looks.get(decl.name, Look()).hidden


# ---------------------------------------------------------------- in the order of play
def in_order(game: CheckedGame, start: Any, seen: set[str]) -> Iterator[RuleDecl]:
    """The rules, actions and triggers that a part of the game comes to, as it comes to them, each once.
    What is in `seen` is left out, with what only it comes to."""
    for node in walk(start):
        for name in _called(game, node):
            decl = game.rules[name]
            if name in seen or is_upkeep(game, decl):
                continue
            seen.add(name)
            yield decl
            yield from in_order(game, decl.body, seen)
            yield from _set_off(game, decl, seen)


def _set_off(game: CheckedGame, decl: RuleDecl, seen: set[str]) -> Iterator[RuleDecl]:
    for trigger in game.triggers.values():
        if (decl.kind, decl.name) in trigger.events and trigger.name not in seen:
            if is_upkeep(game, trigger):
                continue
            seen.add(trigger.name)
            yield trigger
            yield from in_order(game, trigger.body, seen)


def _called(game: CheckedGame, node: Ex | St | Offering) -> list[str]:
    names: list[str | None] = []
    if isinstance(node, CallRule):
        names = [node.rule]
    elif isinstance(node, Offering):
        names = [*game.menus.get(node.menu or "", ()), *(case.action for case in node.cases)]
    return [name for name in names if name in game.rules]


# ---------------------------------------------------------------- one value of a kind after the other
def about_values(game: CheckedGame, kind: str) -> dict[str, list[Decl]]:
    """For each value of a kind, what the rules say of it alone: who asks whether something is of this
    value, and what is called where it is."""
    setting_up = {d.name for p in game.phases if p.name == SETUP for d in in_order(game, p.body, set())}
    phases = [p for p in game.phases if p.name != SETUP]
    decls: list[Decl] = [*game.triggers.values(), *game.rules.values(), *phases, *game.defines.values()]
    decls = [d for d in decls if d.name not in setting_up and not is_upkeep(game, d)]
    out: dict[str, list[Decl]] = {value: [] for value in game.kinds[kind].values}
    for decl in decls:
        body = (getattr(decl, "where", None), decl.body)  # type: ignore[attr-defined]
        branches = [found for node in walk(body) for found in _branches(game, node, kind)]
        for value, called in branches:
            out[value] += [d for d in called if d not in out[value]]
        asked = {v for node in walk(body) for v in _asked(node, kind)}
        if 0 < len(asked) <= MOST_VALUES and not branches and decl not in phases:
            for number in asked:
                value = game.kinds[kind].values[number]
                out[value] += [decl] if decl not in out[value] else []
    return {value: [d for d in found if lesson(d)] for value, found in out.items()}


def _asked(node: Any, kind: str) -> Iterator[int]:
    """The value that a comparison asks for."""
    if isinstance(node, Apply) and applies(node, "eq"):
        for side in node.args:
            if isinstance(side, Const) and t.plain(side.type) == t.Kind(kind):
                yield side.value


def _branches(game: CheckedGame, node: Any, kind: str) -> Iterator[tuple[str, list[Decl]]]:
    """What is called only if something is of a value."""
    then: tuple[Ex | St, ...]
    match node:
        case Conditional():
            condition, then = node.condition, (node.then,)
        case If():
            condition, then = node.condition, node.body
        case _:
            return
    asked = [v for part in within(condition) for v in _asked(part, kind)]
    if len(asked) != 1:
        return
    called: list[Decl] = []
    for part in walk(then):
        if isinstance(part, CallDefine):
            called.append(part.define)
        called += [game.rules[name] for name in _called(game, part)]
    yield game.kinds[kind].values[asked[0]], called
