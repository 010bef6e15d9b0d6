"""P5. All `before`, then the body or the one `instead of`, then all `after`; depth first."""

from __future__ import annotations

import pytest

from .table import diary, pick, refusal, start

ORDER = """
trigger a2 after act(n): note_down(6)
trigger b1 before act(n): note_down(1)
phase Play: act(4)
rule act(n: 1..9): note_down(n)
trigger b2 before act(n):
    note_down(2)
    inner()
trigger a1 after act(n): note_down(7)
rule inner(): nothing
trigger deep after inner(): note_down(3)
variant "Later" of test:
    trigger c1 before act(n): note_down(8)
    trigger c2 after act(n): note_down(8)
variant "Last" of test:
    trigger d1 before act(n): note_down(9)
variant "Other Body" of test:
    trigger instead_of_it instead of act(n): note_down(5)
"""


@pytest.mark.parametrize(
    ("variants", "seen"),
    [
        ((), 123467),
        (("Later",), 12384678),
        (("Later", "Last"), 123894678),
        (("Last", "Later"), 123984678),
        (("Other Body",), 123567),
    ],
)
def test_declaration_order_then_variants_as_they_stack(variants: tuple[str, ...], seen: int) -> None:
    assert diary(start(ORDER, *variants)) == seen


SAID = """
trigger a after act(): note_down(1)
trigger b after act(): note_down(2)
trigger c after act(): note_down(3)
trigger d before act(): note_down(4)
phase Play: act()
rule act(): nothing
variant "Turned" of test:
    trigger e after act(): note_down(5)
    order e, c, a
variant "Without" of test:
    remove trigger a
"""


@pytest.mark.parametrize(
    ("order", "variants", "seen"),
    [
        ("", (), 4123),
        ("order c, b, a", (), 4321),
        ("order c, b", (), 4132),
        ("order c, a\norder a, b", (), 4312),
        ("order b, a", ("Turned",), 42531),
        ("order c, a", ("Without",), 423),
    ],
)
def test_an_order_moves_triggers(order: str, variants: tuple[str, ...], seen: int) -> None:
    assert diary(start(f"{SAID}{order}\n", *variants)) == seen


def test_where_is_tested_when_its_turn_comes() -> None:
    match = start("""
state awake: yes/no = yes
phase Play: act()
rule act(): nothing
trigger one after act() where awake:
    note_down(1)
    set awake = no
trigger two after act() where awake: note_down(2)
trigger three after act() where not awake: note_down(3)
""")
    assert diary(match) == 13


def test_two_instead_of_is_an_error() -> None:
    told = refusal("""
phase Play: act()
rule act(): nothing
trigger one instead of act(): note_down(1)
trigger two instead of act(): note_down(2)
""")
    assert "D0202" in told


def test_instead_of_may_be_conditional_and_return_early() -> None:
    match = start("""
phase Play:
    act(1)
    act(2)
    act(3)
rule act(n: 1..9): note_down(n)
trigger other instead of act(n) where n > 1:
    if n = 3: return
    note_down(8)
trigger late after act(n): note_down(9)
""")
    assert diary(match) == 19899


def test_who_replaces_a_rule_cannot_give_its_value() -> None:
    rules = """
phase Play:
    let x = act()
    note_down(x)
rule act() -> 1..2: return 1
trigger t {timing} act(): {effect}
"""
    assert "D0319" in refusal(rules.format(timing="instead of", effect="nothing"))
    assert "D0319" in refusal(rules.format(timing="before", effect="cancel"))
    assert refusal(rules.format(timing="before", effect="nothing")) == {}


def test_cancel_drops_the_rest_of_the_event() -> None:
    match = start("""
phase Play:
    act(1)
    act(2)
rule act(n: 1..9): note_down(n)
trigger b1 before act(n): note_down(5)
trigger no before act(n) where n = 1: cancel
trigger b2 before act(n): note_down(6)
trigger a1 after act(n): note_down(7)
""")
    assert diary(match) == 55627


MENU = """
phase Play:
    turns Round p:
        offer deed(3)
        note_down(9)
        if diary > 1000: finish {}
action work(n: 1..9) in deed: note_down(n)
"""


