"""Machine code as an image: an object file whose sections have their places, ready to be copied into memory.

LLVM is a large library: to load it takes longer than all else that is needed to play with code that was kept. So
what it has compiled is put together right away, as a linker would do it, and the next run does without LLVM: it
asks for memory, copies the image there, and writes the addresses of what the image calls from outside into
slots. Code is never writable: what is written to lies on pages of its own.

    code and constants | stubs, a jump through a slot each | page | slots | words of the module

This is done for 64-bit Intel under Linux (ELF), for code that finds everything relative to itself; anything else
stays an object file, which LLVM loads (compile.py).
"""

from __future__ import annotations

import ctypes
import json
import mmap
import struct
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

MAGIC = b"dragonrules image 1\n"
PAGE = 4096
FROM_OUTSIDE = frozenset(("memcpy", "memmove", "memset"))
"""What LLVM calls by itself."""

_PC32, _PLT32, _GOTPCREL, _GOTPCRELX, _REX_GOTPCRELX = 2, 4, 9, 41, 42
_GOT = frozenset((_GOTPCREL, _GOTPCRELX, _REX_GOTPCRELX))
_WRITE, _ALLOC, _NOBITS, _RELA, _SYMTAB = 1, 2, 8, 4, 2
_STUB = 8


class _Section(NamedTuple):
    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry: int


class _Symbol(NamedTuple):
    name: str
    info: int
    section: int
    value: int

    @property
    def is_global(self) -> bool:
        return self.info >> 4 != 0


class NotAnImage(Exception):
    """An object file that has to stay one, with the reason."""


def native_here() -> bool:
    """Is this a machine that images are made for?"""
    return sys.platform == "linux" and _machine() == "x86_64" and struct.calcsize("P") == 8


def _machine() -> str:
    import platform

    return platform.machine()


# ---------------------------------------------------------------- from an object file
def image_of(code: bytes) -> bytes:
    """The image of an object file; raises `NotAnImage`."""
    if code[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", code, 16) != (1, 62):
        raise NotAnImage("no object file of this machine")
    at, count = struct.unpack_from("<Q", code, 40)[0], struct.unpack_from("<H", code, 60)[0]
    sections = [_Section(*struct.unpack_from("<IIQQQQIIQQ", code, at + 64 * i)) for i in range(count)]
    symbols = _symbols(code, sections)
    fixed = [n for n, s in enumerate(sections) if s.flags & _ALLOC and not s.flags & _WRITE]
    written = [n for n, s in enumerate(sections) if s.flags & _ALLOC and s.flags & _WRITE]
    places: dict[int, int] = {}
    end = _lay(fixed, sections, places, 0)
    called = sorted({s.name for s in symbols if s.section == 0 and s.name})
    stubs = _round(end, 16)
    slots = _round(stubs + _STUB * len(called), PAGE)
    shared = sorted(
        {symbols[sym].name for _, _, kind, sym, _ in _relocations(code, sections) if kind in _GOT}
    )
    names = [*called, *(name for name in shared if name not in called)]
    slot = {name: slots + 8 * n for n, name in enumerate(names)}
    size = _lay(written, sections, places, slots + 8 * len(names))
    image = bytearray(size)
    for n, place in places.items():
        section = sections[n]
        if section.type != _NOBITS:
            image[place : place + section.size] = code[section.offset : section.offset + section.size]
    for n, name in enumerate(called):
        at = stubs + _STUB * n
        image[at : at + 6] = b"\xff\x25" + struct.pack("<i", slot[name] - (at + 6))

    def target(symbol: _Symbol) -> int:
        if symbol.section == 0:
            return stubs + _STUB * called.index(symbol.name)
        if symbol.section not in places:
            raise NotAnImage(f"`{symbol.name}` is in no section that is loaded")
        return places[symbol.section] + symbol.value

    for n, offset, kind, sym, addend in _relocations(code, sections):
        symbol, at = symbols[sym], places[n] + offset
        if kind in _GOT:
            found = slot[symbol.name]
        elif kind == _PLT32 or (kind == _PC32 and symbol.section):
            found = target(symbol)
        else:
            raise NotAnImage(f"a reference of kind {kind} to `{symbol.name}`")
        struct.pack_into("<i", image, at, found + addend - at)
    exports = {s.name: target(s) for s in symbols if s.is_global and s.section in places}
    head = json.dumps({"exports": exports, "slots": names, "at": slots, "size": size}).encode()
    last = len(image)
    while last > slots and not image[last - 1]:  # words of the module begin with 0
        last -= 1
    return MAGIC + struct.pack("<II", len(head), last) + head + bytes(image[:last])


def _symbols(code: bytes, sections: list[_Section]) -> list[_Symbol]:
    out: list[_Symbol] = []
    for section in sections:
        if section.type == _SYMTAB:
            names = sections[section.link].offset
            for at in range(section.offset, section.offset + section.size, 24):
                name, info, _, place, value, _ = struct.unpack_from("<IBBHQQ", code, at)
                start = names + name
                out.append(_Symbol(code[start : code.index(b"\0", start)].decode(), info, place, value))
    return out


def _relocations(code: bytes, sections: list[_Section]) -> list[tuple[int, int, int, int, int]]:
    """For each: which section, where in it, of what kind, to which symbol, and what is added."""
    out = []
    for section in sections:
        if section.type == _RELA and sections[section.info].flags & _ALLOC:
            for at in range(section.offset, section.offset + section.size, 24):
                offset, info, addend = struct.unpack_from("<QQq", code, at)
                out.append((section.info, offset, info & 0xFFFFFFFF, info >> 32, addend))
    return out


def _lay(numbers: list[int], sections: list[_Section], places: dict[int, int], at: int) -> int:
    for n in numbers:
        at = _round(at, max(1, sections[n].align))
        places[n] = at
        at += sections[n].size
    return at


def _round(at: int, to: int) -> int:
    return (at + to - 1) // to * to


# ---------------------------------------------------------------- in memory
class Image:
    """An image in memory, as long as this object is there."""

    def __init__(self, data: bytes, outside: Callable[[str], int]) -> None:
        """`outside` gives the address of a function that the image does not have itself."""
        start = len(MAGIC) + 8
        length, _ = struct.unpack_from("<II", data, len(MAGIC))
        head: dict[str, Any] = json.loads(data[start : start + length])
        self.exports: dict[str, int] = head["exports"]
        body = data[start + length :]
        size = _round(max(head["size"], len(body), 1), PAGE)
        self._memory = mmap.mmap(-1, size, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self._memory[: len(body)] = body
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        addresses = [
            self.base + self.exports[name] if name in self.exports else outside(name)
            for name in head["slots"]
        ]
        self._memory[head["at"] : head["at"] + 8 * len(addresses)] = struct.pack(
            f"<{len(addresses)}Q", *addresses
        )
        if head["at"]:
            process = ctypes.CDLL(None, use_errno=True)
            protect = process.mprotect
            protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
            if protect(self.base, head["at"], mmap.PROT_READ | mmap.PROT_EXEC):
                raise OSError(ctypes.get_errno(), "memory cannot be made executable")

    def address(self, name: str) -> int | None:
        found = self.exports.get(name)
        return None if found is None else self.base + found


def of_process(name: str) -> int:
    """A function of the C library that LLVM calls by itself."""
    if name not in FROM_OUTSIDE:
        raise ValueError(f"no function `{name}`")
    return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0
