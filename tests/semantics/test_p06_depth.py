"""P6. A rule may be entered again below itself; what never ends is an error that names the chain."""

from __future__ import annotations

import dragonrules as dr
import pytest

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
