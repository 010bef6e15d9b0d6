"""A card put into the middle of a deck, counts that follow from an option, and offers that all hear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest

SPEC = """
game "Fair" for 3 players:
    "Cards are turned up until the one that was put under the third shows: then there is a fair."

kinds Edition: small, large
option edition: Edition = large
define copies = twice * 2 if edition = large else twice
define twice = 2
kinds Face: plain, fair
component Card:
    face: Face
rows Card:
    | face  | count  |
    | plain | copies |
    | fair  | 1      |
token Gem: red 3, blue 3

place pile: deck of Card, seen by nobody
place open: row of Card, seen by all
each player has: place screen: bag of Gem, seen by owner, size seen by all

record Deal at most 3:
    maker: player
    give[Gem]: 0..3
    open: yes/no

setup:
    for p in players, k in Gem: move 1 of k from box(Gem) to p.screen
    for c in Card where c.face = plain: move c to pile
    for c in Card where c.face = fair: move c to pile at 3

phase Play:
    repeat Turning up to 9:
        let next_card = top(pile)
        if next_card != none and next_card.face = fair: stop Turning
        draw 1 from pile to open
    rounds Market p in players, clock 30 tick 10:
        choose n[k in Gem] in 0..my.screen[k] where sum(n[j] for j in Gem) = 1
        let i = note Deal(maker: me, give: n, open: yes)
        set i.open = no
    finish {}
"""


def started(tmp_path: Path, **options: Any) -> dr.Match:
    path = tmp_path / "fair.dragon"
    path.write_text(SPEC, encoding="utf-8")
    return dr.load(path, options=options).start(3, seed=1)


@pytest.mark.parametrize(("edition", "cards"), [("small", 3), ("large", 5)])
def test_a_definition_that_rests_on_options_counts_components(
    tmp_path: Path, edition: str, cards: int
) -> None:
    match = started(tmp_path, edition=edition)
    assert match.state.engine.layout.comps["Card"].count == cards


def test_a_card_put_at_a_depth_is_the_top_when_it_has_come_up(tmp_path: Path) -> None:
    match = started(tmp_path)
    places = match.view(1)["places"]
    assert len(places["open"]["contents"]) == 2
    assert places["pile"]["size"] == 3


def test_what_is_noted_is_heard_by_all_with_its_time(tmp_path: Path) -> None:
    """Though it was chosen among things that only the maker sees."""
    match = started(tmp_path)
    assert match.decision is not None
    assert match.decision.cell == ("red",)
    assert match.decision.prompt.endswith("(red)")
    match.choose(("n", 1))
    match.choose(("n", 0))
    heard = match.observations(2)
    row = (("maker", 1), ("give", (("red", 1),)), ("open", True))
    assert ("note", "Deal#1", row) in heard
    assert ("note", "Deal#1", (*row[:2], ("open", False))) in heard
    assert not any(event[:2] == ("choice", 1) for event in heard)
    assert ("clock", "Market", 10) in heard
    assert ("clock", "Market", 20) in heard
    assert match.view(3)["records"]["Deal"] == ({"maker": 1, "give": (("red", 1),), "open": False},)
