"""Series of random games in a build that counts which rules are used.

The counters are words of the module, so one call at a time goes through them. A game with trouble is to be
counted by the Python back end alone: what was counted since the beginning of the call is put back, and the
games before it are played again.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from threading import Lock
from typing import Any

from attrs import frozen

from .counting import ANSWERS, HITS, TABLE_BITS
from .engine import ROW, NativeEngine, Row, word
from .made import Room

_WORD, _ADDRESS = ctypes.c_int64, ctypes.c_void_p
_ENTRIES = 3 << TABLE_BITS


@frozen
class Counted:
    """For each site how often it was used and in how many games, for each asking what was offered and taken."""

    hits: list[int]
    in_games: list[int]
    offered: list[Counter[Any]]
    taken: list[Counter[Any]]


class CountingEngine:
    """What plays and counts, beside the native engine of a covered engine."""

    def __init__(self, native: NativeEngine) -> None:
        assert native.engine.sites is not None
        self.native = native
        self.sites = len(native.engine.sites.sites)
        self.askings = len(native.engine.sites.askings)
        self._lock = Lock()

    def series(
        self, master: int, numbers: range, limit: int, *, lead: bool = True
    ) -> tuple[list[Row], Counted]:
        """A row for each game up to the first with trouble, and what was counted in these games."""
        with self._lock, self.native.timed() as functions:
            loaded = functions.loaded
            sites = max(1, self.sites)
            hits = (_WORD * sites).from_address(loaded.address(HITS))
            answers = (_WORD * _ENTRIES).from_address(loaded.address(ANSWERS))
            play = ctypes.CFUNCTYPE(_WORD, *(_ADDRESS,) * 2, *(_WORD,) * 5, *(_ADDRESS,) * 5, _WORD)(
                loaded.address("counted_series")
            )
            outline, games = self.native.outline, len(numbers)
            width = ROW + outline.players
            state = Room(outline.size)
            keys = (_WORD * (outline.players + 2))()
            while True:
                ctypes.memset(hits, 0, ctypes.sizeof(hits))
                ctypes.memset(answers, 0, ctypes.sizeof(answers))
                before, in_games = (_WORD * sites)(), (_WORD * sites)()
                rows = (_WORD * (width * max(1, games)))()
                well = play(
                    state.address,
                    self.native.first.address,
                    word(master),
                    numbers.start,
                    games,
                    limit,
                    int(lead and outline.scored),
                    ctypes.addressof(rows),
                    ctypes.addressof(keys),
                    ctypes.addressof(hits),
                    ctypes.addressof(before),
                    ctypes.addressof(in_games),
                    self.sites,
                )
                if well == games:
                    break
                games = well
            found = [self.native.row(rows[i * width : (i + 1) * width]) for i in range(games)]
            return found, self._told(list(hits), list(in_games), answers)

    def _told(self, hits: list[int], in_games: list[int], table: Any) -> Counted:
        offered: list[Counter[Any]] = [Counter() for _ in range(self.askings)]
        taken: list[Counter[Any]] = [Counter() for _ in range(self.askings)]
        entries = memoryview(table).cast("B").cast("q").tolist()
        for at in range(0, len(entries), 3):
            key = entries[at]
            if key:
                asking, value = (key >> 32) - 1, (key & 0xFFFFFFFF) - (1 << 31)
                for counter, times in ((offered[asking], entries[at + 1]), (taken[asking], entries[at + 2])):
                    if times:
                        counter[value] = times
        return Counted(hits[: self.sites], in_games[: self.sites], offered, taken)
