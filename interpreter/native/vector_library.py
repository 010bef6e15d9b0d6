"""The run-time library: choosing a vector cell by cell.

A value is offered exactly if the rest can be filled, and the witness is the first
vector in order, so any exact method gives the decisions of python/vector_plans.py;
which cells are asked is the same too. A plan is P: 0 cells asked, 1 method, 2 width,
3 size, 4 least, 5 stride of heaps that look alike, 6 sums, 7 fixed cells, 8 room for
cells (N), 9 room for sums; then N words each of index, low, high, index and value of
fixed cells, totals; then for each sum low, high and a mask of its cells. Filled cells
are F: how many, then values. Methods: -1 impossible, 0 by bounds, 1 dealt, 2 dealt to
heaps that look alike, 3 by search, 4 by a test that generated code makes.
"""

from __future__ import annotations

from .machine import I32, array, lowest_bit, popcount, read64, write64


def vec_reset(P: I32, N: int, M: int) -> int:
    i = 0
    while i < 10:
        P[i] = 0
        i += 1
    P[8] = N
    P[9] = M
    return 0


def vec_cell(P: I32, index: int, low: int, high: int) -> int:
    n = P[0]
    N = P[8]
    if n >= N or index < 0 or index >= N:
        return 1
    P[10 + n] = index
    P[10 + N + n] = low
    P[10 + 2 * N + n] = high
    P[0] = n + 1
    return 0


def vec_sum(P: I32, low: int, high: int, mask: int) -> int:
    if P[6] >= P[9]:
        return 1
    Q: I32 = P + (10 + 6 * P[8] + 4 * P[6])
    Q[0] = max(low, -1000000000)
    Q[1] = min(high, 1000000000)
    write64(Q + 2, mask)
    P[6] = P[6] + 1
    return 0


def vec_split(P: I32, strict: int) -> int:
    """Cells with one value only are not asked. -1 if one has none."""
    N = P[8]
    X: I32 = P + 10
    A: I32 = X + N
    B: I32 = A + N
    FX: I32 = B + N
    FV: I32 = FX + N
    n = P[0]
    k = 0
    f = 0
    ok = 1
    i = 0
    while i < n:
        if A[i] < B[i] or (strict == 0 and A[i] > B[i]):
            x = X[i]
            a = A[i]
            b = B[i]
            X[k] = x
            A[k] = a
            B[k] = b
            k += 1
        else:
            FX[f] = X[i]
            FV[f] = A[i]
            f += 1
            if A[i] != B[i]:
                ok = 0
        i += 1
    P[0] = k
    P[7] = f
    return ok


def vec_columns(P: I32) -> int:
    """Where other conditions stand beside the bounds: those on single cells narrow them. A cell that can
    have only one value is not a question; one that can have none is asked."""
    N = P[8]
    X: I32 = P + 10
    A: I32 = X + N
    B: I32 = A + N
    Q: I32 = P + (10 + 6 * N)
    present = 0
    i = 0
    while i < P[0]:
        present = present | (1 << X[i])
        i += 1
    j = 0
    while j < P[6]:
        R: I32 = Q + 4 * j
        mask = read64(R + 2) & present
        if popcount(mask) == 1:
            x = lowest_bit(mask)
            i = 0
            while X[i] != x:
                i += 1
            A[i] = max(A[i], R[0])
            B[i] = min(B[i], R[1])
        j += 1
    P[6] = 0
    vec_split(P, 0)
    P[1] = 4
    return 0


def vec_plan(P: I32, alike: int) -> int:
    """Bounds of single cells into the cells, sums over the cells that are asked, the method."""
    N = P[8]
    X: I32 = P + 10
    A: I32 = X + N
    B: I32 = A + N
    FX: I32 = B + N
    FV: I32 = FX + N
    Q: I32 = P + (10 + 6 * N)
    n = P[0]
    where: I32 = array(64)
    present = 0
    i = 0
    while i < n:
        present = present | (1 << X[i])
        where[X[i]] = i
        i += 1
    ok = 1
    m = P[6]
    k = 0
    j = 0
    while j < m:
        R: I32 = Q + 4 * j
        low = R[0]
        high = R[1]
        mask = read64(R + 2) & present
        if mask == 0:
            if low > 0 or high < 0:
                ok = 0
        else:
            if popcount(mask) == 1:
                i = where[lowest_bit(mask)]
                A[i] = max(A[i], low)
                B[i] = min(B[i], high)
            else:
                h = 0
                while h < k:
                    if read64(Q + 4 * h + 2) == mask:
                        break
                    h += 1
                T: I32 = Q + 4 * h
                if h < k:
                    T[0] = max(T[0], low)
                    T[1] = min(T[1], high)
                else:
                    T[0] = low
                    T[1] = high
                    write64(T + 2, mask)
                    k += 1
        j += 1
    if vec_split(P, 1) == 0:
        ok = 0
    n = P[0]
    i = 0
    while i < 64:
        where[i] = -1
        i += 1
    i = 0
    while i < n:
        where[X[i]] = i
        i += 1
    m = k
    k = 0
    j = 0
    used = 0
    twice = 0
    while j < m and ok:
        R = Q + 4 * j
        low = R[0]
        high = R[1]
        mask = read64(R + 2)
        asked = 0
        least = 0
        most = 0
        while mask:
            x = lowest_bit(mask)
            mask = mask & (mask - 1)
            i = where[x]
            if i >= 0:
                asked = asked | (1 << i)
                least += A[i]
                most += B[i]
            else:
                i = 0
                while FX[i] != x:
                    i += 1
                low -= FV[i]
                high -= FV[i]
        if low > high or least > high or most < low:
            ok = 0
        else:
            if least < low or most > high:
                T = Q + 4 * k
                T[0] = low
                T[1] = high
                write64(T + 2, asked)
                twice = twice | (used & asked)
                used = used | asked
                k += 1
        j += 1
    P[6] = k
    P[5] = alike
    P[1] = -1
    if ok:
        P[1] = 3
        if alike == 0:
            if twice == 0:
                P[1] = 0
            else:
                vec_find_deal(P)
    return 0


