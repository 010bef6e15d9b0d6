"""`run --resume --under` and `diff --at`: a saved match by other rules."""

from __future__ import annotations

import json
from pathlib import Path

import dragonrules as dr
import pytest

from .command import COINS, GREEDY, dragonrules, written

MANY = 'variant "Many" of coins for 3 players:\n    set goal = 4\n'
NO_TAKING = """\
variant "No taking" of coins:
    replace action take in turn_action:
        require no because "the pile is locked"
"""


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Both have taken a coin; player 1 is asked."""
    monkeypatch.chdir(tmp_path)
    spec = written(tmp_path, coins=COINS, greedy=GREEDY, many=MANY, locked=NO_TAKING)
    match = dr.load(spec).start(2, seed=1)
    for action in ("take", "take"):
        match.choose(action)
    match.save("match.json")
    return Path("match.json")


def test_going_on_by_other_rules(saved: Path) -> None:
    done = dragonrules(
        "run",
        "--resume",
        saved,
        "--under",
        "greedy",
        "--seat",
        "human",
        "--save",
        "new.jsonl",
        input="take\nquit\n",
    )
    assert "From turn 3 on by the rules of coins+greedy." in done.stderr
    told = dragonrules("replay", "new.jsonl").stdout
    assert "Player 1 wins: enough coins." in told
    assert json.loads(Path("new.jsonl").read_bytes().split(b"\t")[0])["before"]["variants"] == []
    assert json.loads(saved.read_text())["variants"] == []


def test_going_on_from_an_earlier_decision(saved: Path) -> None:
    done = dragonrules(
        "run", "--resume", saved, "--under", "greedy", "--back", 2, "--auto", "--save", "new.json"
    )
    assert "From turn 1 on by the rules" in done.stderr
    assert json.loads(Path("new.json").read_text())["before"]["log"] == []
    assert (
        "--back is `turn` or a number up to 2, not `3`"
        in dragonrules("run", "--resume", saved, "--under", "greedy", "--back", 3).stderr
    )


def test_going_on_where_it_cannot_be(saved: Path) -> None:
    assert (
        "is for 3 players, and 2 sit at the table"
        in dragonrules("run", "--resume", saved, "--under", "many", "--auto").stderr
    )
    alone = dragonrules("run", "coins.dragon", "--under", "greedy")
    assert alone.exit_code == 2 and "go with --resume SAVE" in alone.stderr
    assert dragonrules("run", "--resume", saved, "--back", "turn").exit_code == 2


def test_a_variant_that_was_edited_since(saved: Path) -> None:
    match = dr.load("coins.dragon", variants=["greedy.dragon"]).start(2, seed=1)
    match.choose("take")
    match.save("mine.json")
    Path("greedy.dragon").write_text(GREEDY.replace("2 of gold", "3 of gold").replace("> 1", "> 2"))
    assert "D0701" in dragonrules("run", "--resume", "mine.json", "--auto").stderr
    done = dragonrules(
        "run", "--resume", "mine.json", "--under", "greedy.dragon", "--seat", "human", input="take\n"
    )
    assert "by the rules of coins+greedy." in done.stderr
    assert "Player 2 wins" in done.stdout


def test_one_position_under_both(saved: Path) -> None:
    told = dragonrules("diff", "coins.dragon", "locked.dragon", "greedy", "--at", f"{saved}:1").stdout
    first, second = told.split("coins -> coins+greedy")
    assert "after 1 step, turn 2" in first
    assert "both: wait" in first and "only coins: take" in first
    assert "take: the pile is locked (locked.dragon:3)" in first
    assert "nothing is different here" in second


def test_one_position_as_data(saved: Path) -> None:
    found = json.loads(
        dragonrules("diff", "coins.dragon", "locked.dragon", "--at", saved, "--format", "json").stdout
    )
    assert found["others"][0]["lost"] == ["take"] and found["others"][0]["step"] == 2
    assert "nothing after 3" in dragonrules("diff", "coins.dragon", "goal=4", "--at", f"{saved}:3").stderr
    assert "is a match of Coins, not of" in dragonrules("diff", "pig", "goal=50", "--at", saved).stderr
