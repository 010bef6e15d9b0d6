"""Actions and views as numbers: complete, apart from each other, the same everywhere, and blind to what is hidden."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.games import __file__ as games_file

GAMES = Path(games_file).parent
SPECS = sorted(p.stem for p in (*GAMES.glob("*.dragon"), *(GAMES / "classics").glob("*.dragon")))
VARIANTS = sorted(p.stem for p in (GAMES / "variants").glob("*.dragon"))
FOUR = ("dragon_keeper", "dragons_gold", "drakon", "ryu")


def tables() -> list[tuple[str, tuple[str, ...]]]:
    named = [(next(game for game in FOUR if v.startswith(game)), (v,)) for v in VARIANTS]
    return [(spec, ()) for spec in SPECS] + [(g, (v.removeprefix(f"{g}_"),)) for g, (v,) in named]


def library() -> list[tuple[str, tuple[str, ...]]]:
    """The games that everybody knows: more than the everyday suite has time for."""
    return [(p.stem, ()) for p in sorted((GAMES / "library").glob("*/*.dragon"))]


@pytest.mark.parametrize(("spec", "variants"), tables(), ids=lambda value: str(value))
def test_every_option_has_a_number_of_its_own(spec: str, variants: tuple[str, ...]) -> None:
    game = dr.load(spec, variants=variants)
    for players in {game.players[0], game.players[-1]}:
        actions, encoding = game.actions(players), game.encoding(players)
        match = game.start(players, seed=3)
        for turn in range(60):
            decision = match.decision
            if decision is None:
                break
            numbers = actions.numbers(decision)
            assert len(set(numbers)) == len(numbers)
            assert 0 <= min(numbers) <= max(numbers) < actions.count
            for option, number in zip(decision.options, numbers, strict=True):
                assert actions.option(decision, number) == option
            for seat in range(1, players + 1):
                seen = encoding.encode(match.view(seat), decision if seat == decision.player else None)
                assert len(seen) == encoding.size
                assert all(-1 <= value <= 1.000001 for value in seen)
            match.choose(decision.options[turn * 7 % len(decision.options)])


def test_descriptions_tell_all_actions_apart() -> None:
    for spec in ("dragon_keeper", "dragons_gold", "leduc_poker", "breakthrough"):
        actions = dr.load(spec).actions()
        words = [actions.describe(number) for number in range(actions.count)]
        assert len(set(words)) == actions.count


def test_an_action_that_is_not_there_is_refused() -> None:
    actions = dr.load("tic_tac_toe").actions()
    with pytest.raises(dr.UsageError, match="there is no action 9; there are 9"):
        actions.describe(9)
    match = dr.load("tic_tac_toe").start()
    match.choose(4)
    with pytest.raises(dr.UsageError, match="action 4 is not among the options"):
        actions.option(match.decision, 4)


REORDERED = """
game "Two Piles" for 2 players:
    "Take one or two from a pile."

token Bean: bean 12

place left: bag of Bean, seen by all
place right: bag of Bean, seen by all

setup:
    move 5 of bean from box(Bean) to left
    move 5 of bean from box(Bean) to right

phase Play:
    turns Round p:
        offer take else finish {}
{rules}
"""
TAKE_LEFT = """
action take_left in take:
    choose n in 1..2 where n <= count(left)
    move n of bean from left to box(Bean)
"""
TAKE_RIGHT = """
action take_right in take:
    choose n in 1..2 where n <= count(right)
    move n of bean from right to box(Bean)
"""


def test_numbers_do_not_depend_on_the_order_or_layout_of_a_rule_file() -> None:
    one = dr.loads(REORDERED.replace("{rules}", TAKE_LEFT + TAKE_RIGHT))
    other = dr.loads(REORDERED.replace("{rules}", TAKE_RIGHT + "\n# a remark\n" + TAKE_LEFT))
    assert one.actions().fingerprint == other.actions().fingerprint
    assert one.encoding().fingerprint == other.encoding().fingerprint
    third = dr.loads(REORDERED.replace("{rules}", TAKE_LEFT.replace("1..2", "1..3") + TAKE_RIGHT))
    assert third.actions().fingerprint != one.actions().fingerprint


def test_numbers_are_the_same_in_another_process() -> None:
    program = (
        "import dragonrules as dr\n"
        "for s in ('drakon', 'dragons_gold', 'kuhn_poker'):\n"
        "    g = dr.load(s); print(g.actions().fingerprint, g.encoding().fingerprint)\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_one_coin_is_the_same_action_whatever_it_is_called() -> None:
    actions = dr.load("dragon_keeper").actions()
    faces = next(block.domain for block in actions.blocks.values() if block.name == "r")
    names = [name for name, face in faces.faces.items() if face == faces.faces["Adventurer#1"]]
    assert len(names) > 1
    assert {faces.places([name])[0] for name in names} == {faces.firsts[0]}
    assert sorted(faces.places(names)) == list(range(faces.firsts[0], faces.firsts[0] + len(names)))


def test_what_a_seat_cannot_see_does_not_show() -> None:
    """Two deals of Kuhn poker that differ in the other's card alone."""
    game = dr.load("kuhn_poker")
    seen = {}
    for other in range(2):
        match = game.start(chance="ask")
        match.resolve(2)
        match.resolve(other)
        assert match.decision is not None and match.decision.player == 1
        encoded = tuple(game.encoding().encode(match.view(1), match.decision))
        seen[encoded] = match.information_state(1), match.information_state(2)
        theirs = tuple(game.encoding().encode(match.view(2)))
        seen[theirs] = ("", "")
    assert len(seen) == 3  # mine once, theirs twice


def test_information_states_are_observations() -> None:
    game = dr.load("leduc_poker")
    by_text: dict[tuple[int, str], object] = {}
    for seed in range(40):
        match = game.start(seed=seed)
        while match.decision is not None:
            for seat in (1, 2):
                text = match.information_state(seat)
                assert by_text.setdefault((seat, text), match.observations(seat)) == match.observations(seat)
            match.choose((seed + match.decisions) % len(match.decision.options))
    assert len(by_text) == len({(seat, seen) for (seat, _), seen in by_text.items()})
