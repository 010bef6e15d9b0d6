"""A match that goes on by other rules from where it stands."""

from __future__ import annotations

import json
import random
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.loading import resume
from dragonrules.interpreter.play.crossing import crossed
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.play.replay import Replay, first_difference

BASE = """\
game "Hunt" for 2 to 3 players
kinds Beast: wolf, bear
option goal: 1..9 = 5
token Coin: gold 9
component Card:
    beast: Beast
rows Card:
    | beast | count |
    | wolf  | 3     |
    | bear  | 2     |
place pile: deck of Card
place found: row of Card, seen by all
place hoard: bag of Coin, seen by all
state luck: 0..9 = 0
each player has:
    place hand: bag of Card, seen by owner
    place purse: bag of Coin, seen by all
setup:
    move Card to pile
    move all from box(Coin) to hoard
rule earn(p: player):
    move 1 of gold from hoard to p.purse
action hunt in turn_action:
    require pile != {} because "nothing is left"
    let c = draw 1 from pile to my.hand else return
    earn(me)
action show_one in turn_action:
    choose c in my.hand, n in 1..2
    move c to found
    set luck = luck + n
ending rich for p in players when count(p.purse) >= goal: finish {p}
phase Play:
    turns p:
        offer turn_action else finish {}
"""


def over(name: str, lines: str, players: str = "") -> str:
    return f'variant "{name}" of hunt{players}:\n' + "".join(f"    {line}\n" for line in lines.splitlines())


def game(*variants: str) -> dr.Game:
    return dr.loads(BASE, variants=variants)


def hunted(match: Match, *choices: str) -> Match:
    for words in choices:
        match.choose(words)
    return match


def purse(match: Match, player: int) -> dict[str, int]:
    return dict(match.everything()["places"][f"player {player}: purse"]["contents"])


def under(match: Match, *variants: str) -> tuple[Match, list[str]]:
    return crossed(match, game(*variants))


def refused(match: Match, *variants: str) -> str:
    with pytest.raises(dr.DragonError) as caught:
        under(match, *variants)
    return (
        str(caught.value)
        .splitlines()[0]
        .removeprefix("error[D0712]: the match cannot go on by these rules from here: ")
    )


def start(players: int = 2) -> Match:
    return game().start(players, seed=3)


# ---------------------------------------------------------------- what is carried over
@pytest.mark.parametrize(("name", "players"), [("drakon", 3), ("dragon_keeper", 3), ("dragons_gold", 3)])
def test_by_its_own_rules_it_is_the_same_match(name: str, players: int) -> None:
    rules = dr.load(name)
    match, dice, tried = rules.start(players, seed=2), random.Random(2), 0
    for step in range(60):
        if match.over:
            break
        if step % 15 == 0:
            twin = _by_its_own(match)
            if twin is not None:
                tried += 1
                assert twin.state.key() == match.state.key()
                assert twin.everything() == match.everything()
        match.choose(dice.choice(match.decision.options))  # type: ignore[union-attr]
    assert tried


def _by_its_own(match: Match) -> Match | None:
    """None where rules cannot be changed."""
    try:
        twin, notes = crossed(match, match.game)
    except dr.DragonError as problem:
        words = str(problem)
        if "middle of a choice" in words or "do not know yet" in words:
            return None
        raise
    assert not notes
    return twin


def test_what_comes_next_goes_by_the_new_rules() -> None:
    match = hunted(start(), "hunt", "hunt")
    twin, notes = under(match, over("Rich", "replace rule earn:\n    move 2 of gold from hoard to p.purse"))
    assert notes == []
    assert purse(twin, 1) == purse(twin, 2) == {"gold": 1}
    hunted(twin, "hunt")
    assert purse(twin, 1) == {"gold": 3}
    assert purse(match, 1) == {"gold": 1}


def test_new_components_are_shuffled_in_and_new_states_begin() -> None:
    fox = over(
        "Fox",
        "add kinds Beast: fox\nadd rows Card:\n    | beast | count |\n    | fox | 2 |\nstate omen: 0..3 = 2",
    )
    twin, notes = under(hunted(start(), "hunt"), fox)
    assert notes == [
        "2 of `Card` are new: shuffled into `pile`",
        "`omen` is new, and begins as it is declared",
    ]
    assert len(twin.everything()["places"]["pile"]["contents"]) == 6
    assert twin.everything()["states"]["omen"] == 2


