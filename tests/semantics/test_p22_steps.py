"""P22. Overlays address names: a part of a rule that is worth replacing is a `step`."""

from __future__ import annotations

from .table import diary, refusal, start

STEPS = """
phase Play:
    act()
    turns Round p:
        step deed:
            note_down(5)
        stop Round
rule act():
    let x = 1
    step first:
        let y = x + 1
        note_down(y)
    step second: note_down(y + 1)
    note_down(4)
variant "Other First" of test:
    replace step act.first:
        let y = x + 6
variant "No Second" of test:
    remove step act.second
variant "Other Deed" of test:
    replace step Round.deed: note_down(6)
variant "Also First" of test:
    replace step act.first: let y = 1
variant "Not There" of test:
    replace step act.third: nothing
variant "Breaks It" of test:
    remove step act.first
"""


def test_a_step_has_the_scope_of_its_block_and_can_be_replaced() -> None:
    assert diary(start(STEPS)) == 2345
    assert diary(start(STEPS, "Other First")) == 845
    assert diary(start(STEPS, "No Second")) == 245
    assert diary(start(STEPS, "Other Deed")) == 2346
    assert diary(start(STEPS, "Other First", "No Second", "Other Deed")) == 46


def test_what_cannot_be_replaced_is_told() -> None:
    assert "D0603" in refusal(STEPS, "Other First", "Also First")
    assert "D0602" in refusal(STEPS, "Not There")
    assert "D0201" in refusal(STEPS, "Breaks It"), "the rest of the rule used what the step had bound"


def test_members_are_replaced_by_the_name_of_their_owner() -> None:
    match = start(
        """
token Gem: red 5
each player has: place purse: bag of Gem, seen by owner
setup: move 2 of red from box(Gem) to player(1).purse
phase Play: as player(1): choose n in 1..2
variant "Open" of test:
    replace place player.purse: bag of Gem, seen by all
""",
        "Open",
    )
    assert match.view(2)["places"]["player 1: purse"] == {"contents": (("red", 2),)}
