"""What each seat, and a spectator, can see while a match goes on."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import keys, pick, start

SEALED = """
token Man: w 1
place board: ring 6 of Man
record Bid at most 4:
    who: player
    amount: 0..9
each player has:
    piece pawn on board
    place hand: bag of Man, seen by owner
setup:
    for p in players: move p.pawn to space_at(board, 1, 1)
phase Play:
    together p in players:
        choose n in 1..3
        move my.pawn to space_at(board, n, 1)
    as player(1): choose n in 1..2
"""


def test_a_piece_moved_behind_a_seal_stays_where_it_was_for_others() -> None:
    match = start(SEALED)
    pick(match, 3)
    assert match.view(1)["pieces"]["pawn of player 1"] == (3, 1), "one's own is in sight"
    for viewer in (2, None):
        assert match.view(viewer)["pieces"]["pawn of player 1"] == (1, 1)
        assert not any(
            e[:2] == ("stands", "pawn of player 1") and e[2] == (3, 1) for e in match.observations(viewer)
        )
    assert match.observations(1)[-1] == ("stands", "pawn of player 1", (3, 1)), "who moves it notices at once"
    pick(match, 2)
    assert match.view(2)["pieces"]["pawn of player 1"] == (3, 1)
    assert ("stands", "pawn of player 1", (3, 1)) in match.observations(2)


SCORED = """
token Coin: gold 9
each player has:
    place purse: bag of Coin, seen by owner, size seen by owner
    state fame: 0..9 = 0
setup:
    for p in players: move p.seat of gold from box(Coin) to p.purse
phase Play:
    as player(1): choose n in 1..2
    finish players
"""


def test_scores_before_the_end_are_told_to_those_who_can_work_them_out() -> None:
    match = start(
        SCORED + "score(p: player) = wealth(p) + p.fame\ndefine wealth(p: player) = p.purse[gold]\n"
    )
    assert match.scores == {1: None, 2: None}
    assert match.view(1)["scores"] == {1: 1, 2: None}
    assert match.view(2)["scores"] == {1: None, 2: 2}
    assert match.view(None)["scores"] == {1: None, 2: None}
    pick(match, 1)
    assert match.scores == match.view(2)["scores"] == match.view(None)["scores"] == {1: 1, 2: 2}


@pytest.mark.parametrize(
    ("score", "mine", "all_see"),
    [
        ("p.fame", {1: 0, 2: 0}, {1: 0, 2: 0}),
        ("count(p.purse)", {1: 1, 2: None}, {1: None, 2: None}),
        ("sum(q.purse[gold] for q in players)", {1: None, 2: None}, {1: None, 2: None}),
        ("purse_of(p.purse)", {1: 1, 2: None}, {1: None, 2: None}),
        ("revealed(p.purse[gold])", {1: 1, 2: 2}, {1: 1, 2: 2}),
    ],
)
def test_what_a_score_reads_decides_who_sees_it(score: str, mine: object, all_see: object) -> None:
    match = start(
        SCORED + f"score(p: player) = {score}\ndefine purse_of(x: place of Coin) = x[gold]\n",
    )
    assert match.view(1)["scores"] == mine
    assert match.scores == all_see


TAPPED = """
component Card count 3
each Card has:
    state up: yes/no = no until moved
place table_: row of Card
place pit: bag of Card, seen by nobody, size seen by nobody
each player has: place hand: bag of Card, seen by owner, size seen by owner
setup:
    move all from box(Card) to player(1).hand
phase Play:
    as player(1):
        for c in my.hand: set c.up = yes
        choose c in my.hand
        move c to pit
    as player(2): choose n in 1..2
    finish players
"""


def test_what_is_written_on_a_component_is_seen_where_the_component_is() -> None:
    match = start(TAPPED)
    mine = {"Card#1: up": True, "Card#2: up": True, "Card#3: up": True}
    assert mine.items() <= match.view(1)["states"].items()
    before = match.view(2)["states"], match.observations(2)
    assert not any("up" in label for label in before[0])
    match.choose(1)
    assert (match.view(2)["states"], match.observations(2)) == before, (
        "a card that moves in secret is not betrayed"
    )
    assert len([label for label in match.view(1)["states"] if "up" in label]) == 2


STANDING = """
component Card:
    value: 1..3
rows Card:
    | value |
    | 1..3  |
place deck: deck of Card, seen by nobody
place table_: row of Card
each player has: place hand: bag of Card, seen by owner
piece spy on Card
setup:
    move all from box(Card) to deck
    draw 2 from deck to player(1).hand
phase Play:
    as player(1):
        choose c in my.hand
        move spy to c
    as player(1):
        choose c in my.hand
        move c to table_
        choose n in 1..2
    finish players