def vec_find_deal(P: I32) -> int:
    """Are the sums those of heaps to which columns are dealt out whole? Then that is the method, and whoever
    picks at random must know."""
    n = P[0]
    N = P[8]
    A: I32 = P + (10 + N)
    B: I32 = A + N
    T: I32 = P + (10 + 5 * N)
    Q: I32 = P + (10 + 6 * N)
    width = 0
    j = 0
    while j < P[6]:
        R: I32 = Q + 4 * j
        if R[0] == R[1]:
            width += 1
        j += 1
    if width == 0 or width > n:
        return 0
    if n % width:
        return 0
    size = n // width
    i = 0
    while i < n:
        if A[i]:
            return 0
        T[i] = 0
        i += 1
    all = 0
    j = 0
    while j < P[6]:
        R = Q + 4 * j
        if R[0] == R[1]:
            mask = read64(R + 2)
            first = lowest_bit(mask)
            if first >= width or T[first] or R[0] == 0:
                return 0
            i = first
            while i < n:
                if B[i] < R[0]:
                    return 0
                mask = mask ^ (1 << i)
                i += width
            if mask:
                return 0
            T[first] = R[0]
            all += R[0]
        j += 1
    rows = 0
    seen = 0
    least = 0
    j = 0
    while j < P[6]:
        R = Q + 4 * j
        if R[0] < R[1]:
            mask = read64(R + 2)
            first = lowest_bit(mask)
            row = 0
            if first % width or (seen >> first) & 1 or R[1] < all:
                return 0
            if rows:
                if R[0] != least:
                    return 0
            least = R[0]
            while row < width:
                mask = mask ^ (1 << (first + row))
                row += 1
            if mask:
                return 0
            seen = seen | (1 << first)
            rows += 1
        j += 1
    if rows:
        if rows != size:
            return 0
    P[2] = width
    P[3] = size
    P[4] = least
    P[1] = 1
    if all < size * least:
        P[1] = 0 - 1
    return 1


def vec_takers(P: I32, F: I32) -> int:
    """Of a whole that is dealt out: how many heaps behind that of the next cell take from it; else 1."""
    if P[1] != 1:
        return 1
    return max(1, P[3] - 1 - F[0] // P[2])


def vec_dealt(
    P: I32, rows: I32, size: int, columns: I32, count: int, totals: I32, least: int, alike: int
) -> int:
    """Heaps to which whole columns are dealt: the index of a cell is the sum of its row's and its column's."""
    N = P[8]
    X: I32 = P + 10
    A: I32 = X + N
    B: I32 = A + N
    FX: I32 = B + N
    FV: I32 = FX + N
    T: I32 = P + (10 + 5 * N)
    width = 0
    all = 0
    k = 0
    while k < count:
        if totals[k] > 0:
            T[width] = totals[k]
            all += totals[k]
            width += 1
        k += 1
    if alike and least > 1:
        return vec_dealt_by_sums(P, rows, size, columns, count, totals, least)
    P[0] = 0
    P[1] = -1
    P[2] = width
    P[3] = size
    P[4] = least
    P[5] = alike
    if all < size * least or (width > 0 and size == 0):
        return 0
    r = 0
    n = 0
    while r < size:
        k = 0
        while k < count:
            if totals[k] > 0:
                X[n] = rows[r] + columns[k]
                A[n] = 0
                B[n] = totals[k]
                n += 1
            k += 1
        r += 1
    if size == 1:
        i = 0
        while i < n:
            FX[i] = X[i]
            FV[i] = B[i]
            i += 1
        P[0] = 0
        P[5] = 0
        P[7] = n
        P[1] = 0
        return 0
    P[0] = n
    P[1] = 1
    if alike:
        P[1] = 2
    return 0


def vec_dealt_by_sums(P: I32, rows: I32, size: int, columns: I32, count: int, totals: I32, least: int) -> int:
    """The same as sums, for heaps that look alike and must each have several."""
    r = 0
    while r < size:
        k = 0
        while k < count:
            if totals[k] > 0:
                vec_cell(P, rows[r] + columns[k], 0, totals[k])
            k += 1
        r += 1
    k = 0
    while k < count:
        if totals[k] > 0:
            mask = 0
            r = 0
            while r < size:
                mask = mask | (1 << (rows[r] + columns[k]))
                r += 1
            vec_sum(P, totals[k], totals[k], mask)
        k += 1
    r = 0
    while r < size:
        mask = 0
        k = 0
        while k < count:
            if totals[k] > 0:
                mask = mask | (1 << (rows[r] + columns[k]))
            k += 1
        vec_sum(P, least, 1000000000, mask)
        r += 1
    stride = 1
    if size > 1:
        stride = rows[1] - rows[0]
    return vec_plan(P, stride)
