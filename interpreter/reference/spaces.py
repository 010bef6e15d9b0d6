"""Boards: the spaces of a grid or ring, and how they lie to each other.

A space is `(x, y)`, counted from the lower left corner, from 1; on a grid that
grows from wherever the rules put the first tile.
"""

from __future__ import annotations

from attrs import frozen

Space = tuple[int, int]

STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""One step in each direction, N first, clockwise."""

STRAIGHT = (0, 2, 4, 6)
"""The directions N, E, S and W."""


@frozen
class Board:
    width: int
    height: int
    ring: bool = False
    grows: bool = False

    def spaces(self) -> list[Space]:
        """All spaces, row by row from below."""
        return [(x, y) for y in range(1, self.height + 1) for x in range(1, self.width + 1)]

    def order(self, space: Space) -> tuple[int, int]:
        """What spaces are sorted by: row by row; column by column where the grid grows."""
        x, y = space
        return (x, y) if self.grows else (y, x)

    def holds(self, space: Space) -> bool:
        x, y = space
        return self.grows or (1 <= x <= self.width and 1 <= y <= self.height)

    def number(self, space: Space) -> int:
        """The number that a state keeps for a space: as `order` has it, from 0 where there is a first one."""
        x, y = space
        return (x + 2048) * 4096 + y + 2048 if self.grows else (y - 1) * self.width + x - 1

    def next(self, space: Space, direction: int) -> Space | None:
        """The space beside another, or None."""
        (x, y), (dx, dy) = space, STEPS[direction]
        if self.ring:
            return ((x - 1 + dx) % self.width + 1, 1) if dy == 0 else None
        beside = (x + dx, y + dy)
        return beside if self.holds(beside) else None

    def along(self, space: Space, count: int) -> Space:
        """So many steps further on a ring."""
        return ((space[0] - 1 + count) % self.width + 1, 1)

    def line(self, space: Space, direction: int, most: int | None = None) -> tuple[Space, ...]:
        """The spaces from one on, without it, up to the edge or, on a ring, once round."""
        out: list[Space] = []
        here = self.next(space, direction)
        while here is not None and here != space and (most is None or len(out) < most):
            out.append(here)
            here = self.next(here, direction)
        return tuple(out)

    def lines_through(self, space: Space, length: int) -> tuple[tuple[Space, ...], ...]:
        """For each straight line of so many spaces through one, the others of it."""
        out = []
        for direction in range(4):
            for start in self.spaces():
                line = (start, *self.line(start, direction, length - 1))
                if len(line) == length and space in line:
                    out.append(tuple(s for s in line if s != space))
        return tuple(out)

    def distance(self, a: Space, b: Space) -> int:
        if self.ring:
            apart = abs(a[0] - b[0])
            return min(apart, self.width - apart)
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def near(self, space: Space, reach: int) -> tuple[Space, ...]:
        if self.grows:
            x, y = space
            around = [
                (x + dx, y + dy)
                for dx in range(-reach, reach + 1)
                for dy in range(-reach, reach + 1)
                if abs(dx) + abs(dy) <= reach
            ]
            return tuple(sorted(around))
        return tuple(s for s in self.spaces() if self.distance(space, s) <= reach)
