"""Several chosen at once: a set, asked member by member in the order of what it is chosen from.

Each question is about a member behind the one before, so each set is offered once. Of copies that
nothing tells apart those are taken that come first. A member is offered if some set of the right size
that begins so can be completed; that there are no more, if what is taken is such a set. The first
question is always put; the last is the one after which no more may or can be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from typing import Any

from ..core import Apply, Gen, operands
from ..core import value_types as t
from .choices import told_apart
from .names import key_of_value
from .play import Asked, Frame, Play, Steps, evaluates


@evaluates("subsets")
def subsets(play: Play, ex: Apply, frame: Frame) -> Iterator[Any]:
    within, low, high = play.values(ex.args, frame)
    assert isinstance(ex.type, t.ListOf) and isinstance(ex.type.of, t.SetOf)
    items = list(dict.fromkeys(within))
    sizes = range(max(low, 0), min(high, len(items)) + 1)
    parts = chain.from_iterable(combinations(items, size) for size in sizes)
    return (play.table.in_order(part, ex.type.of.of) for part in parts)


class Members:
    """A set that is being chosen: what it may be taken from, and how many."""

    def __init__(self, play: Play, gen: Gen, frame: Frame) -> None:
        within, low, high = operands(gen.domain)
        assert isinstance(gen.var.type, t.SetOf)
        self.play, self.of = play, gen.var.type.of
        self.items = list(dict.fromkeys(play.value(within, frame)))
        self.low, self.high = play.value(low, frame), play.value(high, frame)
        self.marks = told_apart(play, within, frame)

    def whole(self, taken: list[Any]) -> tuple[Any, ...]:
        return self.play.table.in_order(taken, self.of)

    def behind(self, taken: list[Any]) -> list[Any]:
        return self.items[self.items.index(taken[-1]) + 1 :] if taken else self.items

    def in_turn(self, taken: list[Any]) -> bool:
        """Are of each sort of copies those taken that come first?"""
        if self.marks is None:
            return True
        marks, missed = self.marks, set()
        for item in self.items:
            if item not in taken:
                missed.add(marks[item])
            elif marks[item] in missed:
                return False
        return True

    def completions(self, taken: list[Any]) -> Iterator[list[Any]]:
        """The sets of the right size that begin with these."""
        if len(taken) > self.high or not self.in_turn(taken):
            return
        if len(taken) >= self.low:
            yield taken
        for item in self.behind(taken):
            yield from self.completions([*taken, item])

    def over(self, taken: list[Any]) -> bool:
        return len(taken) >= self.high or not self.behind(taken)

    def options(self, taken: list[Any], fits: Callable[[Any], bool]) -> list[Any]:
        """What may come next; None: no more."""
        values = [
            item
            for item in self.behind(taken)
            if any(fits(self.whole(more)) for more in self.completions([*taken, item]))
        ]
        if self.low <= len(taken) <= self.high and fits(self.whole(taken)):
            values.append(None)
        return values

    def ask(self, asked: Asked, fits: Callable[[Any], bool]) -> Steps:
        taken: list[Any] = []
        while not taken or not self.over(taken):
            values = self.options(taken, fits)
            keys = [(asked.name, key_of_value(self.play, value, self.of)) for value in values]
            chosen = yield Asked(
                asked.player, "choose", asked.name, asked.rule, asked.span, values, keys, asked.prompt,
                asked.first, asked.last, (), asked.private, type=t.Opt(self.of),
            )  # fmt: skip
            if chosen is None:
                break
            taken.append(chosen)
        return self.whole(taken)
