"""The run-time library: going through the plan of a vector (vector_library.py): the values of the next cell,
the whole vector, the first one, and searches with a test that generated code makes.
"""

from __future__ import annotations

from .machine import I32, Raw, array, ask, lowest_bit, read64


def vec_left(P: I32, F: I32, k: int) -> int:
    """What is left of a column."""
    here = P[10 + 5 * P[8] + k]
    i = k
    n = F[0]
    w = P[2]
    while i < n:
        here -= F[1 + i]
        i += w
    return here


def vec_spare(P: I32, F: I32) -> int:
    all = 0
    k = 0
    while k < P[2]:
        all += P[10 + 5 * P[8] + k]
        k += 1
    i = 0
    while i < F[0]:
        all -= F[1 + i]
        i += 1
    return all


def vec_fits_below(P: I32, F: I32, row: int, last: int) -> int:
    """With this row made as large as it may be: is it large enough, and do the rows below fit under it?"""
    width = P[2]
    least = P[4]
    below = P[3] - 1 - row
    start = row * width
    mine: I32 = array(64)
    left: I32 = array(64)
    filled = F[0]
    column = filled + 1 - start
    spare = 0 - below * least
    k = 0
    tied = 0
    if row:
        tied = 1
    any = 0
    while k < width:
        left[k] = vec_left(P, F, k)
        if k == column - 1:
            left[k] = left[k] - last
        spare += left[k]
        if k < column:
            mine[k] = last
            if start + k < filled:
                mine[k] = F[1 + start + k]
            if row:
                if mine[k] != F[1 + start - width + k]:
                    tied = 0
            if mine[k]:
                any = 1
        k += 1
    k = column
    while k < width:
        take = min(left[k], spare)
        if tied:
            take = min(take, F[1 + start - width + k])
            if take != F[1 + start - width + k]:
                tied = 0
        mine[k] = take
        left[k] = left[k] - take
        spare -= take
        if take:
            any = 1
        k += 1
    if least and any == 0:
        return 0
    k = 0
    while k < width:
        if left[k] != below * mine[k]:
            return left[k] < below * mine[k]
        k += 1
    return 1


def vec_range(out: I32, low: int, high: int) -> int:
    k = 0
    while low + k <= high:
        if k >= 4000:
            return -1
        out[k] = low + k
        k += 1
    return k


def vec_known(P: I32, V: I32, number: int, index: int) -> int:
    """The value of a cell so far, or -1."""
    N = P[8]
    i = 0
    while i < number:
        if P[10 + i] == index:
            return V[i]
        i += 1
    i = 0
    while i < P[7]:
        if P[10 + 3 * N + i] == index:
            return P[10 + 4 * N + i]
        i += 1
    return -1


def vec_bound(P: I32, V: I32, number: int, top: int) -> int:
    """The lowest (or highest) value that the sums leave to a cell, given those before it."""
    N = P[8]
    A: I32 = P + (10 + N)
    B: I32 = A + N
    low = A[number]
    high = B[number]
    j = 0
    while j < P[6]:
        Q: I32 = P + (10 + 6 * N + 4 * j)
        mask = read64(Q + 2)
        if (mask >> number) & 1:
            least = Q[0]
            most = Q[1]
            while mask:
                i = lowest_bit(mask)
                mask = mask & (mask - 1)
                if i < number:
                    least -= V[i]
                    most -= V[i]
                else:
                    if i > number:
                        least -= B[i]
                        most -= A[i]
            low = max(low, least)
            high = min(high, most)
        j += 1
    alike = P[5]
    if alike and top:
        index = P[10 + number]
        heap = index // alike
        place = index % alike
        if heap > 0:
            some = 0
            same = 1
            k = 0
            while k < alike:
                b = vec_known(P, V, number, (heap - 1) * alike + k)
                if b >= 0:
                    some = 1
                if k < place:
                    if max(b, 0) != max(vec_known(P, V, number, heap * alike + k), 0):
                        same = 0
                k += 1
            if some and same:
                high = min(high, max(vec_known(P, V, number, (heap - 1) * alike + place), 0))
    if top:
        return high
    return low


