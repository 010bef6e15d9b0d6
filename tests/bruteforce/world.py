"""A small table with everything on it that expressions can read, as text of a spec and as plain Python.

Nothing here imports the interpreter: what things mean is taken from docs/language.md.
Values are numbers, True and False, kinds and cards as their numbers from 0, spaces as
(x, y), none as None, sets as frozensets.
"""

from __future__ import annotations

from random import Random
from typing import Any

COLOURS = ("red", "green", "blue")
GEMS = ("ruby", "pearl")
WIDTH, HEIGHT = 3, 2
SPACES = tuple((x, y) for y in range(1, HEIGHT + 1) for x in range(1, WIDTH + 1))
STEPS = {"N": (0, 1), "NE": (1, 1), "E": (1, 0), "SE": (1, -1), "S": (0, -1), "SW": (-1, -1), "W": (-1, 0), "NW": (-1, 1)}  # fmt: skip


class World:
    """One position of that table."""

    def __init__(self, dice: Random) -> None:
        self.cards = [(dice.randrange(3), dice.randint(1, 4)) for _ in range(5)]
        self.toll = {(c, n): dice.randint(-2, 9) for c in range(3) for n in range(4)}
        self.lev = {n: dice.randint(0, 5) for n in range(1, 5)}
        self.mark = {c: dice.random() < 0.5 for c in range(3)}
        self.worn = {n: dice.randint(0, 3) for n in range(5)}
        self.low = dice.randint(-3, 3)
        self.best: int | None = dice.choice([None, *range(5)])
        self.pick = frozenset(c for c in range(3) if dice.random() < 0.5)
        self.nums = frozenset(n for n in range(-2, 5) if dice.random() < 0.4)
        self.line = dice.sample(range(5), dice.randint(0, 4))
        self.heap = {gem: dice.randint(0, 3) for gem in range(2)}
        self.board = {s: dice.choice([None, 0, 1]) for s in SPACES}
        self.n = 0
        self.text = "\n".join([*self._declared(), *self._set_up(), ""])

    def _declared(self) -> list[str]:
        rows = [f"    | {COLOURS[c]} | {v} | 1 |" for c, v in self.cards]
        toll = [f"    | {COLOURS[c]} | {n} | {v} |" for (c, n), v in self.toll.items()]
        return [
            'game "Brute Force" for 2 players',
            f"kinds Colour: {', '.join(COLOURS)}",
            "component Card:",
            "    colour: Colour",
            "    value: 1..4",
            "rows Card:",
            "    | colour | value | count |",
            *rows,
            "token Gem: ruby 20, pearl 20",
            "table toll(colour: Colour, n: 0..3) -> -2..9:",
            "    | colour | n | toll |",
            *toll,
            "place line1: row of Card",
            "place heap: bag of Gem",
            "place board: grid 3 by 2 of Gem",
            "each Card has: state worn: 0..3 = 0",
            "state lev[1..4]: 0..5 = 0",
            "state mark[Colour]: yes/no = no",
            f"state low: -3..3 = {self.low}",
            "state best: Card or none = none",
            f"state picked: set of Colour = {_listed(COLOURS[c] for c in self.pick)}",
            f"state nums: set of -2..4 = {_listed(map(str, sorted(self.nums)))}",
            "define nth(n: 1..5) = the(c for c in Card where count(d for d in Card where d_before(d, c)) = n - 1)",
            "define empty(s: space) = board[s] = none",
            "define d_before(a: Card, b: Card) = any(x = a for x in Card while x != b)",
        ]

    def changed(self) -> list[str]:
        """Statements that put back what effects may change."""
        lines = [f"set lev[{n}] = {v}" for n, v in self.lev.items()]
        lines += [f"set mark[{COLOURS[c]}] = {'yes' if v else 'no'}" for c, v in self.mark.items()]
        return [*lines, f"set low = {self.low}"]

    def _set_up(self) -> list[str]:
        lines = self.changed()
        lines += [f"set nth({n + 1}).worn = {v}" for n, v in self.worn.items() if v]
        lines += [f"set best = nth({self.best + 1})"] if self.best is not None else []
        lines += [f"move nth({n + 1}) to line1" for n in self.line]
        lines += [f"move {v} of {GEMS[g]} from box(Gem) to heap" for g, v in self.heap.items() if v]
        for (x, y), gem in self.board.items():
            if gem is not None:
                lines.append(f"move 1 of {GEMS[gem]} from box(Gem) to board at space_at(board, {x}, {y})")
        return ["setup:", *(f"    {line}" for line in [*lines, "nothing"])]


def _listed(words: Any) -> str:
    return f"{{{', '.join(words)}}}"


def line_from(space: tuple[int, int], direction: str) -> list[tuple[int, int]]:
    """The spaces from one on, without it."""
    (x, y), (dx, dy) = space, STEPS[direction]
    out = []
    while (x := x + dx, y := y + dy) in SPACES:
        out.append((x, y))
    return out


def near(space: tuple[int, int], steps: int) -> list[tuple[int, int]]:
    return [s for s in SPACES if abs(s[0] - space[0]) + abs(s[1] - space[1]) <= steps]
