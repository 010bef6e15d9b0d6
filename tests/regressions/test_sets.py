"""Tests over two sets, differences, and what a loop works out in front of it."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.play.scenarios import run_scenarios

SPEC = """
game "Sets" for 3 players:
    "Choose."

kinds Hue: red, green, blue
component Card:
    hues: set of Hue
rows Card:
    | hues       |
    | red        |
    | red, green |
    | none       |
place table: grid of Card
piece pawn on Card
state open: set of Hue = {}

define rivals(p: player) = players - {p}
define meets(a: set of Hue, b: set of Hue) = any(h in b for h in a)
define apart(a: set of Hue, b: set of Hue) = none(h in b for h in a)
define avoids(a: set of Hue, b: set of Hue) = every(h not in b for h in a)
define within(a: set of Hue, b: set of Hue) = every(h in b for h in a)
define painted = {c for c in Card where c.hues != {}}
define fitting = {c for c in Card where meets(c.hues, open)}
define fallback = fitting if fitting != {} else painted
define open_hues = {h for h in Hue where h in open}

phase Play:
    turns Round p:
        choose q in rivals(me), c in fallback
        set open = c.hues

scenario "everybody but me, whoever I am":
    when:
        player(1) chooses player(1) refused
        player(1) chooses player(2), the(c for c in Card where c.hues = {red})
    then:
        check rivals(player(1)) = {player(2), player(3)}
        check rivals(player(2)) = {player(1), player(3)}
        check rivals(player(3)) = {player(1), player(2)}
        check open_hues = {red}

scenario "two sets":
    then:
        check meets({red, blue}, {blue}) and not meets({red}, {blue}) and not meets({}, {red})
        check apart({red}, {blue}) and not apart({red, blue}, {blue}) and apart({}, {red})
        check avoids({red}, {blue}) and not avoids({red, blue}, {blue}) and avoids({}, {})
        check within({red}, {red, blue}) and not within({red, blue}, {blue}) and within({}, {blue})

scenario "one or the other":
    then:
        check count(fallback) = 2
    given:
        set open = {green}
    then:
        check fallback = {c for c in Card where green in c.hues}
"""

NOWHERE = """
game "Nowhere" for 1 player:
    "Ask where the pawn stands."

component Card count 2
piece pawn on Card
define standing = the({pawn.on})

phase Play:
    turns Round p:
        choose c in Card where c != standing
        finish {me}
"""


def test_scenarios_hold(tmp_path: Path) -> None:
    path = tmp_path / "sets.dragon"
    path.write_text(SPEC, encoding="utf-8")
    assert [o.problem for o in run_scenarios(dr.load(path))] == [None, None, None]


def test_the_one_thing_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.dragon"
    path.write_text(NOWHERE, encoding="utf-8")
    with pytest.raises(dr.PlayError, match="D0909"):
        dr.load(path).start()
