"""Many native states in one piece of memory, read as columns: what one word is in all matches.

A column is an array with an entry for each match, so whatever is worked out from columns is
worked out for all matches at once, without a line of Python for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native.engine import NativeEngine
from ..native.memory import AT, HEAD, OPTIONS, STACK, ListAt
from ..program.layout import Geometry

Array = Any
"""An array of NumPy's."""


class Columns:
    """`sealed` are the same states as others see them behind a seal: as they were when it was put on."""

    def __init__(self, native: NativeEngine, count: int) -> None:
        size = native.shape.memory.size
        block = np.zeros((count + 1) * size + 64, np.uint8)
        start = -block.ctypes.data % 64
        self._read(native, count, block[start : start + (count + 1) * size], 0)
        self.sealed = self
        if native.shape.memory.seal:
            self.sealed = object.__new__(Columns)
            shift = native.shape.memory.seal - HEAD
            self.sealed._read(native, count, block[start : start + (count + 1) * size], shift)

    def _read(self, native: NativeEngine, count: int, block: Array, shift: int) -> None:
        memory = native.shape.memory
        self.native, self.count = native, count
        self.size = memory.size
        self.bytes = block[shift : shift + count * self.size].reshape(count, self.size)
        self.address = self.bytes.ctypes.data
        self._words = self.bytes.view(np.int64)
        self._halves = self.bytes.view(np.int32)
        self.I = self._halves[:, HEAD // 4 : HEAD // 4 + memory.numbers]
        self.options = self._part(memory.options, OPTIONS)
        self.stack = self._part(memory.stack, STACK)

    def _part(self, at: int, words: int) -> Array:
        return self._halves[:, at // 4 : at // 4 + words]

    def head(self, name: str) -> Array:
        """A word of the header: `pc`, `player`, `over`, `options`, `error` ..."""
        return self._words[:, AT[name] // 8]

    def list_at(self, ref: int) -> ListAt:
        return self.native.shape.memory.lists[ref]

    def held(self, ref: int) -> Array:
        """Of a place kept as bits: for each match and component, whether it is in there."""
        found = self.list_at(ref)
        limbs = self.bytes[:, found.at : found.at + 8 * found.limbs]
        return np.unpackbits(limbs, axis=1, bitorder="little")[:, : found.room].astype(bool)

    def sequence(self, ref: int) -> tuple[Array, Array]:
        """Of an ordered place: how many lie in it, and which, from the first on; behind these is rubbish."""
        found = self.list_at(ref)
        sizes = self._halves[:, found.at // 4]
        kind = {8: np.uint8, 16: np.uint16, 32: np.int32}[found.entry]
        last = found.at + 4 + found.room * found.entry // 8
        return sizes, self.bytes[:, found.at + 4 : last].view(kind)

    def lying(self, ref: int, room: int) -> Array:
        """Of any place of components: for each match and component, whether it is in there."""
        found = self.list_at(ref)
        if found.kind == "bits":
            return self.held(ref)
        out = np.zeros((self.count, room), bool)
        if found.kind == "array":
            sizes, cards = self.sequence(ref)
            there = np.arange(cards.shape[1]) < sizes[:, None]
            rows, places = np.nonzero(there)
            out[rows, cards[rows, places]] = True
        return out

    def members(self, slot: int, room: int) -> Array:
        """Of a set in a state: for each match and value, whether it is in there."""
        wide = self.native.shape.memory.wide_of(slot)
        if wide is None:
            return (self.I[:, slot, None] >> np.arange(room) & 1).astype(bool)
        at = wide.at + (slot - wide.first) * wide.size
        bits = np.unpackbits(self.bytes[:, at : at + wide.size], axis=1, bitorder="little")
        out = np.zeros((self.count, room), bool)
        here = bits[:, : room - wide.bits.low]
        out[:, wide.bits.low : wide.bits.low + here.shape[1]] = here
        return out

    def top(self, ref: int) -> Array:
        """The last one of an ordered place, -1 where it is empty."""
        sizes, cards = self.sequence(ref)
        found = cards[np.arange(self.count), np.maximum(sizes - 1, 0)].astype(np.int64)
        return np.where(sizes > 0, found, -1)


def coordinates(geometry: Geometry, spaces: Array) -> tuple[Array, Array]:
    """Of many spaces at once: it is the same arithmetic for arrays."""
    found: tuple[Array, Array] = geometry.xy(spaces)
    return found
