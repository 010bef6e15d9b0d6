"""Nodes by the names of operations: `Ex("local", type, span, data=var)` and `node.op`, `node.args`,
`node.data`, for passes that do not yet work with the classes.

Each operation has a row: its class, how the fields are made from operands and data, and how
operands and data are read from the fields. Nothing that works with the classes needs this.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from attrs import frozen

from . import expressions as e
from . import instructions as i
from . import statements as s
from . import value_types as t
from .expressions import Comp, Ex
from .node import changed
from .operators import OPERATORS
from .statements import St

Fields = Callable[[tuple[Any, ...], Any], tuple[Any, ...]]
Read = Callable[[Any], Any]


@frozen
class Row:
    """`make` gives the fields behind type and span, from the operands and the data."""

    cls: Any
    make: Fields
    args: Read | None = None
    data: Read | None = None


def one(name: str) -> Read:
    read = attrgetter(name)
    return lambda node: (read(node),)


some = attrgetter


def nothing(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    assert not args and data in (None, (), (None, None)), (args, data)
    return ()


def same(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    return args


def only_data(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    assert not args, args
    return (data,)


def args_then_data(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    return (*args, data)


def data_then_args(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    return (data, *args)


def data_and_operands(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    return (data, args)


def _comp(node: Any) -> Comp:
    return Comp(node.kind, node.gens, node.value, node.by, node.while_)


_ATTRIBUTES = {"on": "on", "owner": "comp_owner", "space": "comp_space", "turned": "turned"} | {
    "place": "comp_place"
}
"""Names of attributes to names of operations."""

EXPRESSIONS: dict[str, Row] = {
    "const": Row(e.Const, only_data, None, some("value")),
    "local": Row(e.Local, only_data, None, some("var")),
    "me": Row(e.Me, nothing),
    "option": Row(e.Option, only_data, None, some("name")),
    "universe": Row(e.Universe, only_data, None, some("of")),
    "and": Row(e.And, same, some("left", "right")),
    "or": Row(e.Or, same, some("left", "right")),
    "if": Row(e.Conditional, same, some("condition", "then", "otherwise")),
    "comp": Row(e.Reduction, lambda a, d: (d.kind, d.gens, d.value, d.by, d.while_), None, _comp),
    "call": Row(e.CallDefine, data_and_operands, None, some("define")),
    "table": Row(e.Lookup, data_and_operands, None, some("table")),
    "can": Row(e.Can, data_and_operands, None, some("action")),
    "can_menu": Row(e.CanMenu, data_and_operands, None, some("menu")),
    "partition": Row(e.PartitionOf, data_then_args, one("player"), some("partition")),
    "place": Row(e.PlaceRef, data_and_operands, some("indices"), some("place")),
    "places_of": Row(e.PlacesOf, data_then_args, one("players"), some("place")),
    "state": Row(e.StateRef, data_and_operands, some("indices"), some("state")),
    "rec_field": Row(e.RecordField, lambda a, d: (*d, a), some("indices"), some("record", "name")),
    "rec_rows": Row(e.Rows, only_data, None, some("record")),
    "field": Row(e.Field, lambda a, d: (*a, *d), one("of"), some("component", "name")),
    "owned_piece": Row(e.OwnedPiece, data_then_args, one("player"), some("piece")),
    "total_token": Row(e.TotalTokens, data_then_args, one("kind"), some("token")),
    "total_comp": Row(e.TotalComponents, only_data, None, some("component")),
    "space_at": Row(e.SpaceAt, args_then_data, some("x", "y"), some("space")),
    "near": Row(e.Near, args_then_data, some("of", "reach"), some("space")),
    "in_range": Row(e.InRange, lambda a, d: (*a, *d), one("of"), some("low", "high")),
    "place_is": Row(e.PlaceIs, args_then_data, one("of"), some("place")),
    "vector_cells": Row(e.VectorCells, lambda a, d: d, None, some("gen", "alike")),
    "vector_start": Row(e.VectorStart, only_data, None, some("gen")),
    "vector_value": Row(e.VectorValue, data_then_args, some("cells", "filled"), some("gen")),
    "raw": Row(e.Raw, only_data, None, some("code")),
}


def _attribute(name: str) -> Fields:
    return lambda args, data: (*args, data, name)


def _coordinate(axis: str) -> Fields:
    return lambda args, data: (*args, axis, data)


for _name, _op in _ATTRIBUTES.items():
    EXPRESSIONS[_op] = Row(e.Attribute, _attribute(_name), one("of"), some("component"))
for _axis in "xy":
    EXPRESSIONS[f"space_{_axis}"] = Row(e.Coordinate, _coordinate(_axis), one("of"), some("space"))

STATEMENTS: dict[str, Row] = {
    "let": Row(s.Let, data_then_args, one("value"), some("var")),
    "set": Row(s.Set, same, some("target", "value")),
    "note": Row(s.Note, lambda a, d: (d[0], a, d[1]), some("fields"), some("record", "var")),
    "nothing": Row(s.Nothing, nothing),
    "move": Row(s.Move, args_then_data, some("thing", "place", "at", "turned"), some("end")),
    "move_set": Row(s.MoveSet, args_then_data, some("things", "place"), some("end")),
    "move_all": Row(s.MoveAll, args_then_data, some("source", "place"), some("end")),
    "move_tokens": Row(s.MoveTokens, same, some("amount", "kind", "source", "place", "at")),
    "move_cell": Row(s.MoveCell, same, some("source", "space", "place", "at")),
    "move_on": Row(s.MoveOn, same, some("thing", "target")),
    "swap": Row(s.Swap, same, some("left", "right")),
    "shuffle": Row(s.Shuffle, same, some("place", "into")),
    "choose": Row(s.Choose, only_data, None, some("choice")),
    "pick": Row(s.Pick, same, some("low", "high", "source", "place")),
    "offer": Row(s.Offer, only_data, None, some("offering")),
    "may": Row(s.May, only_data, None, some("offering")),
    "draw": Row(
        s.Draw, lambda a, d: (*a, *d), some("amount", "source", "place", "at"), some("random", "end")
    ),
    "roll": Row(s.Roll, lambda a, d: (d[0], *a, d[1]), some("domain", "weight"), some("var", "audience")),
    "peek": Row(s.Peek, args_then_data, some("amount", "place"), some("audience")),
    "turns": Row(s.Turns, lambda a, d: (*d, *a), some("start", "where"), some("label", "var")),
    "rounds": Row(
        s.Rounds, lambda a, d: (*d, *a), some("order", "where", "clock", "tick"), some("label", "var")
    ),
    "together": Row(s.Together, same, one("gen")),
    "show": Row(s.Show, args_then_data, one("place"), some("audience")),
    "reveal": Row(s.Reveal, args_then_data, one("place"), some("audience")),
    "if": Row(s.If, same, one("condition")),
    "for": Row(s.For, lambda a, d: (a, *d), some("gens"), some("label", "who")),
    "repeat": Row(s.Repeat, args_then_data, one("limit"), some("label")),
    "as": Row(s.As, same, one("who")),
    "atomic": Row(s.Atomic, nothing),
    "call": Row(s.CallRule, lambda a, d: (d[0], a, *d[1:]), None, some("rule", "type", "var")),
    "require": Row(s.Require, args_then_data, one("condition"), some("because")),
    "return": Row(s.Return, same, one("value")),
    "stop": Row(s.Stop, lambda a, d: d, None, some("label", "local")),
    "skip": Row(s.Skip, nothing),
    "cancel": Row(s.Cancel, nothing),
    "expire": Row(s.Expire, only_data, None, some("label")),
    "finish": Row(s.Finish, args_then_data, one("winners"), some("because")),
}

INSTRUCTIONS: dict[str, Row] = {
    "scope": Row(i.InPhase, only_data, None, some("phase")),
    "draw_one": Row(i.DrawOne, args_then_data, some("what", "source", "place", "at"), some("end")),
    "peek_one": Row(i.PeekOne, same, some("what", "place")),
    "peek_show": Row(i.PeekShow, args_then_data, some("place", "amount"), some("audience")),
    "show_on": Row(i.ShowOn, lambda a, d: (*a, *d), one("place"), some("audience", "saved")),
    "show_off": Row(i.ShowOff, only_data, None, some("saved")),
    "atomic_on": Row(i.AtomicOn, nothing),
    "atomic_off": Row(i.AtomicOff, nothing),
    "action_on": Row(i.ActionOn, nothing),
    "action_off": Row(i.ActionOff, nothing),
    "seal": Row(i.Seal, nothing),
    "unseal": Row(i.Unseal, nothing),
    "begin_turn": Row(i.BeginTurn, args_then_data, one("player"), some("how")),
    "end_turn": Row(i.EndTurn, same, one("before")),
    "test_before_turn": Row(i.TestBeforeTurn, nothing),
    "reset": Row(i.Reset, only_data, None, some("names")),
    "reset_one": Row(i.ResetOne, args_then_data, one("thing"), some("state")),
    "clear_records": Row(i.ClearRecords, only_data, None, some("records")),
    "log_clock": Row(i.LogClock, args_then_data, one("ticks"), some("name")),
    "log_expired": Row(i.LogExpired, only_data, None, some("name")),
    "count": Row(i.Count, only_data, None, some("number")),
}
_HAPPENING = STATEMENTS | INSTRUCTIONS


# ---------------------------------------------------------------- making
def make(base: type, op: str, *args: Any, **kwargs: Any) -> Any:
    return (_expression if base is Ex else _statement)(op, *args, **kwargs)


def _expression(op: str, type: t.Type, span: Any, args: tuple[Any, ...] = (), data: Any = None) -> Ex:
    row = EXPRESSIONS.get(op)
    if row is None:
        assert op in OPERATORS, f"no operation `{op}`"
        return e.Apply(type, span, op, args)
    made: Ex = row.cls(type, span, *row.make(args, data))
    return made


def _statement(
    op: str,
    span: Any,
    args: tuple[Any, ...] = (),
    body: tuple[St, ...] = (),
    orelse: tuple[St, ...] = (),
    data: Any = None,
) -> St:
    row = _HAPPENING.get(op)
    assert row is not None, f"no operation `{op}`"
    inside: dict[str, Any] = {}
    slots = row.cls.__own__
    for name, part in (("body", body), ("orelse", orelse)):
        if name in slots:
            inside[name] = part
        else:
            assert not part, f"`{op}` has no {name}"
    if not inside:
        return row.cls(span, *row.make(args, data))  # type: ignore[no-any-return]
    names = [name for name in slots if name not in inside]
    return row.cls(span, **dict(zip(names, row.make(args, data), strict=False)), **inside)  # type: ignore[no-any-return]


def replaced(st: St, **parts: Any) -> St:
    """The same statement with another body, `orelse`, operands or data."""
    now = {"args": st.args, "body": st.body, "orelse": st.orelse, "data": st.data} | parts
    made = _statement(st.op, st.span, **now)
    if isinstance(st, s.Show | s.Reveal | s.Peek):
        return changed(made, secretly=st.secretly)
    return made


# ---------------------------------------------------------------- reading
def _empty(node: Any) -> tuple[Any, ...]:
    return ()


def _none(node: Any) -> None:
    return None


def _apply_data(node: Any) -> Any:
    """What the operand of one operator tells."""
    return node.args[0].type if node.op == "array_at" else None


def _install() -> None:
    for op, row in (EXPRESSIONS | {f"st {name}": row for name, row in _HAPPENING.items()}).items():
        slots = row.cls.__own__
        if row.cls not in (e.Attribute, e.Coordinate):
            row.cls.op = op.removeprefix("st ")
        if "args" not in slots:
            row.cls.args = property(row.args or _empty)
        if "data" not in slots:
            row.cls.data = property(row.data or _none)
        if issubclass(row.cls, St):
            for name in ("body", "orelse"):
                if name not in slots:
                    setattr(row.cls, name, ())
    e.Attribute.op = property(lambda node: _ATTRIBUTES[node.name])  # type: ignore[assignment,method-assign]
    e.Coordinate.op = property(lambda node: f"space_{node.axis}")  # type: ignore[assignment,method-assign]
    e.Apply.data = property(_apply_data)  # type: ignore[assignment,method-assign]


_install()
