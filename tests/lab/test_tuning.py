"""Values for targets, and ratings: what is excluded is surely worse, what is rated higher wins more."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.errors import UsageError
from dragonrules.interpreter.lab.notebook import frame_of
from dragonrules.interpreter.lab.tournament import ratings
from dragonrules.interpreter.lab.tuning import read_target

from ..cli.command import dragonrules
from .race import race


# ---------------------------------------------------------------- targets
@pytest.mark.parametrize(
    ("text", "figure", "goal"),
    [
        ("length 60", "turns", 60),
        ("start advantage 0", "starter", 0),
        ("draws 5%", "draws", 0.05),
        ("ending the end 50%", "ending_the_end", 0.5),
        ("top_score 12.5", "top_score", 12.5),
    ],
)
def test_targets(text: str, figure: str, goal: float) -> None:
    found = read_target(text)
    assert (found.figure, found.goal) == (figure, goal)


@pytest.mark.parametrize("text", ["60", "length", "lenght 60", "length 60%", "endings 5"])
def test_targets_that_mean_nothing(text: str) -> None:
    with pytest.raises(UsageError):
        read_target(text)


def test_the_value_that_comes_closest_is_found(tmp_path: Path) -> None:
    path = race(tmp_path)
    lengths = {
        goal: dr.simulate(dr.load(path, options={"goal": goal}), games=400, seed=9).summary.figure("turns")
        for goal in (8, 12, 16)
    }
    middle = lengths[12]
    assert middle is not None
    result = dragonrules(
        "tune", path, "goal=8,12,16", "--target", f"length {middle.interval.estimate:.1f}",
        "--games", 50, "--seed", 1, "--format", "json",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["best"], found["left"]) == ("12", ["12"])
    text = dragonrules("tune", path, "goal=8,12,16", "--target", "length 1000", "--games", 50, "--seed", 1)
    assert "goal=16 comes closest" in text.stdout
    assert "It does not reach 1,000." in text.stdout


def test_an_ending_that_never_comes_is_no_target(tmp_path: Path) -> None:
    result = dragonrules("tune", race(tmp_path), "goal=8,12", "--target", "ending snow 5%", "--games", 5)
    assert result.exit_code == 2
    assert "no game ends with `snow`" in result.stderr


# ---------------------------------------------------------------- ratings
def test_ratings_give_back_the_odds() -> None:
    """Ten to one are 400 points; who has won nothing has a rating too."""
    found = ratings(["a", "b"], {("a", "b"): (10_000.0, 11_000)})
    assert found["a"] - found["b"] == pytest.approx(400, abs=1)
    chain = ratings(["a", "b", "c"], {("a", "b"): (2_000, 3_000), ("b", "c"): (2_000, 3_000)})
    assert chain["a"] - chain["c"] == pytest.approx(2 * (chain["a"] - chain["b"]), abs=0.5)
    assert ratings(["a", "b"], {("a", "b"): (20.0, 20)})["a"] < 1_000


def test_a_tournament() -> None:
    result = dragonrules(
        "tournament", "tic_tac_toe", "random", "greedy", "--games", 60, "--seed", 1, "--format", "json"
    )
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert [r["player"] for r in found["ratings"]] == ["greedy", "random"]
    assert found["ratings"][0]["surely_above"] == ["random"]
    assert dragonrules("tournament", "tic_tac_toe", "random").exit_code == 2


def test_equals_have_equal_ratings() -> None:
    """With one among two and two among one nobody gains by being alone."""
    table = dr.tournament("dragon_keeper", "random", "mcts:1", players=3, games=20, seed=3)
    assert len(table.pairings[0].results) == 10
    low, high = table.standings[0].rating.low, table.standings[0].rating.high
    assert low <= table.standings[0].rating.estimate <= high


# ---------------------------------------------------------------- from Python
def test_rows_and_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = dr.simulate(race(tmp_path), games=20, seed=2)
    assert [row["game"] for row in played.rows] == list(range(20))
    compared = dr.compare(
        dr.load(race(tmp_path)), "far", {"goal": 12}, rest="random", games=60, about="length"
    )
    assert {(row["rules"], row["figure"]) for row in compared.rows} == {
        ("far", "turns"),
        ("goal=12", "turns"),
    }
    assert "far: games are " in str(compared)
    monkeypatch.setitem(sys.modules, "pandas", None)  # not installed, polars is
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=tuple))
    assert frame_of(compared.rows) == tuple(compared.rows)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(UsageError, match="pandas or polars"):
        compared.frame()
