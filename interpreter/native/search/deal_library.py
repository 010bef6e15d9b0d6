"""The run-time library: worlds, drawn by a little program that is made once a decision (description.py).

    token sorts: their number, then for each: kinds, places, the totals of the kinds, and for each place:
        where, size (-1: not known), is it a cell?, where its weights begin, the certain number of each kind
    component sorts: their number, then for each: groups, hidden, loose, even?, where it is kept where they are,
        names to change, bits of an entry, words of a set, where the rows of weights begin; the hidden
        components; the loose ones; the groups (list, is it an array?, place, ordered?, limit, settled, slots; then
        the settled, the positions, who truly lies there, who is known to lie there); the names
    numbers: how many, then for each: where, how many values, the values
    what is written: how many, then for each: where, what

Components are meant by their place among the hidden ones. The order of everything is that of players/worlds.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core_library import next_number, number_below, one_of
from ..machine import F64, I32, I64, U8, bytes_at, halves_at, real, reals_at, shift_right, words_at

if TYPE_CHECKING:
    AUTO = HEAD = RNG = WATCH = 0
    DESCRIPTION_AT = SCRATCH_AT = SHARES_AT = WEIGHTS_OF_DEAL_AT = 0

    def copy_state(to: I64, source: I64) -> int: ...


def part_of_one(generator: I64) -> float:
    """From 0 to below 1, in steps of 2^-53."""
    return real(shift_right(next_number(generator), 11)) * 1.1102230246251565e-16


def shuffle(things: I32, count: int, first: int, generator: I64) -> int:
    """The first so many of an even order."""
    n = 0
    end = min(first, count - 1)
    while n < end:
        other = n + number_below(generator, count - n)
        kept = things[n]
        things[n] = things[other]
        things[other] = kept
        n += 1
    return 0


def pick_weighted(weights: F64, count: int, generator: I64) -> int:
    """By weight; -1 if all are nothing."""
    total = 0.0
    i = 0
    while i < count:
        total = total + weights[i]
        i += 1
    if total <= 0.0:
        return 0 - 1
    ticket = part_of_one(generator) * total
    i = 0
    found = 0 - 1
    while i < count:
        ticket = ticket - weights[i]
        if ticket < 0.0:
            return i
        if weights[i] > 0.0:
            found = i
        i += 1
    return found


# ---------------------------------------------------------------- tokens
def deal_tokens(T: I64, world: I64, D: I32, generator: I64) -> int:
    """How many words of the program were read."""
    numbers: I32 = halves_at(world, HEAD)
    X: F64 = reals_at(T, WEIGHTS_OF_DEAL_AT)
    left: I32 = halves_at(T, SCRATCH_AT)
    room: I32 = left + 64
    open_: I32 = room + 256
    loose: I32 = open_ + 256
    weights: F64 = reals_at(T, SHARES_AT)
    kinds = D[0]
    places = D[1]
    at = 2
    k = 0
    while k < kinds:
        left[k] = D[at + k]
        k += 1
    at += kinds
    must = 0
    n = 0
    while n < places:
        ref = D[at]
        size = D[at + 1]
        limit = size
        if size < 0:
            limit = 1 << 30
        if D[at + 2] == 0:
            k = 0
            while k < kinds:
                count = min(D[at + 4 + k], min(left[k], limit))
                numbers[ref + k] = count
                left[k] = left[k] - count
                limit -= count
                k += 1
        if size < 0:
            room[n] = 0 - 1
        else:
            room[n] = limit
            must += limit
        at += 4 + kinds
        n += 1
    total = 0
    k = 0
    while k < kinds:
        n = 0
        while n < left[k]:
            loose[total] = k
            total += 1
            n += 1
        k += 1
    shuffle(loose, total, total, generator)
    first = 2 + kinds
    width = 4 + kinds
    # how much more of a kind is expected somewhere than is certain does not change while the rest is dealt
    sure: I32 = loose + 4096
    n = 0
    while n < places:
        place: I32 = D + (first + n * width)
        k = 0
        while k < kinds:
            sure[n * kinds + k] = 0
            if place[2] == 0:
                sure[n * kinds + k] = numbers[place[0] + k]
            k += 1
        n += 1
    taken = 0
    while taken < total:
        kind = loose[taken]
        tight = 0
        if must >= total - taken:
            tight = 1
        count = 0
        n = 0
        while n < places:
            if room[n] > 0 or (room[n] < 0 and tight == 0):
                place = D + (first + n * width)
                open_[count] = n
                weight = X[place[3] + kind] - real(sure[n * kinds + kind])
                if weight < 0.0:
                    weight = 0.0
                weights[count] = weight
                count += 1
            n += 1
        pick = pick_weighted(weights, count, generator)
        if pick < 0:
            n = 0
            while n < count:
                weights[n] = 1000.0
                if room[open_[n]] >= 0:
                    weights[n] = real(min(room[open_[n]], 1000))
                n += 1
            pick = max(pick_weighted(weights, count, generator), 0)
        chosen = open_[pick]
        place = D + (first + chosen * width)
        if place[2]:
            numbers[place[0]] = kind
        else:
            numbers[place[0] + kind] = numbers[place[0] + kind] + 1
        if room[chosen] > 0:
            must -= 1
            room[chosen] = room[chosen] - 1
        taken += 1
    return first + places * width


# ---------------------------------------------------------------- components
def make_room(shares: I32, counts: I32, X: F64, groups: int, hidden: int, h: int, free: int) -> int:
    """Where h may be is full. Somebody who is there and may as well be where there is room goes there."""
    n = 0
    while n < groups:
        if X[h * groups + n] > 0.0:
            share: I32 = shares + n * hidden
            i = 0
            while i < counts[n]:
                other = share[i]
                if X[other * groups + free] > 0.0:
                    while i < counts[n] - 1:
                        share[i] = share[i + 1]
                        i += 1
                    share[i] = h
                    h = other
                    n = groups
                    i = 1 << 30
                i += 1
        n += 1
    last: I32 = shares + (free * hidden + counts[free])
    last[0] = h
    counts[free] = counts[free] + 1
    return 0


def fits(row: F64, groups: int) -> int:
    """In how many groups one may be."""
    found = 0
    n = 0
    while n < groups:
        if row[n] > 0.0:
            found += 1
        n += 1
    return found


def deal_weighted(T: I64, D: I32, order: I32, counts: I32, generator: I64) -> int:
    groups = D[0]
    hidden = D[1]
    loose = D[2]
    X: F64 = reals_at(T, WEIGHTS_OF_DEAL_AT) + D[8]
    shares: I32 = halves_at(T, SHARES_AT)
    open_: I32 = counts + 64
    limits: I32 = open_ + 64
    sorted_: I32 = limits + 128
    weights: F64 = reals_at(T, SCRATCH_AT)
    # those that fit in few places first
    total = 0
    size = 0
    while size <= groups:
        i = 0
        while i < loose:
            if fits(X + order[i] * groups, groups) == size:
                sorted_[total] = order[i]
                total += 1
            i += 1
        size += 1
    at = 9 + hidden + loose
    must = 0
    n = 0
    while n < groups:
        limits[n] = D[at + 4]
        limits[64 + n] = D[at + 4]
        if D[at + 4] < 0:
            limits[64 + n] = hidden
        else:
            must += D[at + 4] - counts[n]
        at += 7 + D[at + 5] + 3 * D[at + 6]
        n += 1
    taken = 0
    while taken < loose:
        h = sorted_[taken]
        tight = 0
        if must >= loose - taken:
            tight = 1
        count = 0
        n = 0
        while n < groups:
            if counts[n] < limits[64 + n] and (tight == 0 or limits[n] >= 0):
                open_[count] = n
                weights[count] = X[h * groups + n]
                count += 1
            n += 1
        pick = pick_weighted(weights, count, generator)
        if pick < 0:
            n = 0
            while n < count:
                weights[n] = real(limits[64 + open_[n]] - counts[open_[n]])
                n += 1
            pick = max(pick_weighted(weights, count, generator), 0)
            make_room(shares, counts, X, groups, hidden, h, open_[pick])
        else:
            n = open_[pick]
            share: I32 = shares + (n * hidden + counts[n])
            share[0] = h
            counts[n] = counts[n] + 1
        if limits[open_[pick]] >= 0:
            must -= 1
        taken += 1
    return 0


def sort_small(things: I32, count: int) -> int:
    i = 1
    while i < count:
        one = things[i]
        j = i
        while j > 0 and things[max(j - 1, 0)] > one:
            things[j] = things[j - 1]
            j -= 1
        things[j] = one
        i += 1
    return 0


def put_entry(world: I64, at: int, bits: int, position: int, card: int) -> int:
    if bits == 32:
        line: I32 = halves_at(world, at + 4)
        line[position] = card
    else:
        entries: U8 = bytes_at(world, at + 4)
        if bits == 8:
            entries[position] = card
        else:
            entries[2 * position] = card & 255
            entries[2 * position + 1] = card >> 8
    return 0


def put_bit(world: I64, at: int, card: int, there: int) -> int:
    limbs: I64 = words_at(world, at)
    bit = 1 << (card & 63)
    if there:
        limbs[card >> 6] = limbs[card >> 6] | bit
    else:
        limbs[card >> 6] = limbs[card >> 6] & (bit ^ (0 - 1))
    return 0


def lay_group(
    T: I64, world: I64, D: I32, G: I32, share: I32, count: int, renamed: I32, generator: I64
) -> int:
    """What came to a group of slots is put there, in order where that counts."""
    hidden: I32 = D + 9
    numbers: I32 = halves_at(world, HEAD + 4 * D[4])
    settled = G[5]
    slots = G[6]
    positions: I32 = G + (7 + settled)
    true: I32 = positions + slots
    known: I32 = true + slots
    at = G[0]
    line: I32 = renamed + D[1]
    sort_small(share, count)
    if G[3]:
        shuffle(share, count, count, generator)
        # those whose position is known lie there, the others in between
        i = 0
        while i < count:
            line[i] = share[i]
            i += 1
        used: I32 = line + count
        i = 0
        while i < slots:
            used[i] = 0 - 1
            j = 0
            while j < count:
                if known[i] >= 0 and line[j] == known[i]:
                    used[i] = line[j]
                    line[j] = 0 - 1
                j += 1
            i += 1
        i = 0
        j = 0
        while i < slots:
            if used[i] < 0:
                while line[j] < 0:
                    j += 1
                used[i] = line[j]
                j += 1
            share[i] = used[i]
            i += 1
    i = 0
    if G[1] == 0:
        while i < slots:
            put_bit(world, at, hidden[true[i]], 0)
            i += 1
    i = 0
    while i < count:
        card = hidden[share[i]]
        numbers[card] = G[2]
        if G[1]:
            put_entry(world, at, D[6], positions[i], card)
        else:
            put_bit(world, at, card, 1)
        if i < slots:
            renamed[true[i]] = share[i]
        i += 1
    return 0


def rename_hidden(world: I64, D: I32, names: I32, renamed: I32) -> int:
    """What refers to a hidden component refers to the one that is there instead."""
    hidden: I32 = D + 9
    count = D[1]
    used: I32 = renamed + count
    h = 0
    while h < count:
        used[h] = 0
        h += 1
    h = 0
    while h < count:
        if renamed[h] >= 0:
            used[renamed[h]] = 1
        h += 1
    free = 0
    h = 0
    while h < count:
        if renamed[h] < 0:
            while used[free]:
                free += 1
            renamed[h] = free
            free += 1
        h += 1
    i = 0
    while i < D[5]:
        word: I32 = halves_at(world, names[i])
        h = 0
        while h < count:
            if hidden[h] == word[0]:
                word[0] = hidden[renamed[h]]
                h = count
            h += 1
        i += 1
    return 0


def deal_components(T: I64, world: I64, D: I32, generator: I64) -> int:
    groups = D[0]
    hidden = D[1]
    loose = D[2]
    shares: I32 = halves_at(T, SHARES_AT)
    counts: I32 = halves_at(T, SCRATCH_AT + 8192)
    order: I32 = counts + 4096
    renamed: I32 = order + 4096
    i = 0
    while i < loose:
        order[i] = D[9 + hidden + i]
        i += 1
    start = 9 + hidden + loose
    at = start
    free = 0
    most = 0 - 1
    last = 0
    n = 0
    while n < groups:
        G: I32 = D + at
        share: I32 = shares + n * hidden
        i = 0
        while i < G[5]:
            share[i] = G[7 + i]
            i += 1
        counts[n] = i
        here = G[4] - i
        if G[4] >= 0:
            free += here
        if here > most:
            most = here
            last = n
        at += 7 + G[5] + 3 * G[6]
        n += 1
    if D[3]:
        shuffle(order, loose, free - max(most, 0), generator)
        i = 0
        at = start
        n = 0
        while n < groups:
            G = D + at
            if n != last:
                share = shares + n * hidden
                while counts[n] < G[4]:
                    share[counts[n]] = order[i]
                    counts[n] = counts[n] + 1
                    i += 1
            at += 7 + G[5] + 3 * G[6]
            n += 1
        share = shares + last * hidden
        while i < loose:
            share[counts[last]] = order[i]
            counts[last] = counts[last] + 1
            i += 1
    else:
        shuffle(order, loose, loose, generator)
        deal_weighted(T, D, order, counts, generator)
    i = 0
    while i < hidden:
        renamed[i] = 0 - 1
        i += 1
    at = start
    n = 0
    while n < groups:
        G = D + at
        lay_group(T, world, D, G, shares + n * hidden, counts[n], renamed, generator)
        at += 7 + G[5] + 3 * G[6]
        n += 1
    rename_hidden(world, D, D + at, renamed)
    return at + D[5]


# ---------------------------------------------------------------- a world
def settle_world(T: I64, world: I64, base: I64, generator: I64) -> int:
    """What the seat has not seen is settled by lot."""
    copy_state(world, base)
    D: I32 = halves_at(T, DESCRIPTION_AT)
    numbers: I32 = halves_at(world, HEAD)
    sorts = D[0]
    at = 1
    while sorts > 0:
        at += deal_tokens(T, world, D + at, generator)
        sorts -= 1
    sorts = D[at]
    at += 1
    while sorts > 0:
        at += deal_components(T, world, D + at, generator)
        sorts -= 1
    count = D[at]
    at += 1
    while count > 0:
        numbers[D[at]] = D[at + 2 + one_of(generator, D[at + 1])]
        at += 2 + D[at + 1]
        count -= 1
    count = D[at]
    at += 1
    while count > 0:
        numbers[D[at]] = D[at + 1]
        at += 2
        count -= 1
    world[RNG] = next_number(generator)
    world[AUTO] = 1
    world[WATCH] = 0
    return 0
