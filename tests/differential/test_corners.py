"""Corners of the language, each in a few lines, played by both interpreters."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .lockstep import play_both

CORNERS = {
    "a draw whose trigger empties the source, and then its else": """
component Card count 4
place deck: deck of Card
place line: row of Card
place away: bag of Card
state short: yes/no = no
trigger gone after entering line: move all from deck to away
setup: move all from box(Card) to deck
phase Play:
    draw 3 from deck to line else set short = yes
    as player(1): choose n in 0..(1 if short else 3)
    finish {player(1)}
""",
    "triggers of turns run in the order of declaration": """
state d: 0..999999 = 0
trigger a after Round(p): set d = d * 10 + 1
trigger b after turn(p): set d = d * 10 + 2
trigger c after turn(p), Round(p): set d = d * 10 + 3
phase Play:
    turns Round p:
        choose n in 1..d + 1
        if turn_number = 2: stop Round
""",
    "arguments of an action are worked out before its triggers run": """
state d: 0..9 = 1
action go(n: 0..9) in deed:
    choose m in 0..n
trigger a before deed(n): set d = d + 1
trigger b after deed(n):
    as player(1): choose k in 0..n
phase Play:
    as player(1): offer deed(d)
""",
    "records are cleared behind their rounds": """
record Plan at most 3:
    n: 0..3
state seen: yes/no = no
ending gone when count(Plan) = 0 and seen: finish {player(2)}
phase Play:
    rounds Talk p in clockwise(player(1)):
        choose n in 1..2
        note Plan(n: n)
        set seen = yes
        stop Talk
    as player(1): choose last in 1..2
""",
    "the bottom of a deck that is known": """
component Card count 3
place deck: deck of Card
setup: for c in Card: move c to top of deck
phase Play:
    as player(1): choose c in Card where c = bottom(deck) else finish {player(1)}
""",
    "cards at a depth that have come to an end": """
component Card count 3
place deck: deck of Card
setup:
    move all from box(Card) to deck
phase Play:
    draw 2 from deck to deck at 3
    as player(1): choose c in Card where c = bottom(deck) or c = top(deck) else finish {player(1)}
""",
    "what has the same key stays in its order": """
component Card:
    v: 1..2
rows Card:
    | v | count |
    | 1 | 2 |
    | 2 | 2 |
place line: row of Card
setup: for c in Card: move c to bottom of line
define sorted = sort(c by c.v for c in line)
phase Play:
    as player(1):
        choose c in sorted
        choose d in line where d = sorted[1] or d = first(e by e.v for e in line)
""",
    "near on a grid that grows": """
component Tile count 3
place lair: grid of Tile
setup: for t in Tile where count(lair) < 1: move t to lair at space_at(lair, 0, 0)
phase Play:
    as player(1): choose s in near(space_at(lair, 0, 0), 1)
""",
    "the frontier of a bounded grid with something lifted": """
component Tile count 2
place board: grid 3 by 3 of Tile
setup: for t in Tile: move t to board at space_at(board, count(board) + 1, 1)
phase Play:
    as player(1):
        choose t in board
        choose s in frontier(board, t)
""",
    "a vector over a set with a gap": """
token Gem: ruby 4, jade 4
phase Play:
    as player(1):
        choose n[k in Gem] in {1, 3} where n[ruby] != n[jade] + 1
""",
    "all that is dealt to one heap": """
token Gem: ruby 2, jade 3
place heap: bag of Gem
setup: move all from box(Gem) to heap
phase Play:
    as player(1):
        choose n[s in 1..1, k in Gem] in 0..heap[k] where sum(n[t, k] for t in 1..1) = heap[k]
""",
    "heaps without names": """
token Gem: ruby 3, jade 2
place heap: bag of Gem
setup: move all from box(Gem) to heap
phase Play:
    as player(1):
        choose n[s in 1..3, k in Gem] in 0..heap[k]:
            where sum(n[t, k] for t in 1..3) = heap[k]
            where sum(n[s, c] for c in Gem) >= 1
            alike s
