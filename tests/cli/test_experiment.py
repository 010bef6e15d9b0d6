"""Experiments kept in a file: the same as the commands that they stand for; mistakes are told before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..lab.race import race
from .command import dragonrules

PLAN = """
game = "race.dragon"
seed = 1
games = 12

[short]
command = "compare"
with = ["goal=6", "far"]
rest = "random"
about = "length"
report = "short.html"

[look]
command = "simulate"
seat = ["random", "greedy"]
count = true

[best]
command = "tournament"
with = ["random", "greedy"]
"""


def plan(folder: Path, text: str = PLAN) -> Path:
    race(folder)
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_is_what_its_command_says(tmp_path: Path) -> None:
    result = dragonrules("experiment", plan(tmp_path))
    assert result.exit_code == 0, result.stderr
    race_file = tmp_path / "race.dragon"
    alone = dragonrules(
        "compare",
        race_file,
        "goal=6",
        "far",
        "--seed",
        1,
        "--games",
        12,
        "--rest",
        "random",
        "--about",
        "length",
    )
    assert alone.stdout in result.stdout
    assert "action sprint" in result.stdout  # counted
    assert "greedy against random" in result.stdout or "random against greedy" in result.stdout
    page = (tmp_path / "short.html").read_text(encoding="utf-8")
    assert "command dragonrules compare --seed 1 --games 12 --rest random" in page
    assert [line for line in result.stderr.splitlines() if line.startswith("==")] == [
        "== short",
        "== look",
        "== best",
    ]


def test_those_that_are_named(tmp_path: Path) -> None:
    result = dragonrules("experiment", plan(tmp_path), "look")
    assert "== look" in result.stderr
    assert "== short" not in result.stderr
    result = dragonrules("experiment", plan(tmp_path), "lok")
    assert result.exit_code == 2
    assert "did you mean `look`" in result.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game = ", "is not TOML"),
        ("games = 3", "describes no experiment"),
        ("[a]\ngame = 'race.dragon'", "[a] needs a `command`"),
        ("[a]\ncommand = 'compar'\ngame = 'race.dragon'", "did you mean `compare`"),
        ("[a]\ncommand = 'simulate'", "[a] needs a `game`"),
        ("[a]\ncommand = 'simulate'\ngame = 'race.dragon'\ngamse = 3", "did you mean `games`"),
        ("[a]\ncommand = 'simulate'\ngame = 'race.dragon'\ncount = 3", "`count` is true or false"),
        ("[a]\ncommand = 'simulate'\ngame = 'race.dragon'\ngames = [[1]]", "`games` is a text, a number"),
        ("[a]\ncommand = 'simulate'\ngame = 'race.dragon'\n[b]\ncommand = 'simulate'\ngame = 'race.dragon'\ngames = 0",
         "[b] in plan.toml"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path: Path, text: str, told: str) -> None:
    result = dragonrules("experiment", plan(tmp_path, text))
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


def test_one_that_cannot_be_played_leaves_the_others(tmp_path: Path) -> None:
    text = PLAN.replace('"random", "greedy"]\ncount', '"random", "wizard"]\ncount')
    result = dragonrules("experiment", plan(tmp_path, text), "look", "best")
    assert result.exit_code == 2
    assert "[look]: " in result.stderr
    assert "surely stronger than" in result.stdout
