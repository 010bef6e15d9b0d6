"""A match at a real terminal."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from .command import dragonrules
from .person import CLEAR, Person

NOUGHTS = ("run", "tic_tac_toe", "--seed", 1)
TWO = ("--seat", "human", "--seat", "human")


def test_tic_tac_toe_with_another_person(tmp_path: Path) -> None:
    table = Person(*NOUGHTS, *TWO, folder=tmp_path)
    assert "Which space?" in table.wait()
    table.type("b2")
    assert "Player 1: 1 cross ⇒ board b2" in table.wait()
    table.type("why b2")
    assert "taken" in table.wait()
    table.type("undo")
    assert "Player 1 takes back: b2." in table.wait()
    for move in ("a1", "b1", "a2", "b2"):
        table.type(move)
        assert table.wait()
    table.type("a3")
    table.wait_for("Player 1 wins.")
    assert table.finish() == 0
    assert table.complaints() == []


def test_enter_seats_you_against_programs_and_the_first_page_says_what_to_do(tmp_path: Path) -> None:
    table = Person("run", "drakon", "--seed", 3, folder=tmp_path)
    page = table.wait_for("Players> ")
    assert "For 2 to 6 players" in page
    assert "you against three bots" in page
    table.type("7")
    assert "is for 2 to 6 players, not 7" in table.wait_for("not 7\nPlayers> ")
    table.type("human wizzard")
    table.wait_for("there is no player `wizzard`")
    table.type("")
    page = table.wait()
    assert "you decide" in page
    assert "Start" in page
    assert "Player 4 hand 4" in page
    assert "1 amazon" in page
    table.close()


def test_without_a_game_one_is_asked_for(tmp_path: Path) -> None:
    table = Person("run", "--seed", 3, folder=tmp_path)
    assert "1 dragon keeper" in table.wait_for("Game> ")
    table.type("mahjong")
    table.wait_for("There is no game `mahjong`")
    table.type("tic")
    assert "For 2 players" in table.wait_for("Players> ")
    table.type("")
    assert "Which space?" in table.wait()
    table.close()


def test_leaving_keeps_the_match_and_resume_finds_it(tmp_path: Path) -> None:
    table = Person(*NOUGHTS, "--seat", "human", folder=tmp_path)
    table.wait()
    table.type("b2")
    table.wait()
    table.type("quit")
    page = table.wait_for("Resume with: dragonrules run --resume")
    assert "Match saved to" in page
    assert table.finish() == 0
    again = Person("run", "--resume", folder=tmp_path)
    assert "cross" in again.wait()
    again.type("quit")
    assert again.finish() == 0


def test_interrupting_leaves_no_traceback_and_keeps_the_match(tmp_path: Path) -> None:
    table = Person("run", "othello", "--seed", 1, "--seat", "human", folder=tmp_path)
    table.wait()
    table.process.send_signal(signal.SIGINT)
    assert table.finish() == 130
    assert table.complaints() == []
    assert "Match saved to" in table.pages[-1]


@pytest.mark.parametrize(
    ("environment", "args", "clears", "colours", "ascii_only"),
    [
        ({}, (), True, True, False),
        ({"NO_COLOR": "1"}, (), True, False, False),
        ({"TERM": "dumb"}, (), False, False, False),
        ({}, ("--ascii",), True, True, True),
        ({"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}, (), True, True, True),
    ],
    ids=["plain", "no colour", "dumb", "--ascii", "C locale"],
)
def test_what_the_terminal_cannot_show_is_not_sent(
    environment: dict[str, str],
    args: tuple[str, ...],
    clears: bool,
    colours: bool,
    ascii_only: bool,
    tmp_path: Path,
) -> None:
    table = Person(*NOUGHTS, "--seat", "human", *args, folder=tmp_path, **environment)
    table.wait()
    table.type("b2")
    table.wait()
    table.type("quit")
    assert table.finish() == 0
    assert (CLEAR in table.raw) == clears
    assert ("\x1b[1;3" in table.raw or "\x1b[3" in table.raw.replace("\x1b[3J", "")) == colours
    assert table.raw.replace("b2", "").isascii() == ascii_only
    assert table.complaints() == []


def test_json_goes_to_standard_output_and_the_table_elsewhere(tmp_path: Path) -> None:
    save = tmp_path / "table.json"
    table = Person(*NOUGHTS, "--seat", "human", "--save", save, folder=tmp_path)
    table.wait()
    table.type("b2")
    table.wait()
    table.type("save other.json")
    table.wait_for("Saved as other.json")
    table.wait()
    table.type("quit")
    assert table.finish() == 0
    for path in (save, tmp_path / "other.json"):
        document = json.loads(dragonrules("run", "--resume", path, "--auto", "--format", "json").stdout)
        assert document["log"][0] == ["choose", 1, ["s", [2, 2]]]


def test_a_killed_process_has_lost_nothing_but_what_was_being_typed(tmp_path: Path) -> None:
    seats = ("--seat", "human", "--seat", "random")
    table = Person("run", "dragon_keeper", "--seed", 4, *seats, folder=tmp_path)
    for _ in range(5):
        page = table.wait()
        table.type(table.choice(page))
    last = table.wait()
    os.write(table.master, b"fo")  # half a word
    os.killpg(table.process.pid, signal.SIGKILL)
    table.process.wait()
    table.close()
    (journal,) = (tmp_path / "state").glob("*.jsonl")
    assert '["over"' not in journal.read_text()
    again = Person("run", "--resume", folder=tmp_path)
    now = again.wait()
    assert now.split("\n")[0] == last.split("\n")[0]  # whose turn it is
    assert (
        now.split("\n")[-12:] == last.split("\n")[-12:]
    )  # the table and the options; the news may begin elsewhere
    assert again.play() == 0
    assert [p for p in journal.parent.iterdir() if '["over"' in p.read_text()]
    assert again.complaints() == []
