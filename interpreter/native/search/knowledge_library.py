"""The run-time library: from the books of a seat to the program of a deal (deal_library.py), as description.py writes it.

What players/worlds.py finds hidden in a position is found here in a state; rows of weights come from the books.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core_library import kth_bit
from ..machine import F64, I32, I64, U8, bytes_at, halves_at, popcount, real, reals_at, words_at
from .book_library import seen_by

if TYPE_CHECKING:
    HEAD = PC = SP = STACK_AT = 0
    DESCRIPTION_AT = SCRATCH_AT = SHARES_AT = WEIGHTS_OF_DEAL_AT = 0
    CERTAIN_IN = COPIES_AT = COPY_AT = EXPECTED_IN = ORDER_IN = PLACES_OF_SORT_AT = REFS_AT = SORTS_AT = (
        TOKENS_AT
    ) = 0
    TOKEN_SORTS_AT = WRITTEN_AT = NAMES_AT = NUMBERS_AT = WRITING_AT = FRAMES_AT = FRAME_OF_AT = 0
    SORTS = TOKEN_SORTS = TROUBLE = 0

    def who_sees(S: I64, sort: int, c: int) -> int: ...


def list_length(S: I64, at: int, array: int, limbs: int) -> int:
    if array:
        line: I32 = halves_at(S, at)
        return line[0]
    words: I64 = words_at(S, at)
    count = 0
    i = 0
    while i < limbs:
        count += popcount(words[i])
        i += 1
    return count


def list_entry(S: I64, at: int, array: int, bits: int, limbs: int, n: int) -> int:
    if array:
        if bits == 32:
            line: I32 = halves_at(S, at + 4)
            return line[n]
        entries: U8 = bytes_at(S, at + 4)
        if bits == 8:
            return entries[n]
        return entries[2 * n] + 256 * entries[2 * n + 1]
    return kth_bit(words_at(S, at), limbs, n)


def describe_tokens(T: I64, K: I64, B: I64, S: I64, seat: int, at: int) -> int:
    """Where the program goes on."""
    D: I32 = halves_at(T, DESCRIPTION_AT)
    X: F64 = reals_at(T, WEIGHTS_OF_DEAL_AT)
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    first = at
    at += 1
    used = 0
    found = 0
    number = 0
    while number < TOKEN_SORTS:
        sort: I32 = halves_at(K, TOKEN_SORTS_AT + 16 * number)
        kinds = sort[2]
        start = at
        D[at] = kinds
        k = 0
        while k < kinds:
            D[at + 2 + k] = 0
            k += 1
        at += 2 + kinds
        places = 0
        any_ = 0
        i = 0
        while i < sort[1]:
            t: I32 = halves_at(K, TOKENS_AT + 32 * (sort[3] + i))
            if (seen_by(S, t[2], t[4]) >> seat) & 1 == 0:
                counts: I32 = halves_at(S, HEAD + 4 * t[0])
                total = 0
                k = 0
                while k < kinds:
                    total += counts[k]
                    D[start + 2 + k] = D[start + 2 + k] + counts[k]
                    k += 1
                any_ += total
                sized = (seen_by(S, t[3], t[4]) >> seat) & 1
                if total > 0 or sized == 0:
                    D[at] = t[0]
                    D[at + 1] = 0 - 1
                    if sized:
                        D[at + 1] = total
                    D[at + 2] = 0
                    D[at + 3] = used
                    k = 0
                    while k < kinds:
                        X[used + k] = expected[t[6] + k]
                        D[at + 4 + k] = certain[t[6] + k]
                        k += 1
                    used += kinds
                    at += 4 + kinds
                    places += 1
            i += 1
        D[start + 1] = places
        if places < 2 or any_ == 0:
            at = start
        else:
            found += 1
        number += 1
    D[first] = found
    T[31] = used
    return at


def entries_for(K: I64, B: I64, S: I64, sort: int, hidden: I32, count: int, entries: I32) -> int:
    """What the books call each hidden component. Copies in sight take the entries that are the most likely to be where
    they lie; the others are for the hidden ones, by number."""
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    where: I32 = halves_at(S, HEAD + 4 * sorts[4])
    weights: F64 = reals_at(B, 8 * sorts[3])
    state: I32 = entries + count  # of each component of the sort: 1 hidden; of each entry: 2 taken
    n = sorts[1]
    i = 0
    while i < n:
        state[i] = 0
        i += 1
    i = 0
    while i < count:
        state[hidden[i]] = 1
        entries[i] = 0 - 1
        i += 1
    h = 0
    while h < count:
        if entries[h] < 0:
            c = hidden[h]
            copies: I32 = halves_at(K, COPY_AT + 8 * (sorts[0] + c))
            list_: I32 = halves_at(K, COPIES_AT + 4 * copies[0])
            i = 0
            while i < copies[1]:
                if state[list_[i]] & 1 == 0:
                    place: I32 = halves_at(K, REFS_AT + 32 * where[list_[i]])
                    best = 0.0 - 1.0
                    taken = 0
                    j = 0
                    while j < copies[1]:
                        d = list_[j]
                        if state[d] & 2 == 0 and weights[d * sorts[2] + place[1]] > best:
                            best = weights[d * sorts[2] + place[1]]
                            taken = d
                        j += 1
                    state[taken] = state[taken] | 2
                i += 1
            # the hidden copies and the entries that are left, side by side
            j = 0
            i = h
            while j < copies[1]:
                d = list_[j]
                if state[d] & 2 == 0:
                    while copy_in(list_, copies[1], hidden[i]) == 0:
                        i += 1
                    entries[i] = d
                    i += 1
                j += 1
        h += 1
    return 0


def copy_in(list_: I32, count: int, c: int) -> int:
    i = 0
    while i < count:
        if list_[i] == c:
            return 1
        i += 1
    return 0


def sort_up(things: I32, count: int) -> int:
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


def find_sorted(things: I32, count: int, one: int) -> int:
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if things[middle] < one:
            low = middle + 1
        else:
            high = middle
    return low


def describe_sort(T: I64, K: I64, B: I64, S: I64, seat: int, sort: int, at: int) -> int:
    """One sort of components; how many words it took, 0 if nothing of it is hidden."""
    D: I32 = halves_at(T, DESCRIPTION_AT) + at
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    refs: I32 = halves_at(K, PLACES_OF_SORT_AT + 4 * sorts[9])
    bits = sorts[5]
    limbs = sorts[6]
    # groups of slots: [ref, list, array, ordered, limit, count, where their positions begin]
    groups: I32 = halves_at(T, SHARES_AT)
    slots: I32 = halves_at(T, SCRATCH_AT)
    hidden: I32 = halves_at(T, SCRATCH_AT + 65536)
    count = 0
    total = 0
    open_ = 0
    n = 0
    while n < sorts[10]:
        ref = refs[n]
        place: I32 = halves_at(K, REFS_AT + 32 * ref)
        if (seen_by(S, place[6], place[3]) >> seat) & 1 == 0:
            sized = (seen_by(S, place[2], place[3]) >> seat) & 1
            lists: I32 = halves_at(K, PLACES_OF_SORT_AT + 4 * place[7])
            i = 0
            while i < lists[0]:
                part = lists[1 + 3 * i]
                list_at = lists[2 + 3 * i]
                array = lists[3 + 3 * i]
                size = list_length(S, list_at, array, limbs)
                here = 0
                j = 0
                while j < size:
                    c = list_entry(S, list_at, array, bits, limbs, j)
                    if (who_sees(S, sort, c) >> seat) & 1 == 0:
                        slots[2 * total] = j
                        slots[2 * total + 1] = c
                        hidden[total] = c
                        total += 1
                        here += 1
                    j += 1
                fixed = sized | part
                if here > 0 or fixed == 0:
                    G: I32 = groups + 8 * count
                    G[0] = ref
                    G[1] = list_at
                    G[2] = array
                    G[3] = 0
                    if part > 0 or place[5] >= 0:
                        G[3] = 1
                    G[4] = 0 - 1
                    if fixed:
                        G[4] = here
                    else:
                        open_ += 1
                        if array:
                            T[TROUBLE] = 30
                    G[5] = here
                    G[6] = total - here
                    G[7] = part
                    count += 1
                i += 1
        n += 1
    if total < 2 and open_ == 0:
        return 0
    if count > 64 or count * total > 16384:
        T[TROUBLE] = 31
        return 0
    sort_up(hidden, total)
    entries: I32 = hidden + total
    entries_for(K, B, S, sort, hidden, total, entries)
    return write_sort(T, K, B, S, sort, D, groups, count, hidden, total, open_)


def write_sort(
    T: I64,
    K: I64,
    B: I64,
    S: I64,
    sort: int,
    D: I32,
    groups: I32,
    count: int,
    hidden: I32,
    total: int,
    open_: int,
) -> int:
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    slots: I32 = halves_at(T, SCRATCH_AT)
    entries: I32 = hidden + total
    X: F64 = reals_at(T, WEIGHTS_OF_DEAL_AT)
    weights: F64 = reals_at(B, 8 * sorts[3])
    first = T[31]
    if first + count * total > 32768:
        T[TROUBLE] = 32
        return 0
    only: I32 = groups + 8 * count  # of each hidden one: the group it is settled in, or -1
    counts: I32 = only + total
    alike = 1
    loose = 0
    model = 0 - 1
    n = 0
    while n < count:
        counts[n] = 0
        n += 1
    h = 0
    while h < total:
        row: F64 = X + (first + h * count)
        some = row_of_weights(K, groups, count, weights + entries[h] * sorts[2], row)
        only[h] = 0 - 1
        if some >= 0:
            room = total
            if groups[8 * some + 4] >= 0:
                room = groups[8 * some + 4]
            if counts[some] < room:
                only[h] = some
                counts[some] = counts[some] + 1
        if only[h] < 0:
            loose += 1
            if model >= 0:
                other: F64 = X + (first + model * count)
                n = 0
                while n < count:
                    if row[n] < other[n] or row[n] > other[n]:
                        alike = 0
                    n += 1
            model = h
        h += 1
    if open_:
        alike = 0
    D[0] = count
    D[1] = total
    D[2] = loose
    D[3] = alike
    D[4] = sorts[4]
    D[6] = sorts[5]
    D[7] = 0
    D[8] = first
    if alike == 0:
        T[31] = first + count * total
    at = 9
    h = 0
    while h < total:
        D[at] = hidden[h]
        at += 1
        h += 1
    h = 0
    while h < total:
        if only[h] < 0:
            D[at] = h
            at += 1
        h += 1
    n = 0
    while n < count:
        at += write_group(K, B, S, D + at, groups + 8 * n, n, counts[n], only, hidden, total, slots, sorts[5])
        n += 1
    named = write_names(K, S, sort, D + at)
    D[5] = named
    return at + named


def row_of_weights(K: I64, groups: I32, count: int, weights: F64, row: F64) -> int:
    """By the books; the group if there is only one where it may be, else -1. Without any, all alike."""
    some = 0 - 1
    several = 0
    n = 0
    while n < count:
        G: I32 = groups + 8 * n
        place: I32 = halves_at(K, REFS_AT + 32 * G[0])
        mine = G[4]
        if mine <= 0:
            mine = 1
        parts = 0
        m = 0
        while m < count:
            if groups[8 * m] == G[0]:
                other = groups[8 * m + 4]
                if other <= 0:
                    other = 1
                parts += other
            m += 1
        row[n] = weights[place[1]] * (real(mine) / real(parts))
        if row[n] > 0.0:
            if some >= 0:
                several = 1
            some = n
        n += 1
    if some < 0:
        n = 0
        while n < count:
            mine = groups[8 * n + 4]
            if mine <= 0:
                mine = 1
            row[n] = real(mine)
            n += 1
        if count == 1:
            return 0
    if several:
        return 0 - 1
    return some


def write_group(
    K: I64,
    B: I64,
    S: I64,
    D: I32,
    G: I32,
    number: int,
    settled: int,
    only: I32,
    hidden: I32,
    total: int,
    slots: I32,
    bits: int,
) -> int:
    place: I32 = halves_at(K, REFS_AT + 32 * G[0])
    entries: I32 = hidden + total
    here = G[5]
    D[0] = G[1]
    D[1] = G[2]
    D[2] = G[0]
    D[3] = G[3]
    D[4] = G[4]
    D[5] = settled
    D[6] = here
    at = 7
    h = 0
    while h < total:
        if only[h] == number:
            D[at] = h
            at += 1
        h += 1
    i = 0
    while i < here:
        D[at + i] = slots[2 * (G[6] + i)]
        D[at + here + i] = find_sorted(hidden, total, slots[2 * (G[6] + i) + 1])
        D[at + 2 * here + i] = 0 - 1
        i += 1
    if G[3] != 0 and G[7] == 0:
        line: I32 = halves_at(B, ORDER_IN + 4 * place[5])
        array: I32 = halves_at(S, G[1])
        if line[0] == array[0]:
            i = 0
            while i < here:
                d = line[1 + D[at + i]]
                h = 0
                while h < total and d >= 0:
                    if entries[h] == d:
                        D[at + 2 * here + i] = h
                    h += 1
                i += 1
    return at + 3 * here


def write_names(K: I64, S: I64, sort: int, D: I32) -> int:
    """Where words lie that name a component of the sort: states, and slots of frames that are in use."""
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    names: I32 = halves_at(K, NAMES_AT + 4 * sorts[7])
    count = 0
    while count < sorts[8]:
        D[count] = names[count]
        count += 1
    stack: I32 = halves_at(S, STACK_AT)
    frame_of: I32 = halves_at(K, FRAME_OF_AT)
    pc = S[PC]
    top = S[SP]
    # frames are met from the innermost out, and written from the outermost in
    start = count
    while top > 0:
        frame: I32 = halves_at(K, FRAMES_AT + 4 * frame_of[pc])
        base = top - frame[0]
        i = frame[1] - 1
        while i >= 0:
            if frame[2 + 2 * i] == sort:
                D[count] = STACK_AT + 4 * (base + frame[3 + 2 * i])
                count += 1
            i -= 1
        top = base - 1
        if top > 0:
            pc = stack[top]
    i = start
    j = count - 1
    while i < j:
        kept = D[i]
        D[i] = D[j]
        D[j] = kept
        i += 1
        j -= 1
    return count


def describe(T: I64, K: I64, B: I64, S: I64, seat: int) -> int:
    """The whole program, for a state and the books of a seat."""
    D: I32 = halves_at(T, DESCRIPTION_AT)
    at = describe_tokens(T, K, B, S, seat, 0)
    first = at
    D[first] = 0
    at += 1
    sort = 0
    while sort < SORTS:
        taken = describe_sort(T, K, B, S, seat, sort, at)
        if taken:
            D[first] = D[first] + 1
        at += taken
        if at > 16384:
            T[TROUBLE] = 33
            return 0
        sort += 1
    numbers: I32 = halves_at(K, NUMBERS_AT)
    first = at
    D[first] = 0
    at += 1
    i = numbers[0]
    numbers = numbers + 1
    while i > 0:
        if (seen_by(S, numbers[1], numbers[2]) >> seat) & 1 == 0:
            D[first] = D[first] + 1
            D[at] = numbers[0]
            D[at + 1] = numbers[3]
            j = 0
            while j < numbers[3]:
                D[at + 2 + j] = numbers[4 + j]
                j += 1
            at += 2 + numbers[3]
        numbers = numbers + (4 + numbers[3])
        i -= 1
    written: I32 = halves_at(K, WRITING_AT)
    state: I32 = halves_at(S, HEAD)
    remembered: U8 = bytes_at(K, WRITTEN_AT)
    first = at
    D[first] = 0
    at += 1
    i = written[0]
    written = written + 1
    while i > 0:
        if (seen_by(S, written[4], written[5]) >> seat) & 1:
            if (who_sees(S, written[2], written[3]) >> seat) & 1 == 0:
                D[first] = D[first] + 1
                D[at] = written[0]
                D[at + 1] = written[1]
                at += 2
                if remembered[written[0]] != 0 or state[written[0]] != written[1]:
                    T[TROUBLE] = 34
        written = written + 6
        i -= 1
    return at
