"""docs/architecture.md: the map names every module, the tables every operation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dragonrules.interpreter.emit_blocks import BlockEmitter
from dragonrules.interpreter.facts import ALWAYS_WAIT
from dragonrules.interpreter.lower import Lowering

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def handlers(owner: type, prefix: str) -> set[str]:
    return {name.removeprefix(prefix) for name in dir(owner) if name.startswith(prefix) and name != "s_if"}


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


def test_every_operation_on_values_is_listed() -> None:
    inline = {"add", "sub", "mul", "div", "mod", "lt", "le", "gt", "ge", "option", "player_count", "players"}
    assert (
        listed("Ex: expressions")
        == handlers(BlockEmitter, "x_") | handlers(BlockEmitter, "c_") - {"sort_list"} | inline
    )


def test_every_statement_is_listed() -> None:
    wanted = handlers(BlockEmitter, "s_") | handlers(Lowering, "low_") | ALWAYS_WAIT | {"if"}
    assert listed("St: statements") == wanted


def test_every_terminator_is_listed() -> None:
    found = listed("Term: how a block ends") - {"finish"}
    assert found == handlers(BlockEmitter, "t_")
