"""Going on with a match: what was said of a move, and the way back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.table.resuming import asked_match
from dragonrules.cli.table.session import Session
from dragonrules.interpreter.play.state import State
from dragonrules.interpreter.play.undoing import Mark
from dragonrules.interpreter.table.form import MOST_KEPT
from dragonrules.interpreter.table.journal import Journal, resume_any
from dragonrules.interpreter.table.stories import read_journal

from .command import dragonrules, written
from .paper import Paper, at_table, played

MOVES = """\
game "Moves" for 2 players

place board: grid 3 by 3 of Stone
token Stone: red 20
place heap: bag of Stone

setup:
    move all from box(Stone) to heap

phase Play:
    turns Round p:
        offer act

action put in act:
    choose s in spaces(board), t in spaces(board) where s != t
    move 1 of red from heap to board at s
    move s to t
    move t to heap

action pass in act:
    nothing
"""
TWO = ("human", "human")


def moves(tmp_path: Path) -> str:
    return str(written(tmp_path, moves=MOVES))


def left_behind(spec: str, path: Path, *answers: str, seats: tuple[str, ...] = TWO) -> Session:
    """A session whose people have got up; its journal, or its save, lies at `path`."""
    session, _ = at_table(spec, *seats, answers=answers)
    if path.suffix == ".jsonl":
        session.journal = Journal(path, session.match, list(seats))
    assert not played(session)
    if session.journal is not None:
        session.journal.record(session.match)
        session.journal.close()
    else:
        session.match.save(path)
    return session


def gone_on_with(path: Path, *answers: str, seats: tuple[str, ...] = TWO) -> tuple[Session, Paper]:
    match, _ = resume_any(path, None)
    screen = Paper(answers)
    session = Session(match, [None] * len(seats), screen)
    played(session)
    return session, screen


@pytest.mark.parametrize("name", ["match.jsonl", "match.json"])
def test_a_half_made_move_is_still_half_made(name: str, tmp_path: Path) -> None:
    spec = moves(tmp_path)
    before = left_behind(spec, tmp_path / name, "pass", "put", "b2")
    assert isinstance(before.screen, Paper)
    asked = before.screen.pages[-1]
    session, screen = gone_on_with(tmp_path / name)
    trail = next(line for line in asked if "put" in line and "b2" in line)
    assert trail in screen.pages[-1]
    assert session.match.log == before.match.log


@pytest.mark.parametrize("name", ["match.jsonl", "match.json"])
def test_what_was_decided_before_can_be_taken_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    left_behind(moves(tmp_path), path, "pass", "put", "b2")
    session, screen = gone_on_with(path, "back", "a1")
    assert [entry[2] for entry in session.match.log] == [["offer", "pass"], ["offer", "put"], ["s", [1, 1]]]
    assert any("takes back: b2" in line for page in screen.pages for line in page)
    session, _ = gone_on_with(path, "undo", "undo", "undo", "put")
    assert [entry[1:] for entry in session.match.log] == [[1, ["offer", "put"]]]
    session, screen = gone_on_with(path, "undo", "undo", "undo", "undo")
    assert session.match.log == []
    assert any("Nothing to undo" in line for line in screen.pages[-1])


def test_as_it_is_at_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    people = ("--seat", "human", "--seat", "human")
    dragonrules("run", moves(tmp_path), *people, "--save", path, input="put\nb2\nquit\n")
    result = dragonrules("run", "--resume", path, *people, "--format", "json", input="back\nc3\nquit\n")
    assert [entry[2] for entry in json.loads(result.stdout)["log"]] == [["offer", "put"], ["s", [3, 3]]]


def test_chance_is_not_taken_back_behind_a_pause(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    match = dr.load("dragon_keeper").start(3, seed=6)
    while not any(entry[0] == "chance" for entry in match.log[-1:]) or match.decisions < 3:
        match.choose(0)
    match.save(path)
    session, screen = gone_on_with(path, "", "undo", seats=("human",) * 3)
    assert session.match.log == match.log
    assert any("chance or the clock" in line for line in screen.pages[-1])


def test_play_goes_on_the_same_after_a_way_back(tmp_path: Path) -> None:
    """The generator stands where it stood: the same choice brings the same."""
    path = tmp_path / "match.json"
    match = dr.load("drakon").start(2, seed=4)
    while match.decisions < 12 or len(match.state.options) < 2:
        match.choose(0)
    mark, entries = Mark.of(match), len(match.log)
    for _ in range(30):
        match.choose(0)
    again = mark.restored(match)
    assert len(again.log) == entries
    for _ in range(30):
        again.choose(0)
    assert again.log == match.log
    assert again == match
    assert [again.observations(s) for s in (1, 2, None)] == [match.observations(s) for s in (1, 2, None)]
    again.save(path)


# ---------------------------------------------------------------- room
def room_of(state: State) -> int:
    """How many things a state holds on to."""
    parts = [getattr(state, name) for name in State.__slots__ if name not in ("engine", "blocks")]
    lists = [part for part in parts if isinstance(part, list | tuple)]
    return sum(len(part) + sum(len(x) for x in part if isinstance(x, list | tuple)) for part in lists)


@pytest.mark.parametrize("game", ["tic_tac_toe", "goofspiel", "dragon_keeper"])
def test_a_mark_is_no_larger_late_in_a_match(game: str) -> None:
    """Also of a match whose choices are sealed."""
    match = dr.load(game).start(seed=2)
    first = room_of(Mark.of(match).now.state)
    while not match.over:
        for moment in (Mark.of(match).now, Mark.of(match).opening):
            assert moment is None or moment.state.seen is None
            assert moment is None or room_of(moment.state) < 2 * first + 200
        match.choose(match.decisions % len(match.state.options))


def test_long_matches_keep_a_fixed_number_of_marks(tmp_path: Path) -> None:
    session, _ = at_table(moves(tmp_path), *TWO, answers=["pass"] * (MOST_KEPT + 50))
    played(session)
    assert len(session.forms.steps) == MOST_KEPT
    assert all(step.mark.now.state.seen is None for step in session.forms.steps)


def test_a_sealed_choice_can_be_taken_back(tmp_path: Path) -> None:
    match = dr.load("goofspiel").start(seed=2)
    match.choose(0)
    mark = Mark.of(match)
    assert mark.opening is not None
    match.choose(1)
    again = mark.restored(match)
    assert again.opening is not None and again.opening[0].seen is not None
    again.choose(1)
    assert again == match and again.observations(1) == match.observations(1)


def test_several_matches_are_listed_and_one_can_be_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = moves(tmp_path)
    for name, answers in {"a": ("pass",), "b": ("pass", "pass", "pass")}.items():
        left_behind(spec, tmp_path / f"{name}.jsonl", *answers)
    os.utime(tmp_path / "b.jsonl", (86400 * 365, 86400 * 365))
    stories = [story for name in "ab" if (story := read_journal(tmp_path / f"{name}.jsonl"))]
    typed = iter(["3", "drop 1", "1"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    assert asked_match(stories) is stories[1]
    told = capsys.readouterr().out
    assert "Moves, 1 decision (human, human): turn 2, player 2 decides" in told
    assert "1971-01-01" in told and "Moves, 3 decisions (human, human): turn 4, player 2 decides" in told
    assert "There is no match `3`" in told
    assert not (tmp_path / "a.jsonl").exists() and (tmp_path / "b.jsonl").exists()
