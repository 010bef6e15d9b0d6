"""Vectors chosen cell by cell: what is offered is exactly what can be completed."""

from __future__ import annotations

from itertools import pairwise, product
from math import prod

from dragonrules.interpreter.python.vector_plans import (
    ALIKE,
    ANY,
    DEALT,
    IMPOSSIBLE,
    SEARCHED,
    SEPARATE,
    Plan,
    Sum,
    dealt_plan,
    plan_options,
    plan_witness,
    vector_plan,
    vector_value,
)
from hypothesis import assume, given
from hypothesis import strategies as st

Cells = list[tuple[int, int, int]]
SIZE = 60


def every_vector(cells: Cells, sums: list[Sum], alike: int) -> set[tuple[int, ...]]:
    """By trying all."""
    found = set()
    for values in product(*(range(low, high + 1) for _, low, high in cells)):
        whole = [0] * SIZE
        for (index, _, _), value in zip(cells, values, strict=True):
            whole[index] = value
        if not all(low <= sum(whole[m] for m in members) <= high for low, high, members in sums):
            continue
        if alike:
            heaps = sorted({index // alike for index, _, _ in cells})
            rows = [whole[h * alike : (h + 1) * alike] for h in heaps]
            if any(first < second for first, second in pairwise(rows)):
                continue
        found.add(tuple(whole))
    return found


def reached(plan: Plan) -> set[tuple[int, ...]]:
    """By walking through all that is offered; a dead end shows as an empty offer."""
    found = set()

    def walk(filled: tuple[int, ...]) -> None:
        if len(filled) == len(plan[0]):
            found.add(vector_value(plan, filled, SIZE))
            return
        options = plan_options(plan, filled)
        assert options, f"a dead end behind {filled}"
        for value in options:
            walk((*filled, value))

    if plan[4] != IMPOSSIBLE and (not plan[0] or plan_options(plan, ())):
        walk(())
    return found


@st.composite
def heaps(draw: st.DrawFn) -> tuple[Cells, list[Sum], int]:
    size = draw(st.integers(1, 4))
    totals = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    stride = len(totals) + draw(st.integers(0, 1))
    least = draw(st.integers(0, 2))
    cells = [(row * stride + k, 0, total) for row in range(size) for k, total in enumerate(totals)]
    sums: list[Sum] = [
        (total, total, [row * stride + k for row in range(size)]) for k, total in enumerate(totals)
    ]
    sums += [(least, ANY, [row * stride + k for k in range(len(totals))]) for row in range(size)]
    if draw(st.booleans()):
        sums.append((-ANY, draw(st.integers(0, 3)), list(range(len(totals)))))
    return cells, sums, draw(st.sampled_from((0, stride)))


@st.composite
def anything(draw: st.DrawFn) -> tuple[Cells, list[Sum], int]:
    width = draw(st.integers(1, 5))
    lows = draw(st.lists(st.integers(0, 1), min_size=width, max_size=width))
    cells = [(n, low, low + draw(st.integers(0, 2))) for n, low in enumerate(lows)]
    sums: list[Sum] = []
    for _ in range(draw(st.integers(0, 3))):
        low = draw(st.integers(-1, 6))
        members = draw(st.lists(st.integers(0, width - 1), min_size=1, max_size=width))
        sums.append((low, draw(st.sampled_from((low, low + 2, ANY))), members))
    return cells, sums, 0


@given(st.one_of(heaps(), anything()))
def test_exactly_what_can_be_completed_is_offered(case: tuple[Cells, list[Sum], int]) -> None:
    cells, sums, alike = case
    assume(prod(high - low + 1 for _, low, high in cells) <= 5000)
    plan = vector_plan(cells, sums, alike)
    wanted = every_vector(cells, sums, alike)
    assert reached(plan) == wanted
    witness = plan_witness(plan, SIZE)
    assert (witness is not None) == bool(wanted)
    if witness is not None and not alike:
        assert witness in wanted


@given(
    st.integers(1, 4), st.lists(st.integers(0, 3), min_size=1, max_size=3), st.integers(0, 2), st.booleans()
)
def test_a_plan_made_for_heaps_is_the_same(size: int, totals: list[int], least: int, alike: bool) -> None:
    stride = len(totals)
    assume(prod((total + 1) ** size for total in totals) <= 5000)
    cells = [(row * stride + k, 0, total) for row in range(size) for k, total in enumerate(totals)]
    sums: list[Sum] = [
        (total, total, [row * stride + k for row in range(size)]) for k, total in enumerate(totals)
    ]
    sums += [(least, ANY, [row * stride + k for k in range(stride)]) for row in range(size)]
    plan = dealt_plan([row * stride for row in range(size)], list(range(stride)), totals, least, alike)
    assert reached(plan) == every_vector(cells, sums, stride if alike else 0)


def test_the_method_follows_from_the_sums() -> None:
    cells = [(n, 0, 2) for n in range(6)]
    columns: list[Sum] = [(2, 2, (k, k + 3)) for k in range(3)]
    rows: list[Sum] = [(1, ANY, (0, 1, 2)), (1, ANY, (3, 4, 5))]
    assert vector_plan(cells, [(1, 3, range(6))], 0)[4] == SEPARATE
    assert vector_plan(cells, columns, 0)[4] == SEPARATE
    assert vector_plan(cells, columns + rows, 0)[4] == DEALT
    assert vector_plan(cells, columns + rows, 3)[4] == ALIKE
    assert vector_plan(cells, [*columns, (1, 2, (0, 1, 2))], 0)[4] == SEARCHED
    assert vector_plan(cells, [(13, ANY, range(6))], 0)[4] == IMPOSSIBLE


def test_what_a_condition_decides_alone_is_not_asked() -> None:
    plan = vector_plan([(0, 0, 3), (1, 0, 3), (2, 0, 0)], [(0, 0, (0,)), (1, 2, (0, 1, 2))], 0)
    assert plan[0] == (1,)
    assert dict(plan[3]) == {0: 0, 2: 0}
    assert list(plan_options(plan, ())) == [1, 2]


def test_a_large_hoard_is_no_trouble() -> None:
    """Twenty tokens of nine kinds for six sides: 54 cells, each answered at once."""
    totals = [4, 3, 3, 2, 2, 2, 2, 1, 1]
    for alike in (False, True):
        plan = dealt_plan([row * 9 for row in range(6)], list(range(9)), totals, 1, alike)
        filled: tuple[int, ...] = ()
        while len(filled) < 54:
            filled = (*filled, plan_options(plan, filled)[-1])
        heaps_made = [filled[n : n + 9] for n in range(0, 54, 9)]
        assert [sum(column) for column in zip(*heaps_made, strict=True)] == totals
        assert all(any(heap) for heap in heaps_made)
        assert not alike or heaps_made == sorted(heaps_made, reverse=True)
