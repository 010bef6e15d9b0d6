"""A header is one form: an option of a `choose` in it is offered exactly if the lines behind can be completed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest

from ..differential.lockstep import play_both

SPEC = """\
game "Header" for 2 players
kinds Colour: red, green, blue
state out_: 0..99 = 0
action values in deed:
    choose a in 1..4
    let b = a * 2
    require b > 3 because "too small"
    choose c in 1..5 where c > b
    set out_ = a * 10 + c
action cells in deed:
    choose n[k in Colour] in 0..2
    let total_ = sum(n[j] for j in Colour)
    require total_ = 2 because "exactly two"
    choose d in 1..3 where d = n[red] + 1 and d > 1 because "not without red"
    set out_ = d
action never in deed:
    choose a in 1..3
    require a > 3 because "three at most"
    set out_ = a
action one_each in deed:
    choose x in 1..6:
        distinct by x mod 2
    require x > 2
    set out_ = x
phase Play:
    turns Round p where turn_number < 20:
        offer:
            "take": offer deed
            "by hand":
                choose e in 1..4
                require e != 2 because "not two"
                set out_ = e
            "by name": values()
    finish {}
"""


@pytest.fixture
def game(tmp_path: Path) -> Any:
    path = tmp_path / "header.dragon"
    path.write_text(SPEC, encoding="utf-8")
    return dr.load(path)


def asked(game: Any, *labels: str) -> dr.Match:
    match = game.start(seed=1)
    for label in labels:
        match.choose(next(o for o in match.decision.options if o.label == label))
    return match


def offered(match: dr.Match) -> list[str]:
    assert match.decision is not None
    return [option.label for option in match.decision.options]


def test_what_is_required_behind_a_choice_restricts_it(game: Any) -> None:
    assert offered(asked(game, "take", "values")) == ["2"]
    assert offered(asked(game, "take", "values", "2")) == ["5"]
    assert offered(asked(game, "by hand")) == ["1", "3", "4"]
    assert offered(asked(game, "by name")) == ["2"]


def test_an_action_without_a_way_through_its_header_is_not_offered(game: Any) -> None:
    assert offered(asked(game, "take")) == ["values", "cells", "one each"]


def test_cells_of_a_vector_leave_the_header_possible(game: Any) -> None:
    assert offered(asked(game, "take", "cells")) == ["1", "2"]
    assert offered(asked(game, "take", "cells", "1")) == ["0", "1"]
    assert offered(asked(game, "take", "cells", "1", "0")) == ["1"]


def test_of_options_that_agree_the_first_possible_one_is_offered(game: Any) -> None:
    assert offered(asked(game, "take", "one each")) == ["3", "4"]


def test_the_line_behind_is_told_as_the_reason(game: Any) -> None:
    match = asked(game, "take", "values")
    assert str(match.refusal("1")) == "too small (header.dragon:7)"
    assert str(match.refusal("4")) == "nothing to choose from: the numbers from 1 to 5 (header.dragon:8)"
    match = asked(game, "take", "cells")
    assert str(match.refusal("0")) == "nothing to choose: not without red (header.dragon:14)"
    assert str(asked(game, "take", "cells", "1").refusal("2")) == "exactly two (header.dragon:13)"
    assert str(asked(game, "by hand").refusal("2")) == "not two (header.dragon:31)"


@pytest.mark.parametrize("seed", range(10))
def test_the_reference_agrees(game: Any, seed: int) -> None:
    play_both(game, 2, seed, 60)
