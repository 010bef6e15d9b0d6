"""P4. `me` is who decides: passed on by calls, rebound by `as`, turns, rounds, together and `for`."""

from __future__ import annotations

from .table import diary, pick, refusal, start


def test_calls_pass_it_on_and_as_rebinds_it_for_a_block() -> None:
    match = start(
        """
phase Play:
    turns Round p:
        one()
        as left(me):
            one()
            as left(left(me)): one()
        one()
        stop Round
    for q in players as q: one()
    rounds q in clockwise(player(2)) where diary < 100000000:
        one()
rule one(): two()
rule two(): note_down(me.seat)
""",
        players=3,
    )
    assert diary(match) == 121112323


def test_active_stays_while_me_changes() -> None:
    match = start("""
phase Play:
    turns Round p:
        as left(me):
            offer:
                "x": note_down(active.seat)
        note_down(me.seat)
        if diary > 100: finish {}
""")
    assert match.decision is not None
    assert match.decision.player == 2
    pick(match, "x", "x")
    assert diary(match) == 1122


def test_a_trigger_has_the_me_of_the_call_unless_it_says_for() -> None:
    match = start("""
phase Play:
    as player(2): act()
    as player(1): act()
rule act(): nothing
trigger inherits after act(): note_down(me.seat)
trigger names after act() for left(me) where me.seat = 1: note_down(me.seat + 5)
""")
    assert diary(match) == 261


def test_nobody_decides_outside_of_a_turn() -> None:
    for body in ("let x = me", "choose n in 1..2", "act()", "hooked()"):
        told = refusal(f"""
phase Play: {body}
rule act(): inner()
rule inner(): choose n in 1..2
rule hooked(): nothing
trigger t after hooked():
    choose n in 1..2
""")
        assert "D0308" in told, body


def test_place_and_turn_triggers_have_no_me_without_for() -> None:
    rules = """
token Gem: gem 3
place heap: bag of Gem
state done: yes/no = no
phase Play:
    turns Round p:
        move all from box(Gem) to heap
        stop Round
trigger t after {event}: {effect}
"""
    for event in ("entering heap", "turn(p)", "Play"):
        for effect, wrong in (("let x = me", True), ("set done = yes", False)):
            told = refusal(rules.replace("{event}", event).replace("{effect}", effect))
            assert ("D0308" in told) is wrong, (event, effect, told)
    assert refusal(rules.replace("{event}", "turn(p) for p").replace("{effect}", "let x = me")) == {}


def test_turns_inside_a_turn_give_the_turn_back() -> None:
    match = start("""
phase Play:
    turns Round p:
        note_down(active.seat)
        turns Auction q from left(me):
            note_down(active.seat + 2)
            if active = p: stop Auction
        note_down(active.seat)
        if diary > 10000: finish {}
""")
    assert diary(match) == 14312342
