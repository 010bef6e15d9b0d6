"""Where everything lies in a native state: one block of memory.

    header | I | lists of L | wide sets | growing grids | result | seal | stack | options | weights

`I` has the offsets of the Python back end, as 32-bit words. A place that is kept
sorted (bag, grid, the unknown part of a deck, spaces by kind) is a set of bits;
an ordered one is its length and an array, whose entries are bytes where a sort has
no more than 255 components. Of a deck's lists of known cards those are laid out
that some rule can fill. A set that does not fit into a word of `I` lies beside it.
A growing grid is a window of 64 by 64 cells that wraps round (grown_library.py).
A game with a `together` keeps `I`, lists and wide sets as they were when the seal was
put on: that is what the others see.
"""

from __future__ import annotations

from math import prod

from attrs import Factory, define, frozen

from ..core import CheckedGame
from ..core import value_types as t
from ..program.known_cards import KnownCards
from ..program.layout import DECK_LISTS, Layout
from ..program.representations import Bits, NoBound, Representations

HEADER = (
    "pc", "player", "over", "winners", "reason", "atomic", "rng", "sp", "options", "error",
    "steps", "depth", "auto", "sealed", "watch",
)  # fmt: skip
AT = {name: 8 * place for place, name in enumerate(HEADER)}
HEAD = 8 * len(HEADER)

OPTIONS = 4096
STACK = 8192  # words of 32 bits
WINDOW = 64
GROWN_ROWS = 32  # behind the extremes of a window: its occupied rows
GROWN_CELLS = GROWN_ROWS + 8 * WINDOW
GROWN = GROWN_CELLS + WINDOW * WINDOW
MOST_ON_GROWN = 254  # components: a cell of a window is a byte
DECK_PARTS = {1: "top", 3: "top", 2: "bottom", 4: "bottom", 5: "deep", 6: "deep", 7: "deep"}


@frozen
class ListAt:
    """One list of `L`: "bits", "array" or "none" (never filled)."""

    kind: str
    at: int
    room: int
    entry: int = 32  # bits of an entry of an array

    @property
    def limbs(self) -> int:
        return max(1, (self.room + 63) // 64)


@frozen
class WideAt:
    """Sets beside `I`: those of the slots `first` .. `first + count - 1`."""

    at: int
    first: int
    count: int
    bits: Bits
    mask: bool  # is it a mask in Python too?
    rows: tuple[int, int] | None = (
        None  # of a record: where its number of rows is, and how many slots a row has
    )

    @property
    def size(self) -> int:
        return 8 * self.bits.limbs


@define(eq=False)
class Memory:
    """Offsets in bytes, from the beginning of a state."""

    numbers: int  # how many words `I` has
    lists: list[ListAt] = Factory(list)
    wide: list[WideAt] = Factory(list)
    grids: int = 0
    grid_count: int = 0
    result: int = 0
    result_words: int = 0
    seal: int = 0  # 0: nothing is ever sealed
    stack: int = 0
    options: int = 0
    weights: int = 0
    size: int = 0

    @property
    def fixed(self) -> int:
        """Bytes of `I`, lists and wide sets."""
        return self.grids - HEAD

    def wide_of(self, slot: int) -> WideAt | None:
        return next((w for w in self.wide if w.first <= slot < w.first + w.count), None)


def entry_bits(count: int) -> int:
    return 8 if count <= 255 else 16 if count <= 65_535 else 32


def lay_memory(
    game: CheckedGame,
    layout: Layout,
    reps: Representations,
    known: KnownCards,
    result_words: int,
    *,
    seals: bool = False,
) -> Memory:
    memory = Memory(len(layout.initial))
    at = _round(HEAD + 4 * memory.numbers)
    at = _lists(game, layout, known, memory, at)
    at = _wide_sets(game, layout, reps, memory, at)
    memory.grids, memory.grid_count = at, layout.grown_count
    at += GROWN * layout.grown_count
    memory.result, memory.result_words = at, result_words
    at = _round(at + 4 * result_words)
    if seals:
        memory.seal = at
        at += memory.fixed
    memory.stack = at
    memory.options = at = at + 4 * STACK
    memory.weights = at = at + 4 * OPTIONS
    memory.size = _round(at + 4 * OPTIONS)
    return memory


def _round(at: int) -> int:
    return (at + 7) // 8 * 8


def _lists(game: CheckedGame, layout: Layout, known: KnownCards, memory: Memory, at: int) -> int:
    plan: list[tuple[str, int, int] | None] = [None] * len(layout.lists)
    for key, place in game.places.items():
        if place.tokens:
            continue
        count = layout.comps[place.of].count
        for instance in layout.instances[key]:
            if place.shape in ("stack", "row", "slot"):
                plan[instance.ref] = ("array", 1 if place.shape == "slot" else count, entry_bits(count))
                continue
            plan[instance.ref] = ("bits", count, 0)
            for part in range(1, DECK_LISTS if place.shape == "deck" else 1):
                used = DECK_PARTS[part] in known.parts(place.of)
                entries = entry_bits(count) if part in (1, 2, 5) else 32
                plan[instance.ref + part] = ("array" if used else "none", count, entries)
    for key, first in layout.indexed.items():
        for number in range(len(game.kinds[game.places[key].of].values)):
            plan[first + number] = ("bits", layout.geometries[key].size, 0)
    for entry in plan:
        assert entry is not None
        kind, room, bits = entry
        made = ListAt(kind, at, room, bits or 32)
        memory.lists.append(made)
        if kind == "bits":
            at += 8 * made.limbs
        elif kind == "array":
            at = _round(at + 4 + room * bits // 8)
    return at


def _wide_sets(game: CheckedGame, layout: Layout, reps: Representations, memory: Memory, at: int) -> int:
    found: list[tuple[int, int, t.Type, tuple[int, int] | None]] = []
    for key, state in game.states.items():
        if isinstance(state.type, t.SetOf):
            first, sizes, _ = layout.states[key]
            found.append((first, prod(sizes), state.type.of, None))
    for name, record in game.records.items():
        count, limit, fields = layout.records[name]
        for field, (_, type_) in record.fields.items():
            if isinstance(type_, t.SetOf):
                first, sizes, _ = fields[field]
                found.append((first, limit * prod(sizes), type_.of, (count, prod(sizes))))
            elif isinstance(type_, t.ListOf):
                raise NoBound("a list in a record")
    for first, count, element, rows in found:
        bits = reps.bits(element)
        mask = t.is_mask(element)
        if not mask or narrow(element, layout) > 31:
            memory.wide.append(WideAt(at, first, count, bits, mask, rows))
            at += 8 * bits.limbs * count
    return at


def narrow(element: t.Type, layout: Layout) -> int:
    """How many bits a set that is a mask in Python really uses."""
    if isinstance(element, t.Unknown):
        return 63
    return layout.low(element) + layout.size(element)
