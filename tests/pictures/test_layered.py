"""The layered layout: order, distances, circles, and pictures that stay the same."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from dragonrules.interpreter.pictures.layered import Layout, _rising, lay_out

HEIGHT, GAP = 20.0, 10.0


def laid(nodes: list[str], edges: list[tuple[str, str]], first: list[str] | None = None) -> Layout:
    return lay_out(nodes, edges, dict.fromkeys(nodes, HEIGHT), GAP, first or [])


def test_a_chain_is_a_straight_line() -> None:
    layout = laid(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert [layout.layer[n] for n in "abc"] == [0, 1, 2]
    assert len({round(layout.y[n], 6) for n in "abc"}) == 1


def test_a_circle_is_opened_at_its_last_edge() -> None:
    layout = laid(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "a"), ("b", "b")])
    assert layout.against == {("c", "a")}
    assert [layout.layer[n] for n in "abc"] == [0, 1, 2]
    assert len(layout.route[("c", "a")]) == 1  # past the layer between


def test_a_crossing_that_can_be_avoided_is() -> None:
    layout = laid(["a", "b", "x", "y"], [("a", "y"), ("b", "x")])
    assert (layout.y["a"] < layout.y["b"]) == (layout.y["y"] < layout.y["x"])


def test_the_first_stay_first_and_in_order() -> None:
    layout = laid(["r", "p1", "p2", "p3"], [("p3", "r"), ("r", "p1")], ["p1", "p2", "p3"])
    assert layout.y["p1"] < layout.y["p2"] < layout.y["p3"]


@pytest.mark.parametrize("seed", range(25))
def test_nothing_overlaps_and_all_run_rightwards(seed: int) -> None:
    random = Random(seed)
    nodes = [f"n{i}" for i in range(random.randint(1, 30))]
    edges = [(random.choice(nodes), random.choice(nodes)) for _ in range(random.randint(0, 60))]
    layout = laid(nodes, edges)
    for a, b in edges:
        if a != b:
            back = (a, b) in layout.against
            assert (layout.layer[a] < layout.layer[b]) != back
            between = abs(layout.layer[a] - layout.layer[b]) - 1
            assert len(layout.route[(a, b)]) == between
    for layer in range(layout.layers):
        column = sorted(layout.y[n] for n in nodes if layout.layer[n] == layer)
        assert all(low + HEIGHT + GAP <= high + 1e-6 for low, high in pairwise(column))
    assert laid(nodes, edges) == layout


def test_pooling_gives_the_nearest_rising_sequence() -> None:
    assert _rising([1.0, 3.0, 2.0, 5.0], [1.0, 1.0, 1.0, 1.0]) == [1.0, 2.5, 2.5, 5.0]
    assert _rising([3.0, 0.0], [1.0, 2.0]) == [1.0, 1.0]
