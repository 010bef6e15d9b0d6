"""The part of a rulebook that one learns a game from: its chapters, pictures and examples, and what is left out."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import dragonrules as dr
import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.interpreter.primer import book_to_learn
from dragonrules.interpreter.primer.plain_words import about_values, lesson
from dragonrules.interpreter.primer.staging import examples
from dragonrules.interpreter.rulebook import to_html, to_markdown

SPEC = """
game "Garden" for 1 to 2 players:
    "Grow things."
option longest: 5..99 = 20
    "Rounds at most."
kinds Plant: rose, weed, oak
component Bed:
    "Something grows here. Ruling: beds are never empty."
    plant: Plant
rows Bed:
    | plant | count |
    | rose  | 2     |
    | weed  | 3     |
    | oak   | 1     |
place pile: deck of Bed, seen by nobody
place field: grid 3 by 2 of Bed, seen by all
each player has:
    place basket: row of Bed, seen by owner
state weeds: 0..99 = 0
setup:
    "Shuffle the beds."
    shuffle box(Bed) into pile
    for s in spaces(field): draw 1 from pile to field at s
phase Summer:
    "Pick beds, one after the other."
    turns Day p:
        choose s in spaces(field) where field[s] != none because "nothing grows there" else finish players
        let bed = field[s]
        move bed to my.basket
        picked(bed)
        offer chore
        count_up()
rule picked(b: Bed): nothing
rule count_up():
    "Counts."
    change weeds by 1
action rest in chore: nothing
action sing in chore:
    "Sing to the oak. Assumed."
    nothing
trigger weeded after picked(b) where b.plant = weed:
    "A weed comes back. For bots: never mind."
    may pull()
action pull():
    "Or it is pulled out."
    nothing
ending late when weeds >= longest:
    "Too late."
    finish players
ending done when field = {}:
    "All is picked."
    finish players
score(p: player) = count(p.basket)
    "One for each bed."
look late: hidden
look count_up: hidden
look Plant:
    rose: "rose", says "Smells."
    weed: "weed", red
    oak: "oak"
"""

EXAMPLES = """
variant "Examples" of garden:
    scenario "where to begin" for 1 players:
        "Anywhere will do."
        given:
            for b in Bed where b.plant = oak: move b to field at space_at(field, 1, 1)
    scenario "an oak" for 1 players:
        "The oak is picked."
        given:
            for s in spaces(field), b in {field[s]}: move b to pile
            for b in Bed where b.plant = oak: move b to field at space_at(field, 1, 1)
        when:
            player(1) chooses space_at(field, 2, 1) refused because "nothing grows there"
            player(1) chooses space_at(field, 1, 1)
        then:
            check count(player(1).basket) = 1
    scenario "without words" for 1 players:
        then:
            check yes
    scenario "does not hold" for 1 players:
        "It should."
        then:
            check no
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("garden")
    (path / "garden.dragon").write_text(SPEC, encoding="utf-8")
    (path / "scenarios").mkdir()
    (path / "scenarios" / "garden_examples.dragon").write_text(EXAMPLES, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    game = dr.load(folder / "garden.dragon")
    shown = dr.load(folder / "garden.dragon", variants=[folder / "scenarios" / "garden_examples.dragon"])
    return to_markdown(book_to_learn(game, (), [shown]), lambda picture: f"pictures/{picture.name}.svg")


def learnt(text: str) -> str:
    return text.partition("## The rules exactly")[0]


def test_the_chapters_stand_in_the_order_of_learning(text: str) -> None:
    assert re.findall(r"^## (.*)", text, re.MULTILINE) == [
        "The pieces",
        "Before you start",
        "How to play",
        "The beds one by one",
        "The end of the game",
        "Examples",
        "The rules exactly",
    ]


def test_rulings_and_house_keeping_are_left_to_the_exact_part(text: str) -> None:
    first, _, exact = text.partition("## The rules exactly")
    for words in ("Ruling:", "Too late.", "Counts.", "Assumed", "For bots"):
        assert words not in first
        assert words in exact
    upkeep = exact.partition("### House-keeping")[2]
    assert "#### Late" in upkeep and "#### Count up" in upkeep


def test_what_can_be_done_goes_by_its_name(text: str) -> None:
    assert "- **Sing**. Sing to the oak." in learnt(text)


def test_a_value_is_told_by_its_look_or_by_who_asks_for_it(text: str, folder: Path) -> None:
    rows = re.sub(" +", " ", text)
    assert "| ![Rose](pictures/rose.svg) | **Rose** × 2 | Smells. |" in rows
    assert "| ![Weed](pictures/weed.svg) | **Weed** × 3 | A weed comes back. Or it is pulled out. |" in rows
    assert "**Oak**" not in learnt(text)  # nothing is said of it
    assert "A weed comes back." not in learnt(text).partition("## The beds")[0]
    about = about_values(dr.load(folder / "garden.dragon").checked, "Plant")
    assert {value: [lesson(d) for d in found] for value, found in about.items()} == {
        "rose": [],
        "weed": ["A weed comes back."],
        "oak": [],
    }


def test_examples_are_scenarios_with_a_doc_that_hold(folder: Path) -> None:
    game = dr.load(folder / "garden.dragon", variants=[folder / "scenarios" / "garden_examples.dragon"])
    found = examples(game)
    assert [(one.name, one.doc, one.refused, len(one.pictures)) for one in found] == [
        ("Where to begin", "Anywhere will do.", (), 1),
        ("An oak", "The oak is picked.", ("Not allowed: b1 (nothing grows there).",), 2),
    ]
    before, after = found[1].pictures
    assert "oak" in before.drawing and "Player 1" not in before.drawing
    assert "Player 1" in after.drawing and "basket" in after.drawing


def test_pictures_stand_by_themselves(text: str, folder: Path) -> None:
    out = folder / "book.md"
    result = CliRunner().invoke(cli, ["rulebook", str(folder / "garden.dragon"), "-o", str(out)])
    assert result.exit_code == 0, result.output
    named = set(re.findall(r"\]\(book/(.*?)\)", out.read_text(encoding="utf-8")))
    assert named == {file.name for file in (folder / "book").iterdir()}
    for file in (folder / "book").iterdir():
        assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        assert "data-" not in file.read_text(encoding="utf-8")


def test_on_standard_output_there_are_no_pictures(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["rulebook", str(folder / "garden.dragon")])
    assert "![" not in result.output and "*Before*" in result.output


def test_exact_leaves_the_first_part_out(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["rulebook", str(folder / "garden.dragon"), "--exact"])
    assert "## Before you start" not in result.output and "## The course of the game" in result.output


def test_html_folds_the_exact_part(folder: Path) -> None:
    page = to_html(book_to_learn(dr.load(folder / "garden.dragon")))
    assert page.index('<details class="exact"') > page.index("<svg")
    assert page.count("<details") == page.count("</details>") == 1


def test_a_game_without_a_word_has_its_rules_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "bare.dragon").write_text(
        'game "Bare" for 2 players:\nplace heap: bag of Stone\ntoken Stone: stone 3\n'
        "setup: move all from box(Stone) to heap\n"
        "phase Play:\n    turns Round p:\n        move 1 of stone from heap to box(Stone)\n"
        "ending empty when heap = {}: finish players\n",
        encoding="utf-8",
    )
    text = learnt(to_markdown(book_to_learn(dr.load(tmp_path / "bare.dragon"))))
    assert "Move all stones from the box to the heap." in text
    assert "Players take turns clockwise" in text
    assert "**Empty**. At once, if the heap is empty" in text
