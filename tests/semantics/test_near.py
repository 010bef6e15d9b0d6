"""`near(s, n)` in the middle, at the edges and in the corners of a grid, and round a ring."""

from __future__ import annotations

import pytest

from .table import start

BOARD = """
token Stone: stone 12
place board: {shape} of Stone, seen by all
state found: set of space of board = {{}}
phase Play:
    turns Round p:
        choose s in spaces(board)
        {reach}
        set found = near(s, n)
"""


def steps(shape: str, a: tuple[int, ...], b: tuple[int, ...]) -> int:
    if shape.startswith("ring"):
        apart = abs(a[0] - b[0])
        return min(apart, 7 - apart)
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("shape", ["grid 4 by 3", "ring 7"])
@pytest.mark.parametrize("reach", [None, 0, 1, 2, 4])
def test_all_spaces_so_many_steps_away_at_most(shape: str, reach: int | None) -> None:
    """A reach that is chosen is looked at now, a fixed one in a table that was made before."""
    text = BOARD.format(shape=shape, reach="choose n in 0..4" if reach is None else "")
    match = start(text if reach is None else text.replace("near(s, n)", f"near(s, {reach})"))
    spaces = [option.key[1] for option in match.decision.options]
    for at, space in enumerate(spaces):
        for steps_away in range(5) if reach is None else (reach,):
            match.choose(at)
            if reach is None:
                match.choose(steps_away)
            near = [other for other in spaces if steps(shape, space, other) <= steps_away]
            assert sorted(match.view(1)["states"]["found"]) == sorted(near), (space, steps_away)
