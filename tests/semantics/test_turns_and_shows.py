"""Turns that a trigger takes the place of, and shows that are closed."""

from __future__ import annotations

from .table import game, place, start, value

DROPPED = """
state asleep[player]: yes/no = no
state last_turn: 0..99 = 0
setup: set asleep[player(2)] = yes
trigger sleep instead of turn(p) where asleep[p]: set asleep[p] = no
phase Play:
    turns Round p:
        set last_turn = turn_number
        choose n in 1..2
"""


def test_a_turn_that_something_else_happens_instead_of_is_neither_told_nor_counted() -> None:
    match = start(DROPPED, players=3)
    for _ in range(3):
        match.choose(0)
    turns = [event[1] for event in match.observations(1) if event[0] == "turn"]
    assert turns == [1, 3, 1, 2]
    assert value(match, "last_turn") == 4


TEAMS = """
token Gem: red 8
partition team of players by seat mod 2
each player has: place screen: bag of Gem, seen by owner, per team
setup:
    move 2 of red from box(Gem) to player(1).screen
    move 1 of red from box(Gem) to player(2).screen
phase Play:
    as player(1):
        choose a in 1..2
        show players.screen to all: choose b in 1..2
        choose c in 1..2
        show left(left(left(me))).screen to {player(1)}: choose d in 1..2
        reveal left(me).screen to all
        choose e in 1..2
"""


def test_what_a_team_shares_can_be_shown_and_revealed() -> None:
    match = start(TEAMS, players=4)
    seen = []
    while match.decision is not None:
        views = [
            tuple("contents" in place(match, f"player {owner}: screen", seat) for owner in (1, 2))
            for seat in (1, 4)
        ]
        seen.append((match.decision.name, *views))
        match.choose(0)
    assert seen == [
        ("a", (True, False), (False, True)),
        ("b", (True, True), (True, True)),
        ("c", (True, False), (False, True)),
        ("d", (True, True), (False, True)),
        ("e", (True, True), (False, True)),
    ]


def test_a_show_closes_what_it_opened_though_its_words_mean_something_else_by_then() -> None:
    rules = """
token Gem: red 4
state at: 1..2 = 1
each player has: place chest[1..2]: bag of Gem, seen by owner
phase Play:
    as player(1):
        look()
        choose n in 1..2
rule look():
    show my.chest[at] to all:
        set at = 2
        choose m in 1..2
        if m = 1: return
"""
    match = start(rules)
    assert "contents" in place(match, "player 1: chest[1]", 2)
    match.choose(0)
    assert "contents" not in place(match, "player 1: chest[1]", 2)


HEADER = """
each player has: state points: 0..9 = 0
phase Play:
    turns Round p: offer deed
action rest in deed: change my.points by 1
action risky in deed:
    choose n in 1..2 where my.points > 5 else return
    require my.points < 9
    finish {me}
"""


def test_what_stands_behind_a_choose_with_an_else_does_not_decide_whether_it_is_offered() -> None:
    rules = game(HEADER)
    assert [st.op for st in rules.checked.rules["risky"].header] == []
    match = rules.start(2, seed=1)
    assert match.decision is not None
    assert [option.label for option in match.decision.options] == ["rest", "risky"]
