"""The structures of places: one row each, asked instead of their names."""

from __future__ import annotations

import re
from pathlib import Path

from dragonrules.grammar import highlighting
from dragonrules.interpreter.core.shapes import SHAPES

ROOT = Path(__file__).parents[2]
BY_NAME = re.compile(r"(?<!for )\bshape (==|!=|in|not in) \(?[\"']")
HANDS_ON = {"interpreter/core/facts.py", "interpreter/core/value_types.py"}
"""What fits what: here an unknown shape is one that any other fits."""
OWN_LAYOUT = "interpreter/native/"
"""Machine code has a layout in memory of its own for each structure, and asks which one it is."""


def test_every_structure_that_can_be_written_has_a_row() -> None:
    assert set(highlighting.SHAPES) == SHAPES.keys() - {""}


def test_properties_are_asked_and_not_names() -> None:
    """But for the reference interpreter, which must not read the table that it checks."""
    by_name, reading = set(), set()
    for path in (*(ROOT / "interpreter").rglob("*.py"), *(ROOT / "cli").rglob("*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        if name.startswith("interpreter/reference/"):
            reading |= {name} if re.search(r"\.form\b|SHAPES", text) else set()
        elif BY_NAME.search(text) and not name.startswith(OWN_LAYOUT):
            by_name.add(name)
    assert by_name == HANDS_ON
    assert reading == set()


def test_what_the_properties_say_about_each_other() -> None:
    for shape in SHAPES.values():
        assert not (shape.ordered and shape.hidden), "an order is open or it is not"
        assert not (shape.spaces and not shape.cells), "on a space there is room for one"
        assert not (shape.limited and shape.cells), "a cell is its own limit"
        assert not (shape.round and not shape.spaces)
        assert (shape.lists == (0,)) is not shape.hidden
