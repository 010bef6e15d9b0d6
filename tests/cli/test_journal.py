"""The journal: every decision on disk, and a way to go on from any of its lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dragonrules.cli.journal import Journal, read_journal, resume_any, unfinished
from dragonrules.interpreter.errors import UsageError

from .command import COINS, dragonrules, written
from .paper import loaded


def played(path: Path, decisions: int) -> tuple[Journal, list[list[object]]]:
    """A match of Dragon Keeper with a journal."""
    match = loaded("dragon_keeper").start(3, seed=6)
    journal = Journal(path, match, ["human", "random", "random"])
    for n in range(decisions):
        match.choose(n % len(match.state.options))
        journal.record(match)
    journal.close()
    return journal, match.log


def test_a_journal_is_readable_and_tells_the_match(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _, log = played(path, 9)
    head, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert (head["game"], head["players"], head["seed"]) == ("Dragon Keeper", 3, 6)
    assert head["seats"] == ["human", "random", "random"]
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
    lines = rest[:kept].split("\n")
    complete = lines if lines[-1].endswith("]]]") or not lines[-1] else lines[:-1]
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
    over, _ = played(tmp_path / "b.jsonl", 4)
    with over.path.open("a") as file:
        file.write('["over",[1]]\n')
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
