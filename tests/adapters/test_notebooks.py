"""What a notebook shows: text always, HTML that is well formed, and never a hidden thing."""

from __future__ import annotations

import ast
import html
import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from pprint import pformat
from typing import Any

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


NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "house_rule.ipynb"


def test_the_notebook_of_the_documentation_runs() -> None:
    """As a kernel does it: the statements of a cell, then the value of the last one is what it shows."""
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "cell", "exec"), names)
            shown = []
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
                own = hasattr(value, "_repr_mimebundle_")
                shown = [bundle(value)["text/plain"] if own else pformat(value, sort_dicts=False)]
            assert shown == ["".join(out["data"]["text/plain"]) for out in cell["outputs"]]


@pytest.mark.long
def test_the_notebook_runs_in_a_kernel() -> None:
    """With DRAGONRULES_UPDATE=1 its answers are written anew."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    book = nbformat.read(NOTEBOOK, as_version=4)
    told = [plain(cell) for cell in book.cells]
    nbclient.NotebookClient(book, timeout=300).execute()
    if os.environ.get("DRAGONRULES_UPDATE"):
        book.metadata.pop("language_info", None)
        for cell in book.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(book, NOTEBOOK)
    else:
        assert [plain(cell) for cell in book.cells] == told


def plain(cell: Any) -> list[str]:
    return [
        out["data"]["text/plain"] for out in cell.get("outputs", ()) if out.output_type == "execute_result"
    ]
