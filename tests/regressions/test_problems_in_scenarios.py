"""What goes wrong while a scenario is worked out is told in the words of the spec, also with an engine
out of the cache."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
from dragonrules.interpreter.play.scenarios import run_scenarios

SPEC = """game "Test" for 2 players
component Card count 3
each player has:
    place hand: bag of Card
    state points: 0..5 = 0
phase Play:
    turns p:
        choose c in box(Card) else stop Play
        move c to my.hand
scenario "one of none":
    then:
        check the(c for c in player(1).hand) in player(1).hand
scenario "too many points":
    given:
        change player(1).points by 7
    then:
        check player(1).points = 7
scenario "over by hand":
    given:
        finish {player(1)}
    then:
        over for player(1)
"""


def test_problems(tmp_path: Path) -> None:
    path = tmp_path / "test.dragon"
    path.write_text(SPEC, encoding="utf-8")
    for _ in range(2):
        first, second, third = run_scenarios(dr.load(path))
        assert first.problem == (
            "`the(c for c in player(1).hand) in player(1).hand` cannot be worked out here: "
            "exactly one was expected here, but there are 0 (D0909)"
        )
        assert second.problem == "this is 7, outside 0..5 (D0902)"
        assert second.span is not None
        assert second.span.line == 15
        assert third.ok
