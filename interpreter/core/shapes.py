"""The structures of places: a row of properties for each, which all passes ask.

| | |
|---|---|
| bag | a heap: who looks into it finds what is there, in no order |
| row, stack | in order, and the order is open to who sees the place |
| deck | in an order that nobody knows, but for what was put or seen at its ends |
| slot | room for one |
| grid, ring | spaces with room for one each; a grid may grow |

A place that was handed to a rule may be known by what it holds alone; its shape
is the empty one, of which nothing can be said. The reference interpreter does
not read this: it is what the others are checked against.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Shape:
    name: str
    words: str = ""  # in the rulebook, where it deserves some
    heap: bool = False  # in no order, as many as there are
    ordered: bool = False  # what lies before what is open
    hidden: bool = False  # what lies before what is a secret, also from who sees the place
    ends: bool = False  # something can be put on top or under it
    piled: bool = False  # one lies on the other
    limited: bool = False  # it may have a limit, `at most`
    single: bool = False  # room for one
    spaces: bool = False  # things lie on spaces, which have names
    round: bool = False  # behind the last space comes the first
    cells: bool = False  # one thing a cell: a slot is one
    whole: bool = False  # it can be swapped with another like it
    sorted: bool = False  # the state keeps its components in the order of their numbers
    lists: tuple[int, ...] = (0,)  # those lists of the state's, behind its own, that its components lie in

    def __str__(self) -> str:
        return self.name

    @property
    def top_open(self) -> bool:
        """Can the top one be seen for itself?"""
        return self.ends and self.ordered

    @property
    def loose(self) -> bool:
        """A heap, or known by what it holds alone: tokens are counted in it."""
        return self.heap or not self.name

    @property
    def spread(self) -> bool:
        """Do things lie beside each other, in a line?"""
        return self.ordered and not self.piled and not self.single


SHAPES = {
    shape.name: shape
    for shape in (
        Shape(""),
        Shape("bag", "a heap without order", heap=True, limited=True, whole=True, sorted=True),
        Shape("row", "a row", ordered=True, ends=True, limited=True, whole=True),
        Shape("stack", "a stack", ordered=True, ends=True, piled=True, limited=True, whole=True),
        Shape("deck", "a deck", hidden=True, ends=True, lists=(0, 1, 2, 5)),
        Shape("slot", "one place", ordered=True, single=True, cells=True, whole=True),
        Shape("grid", spaces=True, cells=True, sorted=True),
        Shape("ring", spaces=True, round=True, cells=True, sorted=True),
    )
}
