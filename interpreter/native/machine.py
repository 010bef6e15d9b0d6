"""The machine that the run-time library is written for: memory, addresses and a few operations.

The library (`*_library.py`) is written in a small part of Python: whole numbers,
addresses, `if`, `while`, calls. translate.py makes native functions of it. As the
classes here behave like the addresses of that machine, the same text also runs as
Python, where every access is checked: so the tests try it.
"""

from __future__ import annotations

import math
import struct
from typing import Any

_MASK = (1 << 64) - 1


class Address:
    """A place in memory, seen as numbers of some size."""

    bits = 64
    signed = True

    def __init__(self, memory: bytearray, at: int = 0) -> None:
        self.memory = memory
        self.at = at

    def _place(self, index: int) -> slice:
        size = self.bits // 8
        start = self.at + index * size
        if start < 0 or start + size > len(self.memory):
            raise IndexError(f"address {start} of {len(self.memory)}")
        return slice(start, start + size)

    def __getitem__(self, index: int) -> int:
        return int.from_bytes(self.memory[self._place(index)], "little", signed=self.signed)

    def __setitem__(self, index: int, value: int) -> None:
        place = self._place(index)
        self.memory[place] = (value & ((1 << self.bits) - 1)).to_bytes(self.bits // 8, "little")

    def __add__(self, index: int) -> Any:
        return type(self)(self.memory, self.at + index * self.bits // 8)


class I64(Address):
    """Words of 64 bits."""


class I32(Address):
    """Words of 32 bits."""

    bits = 32


class U8(Address):
    """Bytes."""

    bits = 8
    signed = False


class Entry(Address):
    """Entries of an ordered place: bytes here, as large as they must be in native code."""

    bits = 8
    signed = False


class F64(Address):
    """IEEE doubles."""

    def __getitem__(self, index: int) -> float:  # type: ignore[override]
        return float(struct.unpack_from("<d", self.memory, self._place(index).start)[0])

    def __setitem__(self, index: int, value: float) -> None:
        struct.pack_into("<d", self.memory, self._place(index).start, value)


class Raw(Address):
    """An address that is only handed on."""


def array(size: int) -> I32:
    """Memory of the function itself."""
    return I32(bytearray(4 * size))


def bytes_at(pointer: Address, offset: int) -> U8:
    return U8(pointer.memory, pointer.at + offset)


def words_at(pointer: Address, offset: int) -> I64:
    return I64(pointer.memory, pointer.at + offset)


def halves_at(pointer: Address, offset: int) -> I32:
    return I32(pointer.memory, pointer.at + offset)


def reals_at(pointer: Address, offset: int) -> F64:
    return F64(pointer.memory, pointer.at + offset)


def real(value: int) -> float:
    return float(value)


def whole(value: float) -> int:
    """Without what is behind the point."""
    return int(value)


def root(value: float) -> float:
    return math.sqrt(value)


def entries_of(pointer: Address) -> Entry:
    """The entries of an array, behind its length."""
    return Entry(pointer.memory, pointer.at + 4)


def move(to: Address, source: Address, size: int) -> None:
    """So many bytes; the two may overlap."""
    assert size >= 0 and to.at + size <= len(to.memory) and source.at + size <= len(source.memory)
    to.memory[to.at : to.at + size] = source.memory[source.at : source.at + size]


def popcount(value: int) -> int:
    return (value & _MASK).bit_count()


def lowest_bit(value: int) -> int:
    value &= _MASK
    return (value & -value).bit_length() - 1 if value else 64


def highest_bit(value: int) -> int:
    return (value & _MASK).bit_length() - 1


def nth_bit(word: int, k: int) -> int:
    """Where the set bit number `k` from 0 is; there must be one."""
    word &= _MASK
    for _ in range(k):
        word &= word - 1
    return lowest_bit(word)


def turn_right(value: int, by: int) -> int:
    value &= _MASK
    return signed64(value >> by | value << (64 - by) & _MASK) if by else signed64(value)


def shift_right(value: int, by: int) -> int:
    return signed64((value & _MASK) >> by)


def wrapped(value: int) -> int:
    """A sum or product, as far as 64 bits hold it."""
    return signed64(value & _MASK)


def below_unsigned(a: int, b: int) -> int:
    return int((a & _MASK) < (b & _MASK))


def rest_unsigned(a: int, b: int) -> int:
    return signed64((a & _MASK) % (b & _MASK))


def signed64(value: int) -> int:
    return value - (1 << 64) if value >> 63 & 1 else value


def read64(pointer: I32) -> int:
    """Two words as one."""
    return I64(pointer.memory, pointer.at)[0]


def write64(pointer: I32, value: int) -> None:
    I64(pointer.memory, pointer.at)[0] = value


def there(address: int) -> I64:
    """What lies at an address that was kept as a number: in native code only."""
    raise NotImplementedError


def ask(function: Any, state: Raw, context: Raw, low: I32, high: I32, full: int) -> int:
    """A test that generated code makes: can the rules be kept with cells between these bounds?"""
    return int(function(state, context, low, high, full))
