"""What of a checked game a match can come to: definitions that only scenarios use are no rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from ..core import (
    CallDefine,
    CallRule,
    Can,
    CanMenu,
    CheckedGame,
    Ex,
    Finish,
    Lookup,
    May,
    Nothing,
    Offer,
    Offering,
    Option,
    RuleDecl,
    Set,
    St,
    StateRef,
    bodies,
    children,
    within,
)


@define
class Reached:
    """Names of definitions, tables, options, rules and menus that play can use."""

    defines: set[str] = Factory(set)
    tables: set[str] = Factory(set)
    options: set[str] = Factory(set)
    rules: set[str] = Factory(set)
    menus: set[str] = Factory(set)
    states: set[str] = Factory(set)  # whose value something depends on
    ends_in: set[str] = Factory(set)  # rules that may end the game


def walk(node: Any) -> Iterator[Ex | St | Offering]:
    """Every expression, statement and offering in a part of the checked game."""
    match node:
        case Ex():
            yield from within(node)
        case Set(target=StateRef() as target):  # what is set is not read
            yield node
            yield from walk((target.indices, node.value))
        case St():
            yield node
            if isinstance(node, Offer | May):
                yield node.offering
            yield from walk((*children(node), *bodies(node)))
        case tuple() | list():
            for item in node:
                yield from walk(item)


def reached(game: CheckedGame) -> Reached:
    """Everything that play uses, followed from the phases, triggers, endings and the score."""
    found = Reached()
    todo: list[Any] = [phase.body for phase in game.phases]
    todo += [(t.body, t.where, t.me) for t in game.triggers.values()]
    todo += [(e.domain, e.when, e.body) for e in game.endings.values()]
    todo += [condition for condition, _, _ in game.demands]
    todo += [c.count for c in game.components.values()]
    todo += [tuple(count for _, count in c.rows) for c in game.components.values()]
    todo += [d.amounts for d in game.tokens.values()]
    todo += [(p.width, p.height, p.cap) for p in game.places.values()]
    todo += [(r.limit,) for r in game.records.values()]
    if game.score is not None:
        todo.append(game.score.body)
    while todo:
        for node in walk(todo.pop()):
            todo += _used_by(node, game, found)
    return found


def is_idle(trigger: RuleDecl, found: Reached) -> bool:
    """Does a trigger only note what nothing depends on, as for an invariant?"""

    def idle(st: St) -> bool:
        if not isinstance(st, Set) or not isinstance(st.target, StateRef):
            return isinstance(st, Nothing)
        decl = st.target.state
        return (f"{decl.owner}.{decl.name}" if decl.owner else decl.name) not in found.states

    return bool(trigger.body) and all(idle(st) for st in trigger.body)


def _used_by(node: Ex | St | Offering, game: CheckedGame, found: Reached) -> list[Any]:
    match node:
        case CallDefine() if node.define.name not in found.defines:
            found.defines.add(node.define.name)
            return [node.define.body]
        case Lookup():
            found.tables.add(node.table.name)
        case StateRef():
            decl = node.state
            found.states.add(f"{decl.owner}.{decl.name}" if decl.owner else decl.name)
        case Option():
            found.options.add(node.name)
        case Can():
            return _rule(node.action, game, found)
        case CanMenu():
            return _menu(node.menu, game, found)
        case CallRule():
            return _rule(node.rule, game, found)
        case Offering():
            more = _menu(node.menu, game, found) if node.menu else []
            for case in node.cases:
                more += _rule(case.action, game, found) if case.action else []
            return more
    return []


def _rule(name: str, game: CheckedGame, found: Reached) -> list[Any]:
    if name in found.rules or name not in game.rules:
        return []
    found.rules.add(name)
    body = game.rules[name].body
    if any(isinstance(node, St) and isinstance(node, Finish) for node in walk(body)):
        found.ends_in.add(name)
    return [body]


def _menu(name: str, game: CheckedGame, found: Reached) -> list[Any]:
    found.menus.add(name)
    return [body for action in game.menus.get(name, ()) for body in _rule(action, game, found)]
