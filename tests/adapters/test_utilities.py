"""What an end is worth, what kind of game it is, and copies of matches."""

from __future__ import annotations

import copy
import pickle

import dragonrules as dr
import pytest

SOLO = """
game "Alone" for 1 player:
    "Take the bean."

token Bean: bean 1
place pot: bag of Bean, seen by all

setup:
    move 1 of bean from box(Bean) to pot

phase Play:
    offer:
        "take": finish {me}
        "leave": finish {}
"""


def test_winning_and_sharing() -> None:
    game = dr.load("tic_tac_toe")
    match = game.start()
    assert match.utilities() == (0.0, 0.0)
    for space in ("a1", "b1", "a2", "b2", "a3"):
        match.choose(space)
    assert match.utilities() == (1.0, -1.0)


def test_alone_one_wins_or_loses() -> None:
    text = SOLO.replace("    offer:", "    as player(1):\n        offer:").replace(
        '        "take": finish {me}\n        "leave": finish {}',
        '            "take": finish {me}\n            "leave": finish {}',
    )
    game = dr.loads(text)
    for choice, worth in (("take", 1.0), ("leave", -1.0)):
        match = game.start()
        match.choose(choice)
        assert match.utilities() == (worth,)
    assert game.traits().together


def test_rivals_together_lose_what_winners_gain() -> None:
    game = dr.load("dragon_keeper")
    for seed in range(5):
        match = game.start(3, seed=seed)
        while match.decision is not None:
            match.choose(seed % len(match.decision.options))
        assert sum(match.utilities()) == pytest.approx(0)
        assert sum(match.utilities("score")) == pytest.approx(0)
    with pytest.raises(dr.UsageError, match='not by "luck"'):
        match.utilities("luck")


def test_kinds_of_game() -> None:
    kinds = {name: dr.load(name).traits() for name in ("tic_tac_toe", "kuhn_poker", "goofspiel", "othello")}
    assert [k.hidden for k in kinds.values()] == [False, True, True, False]
    assert [k.chance for k in kinds.values()] == [False, True, True, False]
    assert [k.sealed for k in kinds.values()] == [False, False, True, False]
    assert dr.load("drakon", variants=["teams"]).traits(4).teams


def test_matches_are_copied_by_forking_and_pickled_as_saves() -> None:
    match = dr.load("drakon").start(3, seed=5)
    for _ in range(8):
        match.choose(0)
    for twin in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert twin == match
        twin.choose(0)
        assert twin != match
    assert copy.deepcopy(match).game is match.game
