"""Things moved by hand, as lines of a scenario: `if let thing = first(...): move thing to lair at ...`.

What is taken hold of and where it is put are addresses as pages have them (marks.py), with the label
of the place around them. A line names a thing by where it lies and by what is printed on it, so it
means the same wherever the position is built again: of things that look alike any will do.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..core.errors import DragonError
from ..play.table_data import Place, Table, Thing
from .words import View, split_label

NAME = "the_thing"
TARGET = "the_other"


class NotByHand(DragonError):
    """It cannot be moved by hand; the message says why."""


@frozen
class Grip:
    """What is pressed on: an address, and the label of the place that it is drawn in."""

    address: str
    place: str | None = None


def line_for(table: Table, view: View, taken: Grip, put: Grip) -> str:
    """The line that moves what is taken to where it is put."""
    return _Line(table, view).move(taken, put)


class _Line:
    def __init__(self, table: Table, view: View) -> None:
        self.table, self.view = table, view

    def move(self, taken: Grip, put: Grip) -> str:
        kind, _, rest = taken.address.partition(" ")
        if kind == "token":
            source = self.place(taken.place)
            return f"move 1 of {rest} from {self.path(source.label)} to {self.onto(put)}"
        if kind == "space":
            return self.from_space(taken, put)
        if kind != "thing":
            raise NotByHand("that cannot be moved by hand")
        thing = self.thing(rest)
        if thing.piece:
            return f"move {self.piece(thing)} to {self.target(put)}"
        return self.with_thing(thing, taken.place, NAME, f"move {NAME} to {self.onto(put)}")

    def from_space(self, taken: Grip, put: Grip) -> str:
        """What lies on a space: the token there, or the component."""
        ground, space = self.space(taken)
        for item in self.view["places"].get(ground.label, {}).get("contents") or ():
            if isinstance(item[0], str) and tuple(item[1]) == space:
                return self.move(Grip(f"thing {item[0]}", ground.label), put)
            if not isinstance(item[0], str) and tuple(item[0]) == space:
                return f"move {self.at(ground, space)} to {self.onto(put)}"
        raise NotByHand("nothing lies there")

    # ------------------------------------------------------------ where to
    def onto(self, put: Grip) -> str:
        """A place, or a space of one."""
        kind, _, rest = put.address.partition(" ")
        if kind == "space":
            ground, space = self.space(put)
            return f"{self.path(ground.label)} at {self.at(ground, space)}"
        if kind == "place":
            return self.path(self.place(rest).label)
        if put.place is not None and self.place(put.place).board is None:
            return self.path(put.place)
        if put.place is not None and kind == "thing":
            lying = self.lying(rest, put.place)
            if lying is not None:
                place = self.place(put.place)
                return f"{self.path(place.label)} at {self.at(place, lying)}"
        raise NotByHand("nothing can be put there")

    def target(self, put: Grip) -> str:
        """Where a piece can stand: on a space, or on a component."""
        kind, _, rest = put.address.partition(" ")
        if kind == "thing":
            other = self.thing(rest)
            return self.piece(other) if other.piece else self.component(other, put.place)
        ground, space = self.space(put)
        for item in self.view["places"].get(ground.label, {}).get("contents") or ():
            if isinstance(item[0], str) and tuple(item[1]) == space:
                return self.component(self.thing(item[0]), ground.label)
        return self.at(ground, space)

    # ------------------------------------------------------------ names
    def place(self, label: str | None) -> Place:
        found = self.table.places.get(label or "")
        if found is None:
            raise NotByHand("there is no such place")
        return found

    def thing(self, name: str) -> Thing:
        try:
            return self.table.thing(name)
        except KeyError:
            raise NotByHand("there is no such thing") from None

    def path(self, label: str) -> str:
        owner, name = split_label(label)
        if not owner:
            return name
        seat = owner.removeprefix("player ")
        if seat != owner:
            return f"player({seat}).{name}"
        return f"{self.component(self.thing(owner), None)}.{name}"

    def piece(self, thing: Thing) -> str:
        name = thing.component.removeprefix("player.")
        return name if thing.owner is None else f"player({thing.owner}).{name}"

    def space(self, grip: Grip) -> tuple[Place, tuple[int, int]]:
        kind, _, rest = grip.address.partition(" ")
        words = rest.rsplit(" ", 2)
        if kind != "space" or len(words) != 3 or not all(w.lstrip("-").isdigit() for w in words[1:]):
            raise NotByHand("that is no space")
        return self.place(grip.place or words[0]), (int(words[1]), int(words[2]))

    def at(self, ground: Place, space: tuple[int, int]) -> str:
        return f"space_at({self.path(ground.label)}, {space[0]}, {space[1]})"

    def lying(self, name: str, label: str) -> tuple[int, int] | None:
        for item in self.view["places"].get(label, {}).get("contents") or ():
            if isinstance(item, tuple) and item[0] == name and len(item) == 3:
                return tuple(item[1])
        return None

    def found(self, name: str) -> str | None:
        """The place in which something is seen to lie."""
        for label, seen in self.view["places"].items():
            for item in seen.get("contents") or ():
                if item == name or (isinstance(item, tuple) and item[0] == name and len(item) == 3):
                    return str(label)
        return None

    def component(self, thing: Thing, label: str | None, name: str = TARGET) -> str:
        return f"the({name} for {name} in {self.one_of(thing, label, name)})"

    def with_thing(self, thing: Thing, label: str | None, name: str, done: str) -> str:
        return f"if let {name} = first({name} for {name} in {self.one_of(thing, label, name)}): {done}"

    def one_of(self, thing: Thing, label: str | None, name: str) -> str:
        """Where it is looked for, and how it is told from the others there."""
        label = label or self.found(thing.name)
        place = self.place(label) if label is not None else None
        space = self.lying(thing.name, label) if label is not None else None
        if place is not None and space is not None:
            return f"{self.path(place.label)} where {name}.space = {self.at(place, space)}"
        tests = [f"{name}.{field} = {written(value)}" for field, value in thing.printed.items()]
        where = f" where {' and '.join(tests)}" if tests else ""
        return f"{self.path(place.label) if place is not None else thing.component}{where}"


def written(value: Any) -> str:
    """A value as rules write it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list | set | frozenset):
        return "{" + ", ".join(map(written, value)) + "}"
    return str(value)
