"""A thing by what is printed on it, the thing drawn, "up to", rules as conditions and without a body."""

from __future__ import annotations

import dragonrules as dr
import pytest

from .table import diary, refusal, start

TABLE = """
kinds Suit: hearts, spades
component Card:
    suit: Suit
    rank: 1..3
rows Card:
    | suit           | rank | count |
    | hearts, spades | 1..2 |     1 |
    | spades         | 3    |     2 |
token Gem: ruby 3
place pile: row of Card
place hand: bag of Card
place heap: bag of Gem
place away: bag of Gem
rule odd(n: 1..9) -> yes/no: return n mod 2 = 1
rule which(n: 1..9) -> 1..9: return n
rule named(n: 1..9)
"""


def told(body: str, more: str = "") -> int:
    lines = "\n".join(f"    {line}" for line in body.strip().split("\n"))
    return diary(
        start(
            f"{TABLE}{more}phase Play:\n    go()\n    as player(1): choose n in 1..2\nrule go():\n{lines}\n"
        )
    )


def test_the_first_of_those_that_lie_there_are_moved() -> None:
    body = """
for c in Card: move c to bottom of pile
move 1 of Card(spades, 3) from pile to hand
move 2 of Card(spades) from pile to hand
note_down(count(hand))
note_down(count(c for c in hand where c.rank = 3))
move all of Card(spades) from pile to hand
note_down(count(hand))
"""
    assert told(body) == 324


def test_any_set_may_say_which() -> None:
    body = """
move all from box(Card) to hand
move 2 of {c for c in Card where c.rank <= 2} from hand to pile
note_down(count(pile))
note_down(sum(c.rank for c in pile))
"""
    assert told(body) == 23


@pytest.mark.parametrize(
    "body", ["move 3 of Card(spades, 3) from hand to pile", "move -1 of Card(hearts) from hand to pile"]
)
def test_too_few_is_an_error_at_play(body: str) -> None:
    with pytest.raises(dr.PlayError) as caught:
        told(f"move all from box(Card) to hand\n{body}")
    assert caught.value.diagnostic.code == "D0901"


def test_up_to_takes_what_there_is() -> None:
    body = """
move all from box(Gem) to heap
move up to 2 of ruby from heap to away
note_down(count(away))
move up to 5 of ruby from heap to away
note_down(count(away))
move all from box(Card) to hand
move up to 9 of Card(spades, 3) from hand to pile
note_down(count(pile))
"""
    assert told(body) == 232


def test_one_card_may_be_named() -> None:
    body = """
let c = Card(hearts, 2)
note_down(c.rank)
for n in 1..2: note_down(Card(hearts, n).rank)
if Card(hearts, 1) in box(Card): note_down(4)
"""
    assert told(body) == 2124


def test_a_rule_is_asked_once_when_the_if_is_reached() -> None:
    more = """
rule tell(n: 1..9) -> yes/no:
    note_down(n)
    return n = 2
"""
    body = """
if tell(1): note_down(9)
else if not tell(2): note_down(9)
else if (tell(3)): note_down(9)
else if not (not tell(2)): note_down(8)
"""
    assert told(body, more) == 12328


def test_an_event_that_does_nothing_by_itself() -> None:
    more = "trigger hear after named(n) where n > 1: note_down(n)\n"
    assert told("named(1)\nnamed(2)", more) == 2


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("let c = Card(spades, 3)\nmove c to hand", set()),
        ("move Card(spades, 3) to hand", set()),
        ("if first(hand) = Card(spades, 3): nothing", {"D0301"}),
        ("for c in hand where c.rank = Card(spades).rank: nothing", {"D0301"}),
        ("move 1 of Card(blue) from hand to pile", {"D0201"}),
        ("move 1 of Card(hearts, 1, 2) from hand to pile", {"D0302"}),
        ("move 1 of Card(colour: hearts) from hand to pile", {"D0205"}),
        ("if which(3): nothing", {"D0313"}),
        ("if named(3): nothing", {"D0319"}),
        ("if odd(3) and odd(5): nothing", {"D0307"}),
        ("let x = draw 2 from pile to hand\nif x != none: nothing", {"D0316"}),
    ],
)
def test_refused(body: str, codes: set[str]) -> None:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    assert set(refusal(f"{TABLE}phase Play: go()\nrule go():\n{lines}\n")) == codes


def test_what_was_drawn_is_a_secret_of_those_who_see_it() -> None:
    rules = """
component Card count 6
each Card has: state marked: yes/no = no
place deck: deck of Card
each player has: place hand: bag of Card, seen by owner
setup: move all from box(Card) to deck
phase Play:
    as player(1):
        let c = draw 1 from deck to my.hand else return
        WHO choose n in 1..2 where c.marked or n = 1
"""
    assert "D0401" not in refusal(rules.replace("WHO ", ""))
    assert "D0401" in refusal(rules.replace("WHO", "as player(2):"))
