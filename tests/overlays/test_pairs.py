"""Two variants that touch one thing, without a word about their order: a test for each cell of the table.

Whatever the order in which they are asked for, the verdict is the same: fine, a note, a warning
that the order shows, or a clash.
"""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .laying import codes_of, stall

FINE, NOTE, OPEN, CLASH = set[str](), {"D0614"}, {"D0613"}, {"D0603"}

REPLACE = "replace rule pay_toll(p: player):\n        step ask: collect(p)"
REPLACE_OTHER = "replace rule pay_toll(p: player): nothing"
WITH_OPEN = "replace phase Market:\n        turns Day p:\n            step open: nothing\n            step trade: offer deal"
REMOVE = "remove trigger bell"
SPEND = "move 1 of copper from p.purse to till"
EARN = "move 1 of copper from till to p.purse"

CELLS = [
    # replace
    (REPLACE, REPLACE_OTHER, CLASH),
    (REPLACE, REPLACE, FINE),
    ("replace trigger bell: nothing", REMOVE, CLASH),
    (WITH_OPEN, "replace step Day.trade: may deal", NOTE),
    (WITH_OPEN, "replace step Day.close: nothing", CLASH),
    ("replace option goal: 2..9 = 7", "set goal = 8", CLASH),
    ("replace place till: bag of Coin", "change place till: seen by nobody", NOTE),
    ("replace token Coin: copper 20, gold 6", "change token Coin: gold = 9", NOTE),
    ("replace token Coin: copper 20, silver 6", "change token Coin: gold = 9", CLASH),
    ("replace kinds Colour: red, green, blue, grey", "add kinds Colour: pink", NOTE),
    (WITH_OPEN, "after step Day.open: nothing", NOTE),
    (WITH_OPEN, "after step Day.close: nothing", CLASH),
    (REPLACE, "replace rule pay_toll:\n        original\n        nothing", NOTE),
    # remove
    (REMOVE, REMOVE, FINE),
    ("remove phase Market", "replace step Day.open: nothing", CLASH),
    ("remove option long", "set long = yes", CLASH),
    ("remove kinds Colour", "add kinds Colour: pink", CLASH),
    ("remove step Day.open", "after step Day.open: nothing", NOTE),
    ("remove step Day.open", "replace step Day.open: skip", CLASH),
    ("remove step Day.open", "remove step Day.open", FINE),
    ("remove ending late", "before ending late:\n        ending never_mind when no: finish {}", CLASH),
    (REMOVE, "replace trigger bell:\n        original\n        nothing", CLASH),
    # parts
    ("replace step Day.open: nothing", "replace step Day.close: nothing", FINE),
    ("replace step Day.close: collect(me)", "replace step Day.close: nothing", CLASH),
    ("set goal = 7", "set goal = 7", FINE),
    ("set goal = 7", "set goal = 8", CLASH),
    ("set goal = 7", "set wage = 3", FINE),
    (
        "change rows Card where colour = red: count = 3",
        "change rows Card where colour = blue: count = 3",
        FINE,
    ),
    ("change rows Card where colour = red: count = 3", "change rows Card where value = 1: count = 2", CLASH),
    ("change rows Card where colour = red: count = count + 1", "change rows Card: count = count - 1", FINE),
    ("change table toll where coins < 3: toll = 1", "change table toll where coins > 3: toll = 2", FINE),
    ("change place till: seen by nobody", "change place till: stack", FINE),
    ("change place till: seen by nobody", "change place till: seen by player(1)", CLASH),
    ("change option goal: 1..9", "change option goal: 2..20", FINE),
    ("change option goal: 1..9", "change option goal: 3..5", CLASH),
    ("change token Coin: gold = 9", "add token Coin: silver 3", FINE),
    ("replace step Day.open: nothing", "after step Day.open: nothing", FINE),
    ("replace step Day.open: nothing", "replace step Day.open:\n        original\n        nothing", FINE),
    # add
    ("add kinds Colour: pink", "add kinds Colour: grey", FINE),
    ("add kinds Colour: pink", "add kinds Colour: pink", CLASH),
    ("add token Coin: silver 3", "add token Coin: silver 4", CLASH),
    (
        "add rows toll:\n        | coins | due |\n        | 21 | 2 |",
        "add rows toll:\n        | coins | due |\n        | 22 | 2 |",
        FINE,
    ),
    (
        "add rows toll:\n        | coins | due |\n        | 21 | 2 |",
        "add rows toll:\n        | coins | due |\n        | 21 | 3 |",
        CLASH,
    ),
    ("add kinds Colour: pink", "after kinds Colour:\n        define more = 3", FINE),
    # before and after
    ("after step Day.close: set my.served = yes", "after step Day.close: nothing", FINE),
    ("after step Day.close: set my.served = yes", "before step Day.close: set my.served = no", FINE),
    ("after step Day.close: set my.served = yes", "after step Day.close: set my.served = no", OPEN),
    ("after step Day.close: collect(p)", f"after step Day.close: {EARN}", OPEN),
    (f"before step Day.close: {SPEND}", "replace step Day.close:\n        original\n        nothing", FINE),
    # wraps
    ("replace define wage = original + 1", "replace define wage = original + 2", FINE),
    ("replace define wage = original + 1", "replace define wage = 2 * original", OPEN),
    ("replace define due = original and goal > 2", "replace define due = original and goal > 3", FINE),
    ("replace define due = original and goal > 2", "replace define due = original or goal > 3", OPEN),
    (
        "replace rule collect:\n        if goal > 3: original",
        "replace rule collect:\n        if long: original",
        FINE,
    ),
    (
        f"replace rule collect:\n        {SPEND}\n        original",
        f"replace rule collect:\n        original\n        {EARN}",
        FINE,
    ),
    (
        f"replace rule collect:\n        original\n        {SPEND}",
        f"replace rule collect:\n        original\n        {EARN}",
        OPEN,
    ),
    (
        "replace rule collect:\n        original\n        set p.served = yes",
        f"replace rule collect:\n        original\n        {EARN}",
        FINE,
    ),
    (
        "replace rule collect:\n        if goal > 3: original",
        f"replace rule collect:\n        original\n        {EARN}",
        OPEN,
    ),
]

