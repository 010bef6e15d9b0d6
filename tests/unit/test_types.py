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


def type_of(expression: str, folder: Path) -> str:
    spec = folder / "typed.dragon"
    text = (SPECS / "typed.dragon").read_text(encoding="utf-8")
    spec.write_text(f"{text}\ndefine it = {expression}\n", encoding="utf-8")
    try:
        return str(dr.load(spec).checked.defines["it"].type)
    except dr.SpecError as error:
        return "; ".join(f"{d.code} {d.message}" for d in error.diagnostics)


def test_types_of_expressions(tmp_path: Path) -> None:
    expressions = EXPRESSIONS.strip().splitlines()
    width = max(map(len, expressions))
    compare("".join(f"{e:{width}} : {type_of(e, tmp_path)}\n" for e in expressions), "types.txt")
