"""Where one word, or one number off by one, makes another game of it: each is told by what happens at the table."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.play.replay import Replay, first_difference

from .table import diary, game, keys, labels, pick, place, refusal, start

MAYBE = """
kinds Hue: red, blue
state held: Hue or none = none
state sure: yes/no = yes
state taken: Hue = red
phase Play:
    {body}
"""


@pytest.mark.parametrize(
    "condition",
    ["held != none", "held != none and sure", "sure and held != none", "not (held = none or not sure)"],
)
def test_what_a_condition_says_is_there_may_be_used(condition: str) -> None:
    assert refusal(MAYBE.format(body=f"if {condition}: set taken = held")) == {}


@pytest.mark.parametrize(
    "condition",
    [
        "held != none or sure",
        "sure or held != none",
        "held = none or sure",
        "not (held = none and sure)",
        "not (held != none and sure)",
        "not (sure and held != none)",
        "held = none",
        "sure",
    ],
)
def test_half_of_an_or_says_nothing_for_certain(condition: str) -> None:
    assert "D0304" in refusal(MAYBE.format(body=f"if {condition}: set taken = held"))


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_others_are_all_but_one(seat: int) -> None:
    match = start(
        f"""
phase Play:
    as player({seat}):
        for q in others(me): note_down(q.seat)
        if me in others(me): note_down(9)
        if count(others(me)) != 2: note_down(8)
        choose q in others(me)
""",
        players=3,
    )
    rest = [q for q in (1, 2, 3) if q != seat]
    assert diary(match) == int("".join(map(str, rest)))
    assert keys(match) == rest


SCREENS = """
component Card:
    value: 1..2
rows Card:
    | value |
    | 1..2  |
each player has: place hand: bag of Card, seen by {seen}
setup:
    for c in Card: move c to player(c.value).hand
phase Play:
    for a in player(1).hand, b in player(2).hand: swap a with b
    as player(3): choose n in 1..2
"""


def test_who_sees_neither_of_two_that_change_places_is_not_told_their_names() -> None:
    match = start(SCREENS.format(seen="owner"), players=3)
    told = [[e for e in match.observations(seat) if e[0] == "exchange"] for seat in (1, 2, 3)]
    assert told[2] == [("exchange", "Card", "Card")]
    assert all(event != ("exchange", "Card", "Card") for one in told[:2] for event in one)
    everybody = start(SCREENS.format(seen="all"), players=3)
    (event,) = [e for e in everybody.observations(3) if e[0] == "exchange"]
    assert event != ("exchange", "Card", "Card")


RESET = """
component Card count 2
place table: bag of Card
place pile: bag of Card
state warm: yes/no = no until Cooking ends
each Card has: state marked: yes/no = no until moved
setup:
    move all from box(Card) to table
    for c in Card: set c.marked = yes
    set warm = yes
ending over when {when}: finish {{player(2)}}
phase Cooking:
    as player(1): choose n in 1..2
    {body}
phase Eating:
    as player(1): choose n in 1..2
    finish {{}}
"""


@pytest.mark.parametrize(
    ("when", "body"),
    [
        ("none(c.marked for c in Card)", "move all from table to pile"),
        ("none(c.marked for c in Card)", "for c in Card: move c to pile"),
        ("not warm", "nothing"),
    ],
)
def test_an_ending_is_tested_where_something_is_put_back(when: str, body: str) -> None:
    match = start(RESET.format(when=when, body=body))
    assert not match.over
    match.choose(0)
    assert match.winners == {2}


OWN = """
component Card count 4
place middle: bag of Card
state sure: yes/no = no
each player has:
    place hand: bag of Card
    state stake: 0..9 = 0
setup: move all from box(Card) to middle
phase Play:
    together p in players:
        {body}
    if middle = {{}} and sure: note_down(1)
rule raise_of(q: player): set q.stake = 1
rule lose(c: Card): move c to middle
define mine_or(q: player) = me if sure else q
"""


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("set p.stake = 1", "set right(p).stake = 1"),
        ("set (me if sure else p).stake = 1", "set (me if sure else left(me)).stake = 1"),
        ("set (p if sure else me).stake = 1", "set (left(me) if sure else me).stake = 1"),
        ("raise_of(me)", "raise_of(left(me))"),
        ("set mine_or(me).stake = 1", "set mine_or(left(me)).stake = 1"),
        ("as me: set my.stake = 1", "as left(me): set my.stake = 1"),
        ("let q = p\n        set q.stake = 1", "let q = left(p)\n        set q.stake = 1"),
        ("for c in my.hand: lose(c)", "for c in left(me).hand: lose(c)"),
        ("move {c for c in my.hand} to middle", "move {c for c in left(me).hand} to middle"),
        (
            "for c in {c for c in my.hand} + {d for d in p.hand}: lose(c)",
            "for c in {c for c in my.hand} + {d for d in left(p).hand}: lose(c)",
        ),
    ],
)
def test_whose_things_change_behind_the_seal(own: str, other: str) -> None:
    assert refusal(OWN.format(body=own)) == {}
    assert "D0404" in refusal(OWN.format(body=other))


@pytest.mark.parametrize(("low", "high"), [(5, 2), (9, 0), (3, 2), (3, 3), (0, 9)])
def test_a_range_that_runs_backwards_is_empty(low: int, high: int) -> None:
    match = start(f"""
