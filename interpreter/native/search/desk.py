"""The desk that a decision is thought over at: one block of memory for machine code.

    the task | tables of players | logarithms | which points are secret | scratch | shares of a deal |
    the program of the deal | its weights | path | options in order | totals | picks | ... | states | the tree

States: the one that worlds are made from, the true one with what is asked, a world, the one an iteration
plays, and one for each level of the look-ahead.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

TASK = (
    "SEAT", "START", "BUDGET", "TRIALS", "BEHIND_SEAL", "CAPACITY", "NODES", "TROUBLE", "JUDGED", "TURNS",
    "DEPTH_OF_TREE", "PATIENCE", "OWN", "WORLD_LUCK", "LUCK", "LENGTH", "ARMS", "ASKER", "FAILED_LOOK",
    "PICKED", "PLAIN", "SOLVES", "LOW", "HIGH", "SCALE", "EXPLORATION", "PRIOR_WEIGHT",
)  # fmt: skip
"""Words at the beginning, in order; the last five are fractions."""

MOST_PLAYERS = 16
OWN_CHOICES = 64  # of a seat behind one seal
MOST_BLOCKS = 16_384
WORDS_OF_DEAL = 32_768
WEIGHTS_OF_DEAL = 32_768
SHARES = 32_768  # groups of slots times hidden components
LEVELS = 16
MOST_TALKS = 1024  # decisions inside negotiations
NODE = 80  # bytes

_SIZES = (
    ("CENTRE_AT", 128), ("PARTS_AT", 128), ("RIVALS_AT", 256), ("MARGINS_AT", 128), ("VALUES_AT", 128),
    ("FIGURES_AT", 128), ("MINE_AT", 8 * OWN_CHOICES), ("LOGARITHMS_AT", 4096), ("SECRETS_AT", MOST_BLOCKS),
    ("SCRATCH_AT", 131_072), ("SHARES_AT", 4 * SHARES), ("DESCRIPTION_AT", 4 * WORDS_OF_DEAL),
    ("WEIGHTS_OF_DEAL_AT", 8 * WEIGHTS_OF_DEAL), ("PATH_AT", 65_536), ("ARMS_AT", 16_384), ("TOTALS_AT", 32_768),
    ("PICKS_AT", 16_384), ("SORTED_AT", 32_768), ("TRIED_AT", 8 * 16_384), ("TALK_OF_AT", 4 * MOST_BLOCKS),
    ("TALKS_AT", 32 * MOST_TALKS), ("WEIGHTS_OF_GAINS_AT", 128), ("STANDING_AT", 3 * 128), ("GAINS_AT", 32),
)  # fmt: skip


def places(state_size: int) -> dict[str, int]:
    """Where everything lies, in bytes; the words of the task by number."""
    found = {name: number for number, name in enumerate(TASK)}
    at = 8 * 32
    for name, size in _SIZES:
        found[name] = at
        at += size
    found["STATES_AT"] = at
    found["TREE_AT"] = at + LEVELS * state_size
    return found


class Desk:
    def __init__(self, state_size: int, nodes: int) -> None:
        self.places = places(state_size)
        self.nodes = nodes
        self.block = (ctypes.c_char * (self.places["TREE_AT"] + NODE * nodes + 64))()
        self.address = ctypes.addressof(self.block)
        self.put("CAPACITY", nodes)

    def put(self, name: str, value: int) -> None:
        ctypes.c_int64.from_address(self.address + 8 * self.places[name]).value = value

    def put_real(self, name: str, value: float) -> None:
        ctypes.c_double.from_address(self.address + 8 * self.places[name]).value = value

    def word(self, name: str) -> int:
        return ctypes.c_int64.from_address(self.address + 8 * self.places[name]).value

    def put_words(self, name: str, words: Sequence[int]) -> None:
        ctypes.memmove(
            self.address + self.places[name], (ctypes.c_int64 * len(words))(*words), 8 * len(words)
        )

    def put_halves(self, name: str, words: Sequence[int]) -> None:
        ctypes.memmove(
            self.address + self.places[name], (ctypes.c_int32 * len(words))(*words), 4 * len(words)
        )

    def put_reals(self, name: str, reals: Sequence[float]) -> None:
        ctypes.memmove(
            self.address + self.places[name], (ctypes.c_double * len(reals))(*reals), 8 * len(reals)
        )

    def put_bytes(self, name: str, data: bytes) -> None:
        ctypes.memmove(self.address + self.places[name], data, len(data))

    def words(self, name: str, count: int) -> list[int]:
        return list((ctypes.c_int64 * count).from_address(self.address + self.places[name]))

    def halves(self, name: str, count: int) -> list[int]:
        return list((ctypes.c_int32 * count).from_address(self.address + self.places[name]))
