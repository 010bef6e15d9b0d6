"""`simulate` and `compare` as commands: what they print, write, refuse, and how they end."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ..lab.race import race
from .command import Terminal, dragonrules, spawned


def data(*args: Any) -> dict[str, Any]:
    result = dragonrules(*args, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


# ---------------------------------------------------------------- simulate
def test_figures_as_text(tmp_path: Path) -> None:
    result = dragonrules("simulate", race(tmp_path), "--players", 3, "--games", 40, "--seed", 1, "--count")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Race for 3 players (3 x random), 40 games, seed 1"
    assert any(line.startswith("  length in turns") for line in lines)
    assert sum(line.startswith("  seat ") for line in lines) == 3
    assert "  there  40  100.0 %" in lines
    assert "Never in 40 games" in lines
    assert "  ending tired" in lines
    assert "40 games in" in result.stderr


def test_the_same_seed_gives_the_same_figures_whatever_the_number_of_processes(tmp_path: Path) -> None:
    """The rows too, byte for byte."""
    path = race(tmp_path)
    answers = []
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.csv"
        done = spawned(
            "simulate", path, "--games", 60, "--seed", 9, "--jobs", jobs, "--out", out, "--format", "json",
            "--seat", "greedy",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers.append((done.stdout, out.read_bytes()))
    assert answers[0] == answers[1]


def test_rows_and_report(tmp_path: Path) -> None:
    out, report, counts = tmp_path / "games.csv", tmp_path / "report.html", tmp_path / "counts.csv"
    result = dragonrules(
        "simulate",
        race(tmp_path),
        "--games",
        30,
        "--seed",
        2,
        "--out",
        out,
        "--report",
        report,
        "--count-to",
        counts,
    )
    assert result.exit_code == 0, result.stderr
    with out.open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 30
    page = report.read_text(encoding="utf-8")
    assert page.count("<svg") >= 5
    assert '<main id="text">\n<dl class="facts">' in page
    for words in ("Wins by seat", "Scores", "How games end", "What came into play", "What never did"):
        assert f">{words}</h2>" in page
    assert "action rest" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", ""), "nothing is fetched"
    with counts.open(newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert rows["there"]["times"] == rows["there"]["games"] == "30"
    assert rows["rest"]["times"] == "0"


def test_a_document_for_programs(tmp_path: Path) -> None:
    found = data(
        "simulate", race(tmp_path), "--games", 25, "--seed", 3, "--set", "goal=5", "--variant", "far"
    )
    assert found["games"] == 25
    assert found["complete"] is True
    assert found["options"]["goal"] == 5
    assert found["variants"] == ["far"]
    assert found["endings"] == {"there": 25}
    assert set(found["figures"]["turns"]) >= {"mean", "low", "high", "deviation", "median"}
    assert sum(seat["won"] for seat in found["seats"]) == 25
    assert found["usage"] is None


def test_players_of_different_kinds_are_told_apart(tmp_path: Path) -> None:
    found = data("simulate", race(tmp_path), "--games", 40, "--seed", 1, "--seat", "greedy", "--players", 2)
    kinds = {kind["player"]: kind for kind in found["kinds"]}
    assert kinds["greedy"]["share"] + kinds["random"]["share"] == pytest.approx(1)
    assert found["seats_rotate"] is True


def test_broken_games_are_reported_and_the_rest_counts(tmp_path: Path) -> None:
    result = dragonrules(
        "simulate", race(tmp_path), "--variant", "hasty", "--set", "goal=30", "--games", 40, "--seed", 1
    )
    assert result.exit_code == 1
    assert "broken by the rules; the first is game" in result.stderr
    assert "D0902" in result.stderr
    assert "length in turns" in result.stdout


def test_one_game_is_a_summary_without_intervals(tmp_path: Path) -> None:
    report = tmp_path / "one.html"
    result = dragonrules("simulate", race(tmp_path), "--games", 1, "--seed", 1, "--report", report)
    assert result.exit_code == 0
    assert "unknown" in result.stdout
    assert not re.search(r"\b(nan|inf)\b", report.read_text(encoding="utf-8"))
    found = data("simulate", race(tmp_path), "--games", 1, "--seed", 1)
    assert found["figures"]["turns"]["low"] is None


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--games", "0"], "0 is not in the range x>=1"),
        (["--games", "-3"], "is not in the range"),
        (["--players", "9"], "Race is for 2 to 4 players, not 9"),
        (["--seat", "gredy"], "did you mean `greedy`"),
        (["--seat", "random", "--seat", "random", "--seat", "random", "--players", "2"], "only 2 players"),
        (["--set", "goal=99"], "from 3 to 30"),
        (["--out", "results.txt"], "neither a .csv nor a .parquet"),
        (["--out", "/nowhere/results.csv"], "cannot be written: No such file"),
        (["--report", "/nowhere/report.html"], "cannot be written: No such file"),
        (["--sweep", "goal"], "should read like `goal=6..14`"),
        (["--sweep", "goal=3..40"], "from 3 to 30"),
        (["--sweep", "goal=4,5", "--grid"], "--grid needs two"),
        (["--sweep", "goal=4,5", "--count"], "does not count rules"),
        (["--cluster", "10.0.0.5"], "is not the address of a Dask scheduler"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_played(tmp_path: Path, args: list[str], words: str) -> None:
    result = dragonrules("simulate", race(tmp_path), *args)
    assert result.exit_code == 2
    assert words in result.stderr


def test_an_interruption_gives_the_results_so_far(tmp_path: Path) -> None:
    """Stopped while the bar is moving: figures, rows and exit code are those of what was played."""
    out = tmp_path / "games.csv"
    terminal = Terminal(
        "simulate", race(tmp_path), "--games", 1_000_000, "--seed", 5, "--jobs", 1, "--out", out, folder=tmp_path
    )  # fmt: skip
    terminal.wait_for("games/s")
    terminal.wait_for("left")
    terminal.interrupt()
    assert terminal.finish() == 130
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert f"interrupted: these are the results so far, {len(rows):,} of 1,000,000 games" in terminal.shown
    again = dragonrules("simulate", race(tmp_path), "--games", len(rows), "--seed", 5)
    figures = again.stdout.splitlines()[2:]
    assert len(figures) > 15
    assert "\n".join(figures) in terminal.shown


@pytest.mark.long
def test_an_interruption_stops_the_processes_too(tmp_path: Path) -> None:
    terminal = Terminal(
        "simulate", "drakon", "--games", 100_000, "--seed", 5, "--jobs", 2, folder=tmp_path
    )  # fmt: skip
    terminal.wait_for("games/s", 60)
    for _ in range(30):  # pages of the bar, by when the processes are at work
        terminal.wait_for("left", 60)
    terminal.interrupt()
    assert terminal.finish() == 130
    assert "Traceback" not in terminal.shown


@pytest.mark.long
def test_two_processes_give_the_same_rows_as_one(tmp_path: Path) -> None:
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.csv"
        done = spawned("simulate", "drakon", "--games", 450, "--seed", 9, "--jobs", jobs, "--out", out)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


# ---------------------------------------------------------------- sweep
def test_a_sweep(tmp_path: Path) -> None:
    report = tmp_path / "sweep.html"
    result = dragonrules(
        "simulate", race(tmp_path), "--sweep", "goal=5..15/5", "--games", 60, "--seed", 1, "--report", report,
        "--out", tmp_path / "sweep.csv",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["5", "10", "15"]
    assert "One more goal adds" in lines
    assert report.read_text(encoding="utf-8").count("<polyline") >= 5
    with (tmp_path / "sweep.csv").open(newline="") as file:
        assert {row["goal"] for row in csv.DictReader(file)} == {"5", "10", "15"}


def test_a_sweep_for_programs(tmp_path: Path) -> None:
    found = data(
        "simulate",
        race(tmp_path),
        "--sweep",
        "goal=5,10",
        "--sweep",
        "draw_at=0,4",
        "--grid",
        "--games",
        20,
        "--seed",
        1,
    )
    assert [point["settings"] for point in found["points"]] == [
        {"goal": "5", "draw_at": "0"},
        {"goal": "5", "draw_at": "4"},
        {"goal": "10", "draw_at": "0"},
        {"goal": "10", "draw_at": "4"},
    ]
    turns = [curve for curve in found["curves"] if curve["figure"] == "turns"]
    assert [curve["where"] for curve in turns] == ["draw_at=0", "draw_at=4"]
    assert turns[0]["means"] == sorted(turns[0]["means"])


# ---------------------------------------------------------------- compare
def test_a_comparison(tmp_path: Path) -> None:
    report = tmp_path / "compared.html"
    result = dragonrules(
        "compare", race(tmp_path), "far", "goal=12", "--games", 80, "--seed", 1, "--report", report
    )
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "race for 2 players (2 x greedy), 80 games of each rule set, seed 1"
    far = next(line for line in lines if line.startswith("far: "))
    assert far.startswith("far: games are ")
    assert " turns longer; " in far
    assert "no sign that the first seat gains or loses" in far
    assert any(line.startswith("goal=12: games are ") for line in lines)
    page = report.read_text(encoding="utf-8")
    assert page.count("<svg") >= 6
    assert "Side by side" in page


def test_a_comparison_of_chosen_figures(tmp_path: Path) -> None:
    found = data("compare", race(tmp_path), "far", "--games", 30, "--seed", 1, "--about", "length, start")
    assert set(found["comparisons"][0]["figures"]) == {"turns", "first_seat"}  # the starter is always seat 1
    assert found["comparisons"][0]["games_that_differ"] == 30
    result = dragonrules("compare", race(tmp_path), "far", "--games", 30, "--about", "lenght")
    assert result.exit_code == 2
    assert "did you mean `length`?" in result.stderr


def test_a_comparison_by_the_clock(tmp_path: Path) -> None:
    """How many games there are depends on the machine; which they are does not."""
    found = data("compare", race(tmp_path), "far", "--seconds", 0.2, "--seed", 1, "--jobs", 1)
    games = found["comparisons"][0]["games"]
    assert games >= 2
    again = data("compare", race(tmp_path), "far", "--games", games, "--seed", 1)
    assert found["comparisons"] == again["comparisons"]
    assert dragonrules("compare", race(tmp_path), "far", "--seconds", 1, "--games", 5).exit_code == 2


def test_one_rule_set_with_mistakes_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    result = dragonrules(
        "compare",
        race(tmp_path),
        "far",
        "wrong",
        "farr",
        "goal=99",
        "missing.dragon",
        "--games",
        20,
        "--seed",
        1,
        "--format",
        "json",
    )
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [c["rules"] for c in found["comparisons"]] == ["far"]
    assert [f["rules"] for f in found["failed"]] == ["wrong", "farr", "goal=99", "missing.dragon"]
    for words in (
        "`wrong` cannot be played",
        "gaol",
        "did you mean",
        "from 3 to 30",
        "no file `missing.dragon`",
    ):
        assert words in result.stderr
    assert found["comparisons"][0]["figures"]["turns"]["verdict"] == "different"


def test_nothing_left_to_compare(tmp_path: Path) -> None:
    result = dragonrules("compare", race(tmp_path), "wrong", "--games", 20)
    assert result.exit_code == 1
    assert result.stdout == ""


def test_a_game_against_itself(tmp_path: Path) -> None:
    path = race(tmp_path)
    found = data("compare", path, path, "goal=10", "--games", 30, "--seed", 4)
    for comparison in found["comparisons"]:
        assert {figure["verdict"] for figure in comparison["figures"].values()} == {"open"}
        assert comparison["sentence"].startswith("no difference was found in 30 games")
        assert "games would settle" in comparison["sentence"]


def test_a_variant_of_another_game_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "wolf.dragon"
    other.write_text('variant "Wolf" of drakon:\n    set goal = 8\n', encoding="utf-8")
    result = dragonrules("compare", race(tmp_path), other, "--games", 20)
    assert result.exit_code == 1
    assert "is a variant of drakon, not of race" in result.output


def test_no_verdict_when_every_game_breaks(tmp_path: Path) -> None:
    game = race(tmp_path)
    broken = tmp_path / "broken.dragon"
    broken.write_text(
        'variant "Broken" of race:\n    trigger nowhere before turn(p): as p: choose n in 1..3 where n > 3\n',
        encoding="utf-8",
    )
    result = dragonrules("compare", game, broken, "--games", 20)
    assert result.exit_code == 1
    assert "no games could be played to the end by both." in result.output
    assert "no difference" not in result.output


def test_compare_needs_something_to_compare_with(tmp_path: Path) -> None:
    result = dragonrules("compare", race(tmp_path))
    assert result.exit_code == 2
    assert "Missing argument 'OTHER...'" in result.stderr
