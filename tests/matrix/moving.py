"""The matrix of moving: every statement that moves or shows something, for every structure of places, limit,
visibility, trigger and ending, as one spec for each structure and circumstance.

A spec is a menu with a case for each statement. What the checker refuses for a
structure (there is no bottom of a bag) is left out, line by line, and the rest is
played by both interpreters.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import dragonrules as dr
from attrs import frozen

HEAD = """\
game "Matrix" for 2 players
component Card:
    value: 1..3
rows Card:
    | value | count |
    | 1     | 3     |
    | 2     | 2     |
    | 3     | 1     |
token Gem: ruby 4, jade 3
place pack: deck of Card, seen by nobody
place line: row of Card
place hoard: bag of Gem
place spare_cards: bag of Card
place spare_gems: bag of Gem
state entered: 0..99 = 0
state left_it: 0..99 = 0
each Card has: state used: yes/no = no until moved
setup:
    for c in Card where c.value != 2: move c to pack
    for c in Card where c.value = 2: move c to line
    move all from box(Gem) to hoard
"""

STRUCTURES = {
    "bag": "bag of Card",
    "row": "row of Card",
    "stack": "stack of Card",
    "deck": "deck of Card",
    "slot": "slot of Card",
    "grid": "grid 2 by 2 of Card",
    "growing grid": "grid of Card",
    "ring": "ring 3 of Card",
    "bag of tokens": "bag of Gem",
    "slot of tokens": "slot of Gem",
    "grid of tokens": "grid 2 by 2 of Gem",
    "ring of tokens": "ring 3 of Gem",
}
LIMITS = ("", ", at most 2", ", at most 2 rest to SPARE")
SIGHTS = ("", ", seen by nobody", "owner", "cells")  # the last two: one for each player, one for each number
TRIGGERS = {
    "": "",
    "entering": "trigger comes after entering WHAT where entered < 90: change entered by 1\n",
    "leaving": "trigger goes after leaving WHAT where left_it < 90: change left_it by 1\n",
    "asking": "trigger asks after entering WHAT for player(2): choose noticed in 1..2\n",
    "moving on": (
        "trigger on_ after entering WHAT where entered < 5:\n"
        "    change entered by 1\n    move all from T to SPARE\n"
    ),
    "instead": "trigger dropped instead of act() where entered mod 2 = 1: change entered by 1\n",
    "before": "trigger first_ before act(): change entered by 1\n",
    "cancelled": "trigger stopped before act():\n    if entered mod 3 = 2: cancel\n    change entered by 1\n",
}
ENDINGS = {
    "": "",
    "full": 'ending full when FULL: finish {player(1)} because "full"\n',
    "noticed": 'ending noticed when entered >= 2 or left_it >= 2: finish {player(2)} because "noticed"\n',
}

CARDS = (
    "draw 1 from pack to T",
    "draw 2 from pack to T else change entered by 1",
    "draw 1 at random from line to T",
    "draw 1 at random from T to line",
    "move all from line to T",
    "move all from T to line",
    "choose c in line|move c to T",
    "choose c in line|set c.used = yes|move c to T",
    "choose c in line|move c to bottom of T",
    "choose c in line|move c to top of T",
    "choose c in T|move c to line",
    "choose c in T|set c.used = yes|move c to top of pack",
    "move {c for c in line where c.value = 2} to T",
    "move {c for c in T where c.value != 3} to line",
    "choose c in line, s in spaces(T) where T[s] = none|move c to T at s",
    "choose c in line, s in spaces(T)|move c to T at s",
    "choose c in line, s in spaces(T) where T[s] = none|move c to T at s turned r90",
    "choose c in line, s in frontier(T)|move c to T at s",
    "choose a in spaces(T), b in spaces(T) where T[a] != none and T[b] = none|move T[a] to T at b",
    "choose a in spaces(T), b in spaces(T) where T[a] != none and T[b] != none and a != b|swap T[a] with T[b]",
    "choose a in T, b in line|swap a with b",
    "choose c in line|require T[space_at(T, 1, 1)] = none|move c to T at space_at(T, 1, 1)",
    "choose s in frontier(T)|draw 1 from pack to T at s",
    "choose s in spaces(T) where T[s] = none|draw 1 at random from line to T at s",
    "choose c in line|move c to T at 1",
    "draw all from T to line",
    "shuffle T into pack",
    "swap T with line",
    "swap T with spare_cards",
    "swap T with twin",
    "move all from twin to T",
    "move all from T to twin",
    "shuffle T",
    "peek 1 of T to player(2)",
    "peek 2 of T to me secretly",
    "show T to player(2)",
    "show T to player(2) secretly",
    "show T to player(2):|    choose seen_ in 1..2",
    "reveal T to all",
    "if top(T) != none: move top(T) to line",
    "if bottom(T) != none: move bottom(T) to line",
    "let drawn = draw 1 from pack to T|if drawn != none: move drawn to line",
    "draw 1 from pack to bottom of T",
    "draw 1 from T to line",
    "draw 1 from T to twin else nothing",
    "move all from T to bottom of pack",
    "move {c for c in line where c.value = 2} to bottom of T",
    "for c in T where c.value != 1: move c to spare_cards",
    "for s in spaces(T) where T[s] != none: move T[s] to line",
    "choose c in T|move c to top of twin",
    "choose c in line where top(T) != none|swap c with top(T)",
)
TOKENS = (
    "move 1 of ruby from hoard to T",
    "move 2 of jade from hoard to T",
    "move 0 of jade from hoard to T",
    "move all from hoard to T",
    "move all from T to hoard",
    "choose k in Gem where hoard[k] > 0|move 1 of k from hoard to T",
    "choose k in Gem where T[k] > 0|move 1 of k from T to hoard",
    "choose n[k in Gem] in 0..hoard[k] where sum(n[j] for j in Gem) = 2|for k in Gem: move n[k] of k from hoard to T",
    "pick 2 from hoard to T",
    "pick 0..2 from hoard to T",
    "pick 0..all from T to hoard",
    "draw 2 at random from hoard to T else change left_it by 1",
    "draw 1 at random from T to hoard else nothing",
    "choose s in spaces(T) where T[s] = none|move 1 of ruby from hoard to T at s",
    "choose s in spaces(T)|move 1 of jade from hoard to T at s",
    "choose s in spaces(T) where T[s] != none|move s to hoard",
    "choose a in spaces(T), b in spaces(T) where T[a] != none and T[b] = none|move a to b",
    "choose s in spaces(T) where T[s] = none|draw 1 at random from hoard to T at s",
    "move all of ruby from hoard to T",
    "move all of jade from T to hoard",
    "swap T with hoard",
    "swap T with spare_gems",
    "swap T with twin",
    "move all from T to twin",
    "show T to player(2)",
    "reveal T to all secretly",
    "move 1 of ruby from hoard to T at space_at(T, 1, 1)",
    "for s in spaces(T) where T[s] != none: move s to hoard",
    "for k in Gem: move T[k] of k from T to spare_gems",
    "pick 1..2 from T to twin",
)


@frozen
class Cell:
    """One cell of the matrix: where things are moved to, and what surrounds that."""

    structure: str
    limit: str
    sight: str
    trigger: str
    ending: str

    @property
    def statements(self) -> tuple[str, ...]:
        return TOKENS if self.structure.endswith("tokens") else CARDS

    @property
    def target(self) -> str:
        return {"owner": "my.there", "cells": "there[2]"}.get(self.sight, "there")

    def text(self, statements: list[str]) -> str:
        of = STRUCTURES[self.structure]
        spare = "spare_gems" if of.endswith("Gem") else "spare_cards"
        limit = self.limit.replace("SPARE", spare)
        place = {
            "owner": f"each player has: place there: {of}{limit}, seen by owner\n",
            "cells": f"place there[1..2]: {of}{limit}, seen by nobody\n",
        }.get(self.sight, f"place there: {of}{limit}{self.sight}\n")
        what = "player.there" if self.sight == "owner" else "there"
        mine = {"owner": "player(1).there", "cells": "there[2]"}.get(self.sight, "there")
        trigger = (
            TRIGGERS[self.trigger].replace("WHAT", what).replace("SPARE", spare).replace("T ", f"{mine} ")
        )
        full = "count(T) >= 2"
        if of.endswith("Gem") and ("grid" in of or "ring" in of):
            full = "count(s for s in spaces(T) where T[s] != none) >= 2"
        ending = ENDINGS[self.ending].replace("FULL", _with(full, mine))
        cases = "".join(self._case(n, statement) for n, statement in enumerate(statements))
        return (
            f'{HEAD}{place}place twin: {of}\n{trigger}{ending}rule act():\n    offer:\n{cases}        "pass": nothing\n'
            "phase Play:\n    turns Round p where turn_number < 14: act()\n    finish {}\n"
        )

    def _case(self, number: int, statement: str) -> str:
        lines = [f"            {_with(line, self.target)}\n" for line in statement.split("|")]
        return f'        "way {number}":\n' + "".join(lines)

    def game(self, folder: Path) -> tuple[Any, list[str]]:
        """The game, with the statements that the checker takes."""
        path = folder / "matrix.dragon"
        left = list(self.statements)
        while True:
            text = self.text(left)
            path.write_text(text, encoding="utf-8")
            try:
                return dr.load(path), left
            except dr.SpecError as refused:
                wrong = {_case_at(text, d.span.start) for d in refused.diagnostics if d.span is not None}
                if None in wrong or not wrong:
                    raise
                left = [st for n, st in enumerate(left) if n not in wrong]


def _with(line: str, target: str) -> str:
    """The statement with the place in question for its `T`."""
    for before, after in (
        ("T[", f"{target}["),
        ("(T)", f"({target})"),
        (" T", f" {target}"),
        ("(T,", f"({target},"),
    ):
        line = line.replace(before, after)
    return line


def _case_at(text: str, start: int) -> int | None:
    before = text[:start].rpartition('"way ')[2]
    number = before.partition('"')[0]
    return int(number) if number.isdigit() and "phase Play" not in before else None


LIMITED = ("bag", "row", "stack", "bag of tokens")


def cells() -> Iterator[Cell]:
    """The whole matrix. Limits are for places without room of their own."""
    for parts in product(STRUCTURES, LIMITS, SIGHTS, TRIGGERS, ENDINGS):
        if not parts[1] or parts[0] in LIMITED:
            yield Cell(*parts)
