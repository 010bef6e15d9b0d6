"""P17. Every number has a range; leaving it is an error, never a wrap."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, place, refusal, start, value

RANGES = """
state small: 0..3 = 2
state slots[1..3]: 0..9 = 0
state big: 0..99 = 50
record Deal at most 2:
    n: 0..3
table toll(n: 1..3) -> 1..9:
    | n    | toll |
    | 1..2 | 4    |
    | 3    | 7    |
rule take(n: 1..2): note_down(n)
define twice(n: 1..3) = n * 2
rule give() -> 1..3: return big
phase Play:
    {body}
    finish {{player(1)}}
"""


@pytest.mark.parametrize(
    "body",
    [
        "set small = big",
        "change small by 2",
        "change small by -3",
        "set slots[big] = 1",
        "let x = slots[big]",
        "take(big)",
        "let x = twice(big)",
        "let x = toll(big)",
        "let x = give()",
        "note Deal(n: big)",
        "let x = player(big)",
    ],
)
def test_leaving_a_range_is_an_error_at_play(body: str) -> None:
    with pytest.raises(dr.PlayError) as caught:
        start(RANGES.format(body=body))
    assert caught.value.diagnostic.code == "D0902", body


def test_what_can_never_fit_is_found_before_play() -> None:
    for body in ("set small = 7", "take(3)", "let x = toll(0)", "set slots[4] = 1"):
        assert "D0303" in refusal(RANGES.format(body=body)), body


def test_inside_its_range_nothing_is_said() -> None:
    match = start(RANGES.format(body="set small = big - 49"))
    assert value(match, "small") == 1


def test_division_rounds_down() -> None:
    match = start("""
state a: -9..9 = 0
state b: -9..9 = 0
state zero: 0..3 = 0
phase Play:
    set a = 7 / 2
    set b = -7 / 2
    note_down(7 mod 4)
    finish {}
""")
    assert (value(match, "a"), value(match, "b"), diary(match)) == (3, -4, 3)


def test_division_by_zero_is_an_error_at_play() -> None:
    with pytest.raises(dr.PlayError):
        start("state zero: 0..3 = 0\nstate a: 0..9 = 0\nphase Play: set a = 8 / zero\n")
    assert "D0303" in refusal("state a: 0..9 = 0\nphase Play: set a = 8 / 0\n")


def test_a_full_place_lets_the_rest_go_elsewhere() -> None:
    match = start("""
token Gem: red 9
place reserve: bag of Gem
each player has: place purse: bag of Gem, at most 5 rest to reserve
setup: move 4 of red from box(Gem) to player(1).purse
phase Play:
    move 3 of red from box(Gem) to player(1).purse
    finish {}
always all_there: total(Gem) = 9
""")
    assert place(match, "player 1: purse")["contents"] == (("red", 5),)
    assert place(match, "reserve")["contents"] == (("red", 2),)


def test_a_full_place_without_a_rest_is_an_error() -> None:
    with pytest.raises(dr.PlayError) as caught:
        start(
            "token Gem: red 9\nplace purse: bag of Gem, at most 5\nphase Play: move 6 of red from box(Gem) to purse\n"
        )
    assert caught.value.diagnostic.code == "D0906"


def test_tables_are_total() -> None:
    assert "D0311" in refusal("table t(n: 1..3) -> 0..9:\n    | n | t |\n    | 1 | 4 |\n    | 3 | 5 |\n")


def test_ranges_by_number_of_players() -> None:
    """The same rules are specialised for each number of players."""
    rules = """
table share(n: 2..4) -> 0..9:
    | n | share |
    | 2 | 6     |
    | 3 | 4     |
    | 4 | 3     |
phase Play: note_down(share(player_count))
"""
    assert [diary(start(rules, players=n)) for n in (2, 3, 4)] == [6, 4, 3]


@pytest.mark.parametrize(("wide", "narrow"), [("0..40", "0..9"), ("0..100", "0..9"), ("-5..200", "0..100")])
def test_members_of_a_set_keep_to_the_range_of_its_type(wide: str, narrow: str) -> None:
    rules = f"""
state many: set of {wide} = {{3}}
state few: set of {narrow} = {{}}
phase Play:
    set few = many
    as player(1): choose n in few
    set many = many + {{int}}
    set few = many
""".replace("int", wide.split("..")[1])
    match = start(rules)
    with pytest.raises(dr.PlayError) as caught:
        match.choose(0)
    assert caught.value.diagnostic.code == "D0902"
    assert caught.value.diagnostic.message.endswith(f"outside {narrow}")
