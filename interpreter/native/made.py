"""What is kept of a game made native: the machine code, and what is known about its states.

The outline is all that whole series need. The shape, which reads and writes single states, is large and
stays as it was kept until somebody looks at a state.
"""

from __future__ import annotations

import ctypes
from typing import NamedTuple


class Outline(NamedTuple):
    """Of a game: its players and reasons to end; of its states: their size in bytes, and one before its first step."""

    players: int
    scored: bool
    reasons: tuple[str | None, ...]
    size: int
    first: bytes


class Made(NamedTuple):
    outline: Outline
    shape: bytes
    """A `Shape` (states.py), pickled."""
    code: bytes


class Room:
    """A block of memory for one state."""

    __slots__ = ("address", "block")

    def __init__(self, size: int, content: bytes = b"") -> None:
        self.block = (ctypes.c_char * (size + 64))()
        self.address = ctypes.addressof(self.block)
        ctypes.memmove(self.address, content, len(content))
