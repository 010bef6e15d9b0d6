"""What a notebook shows: text always, HTML that is well formed, and never a hidden thing."""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar import Report, Source, parse


def bundle(shown: object) -> dict[str, str]:
    found = shown._repr_mimebundle_()  # type: ignore[attr-defined]
    assert found["text/plain"]
    if "text/html" in found:
        page = found["text/html"].replace("<br>", "<br/>")
        ET.fromstring(page)
        assert "<style" not in page and "<script" not in page
    return dict(found)


@pytest.mark.parametrize(
    "spec", ["drakon", "ryu", "dragon_keeper", "dragons_gold", "connect_four", "leduc_poker"]
)
def test_everything_shows_itself(spec: str) -> None:
    game = dr.load(spec)
    match = game.start(seed=3)
    for _ in range(12):
        if match.decision is None:
            break
        match.choose(0)
    assert game.name in bundle(game)["text/plain"]
    assert html.escape(game.name) in bundle(match)["text/html"]
    assert repr(match.show(1)) == bundle(match.show(1))["text/plain"]
    if match.decision is not None:
        assert match.decision.options[0].label in bundle(match.decision)["text/plain"]


def test_what_is_hidden_stays_hidden() -> None:
    """Deals of Kuhn poker that differ in what nobody else sees look alike, but to the seat itself."""
    game, shown, own = dr.load("kuhn_poker"), set(), set()
    for mine, other in ((0, 0), (0, 1), (1, 0), (2, 1)):
        match = game.start(chance="ask")
        match.resolve(mine)
        match.resolve(other)
        shown.add(tuple(sorted(bundle(match).items())))
        own.add(bundle(match.show(1))["text/plain"])
    assert len(shown) == 1 and len(own) == 3


def test_results_and_findings() -> None:
    played = dr.simulate("tic_tac_toe", games=30, seed=1)
    assert "30 games" in bundle(played)["text/plain"]
    other = dr.compare("connect_four", {"columns": 6}, games=20, rest="random", seed=1)
    assert "verdict" in bundle(other)["text/html"]
    report = Report()
    parse(Source("x.dragon", "game Oops"), report)
    assert "error[" in bundle(report.errors[0])["text/plain"]


@pytest.mark.long
def test_the_notebook_of_the_documentation_runs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    page = Path(__file__).parents[2] / "docs" / "notebooks" / "house_rule.ipynb"
    book = nbformat.read(page, as_version=4)
    told = [
        [out["data"]["text/plain"] for out in cell.outputs] for cell in book.cells if cell.cell_type == "code"
    ]
    nbclient.NotebookClient(book, timeout=300).execute()
    again = [
        [out["data"]["text/plain"] for out in cell.outputs if out.output_type == "execute_result"]
        for cell in book.cells
        if cell.cell_type == "code"
    ]
    assert again == told
