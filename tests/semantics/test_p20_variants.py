"""P20. Overlays first, then options; the result is checked as a whole game, for all values of its options."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, game, refusal, start

BASE = """
option goal: 1..9 = 3
option long: yes/no = no
require goal < 9 or long because "nine is for the long game"
define aim = goal * 2 if long else goal
phase Play: note_down(aim)
variant "Bigger" of test:
    set goal = 4
variant "Other Aim" of test:
    replace define aim = goal + 5
variant "Third Aim" of test excludes "Bigger":
    replace define aim = goal
variant "Upon" of test needs "Other Aim" after "Other Aim":
    replace define aim = 1
variant "For Four" of test for 4 players:
    replace phase Play: note_down(8)
"""


def test_variants_stack() -> None:
    assert diary(start(BASE)) == 3
    assert diary(start(BASE, "Bigger")) == 4
    assert diary(start(BASE, "Bigger", "Other Aim")) == 9
    assert diary(start(BASE, "Bigger", options={"goal": 2})) == 2, "an option that is given wins"
    assert diary(start(BASE, "Other Aim", "Upon")) == 1, "`after` says which comes last"
    assert diary(start(BASE, "Upon")) == 1, "what it needs is brought along"


def test_conflicts_are_told() -> None:
    assert "D0603" in refusal(BASE, "Other Aim", "Third Aim")
    assert "D0604" in refusal(BASE, "Bigger", "Third Aim")
    assert "D0607" in refusal(BASE + 'variant "Wrong" of test needs "Nothing":\n    set goal = 2\n', "Wrong")
    assert "D0602" in refusal(BASE + 'variant "Wrong" of test:\n    replace define aym = 3\n', "Wrong")


def test_a_variant_narrows_the_number_of_players() -> None:
    assert game(BASE, "For Four").players == (4,)


def test_an_error_that_only_another_option_would_reach_is_found() -> None:
    told = refusal(
        BASE + 'variant "Bad" of test:\n    replace define aim = goal + unknown if long else goal\n', "Bad"
    )
    assert "D0201" in told


def test_options_that_do_not_go_together() -> None:
    with pytest.raises(dr.UsageError) as caught:
        start(BASE, options={"goal": 9})
    assert caught.value.code == "D0706"
    assert "nine is for the long game" in str(caught.value)
    with pytest.raises(dr.UsageError):
        start(BASE, options={"goal": 10})


def test_matches_of_different_options_are_different_games() -> None:
    one, other = game(BASE), game(BASE, options={"goal": 5})
    assert one.fingerprint != other.fingerprint
    with pytest.raises(dr.UsageError) as caught:
        other.accept(one.start().to_json())
    assert caught.value.code == "D0701"
