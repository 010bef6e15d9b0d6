"""`at most` holds on every way into a place, and the rest goes where it is said to go."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, place, refusal, start

TABLE = """
component Card count 5
token Gem: red 5, blue 4
place deck: deck of Card
place line: row of Card
place keep: bag of Card, at most 2
place full: row of Card, at most 2 rest to spare
place spare: bag of Card
place niche: slot of Card
place board: grid 3 by 1 of Gem
place heap: bag of Gem
place purse: bag of Gem, at most 2
place pouch: bag of Gem, at most 3 rest to reserve
place reserve: bag of Gem, at most 2 rest to floor
place floor: bag of Gem
trigger into_pouch after entering pouch: note_down(1)
trigger into_reserve after entering reserve: note_down(2)
trigger onto_floor after entering floor: note_down(3)
trigger into_full after entering full: note_down(4)
trigger into_spare after entering spare: note_down(5)
rule put_into(c: Card, here: place of Card): move c to here
setup:
    move all from box(Gem) to heap
"""


def play(body: str, *, ending: str = "") -> dr.Match:
    lines = "\n".join(f"        {line}" for line in body.strip().split("\n"))
    return start(f"{TABLE}{ending}phase Play:\n    as player(1):\n{lines}\n        choose n in 1..2\n")


@pytest.mark.parametrize(
    "body",
    [
        "move all from box(Card) to deck\nmove all from deck to keep",
        "move all from box(Card) to keep",
        "move {c for c in Card} to keep",
        "move {c for c in Card} to niche",
        "move all from box(Card) to deck\nmove all from deck to niche",
        "for c in Card: put_into(c, niche)",
        "move all from box(Card) to deck\ndraw 3 from deck to keep",
        "move 3 of red from heap to purse",
        "move all from heap to purse",
        "for s in spaces(board): move 1 of red from heap to board at s\nfor s in spaces(board): move s to purse",
        "for s in spaces(board): move 1 of red from heap to board at s\nmove all from board to purse",
        "swap heap with purse",
        "draw 3 at random from heap to purse",
        "pick 3 from heap to purse",
        "move 2 of red from heap to board at space_at(board, 1, 1)",
    ],
)
def test_more_than_a_place_holds_is_an_error_at_play(body: str) -> None:
    def play_on() -> None:
        match = play(body)
        while match.decision is not None:
            match.choose(0)

    with pytest.raises(dr.PlayError) as caught:
        play_on()
    assert caught.value.diagnostic.code == "D0906"


def gems(match: dr.Match, name: str) -> dict[str, int]:
    return dict(place(match, name)["contents"])


@pytest.mark.parametrize(
    ("body", "pouch", "reserve", "floor", "noted"),
    [
        ("move 2 of red from heap to pouch", {"red": 2}, {}, {}, 1),
        ("move all of red from heap to pouch", {"red": 3}, {"red": 2}, {}, 12),
        ("move all from heap to pouch", {"red": 3}, {"red": 2}, {"blue": 4}, 123),
        ("swap heap with pouch", {"red": 3}, {"red": 0, "blue": 2}, {"red": 2, "blue": 2}, 123),
        ("move 0 of red from heap to pouch", {}, {}, {}, 0),
        (
            "for s in spaces(board): move 1 of red from heap to board at s\n"
            "move 2 of blue from heap to pouch\nmove all from board to pouch",
            {"red": 1, "blue": 2},
            {"red": 2},
            {},
            112,
        ),
    ],
)
def test_what_is_too_much_goes_to_the_rest_and_triggers_notice(
    body: str, pouch: dict[str, int], reserve: dict[str, int], floor: dict[str, int], noted: int
) -> None:
    match = play(body)
    for name, wanted in (("pouch", pouch), ("reserve", reserve), ("floor", floor)):
        assert gems(match, name) == {kind: n for kind, n in wanted.items() if n}, name
    assert diary(match) == noted


@pytest.mark.parametrize(
    ("body", "full", "spare", "noted"),
    [
        ("move {c for c in Card} to full", 2, 3, 45),
        ("move all from box(Card) to full", 2, 3, 45),
        ("move {c for c in Card} to full\nmove top(full) to full", 2, 3, 454),
        ("move all from box(Card) to deck\ndraw 3 from deck to full", 2, 1, 445),
        ("move all from box(Card) to line\nswap line with full", 2, 3, 45),
    ],
)
def test_components_that_find_no_room(body: str, full: int, spare: int, noted: int) -> None:
    body = body.replace("move top(full) to full", "for c in full where c = top(full): move c to full")
    match = play(body)
    assert len(place(match, "full")["contents"]) == full
    assert len(place(match, "spare")["contents"]) == spare
    assert diary(match) == noted


def test_an_ending_about_the_rest_is_tested_where_it_fills_up() -> None:
    match = play(
        "move all of red from heap to pouch", ending="ending spilt when reserve[red] = 2: finish {}\n"
    )
    assert match.over


def test_a_limit_does_not_get_lost_behind_a_name() -> None:
    assert "D0314" in refusal(
        f"{TABLE}phase Play:\n    let here = purse\n    move 3 of red from heap to here\n"
    )


def test_what_of_a_deck_would_be_the_rest_is_not_known() -> None:
    assert "D0316" in refusal(f"{TABLE}phase Play: move all from deck to full\n")
