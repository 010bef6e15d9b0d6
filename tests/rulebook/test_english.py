"""The little English that rulebooks are written in."""

from __future__ import annotations

import pytest
from dragonrules.interpreter.rulebook.clauses import negated
from dragonrules.interpreter.rulebook.document import capital, em, link, pieces, plain, slug, without_article
from dragonrules.interpreter.rulebook.english import (
    a,
    agree,
    inflected,
    listed,
    ordinal,
    plural,
    possessive,
    third_person,
    words,
)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("coin", "coins"),
        ("box", "boxes"),
        ("party", "parties"),
        ("key", "keys"),
        ("thief", "thieves"),
        ("yellow cube", "yellow cubes"),
        ("kind of treasure", "kinds of treasure"),
    ],
)
def test_plurals(one: str, many: str) -> None:
    assert plural(one) == many


def test_names_become_words() -> None:
    assert words("place_chamber") == "place chamber"
    assert words("player.purse") == "purse"
    assert words("MagicObject") == "magic object"
    assert words("N") == "N"


def test_articles_and_possessives() -> None:
    assert (a("island"), a("chamber"), a("one-gold coin"), a("unicorn")) == (
        "an island",
        "a chamber",
        "a one-gold coin",
        "a unicorn",
    )
    assert (possessive("you"), possessive("the host"), possessive("the other players")) == (
        "your",
        "the host's",
        "the other players'",
    )
    assert [ordinal(n) for n in (1, 2, 3, 8, 11, 21)] == ["1st", "2nd", "3rd", "8th", "11th", "21st"]
    assert listed(["a", "b", "c"], "or") == "a, b or c"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("you enters the chamber", "you enter the chamber"),
        ("you's hero enters", "your hero enters"),
        ("you has met Drakon", "you have met Drakon"),
        ("you is stuck", "you are stuck"),
        ("you passes and you carries", "you pass and you carry"),
        ("you discuss", "you discuss"),
    ],
)
def test_you_takes_the_plain_verb(made: str, said: str) -> None:
    assert agree(made) == said


def test_a_sentence_about_you_is_told_about_somebody_else() -> None:
    assert third_person("you take your coins, and you are done", "the host") == (
        "the host takes the host's coins, and the host is done"
    )
    assert (inflected("choose", "you"), inflected("carry", "the host")) == ("choose", "carries")


@pytest.mark.parametrize(
    ("clause", "opposite"),
    [
        ("the player is stuck", "the player is not stuck"),
        ("you can move", "you cannot move"),
        ("you have met Drakon", "you have not met Drakon"),
        ("the player has a way out", "the player does not have a way out"),
        ("the chamber fits on the space", "the chamber does not fit on the space"),
        ("no hero is there", "it is not so that no hero is there"),
    ],
)
def test_opposites(clause: str, opposite: str) -> None:
    assert negated(clause) == opposite


def test_marks_stay_out_of_the_way() -> None:
    line = link("fits", f"the {em('c')} fits")
    assert plain(line) == "the c fits"
    assert plain(capital(line)) == "The c fits"
    assert plain(without_article(line)) == "c fits"
    assert list(pieces(f"{em('x')} and {line}.")) == [
        ("em", "x", ""),
        ("text", " and ", ""),
        ("link", "the c fits", "fits"),
        ("text", ".", ""),
    ]
    assert plain(link("a", link("b", "one"))) == "one"


def test_anchors_are_those_of_code_hosts() -> None:
    assert slug("Escape from Drakon's Lair!") == "escape-from-drakons-lair"
