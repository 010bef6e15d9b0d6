"""Copies that have been out of sight cannot be told apart again, by whatever a seat is given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import dragonrules as dr

from .table import game, start

TWINS = """
game "Twins" for 2 players
kinds Rank: guard, king
component Card:
    rank: Rank
rows Card:
    | rank  | count |
    | guard |     3 |
    | king  |     1 |
place deck: deck of Card, seen by nobody
place pile: row of Card
each player has: place hand: bag of Card, seen by owner
setup:
    move all from box(Card) to deck
    for p in clockwise(player(2)): draw 1 from deck to p.hand
phase Play:
    show player(1).hand to player(2): nothing
    move all from player(2).hand to deck
    shuffle deck
    draw 1 from deck to player(1).hand
    as player(1):
        choose c in my.hand
        move c to pile
    as player(2): choose n in 1..2
    finish {player(1)}
"""
RANKS = ("guard", "guard", "guard", "king")


def all_ways(match: dr.Match) -> Iterator[dr.Match]:
    """Every way in which chance and choices can go, copy by copy, up to the last question."""
    decision = match.decision
    if decision is not None and decision.player == 2:
        yield match
        return
    for value in match.state.options:
        twin = match.fork()
        if decision is None:
            twin.bring(value)
        else:
            twin.choose(twin.offered.index(value))
        yield from all_ways(twin)


def test_who_has_seen_a_copy_cannot_tell_it_from_its_like() -> None:
    """What player 2 can tell apart is exactly what somebody who reads only ranks could."""
    ranks_of: dict[Any, Any] = {}
    found = set()
    for match in all_ways(start(TWINS, chance="ask", diary=False)):
        drawn = [int(str(entry[1]).split("#")[1]) - 1 for entry in match.log if entry[0] == "chance"]
        played = int(str(match.log[-1][2][1]).split("#")[1]) - 1
        ranks = tuple(RANKS[c] for c in (*drawn[:2], played))
        told = match.observations(2), repr(match.view(2))
        assert ranks_of.setdefault(told, ranks) == ranks, "a rank that was seen is not told"
        found.add(ranks)
    assert len(ranks_of) == len(found), "the same ranks look different"
    by_hand = {
        (RANKS[mine], RANKS[shown], RANKS[card])
        for mine, shown, new in permutations(range(4), 3)
        for card in (shown, new)
    } | {(RANKS[mine], RANKS[shown], RANKS[mine]) for mine, shown in permutations(range(4), 2)}
    assert found == by_hand


def test_while_a_copy_is_in_sight_its_name_stays() -> None:
    text = TWINS.replace(
        "    as player(2): choose n in 1..2",
        "    as player(2): choose n in 1..2\n    move all from pile to player(2).hand\n    as player(2): choose n in 1..2",
    )
    match = start(text, diary=False)
    match.choose(0)
    assert match.decision is not None
    on_pile = match.view(2)["places"]["pile"]["contents"][-1]
    match.choose(0)
    assert match.observations(2)[-1] == ("move", on_pile, "pile", "player 2: hand")
    assert match.view(2)["places"]["player 2: hand"]["contents"] == (on_pile,)


def test_a_copy_that_was_out_of_sight_has_a_new_name() -> None:
    match = start(
        TWINS.replace("guard |     3", "guard |     9"),
        diary=False,
    )
    shown = next(event for event in match.observations(2) if event[0] == "shown" and len(event) > 2)
    match.choose(0)
    pile = match.view(2)["places"]["pile"]["contents"]
    assert set(shown[2]).isdisjoint(pile), "it is a guard from the hand, and nobody can say which"
    assert match.view(2)["places"]["pile"] != {} and match.view(1)["places"]["pile"] != {}


def test_names_are_the_same_after_a_save_and_for_the_same_seed() -> None:
    for seed in range(6):
        match = start(TWINS, diary=False, seed=seed)
        again = dr.Match.from_json(match.game, match.to_json())
        replayed = match.game.start(2, seed=seed, chance="ask")
        replayed.replay(match.log)
        for twin in (again, replayed):
            assert twin.decision == match.decision
            for viewer in (1, 2, None):
                assert twin.view(viewer) == match.view(viewer)
                assert twin.observations(viewer) == match.observations(viewer)


def test_a_seat_chooses_by_its_own_names_and_the_log_keeps_the_true_ones() -> None:
    for seed in range(12):
        match = start(TWINS, diary=False, seed=seed)
        true = {f"Card#{c + 1}" for c in match.state.options}
        assert match.decision is not None
        key = match.view(1)["decision"]["options"][0]
        assert key in [option.key for option in match.decision.options]
        match.choose(key)
        assert match.log[-1][2][1] in true
        assert match.observations(1)[-1][1] == key[1], "the card that was chosen is the one that moves"


BAG = """
component Coin count 4
place hoard: bag of Coin, seen by nobody
place table_: row of Coin
each player has: place purse: bag of Coin, seen by owner, size seen by all
setup:
    move all from box(Coin) to hoard
    for p in players: draw 2 at random from hoard to p.purse