def vec_complete(P: I32, V: I32, number: int) -> int:
    """The first way to fill the cells from a number on, left in V."""
    if number == P[0]:
        return 1
    v = vec_bound(P, V, number, 0)
    high = vec_bound(P, V, number, 1)
    while v <= high:
        V[number] = v
        if vec_complete(P, V, number + 1):
            return 1
        v += 1
    return 0


def vec_next(P: I32, F: I32, out: I32) -> int:
    """The values that the next cell may take; how many."""
    number = F[0]
    method = P[1]
    if method < 0:
        return 0
    if method == 0:
        return vec_range(out, vec_bound(P, F + 1, number, 0), vec_bound(P, F + 1, number, 1))
    if method == 3:
        V: I32 = array(64)
        i = 0
        while i < number:
            V[i] = F[1 + i]
            i += 1
        v = vec_bound(P, V, number, 0)
        high = vec_bound(P, V, number, 1)
        k = 0
        while v <= high:
            V[number] = v
            if vec_complete(P, V, number + 1):
                if k >= 4000:
                    return -1
                out[k] = v
                k += 1
            v += 1
        return k
    width = P[2]
    size = P[3]
    least = P[4]
    row = number // width
    column = number % width
    here = vec_left(P, F, column)
    if row == size - 1:
        return vec_range(out, here, here)
    start = row * width
    below = size - 1 - row
    if method == 1:
        if least == 0:
            return vec_range(out, 0, here)
        low = 0
        high = min(here, vec_spare(P, F) - below * least)
        missing = least
        i = start
        while i < number:
            missing -= F[1 + i]
            i += 1
        if missing > 0:
            behind = 0
            k = column + 1
            while k < width:
                behind += vec_left(P, F, k)
                k += 1
            low = max(0, missing - behind)
        return vec_range(out, low, high)
    if here == 0:
        return vec_range(out, 0, 0)
    high = min(here, vec_spare(P, F) - below * least)
    if row:
        tied = 1
        i = 0
        while i < column:
            if F[1 + start + i] != F[1 + start - width + i]:
                tied = 0
            i += 1
        if tied:
            high = min(high, F[1 + start - width + column])
    free = 0
    k = 0
    while k < column:
        if vec_left(P, F, k) < below * F[1 + start + k]:
            free = 1
            break
        k += 1
    low = 0
    if free == 0:
        low = (here + below) // (below + 1)
        if low < high and low * (below + 1) == here:
            if vec_fits_below(P, F, row, low) == 0:
                low += 1
    return vec_range(out, low, high)


def vec_value(P: I32, F: I32, V: I32) -> int:
    N = P[8]
    i = 0
    while i < N:
        V[i] = 0
        i += 1
    i = 0
    while i < P[7]:
        V[P[10 + 3 * N + i]] = P[10 + 4 * N + i]
        i += 1
    i = 0
    while i < P[0]:
        V[P[10 + i]] = F[1 + i]
        i += 1
    return 0


def vec_possible(P: I32) -> int:
    if P[1] < 0:
        return 0
    if P[1] != 3:
        return 1
    V: I32 = array(64)
    return vec_complete(P, V, 0)


def vec_witness(P: I32, W: I32) -> int:
    """The first vector that is allowed, into W."""
    if P[1] < 0:
        return 0
    F: I32 = array(65)
    out: I32 = array(4001)
    F[0] = 0
    if P[1] == 3:
        if vec_complete(P, F + 1, 0) == 0:
            return 0
        F[0] = P[0]
    while F[0] < P[0]:
        vec_next(P, F, out)
        F[1 + F[0]] = out[0]
        F[0] = F[0] + 1
    vec_value(P, F, W)
    return 1


