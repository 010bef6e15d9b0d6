"""Plots: well-formed, described, the same for the same data, and right where it can be read off."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest
from dragonrules.interpreter.lab.plots import (
    Bar,
    Dot,
    bars,
    bins,
    histogram,
    intervals,
    lines,
    lying_bars,
    reach,
    ticks,
)

SVG = "{http://www.w3.org/2000/svg}"


def sample(seed: int, count: int = 200) -> list[float]:
    rng = random.Random(seed)
    return [float(rng.randrange(30, 60)) for _ in range(count)]


def all_plots() -> dict[str, str]:
    return {
        "histogram": histogram("Turns <&>", [("a & b", sample(1)), ("c", sample(2))], unit="turns"),
        "one value": histogram("Turns", [("", [3.0])]),
        "no value": histogram("Turns", [("", [])]),
        "bars": bars(
            "Wins", [("", [Bar("seat 1", 0.3, 0.2, 0.4), Bar("seat <2>", 0.7, 0.6, 0.8)])], reference=0.5
        ),
        "lying": lying_bars(
            "Use", [Bar("a rule with quite a long name indeed", 0.5), Bar("b", 0)], percent=True
        ),
        "intervals": intervals(
            "Changes", [Bar("turns", -3, -4, -2), Bar("draws", 0, -1, 1)], told=[True, False]
        ),
        "lines": lines("Turns", [("x", [Dot(1, 2, 1, 3), Dot(2, 4, 3, 5)])], x_label="goal"),
        "no line": lines("Turns", []),
        "names": lines("Turns", [("", [Dot(0, 2, 1, 3), Dot(1, 4, 3, 5)])], names=["no", "yes"]),
    }


@pytest.mark.parametrize("name", list(all_plots()))
def test_each_is_well_formed_and_described(name: str) -> None:
    text = all_plots()[name]
    assert text == all_plots()[name]
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and title.text
    assert description is not None and description.text
    assert not re.search(r"\b(nan|inf)\b", text)


def test_bars_are_as_high_as_their_values() -> None:
    root = ElementTree.fromstring(bars("Wins", [("", [Bar("a", 0.25), Bar("b", 0.5), Bar("c", 1.0)])]))
    heights = [float(bar.get("height", "")) for bar in root.iter(f"{SVG}rect")]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.02)
    assert heights[2] == pytest.approx(4 * heights[0], abs=0.02)


def test_a_histogram_has_all_values() -> None:
    root = ElementTree.fromstring(histogram("Turns", [("", sample(3))]))
    tips = [title.text or "" for title in root.iter(f"{SVG}title")][1:]
    shares = [float(tip.rsplit(": ", 1)[1].removesuffix(" %")) for tip in tips]
    assert sum(shares) == pytest.approx(100, abs=0.5)


def test_bins_of_whole_numbers_are_whole() -> None:
    assert bins([[1.0, 2.0, 4.0]]) == [0.5, 1.5, 2.5, 3.5, 4.5]
    edges = bins([[0.0, 100.0]])
    assert all((edge + 0.5) % 1 == 0 for edge in edges)
    assert edges[0] < 0 and edges[-1] > 100
    assert bins([[0.25, 0.25]]) == [-0.25, 0.75]


def test_a_few_far_out_do_not_squeeze_the_rest() -> None:
    values = [*sample(4, 500), 5000.0]
    assert reach([values]) < 100
    assert reach([sample(4)]) == max(sample(4))
    text = histogram("Turns", [("", values)], unit="turns")
    assert "the last bar: all beyond, up to 5,000" in text
    assert " and more: " in text


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.001, 0.0042), (-3, 7), (12, 12), (0, 123456)])
def test_ticks_are_few_and_cover_the_range(low: float, high: float) -> None:
    marks = ticks(low, high)
    assert marks[0] <= low
    assert marks[-1] >= high
    assert 2 <= len(marks) <= 9
