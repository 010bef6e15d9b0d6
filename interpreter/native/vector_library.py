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

from .machine import I32, Raw, array, ask, lowest_bit, popcount, read64, write64


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
        if alike == 0 and twice == 0:
            P[1] = 0
    return 0


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
