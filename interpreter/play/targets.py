"""What an option points at: so that a front end can outline it on the table."""

from __future__ import annotations

from typing import Any, Literal

from attrs import frozen

from ..core import value_types as t

Kind = Literal["action", "thing", "space", "player", "value", "amount", "record"]


@frozen
class Target:
    """Something that an option is about.

    `action`: a case of a menu, by `name`. `thing`: a component or piece, by the `name` it has in the
    view. `space`: `space` of the board declared as `name`. `player`: the seat `number`. `value`: a
    value `name` of a kind, or yes or no. `amount`: `number`. `record`: a row, as `Debt#2`.
    """

    kind: Kind
    name: str = ""
    space: tuple[int, int] | None = None
    number: int | None = None


def targets(value: Any, type_: t.Type) -> tuple[Target, ...]:
    """Of an encoded value of a type; of a set or list all in it, of `none` nothing."""
    match type_:
        case t.Opt(of):
            return () if value is None else targets(value, of)
        case t.SetOf(of) | t.ListOf(of):
            return tuple(target for one in value for target in targets(one, of))
        case t.Comp():
            return (Target("thing", str(value)),)
        case t.Space(of):
            return (Target("space", of, (value[0], value[1])),)
        case t.Player():
            return (Target("player", number=value),)
        case t.Rec():
            return (Target("record", str(value)),)
        case t.YesNo():
            return (Target("value", "yes" if value else "no"),)
        case t.Num():
            return (Target("amount", number=value),)
    return (Target("value", str(value)),)
