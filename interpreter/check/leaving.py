"""Rules that never come back: every way through them ends the match.

Asked of the text, since the rule may stand below the line that calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

import attrs

from ...grammar import syntax

_OUT = (syntax.Return, syntax.Stop, syntax.Skip, syntax.Cancel, syntax.Expire)


def rules_that_end_the_match(file: syntax.File) -> frozenset[str]:
    """The rules in which every way ends the match, with no trigger in their way.

    The smallest such set, found from below: at first those that say `finish` themselves, then the ones that
    call one of these, and so on. So rules that only call each other are not among them.
    """
    bodies = {str(d.name): d.body for d in file.decls if isinstance(d, syntax.Rule | syntax.Action)}
    callers: dict[str, list[str]] = {}
    for rule, body in bodies.items():
        for name in {str(call.what.of.text) for call in _calls(body)}:
            callers.setdefault(name, []).append(rule)
    ending: set[str] = set()
    waiting = list(bodies)
    while waiting:
        rule = waiting.pop()
        if rule not in ending and _ends(bodies[rule], ending) and not _may_be_dropped(file, rule):
            ending.add(rule)
            waiting += callers.get(rule, ())
    return frozenset(ending)


def _calls(node: Any) -> Iterator[Any]:
    match node:
        case syntax.Call(what=syntax.Invoke(of=syntax.Name())):
            yield node
    for part in _parts(node):
        yield from _calls(part)


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


def _ends(part: syntax.Node | None, ending: Set[str]) -> bool:
    match part:
        case syntax.Finish():
            return True
        case syntax.Call(what=syntax.Invoke(of=syntax.Name(text=name))):
            return str(name) in ending
        case syntax.Block(body=body):
            return _one_ends(body, ending)
        case syntax.IfElse(then=then, otherwise=otherwise):
            return all(_ends(way, ending) for way in (then, otherwise))
        case (
            syntax.Line(body=body)
            | syntax.Nested(body=body)
            | syntax.SimpleLine(body=body)
            | syntax.AsPlayer(body=body)
            | syntax.ShowTo(body=body)
            | syntax.Atomic(body=body)
            | syntax.Step(body=body)
        ):
            return _ends(body, ending)
    return False


def _one_ends(body: Iterable[syntax.Node], ending: Set[str]) -> bool:
    """Does one of these statements end the match, and none before it leave the rule?"""
    for st in body:
        if _ends(st, ending):
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
