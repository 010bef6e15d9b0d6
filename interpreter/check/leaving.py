"""Rules that never come back: every way through them ends the match.

Asked of the text, since the rule may stand below the line that calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ...grammar import syntax

_OUT = (syntax.Return, syntax.Stop, syntax.Skip, syntax.Cancel, syntax.Expire)


def ends_the_match(file: syntax.File, rule: str, seen: frozenset[str] = frozenset()) -> bool:
    """Does every way through a rule end the match, and does no trigger stand in its way?"""
    if rule in seen or _may_be_dropped(file, rule):
        return False
    named = [d for d in file.decls if isinstance(d, syntax.Rule | syntax.Action) and d.name == rule]
    return bool(named) and _ends(file, named[-1].body, seen | {rule})


def _may_be_dropped(file: syntax.File, rule: str) -> bool:
    triggers = [
        d for d in file.decls if isinstance(d, syntax.Trigger) and any(_on(e, rule) for e in d.events)
    ]
    return any(
        isinstance(trigger.timing, syntax.TimingInstead) or _holds(trigger.body, (syntax.Cancel,))
        for trigger in triggers
    )


def _on(event: syntax.Node, rule: str) -> bool:
    match event:
        case syntax.EventNamed(what=syntax.Invoke(of=syntax.Name(text=name)) | syntax.Name(text=name)):
            return bool(name == rule)
    return False


def _ends(file: syntax.File, part: syntax.Node | None, seen: frozenset[str]) -> bool:
    match part:
        case syntax.Finish():
            return True
        case syntax.Call(what=syntax.Invoke(of=syntax.Name(text=name))):
            return ends_the_match(file, str(name), seen)
        case syntax.Block(body=body):
            return _one_ends(file, body, seen)
        case syntax.IfElse(then=then, otherwise=otherwise):
            return all(_ends(file, way, seen) for way in (then, otherwise))
        case (
            syntax.Line(body=body)
            | syntax.Nested(body=body)
            | syntax.SimpleLine(body=body)
            | syntax.AsPlayer(body=body)
            | syntax.ShowTo(body=body)
            | syntax.Atomic(body=body)
            | syntax.Step(body=body)
        ):
            return _ends(file, body, seen)
    return False


def _one_ends(file: syntax.File, body: Iterable[syntax.Node], seen: frozenset[str]) -> bool:
    """Does one of these statements end the match, and none before it leave the rule?"""
    for st in body:
        if _ends(file, st, seen):
            return True
        if _holds(st, _OUT):
            return False
    return False


def _holds(node: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(node, kinds) or any(_holds(part, kinds) for part in _parts(node))


def _parts(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        yield from node
    elif isinstance(node, syntax.Node):
        for fld in attrs.fields(type(node)):
            if isinstance(value := getattr(node, fld.name), tuple | syntax.Node):
                yield value
