"""What of a checked game a match can come to: definitions that only scenarios use are no rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from ..core import Case, CheckedGame, Choice, Comp, Ex, Gen, Guard, Offering, RuleDecl, St


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
            yield node
            yield from walk(node.args)
            if isinstance(node.data, Comp):
                yield from walk(node.data)
        case St():
            yield node
            target = node.args[0] if node.op == "set" else None
            if isinstance(target, Ex) and target.op == "state":
                yield from walk((target.args, node.args[1:]))  # what is set is not read
            else:
                yield from walk(node.args)
            yield from walk(node.body)
            yield from walk(node.orelse)
            yield from walk(node.data)
        case Comp():
            yield from walk((node.gens, node.value, node.by, node.while_))
        case Gen():
            yield from walk((node.domain, node.where, tuple(domain for _, domain in node.cells)))
        case Choice():
            yield from walk((node.gens, node.guards, node.distinct))
        case Guard():
            yield from walk(node.condition)
        case Offering():
            yield node
            yield from walk((tuple(node.cases), node.menu_args))
        case Case():
            yield from walk((node.args, node.body))
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
        target = st.args[0] if st.op == "set" else None
        if not (isinstance(target, Ex) and target.op == "state"):
            return st.op == "nothing"
        decl = target.data
        return (f"{decl.owner}.{decl.name}" if decl.owner else decl.name) not in found.states

    return bool(trigger.body) and all(idle(st) for st in trigger.body)


def _used_by(node: Ex | St | Offering, game: CheckedGame, found: Reached) -> list[Any]:
    match node:
        case Ex(op="call") if node.data.name not in found.defines:
            found.defines.add(node.data.name)
            return [node.data.body]
        case Ex(op="table"):
            found.tables.add(node.data.name)
        case Ex(op="state"):
            decl = node.data
            found.states.add(f"{decl.owner}.{decl.name}" if decl.owner else decl.name)
        case Ex(op="option"):
            found.options.add(node.data)
        case Ex(op="can"):
            return _rule(node.data, game, found)
        case Ex(op="can_menu"):
            return _menu(node.data, game, found)
        case St(op="call"):
            return _rule(node.data[0], game, found)
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
    if any(isinstance(node, St) and node.op == "finish" for node in walk(body)):
        found.ends_in.add(name)
    return [body]


def _menu(name: str, game: CheckedGame, found: Reached) -> list[Any]:
    found.menus.add(name)
    return [body for action in game.menus.get(name, ()) for body in _rule(action, game, found)]
