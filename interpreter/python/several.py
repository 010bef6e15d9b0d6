"""What generated code calls where several things are chosen at once, member by member.

The members of a set are asked in the order of what it is chosen from, each behind the one before, so that
each set is offered once. Of copies that nothing tells apart (`marks` gives them the same number) those that
come first are taken, so that each sort of set is offered once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any


def _members(chosen: Any) -> tuple[int, ...]:
    """What is in a set, be it a mask or a tuple."""
    if isinstance(chosen, tuple):
        return chosen
    return tuple(n for n in range(chosen.bit_length()) if chosen >> n & 1)


def _as_set(members: Iterable[int], mask: bool) -> Any:
    return sum(1 << member for member in members) if mask else tuple(sorted(members))


def _behind(items: list[int], have: tuple[int, ...]) -> list[int]:
    """What stands behind the last that has been chosen."""
    return items[1 + max((items.index(member) for member in have), default=-1) :]


def _in_turn(items: list[int], chosen: frozenset[int], marks: Sequence[int] | None) -> bool:
    """Are of each sort of copies those in it that come first?"""
    if marks is None:
        return True
    missed = set()
    for item in items:
        if item not in chosen:
            missed.add(marks[item])
        elif marks[item] in missed:
            return False
    return True


def next_members(
    within: Iterable[int], chosen: Any, low: int, marks: Sequence[int] | None = None
) -> list[int]:
    """What may come next, and last -1, if these are enough."""
    items, have = list(dict.fromkeys(within)), _members(chosen)
    found = [
        item
        for item in _behind(items, have)
        if marks is None
        or all(marks[other] != marks[item] or other in have for other in items[: items.index(item)])
    ]
    return [*found, -1] if len(have) >= low else found


def subsets_from(
    within: Iterable[int],
    low: int,
    high: int,
    chosen: Any,
    following: int,
    mask: bool,
    marks: Sequence[int] | None = None,
) -> Iterator[Any]:
    """The sets of so many that begin with these and the next; with -1 for it these alone."""
    have = _members(chosen)
    if following == -1:
        if low <= len(have) <= high:
            yield chosen
        return
    yield from _grown(list(dict.fromkeys(within)), low, high, (*have, following), mask, marks)


class subsets:
    """All sets of so many members, as often as they are gone through."""

    def __init__(self, within: Iterable[int], low: int, high: int, mask: bool) -> None:
        self.items, self.low, self.high, self.mask = list(dict.fromkeys(within)), low, high, mask

    def __iter__(self) -> Iterator[Any]:
        return _grown(self.items, self.low, self.high, (), self.mask, None)


def _grown(
    items: list[int], low: int, high: int, have: tuple[int, ...], mask: bool, marks: Sequence[int] | None
) -> Iterator[Any]:
    more = _behind(items, have)
    for size in range(max(low - len(have), 0), min(high - len(have), len(more)) + 1):
        for added in combinations(more, size):
            whole = (*have, *added)
            if _in_turn(items, frozenset(whole), marks):
                yield _as_set(whole, mask)
