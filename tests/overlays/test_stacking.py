"""Several variants: found by name, one on top of the other, in which order."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .laying import codes_of as told
from .laying import loaded, stall

TOLL_FIRST = 'variant "Second" of stall after "First":\n    set goal = 7\n'
FIRST = 'variant "First" of stall:\n    set goal = 3\n'


def test_after_decides_the_order_however_they_are_asked_for(tmp_path: Path) -> None:
    game = stall(tmp_path, FIRST, TOLL_FIRST)
    for names in (["First", "Second"], ["second", "first"]):
        assert dr.load(game, variants=names).options["goal"] == 7


def test_after_reaches_through_others(tmp_path: Path) -> None:
    third = 'variant "Third" of stall after "Second":\n    set goal = 8\n'
    game = stall(tmp_path, FIRST, TOLL_FIRST, third)
    assert dr.load(game, variants=["Third", "First", "Second"]).options["goal"] == 8


def test_a_variant_of_a_variant(tmp_path: Path) -> None:
    upper = 'variant "Upper" of "stall_v1.dragon":\n    set goal = 9\n'
    game = stall(tmp_path, FIRST, upper)
    assert dr.load(game, variants=["Upper"]).options["goal"] == 9
    assert dr.load(game, variants=["First", "Upper"]).options["goal"] == 9
    alone = dr.load(tmp_path / "variants" / "stall_v2.dragon")
    assert alone.options["goal"] == 9
    assert alone.fingerprint == dr.load(game, variants=["v2"]).fingerprint


def test_the_file_of_a_variant_stands_for_the_game(tmp_path: Path) -> None:
    stall(tmp_path, FIRST)
    game = dr.load(tmp_path / "variants" / "stall_v1.dragon", options={"long": "yes"})
    assert game.name == "Stall"
    assert game.options == {"goal": 3, "long": True}


def test_an_edit_of_the_variant_below_is_noticed(tmp_path: Path) -> None:
    upper = 'variant "Upper" of "stall_v1.dragon":\n    set long = yes\n'
    stall(tmp_path, FIRST, upper)
    path = tmp_path / "variants" / "stall_v2.dragon"
    assert dr.load(path).options["goal"] == 3
    stall(tmp_path, FIRST.replace("3", "4"))
    assert dr.load(path).options["goal"] == 4


def test_a_variant_found_by_its_title_brings_what_stands_beside_it(tmp_path: Path) -> None:
    game = stall(tmp_path, 'define bonus = 3\n\nvariant "Bonus" of stall:\n    set wage = bonus\n')
    (tmp_path / "variants" / "stall_v1.dragon").rename(tmp_path / "variants" / "something_else.dragon")
    assert "bonus" in dr.load(game, variants=["Bonus"]).checked.defines


def test_steps_and_declarations_before_and_after(tmp_path: Path) -> None:
    game = loaded(
        tmp_path,
        "    before step Day.trade: set my.served = yes\n"
        "    after step Day.trade:\n        if my.served: move 1 of copper from till to my.purse\n"
        "    before phase Market:\n        phase Dawn:\n"
        "            for p in players: move 1 of gold from till to p.purse\n"
        "    after place player.purse:\n        define first_thing = 1\n"
        "    before ending rich:\n        ending spoilt for p in players when p.purse[gold] > 1: finish {p}\n",
    )
    assert [p.name for p in game.checked.phases if p.name != "setup"] == ["Dawn", "Market"]
    assert list(game.checked.endings) == ["spoilt", "rich", "late"]
    match = game.start(2)
    match.choose(("offer", "rest"))
    assert match.view(1)["places"]["player 1: purse"] == {"contents": (("copper", 1), ("gold", 1))}


def test_the_last_step_may_go(tmp_path: Path) -> None:
    game = loaded(
        tmp_path, "    remove step Day.open\n    remove step Day.trade\n    remove step Day.close\n"
    )
    assert game.start(2).over


def test_steps_of_setup(tmp_path: Path) -> None:
    game = loaded(
        tmp_path,
        "    replace step setup.deal: move 2 of gold from box(Coin) to till\n"
        "    after step setup.deal: for p in players: move 1 of gold from till to p.purse\n",
    )
    match = game.start(2)
    assert match.view(1)["places"]["till"] == {"contents": ()}
    assert match.view(1)["places"]["player 1: purse"] == {"contents": (("gold", 1),)}


def test_a_step_that_is_almost_in_setup(tmp_path: Path) -> None:
    with pytest.raises(
        dr.SpecError, match=r"the game has no step `setup.dael`(.|\n)*did you mean `setup.deal`"
    ):
        loaded(tmp_path, "    remove step setup.dael\n")


@pytest.mark.parametrize(
    ("wanted", "players"),
    [
        (["2 to 6"], (2, 3, 4, 5, 6)),
        (["5 or 6"], (5, 6)),
        (["2 to 6", "1 or 3 or 6"], (3, 6)),
        ([], (2, 3, 4)),
    ],
)
def test_a_variant_says_for_how_many_players_it_is(
    wanted: list[str], players: tuple[int, ...], tmp_path: Path
) -> None:
    """Also for more than the base; several for the numbers that all of them list."""
    bodies = [
        f'variant "V{n}" of stall for {numbers} players:\n    define new{n} = {n}\n'
        for n, numbers in enumerate(wanted)
    ]
    game = loaded(tmp_path, *bodies)
    assert game.players == players
    assert game.start(players[-1]).players == players[-1]


def test_scenarios_for_numbers_that_another_variant_rules_out(tmp_path: Path) -> None:
    """They are right where they stand, and nothing to complain about beside a variant for other numbers."""
    three = 'variant "Three" of stall:\n    set goal = 3\n    scenario "three" for 3 players:\n        then:\n            check yes\n'
    beside = '\nscenario "beside" for 2 players:\n    then:\n        check yes\n'
    four = 'variant "Four" of stall for 4 players:\n    set wage = 1\n'
    assert loaded(tmp_path, three + beside, four).players == (4,)
    assert loaded(tmp_path, four, three + beside).players == (4,)
    wrong = four + '    scenario "wrong" for 3 players:\n        then:\n            check yes\n'
    with pytest.raises(dr.SpecError, match="the game is not for 3 players"):
        loaded(tmp_path, wrong)


REWRITES = [
    ("replace rule collect(p: player): nothing", "replace rule collect(p: player): pay_toll(p)"),
    ("replace rule collect(p: player): nothing", "remove rule collect"),
    ("replace step Day.close: nothing", "replace step Day.close: collect(me)"),
    ("after step Day.close: collect(me)", "remove phase Market"),
    ("change token Coin: gold = 9", "replace token Coin: copper 20, gold 4"),
    ("change rows Card where colour = red: count = 3", "remove rows Card where colour = red"),
    ("set goal = 8", "replace option goal: 2..9 = 7"),
]


@pytest.mark.parametrize(("lower", "upper"), REWRITES)
def test_what_another_has_rewritten_is_not_lost_in_silence(lower: str, upper: str, tmp_path: Path) -> None:
    def codes(clause: str) -> set[str]:
        below = f'variant "Lower" of stall:\n    {lower}\n'
        above = f'variant "Upper" of stall {clause}:\n    {upper}\n    remove always cards\n'
        return told(stall(tmp_path, below, above), "v1", "v2") & {"D0603", "D0611"}

    counts_too = lower.startswith("change token")  # it changes a part that the new one has too
    assert codes("") == (set() if counts_too else {"D0603"})
    assert codes('after "Lower"') == {"D0611"}
    assert codes('needs "Lower"') == set()


def test_a_circle_is_found_when_the_file_itself_is_loaded(tmp_path: Path) -> None:
    one, two = (
        'variant "One" of "stall_v2.dragon":\n    set goal = 3\n',
        'variant "Two" of "stall_v1.dragon":\n    set goal = 4\n',
    )
    stall(tmp_path, one, two)
    with pytest.raises(dr.SpecError, match="D0608"):
        dr.load(tmp_path / "variants" / "stall_v1.dragon")
    itself = tmp_path / "alone.dragon"
    itself.write_text('variant "Alone" of alone:\n    set goal = 3\n', encoding="utf-8")
    with pytest.raises(dr.SpecError, match="builds on itself"):
        dr.load(itself)


def test_the_fingerprint_is_blind_to_layout_docs_and_cites(tmp_path: Path) -> None:
    path = stall(tmp_path)
    before = dr.load(path).fingerprint
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('    "Wages."\n', '    "What work is worth."\n')
        .replace("[ST-3]", "[ST-4]")
        .replace("  |", " |"),
        encoding="utf-8",
    )
    assert dr.load(path).fingerprint == before
    path.write_text(text.replace("copper 20", "copper 21"), encoding="utf-8")
    assert dr.load(path).fingerprint != before