state low: 0..9 = {low}
state high: 0..9 = {high}
state some: set of 0..9 = {{1}}
setup:
    set some = low..high
phase Play:
    set diary = count(some)
    if some = {{}}: note_down(1)
    if 1 in some: note_down(2)
    as player(1): choose n in 1..2
""")
    numbers = range(low, high + 1)
    rest = "1" * (not numbers) + "2" * (1 in numbers)
    assert diary(match) == int(f"{len(numbers)}{rest}")


CLASH = """
token Coin: copper 20, gold 6
place till: bag of Coin
define worth(n: 1..9) = n
setup: move all from box(Coin) to till
rule pay():
    step first: note_down(1)
    step second: note_down(2)
phase Play: pay()
variant "Part" of test:
    change token Coin: gold = 7
variant "Same" of test:
    change token Coin: gold = 9
variant "Other" of test:
    change token Coin: copper = 3
variant "Whole" of test:
    replace token Coin: copper 2, gold 2
variant "Step" of test:
    replace step first: note_down(3)
variant "Next" of test:
    replace step second: note_down(4)
variant "Rule" of test:
    replace rule pay(): note_down(5)
"""


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("Part", "Whole", set()),
        ("Whole", "Part", set()),
        ("Part", "Same", {"D0603"}),
        ("Part", "Other", set()),
        ("Step", "Rule", {"D0603"}),
        ("Rule", "Step", {"D0603"}),
        ("Step", "Next", set()),
    ],
)
def test_two_variants_clash_over_a_whole_and_a_part_of_it(one: str, other: str, told: set[str]) -> None:
    """Not over amounts, which lie above the whole, whichever is asked for first; a step that is gone is lost."""
    assert {*refusal(CLASH, one, other)} == told


@pytest.mark.parametrize("asked", [("Part", "Whole"), ("Whole", "Part")])
def test_a_part_that_is_changed_lies_above_the_whole_that_is_replaced(asked: tuple[str, str]) -> None:
    (tokens,) = game(CLASH, *asked).checked.tokens.values()
    assert [amount.value for amount in tokens.amounts] == [2, 7]


COPIES = """
component Card:
    value: 1..2
rows Card:
    | value | count |
    | 1     |     3 |
    | 2     |     1 |
place deck: deck of Card, seen by nobody
place hand: {shape} of Card
setup:
    move all from box(Card) to hand
phase Play:
    as player(1): choose c in hand
    as player(1): choose n in 1..2
"""


@pytest.mark.parametrize(("shape", "offered"), [("bag", 2), ("row", 4)])
def test_copies_in_a_bag_are_one_option(shape: str, offered: int) -> None:
    assert len(labels(start(COPIES.format(shape=shape)))) == offered


def test_the_same_match_with_another_winner_is_another_match() -> None:
    rules = """
option second: yes/no = no
phase Play:
    as player(1): choose n in 1..2
    finish {player(2) if second else player(1)}
"""
    one, other = (game(rules, options={"second": second}) for second in (False, True))
    match = one.start(2, seed=1)
    match.choose(0)
    replay = Replay(one, 2, 1, match.log)
    assert first_difference(replay, one) is None
    found = first_difference(replay, other)
    assert found is not None and found.words == "player 1 wins, under these rules player 2 wins"


@pytest.mark.parametrize(("shape", "top", "bottom"), [("stack", 3, 1), ("row", 3, 1), ("slot", 1, 1)])
def test_both_ends_of_what_lies_in_order(shape: str, top: int, bottom: int) -> None:
    match = start(f"""
component Card:
    value: 1..3
rows Card:
    | value |
    | 1..3  |
place pile: {shape} of Card
setup:
    for c in Card where c.value <= {3 if shape != "slot" else 1}: move c to pile
phase Play:
    for c in pile where c = top(pile): note_down(c.value)
    for c in pile where c = bottom(pile): note_down(c.value)
    as player(1): choose n in 1..2
