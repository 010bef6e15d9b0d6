"""Choosing a vector cell by cell: which values may the next cell take?

A value is offered exactly if the cells behind it can still be filled. What must
hold for a vector nearly always bounds sums of cells: a pick has so many tokens,
every token of a hoard goes to somebody, no heap is empty. Such bounds are worked
out once, when the choice begins, into a *plan*; from then on nothing of the
position is read. A plan is nested tuples of numbers, so it can lie in a frame:

    (index of each cell to be asked, its lowest, its highest value,
     the cells that are fixed with their values, the method, what the method needs)

Methods:

- SEPARATE: no cell is in two sums. The bounds of its one sum say all.
- DEALT: a row for each of several heaps, a column for each kind; each column is
  dealt out whole and each row gets at least `least`. A value is good if enough
  is left for the rows below, and if the row itself can still reach its least.
- ALIKE: the same, but the heaps have no names: each is, read as a number, at
  most the one before it, so that every division is met once. The best that can
  be done for the rows below is to make this row as large as it may be (a larger
  row allows more and leaves less); then the rows below must fit under it, which
  they do exactly if they fit when dealt as evenly as possible (`_fits_below`).
- SEARCHED: any other sums: bounds prune, and a search finds a way to go on.

A condition that is no bound on a sum is left to the search in runtime.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

IMPOSSIBLE, SEPARATE, DEALT, ALIKE, SEARCHED = -1, 0, 1, 2, 3
ANY = 1 << 40  # no bound

Cell = tuple[int, int, int]  # index, lowest, highest
Sum = tuple[int, int, Sequence[int]]  # lowest, highest, the indices of its cells
Plan = tuple[Any, ...]
Fits = Callable[[tuple[int, ...]], bool]


def vector_plan(cells: Sequence[Cell], sums: Iterable[Sum], alike: int) -> Plan:
    """`alike` is the distance between the same cell of two heaps, 0 if heaps have names."""
    bounds = {index: (low, high) for index, low, high in cells}
    rules: dict[tuple[int, ...], tuple[int, int]] = {}
    possible = True
    for low, high, members in sums:
        key = tuple(sorted([m for m in members if m in bounds]))
        if len(key) == 1:
            own_low, own_high = bounds[key[0]]
            bounds[key[0]] = max(own_low, low), min(own_high, high)
        elif key and key.count(key[0]) == len(key):  # the same cell several times
            own_low, own_high = bounds[key[0]]
            bounds[key[0]] = max(own_low, -(-low // len(key))), min(own_high, high // len(key))
        elif key:
            if key in rules:
                own_low, own_high = rules[key]
                low, high = max(own_low, low), min(own_high, high)
            rules[key] = low, high
        elif low > 0 or high < 0:
            possible = False
    indices, lows, highs, fixed = [], [], [], []
    for index, (low, high) in bounds.items():
        if low < high:
            indices.append(index)
            lows.append(low)
            highs.append(high)
        else:
            fixed.append((index, low))
            possible = possible and low == high
    numbered = _numbered(rules, indices, lows, highs, dict(fixed)) if possible else None
    method = IMPOSSIBLE
    needs: Any = ()
    if numbered is not None:
        method, needs = _method(indices, lows, highs, numbered, alike)
        if method == ALIKE and fixed:  # heaps may differ in what is fixed
            method, needs = SEARCHED, (_searched(lows, highs, numbered), alike)
    return tuple(indices), tuple(lows), tuple(highs), tuple(fixed), method, needs


def narrowed_cells(cells: Sequence[Cell], sums: Iterable[Sum]) -> list[Cell]:
    """The cells as the bounds on single ones leave them, where other conditions stand beside the bounds."""
    limits = {index: (low, high) for index, low, high in cells}
    for low, high, members in sums:
        key = [m for m in members if m in limits]
        if key and key.count(key[0]) == len(key):
            own_low, own_high = limits[key[0]]
            limits[key[0]] = max(own_low, -(-low // len(key))), min(own_high, high // len(key))
    return [(index, low, high) for index, (low, high) in limits.items()]


def within_sets(cells: Sequence[tuple[int, Sequence[int]]], sums: Iterable[Sum]) -> list[Cell]:
    """Cells whose values come from a set, with the limits that bounds on single ones leave them."""
    wide = [(index, values[0], values[-1]) if values else (index, 0, -1) for index, values in cells]
    out = []
    for (index, values), (_, low, high) in zip(cells, narrowed_cells(wide, sums), strict=True):
        left = [value for value in values if low <= value <= high]
        out.append((index, left[0], left[-1]) if left else (index, 0, -1))
    return out


def _numbered(
    rules: dict[tuple[int, ...], tuple[int, int]],
    indices: list[int],
    lows: list[int],
    highs: list[int],
    fixed: dict[int, int],
) -> list[Sum] | None:
    """The sums over the cells that are asked, without those that hold anyway; None if one cannot hold."""
    number = {index: n for n, index in enumerate(indices)}
    out: list[Sum] = []
    for members, (low, high) in rules.items():
        least = most = 0
        asked = []
        for m in members:
            if m in number:
                n = number[m]
                asked.append(n)
                least += lows[n]
                most += highs[n]
            else:
                low -= fixed[m]
                high -= fixed[m]
        if low > high or least > high or most < low:
            return None
        if least < low or most > high:
            asked.sort()
            out.append((low, high, tuple(asked)))
    return out


def _method(
    indices: list[int], lows: list[int], highs: list[int], rules: list[Sum], alike: int
) -> tuple[int, Any]:
    in_sums = [n for _, _, members in rules for n in members]
    if not alike and len(in_sums) == len(set(in_sums)):
        return SEPARATE, _separate(lows, highs, rules)
    dealt = _dealt(indices, lows, highs, rules, alike)
    if dealt is not None:
        return dealt
    return SEARCHED, (_searched(lows, highs, rules), alike)


def _separate(lows: list[int], highs: list[int], rules: list[Sum]) -> tuple[Any, ...]:
    """For each cell: where the cells of its sum before it are, and what the bounds leave to it and them.
    They are told as a slice where they stand at equal distances."""
    out: list[Any] = [None] * len(lows)
    for low, high, members in rules:
        start, step = members[0], members[1] - members[0] if len(members) > 1 else 1
        even = tuple(members) == tuple(range(start, members[-1] + 1, step))
        low -= sum([highs[n] for n in members])
        high -= sum([lows[n] for n in members])
        for position, n in enumerate(members):
            low += highs[n]
            high += lows[n]
            out[n] = (start if even else tuple(members[:position]), step if even else 0, low, high)
    return tuple(out)


def _dealt(
    indices: list[int], lows: list[int], highs: list[int], rules: list[Sum], alike: int
) -> tuple[int, Any] | None:
    """Are these heaps to which columns are dealt out whole? Then how wide, how many, how much, how little."""
    columns = [(members, low) for low, high, members in rules if low == high]
    rows = [(members, low) for low, high, members in rules if low < high]
    width = len(columns)
    if not width or any(lows) or len(indices) % width:
        return None
    size = len(indices) // width
    totals = [0] * width
    for members, total in columns:
        if members[0] >= width or members != tuple(range(members[0], len(indices), width)):
            return None
        if any(highs[n] < total for n in members):
            return None
        totals[members[0]] = total
    if not all(totals):
        return None
    least = rows[0][1] if rows else 0
    for place, (members, low) in enumerate(sorted(rows)):
        if members != tuple(range(place * width, place * width + width)) or low != least:
            return None
    if rows and (len(rows) != size or any(high < sum(totals) for low, high, _ in rules if low < high)):
        return None
    if sum(totals) < size * least:
        return IMPOSSIBLE, ()
    needs = (width, size, tuple(totals), least)
    if not alike:
        return DEALT, needs
    first = indices[:width]
    same = all(index == first[n % width] + alike * (n // width) for n, index in enumerate(indices))
    return (ALIKE, needs) if same and least <= 1 else None


def dealt_plan(
    rows: Sequence[int], columns: Sequence[int], totals: Sequence[int], least: int, alike: bool
) -> Plan:
    """The plan of heaps, when the conditions are known to be those: the index of a cell is the sum
    of its row's and its column's."""
    full = [k for k, total in enumerate(totals) if total > 0]
    indices = tuple([row + columns[k] for row in rows for k in full])
    width, size = len(full), len(rows)
    if alike and least > 1:
        cells = [(row + columns[k], 0, totals[k]) for row in rows for k in full]
        sums = [(totals[k], totals[k], tuple([row + columns[k] for row in rows])) for k in full]
        sums += [(least, ANY, tuple([row + columns[k] for k in full])) for row in rows]
        return vector_plan(cells, sums, rows[1] - rows[0] if size > 1 else 1)
    kept = tuple([totals[k] for k in full])
    if sum(kept) < size * least or (kept and not rows):
        return (), (), (), (), IMPOSSIBLE, ()
    if size == 1:  # all of it goes there: nothing to ask
        return (), (), (), tuple(zip(indices, kept, strict=True)), SEPARATE, ()
    needs = (width, size, kept, least)
    return indices, (0,) * len(indices), kept * size, (), ALIKE if alike else DEALT, needs


def plan_options(plan: Plan, filled: tuple[int, ...]) -> Sequence[int]:
    """The values that the next cell may take."""
    number = len(filled)
    method = plan[4]
    if method == SEPARATE:
        low, high = plan[1][number], plan[2][number]
        bound = plan[5][number]
        if bound is not None:
            before, step, least, most = bound
            done = sum(filled[before::step]) if step else sum([filled[n] for n in before])
            if least - done > low:
                low = least - done
            if most - done < high:
                high = most - done
        return range(low, high + 1)
    if method == DEALT:
        return _dealt_options(plan[5], filled, number)
    if method == ALIKE:
        return _alike_options(plan[5], filled, number)
    return _searched_options(plan, filled) if method == SEARCHED else ()


def takers(plan: Plan, filled: tuple[int, ...]) -> int:
    """How many heaps behind that of the next cell take from the same whole; at least 1, as where nothing is dealt."""
    if len(plan) < 6 or plan[4] != DEALT:  # cells without a plan are searched
        return 1
    width, size = plan[5][:2]
    behind: int = size - 1 - len(filled) // width
    return max(1, behind)


def _dealt_options(needs: Any, filled: tuple[int, ...], number: int) -> Sequence[int]:
    width, size, totals, least = needs
    row, column = divmod(number, width)
    here = totals[column] - sum(filled[column::width])
    if row == size - 1:
        return (here,)
    if not least:
        return range(here + 1)
    low, high = 0, min(here, sum(totals) - sum(filled) - (size - 1 - row) * least)
    missing = least - sum(filled[row * width :])
    if missing > 0:
        behind = sum(totals[k] - sum(filled[k::width]) for k in range(column + 1, width))
        low = max(0, missing - behind)
    return range(low, high + 1)


def _alike_options(needs: Any, filled: tuple[int, ...], number: int) -> Sequence[int]:
    width, size, totals, least = needs
    row, column = divmod(number, width)
    here = totals[column] - sum(filled[column::width])
    if row == size - 1:
        return (here,)
    if not here:
        return (0,)
    below = size - 1 - row
    start = row * width
    mine = filled[start:]
    high = min(here, sum(totals) - sum(filled) - below * least)
    above = filled[start - width : start] if row else None
    tied = above is not None and mine == above[:column]
    if tied and above[column] < high:  # type: ignore[index]
        high = above[column]  # type: ignore[index]
    for k in range(column):
        left = totals[k] - sum(filled[k::width])
        if left < below * mine[k]:  # the rows below can be smaller: they fit whatever comes here
            low = 0
            break
    else:
        low = -(-here // (below + 1))
        if low < high and low * (below + 1) == here and not _fits_below(needs, (*filled, low), row):
            low += 1
    return range(low, high + 1)


def _fits_below(needs: Any, filled: tuple[int, ...], row: int) -> bool:
    """With this row made as large as it may be: is it large enough, and do the rows below fit under it?"""
    width, size, totals, least = needs
    below = size - 1 - row
    start = row * width
    column = len(filled) - start
    mine = list(filled[start:])
    left = [totals[k] - sum(filled[k::width]) for k in range(width)]
    spare = sum(left) - below * least
    above = filled[start - width : start] if row else None
    tied = above is not None and tuple(mine) == above[:column]
    for k in range(column, width):
        take = min(left[k], spare)
        if tied:
            assert above is not None
            take = min(take, above[k])
            tied = take == above[k]
        mine.append(take)
        left[k] -= take
        spare -= take
    if least and not any(mine):
        return False
    for k in range(width):
        if left[k] != below * mine[k]:
            return bool(left[k] < below * mine[k])
    return True


# ---------------------------------------------------------------- any other sums
def _searched(lows: list[int], highs: list[int], rules: list[Sum]) -> tuple[Any, ...]:
    """For each cell and each of its sums: which sum, how often, and what the bounds leave to it and before it."""
    out: list[list[Any]] = [[] for _ in lows]
    for which, (low, high, members) in enumerate(rules):
        least, most = sum(lows[n] for n in members), sum(highs[n] for n in members)
        for n in dict.fromkeys(members):
            times = members.count(n)
            least, most = least - times * lows[n], most - times * highs[n]
            out[n].append((which, times, low - most, high - least))
    return tuple(map(tuple, out))


def _searched_options(plan: Plan, filled: tuple[int, ...]) -> Sequence[int]:
    sums: dict[int, int] = {}
    for value, bounds in zip(filled, plan[5][0], strict=False):
        for which, times, _, _ in bounds:
            sums[which] = sums.get(which, 0) + times * value
    return [
        v
        for v in _candidates(plan, list(filled), sums)
        if _completed(plan, [*filled, v], _with(plan, len(filled), v, sums))
    ]


def _candidates(plan: Plan, filled: list[int], sums: dict[int, int]) -> Sequence[int]:
    number = len(filled)
    low, high = plan[1][number], plan[2][number]
    bounds, alike = plan[5]
    for which, times, least, most in bounds[number]:
        done = sums.get(which, 0)
        low = max(low, -((done - least) // times))
        high = min(high, (most - done) // times)
    if alike:
        mine, before = _heaps(plan, filled, alike)
        if before is not None and mine[:-1] == before[: len(mine) - 1]:
            high = min(high, before[len(mine) - 1])
    return range(low, high + 1)


def _heaps(plan: Plan, filled: list[int], alike: int) -> tuple[list[int], list[int] | None]:
    """The heap of the next cell as far as it is filled (with room for that cell), and the heap before it."""
    heap, place = divmod(plan[0][len(filled)], alike)
    values = dict(plan[3])
    values.update(zip(plan[0], filled, strict=False))
    mine = [values.get(heap * alike + k, 0) for k in range(place + 1)]
    before = [values.get((heap - 1) * alike + k, 0) for k in range(place + 1)]
    return mine, before if any(index // alike == heap - 1 for index in values) else None


def _with(plan: Plan, number: int, value: int, sums: dict[int, int]) -> dict[int, int]:
    more = dict(sums)
    for which, times, _, _ in plan[5][0][number]:
        more[which] = more.get(which, 0) + times * value
    return more


def _completed(plan: Plan, filled: list[int], sums: dict[int, int]) -> list[int] | None:
    number = len(filled)
    if number == len(plan[0]):
        return filled
    for value in _candidates(plan, filled, sums):
        found = _completed(plan, [*filled, value], _with(plan, number, value, sums))
        if found is not None:
            return found
    return None


# ---------------------------------------------------------------- whole vectors
def fitting_options(plan: Plan, filled: tuple[int, ...], size: int, fits: Fits) -> Sequence[int]:
    """The values of the next cell with which some whole vector pleases the choices that depend on it."""
    return [v for v in plan_options(plan, filled) if _fitting(plan, (*filled, v), size, fits) is not None]


def _fitting(plan: Plan, filled: tuple[int, ...], size: int, fits: Fits) -> tuple[int, ...] | None:
    if len(filled) == len(plan[0]):
        whole = vector_value(plan, filled, size)
        return whole if fits(whole) else None
    for value in plan_options(plan, filled):
        found = _fitting(plan, (*filled, value), size, fits)
        if found is not None:
            return found
    return None


def plan_possible(plan: Plan) -> bool:
    method: int = plan[4]
    return method >= 0 and (method != SEARCHED or _completed(plan, [], {}) is not None)


def plan_witness(plan: Plan, size: int, fits: Fits | None = None) -> tuple[int, ...] | None:
    """Some vector that is allowed, or None."""
    method = plan[4]
    if method == IMPOSSIBLE:
        return None
    if fits is not None:
        return _fitting(plan, (), size, fits)
    if method == SEARCHED:
        found = _completed(plan, [], {})
        return vector_value(plan, tuple(found), size) if found is not None else None
    filled: tuple[int, ...] = ()
    if method == DEALT and not plan[5][3]:  # all for the last heap
        filled = (0,) * (len(plan[0]) - plan[5][0]) + plan[5][2]
    else:
        for _ in plan[0]:
            filled = (*filled, plan_options(plan, filled)[0])
    return vector_value(plan, filled, size)


def vector_value(plan: Plan, filled: tuple[int, ...], size: int) -> tuple[int, ...]:
    out = [0] * size
    for index, value in plan[3]:
        out[index] = value
    for index, value in zip(plan[0], filled, strict=True):
        out[index] = value
    return tuple(out)
