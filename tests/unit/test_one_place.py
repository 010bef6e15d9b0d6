"""Generated code is run in one place, and the reference interpreter knows nothing of what it checks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = {
    "interpreter/play/engine.py": {"compile", "exec", "marshal.dumps", "marshal.loads"},
    "interpreter/core/node.py": {"exec"},  # a class of nodes gets its `__init__`: no text of a game
}
"""Who turns text or bytes into something that runs."""


def runs(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if not any(word in text for word in ("exec", "eval", "compile", "marshal")):
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in ("exec", "eval", "compile") or called.startswith("marshal."):
            yield called


def test_generated_code_is_run_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): done
        for layer in ("grammar", "interpreter", "cli")
        for path in (ROOT / layer).rglob("*.py")
        if (done := set(runs(path)))
    }
    assert found == RUNS


def test_the_reference_reads_nothing_but_the_checked_game() -> None:
    for path in (ROOT / "interpreter" / "reference").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level >= 2:
                above = (node.module or node.names[0].name).split(".")[0]
                allowed = ("core",) if node.level == 2 else ("grammar",)
                assert above in allowed, f"{path.name}: {ast.unparse(node)}"


def test_the_reference_does_not_ask_for_facts_about_statements() -> None:
    """They are told there in its own way: that is what the others are compared with."""
    told_once = ("facts", "shapes", "headers", "instructions")
    for path in (ROOT / "interpreter" / "reference").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("core."):
                assert node.module.split(".")[1] not in told_once, f"{path.name}: {ast.unparse(node)}"
