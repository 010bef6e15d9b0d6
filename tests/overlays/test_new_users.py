"""House rules as a new user writes them, in a folder of one's own: more players, fewer, another deal."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

SIX = """\
variant "Six" of ryu for 2 to 6 players:
    "A sixth people: the Turtles."
    add kinds Race: turtles
    add rows Island:
        | land          | race    | count |
        | player_island | turtles |     1 |
    add rows cubes_in_play:
        | players | white | blue | orange | violet | yellow |
        |       6 |     1 |    8 |      8 |      8 |     24 |
    add rows starting_tokens:
        | players | seat | starting_tokens |
        |       6 | 1..3 |               0 |
        |       6 | 4..6 |               1 |
        |    2..5 |    6 |               0 |
"""
SOLO = """\
variant "Lone Voyage" of ryu for 1 player:
    "Alone against the clock: complete your Dragon within sixty turns."
    set turn_limit = 60
    add rows cubes_in_play:
        | players | white | blue | orange | violet | yellow |
        |       1 |     1 |    5 |      5 |      5 |     15 |
    add rows starting_tokens:
        | players | seat | starting_tokens |
        |       1 | any  |               0 |
"""
DRAFT = """\
variant "Draft" of drakon:
    "Instead of the deal, everybody chooses chambers from an open display, one at a time."
    place display: bag of Chamber
    replace step setup.first_chambers:
        draw first_hand * player_count from pile to display
        for n in 1..first_hand, p in players as p:
            choose "take a chamber" c in display
            move c to my.hand
"""


@pytest.mark.parametrize(("text", "players"), [(SIX, 6), (SIX, 3), (SOLO, 1), (DRAFT, 2)])
def test_it_can_be_written_and_played(text: str, players: int, tmp_path: Path) -> None:
    path = tmp_path / "house_rule.dragon"
    path.write_text(text, encoding="utf-8")
    match = dr.load(path).start(players, seed=3, check=True)
    for _ in range(20):
        assert match.decision is not None
        match.choose(len(match.decision.options) // 2)


def test_two_new_chambers_go_together() -> None:
    game = dr.load("drakon", variants=["blackmail", "treasure_map", "thrift"])
    assert {"blackmail", "treasure_map"} <= set(game.checked.kinds["Effect"].values)
    assert game.fingerprint != dr.load("drakon", variants=["blackmail", "treasure_map"]).fingerprint