""",
    "some heaps without names": """
token Gem: ruby 3, jade 2
state open: set of 1..4 = {2, 4}
phase Play:
    as player(1):
        choose n[s in open, k in Gem] in 0..2:
            where sum(n[t, k] for t in open) = 2
            alike s
""",
    "a result goes past triggers": """
state d: 0..99999 = 0
rule f(n: 1..3) -> 1..3:
    set d = d * 10 + n
    return n
trigger a before f(n): set d = d * 10 + 8
trigger b after f(n): set d = d * 10 + 9
phase Play:
    let x = f(2)
    as player(1): choose k in 0..d where k = d or k = x
""",
    "deciding behind a seal": """
token Gem: ruby 12
each player has:
    place purse: bag of Gem, seen by owner
    place bid: bag of Gem, seen by owner
    state said: 0..3 = 0
setup: for p in players: move 3 of ruby from box(Gem) to p.purse
phase Play:
    turns Round q:
        together p in players:
            pick 0..2 from my.purse to my.bid
            choose n in 1..3
            set my.said = n
            if n = 2: skip
            move all from my.bid to my.purse
        if turn_number = 2: stop Round
""",
    "a clock inside a clock": """
state d: 0..99 = 0
each player has: state backs: 0..3 = 0 until Talk ends
rule ask():
    rounds Inner p in players, clock 10 tick 5:
        choose n in 1..3
        if n = 3: expire Inner
    else: set d = d + 1
phase Play:
    rounds Talk p in clockwise(player(2)), clock 20 tick 5:
        set my.backs = 2
        ask()
        choose m in 1..2
        if m = 2: stop Talk
    else: set d = d + 10
    as player(1): choose k in 0..d where k >= d - player(2).backs
""",
    "a card for one of a deck": """
component Card count 4
place deck: deck of Card
place line: row of Card
setup:
    move all from box(Card) to deck
    draw 1 from deck to line
phase Play:
    as player(1):
        choose a in line
        choose b in deck
        swap a with b
        choose c in line
""",
    "what lasts until the outermost action ends": """
state d: 0..9 = 0 until action ends
action one in deed:
    change d by 1
    may deed
action two in deed:
    change d by 2
    choose n in 0..d
phase Play:
    turns Round p:
        offer deed
        choose k in 0..d
        if turn_number = 3: stop Round
""",
    "what is there, and what is no longer certain": """
component Card:
    v: 1..4
rows Card:
    | v |
    | 1..4 |
place pile: stack of Card
place line: row of Card
state best: Card or none = none
rule worst() -> Card or none: return first(c by c.v for c in line)
rule shift():
    let c = top(pile) else return
    move c to line
    set best = c
setup: move all from box(Card) to pile
phase Play:
    turns Round p:
        choose n in 1..2
        shift()
        if let w = worst(): choose k in 0..w.v
        else: choose k in 0..9
        if best != none:
            if n = 2: shift()
            choose k in 0..best.v
        if pile = {}: stop Round
        choose last in 0..top(pile).v
""",
    "numbers below zero": """
state low: -5..5 = -1
state s: set of -5..5 = {-1, 2}
state m: -1..5 = -1
phase Play:
    as player(1):
        choose n in s
        choose k in -3..low where k != m
        if low in s and -1 in {low, 3}: change low by -1
        choose j in {low, m}
""",
}


@pytest.mark.parametrize("corner", CORNERS)
def test_both_agree_in(corner: str, tmp_path: Path) -> None:
    path = tmp_path / "corner.dragon"
    path.write_text(f'game "Corner" for 2 to 4 players\n{CORNERS[corner]}', encoding="utf-8")
    game = dr.load(path)
    for players in (2, 3, 4):
        for seed in range(2):
            both = play_both(game, players, seed, limit=40)
            assert not both.failed, both.problem
