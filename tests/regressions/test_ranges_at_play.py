"""Numbers that leave their range, and sets of numbers large and small.

An index or argument whose range is not certain is tested at play: reading past
the end of a row of states used to give the value of another state. Sets are
kept in two forms, by the size of their elements, and are converted in between.
"""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest


def play(folder: Path, text: str, **options: object) -> dr.Match:
    path = folder / "test.dragon"
    path.write_text(f'game "Test" for 2 to 3 players\n{text}', encoding="utf-8")
    match = dr.load(path, options=options).start(seed=1)
    while not match.over:
        match.choose(0)
    return match


def code(folder: Path, text: str, **options: object) -> str:
    with pytest.raises(dr.PlayError) as caught:
        play(folder, text, **options)
    return caught.value.diagnostic.code


@pytest.mark.parametrize(
    "line",
    [
        "set row[here] = 1",
        "if row[here] = 0: nothing",
        "set here = price(here)",
        "set here = twice(here)",
        "set small = here",
        "if player(here) = player(1): nothing",
        "pay(here)",
    ],
)
def test_out_of_range(tmp_path: Path, line: str) -> None:
    text = f"""state row[1..3]: 0..9 = 0
state here: 0..9 = 7
state small: 0..5 = 0
table price(n: 0..3) -> 0..9:
    | n   | price |
    | any | 4     |
define twice(n: 0..3) = n + n
rule pay(n: 1..3): set small = n
phase Play:
    as player(1):
        choose n in 1..1
        {line}
    finish {{}}
"""
    assert code(tmp_path, text) == "D0902"


def test_in_range(tmp_path: Path) -> None:
    text = """state row[1..3]: 0..9 = 0
state here: 0..9 = 3
define twice(n: 0..3) = n + n
phase Play:
    set row[here] = twice(here)
    if row[3] = 6 and player(here - 1) = player(2): finish {player(2)}
"""
    assert play(tmp_path, text).winners == {2}


def test_sets_of_both_forms(tmp_path: Path) -> None:
    text = """state many: set of 0..100 = {70, 3}
state few: set of 0..9 = {1, 2}
state cards: set of Card = {}
component Card count 3
define sum_of(s: set of 0..100) = sum(n for n in s)
rule only_small(s: set of 0..100) -> set of 0..9:
    return {n for n in s where n < 10}
phase Play:
    set many = many + few
    set few = only_small(many)
    set few = few - {1}
    set cards = {c for c in Card}
    if sum_of(few) = 5 and sum_of(many) = 76 and few = {2, 3} and count(cards) = 3: finish {player(1)}
"""
    assert play(tmp_path, text).winners == {1}


def test_a_set_that_is_too_large_for_its_type(tmp_path: Path) -> None:
    text = """state many: set of 0..100 = {70}
state few: set of 0..9 = {}
phase Play:
    as player(1):
        choose n in 1..1
        set few = many
    finish {}
"""
    assert code(tmp_path, text) == "D0902"


def test_negative_numbers_in_sets(tmp_path: Path) -> None:
    text = """state low: -5..5 = -2
phase Play:
    let around = {low - 1, low, low + 1}
    if low in {1, 2} or low in 0..3: finish {}
    if count(around) = 3 and sum(n for n in around) = -6 and low in around: finish {player(2)}
"""
    assert play(tmp_path, text).winners == {2}


def test_options_that_need_other_options(tmp_path: Path) -> None:
    text = """option high: 1..20 = low + 2
option low: 1..9 = 3
phase Play: finish {player(1) if high = 7 else player(2)}
"""
    assert play(tmp_path, text).winners == {2}
    assert play(tmp_path, text, low=5).winners == {1}


def test_score_may_be_used_by_definitions(tmp_path: Path) -> None:
    text = """define lead(p: player) = score(p) - score(left(p))
score(p: player) = p.seat * 2
phase Play: finish most(p by lead(p) for p in players)
"""
    assert play(tmp_path, text).winners == {2}


def test_the_rest_goes_to_the_owner_of_the_place(tmp_path: Path) -> None:
    text = """token Coin: gold 20
component Card count 9
each player has:
    place purse: bag of Coin, at most 2 rest to my.vault
    place vault: bag of Coin
    place hand: bag of Card, at most 1 rest to my.bench
    place bench: bag of Card
setup:
    move 5 of gold from box(Coin) to player(2).purse
    for c in Card: move c to player(1).hand
phase Play:
    as player(1):
        if count(player(2).vault) = 3 and count(my.vault) = 0 and count(my.bench) = 8: finish {me}
"""
    assert play(tmp_path, text).winners == {1}