""")
    assert diary(match) == 10 * top + bottom


@pytest.mark.parametrize("ask", ["nothing", "as player(1): choose k in {1}"])
@pytest.mark.parametrize(
    ("leave", "noted"),
    [("stop Outer", 127), ("stop Inner", 1251251257 % 999_999_999), ("skip", 1235123512357 % 999_999_999)],
)
def test_leaving_a_loop_leaves_that_one_and_those_inside_it(ask: str, leave: str, noted: int) -> None:
    match = start(
        f"""
state much: 0..999999999 = 0
rule jot(n: 1..9): set much = (much * 10 + n) mod 999999999
rule walk():
    repeat Outer up to 3:
        for Inner n in 1..3:
            jot(n)
            if n = 2:
                {ask}
                {leave}
        jot(5)
    jot(7)
phase Play:
    walk()
    as player(1): choose n in 1..2
"""
    )
    while match.decision is not None and len(keys(match)) == 1:
        match.choose(0)
    assert match.view(1)["states"]["much"] == noted


@pytest.mark.parametrize(
    ("body", "sure"),
    [
        ("return 1", True),
        ("if sure: return 1\n    else: return 2", True),
        ("if sure: return 1\n    else: nothing", False),
        ("if sure: nothing\n    else: return 2", False),
        ("if sure: return 1", False),
        ("for n in 1..2: return 1", False),
        ('offer:\n        "a": return 1\n        "b": return 2', True),
        ('offer:\n        "a": return 1\n        "b": nothing', False),
        ("over()", True),
        ("perhaps()", False),
    ],
)
def test_every_way_through_a_rule_with_a_result_returns_one(body: str, sure: bool) -> None:
    told = refusal(f"""
state sure: yes/no = yes
rule over(): finish {{}}
rule perhaps():
    if sure: finish {{}}
rule number_of() -> 1..2:
    {body}
phase Play:
    as player(1):
        let n = number_of()
        note_down(n)
        over()
        perhaps()
""")
    assert ("D0319" not in told) == sure, told


@pytest.mark.parametrize("op", ["/", "*", "+", "-"])
def test_a_result_that_leaves_the_range_of_a_state_is_told(op: str) -> None:
    """Whatever the checker thinks a computation can come to, no number outside may be kept."""
    bounds = (-2, 4)
    work = {
        "/": lambda a, b: a // b,
        "*": lambda a, b: a * b,
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
    }
    rules = game(f"""
state dividend: -3..9 = 0
state divisor: -5..2 = 1
state kept: {bounds[0]}..{bounds[1]} = 0
phase Play:
    as player(1):
        choose a in -3..9
        set dividend = a
        choose b in -5..2 where b != 0
        set divisor = b
        set kept = dividend {op} divisor
        choose n in 1..2
""")
    for a in range(-3, 10):
        for b in (-5, -1, 1, 2):
            right = work[op](a, b)
            match = pick(rules.start(2, seed=1), a)
            if bounds[0] <= right <= bounds[1]:
                assert pick(match, b).view(1)["states"]["kept"] == right
            else:
                with pytest.raises(dr.PlayError):
                    pick(match, b)


def test_two_places_that_are_swapped_both_lose_and_both_gain() -> None:
    match = start("""
component Card count 3
place left_pile: row of Card
place right_pile: row of Card
trigger a after leaving left_pile: note_down(1)
trigger b after entering left_pile: note_down(2)
trigger c after leaving right_pile: note_down(3)
trigger d after entering right_pile: note_down(4)
setup:
    for c in Card:
        if left_pile = {}: move c to left_pile
        else: move c to right_pile
    set diary = 0
phase Play:
    swap left_pile with right_pile
    as player(1): choose n in 1..2
""")
    assert sorted(set(str(diary(match)))) == ["1", "2", "3", "4"]
    assert len(place(match, "left_pile")["contents"]) == 2


@pytest.mark.parametrize(
    ("condition", "leaks"),
    [
        ("q = me", False),
        ("q = me and sure", False),
        ("sure and q = me", False),
        ("not (q != me or sure)", False),
        ("q = me or sure", True),
        ("sure or q = me", True),
        ("q != me or sure", True),
        ("not (q = me and sure)", True),
        ("not (q != me and sure)", True),
    ],
)
def test_a_hand_may_be_looked_into_only_where_it_is_certainly_ones_own(condition: str, leaks: bool) -> None:
    told = refusal(f"""
component Card:
    value: 1..4
rows Card:
    | value |
    | 1..4  |
state sure: yes/no = yes
each player has: place hand: bag of Card, seen by owner
setup:
    for c in Card: move c to player(1 + c.value mod 2).hand
phase Play:
    for p in players as p:
        for q in players:
            if {condition}:
                choose c in q.hand
""")
    assert ("D0401" in told) == leaks, told
