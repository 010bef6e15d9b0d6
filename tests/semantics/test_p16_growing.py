"""P16. The coordinates of a growing grid start where the spec puts the first tile; history leaves no trace."""

from __future__ import annotations

import itertools

from .table import keys, pick, place, start

LAIR = """
component Tile:
    arrows: set of direction
rows Tile:
    | arrows | count |
    | N E    | 1     |
    | S      | 1     |
    | W      | 1     |
    | E      | 1     |
place lair: grid of Tile
each player has: place hand: bag of Tile, seen by owner
setup:
    for t in Tile: move t to player(1).hand
    for t in Tile where count(t.arrows) = 2: move t to lair at space_at(lair, 0, 0)
phase Play:
    as player(1):
        repeat up to 3:
            choose t in my.hand, s in frontier(lair), r in rotations
            move t to lair at s turned r
        choose done in 1..2
"""


def test_the_order_of_placing_leaves_no_trace() -> None:
    moves = [("Tile#2", (0, 1), "r0"), ("Tile#3", (-1, 0), "r90"), ("Tile#4", (0, -1), "r180")]
    seen = []
    for order in itertools.permutations(moves):
        match = start(LAIR)
        for move in order:
            pick(match, *move)
        seen.append(match)
    assert all(match == seen[0] and hash(match) == hash(seen[0]) for match in seen)
    assert place(seen[0], "lair")["contents"] == (
        ("Tile#1", (0, 0), 0),
        ("Tile#2", (0, 1), 0),
        ("Tile#3", (-1, 0), 1),
        ("Tile#4", (0, -1), 2),
    )


def test_the_frontier_is_every_empty_space_beside_something() -> None:
    match = start(LAIR)
    pick(match, "Tile#2")
    assert keys(match) == [(-1, 0), (0, -1), (0, 1), (1, 0)]
    pick(match, (1, 0), "r0", "Tile#3")
    assert sorted(keys(match)) == sorted([(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)])


def test_a_save_knows_the_grid_again() -> None:
    match = start(LAIR)
    pick(match, "Tile#2", (1, 0), "r90", "Tile#3")
    twin = type(match).from_json(match.game, match.to_json())
    assert twin == match
    assert keys(twin) == keys(match)
    assert twin.view(1) == match.view(1)


def test_geometry_of_what_lies_there() -> None:
    match = start("""
component Tile count 5
place lair: grid of Tile
setup:
    for t in Tile where count(lair) = 0: move t to lair at space_at(lair, 0, 0)
    for t in box(Tile) where count(lair) = 1: move t to lair at space_at(lair, 0, 1)
    for t in box(Tile) where count(lair) = 2: move t to lair at space_at(lair, 1, 1)
phase Play: as player(1): choose n in 1..2
define at_zero = the(t for t in lair where t.space = space_at(lair, 0, 0))
always one_up: beside(lair, space_at(lair, 0, 0)) = {N} and beyond(at_zero, N) = lair[space_at(lair, 0, 1)]
always none_left: beyond(at_zero, W) = none and lair[space_at(lair, 0, 0) + W] = none
always far: distance(space_at(lair, 0, 0), space_at(lair, 1, 1)) = 2
always lifted: space_at(lair, 0, 0) not in frontier(lair) and space_at(lair, 0, 0) in frontier(lair, at_zero)
always xy: the(t.space.x + t.space.y for t in lair where t.space != none and t.space.x = 1) = 2
""")
    assert place(match, "lair")["contents"][2][1] == (1, 1)
