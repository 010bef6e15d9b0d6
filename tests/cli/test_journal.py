"""The journal: every decision on disk, and a way to go on from any of its lines."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
from pathlib import Path

import click
import pytest
from dragonrules.cli.commands.run import LAST, kept_journal, resumed
from dragonrules.interpreter.core.errors import UsageError
from dragonrules.interpreter.table import journal as journals
from dragonrules.interpreter.table.journal import (
    InUse,
    Journal,
    look_through,
    read_journal,
    resume_any,
    tidy,
    unfinished,
)
from dragonrules.interpreter.table.stories import BadJournal

from .command import COINS, dragonrules, written
from .journals import SEATS, played, said_of, signed, small
from .paper import Paper, at_table, loaded
from .paper import played as session_played


def test_a_journal_is_readable_and_tells_the_match(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 9)
    head, *lines = [json.loads(line.partition("\t")[0]) for line in path.read_text().splitlines()]
    assert (head["game"], head["players"], head["seed"]) == ("Dragon Keeper", 3, 6)
    assert head["seats"] == ["human", "random", "random"]
    assert lines.pop() == ["left"]
    assert lines == json.loads(json.dumps(log))
    match, seats = resume_any(path, None)
    assert match.log == lines
    assert seats == head["seats"]


@pytest.mark.parametrize("kept", [1, 40, 200, -1, -5])
def test_wherever_it_was_cut_off_the_whole_lines_count(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 9)
    head, _, rest = path.read_text().partition("\n")
    path.write_text(head + "\n" + rest[:kept])
    match, _ = resume_any(path, None)
    complete = rest[:kept].split("\n")[:-1]
    assert match.decisions == sum(line.startswith('["choose"') for line in complete)
    assert match.log == log[: len(match.log)]
    assert match.decision is not None


def test_going_on_from_a_journal_is_going_on_with_the_match(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 9)
    match, _ = resume_any(path, None)
    whole = loaded("dragon_keeper").start(3, seed=6)
    for n in range(9):
        whole.choose(n % len(whole.state.options))
    for _ in range(12):
        match.choose(0)
        whole.choose(0)
    assert match.log == whole.log
    assert match == whole


def test_what_was_taken_back_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    match = loaded("tic_tac_toe").start(2, seed=1)
    journal = Journal(path, match, ["human", "human"])
    before = match.fork()
    match.choose(0)
    journal.record(match)
    match = before.fork()
    match.choose(4)
    journal.record(match)
    match.choose(0)
    journal.record(match)
    journal.close()
    story = read_journal(path)
    assert story is not None
    assert story.log == json.loads(json.dumps(match.log))
    assert resume_any(path, None)[0] == match


def test_other_rules_are_refused(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    save = tmp_path / "table.jsonl"
    dragonrules("run", game, "--seat", "human", "--seed", 2, "--save", save, input="take\nquit\n")
    written(tmp_path, coins=COINS.replace("gold 9", "gold 8"))
    with pytest.raises(UsageError, match="D0701"):
        resume_any(save, None)


def test_the_last_match_that_is_not_over_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGONRULES_STATE", str(tmp_path))
    assert dragonrules("run", "--resume").exit_code == 2
    played(tmp_path / "a.jsonl", 4)
    _, log = played(tmp_path / "b.jsonl", 4)
    head = json.loads((tmp_path / "b.jsonl").read_text().partition("\t")[0])
    (tmp_path / "b.jsonl").write_bytes(signed(head, *log, ["over", [1]], ["left"]))
    assert [story.path.name for story in unfinished()] == ["a.jsonl"]
    document = json.loads(dragonrules("run", "--resume", "--format", "json").stdout)
    assert document["game"] == "Dragon Keeper"
    assert document["over"]


def test_a_save_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    loaded("tic_tac_toe").start(2, seed=1).save(path)
    assert read_journal(path) is None
    assert resume_any(path, None)[1] is None
    path.write_text("{}")
    with pytest.raises(UsageError, match="D0702"):
        resume_any(path, None)


# ---------------------------------------------------------------- damage
def test_no_damage_goes_without_a_word(tmp_path: Path) -> None:
    """Some of what tests/endurance/damage_journals.py does to every byte."""
    path = tmp_path / "j.jsonl"
    log = small(path)
    whole = path.read_bytes()
    assert said_of(path, log) == "same"
    chance = random.Random(3)
    for at in chance.sample(range(len(whole)), 250):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 1 << at % 7]) + whole[at + 1 :]):
            path.write_bytes(data)
            assert said_of(path, log) == "told", (at, data[at : at + 1])
    lines = whole.splitlines(keepends=True)
    for at in range(len(lines)):
        path.write_bytes(b"".join(lines[:at] + lines[at + 1 :]))
        assert said_of(path, log) == "told", at


def test_what_was_damaged_is_told_and_kept_when_the_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 9)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[6] = lines[6].replace(b"[", b"(", 1)
    damaged = b"".join(lines)
    path.write_bytes(damaged)
    story = read_journal(path)
    assert story is not None
    assert "line 7" in str(story.problem)
    assert len(story.log) == 5
    match, _ = resume_any(path, None)
    journal = Journal(path, match, SEATS, story)
    match.choose(0)
    journal.record(match)
    journal.close()
    assert journal.aside == tmp_path / "j.jsonl.damaged"
    assert journal.aside.read_bytes() == damaged
    again = read_journal(path)
    assert again is not None
    assert again.problem is None
    assert again.log == json.loads(json.dumps(match.log))


def test_going_on_with_a_damaged_journal_says_so_at_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 9)
    path.write_bytes(path.read_bytes()[:-30])
    result = dragonrules("run", "--resume", path, "--auto")
    assert result.exit_code == 0
    assert "note: line" in result.stderr
    assert "cut off" in result.stderr


@pytest.mark.parametrize(
    "line", [5, {}, [], None, ["dance", 1], ["choose", "1", []], ["choose", 1, 5], ["back", 99]]
)
def test_lines_that_make_no_sense_are_told(line: object, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 3)
    head = json.loads(path.read_text().partition("\t")[0])
    path.write_bytes(signed(head, *log, line, *log))
    story = read_journal(path)
    assert story is not None
    assert "makes no sense" in str(story.problem)
    assert story.log == json.loads(json.dumps(log))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal", "2"), ("journal", True), ("journal", 99), ("spec", 5), ("variants", "restless"),
        ("variants", [1]), ("options", []), ("players", "3"), ("players", True), ("seed", None), ("seats", {}),
        ("seats", [1, 2, 3]),
    ],
)  # fmt: skip
def test_heads_that_make_no_sense_are_refused_and_disturb_no_other(
    name: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGONRULES_STATE", str(tmp_path))
    played(tmp_path / "good.jsonl", 3)
    path = tmp_path / "bad.jsonl"
    _, log = played(path, 3)
    head = json.loads(path.read_text().partition("\t")[0])
    path.write_bytes(signed({**head, name: value}, *log))
    with pytest.raises(BadJournal, match="D0702"):
        resume_any(path, None)
    stories, useless = look_through()
    assert [story.path.name for story in stories] == ["good.jsonl"]
    assert "bad.jsonl" in useless[0]
    assert dragonrules("run", "--resume", "--format", "json").exit_code == 0


def test_a_seat_nobody_knows_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 3)
    head = json.loads(path.read_text().partition("\t")[0])
    path.write_bytes(signed({**head, "seats": ["human", "oracle", "random"]}, *log))
    result = dragonrules("run", "--resume", path)
    assert result.exit_code == 2
    assert "oracle" in result.output


def test_a_choice_that_is_not_offered_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 3)
    head = json.loads(path.read_text().partition("\t")[0])
    path.write_bytes(signed(head, *log, ["choose", 1, ["c", "Dragon#999"]]))
    with pytest.raises(BadJournal, match="cannot be followed"):
        resume_any(path, None)


# ---------------------------------------------------------------- one process at a time
def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 3)
    story = read_journal(path)
    assert story is not None
    match, _ = resume_any(path, None)
    first = Journal(path, match.fork(), SEATS, story)
    with pytest.raises(InUse, match="D0710"):
        Journal(path, match.fork(), SEATS, story)
    match.choose(0)
    first.record(match)
    first.close()
    with pytest.raises(InUse, match="D0710"):  # free again, but the match has gone on
        Journal(path, match.fork(), SEATS, story)
    told = read_journal(path)
    assert told is not None
    assert told.log == json.loads(json.dumps(match.log))


def test_who_asks_for_a_match_that_is_being_played_is_told_just_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "j.jsonl"
    journal = Journal(path, loaded("tic_tac_toe").start(2, seed=1), ["human", "human"])
    with pytest.raises(InUse, match="D0710"):
        resumed(str(path), None, people=True)
    assert capsys.readouterr().err == ""  # no word of a program that was stopped
    journal.close()
    assert resumed(str(path), None, people=True)[0].decisions == 0


def test_many_files_that_are_no_journals_are_told_in_a_few_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DRAGONRULES_STATE", str(tmp_path))
    for number in range(30):
        (tmp_path / f"{number}.jsonl").write_text("{}")
    with pytest.raises(click.UsageError, match="no unfinished match"):
        resumed(LAST, None, people=True)
    said = capsys.readouterr().err.splitlines()
    assert (len(said), said[-1]) == (6, "note: 25 more files cannot be used")


def test_a_match_that_is_being_played_is_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGONRULES_STATE", str(tmp_path))
    match = loaded("tic_tac_toe").start(2, seed=1)
    journal = Journal.in_state_folder(match, ["human", "human"])
    match.choose(0)
    journal.record(match)
    assert unfinished() == []
    journal.close()
    assert [story.decisions for story in unfinished()] == [1]


def test_going_on_writes_behind_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 4)
    before, number = path.read_bytes(), path.stat().st_ino
    match, _ = resume_any(path, None)
    journal = Journal(path, match, ["random", "random", "human"], read_journal(path))
    match.choose(0)
    journal.record(match)
    journal.close()
    assert path.read_bytes().startswith(before)
    assert path.stat().st_ino == number
    again, seats = resume_any(path, None)
    assert seats == ["random", "random", "human"]
    assert again == match


def test_another_match_under_the_same_name_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 4)
    before = path.read_bytes()
    for name in ("j.jsonl.old", "j.jsonl.old-2"):
        match = loaded("tic_tac_toe").start(2, seed=1)
        journal = Journal(path, match, ["human", "human"])
        journal.close()
        assert journal.aside == tmp_path / name
    assert (tmp_path / "j.jsonl.old").read_bytes() == before


# ---------------------------------------------------------------- what may be thrown away
def test_only_what_is_surely_over_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "KEPT", 0)
    _, log = played(tmp_path / "under_way.jsonl", 3)
    head = json.loads((tmp_path / "under_way.jsonl").read_text().partition("\t")[0])
    over = signed(head, *log, ["over", [1]], ["left"])
    (tmp_path / "over.jsonl").write_bytes(over)
    (tmp_path / "taken_back.jsonl").write_bytes(signed(head, *log, ["over", [1]], ["back", 1], ["left"]))
    (tmp_path / "cut.jsonl").write_bytes(over[:-2])
    (tmp_path / "newer.jsonl").write_bytes(signed({**head, "journal": 99}, ["over", [1]]))
    (tmp_path / "head.jsonl").write_bytes(b"{" + over)
    (tmp_path / "foreign.jsonl").write_bytes(b'{"some": "other program"}\n["over"]\n')
    tidy(tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == [
        "cut", "foreign", "head", "newer", "taken_back", "under_way",
    ]  # fmt: skip


def test_what_killed_processes_left_half_written_goes(tmp_path: Path) -> None:
    for name in (".a.jsonl.123", ".a.jsonl.0123abcd.part", ".profile", ".a.jsonl.mine"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / ".b.jsonl.124").touch()
    tidy(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.jsonl.mine", ".b.jsonl.124", ".profile"]


# ---------------------------------------------------------------- disks
class FullDisk:
    """A file on a disk that has room for so many more bytes."""

    def __init__(self, file: object, room: int) -> None:
        self.file, self.room = file, room

    def write(self, data: bytes) -> int:
        part = bytes(data[: self.room])
        if not part:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.room -= len(part)
        return self.file.write(part)  # type: ignore[attr-defined, no-any-return]

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)


@pytest.mark.parametrize("room", [0, 1, 30, 60, 100])
def test_a_disk_that_fills_up_stops_nobody_and_spoils_nothing(room: int, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    match = loaded("tic_tac_toe").start(2, seed=1)
    journal = Journal(path, match, ["human", "human"])
    whole = journal._file
    journal._file = FullDisk(whole, room)  # type: ignore[assignment]
    for _ in range(4):
        match.choose(0)
        journal.record(match, safely=True)
    assert journal.problem == "No space left on device"
    story = read_journal(path)
    assert story is not None
    assert story.damage is None
    assert story.log == json.loads(json.dumps(match.log))[: len(story.log)]
    journal._file = whole  # somebody has made room
    journal.record(match)
    journal.close()
    assert journal.problem is None
    again = read_journal(path)
    assert again is not None
    assert (again.problem, again.log) == (None, json.loads(json.dumps(match.log)))


def test_a_match_that_cannot_be_written_down_is_played_but_not_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DRAGONRULES_STATE", str(tmp_path / "file" / "state"))
    match = loaded("tic_tac_toe").start(2, seed=1)
    assert kept_journal(match, ["human", "human"], None, None, Paper()) is None
    assert capsys.readouterr().err.startswith("note: this match is not written down: `")


def test_people_are_told_when_writing_fails_and_when_it_works_again(tmp_path: Path) -> None:
    session, screen = at_table("tic_tac_toe", "human", "human", answers=["1", "1", "1"])
    session.journal = Journal(tmp_path / "j.jsonl", session.match, ["human", "human"])
    works, session.journal._put = session.journal._put, full  # type: ignore[method-assign]

    def read(*args: object, **kwargs: object) -> str:
        if session.match.decisions == 2:
            session.journal._put = works  # type: ignore[method-assign, union-attr]
        return Paper.read(screen, *args, **kwargs)  # type: ignore[arg-type]

    screen.read = read  # type: ignore[method-assign]
    assert not session_played(session)
    text = [" ".join(" ".join(page).split()) for page in screen.pages]
    failed = [n for n, page in enumerate(text) if "cannot be written down any more: No space left" in page]
    again = [n for n, page in enumerate(text) if "written down again" in page]
    assert len(failed) == len(again) == 1 and failed < again
    session.journal.close()
    told = read_journal(tmp_path / "j.jsonl")
    assert told is not None and told.log == json.loads(json.dumps(session.match.log))


def full(lines: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_that_cannot_be_written_is_an_error_for_a_file_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    nowhere = tmp_path / "plain" / "table.jsonl"
    result = dragonrules("run", "tic_tac_toe", "--seat", "human", "--save", nowhere, input="quit\n")
    assert result.exit_code == 2
    assert "D0708" in result.stderr


# ---------------------------------------------------------------- older journals, other machines
def as_before(path: Path) -> bytes:
    """A journal in format 1: neither checksums nor a last line."""
    lines = [line.partition("\t")[0] for line in path.read_text().splitlines()][:-1]
    return ("\n".join(lines).replace('"journal":2', '"journal":1') + "\n").encode()


def test_journals_of_format_1_open_and_go_on(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 9)
    path.write_bytes(as_before(path))
    story = read_journal(path)
    assert story is not None
    assert (story.problem, story.log, story.seats) == (None, json.loads(json.dumps(log)), SEATS)
    match, _ = resume_any(path, None)
    journal = Journal(path, match, SEATS, story)
    match.choose(0)
    journal.record(match)
    journal.close()
    assert journal.aside is None
    again = read_journal(path)
    assert again is not None
    assert (again.format, again.problem, again.log) == (2, None, json.loads(json.dumps(match.log)))


@pytest.mark.parametrize("line", ["5", "{}", '["dance",1]', "((", '["choose"]'])
def test_damage_to_journals_of_format_1_is_told(line: str, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    played(path, 9)
    lines = as_before(path).splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:5], line.encode() + b"\n", *lines[5:]]))
    story = read_journal(path)
    assert story is not None
    assert "line 6" in str(story.damage)


def test_a_journal_opens_where_its_rules_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    game = written(folder, coins=COINS)
    path = tmp_path / "j.jsonl"
    dragonrules("run", game, "--seat", "human", "--seed", 2, "--save", path, input="take\nquit\n")
    shutil.rmtree(folder)
    match, _ = resume_any(path, None)
    assert match.game.name == "Coins"
    assert dragonrules("replay", path).exit_code == 0


def test_the_time_to_write_an_entry_does_not_grow(tmp_path: Path) -> None:
    """Counted, not timed: how many entries of the log are looked at for each decision."""
    match = loaded("tic_tac_toe").start(2, seed=1)
    journal = Journal(tmp_path / "j.jsonl", match, ["human", "human"])
    looks = 0

    class Counted(list[object]):
        def __getitem__(self, at: object) -> object:  # type: ignore[override]
            nonlocal looks
            looks += 1
            return super().__getitem__(at)  # type: ignore[index]

    match.log = Counted()  # type: ignore[assignment]
    for n in range(2_000):
        match.log.append(["choose", 1, ["n", n]])
        journal.record(match)
    assert looks < 10_000
    journal.close()
