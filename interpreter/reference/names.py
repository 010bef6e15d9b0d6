"""Values as logs and people see them: plain data that means the same everywhere, and words."""

from __future__ import annotations

from typing import Any

from ..core import value_types as t
from .play import Play
from .table import Place

_TURNS = ("as it is", "a quarter turn", "a half turn", "three quarter turns")


def key_of_value(play: Play, value: Any, type_: t.Type) -> Any:
    """Plain data: names, seats from 1, coordinates."""
    if value is None:
        return None
    match t.plain(type_):
        case t.YesNo():
            return bool(value)
        case t.Kind(name):
            return play.game.kinds[name].values[value]
        case t.Player():
            return value + 1
        case t.Comp(name):
            return component_name(play, name, value)
        case t.Rec(name):
            return f"{name}#{value + 1}"
        case t.SetOf(of) | t.ListOf(of):
            return tuple(key_of_value(play, v, of) for v in value)
    return value


def component_name(play: Play, comp: str, c: int) -> str:
    if play.game.components[comp].piece:
        return f"{comp[7:]} of player {c + 1}" if comp.startswith("player.") else comp
    return f"{comp}#{c + 1}"


def words_for(play: Play, value: Any, type_: t.Type) -> str:
    """What players read for the index of a cell."""
    match type_:
        case t.Player():
            return f"player {value + 1}"
        case t.Kind("rotation"):
            return _TURNS[value]
        case t.Kind(name):
            word = play.game.kinds[name].values[value]
            look = play.game.looks.get(f"{name}.{word}")
            return look.words if look is not None and look.words else word.replace("_", " ")
    return str(key_of_value(play, value, type_))


def place_name(play: Play, place: Place) -> str:
    decl = place.decl
    return member_name(play, place.key, decl.owner, decl.indices, place.keys)


def state_name(play: Play, key: str, index: tuple[Any, ...]) -> str:
    decl = play.game.states[key]
    return member_name(play, key, decl.owner, decl.indices, index)


def member_name(play: Play, key: str, owner: str, indices: tuple[t.Type, ...], keys: tuple[Any, ...]) -> str:
    name = key.split(".", 1)[1] if owner else key
    rest = keys[1:] if owner else keys
    for value, type_ in zip(rest, indices, strict=True):
        plain = key_of_value(play, value, type_)
        name += f"[{', '.join(map(str, plain)) if isinstance(plain, tuple) else plain}]"
    if owner == "player":
        return f"player {keys[0] + 1}: {name}"
    return f"{component_name(play, owner, keys[0])}: {name}" if owner else name
