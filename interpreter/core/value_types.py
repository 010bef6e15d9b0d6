"""The types of the language, and how they fit together."""

from __future__ import annotations

from attrs import field, frozen

from .shapes import SHAPES, Shape

MANY = 1_000_000
"""Stands for a bound where none is known."""


@frozen
class Type:
    def __str__(self) -> str:
        return "value"


@frozen
class Unknown(Type):
    """The type of what could not be checked; fits everything, so that one error is told once."""

    def __str__(self) -> str:
        return "?"


@frozen
class Num(Type):
    """A whole number between two bounds."""

    low: int
    high: int

    def __str__(self) -> str:
        if self.high >= MANY:
            return "number" if self.low <= 0 else f"number from {self.low} on"
        return f"number {self.low}" if self.low == self.high else f"number {self.low}..{self.high}"


@frozen
class YesNo(Type):
    def __str__(self) -> str:
        return "yes/no"


@frozen
class Kind(Type):
    """An enumeration: `kinds`, the kinds of a `token`, directions and rotations."""

    name: str

    def __str__(self) -> str:
        return self.name


@frozen
class Comp(Type):
    """A component with identity."""

    name: str

    def __str__(self) -> str:
        return self.name.rpartition(".")[2]


@frozen
class Player(Type):
    def __str__(self) -> str:
        return "player"


@frozen
class Space(Type):
    """A space of the grid or ring that the place `of` declares."""

    of: str

    def __str__(self) -> str:
        return f"space of {self.of.rpartition('.')[2]}"


@frozen
class Rec(Type):
    """A row of a record."""

    name: str

    def __str__(self) -> str:
        return self.name


@frozen
class SetOf(Type):
    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@frozen
class ListOf(Type):
    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@frozen
class Opt(Type):
    """A value or none."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


@frozen
class Nothing(Type):
    """The type of `none` itself."""

    def __str__(self) -> str:
        return "none"


@frozen
class Place(Type):
    """A reference to a place. `of` is what it holds; an unknown shape is ''."""

    shape: str
    of: str
    filled: bool = field(default=False, eq=False)  # a slot that has been tested: something lies in it

    @property
    def form(self) -> Shape:
        return SHAPES[self.shape]

    def __str__(self) -> str:
        return f"{self.shape or 'place'} of {self.of}"


@frozen
class Array(Type):
    """A vector chosen cell by cell."""

    index: tuple[Type, ...]
    of: Type

    def __str__(self) -> str:
        return f"{self.of} for each {', '.join(map(str, self.index))}"


UNKNOWN = Unknown()
YES_NO = YesNo()
PLAYER = Player()
NOTHING = Nothing()
DIRECTION = Kind("direction")
ROTATION = Kind("rotation")
EMPTY_SET = SetOf(UNKNOWN)

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def a(type_: Type) -> str:
    """A type with its article: "a Card", "an Effect", "the number 3"."""
    match type_:
        case Num(low, high) if low == high:
            return f"the number {low}"
        case YesNo() | Nothing() | Unknown():
            return str(type_)
    text = str(type_)
    return f"an {text}" if text[:1].lower() in "aeiou" else f"a {text}"


def is_mask(element: Type) -> bool:
    """Are sets of this element kept as bit masks? (else as sorted tuples)"""
    if isinstance(element, Num):
        return element.low >= 0 and element.high <= 62
    return isinstance(element, Kind | Player | YesNo | Unknown)


def plain(t: Type) -> Type:
    """The type without `or none`."""
    return t.of if isinstance(t, Opt) else t


def mentions(t: Type, comp: str) -> bool:
    """Can a value of this type tell one component of a sort from another?"""
    match t:
        case Comp(name=name):
            return name == comp
        case SetOf(of=of) | ListOf(of=of) | Opt(of=of):
            return mentions(of, comp)
        case Array(index=index, of=of):
            return any(mentions(part, comp) for part in (*index, of))
    return False


def optional(t: Type) -> Type:
    return t if isinstance(t, Opt | Nothing | Unknown) else Opt(t)


def fits(given: Type, wanted: Type) -> bool:
    """May a value of type `given` stand where `wanted` is expected?"""
    if isinstance(given, Unknown) or isinstance(wanted, Unknown):
        return True
    if isinstance(wanted, Opt):
        return isinstance(given, Nothing) or fits(plain(given), wanted.of)
    if isinstance(given, Num) and isinstance(wanted, Num):
        return given.low <= wanted.high and given.high >= wanted.low
    if isinstance(given, SetOf | ListOf) and isinstance(wanted, SetOf | ListOf):
        return type(given) is type(wanted) and comparable(given.of, wanted.of)
    if isinstance(given, Place) and isinstance(wanted, Place):
        return given.of == wanted.of and wanted.shape in ("", given.shape)
    if isinstance(given, Array) and isinstance(wanted, Array):
        return len(given.index) == len(wanted.index) and comparable(given.of, wanted.of)
    return given == wanted


def comparable(a: Type, b: Type) -> bool:
    """May the two be tested for equality?"""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return True
    if isinstance(a, Nothing):
        return isinstance(b, Opt | Nothing)
    if isinstance(b, Nothing):
        return isinstance(a, Opt)
    a, b = plain(a), plain(b)
    if isinstance(a, Num) and isinstance(b, Num):
        return True
    if isinstance(a, SetOf) and isinstance(b, SetOf):
        return comparable(a.of, b.of)
    if isinstance(a, ListOf) and isinstance(b, ListOf):
        return comparable(a.of, b.of)
    return a == b or fits(a, b)


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is one or the other, or None if they do not go together."""
    if isinstance(a, Unknown):
        return b
    if isinstance(b, Unknown):
        return a
    if isinstance(a, Nothing):
        return optional(b)
    if isinstance(b, Nothing):
        return optional(a)
    if isinstance(a, Opt) or isinstance(b, Opt):
        inner = join(plain(a), plain(b))
        return None if inner is None else Opt(inner)
    if isinstance(a, Num) and isinstance(b, Num):
        return Num(min(a.low, b.low), max(a.high, b.high))
    if isinstance(a, SetOf) and isinstance(b, SetOf):
        of = join(a.of, b.of)
        return None if of is None else SetOf(of)
    if isinstance(a, ListOf) and isinstance(b, ListOf):
        of = join(a.of, b.of)
        return None if of is None else ListOf(of)
    if isinstance(a, Place) and isinstance(b, Place) and a.of == b.of:
        return a if a.shape == b.shape else Place("", a.of)
    return a if a == b else None
