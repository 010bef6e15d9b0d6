"""`dragonrules graph`: SVG, DOT, Mermaid and JSON of the same picture."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import dragonrules as dr
import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from dragonrules.cli.main import cli
from dragonrules.interpreter.pictures import picture, to_dot, to_mermaid, to_svg

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ("drakon", "ryu", "dragon_keeper", "dragons_gold")

SPEC = """
game "Fork & <knife>" for 2 players
phase Play:
    turns Round p:
        offer deed
phase After: nothing
action eat in deed:
    "Eat \\"all\\"."
    bite()
action wait in deed: nothing
rule bite():
    choose n in 1..3
    if n = 3: bite()
trigger burp after bite(): finish {me}
trigger stop_it before bite(): nothing
ending late before turn when turn_number > 5: finish {}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "fork.dragon"
    path.write_text(SPEC, encoding="utf-8")
    return path


def command(*args: object) -> Result:
    return CliRunner().invoke(cli, ["graph", *map(str, args)], catch_exceptions=False)


def test_svg_has_every_box_with_its_doc_and_line(spec: Path) -> None:
    result = command(spec)
    assert result.exit_code == 0
    root = ElementTree.fromstring(result.stdout)
    links = {a.get("class"): a.get("href") for a in root.iter(f"{SVG}a")}
    assert set(links) == {"phase", "loop", "menu", "action", "rule", "trigger", "ending"}
    assert links["rule"] == "fork.dragon#L11"
    titles = [t.text for t in root.iter(f"{SVG}title")]
    assert 'action eat\nEat "all".' in titles
    assert "bite after it: burp" in titles
    assert "Fork & <knife>" in [t.text for t in root.iter(f"{SVG}text")]


def test_lines_of_all_kinds(spec: Path) -> None:
    drawn = picture(dr.load(spec).checked)
    lines = {(line.source, line.target, line.kind) for line in drawn.lines}
    assert {
        ("phase Play", "phase After", "next"),
        ("phase Play", "loop Round", "opens"),
        ("loop Round", "menu deed", "offers"),
        ("menu deed", "action eat", "lists"),
        ("action eat", "rule bite", "calls"),
        ("rule bite", "rule bite", "calls"),
        ("rule bite", "trigger burp", "after"),
        ("rule bite", "trigger stop_it", "before"),
    } <= lines
    assert "phase setup" not in drawn.boxes


def test_dot_and_mermaid_say_the_same(spec: Path) -> None:
    drawn = picture(dr.load(spec).checked)
    dot, mermaid = to_dot(drawn), to_mermaid(drawn)
    assert dot.startswith('digraph "Fork & <knife>" {')
    assert '"action eat" [label="eat", tooltip="action eat\\nEat \\"all\\"."' in dot
    assert dot.count("->") == len(drawn.lines)
    assert mermaid.startswith("flowchart LR\n")
    assert len(re.findall(r"^  n\d+ .*> n\d+$", mermaid, re.MULTILINE)) == len(drawn.lines)


def test_the_ending_of_the_file_decides(spec: Path, tmp_path: Path) -> None:
    for name, start in (("a.dot", "digraph"), ("a.mmd", "flowchart"), ("a.svg", "<svg"), ("a.json", "{")):
        result = command(spec, "-o", tmp_path / name)
        assert result.exit_code == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    data = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert {"source": "menu deed", "target": "action eat", "kind": "lists", "mode": ""} in data["lines"]


def test_a_wrong_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad.dragon").write_text('game "X" for 2 players\nphase Play: pla()\n', encoding="utf-8")
    result = command(tmp_path / "bad.dragon")
    assert (result.exit_code, "`pla`" in result.stderr) == (1, True)
    assert command(tmp_path / "none.dragon").exit_code == 2
    assert command("tic_tac_toe", "-o", tmp_path).exit_code == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_games_fit_a_screen_and_boxes_do_not_overlap(game: str) -> None:
    root = ElementTree.fromstring(to_svg(picture(dr.load(game).checked)))
    assert float(root.get("width") or 0) <= 1440
    assert float(root.get("height") or 0) <= 900
    boxes = []
    for box in root.iter(f"{SVG}rect"):
        if box.get("class") == "box":
            x, y, w, h = (float(box.get(k) or 0) for k in ("x", "y", "width", "height"))
            boxes.append((x, y, x + w, y + h))
    assert not [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def test_nothing_in_a_title_is_read_as_mermaid(spec: Path) -> None:
    """Its quotes hold entities, tags and Markdown."""
    drawn = picture(dr.load(spec).checked)
    wild = next(iter(drawn.boxes.values()))
    odd = '`<b>&amp; #35; "x" **y** a_b\nz'
    drawn.boxes[wild.id] = evolve(wild, title=odd)
    line = next(line for line in to_mermaid(drawn).splitlines() if line.startswith("  n1"))
    label = line.partition('"')[2].rpartition('"')[0]
    assert not set(label.replace("#", "").replace(";", "")) & set('`<>&"*_\n')
    assert re.sub(r"#(\d+);", lambda code: chr(int(code[1])), label) == odd