"""


def test_a_piece_on_a_hidden_card_tells_no_more_than_that_it_stands_on_one() -> None:
    match = start(STANDING)
    card = keys(match)[0]
    pick(match, card)
    assert match.view(1)["pieces"]["spy"] == card
    for viewer in (2, None):
        assert match.view(viewer)["pieces"]["spy"] == "Card"
        assert match.observations(viewer)[-1] == ("stands", "spy", "Card")
    pick(match, card)
    assert match.view(2)["pieces"]["spy"] == match.view(None)["pieces"]["spy"] == card


def test_chance_that_is_asked_for_brings_nothing_of_weight_zero() -> None:
    text = """
kinds Face: blank, star, moon
define weight(f: Face) = 0 if f = blank else 2
phase Play:
    roll f in Face by weight(f) seen by all
    as player(1): choose n in 1..2
    finish players
"""
    match = start(text, chance="ask")
    assert match.chance is not None
    assert [(o.key, weight) for o, weight in match.chance.outcomes] == [("star", 2), ("moon", 2)]
    with pytest.raises(dr.UsageError, match="no outcome number 2"):
        match.resolve(2)
    with pytest.raises(dr.UsageError, match="cannot happen here"):
        match.replay([["chance", "blank"]])
    match.resolve(1)
    assert ("roll", "moon") in match.observations(1)


WINDOW = """
token Charm: ring 3
each player has: place charms: bag of Charm, seen by owner, size seen by all
setup: move 1 of ring from box(Charm) to player(2).charms
phase Play:
    window reaction ASKING
    as player(1): choose n in 1..2
    finish players
action ward in reaction:
    require my.charms[ring] > 0 because "you have no ring"
    move 1 of ring from my.charms to box(Charm)
"""


def test_in_a_window_others_learn_only_that_reactions_are_awaited() -> None:
    match = start(WINDOW.replace("ASKING", "when able"), players=3)
    assert match.decision is not None
    assert match.decision.player == 2
    assert match.view(2)["waiting_for"] == 2
    assert [match.view(viewer)["waiting_for"] for viewer in (1, 3, None)] == ["reactions"] * 3
    pick(match, "no")
    assert match.view(2)["waiting_for"] == 1, "an ordinary question: who is asked is in sight"


def test_a_window_that_asks_everybody_names_who_is_asked() -> None:
    match = start(WINDOW.replace("ASKING", "always"), players=3)
    assert match.decision is not None
    asked = match.decision.player
    assert [match.view(viewer)["waiting_for"] for viewer in (1, 2, 3, None)] == [asked] * 4


PUBLIC = """
component Card:
    value: 1..4
rows Card:
    | value |
    | 1..4  |
place deck: deck of Card, seen by nobody
place market: row of Card
state secret: 0..5 = 3, seen by nobody
each player has:
    place hand: bag of Card, seen by owner
    state mood: 0..3 = 1, seen by owner
setup:
    move all from box(Card) to deck
    draw 1 from deck to market
    for p in players: draw 1 from deck to p.hand
phase Play:
    as player(1): choose n in 1..2
    show player(1).hand to player(2): as player(2): choose n in 1..2
    show player(1).hand to all: as player(2): choose n in 1..2
    finish players
"""


def test_a_spectator_sees_what_every_seat_sees() -> None:
    match = start(PUBLIC, players=3)
    view = match.view(None)
    assert view["player"] is view["decision"] is None
    assert view["waiting_for"] == 1
    assert list(view["places"]["market"]) == ["contents"]
    assert view["places"]["player 1: hand"] == view["places"]["player 2: hand"] == {"size": 1}
    assert view["places"]["deck"] == {"size": 0}
    assert not any("mood" in label or "secret" in label for label in view["states"])
    pick(match, 1)
    assert match.view(None)["places"]["player 1: hand"] == {"size": 1}, "the third player does not see it"
    pick(match, 1)
    assert "contents" in match.view(None)["places"]["player 1: hand"]
    hand = match.view(1)["places"]["player 1: hand"]["contents"]
    seen = match.observations(None)
    assert ("move", "Card", "deck", "player 1: hand") in seen
    assert ("shown", "player 1: hand") in seen
    assert ("shown", "player 1: hand", hand) in seen
    assert all(event in match.observations(2) for event in seen if event[0] == "choice")
    with pytest.raises(dr.UsageError, match="no seat 4"):
        match.observations(4)


def test_the_parts_of_a_choice_are_no_steps_of_anothers_replay() -> None:
    from dragonrules.interpreter.play.replay import Replay

    text = """
phase Play:
    as player(1): choose a in 1..2, b in 1..2, c in 1..2
    as player(2): choose n in 1..2
    finish players
"""
    match = start(text)
    while not match.over:
        match.choose(0)
    whole = Replay(match.game, 2, 1, match.log)
    assert [whole.steps, whole.as_seen_by(1).steps, whole.as_seen_by(2).steps] == [4, 4, 2]
    assert whole.as_seen_by(2).at(2).over
