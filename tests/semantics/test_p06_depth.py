"""P6. A rule may be entered again below itself; what never ends is an error that names the chain."""

from __future__ import annotations

import sys
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.depth import DEEPEST
from dragonrules.interpreter.reference import ReferenceMatch

from .table import diary, pick, start

MIND_CONTROL = """
state used[player]: yes/no = no
phase Play:
    as player(1): act(1)
    note_down(9)
rule act(depth: 1..9):
    let local = depth
    set used[me] = yes
    choose q in players where not used[q] else return
    as q: act(depth + 1)
    note_down(local)
    note_down(me.seat)
"""


def test_frames_keep_their_own_locals() -> None:
    match = start(MIND_CONTROL, players=4)
    pick(match, 3, 2, 4)
    assert diary(match) == 3223119


@pytest.mark.parametrize("ask", ["nothing", 'offer:\n        "on": nothing'])
def test_a_circle_of_rules_is_an_error_that_names_it(ask: str) -> None:
    rules = f"""
phase Play: as player(1): ping()
rule ping():
    {ask}
    pong()
rule pong(): nothing
trigger back after pong(): ping()
"""

    def play_on() -> None:
        match = start(rules)
        while True:
            match.choose(0)

    with pytest.raises(dr.PlayError) as caught:
        play_on()
    assert caught.value.diagnostic.code == "D0903"
    assert "back" in caught.value.diagnostic.message
    assert "ping" in caught.value.diagnostic.message


FLOOD = """
game "Flood" for 1 player
token Stone: black 1600
place board: grid 40 by 40 of Stone
state seen[space of board]: yes/no = no
state steps: 0..1600 = 0
rule flood(s: space of board):
    if seen[s] or board[s] = none: return
    set seen[s] = yes
    change steps by 1
    ASK
    for d in directions where s + d != none: flood(s + d)
setup:
    for s in spaces(board): move 1 of black from box(Stone) to board at s
phase Play:
    as player(1):
        choose s in spaces(board)
        flood(s)
        choose n in {1, 2}
"""


@pytest.mark.parametrize("ask", ["nothing", 'offer:\n        "on": nothing'])
def test_a_flood_over_a_large_board(ask: str, tmp_path: Path) -> None:
    path = tmp_path / "flood.dragon"
    path.write_text(FLOOD.replace("ASK", ask), encoding="utf-8")
    limit = sys.getrecursionlimit()
    match = dr.load(path).start(seed=1)
    while match.decision is not None and match.decision.name != "n":
        match.choose(0)
    engine = match.state.engine
    assert match.state.I[engine.layout.states["steps"][0]] == 1600
    assert sys.getrecursionlimit() == limit


def test_the_reference_floods_as_far(tmp_path: Path) -> None:
    path = tmp_path / "flood.dragon"
    path.write_text(FLOOD.replace("ASK", "nothing"), encoding="utf-8")
    match = ReferenceMatch(dr.load(path).checked, 1, {})
    match.choose(match.decision.keys[0])
    assert match.play.table.states["steps"] == {(): 1600}


@pytest.mark.parametrize(("times", "ends_well"), [(10_000, True), (DEEPEST + 2_000, False)])
def test_how_deep_rules_may_call_each_other(times: int, ends_well: bool) -> None:
    rules = f"""
state left: 0..{times} = {times}
phase Play:
    count_down()
    note_down(7)
rule count_down():
    if left > 0:
        change left by -1
        count_down()
"""
    if ends_well:
        assert diary(start(rules)) == 7
        return
    with pytest.raises(dr.PlayError) as caught:
        start(rules)
    assert caught.value.diagnostic.code == "D0903"
