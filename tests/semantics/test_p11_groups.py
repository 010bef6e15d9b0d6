"""P11. One `choose` is one group; what is offered can always be completed."""

from __future__ import annotations

from random import Random

import pytest

from .table import keys, pick, start


def test_one_statement_is_one_group() -> None:
    match = start("""
phase Play:
    as player(1):
        choose a in 1..2, b in 3..4, n[k in 1..2] in 0..1
        choose c in 1..2
""")
    seen = []
    while not match.over:
        d = match.decision
        assert d is not None
        seen.append((d.group, d.name, d.first, d.last))
        match.choose(0)
    groups = [group for group, *_ in seen]
    assert len(set(groups)) == 2
    assert groups == sorted(groups)
    assert [rest for _, *rest in seen] == [
        ["a", True, False],
        ["b", False, False],
        ["n", False, True],
        ["n", False, True],
        ["c", True, True],
    ]


def test_others_notice_a_group_as_a_whole() -> None:
    match = start(
        "phase Play:\n    as player(1):\n        choose a in 1..2, b in 3..4\n        choose c in 1..2\n"
    )
    before = match.observations(2)
    pick(match, 1)
    assert match.observations(2) == before
    pick(match, 3)
    assert [event[-1] for event in match.observations(2)[len(before) :]] == [("a", 1), ("b", 3)]


def test_a_prefix_is_offered_only_if_it_can_be_completed() -> None:
    match = start(
        "phase Play: as player(1): choose a in 1..9, b in 1..4, c in 1..4 where a = b * c and b < c\n"
    )
    assert keys(match) == [2, 3, 4, 6, 8]
    assert keys(pick(match, 4)) == [1]


VECTORS = {
    "total": "choose n[k in 1..3] in 0..4 where sum(n[j] for j in 1..3) = 5",
    "per cell": "choose n[k in 1..3] in 0..4 where n[k] != 2 where sum(n[j] for j in 1..3) in 3..4",
    "between cells": "choose n[k in 1..3] in 0..4 where n[1] + n[2] <= 2 where n[3] >= n[1] + 3",
    "bounds that overlap": "choose n[k in 1..3] in 0..2 where n[2] + n[3] = 2 and n[1] + n[2] <= 2",
    "two vectors": "choose a[k in 1..2] in 0..3, b[j in 1..2] in 0..3 where sum(a[i] for i in 1..2) + sum(b[i] for i in 1..2) = 9",
    "vector, then a value": "choose a[k in 1..2] in 0..3, c in 1..3 where a[1] + a[2] = c * 2",
    "value, then a vector": "choose c in 1..9, a[k in 1..2] in 0..3 where a[1] + a[2] = c",
    "not linear": "choose a[k in 1..3] in 0..3 where a[1] * a[2] = 6 where a[3] = a[1] * 2 - a[2]",
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_never_lead_into_a_dead_end(name: str) -> None:
    first = start(f"phase Play: as player(1): {VECTORS[name]}\n")
    for seed in range(25):
        random = Random(seed)
        match = first.fork()
        while not match.over:
            assert match.decision is not None
            match.choose(random.randrange(len(match.decision.options)))


def test_the_same_in_the_header_of_an_action() -> None:
    """Whether it is possible, and what it then offers, agree."""
    rules = """
token Gem: red 3, blue 3
each player has: place purse: bag of Gem
setup:
    move 2 of red from box(Gem) to player(1).purse
    move 1 of blue from box(Gem) to player(1).purse
phase Play:
    for p in players as p:
        may pay({price})
    as player(1): choose n in 1..2
action pay(price: 1..9):
    choose n[k in Gem] in 0..my.purse[k], m in 0..2 where sum(n[j] for j in Gem) + m = price
"""
    rich = start(rules.replace("{price}", "5"))
    assert keys(rich) == ["pay", "no"]
    assert keys(pick(rich, "pay")) == [2]
    assert keys(start(rules.replace("{price}", "6"))) == [1, 2]
