"""What is seen of a thing at a glance: what is printed large, what small, and in which colour.

A face is made from the look of a component: the number that stands alone in its words is
printed large, or else its symbol; the other words are its caption.
"""

from __future__ import annotations

import re

from attrs import frozen

from ..core import value_types as t
from ..core.look import Look, filled_in
from ..play.table_data import HEX
from .words import Words

PAPER = "#fbf6e8"
INK = "#1d1b16"
SEATS = {
    "seat1": "#1290a3",
    "seat2": "#cf3479",
    "seat3": "#c48a00",
    "seat4": "#2b8a4b",
    "seat5": "#d8611c",
    "seat6": "#7652c4",
}
"""The colours of seats on screens."""
NAMED = {**HEX, "dark": HEX["black"], "light": HEX["white"], **SEATS}


@frozen
class Face:
    """`words` says it all; `big`, `mark` and `caption` are what is printed. `ways` are the sides, N E S W
    from 0, that lead out of a tile as it lies."""

    words: str
    big: str = ""
    mark: str = ""
    caption: str = ""
    colour: str | None = None
    ways: frozenset[int] | None = None
    piece: bool = False


def screen_colour(name: str, colour: str | None) -> str | None:
    """The colour of something on a screen: by the name that it has in the rules, if that is a colour
    (terminals cannot show black), or as its look says."""
    first = name.lower().partition("_")[0]
    if first in NAMED and colour in (None, "grey", "white", "black"):
        return NAMED[first]
    return NAMED.get(colour) if colour else None


def mixed(colour: str, other: str, share: float) -> str:
    """So much of the other colour in this one."""
    ours, theirs = _rgb(colour), _rgb(other)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(ours, theirs, strict=True))


def ink_on(colour: str) -> str:
    """Black or white, whichever can be read there."""
    red, green, blue = _rgb(colour)
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else INK


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


class Faces:
    """The faces of one game."""

    def __init__(self, words: Words) -> None:
        self.words, self.game = words, words.game
        self._known: dict[tuple[str, int, int], Face] = {}

    def thing(self, name: str, turned: int = 0) -> Face:
        """Of `Card#3`, `dragon` or `hero of player 2`."""
        found = self.words.identity(name)
        if found is None:
            return Face(name, caption=name)
        key = (*found, turned)
        if key not in self._known:
            self._known[key] = self._thing(*key)
        return self._known[key]

    def _thing(self, comp: str, number: int, turned: int) -> Face:
        layout = self.words.layout.comps[comp]
        look = self.game.looks.get(comp, Look())
        attire = self.words.dress.thing(comp, number, turned)
        if layout.decl.piece:
            return self._piece(comp, look, attire.words, number)
        values = self.words.dress.printed(comp, number, turned=turned)
        ways = self.words.dress.ways(comp, number, turned)
        template = look.words or " ".join(f"{{{field}}}" for field in layout.columns)
        shown = [field for field in layout.columns if f"{{{field}}}" in template]
        numbers = [
            field
            for field in shown
            if isinstance(_plain(layout.decl.fields[field]), t.Num)
            and re.search(rf"(^|\s){{{field}}}(\s|$)", template)
        ]
        looks = [one for field in shown if (one := self._of_kind(comp, field, number)) is not None]
        colour = next((c for c in (look.colour and NAMED[look.colour], *(c for _, _, c in looks)) if c), None)
        symbol = look.symbol or next((symbol for _, symbol, _ in looks if symbol), None)
        big = values[numbers[0]] if numbers else ""
        left_out = dict.fromkeys([*numbers[:1], *self._drawn(comp)], "none")
        caption = filled_in(template, {**values, **left_out})
        if symbol and colour and not look.symbol:
            caption = " ".join(word for word in caption.split() if NAMED.get(word) != colour)
        if caption.endswith(" of"):
            caption = caption[:-3]
        mark = symbol or ""
        if not big and mark:
            big, mark = mark, ""
        return Face(attire.words, big, mark, caption, colour, ways)

    def _piece(self, comp: str, look: Look, words: str, number: int) -> Face:
        name = look.words or comp.removeprefix("player.").replace("_", " ")
        own = comp.startswith("player.")
        colour = SEATS[f"seat{number % len(SEATS) + 1}"] if own else NAMED.get(look.colour or "grey")
        return Face(
            words, look.symbol or name[:1].upper(), str(number + 1) if own else "", name, colour, piece=True
        )

    def _drawn(self, comp: str) -> list[str]:
        """Fields that are drawn as exits instead of told."""
        fields = self.words.layout.comps[comp].decl.fields
        return [field for field, type_ in fields.items() if type_ == t.SetOf(t.DIRECTION)]

    def _of_kind(self, comp: str, field: str, number: int) -> tuple[str, str | None, str | None] | None:
        layout = self.words.layout.comps[comp]
        kind, value = _plain(layout.decl.fields[field]), layout.columns[field][number]
        if not isinstance(kind, t.Kind) or kind.name not in self.game.kinds or value < 0:
            return None
        name = self.game.kinds[kind.name].values[value]
        look = self.game.looks.get(f"{kind.name}.{name}", Look())
        return name, look.symbol, screen_colour(name, look.colour)

    def token(self, value: str) -> Face:
        """Of a kind of token."""
        attire = self.words.token(value)
        kind = next(
            (k for k in self.game.kinds if k in self.game.tokens and value in self.game.kinds[k].values), None
        )
        look = self.game.looks.get(f"{kind}.{value}", Look()) if kind else Look()
        return Face(attire.words, look.symbol or "", "", attire.words, screen_colour(value, look.colour))

    def kind(self, kind: str, value: str) -> Face:
        """Of a value of any kind."""
        attire = self.words.dress.kind(kind, value)
        look = self.game.looks.get(f"{kind}.{value}", Look())
        return Face(attire.words, look.symbol or "", "", attire.words, screen_colour(value, look.colour))

    def back(self, comp: str) -> Face:
        """A component of which the seat sees no more than that."""
        return Face(self.words.type(t.Comp(comp)).partition(" ")[2])


def _plain(type_: t.Type) -> t.Type:
    return type_.of if isinstance(type_, t.Opt) else type_
