"""The run-time library: random numbers, bits, ordered places, grids that grow.

In the small part of Python that translate.py turns into native functions.
"""

from __future__ import annotations

from .machine import (
    I32,
    I64,
    U8,
    Entry,
    below_unsigned,
    bytes_at,
    entries_of,
    highest_bit,
    lowest_bit,
    move,
    nth_bit,
    popcount,
    rest_unsigned,
    shift_right,
    turn_right,
    words_at,
    wrapped,
)


# ---------------------------------------------------------------- chance: core/randomness.py
def next_number(generator: I64) -> int:
    state = wrapped(generator[0] - 7046029254386353131)
    generator[0] = state
    z = wrapped((state ^ shift_right(state, 30)) * -4658895280553007687)
    z = wrapped((z ^ shift_right(z, 27)) * -7723592293110705685)
    return z ^ shift_right(z, 31)


def number_below(generator: I64, n: int) -> int:
    while 1:
        z = next_number(generator)
        if below_unsigned(z, -4294967296):
            return rest_unsigned(z, n)
        left = rest_unsigned(0 - n, n)
        if left == 0:
            return rest_unsigned(z, n)
        if below_unsigned(z, 0 - left):
            return rest_unsigned(z, n)
    return 0


def one_of(generator: I64, n: int) -> int:
    """A certain outcome uses no random number."""
    if n < 2:
        return 0
    return number_below(generator, n)


# ---------------------------------------------------------------- bits
def nth_bit_by_halves(word: int, k: int) -> int:
    """Where the bit with this number among the set ones is; without a jump that depends on it."""
    at = 0
    width = 32
    while width > 0:
        here = popcount(word & ((1 << width) - 1))
        behind = k >= here
        k -= here * behind
        word = shift_right(word, width * behind)
        at += width * behind
        width = width >> 1
    return at


def kth_bit(limbs: I64, count: int, k: int) -> int:
    i = 0
    while i < count:
        word = limbs[i]
        here = popcount(word)
        if k < here:
            return 64 * i + nth_bit(word, k)
        k -= here
        i += 1
    return 0


# ---------------------------------------------------------------- grids that grow
# four extremes (x from, x to, y from, y to), a word of occupied rows for each column, a byte for each cell
def grown_put(grid: I64, space: int, component: int) -> int:
    """Tells how far the things on it are apart."""
    x = space >> 12
    y = space & 4095
    grid[0] = min(grid[0], x)
    grid[1] = max(grid[1], x)
    grid[2] = min(grid[2], y)
    grid[3] = max(grid[3], y)
    rows: I64 = grid + 4
    rows[x & 63] = rows[x & 63] | (1 << (y & 63))
    cells: U8 = bytes_at(grid, 544)
    cells[((x & 63) << 6) | (y & 63)] = component + 1
    return max(grid[1] - grid[0], grid[3] - grid[2])


def grown_take(grid: I64, space: int) -> int:
    x = space >> 12
    y = space & 4095
    rows: I64 = grid + 4
    rows[x & 63] = rows[x & 63] & ((1 << (y & 63)) ^ -1)
    cells: U8 = bytes_at(grid, 544)
    cells[((x & 63) << 6) | (y & 63)] = 0
    low = 8000
    high = 0 - 1
    all = 0
    i = grid[0]
    end = grid[1]
    while i <= end:
        word = rows[i & 63]
        if word != 0:
            low = min(low, i)
            high = i
            all = all | word
        i += 1
    grid[0] = low
    grid[1] = high
    start = grid[2]
    turned = turn_right(all, start & 63)
    if all == 0:
        grid[2] = 8000
        grid[3] = 0 - 1
    else:
        grid[2] = start + lowest_bit(turned)
        grid[3] = start + highest_bit(turned)
    return 0


def grown_cell(grid: I64, space: int, spaces: I32) -> int:
    """What lies on a space; the component itself says where it lies, so no bound is tested."""
    cells: U8 = bytes_at(grid, 544)
    found = cells[((shift_right(space, 12) & 63) << 6) | (space & 63)]
    if found != 0:
        if spaces[found - 1] == space:
            return found - 1
    return 0 - 1


def array_find(place: I32, component: int) -> int:
    entries: Entry = entries_of(place)
    n = place[0]
    i = 0
    while i < n:
        if entries[i] == component:
            return i
        i += 1
    return 0 - 1


def array_remove(place: I32, index: int) -> int:
    n = place[0]
    if index < 0 or index >= n:
        return 1
    entries: Entry = entries_of(place)
    i = index
    while i < n - 1:
        entries[i] = entries[i + 1]
        i += 1
    place[0] = n - 1
    return 0


def array_insert(place: I32, index: int, component: int, room: int) -> int:
    """As Python's lists do it: behind the end is at the end. Tells whether there was no room."""
    n = place[0]
    if n >= room:
        return 1
    index = min(index, n)
    entries: Entry = entries_of(place)
    i = n
    while i > index:
        entries[i] = entries[i - 1]
        i -= 1
    entries[index] = component
    place[0] = n + 1
    return 0


def hash_words(state: I64, start: int, count: int, seed: int) -> int:
    """Four lanes, so that one multiplication does not wait for the other."""
    words: I64 = words_at(state, start)
    a = seed
    b = seed ^ 7046029254386353131
    c = seed ^ 4658895280553007687
    d = seed ^ 7723592293110705685
    i = 0
    while i + 3 < count:
        a = wrapped((a ^ words[i]) * -4658895280553007687)
        b = wrapped((b ^ words[i + 1]) * -7723592293110705685)
        c = wrapped((c ^ words[i + 2]) * -7046029254386353131)
        d = wrapped((d ^ words[i + 3]) * -4658895280553007687)
        a = a ^ shift_right(a, 31)
        b = b ^ shift_right(b, 29)
        c = c ^ shift_right(c, 32)
        d = d ^ shift_right(d, 30)
        i += 4
    while i < count:
        a = wrapped((a ^ words[i]) * -4658895280553007687)
        a = a ^ shift_right(a, 31)
        i += 1
    a = wrapped((a ^ shift_right(b, 15)) * -7723592293110705685)
    a = wrapped((a ^ c ^ shift_right(a, 27)) * -4658895280553007687)
    a = wrapped((a ^ d ^ shift_right(a, 31)) * -7046029254386353131)
    return a ^ shift_right(a, 29)


def copy_bytes(to: I64, source: I64, start: int, size: int) -> int:
    if size > 0:
        move(bytes_at(to, start), bytes_at(source, start), size)
    return 0


def weighted(generator: I64, weights: I32, count: int) -> int:
    """One of several weighted outcomes: a ticket below the sum of the weights, counted off in order."""
    if count < 2:
        return 0
    total = 0
    i = 0
    while i < count:
        total += weights[i]
        i += 1
    ticket = number_below(generator, total)
    i = 0
    while i < count:
        if ticket < weights[i]:
            return i
        ticket -= weights[i]
        i += 1
    return count - 1
