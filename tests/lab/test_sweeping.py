"""Sweeps: what may be asked for, and the curves that come of it."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.measures import MEASURES
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.sweeping import Point, Sweep, curves, points_of, read_sweep

from .race import race


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("goal=6..9", ("6", "7", "8", "9")),
        ("goal=6..14/4", ("6", "10", "14")),
        (" goal = 6, 8,6 ", ("6", "8")),
        ("goal=7", ("7",)),
    ],
)
def test_what_may_be_asked_for(tmp_path: Path, text: str, values: tuple[str, ...]) -> None:
    assert read_sweep(text, dr.load(race(tmp_path)).checked) == Sweep("goal", values)


def test_everything_that_an_option_may_be(tmp_path: Path) -> None:
    checked = dr.load("drakon").checked
    assert read_sweep("quick_start=all", checked).values == ("no", "yes")
    assert len(read_sweep("goal=all", checked).values) == 84


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("goal", "should read like"),
        ("goal=", "should read like"),
        ("gaol=3..4", "did you mean `goal`"),
        ("goal=9..6", "from the lower to the higher"),
        ("goal=3..9999", "at most 200"),
        ("turn_limit=all", "from 0 to 100000"),
    ],
)
def test_what_may_not(text: str, words: str) -> None:
    with pytest.raises(dr.UsageError, match=words):
        read_sweep(text, dr.load("drakon").checked)


def test_points() -> None:
    sweeps = [Sweep("a", ("1", "2")), Sweep("b", ("x", "y"))]
    assert points_of(sweeps, grid=False) == [{"a": "1"}, {"a": "2"}, {"b": "x"}, {"b": "y"}]
    assert points_of(sweeps, grid=True) == [
        {"a": "1", "b": "x"},
        {"a": "1", "b": "y"},
        {"a": "2", "b": "x"},
        {"a": "2", "b": "y"},
    ]
    with pytest.raises(dr.UsageError, match="10,000 points"):
        points_of([Sweep(n, tuple(map(str, range(100)))) for n in "ab"], grid=True)


def test_no_straight_line_is_told_over_a_bent_curve() -> None:
    """46, 77, 89, 96, 99: six a step on average, but fifteen at first and five in the end."""
    values, lengths = ("6", "8", "10", "12", "14"), (46, 77, 89, 96, 99)
    points = [
        Point({"goal": value}, [of_length(number, length + number % 7) for number in range(50)])
        for value, length in zip(values, lengths, strict=True)
    ]
    (turns,) = [
        c for c in curves([Sweep("goal", values)], points, MEASURES, grid=False) if c.measure.key == "turns"
    ]
    lower, upper = turns.slopes
    assert (lower.first, lower.last, upper.first, upper.last) == ("6", "10", "10", "14")
    assert lower.each.estimate == pytest.approx((89 - 46) / 4)
    assert upper.each.estimate == pytest.approx((99 - 89) / 4)


def of_length(number: int, turns: int) -> Played:
    return Played(number, 0, ("random",), (1,), None, turns, turns, 0, turns, 1, None, None)


def test_curves_have_the_slope_of_the_game(tmp_path: Path) -> None:
    """A step of one to the goal is a step of about 2 / 1.25 turns for two players at 1.25 steps a turn."""
    path = race(tmp_path)
    sweep = Sweep("goal", ("8", "12", "16"))
    points = []
    for value in sweep.values:
        series = Series(dr.load(path, options={"goal": value}), ("random",) * 2, seed=3)
        points.append(Point({"goal": value}, [series.play(n) for n in range(150)]))
    found = {c.measure.key: c for c in curves([sweep], points, MEASURES, grid=False)}
    turns = found["turns"]
    (slope,) = turns.slopes
    assert (slope.first, slope.last) == ("8", "16")
    assert 1.4 in slope.each or 1.5 in slope.each
    means = [i.estimate for i in turns.intervals if i is not None]
    assert means == sorted(means)
    assert turns.numbers == [8, 12, 16]
    assert "shared_wins" not in found, "two players cannot share a win without all sharing it"


def test_a_grid_has_a_curve_for_each_value_of_the_others(tmp_path: Path) -> None:
    path = race(tmp_path)
    sweeps = [Sweep("goal", ("8", "12")), Sweep("draw_at", ("0", "5"))]
    points = [
        Point(settings, [Series(dr.load(path, options=settings), ("random",) * 2).play(n) for n in range(10)])
        for settings in points_of(sweeps, grid=True)
    ]
    found = [c for c in curves(sweeps, points, MEASURES, grid=True) if c.measure.key == "turns"]
    assert [(c.option, c.where, c.values) for c in found] == [
        ("goal", "draw_at=0", ("8", "12")),
        ("goal", "draw_at=5", ("8", "12")),
    ]