MORE = """
define due = goal > 4
trigger bell after Day(p) where due: set p.served = yes
"""


@pytest.mark.parametrize(("one", "two", "verdict"), CELLS)
def test_a_cell_of_the_table(one: str, two: str, verdict: set[str], tmp_path: Path) -> None:
    game = stall(tmp_path, f"    {one}\n", f"    {two}\n")
    game.write_text(game.read_text(encoding="utf-8") + MORE, encoding="utf-8")
    assert codes_of(game, "v1", "v2") == verdict
    assert codes_of(game, "v2", "v1") == verdict


def test_a_third_variant_has_the_last_word(tmp_path: Path) -> None:
    game = stall(
        tmp_path,
        'variant "A" of stall:\n    replace rule collect(p: player): nothing\n    set goal = 3\n',
        'variant "B" of stall:\n    replace rule collect(p: player): pay_toll(p)\n    set goal = 4\n',
        f'variant "Friday" of stall needs "A", "B":\n    replace rule collect(p: player): {SPEND}\n    set goal = 5\n',
    )
    assert codes_of(game, "A", "B") == {"D0603"}
    assert codes_of(game, "Friday") == set()
    assert dr.load(game, variants=["Friday"]).options["goal"] == 5


def test_several_wraps_chain_and_add_up(tmp_path: Path) -> None:
    game = stall(
        tmp_path,
        "    replace define wage = original + 1\n",
        "    replace define wage = original + 2\n",
        "    replace action earn:\n        require not my.served\n        original\n        set my.served = yes\n",
    )
    made = dr.load(game, variants=["v1", "v2", "v3"])
    match = made.start(2, seed=1)
    match.choose(("offer", "earn"))
    assert match.view(1)["places"]["player 1: purse"] == {"contents": (("copper", 5),)}


def test_own_names(tmp_path: Path) -> None:
    """Two that say `tips`, one each: a state of each player, a constant, a trigger."""
    body = (
        "    each player has: state tips: 0..9 = 0\n    define more = {n}\n"
        "    trigger noted after earn: change my.tips by more\n"
        "    ending spoilt_{n} for p in players when p.tips > 4: finish {{p}}\n"
    )
    game = stall(
        tmp_path,
        body.replace("{n}", "1").replace("{{p}}", "{p}"),
        body.replace("{n}", "2").replace("{{p}}", "{p}"),
    )
    assert codes_of(game, "v1", "v2") == set()
    made = dr.load(game, variants=["v1", "v2"])
    assert {"more", "more_of_v2"} <= set(made.checked.defines)
    assert {"player.tips", "player.tips_of_v2"} <= set(made.checked.states)
    assert {"noted", "noted_of_v2"} <= set(made.checked.triggers)


def test_one_name_from_two_that_are_needed(tmp_path: Path) -> None:
    game = stall(
        tmp_path,
        "    define more = 1\n",
        "    define more = 2\n",
        'variant "C" of stall needs "V1", "V2":\n    set wage = more\n',
        'variant "D" of stall needs "V2":\n    set wage = more\n',
    )
    assert codes_of(game, "C") == {"D0211"}
    assert codes_of(game, "D", "V1") == set()
