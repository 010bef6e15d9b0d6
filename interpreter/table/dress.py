"""How things look: the `look` blocks of a game, and what stands in where there are none.

Colours are names, of the language or of a seat; a front end knows what they are on its screen.
In the style of a piece of text they stand as `@gold` and `@seat3`, beside `bold`, `dim` and the like.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ..core import CheckedGame
from ..core import value_types as t
from ..core.look import Look, filled_in
from ..play.labels import Values
from ..program.layout import Layout


@frozen
class Glyphs:
    """The characters to draw with."""

    exits: str  # N E S W, on the edge of a tile
    arrows: tuple[str, ...]  # the eight directions, in words
    frame: str  # corners from the upper left on clockwise, then a horizontal and a vertical line
    empty: str
    more: str
    to: str
    dot: str
    here: str
    tile: str  # a tile in an overview


UNICODE = Glyphs("▲▶▼◀", ("↑", "↗", "→", "↘", "↓", "↙", "←", "↖"), "╭╮╯╰─│", "·", "…", "⇒", "·", "▸", "▪")
ASCII = Glyphs(
    "^>v<", ("N", "NE", "E", "SE", "S", "SW", "W", "NW"), "++++-|", ".", "...", "->", "-", ">", "#"
)

SEAT_COLOURS = 6
"""Seats beyond these have the colours of the first again."""


@frozen
class Attire:
    """How one thing looks."""

    words: str
    short: str
    symbol: str
    colour: str | None = None

    @property
    def style(self) -> str:
        return f"@{self.colour}" if self.colour else ""


class Dress:
    """The looks of one game, filled in with what is printed on its components."""

    def __init__(self, game: CheckedGame, layout: Layout, values: Values, glyphs: Glyphs) -> None:
        self.game, self.layout, self.values, self.glyphs = game, layout, values, glyphs
        self._known: dict[tuple[str, int, int], Attire] = {}

    # ------------------------------------------------------------ components and pieces
    def thing(self, comp: str, number: int, turned: int = 0) -> Attire:
        """A component by its number, from 0, as it lies."""
        key = (comp, number, turned)
        if key not in self._known:
            self._known[key] = self._attire(*key)
        return self._known[key]

    def _attire(self, comp: str, number: int, turned: int) -> Attire:
        decl = self.layout.comps[comp].decl
        look = self.game.looks.get(comp, Look())
        printed = self.printed(comp, number, turned=turned)
        if decl.piece:
            name = look.words or comp.removeprefix("player.").replace("_", " ")
            own = comp.startswith("player.")
            symbol = self.drawable(look.symbol, name[:1] if own else name)
            if not comp.startswith("player."):
                return Attire(name, look.short or name, symbol, look.colour)
            return Attire(
                f"{name} of player {number + 1}",
                f"{look.short or name} {number + 1}",
                f"{symbol}{number + 1}",
                seat_colour(number + 1),
            )
        if look.words is not None:
            words = filled_in(look.words, printed)
        else:
            shown = " ".join(v for v in printed.values() if v not in ("none", ""))
            words = f"{comp} {shown}" if shown else f"{comp} {number + 1}"
        fields = self._fields(comp, number)
        short = words
        if look.short:
            short = filled_in(look.short, self.printed(comp, number, short=True, turned=turned))
        printed_symbol = next((f.symbol for f in fields if f.symbol), None)
        colour = look.colour or next((f.colour for f in fields if f.colour), None)
        return Attire(words, short, self.drawable(look.symbol or printed_symbol, short), colour)

    def printed(self, comp: str, number: int, *, short: bool = False, turned: int = 0) -> dict[str, str]:
        """What is printed on a component, field by field, in words; its exits as it lies."""
        layout = self.layout.comps[comp]
        out = {}
        for field, column in layout.columns.items():
            type_ = layout.decl.fields[field]
            value = column[number]
            if turned and type_ == t.SetOf(t.DIRECTION):
                value = (value << 2 * turned | value >> 8 - 2 * turned) & 255
            out[field] = self.label(value, type_, short=short)
        return out

    def label(self, value: int, type_: t.Type, *, short: bool = False) -> str:
        """Words for a value that is printed on something."""
        if type_ == t.SetOf(t.DIRECTION):
            ways = [way for n, way in enumerate(self.glyphs.arrows) if value >> n & 1]
            return ("" if self.glyphs is UNICODE else " ").join(ways)
        inner = type_.of if isinstance(type_, t.Opt) else type_
        if isinstance(inner, t.Kind) and value >= 0 and short:
            look = self.game.looks.get(f"{inner.name}.{self.game.kinds[inner.name].values[value]}", Look())
            if look.short is not None and self.can_show(look.short):
                return look.short
        return self.values.label(value, type_)

    def _fields(self, comp: str, number: int) -> list[Look]:
        """The looks of the kinds that are printed on a component."""
        layout = self.layout.comps[comp]
        out = []
        for field, column in layout.columns.items():
            type_ = layout.decl.fields[field]
            inner = type_.of if isinstance(type_, t.Opt) else type_
            if isinstance(inner, t.Kind) and column[number] >= 0:
                value = self.game.kinds[inner.name].values[column[number]]
                out.append(self.game.looks.get(f"{inner.name}.{value}", Look()))
        return out

    def ways(self, comp: str, number: int, turned: int = 0) -> frozenset[int] | None:
        """The sides (N E S W from 0) that lead out of a tile; None if it is no such tile."""
        layout = self.layout.comps[comp]
        found = [f for f, type_ in layout.decl.fields.items() if type_ == t.SetOf(t.DIRECTION)]
        if len(found) != 1:
            return None
        mask = layout.columns[found[0]][number]
        return frozenset((i // 2 + turned) % 4 for i in range(0, 8, 2) if mask >> i & 1)

    def arrows(self, ways: Sequence[int] | frozenset[int]) -> str:
        between = "" if self.glyphs is UNICODE else " "
        return between.join(self.glyphs.arrows[2 * way] for way in sorted(ways))

    def without_ways(self, comp: str, number: int) -> tuple[str, str]:
        """Words and short words of a tile whose exits are drawn."""
        look = self.game.looks.get(comp, Look())
        fields = self.layout.comps[comp].decl.fields
        bare = {f: "none" for f, type_ in fields.items() if type_ == t.SetOf(t.DIRECTION)}
        words = look.words or " ".join(f"{{{field}}}" for field in fields)
        long = filled_in(words, {**self.printed(comp, number), **bare}) or comp
        brief = filled_in(look.short or words, {**self.printed(comp, number, short=True), **bare}) or long
        return long, brief

    # ------------------------------------------------------------ kinds and names
    def kind(self, kind: str, value: str) -> Attire:
        look = self.game.looks.get(f"{kind}.{value}", Look())
        words = look.words or value.replace("_", " ")
        short = look.short if look.short and self.can_show(look.short) else words
        return Attire(words, short, self.drawable(look.symbol, short), look.colour)

    def name(self, key: str) -> str:
        """What a place, a state or an action is called."""
        look = self.game.looks.get(key, Look())
        return look.words or key.rpartition(".")[2].replace("_", " ")

    def is_hidden(self, key: str) -> bool:
        return self.game.looks.get(key, Look()).hidden

    def can_show(self, text: str) -> bool:
        return text.isascii() or self.glyphs is not ASCII

    def drawable(self, symbol: str | None, otherwise: str) -> str:
        """A symbol that can be shown; letters of the words where there is none."""
        if symbol and self.can_show(symbol):
            return symbol
        return otherwise[:3]


def seat_colour(seat: int) -> str:
    return f"seat{(seat - 1) % SEAT_COLOURS + 1}"


def seat_style(seat: int) -> str:
    return f"@{seat_colour(seat)}"