def vec_limits(P: I32, F: I32, A: I32, B: I32) -> int:
    N = P[8]
    i = 0
    while i < N:
        A[i] = 0
        B[i] = 0
        i += 1
    i = 0
    while i < P[7]:
        A[P[10 + 3 * N + i]] = P[10 + 4 * N + i]
        B[P[10 + 3 * N + i]] = P[10 + 4 * N + i]
        i += 1
    i = 0
    while i < P[0]:
        x = P[10 + i]
        if i < F[0]:
            A[x] = F[1 + i]
            B[x] = F[1 + i]
        else:
            A[x] = P[10 + N + i]
            B[x] = P[10 + 2 * N + i]
        i += 1
    return 0


def vec_ordered(P: I32, A: I32, number: int) -> int:
    alike = P[5]
    if alike == 0:
        return 1
    index = P[10 + number]
    heap = index // alike
    place = index % alike
    if heap == 0:
        return 1
    k = 0
    while k <= place:
        a = A[heap * alike + k]
        b = A[heap * alike - alike + k]
        if a != b:
            return a < b
        k += 1
    return 1


def vec_search(S: Raw, ctx: Raw, fn: Raw, P: I32, A: I32, B: I32, number: int) -> int:
    """Fill the cells so that the conditions hold, which a function tests on intervals."""
    if number == P[0]:
        return ask(fn, S, ctx, A, B, 1)
    if ask(fn, S, ctx, A, B, 0) == 0:
        return 0
    x = P[10 + number]
    low = A[x]
    high = B[x]
    v = low
    while v <= high:
        A[x] = v
        B[x] = v
        if vec_ordered(P, A, number):
            if vec_search(S, ctx, fn, P, A, B, number + 1):
                return 1
        v += 1
    A[x] = low
    B[x] = high
    return 0


def vec_tested(S: Raw, ctx: Raw, fn: Raw, P: I32, F: I32, out: I32) -> int:
    """The values of the next cell, where the conditions are no bounds on sums."""
    A: I32 = array(64)
    B: I32 = array(64)
    number = F[0]
    N = P[8]
    v = P[10 + N + number]
    high = P[10 + 2 * N + number]
    k = 0
    while v <= high:
        F[1 + number] = v
        F[0] = number + 1
        vec_limits(P, F, A, B)
        if vec_ordered(P, A, number):
            if vec_search(S, ctx, fn, P, A, B, number + 1):
                if k >= 4000:
                    return -1
                out[k] = v
                k += 1
        v += 1
    F[0] = number
    return k


def vec_first(S: Raw, ctx: Raw, fn: Raw, P: I32, W: I32) -> int:
    F: I32 = array(2)
    B: I32 = array(64)
    F[0] = 0
    vec_limits(P, F, W, B)
    return vec_search(S, ctx, fn, P, W, B, 0)


def vec_pleasing(S: Raw, ctx: Raw, fn: Raw, P: I32, F: I32, W: I32) -> int:
    """A whole vector that pleases the choices behind it."""
    if F[0] == P[0]:
        vec_value(P, F, W)
        return ask(fn, S, ctx, W, W, 1)
    out: I32 = array(4001)
    n = vec_next(P, F, out)
    number = F[0]
    i = 0
    while i < n:
        F[1 + number] = out[i]
        F[0] = number + 1
        if vec_pleasing(S, ctx, fn, P, F, W):
            return 1
        F[0] = number
        i += 1
    return 0


def vec_please(S: Raw, ctx: Raw, fn: Raw, P: I32, F: I32, out: I32) -> int:
    """The values of the next cell with which the choices behind the vector can be made."""
    W: I32 = array(64)
    G: I32 = array(65)
    n = vec_next(P, F, out)
    k = 0
    i = 0
    while i < n:
        j = 0
        while j < F[0]:
            G[1 + j] = F[1 + j]
            j += 1
        G[1 + j] = out[i]
        G[0] = j + 1
        if vec_pleasing(S, ctx, fn, P, G, W):
            out[k] = out[i]
            k += 1
        i += 1
    return k
