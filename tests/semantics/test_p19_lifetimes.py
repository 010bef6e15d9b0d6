"""P19. Lifetimes: what a state lasts until, and when exactly it is put back."""

from __future__ import annotations

from .table import diary, pick, start, value


def test_until_turn_ends_is_after_the_triggers_of_the_turn() -> None:
    match = start("""
state met: 0..9 = 0 until turn ends
phase Play:
    turns Round p:
        note_down(met + 1)
        set met = 4
        if turn_number = 2: finish {}
trigger t after turn(p): note_down(met)
""")
    assert diary(match) == 141


def test_a_skipped_player_has_no_turn() -> None:
    match = start(
        """
state met: 0..9 = 0 until turn ends
phase Play:
    turns Round p where p.seat != 2 or met = 5:
        note_down(p.seat)
        set met = 0
        if diary > 100: finish {}
trigger t before turn(p): note_down(8)
trigger u after turn(p): note_down(9)
""",
        players=3,
    )
    assert diary(match) == 81983


def test_turns_end_when_nobody_may_have_one() -> None:
    match = start("""
state left_over: 0..9 = 3
phase Play:
    turns Round p where left_over > 0:
        change left_over by -1
        note_down(p.seat)
    note_down(9)
""")
    assert diary(match) == 1219


MOVED = """
component Room count 3
component Hero on Room count 2
place lair: grid of Room
place pile: bag of Room
each Hero has: state tired: yes/no = no until moved
each Room has: state lit: yes/no = no until moved
define room(n: 1..3) = the(r for r in Room where count(q for q in Room where q != r) = 2 and r.space.x = n)
setup:
    for r in Room: move r to lair at space_at(lair, count(lair) + 1, 0)
    for h in Hero:
        move h to room(1)
        set h.tired = yes
    for r in Room: set r.lit = yes
phase Play:
    {body}
    note_down(count(h for h in Hero where h.tired) + 1)
    note_down(count(r for r in Room where r.lit) + 1)
"""


def test_until_moved() -> None:
    cases = {
        "nothing": 34,
        "for h in Hero where count(q for q in Hero where q.tired) = 2: move h to room(2)": 24,
        "move room(1) to lair at space_at(lair, 7, 0)": 33,  # the heroes ride along
        "move room(3) to pile": 33,
        "move {r for r in lair} to pile": 31,
        "move all from lair to pile": 31,
        "swap room(2) with room(3)": 32,
    }
    for body, seen in cases.items():
        assert diary(start(MOVED.replace("{body}", body))) == seen, body


def test_until_moved_for_what_is_drawn() -> None:
    match = start("""
component Card count 1
place deck: deck of Card
place hand: bag of Card
each Card has: state marked: yes/no = no until moved
setup:
    move all from box(Card) to deck
    for c in Card: set c.marked = yes
phase Play:
    draw 1 from deck to hand
    note_down(1 if any(c.marked for c in Card) else 2)
""")
    assert diary(match) == 2


def test_until_action_ends_is_the_outermost_action_of_a_menu() -> None:
    match = start("""
state balm: 0..9 = 0 until action ends
phase Play:
    turns Round p:
        offer deed
        note_down(balm + 1)
        if turn_number = 2: finish {}
action fight in deed:
    set balm = 4
    join()
    note_down(balm)
rule join(): window reaction from left(me)
action soothe in reaction:
    change balm by 1
""")
    pick(match, "fight", "soothe", "no")
    assert diary(match) == 51
    pick(match, "fight", "no", "no")
    assert diary(match) == 5141


def test_until_action_ends_when_it_is_left_by_force() -> None:
    match = start(
        """
state balm: 0..9 = 0 until action ends
phase Play:
    repeat Loop up to 1:
        as player(1): offer deed
    note_down(balm + 1)
    as player(1): offer deed
    note_down(balm + 1)
action fight in deed:
    set balm = 4
    if diary = 0: leave()
rule leave(): stop Loop
""".replace("    as player(1): offer deed\n    note_down(balm + 1)\naction", "action")
    )
    assert diary(pick(match, "fight")) == 1


def test_until_a_loop_ends() -> None:
    match = start("""
state a: 0..9 = 0 until Outer ends
state b: 0..9 = 0 until Inner ends
phase Play:
    repeat Outer up to 1:
        set a = 3
        for Inner n in 1..2:
            change b by 2
        note_down(a)
        note_down(b + 1)
    note_down(a + 1)
""")
    assert diary(match) == 311


def test_until_phase_ends() -> None:
    match = start("""
state a: 0..9 = 0 until phase ends
state b: 0..9 = 0 until First ends
phase First:
    set a = 3
    set b = 3
phase Second:
    note_down(a + 1)
    note_down(b + 1)
    set a = 4
    set b = 5
phase Third:
    note_down(a + 1)
    note_down(b)
""")
    assert diary(match) == 1115
    assert value(match, "b") == 5
