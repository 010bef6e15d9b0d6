"""Versions of a design in git: each plays as its files were then."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ..lab.race import race
from .command import dragonrules


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Ten steps to the goal, then twenty, then a mistake, then five; and six that are not committed."""
    folder = tmp_path / "designs"
    folder.mkdir()
    path = race(folder)
    text = path.read_text(encoding="utf-8")
    git(tmp_path, "init", "-q")
    for goal, subject in ((10, "As it was"), (20, "Further"), ("ten", "A slip"), (5, "Shorter")):
        path.write_text(text.replace("3..30 = 10", f"3..30 = {goal}"), encoding="utf-8")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", subject)
    path.write_text(text.replace("3..30 = 10", "3..30 = 6"), encoding="utf-8")
    return path


def test_each_version_is_played_as_it_was(repository: Path) -> None:
    words = ("--games", 60, "--rest", "random", "--seed", 1)
    result = dragonrules("history", repository, *words, "--format", "json")
    assert result.exit_code == 1  # one of them cannot be played
    assert "cannot be played" in result.stderr
    found = json.loads(result.stdout)["versions"]
    assert [v["subject"] for v in found] == ["As it was", "Further", "Shorter", "not committed"]
    for version, goal in zip(found, (10, 20, 5, 6), strict=True):
        alone = dragonrules("simulate", repository, "--set", f"goal={goal}", *words, "--format", "json")
        assert version["figures"]["turns"] == json.loads(alone.stdout)["figures"]["turns"]
    assert "turns longer" in found[1]["since_the_one_before"]
    assert "turns shorter" in found[2]["since_the_one_before"]


def test_the_last_ones_as_text(repository: Path) -> None:
    result = dragonrules("history", repository, "--last", 2, "--games", 20, "--rest", "random", "--seed", 1)
    assert result.exit_code == 0, result.stderr
    assert "now not committed:" in result.stdout
    assert "Shorter" not in result.stdout  # the first has none before it
    assert "length in turns" in result.stdout


def test_without_versions(tmp_path: Path) -> None:
    result = dragonrules("history", race(tmp_path), "--games", 5)
    assert result.exit_code == 2
    assert "git" in result.stderr
