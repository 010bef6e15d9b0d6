"""Decisions that belong together are one form, with a way back."""

from __future__ import annotations

from pathlib import Path

from dragonrules.cli.table.session import Session

from .command import written
from .paper import Paper, at_table, played

LESSON = {"quick_start": "yes"}
"""Nobody can move in the first turn: the menu has one entry, which is taken without asking."""


def lesson(*answers: str, seats: tuple[str, ...] = ("human", "random")) -> tuple[Session, Paper]:
    session, paper = at_table("drakon", *seats, answers=answers, options=LESSON)
    assert not played(session)
    return session, paper


def chosen(session: Session) -> list[str]:
    return [entry[2][0] for entry in session.match.log if entry[0] == "choose"]


def test_placing_a_chamber_is_one_form_with_a_way_back() -> None:
    session, paper = lesson("2", "1", "back", "back", "4", "1")
    asked = [line for page in paper.pages for line in page if "▸ which" in line]
    kinds = [line.rpartition("▸ which ")[2] for line in asked]
    assert kinds == ["chamber?", "space?", "rotation?", "space?", "chamber?", "space?", "rotation?"]
    assert asked[-1].startswith("place a chamber ▸ strong wind ↑→ ▸ (-1, 0) left of Start ▸ which rotation?")
    assert chosen(session) == ["offer", "c", "s"]


def test_a_rotation_is_told_by_where_its_exits_lead_and_its_space_is_marked() -> None:
    _, paper = lesson("2", "1")
    assert "1 exits ↑↓" in paper.text
    assert "2 exits →←" in paper.text
    assert "[x]" in paper.text


def test_undo_takes_the_whole_form_back() -> None:
    session, paper = lesson("2", "1", "undo")
    assert "You take back: magic harp ↑↓." in paper.text
    assert "▸ which chamber?" in paper.text
    assert chosen(session) == ["offer"]
    _, paper = lesson("undo")
    assert "Nothing to undo." in paper.text


def test_several_answers_at_once() -> None:
    session, paper = lesson("2 1")
    assert chosen(session) == ["offer", "c", "s"]
    assert "which rotation?" in paper.text
    session, paper = lesson("2 99")
    assert chosen(session) == ["offer", "c"]
    assert "There are 4 options." in paper.text


def test_what_was_revealed_cannot_be_taken_back() -> None:
    _, paper = lesson("2 1 1", "undo")
    assert "That cannot be taken back: chance or the clock has had its say since." in paper.text


def test_a_hoard_is_split_in_a_table_of_numbers() -> None:
    session, paper = at_table("dragons_gold", "human", "human", "human", seed=2, clock=False)
    match = session.match
    while match.decision is not None and match.decision.name != "n":
        match.choose(0)
    paper.answers = ["", "9", "0", "back", "0", "0 0"]
    assert not played(session)
    assert "It is a number from 0 to 3." in [line for page in paper.pages for line in page]
    page = paper.pages[-1]
    head = next(n for n, line in enumerate(page) if line.split()[:2] == ["silver", "red"])
    assert page[head + 1].split() == ["you", "0", "0", "0", "?", "·", "·"]
    assert page[head + 2].split() == ["player", "2", "·", "·", "·", "·", "·", "·"]
    assert page[head - 1] == "Who gets what? (you, green)"


FIELD = """
game "Field" for 2 players:
    "Take a space."
token Flag: flag 2
place field: grid 8 by 8 of Flag
phase Play:
    turns Round p:
        choose s in spaces(field) where field[s] = none because "taken"
        move 1 of flag from box(Flag) to field at s
        if turn_number = 2: finish {me}
"""


def test_a_long_list_has_pages_and_any_number_counts(tmp_path: Path) -> None:
    path = written(tmp_path, field=FIELD)
    session, paper = at_table(str(path), "human", "human", columns=40, lines=20, answers=["", "", "64"])
    assert not played(session)
    told = [line.split(":")[0].strip() for page in paper.pages for line in page if "Enter turns" in line]
    assert told[0].startswith("page 1 of ")
    assert told[1].startswith("page 2 of ")
    assert session.match.log == [["choose", 1, ["s", [8, 8]]]]


def test_text_narrows_the_list_and_enter_takes_the_last_one() -> None:
    session, paper = at_table("drakon", "human", "random", answers=["wiz", ""])
    assert not played(session)
    assert any("Enter takes wizard." in line for page in paper.pages for line in page)
    assert ["choose", 1, ["h", "wizard"]] in session.match.log
