"""The nodes of the checked game: every class is in its union and has a name, a traversal and a sentence."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any, get_args

import attrs
import dragonrules as dr
import pytest
from dragonrules.grammar import Source, Span
from dragonrules.interpreter.core import (
    Apply,
    CheckedGame,
    Choice,
    Const,
    Ex,
    Expr,
    Gen,
    Instruction,
    Local,
    Offering,
    Reduction,
    SeenBy,
    Skip,
    St,
    Stmt,
    Var,
    bodies,
    changed,
    children,
    expressions,
    free_vars,
    instructions,
    map_bodies,
    map_children,
    statements,
    variables,
    within,
)
from dragonrules.interpreter.core import value_types as t

HERE = Span(Source("here", "x"), 0, 1)
NUM = t.Num(0, 9)


def number(value: int) -> Const:
    return Const(NUM, HERE, value)


def subclasses(module: Any, base: type) -> set[type]:
    return {c for c in vars(module).values() if isinstance(c, type) and issubclass(c, base) and c is not base}


def test_the_unions_are_complete() -> None:
    assert set(get_args(Expr)) == subclasses(expressions, Ex)
    assert set(get_args(Stmt)) == subclasses(statements, St)
    assert set(get_args(Instruction)) == subclasses(instructions, St)


def everything(game: CheckedGame) -> Iterator[Ex | St]:
    """All nodes of a game, found without the traversal."""
    seen: set[int] = set()
    stack: list[Any] = [game]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, tuple | list):
            stack += item
        elif isinstance(item, Ex | St) and id(item) not in seen:
            seen.add(id(item))
            yield item
            stack += [getattr(item, name) for name in type(item).__fields__]
        elif attrs.has(type(item)) and not isinstance(item, Span | t.Type) and id(item) not in seen:
            seen.add(id(item))
            stack += [getattr(item, f.name) for f in attrs.fields(type(item))]


@pytest.fixture(scope="module", params=["drakon", "dragons_gold", "ryu"])
def nodes(request: pytest.FixtureRequest) -> list[Ex | St]:
    return list(everything(dr.load(request.param).checked))


def by_hand(value: Any) -> Iterator[Ex]:
    """The expressions directly inside the fields of a node, without the statements inside it."""
    if isinstance(value, Ex):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from by_hand(item)
    elif isinstance(value, Gen):
        yield from by_hand((value.domain, value.where, [domain for _, domain in value.cells]))
    elif isinstance(value, SeenBy):
        yield value.players
    elif isinstance(value, Choice):
        yield from by_hand((value.gens, [g.condition for g in value.guards], value.distinct))
    elif isinstance(value, Offering):
        yield from by_hand((value.menu_args, [case.args for case in value.cases]))


def test_children_are_what_the_fields_hold(nodes: list[Ex | St]) -> None:
    for node in nodes:
        fields = {name: getattr(node, name) for name in type(node).__own__}
        assert {id(x) for x in children(node)} == {id(x) for x in by_hand(tuple(fields.values()))}
        if isinstance(node, St):
            offered = fields.get("offering")
            cases = [case.body for case in offered.cases] if isinstance(offered, Offering) else []
            wanted = [fields.get("body"), fields.get("orelse"), *cases]
            assert sorted(id(b) for b in bodies(node) if b) == sorted(id(b) for b in wanted if b)


def test_changing_nothing_gives_the_same_node(nodes: list[Ex | St]) -> None:
    for node in nodes:
        assert map_children(lambda child: child, node) is node
        if isinstance(node, St):
            assert [*bodies(map_bodies(lambda body: body[:1], node))] == [b[:1] for b in bodies(node)]


def test_nodes_survive_being_kept(nodes: list[Ex | St]) -> None:
    one = Apply(NUM, HERE, "add", (number(1), number(2)))
    hash(one)
    again = pickle.loads(pickle.dumps(one))
    assert again == one and hash(again) == hash(one)


def test_equal_is_what_means_the_same() -> None:
    elsewhere = Span(Source("there", "y"), 0, 1)
    assert Const(NUM, HERE, 1) == Const(t.Num(1, 1), elsewhere, 1) != Const(NUM, HERE, 2)
    assert Apply(NUM, HERE, "add", (number(1), number(2))) != Apply(NUM, HERE, "sub", (number(1), number(2)))
    assert Skip(HERE) != Skip(HERE)


def test_nodes_never_change() -> None:
    one = number(1)
    with pytest.raises(AttributeError, match=r"never changes: Const\.value"):
        one.value = 2  # type: ignore[misc]
    with pytest.raises(AssertionError):
        changed(one, worth=2)
    assert changed(one, value=2) == number(2) and repr(number(2)).startswith("Const(type=")


def test_variables_are_found_wherever_they_are_mentioned() -> None:
    x, y, z = (Var(name, f"{name}_1", NUM) for name in "xyz")
    domain = Apply(t.SetOf(NUM), HERE, "range", (Local(NUM, HERE, y), number(3)))
    where = Apply(t.YES_NO, HERE, "lt", (Local(NUM, HERE, x), Local(NUM, HERE, z)))
    total = Reduction(NUM, HERE, "sum", (Gen(x, domain, (where,)),), number(1))
    assert variables(total) == {"x_1", "y_1", "z_1"}
    assert free_vars(total) == {"y_1", "z_1"}
    assert free_vars((total, total.value, total.gens[0].where)) == {"x_1", "y_1", "z_1"}
    assert {type(node) for node in within(total)} == {Reduction, Apply, Local, Const}
