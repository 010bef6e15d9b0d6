"""Triggers of one event whose order matters, and of which no `order` says that it is meant.

Two triggers are a matter for the rulebook when both can run on the same event
and one touches what the other touches (effects.py). Conditions that exclude
each other keep them apart: `c.effect = trap` and `c.effect = harp`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ...grammar import Report
from ..core import (
    OPERATORS,
    And,
    Apply,
    CheckedGame,
    Const,
    Ex,
    Local,
    RuleDecl,
    Var,
    applies,
    changed,
    map_children,
)
from ..core.facts import reads
from .effects import Doings, Effects, conflict

MOST_TOLD = 20
"""Pairs of triggers that are told of one event."""


def trigger_orders(game: CheckedGame, report: Report) -> None:
    doings = Doings(game)
    effects: dict[str, Effects] = {}
    told: set[tuple[str, str]] = set()
    for timing, event, group in _groups(game):
        left = MOST_TOLD
        for first, second in combinations(group, 2):
            if not left:
                break
            if (first.name, second.name) in told or _declared(game, first.name, second.name):
                continue
            for trigger in (first, second):
                if trigger.name not in effects:
                    effects[trigger.name] = doings.of_trigger(trigger)
            names = first.name, second.name
            reason = conflict(effects[first.name], effects[second.name], names)
            if reason is None or _apart(game, first, second, effects):
                continue
            told.add((first.name, second.name))
            left -= 1
            more = "" if left else "; there may be more pairs like this"
            report.add(
                "D0503",
                f"this and `{first.name}` run {timing} {event}, and their order matters: {reason}{more}",
                second.span,
                severity="warning",
                related=[(first.span, "the other one comes first, because it is declared first")],
                help=f"say that this is meant: `order {first.name}, {second.name}`, or the other way round",
            )


def _groups(game: CheckedGame) -> Iterator[tuple[str, str, list[RuleDecl]]]:
    """The triggers that hang on one event at the same time."""
    groups: dict[tuple[str, tuple[str, str]], list[RuleDecl]] = {}
    for trigger in game.triggers.values():
        for event in trigger.events:
            groups.setdefault((trigger.timing, event), []).append(trigger)
    for (timing, (kind, name)), group in groups.items():
        words = f"{kind} `{name}`" if kind in ("entering", "leaving") else f"`{name}`"
        yield timing, words, group


def _declared(game: CheckedGame, first: str, second: str) -> bool:
    """Does an `order` name both, or several in a chain?"""
    reached: set[str] = set()
    todo = [first]
    while todo:
        name = todo.pop()
        for order in game.orders:
            if name in order:
                behind = set(order[order.index(name) + 1 :]) - reached
                reached |= behind
                todo += behind
    return second in reached


# ---------------------------------------------------------------- conditions that exclude each other
def _apart(game: CheckedGame, first: RuleDecl, second: RuleDecl, effects: dict[str, Effects]) -> bool:
    """Can never both run: their conditions contradict each other, and neither changes what they say."""
    same = {b.uid: a for a, b in zip(first.params, second.params)}
    changed = effects[first.name].changes.keys() | effects[second.name].changes.keys()
    for one in _conjuncts(first.where):
        for other in _conjuncts(second.where):
            other = _renamed(other, same)
            if contradict(one, other) and not (reads((one, other), game) & changed):
                return True
    return False


def _conjuncts(ex: Ex | None) -> Iterator[Ex]:
    if ex is None:
        return
    if isinstance(ex, And):
        for arg in (ex.left, ex.right):
            yield from _conjuncts(arg)
    else:
        yield ex


def _renamed(ex: Ex, names: dict[str, Var]) -> Ex:
    if isinstance(ex, Local) and ex.var.uid in names:
        return changed(ex, var=names[ex.var.uid])
    return map_children(lambda child: _renamed(child, names), ex)


def contradict(one: Ex, other: Ex) -> bool:
    """Can these conditions not both hold?"""
    if applies(one, "not"):
        return bool(one.args[0] == other)
    if applies(other, "not"):
        return bool(other.args[0] == one)
    if applies(one, "in") and not applies(other, "in"):
        return contradict(other, one)
    if not isinstance(one, Apply) or not isinstance(other, Apply):
        return False
    if len(one.args) == len(other.args) == 2 and one.args[0] == other.args[0]:
        a, b = one.args[1], other.args[1]
        if a == b:
            return OPERATORS[one.op].negation == other.op
        if one.op == other.op == "eq":
            return isinstance(a, Const) and isinstance(b, Const)
        if applies(one, "eq") and applies(other, "in") and isinstance(a, Const):
            values = _constants(b)
            return values is not None and a.value not in values
        if one.op == other.op == "in":
            left, right = _constants(a), _constants(b)
            return left is not None and right is not None and not left & right
    return False


def _constants(ex: Ex) -> set[object] | None:
    """The values of a set that is written out."""
    if not applies(ex, "set"):
        return None
    values: set[object] = {a.value for a in ex.args if isinstance(a, Const)}
    return values if all(isinstance(a, Const) for a in ex.args) else None
