"""The run-time library: what every seat knows of where things are. players/ledger.py says what is kept, and how.

Generated code reports what happens in a state that is watched (watching.py); `K` are the books of all seats of
one match (books.py). What happens behind a seal waits in a queue for those who may not know it yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine import F64, I32, I64, U8, array, bytes_at, halves_at, real, reals_at, there, whole, words_at

if TYPE_CHECKING:
    HEAD = PLAYERS = RNG = SEALED = WATCH = 0
    BOOK = BOOKS_AT = CERTAIN_IN = COPIES_AT = COPY_AT = EXPECTED_IN = ORDER_IN = PLACES_OF_SORT_AT = (
        QUEUE_AT
    ) = 0
    REFS_AT = SIZES_IN = SORTS_AT = TOKEN_OF_AT = TOKENS_AT = TOKEN_SORTS_AT = TOKENS_SORTED_AT = 0
    INITIAL_AT = WRITTEN_AT = K_TROUBLE = K_UNSEALS = K_QUEUE = K_SEAL_LUCK = 0

    def who_sees(S: I64, sort: int, c: int) -> int: ...
    def list_length(S: I64, at: int, array: int, limbs: int) -> int: ...
    def list_entry(S: I64, at: int, array: int, bits: int, limbs: int, n: int) -> int: ...


# ---------------------------------------------------------------- who sees a place
def seen_by(S: I64, fixed: int, grant: int) -> int:
    """A mask of seats: what is declared, and what is shown or was revealed."""
    if grant < 0:
        return fixed
    numbers: I32 = halves_at(S, HEAD)
    if numbers[grant] < 0:
        return (1 << PLAYERS) - 1
    return fixed | numbers[grant]


def at_once(S: I64, owner: int, other: int) -> int:
    """Those who notice it now: behind a seal, whose places they are."""
    if S[SEALED] == 0:
        return 0 - 1
    mask = 0
    if owner >= 0:
        mask = 1 << owner
    if other >= 0:
        mask = mask | (1 << other)
    return mask


# ---------------------------------------------------------------- components
def entry_for(K: I64, B: I64, sort: int, c: int, column: int, but: int) -> int:
    """Which entry stands for a component that was found in a place: the most likely to be there, of several the one of
    which the least is known. `but` is a number below which those marked in the scratch are left out."""
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    copies: I32 = halves_at(K, COPY_AT + 8 * (sorts[0] + c))
    list_: I32 = halves_at(K, COPIES_AT + 4 * copies[0])
    weights: F64 = reals_at(B, 8 * sorts[3])
    places = sorts[2]
    if copies[1] == 1:
        return list_[0]
    found = 0 - 1
    best = 0.0 - 1.0
    least = 0.0
    i = 0
    while i < copies[1]:
        d = list_[i]
        weight = weights[d * places + column]
        if weight >= best and (but == 0 or weight < 2.0):
            most = 0.0
            p = 0
            while p < places:
                if weights[d * places + p] > most:
                    most = weights[d * places + p]
                p += 1
            if weight > best or most < least:
                best = weight
                least = most
                found = d
        i += 1
    return found


def settle_entry(K: I64, B: I64, sort: int, d: int, column: int) -> int:
    """It is there, and nowhere else."""
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    places = sorts[2]
    row: F64 = reals_at(B, 8 * (sorts[3] + d * places))
    p = 0
    while p < places:
        row[p] = 0.0
        p += 1
    row[column] = 1.0
    return 0


def one_went(K: I64, B: I64, sort: int, source: int, dest: int, size: int) -> int:
    """Something went from one place to the other, and it may have been any of what was there."""
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    places = sorts[2]
    count = sorts[1]
    chance = 1.0 / real(max(1, size))
    row: F64 = reals_at(B, 8 * sorts[3])
    d = 0
    while d < count:
        weight = row[source]
        if weight > 0.0:
            row[dest] = row[dest] + weight * chance
            if chance == 1.0:
                row[source] = 0.0
            else:
                row[source] = weight * (1.0 - chance)
        row = row + places
        d += 1
    return 0


def line_remove(line: I32, at: int) -> int:
    n = line[0]
    i = at + 1
    while i < n:
        line[i] = line[i + 1]
        i += 1
    line[0] = n - 1
    return 0


def line_find(line: I32, d: int) -> int:
    i = 0
    while i < line[0]:
        if line[i + 1] == d:
            return i
        i += 1
    return 0 - 1


def reorder(B: I64, source: int, dest: int, d: int, spot: int, size: int) -> int:
    """`source` and `dest` are where the orders of the places are kept, -1 for a place without; d = -1: not known."""
    if source >= 0:
        line: I32 = halves_at(B, ORDER_IN + 4 * source)
        if line[0] >= 0:
            at = 0 - 1
            if d >= 0:
                at = line_find(line, d)
                if at < 0:
                    at = line_find(line, 0 - 1)
            if at >= 0:
                line_remove(line, at)
            else:
                if line[0] == 1:
                    line[0] = 0
                else:
                    line[0] = 0 - 1
        if size <= 1:
            line[0] = 0
    if dest >= 0:
        line = halves_at(B, ORDER_IN + 4 * dest)
        n = line[0]
        if n >= 0:
            at = n
            if spot == 0 - 2:
                at = 0
            if spot >= 0:
                at = max(0, n - spot + 1)
            at = min(at, n)
            i = n
            while i > at:
                line[i + 1] = line[i]
                i -= 1
            line[at + 1] = d
            line[0] = n + 1
    return 0


def book_move(K: I64, seat: int, sort: int, c: int, source: int, dest: int, spot: int) -> int:
    """c = -1: the seat does not know which one it was."""
    B: I64 = words_at(K, BOOKS_AT + seat * BOOK)
    a: I32 = halves_at(K, REFS_AT + 32 * source)
    b: I32 = halves_at(K, REFS_AT + 32 * dest)
    sizes: I32 = halves_at(B, SIZES_IN)
    d = 0 - 1
    if c >= 0:
        d = entry_for(K, B, sort, c, a[1], 0)
        settle_entry(K, B, sort, d, b[1])
    else:
        one_went(K, B, sort, a[1], b[1], sizes[source])
    reorder(B, a[5], b[5], d, spot, sizes[source])
    sizes[source] = sizes[source] - 1
    sizes[dest] = sizes[dest] + 1
    return 0


def queue_up(K: I64, waiting: int, what: int, a: int, b: int, c: int, d: int, e: int, know: int) -> int:
    queue: I32 = halves_at(K, QUEUE_AT + 32 * K[K_QUEUE])
    if K[K_QUEUE] >= 2048:
        K[K_TROUBLE] = 1
        return 1
    queue[0] = waiting
    queue[1] = what
    queue[2] = a
    queue[3] = b
    queue[4] = c
    queue[5] = d
    queue[6] = e
    queue[7] = know
    K[K_QUEUE] = K[K_QUEUE] + 1
    return 0


def saw_move(S: I64, sort: int, c: int, source: int, knew: int, dest: int, spot: int) -> int:
    K: I64 = there(S[WATCH])
    a: I32 = halves_at(K, REFS_AT + 32 * source)
    b: I32 = halves_at(K, REFS_AT + 32 * dest)
    know = knew | who_sees(S, sort, c)
    notice = know | seen_by(S, a[2], a[3]) | seen_by(S, b[2], b[3])
    now = at_once(S, a[4], b[4])
    p = 0
    while p < PLAYERS:
        if (notice & now) >> p & 1:
            if (know >> p) & 1:
                book_move(K, p, sort, c, source, dest, spot)
            else:
                book_move(K, p, sort, 0 - 1, source, dest, spot)
        p += 1
    waiting = notice & (now ^ (0 - 1)) & ((1 << PLAYERS) - 1)
    if waiting:
        queue_up(K, waiting, 1, sort, c, source, dest, spot, know)
    return 0


def saw_all(S: I64, source: int, dest: int) -> int:
    """All of a place went into another, in sight of all."""
    K: I64 = there(S[WATCH])
    if S[SEALED]:
        K[K_TROUBLE] = 1
        return 0
    a: I32 = halves_at(K, REFS_AT + 32 * source)
    b: I32 = halves_at(K, REFS_AT + 32 * dest)
    sorts: I32 = halves_at(K, SORTS_AT + 48 * a[0])
    places = sorts[2]
    p = 0
    while p < PLAYERS:
        B: I64 = words_at(K, BOOKS_AT + p * BOOK)
        row: F64 = reals_at(B, 8 * sorts[3])
        d = 0
        while d < sorts[1]:
            if row[a[1]] > 0.0:
                row[b[1]] = row[b[1]] + row[a[1]]
                row[a[1]] = 0.0
            row = row + places
            d += 1
        if b[5] >= 0:
            to: I32 = halves_at(B, ORDER_IN + 4 * b[5])
            known = 0
            if a[5] >= 0 and to[0] >= 0:
                line: I32 = halves_at(B, ORDER_IN + 4 * a[5])
                if line[0] >= 0:
                    known = 1
                    i = 0
                    while i < line[0]:
                        to[to[0] + 1] = line[i + 1]
                        to[0] = to[0] + 1
                        i += 1
            if known == 0:
                to[0] = 0 - 1
        if a[5] >= 0:
            line = halves_at(B, ORDER_IN + 4 * a[5])
            line[0] = 0
        sizes: I32 = halves_at(B, SIZES_IN)
        sizes[dest] = sizes[dest] + sizes[source]
        sizes[source] = 0
        p += 1
    return 0


def book_contents(K: I64, B: I64, sort: int, place: int, cards: I32, count: int) -> int:
    """All that lies in a place was seen. Entries that are taken already are set apart by a weight of two meanwhile."""
    a: I32 = halves_at(K, REFS_AT + 32 * place)
    sorts: I32 = halves_at(K, SORTS_AT + 48 * sort)
    weights: F64 = reals_at(B, 8 * sorts[3])
    i = 0
    while i < count:
        d = entry_for(K, B, sort, cards[i], a[1], 1)
        settle_entry(K, B, sort, d, a[1])
        weights[d * sorts[2] + a[1]] = 2.0
        cards[i] = d
        i += 1
    i = 0
    while i < count:
        weights[cards[i] * sorts[2] + a[1]] = 1.0
        i += 1
    return 0


# ---------------------------------------------------------------- tokens
def fetch_tokens(K: I64, B: I64, seat: int, place: int, kind: int, amount: float) -> int:
    """More of a kind is in a place than was thought: so it came from elsewhere, and if the size of the place is
    known, something else is there instead."""
    here: I32 = halves_at(K, TOKENS_AT + 32 * place)
    sort: I32 = halves_at(K, TOKEN_SORTS_AT + 16 * here[1])
    order: I32 = halves_at(K, TOKENS_SORTED_AT + 4 * sort[0])
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    kinds = sort[2]
    sized = ((here[2] | here[3]) >> seat) & 1
    pass_ = 0
    while pass_ < 4:
        i = 0
        while i < sort[1]:
            t = order[i]
            other: I32 = halves_at(K, TOKENS_AT + 32 * t)
            rank = 0
            if other[5] != here[5]:
                rank = 2
            rank = rank + (((other[2] | other[3]) >> seat) & 1)
            if t != place and rank == pass_ and expected[other[6] + kind] > 1e-09:
                taken = expected[other[6] + kind]
                if amount < taken:
                    taken = amount
                expected[other[6] + kind] = expected[other[6] + kind] - taken
                expected[here[6] + kind] = expected[here[6] + kind] + taken
                left = whole(expected[other[6] + kind] + 1e-09)
                certain[other[6] + kind] = min(certain[other[6] + kind], left)
                if sized:
                    give_back(B, kinds, kind, here[6], other[6], taken)
                amount = amount - taken
                if amount <= 1e-09:
                    return 0
            i += 1
        pass_ += 1
    return 0


def give_back(B: I64, kinds: int, kind: int, place: int, other: int, amount: float) -> int:
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    total = 0.0
    k = 0
    while k < kinds:
        if k != kind and expected[place + k] > real(certain[place + k]):
            total = total + (expected[place + k] - real(certain[place + k]))
        k += 1
    k = 0
    while k < kinds:
        if k != kind and expected[place + k] > real(certain[place + k]):
            rest = expected[place + k] - real(certain[place + k])
            back = amount * rest / total
            if rest < back:
                back = rest
            expected[place + k] = expected[place + k] - back
            expected[other + k] = expected[other + k] + back
        k += 1
    return 0


def book_tokens(K: I64, seat: int, amount: int, kind: int, source: int, dest: int) -> int:
    """kind = -1: the seat does not know which they were."""
    B: I64 = words_at(K, BOOKS_AT + seat * BOOK)
    a: I32 = halves_at(K, TOKENS_AT + 32 * source)
    b: I32 = halves_at(K, TOKENS_AT + 32 * dest)
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    if kind < 0:
        some_tokens(B, a[7], amount, a[6], b[6])
        return 0
    missing = real(amount) - expected[a[6] + kind]
    if missing > 1e-09:
        fetch_tokens(K, B, seat, source, kind, missing)
    left = expected[a[6] + kind] - real(amount)
    if left < 0.0:
        left = 0.0
    expected[a[6] + kind] = left
    expected[b[6] + kind] = expected[b[6] + kind] + real(amount)
    certain[a[6] + kind] = max(0, certain[a[6] + kind] - amount)
    certain[b[6] + kind] = certain[b[6] + kind] + amount
    return 0


def some_tokens(B: I64, kinds: int, amount: int, source: int, dest: int) -> int:
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    total = 0.0
    k = 0
    while k < kinds:
        total = total + expected[source + k]
        k += 1
    share = 0.0
    if total > 0.0:
        share = real(amount) / total
        if share > 1.0:
            share = 1.0
    k = 0
    while k < kinds:
        moved = expected[source + k] * share
        expected[dest + k] = expected[dest + k] + moved
        expected[source + k] = expected[source + k] - moved
        if share > 1.0 - 1e-09:
            certain[dest + k] = certain[dest + k] + certain[source + k]
            certain[source + k] = 0
        else:
            certain[source + k] = max(0, certain[source + k] - amount)
        k += 1
    return 0


def saw_tokens(S: I64, amount: int, kind: int, source_ref: int, dest_ref: int) -> int:
    if amount == 0:
        return 0
    K: I64 = there(S[WATCH])
    number: I32 = halves_at(K, TOKEN_OF_AT)
    source = number[source_ref]
    dest = number[dest_ref]
    a: I32 = halves_at(K, TOKENS_AT + 32 * source)
    b: I32 = halves_at(K, TOKENS_AT + 32 * dest)
    know = seen_by(S, a[2], a[4]) | seen_by(S, b[2], b[4])
    notice = know | seen_by(S, a[3], a[4]) | seen_by(S, b[3], b[4])
    now = at_once(S, a[5], b[5])
    p = 0
    while p < PLAYERS:
        if (notice & now) >> p & 1:
            if (know >> p) & 1:
                book_tokens(K, p, amount, kind, source, dest)
            else:
                book_tokens(K, p, amount, 0 - 1, source, dest)
        p += 1
    waiting = notice & (now ^ (0 - 1)) & ((1 << PLAYERS) - 1)
    if waiting:
        queue_up(K, waiting, 2, amount, kind, source, dest, 0, know)
    return 0


def saw_shown_tokens(S: I64, ref: int, viewers: int) -> int:
    """Who is shown a place of tokens knows what lies there."""
    K: I64 = there(S[WATCH])
    if S[SEALED]:
        K[K_TROUBLE] = 1
        return 0
    number: I32 = halves_at(K, TOKEN_OF_AT)
    numbers: I32 = halves_at(S, HEAD + 4 * ref)
    p = 0
    while p < PLAYERS:
        if (viewers >> p) & 1:
            book_counts(K, p, number[ref], numbers)
        p += 1
    return 0


def book_counts(K: I64, seat: int, place: int, counts: I32) -> int:
    B: I64 = words_at(K, BOOKS_AT + seat * BOOK)
    a: I32 = halves_at(K, TOKENS_AT + 32 * place)
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    kinds = a[7]
    k = 0
    while k < kinds:
        missing = real(counts[k]) - expected[a[6] + k]
        if missing > 1e-09:
            fetch_tokens(K, B, seat, place, k, missing)
        k += 1
    k = 0
    while k < kinds:
        spare = expected[a[6] + k] - real(counts[k])
        if spare > 1e-09:
            put_elsewhere(K, B, seat, place, k, spare)
        k += 1
    k = 0
    while k < kinds:
        expected[a[6] + k] = real(counts[k])
        certain[a[6] + k] = counts[k]
        k += 1
    return 0


def put_elsewhere(K: I64, B: I64, seat: int, place: int, kind: int, amount: float) -> int:
    """Less of a kind is in a place than was thought: the rest must be in another one that is hidden."""
    here: I32 = halves_at(K, TOKENS_AT + 32 * place)
    sort: I32 = halves_at(K, TOKEN_SORTS_AT + 16 * here[1])
    expected: F64 = reals_at(B, EXPECTED_IN)
    certain: I32 = halves_at(B, CERTAIN_IN)
    rooms: F64 = reals_at(K, QUEUE_AT + 32 * 2048)
    kinds = sort[2]
    total = 0.0
    hidden = 0
    i = 0
    while i < sort[1]:
        t = sort[3] + i
        other: I32 = halves_at(K, TOKENS_AT + 32 * t)
        rooms[i] = 0.0
        if t != place and (other[2] >> seat) & 1 == 0:
            hidden += 1
            there_ = 0.0
            sure = 0
            k = 0
            while k < kinds:
                there_ = there_ + expected[other[6] + k]
                sure += certain[other[6] + k]
                k += 1
            rooms[i] = there_ - real(sure)
            total = total + rooms[i]
        i += 1
    i = 0
    while i < sort[1]:
        t = sort[3] + i
        other = halves_at(K, TOKENS_AT + 32 * t)
        if t != place and (other[2] >> seat) & 1 == 0:
            share = 1.0 / real(hidden)
            if total > 1e-09:
                share = rooms[i] / total
            expected[other[6] + kind] = expected[other[6] + kind] + amount * share
        i += 1
    return 0


# ---------------------------------------------------------------- both
def saw_swap(S: I64, a_ref: int, b_ref: int, tokens: int) -> int:
    """Two places have changed what is in them, in sight of all."""
    K: I64 = there(S[WATCH])
    if S[SEALED]:
        K[K_TROUBLE] = 1
        return 0
    number: I32 = halves_at(K, TOKEN_OF_AT)
    p = 0
    while p < PLAYERS:
        B: I64 = words_at(K, BOOKS_AT + p * BOOK)
        if tokens:
            a: I32 = halves_at(K, TOKENS_AT + 32 * number[a_ref])
            b: I32 = halves_at(K, TOKENS_AT + 32 * number[b_ref])
            expected: F64 = reals_at(B, EXPECTED_IN)
            certain: I32 = halves_at(B, CERTAIN_IN)
            k = 0
            while k < a[7]:
                kept = expected[a[6] + k]
                expected[a[6] + k] = expected[b[6] + k]
                expected[b[6] + k] = kept
                sure = certain[a[6] + k]
                certain[a[6] + k] = certain[b[6] + k]
                certain[b[6] + k] = sure
                k += 1
        else:
            a = halves_at(K, REFS_AT + 32 * a_ref)
            b = halves_at(K, REFS_AT + 32 * b_ref)
            swap_columns(K, B, a, b, a_ref, b_ref)
        p += 1
    return 0


def swap_columns(K: I64, B: I64, a: I32, b: I32, a_ref: int, b_ref: int) -> int:
    sorts: I32 = halves_at(K, SORTS_AT + 48 * a[0])
    sizes: I32 = halves_at(B, SIZES_IN)
    row: F64 = reals_at(B, 8 * sorts[3])
    d = 0
    while d < sorts[1]:
        kept = row[a[1]]
        row[a[1]] = row[b[1]]
        row[b[1]] = kept
        row = row + sorts[2]
        d += 1
    size = sizes[a_ref]
    sizes[a_ref] = sizes[b_ref]
    sizes[b_ref] = size
    if a[5] >= 0 and b[5] >= 0:
        one: I32 = halves_at(B, ORDER_IN + 4 * a[5])
        two: I32 = halves_at(B, ORDER_IN + 4 * b[5])
        d = 0
        while d <= sorts[1]:
            size = one[d]
            one[d] = two[d]
            two[d] = size
            d += 1
    return 0


def saw_shown(S: I64, ref: int, viewers: int) -> int:
    """Who is shown a place of components knows what lies there."""
    K: I64 = there(S[WATCH])
    if S[SEALED]:
        K[K_TROUBLE] = 1
        return 0
    place: I32 = halves_at(K, REFS_AT + 32 * ref)
    sorts: I32 = halves_at(K, SORTS_AT + 48 * place[0])
    lists: I32 = halves_at(K, PLACES_OF_SORT_AT + 4 * place[7])
    cards: I32 = array(4096)
    count = list_length(S, lists[2], lists[3], sorts[6])
    p = 0
    while p < PLAYERS:
        if (viewers >> p) & 1:
            i = 0
            while i < count:
                cards[i] = list_entry(S, lists[2], lists[3], sorts[5], sorts[6], i)
                i += 1
            book_contents(K, words_at(K, BOOKS_AT + p * BOOK), place[0], ref, cards, count)
        p += 1
    return 0


def saw_written(S: I64, slot: int) -> int:
    """What is written on something may be remembered: Python looks into that."""
    K: I64 = there(S[WATCH])
    written: U8 = bytes_at(K, WRITTEN_AT)
    numbers: I32 = halves_at(S, HEAD)
    first: I32 = halves_at(K, INITIAL_AT)
    if numbers[slot] != first[slot]:
        written[slot] = 1
    return 0


def saw_seal(S: I64) -> int:
    K: I64 = there(S[WATCH])
    K[K_SEAL_LUCK] = S[RNG]
    return 0


def saw_unseal(S: I64) -> int:
    """All is told that happened behind the seal."""
    K: I64 = there(S[WATCH])
    K[K_UNSEALS] = K[K_UNSEALS] + 1
    queue: I32 = halves_at(K, QUEUE_AT)
    i = 0
    while i < K[K_QUEUE]:
        p = 0
        while p < PLAYERS:
            if (queue[0] >> p) & 1:
                known = (queue[7] >> p) & 1
                if queue[1] == 1:
                    c = queue[3]
                    if known == 0:
                        c = 0 - 1
                    book_move(K, p, queue[2], c, queue[4], queue[5], queue[6])
                else:
                    kind = queue[3]
                    if known == 0:
                        kind = 0 - 1
                    book_tokens(K, p, queue[2], kind, queue[4], queue[5])
            p += 1
        queue = queue + 8
        i += 1
    K[K_QUEUE] = 0
    return 0
