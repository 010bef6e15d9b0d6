"""What changed, in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from .laying import put, told


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("set goal = 8", ["Option goal: 5 becomes 8."]),
        ("set wage = 3", ["Definition wage: `3` instead of `2`."]),
        ("replace option goal: 2..20 = 5", ["Option goal: may be 2..20 instead of 2..9."]),
        ("change token Coin: gold = 7", ["Token Coin: 7 gold instead of 6."]),
        (
            "change rows Card where colour = blue and value = 1: count = 5",
            ["Component Card: 5 blue 1 instead of 1."],
        ),
        ("remove rows Card where colour = blue and value = 1", ["Component Card: no blue 1 any more."]),
        (
            "change rows Card where value = 1 and colour = blue: value = 2",
            ["Component Card: blue 1 has value 2 instead of 1."],
        ),
        ("change table toll where coins >= 9: due = 3", ["Table toll: 3 instead of 1 for 9 to 20."]),
        (
            "change table price where colour = red and value = 3: price = 5",
            ["Table price: 5 instead of 4 for red 3."],
        ),
        (
            "replace rule collect(p: player): draw 2 at random from p.purse to till",
            ["Rule collect: draws 2 from p.purse instead of 1."],
        ),
        (
            'replace ending rich for p in players when count(p.purse) >= goal + 1: finish {p} because "rich"',
            ["Ending rich: plus `1`."],
        ),
        ("remove ending late", ["No ending late any more."]),
        ("remove state player.served", ["No state served of each player any more."]),
        (
            "replace place player.purse: bag of Coin, seen by all",
            ["Place player.purse: seen by all instead of seen by owner."],
        ),
        ("after step Day.trade: set my.served = yes", ["Phase Market: now also `set my.served = yes`."]),
        ("remove step Day.open", []),
        ("remove step Day.close", ["Phase Market: no longer `pay_toll(me)`."]),
        ("replace step Day.trade: may deal", ["Phase Market: `may deal` instead of `offer deal`."]),
        (
            'action beg in deal:\n        "Ask for a coin."\n        move 1 of copper from till to my.purse',
            ["New action beg (among deal): Ask for a coin."],
        ),
        (
            "replace ending late before turn when turn_number >= 30 and long: finish {}",
            ["Ending late: `turn_number >= 30 and long` instead of `turn_number >= (60 if long else 30)`."],
        ),
        ("define x = 3", ["New definition x: `3`."]),
        ("state rain: yes/no = no", ["New state rain, yes/no = no."]),
        ("each player has: state hat: 0..3 = 1", ["New state hat of each player, 0..3 = 1."]),
        (
            "trigger tax after earn: pay_toll(me)",
            ["New trigger tax, after `earn`: `pay_toll(me)`."],
        ),
    ],
)
def test_sentences(body: str, expected: list[str], tmp_path: Path) -> None:
    extra = "    remove always cards\n" if "rows" in body or "remove state" in body else ""
    found = told(tmp_path, f"{extra}    {body}\n")
    assert [line for line in found if "cards any more" not in line] == expected


def test_players(tmp_path: Path) -> None:
    body = 'variant "Two" of stall for 2 or 3 players:\n    set goal = 3\n'
    assert told(tmp_path, body)[0] == "For 2 or 3 players instead of 2 to 4."


def test_options_from_outside(tmp_path: Path) -> None:
    assert told(tmp_path, goal="7", long="yes") == [
        "Option goal: 5 becomes 7.",
        "Option long: no becomes yes.",
    ]


def test_where_and_by_whom(tmp_path: Path) -> None:
    found = put(tmp_path, "    set goal = 8  [HV-1]\n", "    set wage = 3\n").changes
    assert [c.variants for c in found] == [("V1",), ("V2",)]
    assert found[0].cites == ("HV-1",)
    assert found[1].new is not None
    assert found[1].new.text == "3"


def test_nothing(tmp_path: Path) -> None:
    assert told(tmp_path) == []
