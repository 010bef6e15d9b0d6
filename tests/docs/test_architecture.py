"""docs/architecture.md: the map names every module, the tables every operation."""

from __future__ import annotations

import re
from pathlib import Path

import dragonrules.interpreter.lower  # noqa: F401  (its parts fill `takes_apart`)
import pytest
from dragonrules.interpreter.core import Expr, Instruction, Pick, Reduction, Stmt
from dragonrules.interpreter.emit_blocks import BlockEmitter
from dragonrules.interpreter.emitting import writes_lines, writes_value
from dragonrules.interpreter.facts import ALWAYS_WAIT, JUMPS
from dragonrules.interpreter.lower_base import takes_apart

from .operations import rewritten

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def handlers(owner: type, prefix: str) -> set[str]:
    return {name.removeprefix(prefix) for name in dir(owner) if name.startswith(prefix) and name != "s_if"}


def test_the_lists_of_operations_are_those_of_the_code() -> None:
    assert rewritten(TEXT) == TEXT, "python tests/docs/operations.py writes them"


def listed(title: str) -> set[str]:
    part = TEXT.split(f"### {title}")[1].split("\n### ")[0]
    return set(re.findall(r"`(\w+)`", part))


@pytest.mark.parametrize("layer", ["grammar", "interpreter"])
def test_every_module_is_on_the_map(layer: str) -> None:
    names = {path.name for path in (ROOT / layer).glob("*.py")} - {"__init__.py"}
    assert {name for name in names if not re.search(rf"\b{re.escape(name)}\b", TEXT)} == set(), (
        "say what it is for"
    )


def test_every_file_on_the_map_exists() -> None:
    tables = [line for line in TEXT.splitlines() if line.startswith("|") and ".py" in line]
    for name in re.findall(r"\b\w+\.py\b", "\n".join(tables)):
        layers = ("grammar", "interpreter", "cli")
        assert any(any((ROOT / layer).rglob(name)) for layer in layers), name


def test_every_expression_has_code() -> None:
    inline = {"add", "sub", "mul", "div", "mod", "lt", "le", "gt", "ge", "player_count", "players"}
    known = {"Option", "PlacesOf"}  # a constant of the engine; only behind `show` and `reveal`
    assert writes_value.lacking(Expr) == inline | known
    kinds = set(re.findall(r"`(\w+)`", str(Reduction.__doc__).split("by kind")[1]))
    assert handlers(BlockEmitter, "c_") - {"sort_list"} == kinds


def test_every_statement_has_code_or_is_taken_apart() -> None:
    assert writes_lines.lacking(Stmt, Instruction) & takes_apart.lacking(Stmt, Instruction) == {"Pick"}
    assert all(kind in takes_apart.known for kind in (*ALWAYS_WAIT, *JUMPS) if kind is not Pick)


def test_every_terminator_is_listed() -> None:
    found = listed("Term: how a block ends") - {"finish"}
    assert found == handlers(BlockEmitter, "t_")
