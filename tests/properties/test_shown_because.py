"""That something is shown tells something to those who notice it, if a secret decides whether."""

from __future__ import annotations

import pytest
from dragonrules.grammar import Report, Source, parse
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.review.secrecy import information_flow

from .leaks import SECRETS
from .leaks import TABLE as LEAKING

TABLE = """
game "Shown" for 3 players
each player has:
    state luck: 1..2 = 1, seen by owner
    state fate: 1..2 = 1, seen by nobody
define one = player(1)
define two = player(2)
setup:
    for p in players:
        roll s in 1..2 seen by {p}
        set p.luck = s
        roll f in 1..2 seen by nobody
        set p.fate = f
phase Play:
"""


def codes(*lines: str) -> list[str]:
    report = Report()
    text = TABLE + "".join(f"    {line}\n" for line in lines)
    game = check(parse(Source("shown.dragon", text), report), report)
    assert not report.errors, [d.message for d in report.errors]
    found = Report()
    information_flow(game, found)
    return [d.code for d in found if d.code != "D0403"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("if one.luck = 2: reveal two.luck to one", ["D0412"]),  # player 2 notices it
        ("if one.luck = 2: reveal two.luck to one secretly", []),  # only player 1, who knows why
        ("if one.luck = 2: reveal one.fate to two secretly", ["D0412"]),  # player 2 does not
        ("if two.luck = 2: reveal one.fate to two", []),
        ("if one.luck = 2: reveal one.luck to two", ["D0414"]),  # else player 2 is not shown it
        ("if one.luck = 2: reveal one.luck to two secretly", ["D0414"]),  # in secret, too
        ("if two.luck = 2: reveal one.luck to two secretly", []),
        ("if told_to_all = 1: reveal one.luck to two", []),
    ],
)
def test_who_notices_must_know_why(line: str, wanted: list[str]) -> None:
    declared = "let told_to_all = 1" if "told_to_all" in line else "let told_to_nobody = 1"
    assert codes(declared, line) == wanted


MENU = """
setup:
    for p in players:
        roll s in 1..2 seen by {p}
        set p.secret = s
    move all from box(Gem) to one.screen
phase Play:
    as one: offer deed
    as two: choose n in 1..2
action wait in deed: mark(1)
action spend in deed:
    require {needs}
    {does}
"""


@pytest.mark.parametrize(
    ("needs", "does", "codes"),
    [
        ("my.secret = 2", "mark(2)", ["D0407"]),
        ("my.secret = 2", "set my.secret = 1", ["D0407"]),  # it is gone, but nobody sees that it was there
        ("my.screen[ruby] > 0", "move 1 of ruby from my.screen to bag", ["D0407"]),
        ("my.screen[ruby] > 0", "move 1 of ruby from my.screen to box(Gem)", []),  # all see what is spent
        ("my.secret = 2", "reveal my.secret to all", []),
        ("my.secret = 2", "open_up()", []),
    ],
)
def test_an_action_of_a_menu_tells_what_it_requires(needs: str, does: str, codes: list[str]) -> None:
    more = "rule open_up(): reveal me_.secret to all\ndefine me_ = player(1)\n" if "open_up" in does else ""
    text = LEAKING + MENU.replace("{needs}", needs).replace("{does}", does) + more
    report = Report()
    game = check(parse(Source("menu.dragon", text), report), report)
    assert not report.errors, [d.message for d in report.errors]
    found = Report()
    information_flow(game, found)
    assert [d.code for d in found if d.code == "D0407"] == codes


@pytest.mark.parametrize(
    ("when", "codes"),
    [
        ("told = 4 and one.secret = 2", ["D0414"]),
        ("told = 4 and revealed(one.secret) = 2", []),
        ("told = 5", []),
    ],
)
def test_all_see_that_the_match_ends(when: str, codes: list[str]) -> None:
    text = (
        f"{LEAKING}{SECRETS}phase Play:\n    mark(4)\n    as two: choose n in 1..2\n"
        f"ending e for p in players when {when}: finish {{p}}\n"
    )
    report = Report()
    game = check(parse(Source("ending.dragon", text), report), report)
    assert not report.errors, [d.message for d in report.errors]
    found = Report()
    information_flow(game, found)
    assert [d.code for d in found if d.code != "D0403"] == codes


CELLS = """
setup:
    move 1 of ruby from box(Gem) to one.screen
phase Play:
    as one: {asks}
    as two: choose n in 1..2
"""


@pytest.mark.parametrize(
    ("asks", "codes"),
    [
        ("choose v[k in Gem] in 0..my.screen[k]", ["D0407"]),  # with nothing on the screen nothing is asked
        ("choose v[k in Gem] in 0..2 where v[k] <= my.screen[k]", ["D0407"]),
        ("pick 0..all from my.screen to bag", ["D0407"]),
        ("choose m in 1..2, v[k in Gem] in 0..my.screen[k]", []),
        ("choose v[k in Gem] in 0..2", []),
        ("choose v[k in Gem] in 0..revealed(my.screen[k])", []),
    ],
)
def test_a_vector_that_leaves_no_choice_is_not_asked(asks: str, codes: list[str]) -> None:
    report = Report()
    game = check(parse(Source("cells.dragon", LEAKING + CELLS.replace("{asks}", asks)), report), report)
    assert not report.errors, [d.message for d in report.errors]
    found = Report()
    information_flow(game, found)
    assert [d.code for d in found if d.code == "D0407"] == codes
