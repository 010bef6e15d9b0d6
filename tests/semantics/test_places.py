"""Moves between places of every shape keep count of everything."""

from __future__ import annotations

from typing import Any

import dragonrules as dr
import pytest

from .table import place, refusal, start

SHAPES = """
component Card count 6
token Gem: ruby 4, pearl 3
place deck: deck of Card, seen by nobody
place other: deck of Card, seen by nobody
place open: row of Card
place niche: slot of Gem
place niche2: slot of Gem
place stand: slot of Card
place stand2: slot of Card
place heap: bag of Gem
place board: grid 2 by 2 of Gem
place few: row of Card, at most 2
place purse: bag of Gem, at most 2 rest to heap
place capped: row of Card, at most 2 rest to open
setup: move all from box(Card) to deck
always cards: total(Card) = 6
always gems: total(Gem) = 7 and total(Gem, ruby) = 4
phase Play:
    {body}
    as player(1): choose stay in 1..2
"""


def run(body: str) -> Any:
    return start(SHAPES.replace("{body}", body.replace("\n", "\n    ")))


CASES: dict[str, dict[str, Any]] = {
    "move 1 of pearl from box(Gem) to niche\nswap niche with niche2": {
        "niche": None,
        "niche2": "pearl",
        "heap": (),
    },
    "move 1 of pearl from box(Gem) to niche\nmove all from niche to niche2": {
        "niche": None,
        "niche2": "pearl",
    },
    "move 1 of pearl from box(Gem) to niche\nmove all from niche to heap": {
        "niche": None,
        "heap": (("pearl", 1),),
    },
    "move 1 of ruby from box(Gem) to heap\nmove all from heap to niche": {"niche": "ruby", "heap": ()},
    "move 1 of ruby from box(Gem) to board at space_at(board, 1, 2)\nmove all from board to heap": {
        "heap": (("ruby", 1),),
        "board": (),
    },
    "move 3 of ruby from box(Gem) to purse": {"purse": (("ruby", 2),), "heap": (("ruby", 1),)},
    "move 2 of ruby from box(Gem) to purse\nmove 1 of pearl from box(Gem) to niche\nmove all from niche to purse": {
        "purse": (("ruby", 2),),
        "heap": (("pearl", 1),),
    },
    "draw 1 from deck to stand\nswap stand with stand2": {"stand": (), "stand2": ("Card#1",)},
    "draw 1 from deck to stand\nmove stand to open": {"stand": (), "open": ("Card#1",)},
    "draw 3 from deck to capped": {"capped": ("Card#1", "Card#2"), "open": ("Card#3",)},
    "draw 3 from deck to open\nmove all from open to capped": {
        "capped": ("Card#1", "Card#2"),
        "open": ("Card#3",),
    },
    "draw 2 from deck to open\nmove {c for c in open where c = open[1]} to open": {
        "open": ("Card#2", "Card#1")
    },
    "move all from deck to other\ndraw 1 from other to open": {"open": ("Card#1",)},
}


@pytest.mark.parametrize("body", CASES)
def test_what_lies_where_afterwards(body: str) -> None:
    match = run(body)
    for name, contents in CASES[body].items():
        found = place(match, name)["contents"]
        assert (
            len(found) == len(contents)
            if name in ("open", "capped", "stand2") and found
            else found == contents
        )


@pytest.mark.parametrize(
    "body",
    [
        "draw 2 from deck to stand",
        "draw 3 from deck to few",
        "move 2 of ruby from box(Gem) to heap\nmove all from heap to niche",
        "draw 2 at random from box(Gem) to niche",
        "move stand to open",
    ],
)
def test_what_does_not_fit(body: str) -> None:
    with pytest.raises(dr.PlayError) as caught:
        run(body)
    assert caught.value.diagnostic.code in ("D0906", "D0910")


@pytest.mark.parametrize(
    "body",
    [
        "move 1 of ruby from board to heap",
        "swap deck with other",
        "as player(1): pick 1 from box(Gem) to niche",
        "hand_on(purse)",
        "hand_on(niche)",
    ],
)
def test_what_is_refused_before_play(body: str) -> None:
    assert refusal(
        SHAPES.replace("{body}", body) + "rule hand_on(p: place of Gem): move all from p to box(Gem)\n"
    )
