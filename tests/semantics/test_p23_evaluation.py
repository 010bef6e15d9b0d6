"""P23. Expressions have no effects; loops run over what was there when they began."""

from __future__ import annotations

from .table import diary, refusal, start


def test_a_loop_runs_over_a_snapshot() -> None:
    match = start("""
component Card count 4
place from_here: row of Card
place to_there: row of Card
state n: 0..9 = 0
setup: for c in Card: move c to from_here
phase Play:
    for c in from_here:
        move all from from_here to to_there
        note_down(count(to_there))
    for c in to_there where n < 2:
        change n by 1
        note_down(n)
""")
    assert diary(match) == 444412, "`where` is asked when its turn comes, membership is not asked again"


def test_let_of_a_place_is_the_place_let_of_a_value_is_the_value() -> None:
    match = start("""
token Gem: red 5
place heap: bag of Gem
state x: 0..9 = 1
setup: move 2 of red from box(Gem) to heap
phase Play:
    let here = heap
    let many = count(heap)
    let y = x
    set x = 5
    move 1 of red from box(Gem) to heap
    note_down(count(here))
    note_down(many)
    note_down(y)
""")
    assert diary(match) == 321


def test_orders() -> None:
    match = start(
        """
kinds Colour: red, green, blue
component Card count 3
place pile: stack of Card
setup: for c in Card: move c to top of pile
phase Play:
    for p in players: note_down(p.seat)
    for p in clockwise(player(2)): note_down(p.seat)
    for k in {blue, red}: note_down(number(k))
""",
        players=3,
    )
    assert diary(match) == 12323113


def test_effects_stand_alone() -> None:
    for body in ("note_down(act() + 1)", "if act() = 1: nothing", "let y = 1 + act()"):
        assert "D0307" in refusal(
            f"phase Play: nothing\nrule act() -> 1..2: return 1\nrule r():\n    {body}\n"
        ), body
    assert (
        refusal(
            "phase Play: nothing\nrule act() -> 1..2: return 1\nrule r():\n    let y = act()\n    set diary = act()\n"
        )
        == {}
    )


def test_no_name_hides_another() -> None:
    for body in (
        "let x = 2",
        "for x in 1..2: nothing",
        "choose x in 1..2",
        "let y = count(x for x in 1..2)",
        "roll x in 1..6",
    ):
        assert "D0209" in refusal(f"phase Play: nothing\nrule act(x: 1..2):\n    {body}\n"), body


def test_conditions_are_read_from_left_to_right_and_only_as_far_as_needed() -> None:
    match = start("""
component Card:
    value: 1..3
rows Card:
    | value |
    | 1..3  |
place shelf: slot of Card
phase Play:
    if shelf != none and shelf.value = 2: note_down(9)
    if shelf = none or shelf.value = 2: note_down(1)
    note_down(shelf.value if shelf != none else 2)
""")
    assert diary(match) == 12


def test_a_vector_condition_that_names_the_index_is_meant_for_every_cell() -> None:
    match = start("phase Play: as player(1): choose n[k in 1..3] in 0..3 where n[k] >= k\n")
    offered = []
    while not match.over:
        assert match.decision is not None
        offered.append([option.key[-1] for option in match.decision.options])
        match.choose(0)
    assert offered[:2] == [[1, 2, 3], [2, 3]], "and the third cell can only be 3"
