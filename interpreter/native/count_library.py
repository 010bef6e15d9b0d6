"""The run-time library of a build that counts: what is offered and taken, and in how many games a rule is used.

In the small part of Python that translate.py turns into native functions. The counters are words of the
module itself (counting.py): one for each site of the rules, and a table of answers, found by their hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .core_library import next_number
from .loop_library import random_game
from .machine import I32, I64, shift_right, wrapped

if TYPE_CHECKING:
    PLAYERS = TABLE_BITS = MOST_TRIED = 0


def note_answer(table: I64, asking: int, value: int, taken: int) -> int:
    """One more for an answer, offered or taken; 1 if the table is full."""
    key = ((asking + 1) << 32) | (value + 2147483648)
    hashed = wrapped(key * -7046029254386353131)
    at = shift_right(hashed, 64 - TABLE_BITS)
    tried = 0
    while tried < MOST_TRIED:
        entry: I64 = table + 3 * at
        if entry[0] == 0:
            entry[0] = key
        if entry[0] == key:
            entry[1 + taken] = entry[1 + taken] + 1
            return 0
        at = (at + 1) & ((1 << TABLE_BITS) - 1)
        tried += 1
    return 1


def note_offered(table: I64, asking: int, options: I32, count: int) -> int:
    i = 0
    while i < count:
        if note_answer(table, asking, options[i], 0):
            return 1
        i += 1
    return 0


def counted_series(
    S: I64, first: I64, master: int, number: int, games: int, limit: int, lead: int, rows: I64, keys: I64,
    hits: I64, before: I64, in_games: I64, sites: int,
) -> int:  # fmt: skip
    """As `series`, with a look at the counters behind each game, up to the first with trouble: how many went well."""
    g = 0
    while g < games:
        keys[0] = wrapped(master + (number + g) * -7046029254386353131)
        seed = shift_right(next_number(keys), 11)
        row: I64 = rows + g * (12 + PLAYERS)
        if random_game(S, first, seed, limit, lead, row, keys):
            return g
        i = 0
        while i < sites:
            if hits[i] != before[i]:
                in_games[i] = in_games[i] + 1
                before[i] = hits[i]
            i += 1
        g += 1
    return games
