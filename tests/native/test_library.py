"""The run-time library as Python, where every access is checked, against what the Python back end does."""

from __future__ import annotations

from random import Random

import pytest
from dragonrules.interpreter.core.randomness import Generator
from dragonrules.interpreter.native import core_library as core
from dragonrules.interpreter.native import vector_library as plans
from dragonrules.interpreter.native import vector_search_library as cells
from dragonrules.interpreter.native.machine import I32, I64
from dragonrules.interpreter.players.base import even
from dragonrules.interpreter.python import vector_plans
from dragonrules.interpreter.python.runtime import Grown

SUMS = 40


def native_plan(
    indices: list[tuple[int, int, int]], sums: list[tuple[int, int, list[int]]], alike: int
) -> I32:
    size = 24
    plan = I32(bytearray(4 * (10 + 6 * size + 4 * SUMS)))
    plans.vec_reset(plan, size, SUMS)
    for index, low, high in indices:
        assert plans.vec_cell(plan, index, low, high) == 0
    for low, high, members in sums:
        assert plans.vec_sum(plan, low, high, sum(1 << m for m in members)) == 0
    plans.vec_plan(plan, alike)
    return plan


def any_plan(dice: Random) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, list[int]]], int]:
    rows, columns = dice.randint(1, 4), dice.randint(1, 3)
    if dice.random() < 0.3:  # heaps to which all is dealt out, none of them empty
        totals = [dice.randint(1, 6) for _ in range(columns)]
        deal = [(t, t, list(range(k, rows * columns, columns))) for k, t in enumerate(totals)]
        deal += [(1, vector_plans.ANY, list(range(r * columns, (r + 1) * columns))) for r in range(rows)]
        return [(n, 0, 6) for n in range(rows * columns)], deal, 0
    most = dice.randint(0, 4)
    indices = [(n, 0 if dice.random() < 0.8 else 1, most) for n in range(rows * columns)]
    sums: list[tuple[int, int, list[int]]] = []
    if dice.random() < 0.6:  # columns that are dealt out whole
        for k in range(columns):
            total = dice.randint(0, 6)
            sums.append((total, total, list(range(k, rows * columns, columns))))
        if dice.random() < 0.6:
            least = dice.randint(0, 2)
            sums += [
                (least, vector_plans.ANY, list(range(r * columns, (r + 1) * columns))) for r in range(rows)
            ]
    for _ in range(dice.randint(0, 2)):
        low = dice.randint(0, 4)
        members = sorted(dice.sample(range(rows * columns), dice.randint(1, rows * columns)))
        sums.append((low, low + dice.randint(0, 3), members))
    return indices, sums, dice.choice([0, 0, columns])


@pytest.mark.parametrize("seed", range(40))
def test_vectors_cell_by_cell(seed: int) -> None:
    """The cells that are asked, their values, who takes from a whole, and the first vector."""
    dice = Random(seed)
    for _ in range(6):
        given = any_plan(dice)
        ours, theirs = native_plan(*given), vector_plans.vector_plan(*given)
        assert (ours[1] >= 0) == (theirs[4] >= 0), given
        if theirs[4] < 0:
            continue
        possible = vector_plans.plan_possible(theirs)
        assert bool(cells.vec_possible(ours)) == possible, given
        asked = [ours[10 + i] for i in range(ours[0])]
        assert asked == list(theirs[0]), given
        filled: tuple[int, ...] = ()
        mine, out = I32(bytearray(4 * 25)), I32(bytearray(4 * 4096))
        while possible and len(filled) < len(asked):
            values = list(vector_plans.plan_options(theirs, filled))
            assert [out[i] for i in range(cells.vec_next(ours, mine, out))] == values, (given, filled)
            assert plans.vec_takers(ours, mine) == vector_plans.takers(theirs, filled), (given, filled)
            if not values:
                break
            filled = (*filled, dice.choice(values))
            mine[0], mine[len(filled)] = len(filled), filled[-1]


def test_a_window_of_a_growing_grid() -> None:
    dice = Random(5)
    window = I64(bytearray(4640))
    for place, value in enumerate((8000, -1, 8000, -1)):
        window[place] = value
    spaces, grown = I32(bytearray(4 * 60)), Grown()
    free, lies = list(range(60)), {}
    for _ in range(400):
        if free and (not lies or dice.random() < 0.6):
            x, y = 2048 + dice.randint(-12, 12), 2048 + dice.randint(-12, 12)
            space = x << 12 | y
            if space in lies:
                continue
            comp = free.pop()
            spaces[comp], lies[space] = space, comp
            core.grown_put(window, space, comp)
            grown.put(space, comp)
        else:
            space = dice.choice(list(lies))
            comp = lies.pop(space)
            spaces[comp] = -1
            free.append(comp)
            core.grown_take(window, space)
        xs, ys = [s >> 12 for s in lies], [s & 4095 for s in lies]
        if lies:
            assert [window[i] for i in range(4)] == [min(xs), max(xs), min(ys), max(ys)]
        near = 2048 + dice.randint(-14, 14) << 12 | 2048 + dice.randint(-14, 14)
        assert core.grown_cell(window, near, spaces) == lies.get(near, -1)


def test_ordered_places() -> None:
    dice, place, like = Random(2), I32(bytearray(4 + 10)), []
    for number in range(300):
        if dice.random() < 0.5:
            index = dice.randint(0, 12)
            full = core.array_insert(place, index, number % 200, 10)
            assert bool(full) == (len(like) == 10)
            if not full:
                like.insert(index, number % 200)
        else:
            index = dice.randint(-1, 11)
            wrong = core.array_remove(place, index)
            assert bool(wrong) == (not 0 <= index < len(like))
            if not wrong:
                del like[index]
        held = core.entries_of(place)
        assert [held[i] for i in range(place[0])] == like
        wanted = dice.choice(like) if like else 3
        assert core.array_find(place, wanted) == (like.index(wanted) if wanted in like else -1)


def test_chance_draws_as_in_python() -> None:
    from dragonrules.interpreter.native import loop_library as loops

    words = I64(bytearray(8))
    for seed in range(200):
        python = Generator(seed)
        words[0] = seed
        assert core.number_below(words, 7 + seed) == python.below(7 + seed)
        assert loops.even_pick(words, 2 + seed % 9, 1 + seed % 5) == even(python, 2 + seed % 9, 1 + seed % 5)
        weights = I32(bytearray(12))
        for i in range(3):
            weights[i] = (seed + i) % 4 + 1
        options = (0, 1, 2)
        assert core.weighted(words, weights, 3) == python.settle(options, [weights[i] for i in options])


def test_an_access_outside_is_told() -> None:
    with pytest.raises(IndexError):
        I32(bytearray(8))[2]
    with pytest.raises(IndexError):
        core.hash_words(I64(bytearray(16)), 0, 5, 1)
