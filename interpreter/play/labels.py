"""Values as people and files see them: stable keys and readable labels."""

from __future__ import annotations

from typing import Any

from ..core import value_types as t
from ..core.look import filled_in
from ..program.layout import Layout, PlaceInstance
from ..program.terminators import DecisionPoint

_TURNS = ("as it is", "a quarter turn", "a half turn", "three quarter turns")


class Values:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game

    def encode(self, value: Any, type_: t.Type) -> Any:
        """Plain data that means the same in every process: names, seats from 1, coordinates."""
        match type_:
            case t.Opt(of):
                return None if value == -1 else self.encode(value, of)
            case t.YesNo():
                return bool(value)
            case t.Kind(name):
                return self.game.kinds[name].values[value]
            case t.Player():
                return value + 1
            case t.Comp(name):
                return self.comp_name(name, value)
            case t.Space(of):
                return self.layout.geometries[of].xy(value)
            case t.Rec(name):
                return f"{name}#{value + 1}"
            case t.SetOf(of):
                items = (
                    value
                    if isinstance(value, tuple)
                    else [i for i in range(value.bit_length()) if value >> i & 1]
                )
                return tuple(self.encode(v, of) for v in items)
            case t.ListOf(of):
                return tuple(self.encode(v, of) for v in value)
        return value

    def comp_name(self, comp: str, c: int) -> str:
        decl = self.layout.comps[comp].decl
        if decl.piece:
            return comp if not comp.startswith("player.") else f"{comp[7:]} of player {c + 1}"
        return f"{comp}#{self.number(comp, c) + 1}"

    def number(self, comp: str, c: int) -> int:
        """What a component is called by: its place in the box."""
        return c

    def label(self, value: Any, type_: t.Type) -> str:
        """Words for a value: what a player reads in a list of options."""
        match type_:
            case t.Opt(of):
                return "none" if value == -1 else self.label(value, of)
            case t.YesNo():
                return "yes" if value else "no"
            case t.Kind(name):
                if name == "rotation":
                    return _TURNS[value]
                return self._look(name, self.game.kinds[name].values[value])
            case t.Player():
                return f"player {value + 1}"
            case t.Comp(name):
                return self.comp_label(name, value)
            case t.Space(of):
                x, y = self.layout.geometries[of].xy(value)
                geometry = self.layout.geometries[of]
                if geometry.ring:
                    return f"space {x}"
                return f"({x}, {y})" if geometry.grows else f"{_letters(x)}{y}"
            case t.SetOf(of):
                items = (
                    value
                    if isinstance(value, tuple)
                    else [i for i in range(value.bit_length()) if value >> i & 1]
                )
                return " ".join(self.label(v, of) for v in items)
            case t.ListOf(of):
                return " ".join(self.label(v, of) for v in value)
        return str(self.encode(value, type_))

    def _look(self, kind: str, value: str) -> str:
        look = self.game.looks.get(f"{kind}.{value}")
        return look.words if look is not None and look.words else value.replace("_", " ")

    def comp_label(self, comp: str, c: int) -> str:
        layout = self.layout.comps[comp]
        fields = {f: self.label(column[c], layout.decl.fields[f]) for f, column in layout.columns.items()}
        look = self.game.looks.get(comp)
        if look is not None and look.words is not None:
            return filled_in(look.words, fields)
        if layout.decl.piece:
            return comp.replace("player.", "")
        shown = " ".join(v for v in fields.values() if v not in ("none", ""))
        return f"{comp} {shown}" if shown else f"{comp} {self.number(comp, c) + 1}"

    # ------------------------------------------------------------ decisions
    def cell(self, point: DecisionPoint, index: int) -> tuple[str, ...]:
        """The indices of a cell of a vector, as people count and call them."""
        assert isinstance(point.type, t.Array)
        labels = []
        for type_ in reversed(point.type.index):
            index, key = divmod(index, self.layout.size(type_))
            labels.append(self.label(key + self.layout.low(type_), type_))
        return tuple(reversed(labels))

    def option_key(self, point: DecisionPoint, value: Any) -> tuple[Any, ...]:
        if point.kind == "offer":
            return ("offer", point.cases[value][0])
        if point.kind == "vector":
            return (point.name, value)
        assert point.type is not None
        return (point.name, self.encode(value, point.type))

    def option_label(self, point: DecisionPoint, value: Any) -> str:
        if point.kind == "offer":
            return str(point.cases[value][1])
        if point.kind == "vector":
            return str(value)
        assert point.type is not None
        return point.none if value == -1 and point.none else self.label(value, point.type)

    # ------------------------------------------------------------ places and states
    def place_label(self, key: str, instance: PlaceInstance) -> str:
        return self._member_label(key, instance.decl.owner, instance.decl.indices, instance.keys)

    def state_label(self, key: str, index: int) -> str:
        decl = self.game.states[key]
        _, sizes, lows = self.layout.states[key]
        keys = []
        for size, low in zip(reversed(sizes), reversed(lows), strict=True):
            keys.append(index % size + low)
            index //= size
        return self._member_label(key, decl.owner, decl.indices, tuple(reversed(keys)))

    def _member_label(self, key: str, owner: str, indices: tuple[t.Type, ...], keys: tuple[int, ...]) -> str:
        name = key.split(".", 1)[1] if owner else key
        rest = keys[1:] if owner else keys
        text = name + "".join(f"[{_plain(self.encode(k, i))}]" for k, i in zip(rest, indices, strict=True))
        if owner == "player":
            return f"player {keys[0] + 1}: {text}"
        return f"{self.comp_name(owner, keys[0])}: {text}" if owner else text


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _letters(number: int) -> str:
    out = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        out = chr(ord("a") + rest) + out
    return out
