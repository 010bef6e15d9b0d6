"""Going through nodes, from their fields: what is inside, the same with other parts, what is mentioned.

Shallow: `children` are the expressions directly inside a node, `bodies` the
blocks of statements directly inside a statement. A pass that goes deeper calls
itself, so that it says itself what it does with the names that are bound on the
way. The bodies of definitions and rules that are called are not inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import attrs

from .audiences import SeenBy
from .expressions import Comp, Ex, Gen, Local, Reduction, VectorCells, VectorStart, VectorValue
from .node import Node, changed
from .statements import Case, Choice, Guard, Offering, St

_HOLDING = re.compile(r"\b(Ex|Gen|St|Choice|Guard|Offering|Case|Audience)\b")
_PARTS = (Gen, Choice, Guard, Offering, Case, SeenBy)
AnyNode = TypeVar("AnyNode", bound=Node)


_held: dict[type, tuple[str, ...]] = {}


def holding(cls: Any) -> tuple[str, ...]:
    """The fields of a class that may hold nodes."""
    if cls not in _held:
        fields = cls.__annotated__ if issubclass(cls, Node) else {f.name: f.type for f in attrs.fields(cls)}
        _held[cls] = tuple(name for name, of in fields.items() if _HOLDING.search(str(of)))
    return _held[cls]


# ---------------------------------------------------------------- what is inside
def children(node: object) -> Iterator[Ex]:
    """The expressions directly inside a node (or inside what nodes are made of)."""
    for name in holding(type(node)):
        yield from _expressions(getattr(node, name))


def _expressions(value: object) -> Iterator[Ex]:
    if isinstance(value, Ex):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _expressions(item)
    elif isinstance(value, _PARTS):
        yield from children(value)


def operands(ex: Ex) -> tuple[Ex, ...]:
    """The expressions directly inside one with no name bound around them."""
    if isinstance(ex, Reduction | VectorCells | VectorStart):
        return ()
    return (ex.cells, ex.filled) if isinstance(ex, VectorValue) else tuple(children(ex))


def bodies(st: St) -> Iterator[tuple[St, ...]]:
    """The blocks directly inside a statement: its bodies, and those of the cases it offers."""
    for name in holding(type(st)):
        value = getattr(st, name)
        if isinstance(value, Offering):
            for case in value.cases:
                yield case.body
        elif name in ("body", "orelse"):
            yield value


def own_bodies(st: St) -> list[tuple[St, ...]]:
    """What it does and what it does otherwise, if it has such bodies; cases that it offers are not its own."""
    return [getattr(st, name) for name in ("body", "orelse") if name in type(st).__own__]


def within(node: Ex) -> Iterator[Ex]:
    """An expression and all expressions inside it."""
    yield node
    for child in children(node):
        yield from within(child)


def fold(node: Ex, join: Callable[[Ex, list[Any]], Any]) -> Any:
    """From the leaves to the root: `join` gets a node and what it made of its children."""
    return join(node, [fold(child, join) for child in children(node)])


def variables(node: object) -> set[str]:
    """The uids of the locals that an expression mentions, those it binds itself included."""
    found = {node.var.uid} if isinstance(node, Local) else set()
    for child in children(node):
        found |= variables(child)
    return found


def free_vars(node: object) -> set[str]:
    """The uids of the locals that an expression (or several, or a generator) reads and does not
    bind itself."""
    match node:
        case Local(var=var):
            return {var.uid}
        case tuple() | list():
            return set().union(*(free_vars(item) for item in node))
        case Ex() | Gen() | Comp() | SeenBy():
            inside = free_vars([getattr(node, name) for name in holding(type(node))])
            gens = (node,) if isinstance(node, Gen) else getattr(node, "gens", ())
            return inside.difference(*(bound_by(gen) for gen in gens))
    return set()


def bound_by(gen: Gen) -> set[str]:
    """The uids of the locals that a generator binds: its own, and the indices of a vector."""
    return {gen.var.uid, *(var.uid for var, _ in gen.cells)}


# ---------------------------------------------------------------- the same with other parts
def map_children(change: Callable[[Ex], Ex], node: AnyNode) -> AnyNode:
    """The node with `change` made to every expression directly inside it."""
    made: AnyNode = _changed(node, change)
    return made


def map_bodies(change: Callable[[tuple[St, ...]], tuple[St, ...]], st: St) -> St:
    """The statement with `change` made to every block directly inside it."""
    parts: dict[str, Any] = {}
    for name in ("body", "orelse"):
        if name in type(st).__own__ and getattr(st, name):
            parts[name] = change(getattr(st, name))
    offering = getattr(st, "offering", None)
    if isinstance(offering, Offering) and any(case.body for case in offering.cases):
        cases = [attrs.evolve(case, body=change(case.body)) for case in offering.cases]
        parts["offering"] = attrs.evolve(offering, cases=cases)
    return changed(st, **parts) if parts else st


def _changed(node: Any, change: Callable[[Any], Any]) -> Any:
    parts = {}
    for name in holding(type(node)):
        old = getattr(node, name)
        new = _change_value(old, change)
        if new is not old:
            parts[name] = new
    if not parts:
        return node
    return changed(node, **parts) if isinstance(node, Node) else attrs.evolve(node, **parts)


def _change_value(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, Ex):
        return change(value)
    if isinstance(value, tuple | list):
        new = [_change_value(item, change) for item in value]
        same = all(a is b for a, b in zip(value, new, strict=True))
        return value if same else type(value)(new)
    return _changed(value, change) if isinstance(value, _PARTS) else value


def contains(st: St, *kinds: type[St]) -> bool:
    """Is it, or is somewhere in it, one of these statements?"""
    return isinstance(st, kinds) or any(contains(inner, *kinds) for body in bodies(st) for inner in body)