phase Play:
    turns Round p:
        choose c in my.purse
        move c to table_
        if turn_number = 4: finish players
"""


def test_of_alike_copies_in_a_bag_the_lowest_name_is_offered() -> None:
    for seed in range(8):
        match = start(BAG, seed=seed)
        while not match.over:
            assert match.decision is not None
            seat = match.decision.player
            purse = match.view(seat)["places"][f"player {seat}: purse"]["contents"]
            assert list(purse) == sorted(purse)
            assert [option.key[1] for option in match.decision.options] == [purse[0]]
            match.choose(0)
            names = match.view(seat)["places"]["table_"]["contents"]
            assert names[-1] == purse[0]
            assert len(set(names)) == len(names)


MARKED = """
component Coin count 6
place heap: bag of Coin
place line: row of Coin
place crate: deck of Coin, seen by nobody
state dusty[Coin]: yes/no = no
state worked: 0..40 = 0
setup:
    move all from box(Coin) to heap
phase Play:
    repeat Round up to 40:
        as player(1):
            offer work
        change worked by 1
        if count(line) > 0: stop Round
    finish players
action dirty in work:
    choose c in heap where not dusty[c]
    set dusty[c] = yes
action clean in work:
    choose c in heap where dusty[c]
    set dusty[c] = no
action hide in work:
    choose c in heap
    move c to crate
action back in work:
    require crate != {}
    draw all from crate to heap
action spread in work:
    require worked > 20
    move all from heap to line
"""


def test_of_copies_that_a_mark_tells_from_others_the_lowest_go_first_too() -> None:
    """A rule that moves a heap goes by true numbers. Nobody learns from the order which of the clean ones, or of
    the dusty ones, has the lower number, whatever has happened before."""
    parted, rules = 0, game(MARKED)
    for seed in range(40):
        match, dice = rules.start(2, seed=seed), Random(seed)
        while not match.over:
            match.choose(dice.randrange(len(match.decision.options)))
        seen = match.view(2)["places"]["line"]["contents"]
        dusty = [name for name in seen if match.view(2)["states"][f"dusty[{name}]"]]
        clean = [name for name in seen if name not in dusty]
        parted += bool(dusty) and len(clean) > 1
        for alike in (dusty, clean):
            assert alike == sorted(alike), (seed, seen)
    assert parted > 5


SPREAD = """
component Coin count 5
place heap: deck of Coin, seen by nobody
place line: row of Coin
each Coin has: state bright: yes/no = yes
setup: move all from box(Coin) to heap
phase Play:
    as player(1): choose n in 1..2
    draw all from heap to line
    for c in Coin: set c.bright = no
    as player(1): choose n in 1..2
    finish players
"""


def test_what_is_said_of_several_copies_is_said_in_the_order_of_their_names() -> None:
    """A rule goes through them by their true numbers, which is no business of those who look on."""
    rules = game(SPREAD)
    for seed in range(10):
        match = rules.start(2, seed=seed)
        match.choose(0)
        for viewer in (1, 2, None):
            said = [event[1] for event in match.observations(viewer) if event[0] == "set"]
            assert len(said) == 5 and said == sorted(said)
