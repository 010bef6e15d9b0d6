"""How a value is kept by a back end with fixed sizes: for every type and local a representation and a bound.

A state of Python's may hold a tuple of any length. A back end that works on
plain memory has to know beforehand how large a thing can get. This says it, from
the types and the layout alone: numbers and references are one word; a set is as
many bits as there are things that could be in it, whatever their sort; lists,
vectors and what a choice by cells remembers are words of a known number. What
has no bound raises `NoBound`, with the reason in words.
"""

from __future__ import annotations

from math import prod

from attrs import define, frozen

from ..core import Gen, Let, PlacesOf, ShowOn, VectorCells, VectorStart
from ..core import value_types as t
from .ir import Program
from .layout import Layout
from .vector_bounds import conditions_of

WIDEST = 4096
"""Bits of the largest set."""
LONGEST = 256
"""Elements of a list whose type says nothing about its length."""
MOST_CELLS = 64
"""Cells of a vector: which of them a sum is over is one word of bits."""


class NoBound(Exception):
    """A value that has no fixed size, with the reason."""


@frozen
class Scalar:
    """A number, a kind, a seat, a component, a space, a place: `long` if 32 bits may be too few."""

    long: bool = False

    @property
    def words(self) -> int:
        return 2 if self.long else 1


@frozen
class Bits:
    """A set: bit i tells whether `low + i` is in it."""

    width: int
    low: int = 0

    @property
    def limbs(self) -> int:
        """Of 64 bits."""
        return max(1, (self.width + 63) // 64)

    @property
    def words(self) -> int:
        return 2 * self.limbs


@frozen
class Listed:
    """A list: how many there are, and then they."""

    room: int

    @property
    def words(self) -> int:
        return 1 + self.room


@frozen
class Vector:
    """A vector chosen cell by cell: a word for each cell."""

    cells: int

    @property
    def words(self) -> int:
        return self.cells


@frozen
class Plan:
    """What a choice by cells goes by (native/vector_library.py)."""

    cells: int
    sums: int

    HEAD = 10

    @property
    def words(self) -> int:
        return self.HEAD + 6 * self.cells + 4 * self.sums


Representation = Scalar | Bits | Listed | Vector | Plan


@define(eq=False)
class Representations:
    layout: Layout
    special: dict[str, Representation]

    def of(self, type_: t.Type) -> Representation:
        match type_:
            case t.SetOf(of):
                return self.bits(of)
            case t.ListOf(of):
                return Listed(self.room(of))
            case t.Array(index, _):
                cells = prod(self.layout.size(part) for part in index)
                if cells > MOST_CELLS:
                    raise NoBound(f"a vector of {cells} cells (at most {MOST_CELLS} are possible)")
                return Vector(cells)
            case t.Num(low, high):
                return Scalar(low <= -t.MANY or high >= t.MANY)
        return Scalar()

    def of_var(self, uid: str, type_: t.Type) -> Representation:
        found = self.special.get(uid)
        return found if found is not None else self.of(type_)

    def bits(self, element: t.Type) -> Bits:
        """How a set of such elements is kept."""
        if isinstance(element, t.Unknown):
            return Bits(63)
        if isinstance(element, t.Space) and self.layout.geometries[element.of].grows:
            raise NoBound("a set of spaces of a grid that grows, as a value")
        if isinstance(element, t.SetOf | t.ListOf | t.Array | t.Place):
            raise NoBound(f"a set of {element}")
        if isinstance(element, t.Num) and t.is_mask(element):
            return Bits(63)
        low = min(0, self.layout.low(element))
        width = self.layout.low(element) + self.layout.size(element) - low
        if width > WIDEST:
            raise NoBound(f"a set of {element} (at most {WIDEST:,} bits are possible)")
        return Bits(width, low)

    def room(self, element: t.Type) -> int:
        """How many elements a list of these may have."""
        if isinstance(element, t.ListOf | t.SetOf | t.Array):
            raise NoBound(f"a list of {element}")
        if isinstance(element, t.Unknown | t.Place):
            return LONGEST
        if isinstance(element, t.Space) and self.layout.geometries[element.of].grows:
            return LONGEST
        return max(1, min(LONGEST, self.layout.size(element)))


def representations(program: Program, layout: Layout) -> Representations:
    """Also those of locals whose type does not say what they are: what lowering has made."""
    out = Representations(layout, {})
    for block in program.blocks:
        instrs = [*block.code, *(i for scope in block.scopes for i in scope.cleanup)]
        for instr in instrs:
            st = instr.st
            if isinstance(st, ShowOn):
                several = isinstance(st.place, PlacesOf)
                out.special[st.saved.uid] = Listed(2 * layout.players if several else 2)
            elif isinstance(st, Let) and isinstance(st.value, VectorCells):
                out.special[st.var.uid] = plan_of(st.value.gen, out)
            elif isinstance(st, Let) and isinstance(st.value, VectorStart):
                cells = out.of(st.value.gen.var.type)
                assert isinstance(cells, Vector)
                out.special[st.var.uid] = Listed(cells.cells)
    return out


def plan_of(gen: Gen, known: Representations) -> Plan:
    """Cells and sums of a vector, at most. A deal becomes a sum for each row and each column."""
    cells = known.of(gen.var.type)
    assert isinstance(cells, Vector)
    sums = sum(prod(known.layout.size(v.type) for v, _ in bound.cells) for bound in conditions_of(gen).bounds)
    return Plan(cells.cells, max(sums, sum(known.layout.size(var.type) for var, _ in gen.cells)))
