"""The types that the checker gives to expressions."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr

from .golden import SPECS, compare

EXPRESSIONS = """
goal
goal + 1
-goal
goal * 2 - 3
goal / 2
goal / -2
goal mod 4
1..goal
7 - (1..goal)
yes and not no
goal > 3 or goal = 4
player_count
players
starter
starter.seat
starter.friend
starter.friend.seat
left(starter)
others(starter)
clockwise(starter)
active
turn_number
starter.purse
starter.purse[gold]
starter.hand
count(starter.hand)
starter.hand = {}
others(starter).hand
top(tower)
top(tower).worth
open.colour
open != none
level[red]
level
toll(3)
worth_of(none)
red
{red, green}
{red, N}
Card
Colour
{c for c in Card where c.worth > 2}
sum(c.worth for c in starter.hand)
sum(2 * c.worth - 3 for c in Card)
max(c.worth for c in Card)
count(p for p in players where p.seat > 1)
any(p = starter for p in players)
most(p by p.gold_so_far for p in players)
sort(p by p.seat for p in players)
first(c for c in Card where c.worth = 6)
first(players)
the(c for c in Card where c.worth = 6)
spaces(board)
spaces(lair)
corner
corner.x
corner + N
corner + N + E
board[corner]
board[corner + N]
lair[space_at(lair, 0, 0)]
lair[corner]
frontier(lair)
frontier(board)
beside(lair, space_at(lair, 0, 0))
line(corner, N)
distance(corner, corner)
near(corner, 1)
rotations
directions
opposite(N)
rotate({N, E}, first(rotations))
starter.pawn
starter.pawn.on
3 if yes else 9
starter if yes else none
red if yes else 3
none
{}
total(Gem)
total(Gem, gold)
Plan
count(Plan)
the(Plan).maker
the(Plan).gets[gold]
starter = red
starter < 3
nonsense
"""


def types_of(expressions: list[str], folder: Path) -> dict[str, str]:
    """The type of each, or what is wrong with it. What is wrong is left out when the others are asked."""
    spec = folder / "typed.dragon"
    text = (SPECS / "typed.dragon").read_text(encoding="utf-8").rstrip("\n") + "\n"
    told: dict[str, str] = {}
    while True:
        open_ones = [e for e in expressions if e not in told]
        lines = "".join(f"define it_{n} = {e}\n" for n, e in enumerate(open_ones))
        spec.write_text(text + lines, encoding="utf-8")
        try:
            defines = dr.load(spec).checked.defines
        except dr.SpecError as error:
            for d in error.diagnostics:
                wrong = open_ones[d.span.line - text.count("\n") - 1]
                told[wrong] = "; ".join(filter(None, (told.get(wrong), f"{d.code} {d.message}")))
        else:
            return told | {e: str(defines[f"it_{n}"].type) for n, e in enumerate(open_ones)}


def test_types_of_expressions(tmp_path: Path) -> None:
    expressions = EXPRESSIONS.strip().splitlines()
    width = max(map(len, expressions))
    types = types_of(expressions, tmp_path)
    compare("".join(f"{e:{width}} : {types[e]}\n" for e in expressions), "types.txt")