def test_menus_are_events_too() -> None:
    assert (
        diary(
            pick(
                start(
                    MENU
                    + "trigger t before deed(n): note_down(1)\ntrigger u after deed(n): note_down(n + 1)\n"
                ),
                "work",
            )
        )
        == 1349
    )
    assert (
        diary(pick(start(MENU + "trigger t instead of deed(n): note_down(n + 5)\n"), "work", "work")) == 8989
    )
    match = start(
        MENU + "trigger t before deed(n) where diary = 0: cancel\ntrigger u after deed(n): note_down(1)\n"
    )
    assert diary(pick(match, "work", "work")) == 9319


TURN = """
phase Play:
    turns Round p:
        note_down(p.seat)
        if diary > 1000: finish {}
"""


def test_turns_are_events_too() -> None:
    assert (
        diary(
            start(
                TURN
                + "trigger t before turn(p): note_down(p.seat + 2)\ntrigger u after turn(p): note_down(5)\n"
            )
        )
        == 31542
    )
    assert diary(start(TURN + "trigger t before Round(p): note_down(8)\n")) == 8182
    assert diary(start(TURN + "trigger t instead of turn(p) where p.seat = 1: note_down(7)\n")) == 7272
    assert "D0316" in refusal(TURN + "trigger t before turn(p): cancel\n")


def test_phases_are_events_too() -> None:
    match = start("""
phase First: note_down(2)
phase Second: note_down(5)
trigger t before First: note_down(1)
trigger u after First: note_down(3)
trigger v before Second: note_down(4)
""")
    assert diary(match) == 12345


def test_place_crossings() -> None:
    rules = """
token Gem: red 3, blue 3
component Card count 4
place heap: bag of Gem
place other: bag of Gem
place deck: deck of Card
place row_: row of Card
each player has:
    place hand: bag of Card
    place purse: bag of Gem
setup:
    move all from box(Card) to deck
    move all from box(Gem) to heap
    draw 1 from deck to player(1).hand
    set diary = 0
phase Play: {body}
trigger in_purse after entering player.purse: note_down(1)
trigger out_of_heap after leaving heap: note_down(2)
trigger in_hand after entering player.hand: note_down(3)
trigger out_of_hand after leaving player.hand: note_down(4)
trigger both after entering other, leaving player.purse: note_down(5)
"""
    cases = {
        "move 2 of red from heap to player(2).purse": 12,
        "draw 2 at random from heap to player(1).purse": 1212,
        "move all from heap to other": 25,
        "draw 2 from deck to player(2).hand": 33,
        "for c in player(1).hand: move c to row_": 4,
        "move {c for c in player(1).hand} to player(2).hand": 34,
        "move all from player(1).hand to player(2).hand": 34,
        "draw 1 at random from player(1).hand to player(2).hand": 34,
        "swap player(1).hand with player(2).hand": 34,
        "swap heap with player(1).purse": 125,
    }
    cases |= {
        "move 0 of red from heap to other": 0,
        "move all from player(1).purse to other": 0,
        "move {c for c in player(2).hand} to row_": 0,
    }
    for body, seen in cases.items():
        assert diary(start(rules.replace("{body}", body))) == seen, body


def test_pick_moves_only_what_is_picked() -> None:
    match = start("""
token Gem: red 3, blue 3, green 3
place heap: bag of Gem
place other: bag of Gem
setup: move all from box(Gem) to heap
phase Play: as player(1): pick 2 from heap to other
trigger t after entering other: note_down(1)
""")
    assert diary(pick(match, 0, 2, 0)) == 1


def test_all_events_of_a_trigger_bring_the_same() -> None:
    rules = "phase Play: nothing\nrule a(n: 1..2): nothing\nrule b(m: 1..2): nothing\nrule c(): nothing\n"
    assert refusal(rules + "trigger t after a(n), b(n): note_down(n)\n") == {}
    assert refusal(rules + "trigger t after a, b, c: nothing\n") == {}
    assert "D0302" in refusal(rules + "trigger t after a(n), c(): note_down(n)\n")


TWO_EVENTS = """
trigger any_turn instead of turn(p) where step < 2: note_down(1)
trigger of_round instead of Round(p) where step < 4: note_down(2)
state step: 0..9 = 0
phase Play:
    turns Round p where step < 6:
        note_down(3)
    finish {}
trigger counted after turn(p): change step by 1
"""


def test_of_two_that_stand_instead_of_one_happening_the_first_that_holds_counts() -> None:
    assert diary(start(TWO_EVENTS)) == 112233
