"""The table of strengths: intervals, and its place in the page."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import strength  # noqa: E402


def test_wilson_intervals() -> None:
    low, high = strength.wilson(0.5, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    low, high = strength.wilson(1.0, 20)
    assert (round(low, 3), round(high, 3)) == (0.839, 1.0)


def test_the_seat_goes_round_and_seeds_repeat() -> None:
    contest = strength.Contest("tic_tac_toe", 2, "mcts:40", "random", 4)
    results = [strength.play(contest, seed) for seed in range(4)]
    again = strength.play(contest, 3)
    assert again["winners"] == results[3]["winners"] and again["share"] == results[3]["share"]
    assert strength.row(contest, results)[3] == "4"


def test_the_table_goes_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"above\n{strength.MARKS[0]}\nold\n{strength.MARKS[1]}\nbelow\n")
    strength.put_in(page, "| new |")
    assert page.read_text() == f"above\n{strength.MARKS[0]}\n| new |\n{strength.MARKS[1]}\nbelow\n"


def test_the_page_shows_who_beats_whom_in_each_of_the_four_games() -> None:
    """Every row lies above an even lot, interval and all, or the page says that it is open."""
    text = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    table, rest = text.split(strength.MARKS[0])[1].split(strength.MARKS[1])
    rows = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[2:]]
    shown = {(row[0], row[2].split(":")[0].split()[0]) for row in rows}
    for game in ("drakon", "ryu", "dragon keeper", "dragons gold"):
        assert {(game, "greedy"), (game, "mcts")} <= shown
    for row in rows:
        share, low, even = (float(row[n].split("%")[0]) for n in (4, 5, 6))
        assert share > even, row
        assert (low <= even) == (f"Open: {row[0]}, {row[2]}." in " ".join(rest.split())), row
