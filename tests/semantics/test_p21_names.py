"""P21. One namespace for what can be used by name; cites belong to the nearest named thing."""

from __future__ import annotations

from .table import game, refusal


def test_a_name_is_declared_once() -> None:
    for other in (
        "state thing: 0..3 = 1",
        "place thing: bag of Gem",
        "rule thing(): nothing",
        "define thing = 2",
    ):
        assert "D0202" in refusal(f"token Gem: gem 1\noption thing: 1..2 = 1\n{other}\n"), other


def test_members_belong_to_their_owner() -> None:
    rules = """
token Gem: gem 1
component Card count 1
place purse: bag of Gem
each player has: place purse: bag of Gem
each Card has: place purse: bag of Gem
"""
    assert refusal(rules) == {}
    assert "D0202" in refusal(rules + "each player has: state purse: 0..3 = 1\n")


def test_triggers_endings_phases_and_invariants_have_names_of_their_own() -> None:
    assert (
        refusal("""
rule act(): nothing
trigger act after act(): nothing
ending act when no: finish {}
always act: yes
phase Act: act()
""")
        == {}
    )


def test_kinds_may_share_words_where_it_is_clear_which_is_meant() -> None:
    rules = """
kinds Colour: red, blue
kinds Mood: blue, merry
state mood: Mood = blue
state colour: Colour = blue
phase Play:
    if mood = blue and colour = blue: note_down(1)
    {more}
"""
    assert refusal(rules.replace("{more}", "nothing")) == {}
    assert "D0204" in refusal(rules.replace("{more}", "let x = blue"))


def test_cites_are_gathered_at_the_named_thing() -> None:
    checked = game("""
rule act():                     [TT-1..3]
    note_down(1)                [TT-7]
    step part:                  [TT-9]
        note_down(2)            [TT-10]
state x: 0..3 = 0               [TT-4, UU-05..06]
phase Play: act()
scenario "it is so":            [TT-2]
    then:
        check diary = 12        [TT-11]
""").checked
    assert checked.rules["act"].cites == ("TT-1", "TT-2", "TT-3", "TT-7", "TT-9", "TT-10")
    assert checked.states["x"].cites == ("TT-4", "UU-05", "UU-06")
    assert checked.scenarios[0].cites == ("TT-2", "TT-11")