def test_what_is_gone_must_not_lie_in_sight() -> None:
    bald = over("Bald", "remove rows Card where beast = wolf")
    assert under(start(), bald)[1] == ["3 of `Card` are gone"]
    match = hunted(start(), "hunt", "hunt", "hunt")  # there are two bears
    assert "is gone, and lies in `player.hand`" in refused(match, bald)


def test_what_is_printed_otherwise_is_the_same_card() -> None:
    match = hunted(start(), "hunt")
    other = game(over("Foxes", "change rows Card where beast = wolf: beast = bear"))
    _, notes = crossed(match, other)
    assert notes == ["3 of `Card` read otherwise now"]


def test_tokens_that_are_more_or_fewer() -> None:
    match = hunted(start(), "hunt")
    twin, notes = under(match, over("Poor", "replace token Coin: gold 4"))
    assert notes == ["5 fewer gold in `hoard`"]
    assert dict(twin.everything()["places"]["hoard"]["contents"]) == {"gold": 3}


def test_a_value_must_fit() -> None:
    match = hunted(start(), "hunt", "hunt", "show one")
    hunted(match, match.decision.options[0].label)  # type: ignore[union-attr]
    match.choose(1)
    assert refused(match, over("Small", "replace state luck: 0..1 = 0")) == (
        "`luck` is 2, and has to lie between 0 and 1"
    )


# ---------------------------------------------------------------- where it may not be done
def test_not_in_the_middle_of_a_choice_nor_of_a_rule_that_is_another() -> None:
    match = hunted(start(), "hunt", "hunt", "show one")
    changed = over("Other", 'replace action show_one in turn_action:\n    require no because "never"')
    assert refused(match, changed) == "the match stands in the middle of `show_one`, which is another now"
    hunted(match, match.decision.options[0].label)  # type: ignore[union-attr]
    assert refused(match) == "player 1 is in the middle of a choice"


def test_not_with_another_number_of_players() -> None:
    three = game(over("Three", "set goal = 4", " for 3 players"))
    with pytest.raises(dr.DragonError, match=r"D0705.*is for 3 players, and 2 sit at the table"):
        crossed(start(), three)


def test_not_when_it_is_over() -> None:
    match = start()
    while not match.over:
        match.choose(0)
    assert refused(match) == "it is over"


# ---------------------------------------------------------------- what is kept of it
RICH = over("Rich", "replace rule earn:\n    move 2 of gold from hoard to p.purse")


def crossing_match() -> Match:
    return hunted(under(hunted(start(), "hunt", "hunt"), RICH)[0], "hunt", "hunt")


def test_a_save_keeps_both_rule_sets(tmp_path: Path) -> None:
    match = crossing_match()
    match.save(tmp_path / "match.json")
    again = resume(tmp_path / "match.json")
    assert again == match
    assert again.origin is not None and len(again.origin.log) == len(start().log) + 4
    data = json.loads((tmp_path / "match.json").read_text())
    assert data["before"]["variants"] == [] and len(data["variants"]) == 1
    # written by another version: the log tells it, from the old rules on
    data["shape"] = "another"
    assert Match.from_json(again.game, {**data, "checksum": _sum(data)}, again.origin) == match


def _sum(data: dict[str, object]) -> str:
    from dragonrules.interpreter.play.saving import checksum

    return checksum(data)


def test_undo_goes_back_to_where_the_rules_were_changed() -> None:
    match = crossing_match()
    from dragonrules.interpreter.play.undoing import before_last_choice

    earlier = before_last_choice(match)
    assert earlier is not None
    earliest = before_last_choice(earlier)
    assert earliest is not None and earliest.log == []
    assert purse(earliest, 1) == {"gold": 1}
    assert before_last_choice(earliest) is None


def test_a_replay_begins_there_and_can_be_followed_under_others() -> None:
    match = crossing_match()
    replay = Replay(match.game, 2, match.seed, match.log, match.beginning(chance="ask"))
    assert replay.at(replay.steps).everything() == match.everything()
    assert first_difference(replay, match.game) is None
    poor = game(RICH, over("Never", 'replace action hunt in turn_action:\n    require no because "never"'))
    found = first_difference(replay, poor)
    assert found is not None and found.step == 0


def test_rules_can_be_changed_twice() -> None:
    twin, _ = crossed(crossing_match(), game(RICH, over("Goal", "set goal = 4")))
    assert hunted(twin, "hunt").winners == {1}
    assert twin.origin is not None and twin.origin.origin is not None
    assert dr.Match.from_json(twin.game, twin.to_json(), twin.origin) == twin
