"""A match that nobody decides anything in any more is broken off, and told where it goes round."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar import Report
from dragonrules.interpreter.core import depth
from dragonrules.interpreter.play import state
from dragonrules.interpreter.review import review

from tests.semantics.table import game, start

LIMITS = Path(__file__).parents[2] / "docs" / "limits.md"


def test_what_goes_on_without_end_is_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = """
token Coin: coin 4
each player has: place own: bag of Coin
place floor: bag of Coin
setup: move all from box(Coin) to floor
phase Play:
    as player(1): choose k in 1..2
    for i in 1..2:
        turns Round p:
            pick 0..all from my.own to floor
"""
    monkeypatch.setattr(state, "ENDLESS", range(10_000))
    match = start(rules)
    with pytest.raises(dr.PlayError) as caught:
        match.choose(0)
    assert caught.value.diagnostic.code == "D0914"
    assert caught.value.diagnostic.span.text == "turns"


def test_what_only_fills_up_comes_to_an_end() -> None:
    """Stones only ever go from the box to the board: nothing is told of turns without a bound."""
    rules = """
token Stone: black 9
place board: grid 3 by 3 of Stone
record Position at most 40:
    black: set of space
setup:
    note Position(black: {s for s in spaces(board) where board[s] = black})
phase Play:
    turns Round p:
        choose s in spaces(board) where board[s] = none else stop Round
        move 1 of black from box(Stone) to board at s
        note Position(black: {t for t in spaces(board) where board[t] = black})
    finish {player(1)}
"""
    assert "D0507" not in told(rules)
    assert "D0507" in told(
        rules.replace("    finish", "        move all from board to box(Stone)\n    finish")
    )


def told(rules: str) -> set[str]:
    report = Report()
    review(game(rules, diary=False).checked, report)
    return {diagnostic.code for diagnostic in report}


@pytest.mark.parametrize(
    ("what", "most"),
    [
        ("steps from one decision to the next", depth.LONG_RUN),
        ("values on the control stack", depth.LONGEST_STACK),
    ],
)
def test_the_page_of_limits_says_what_they_are(what: str, most: int) -> None:
    lines = [line for line in LIMITS.read_text(encoding="utf-8").splitlines() if what in line]
    assert len(lines) == 1 and f"{most:,}" in lines[0], lines


def test_machine_code_goes_on_no_longer_than_python() -> None:
    from dragonrules.interpreter.native import assembly, blocks, keyed

    assert {module.LONG_RUN for module in (assembly, blocks, keyed)} == {len(state.ENDLESS)}
