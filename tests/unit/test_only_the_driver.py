"""The driver is the only caller of stages: who wants the result of a pass asks it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STAGES = {
    "grammar.parsing.parse": ("files/reading.py", "grammar/"),
    "files.reading.read_tree": (),
    "overlay.lay.lay_over": (),
    "check.game.check": (),
    "review.secrecy.information_flow": (),
    "review.review": (),
    "play.first_position.first_position": (),
    "program.layout.lay_out": (),
    "program.lower.game.lower": (),
    "python.generate.generate": (),
    "python.generate.Pool": ("interpreter/python/", "play/engine.py"),
    "play.engine.Engine": (),
}
"""Each stage, and who may import it beside the driver: the stage's own folder where it is one, the reader
that keeps trees between runs, and those that want the name for a type."""


def imported(path: Path, tree: ast.AST) -> Iterator[str]:
    """The full names that a module imports, `interpreter.` left out."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            home = [*start, *(node.module.split(".") if node.module else ())]
            for alias in node.names:
                yield ".".join([*home, alias.name]).removeprefix("dragonrules.").removeprefix("interpreter.")


def called(tree: ast.AST) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def sources() -> list[Path]:
    found = [p for layer in ("cli", "interpreter") for p in sorted((ROOT / layer).rglob("*.py"))]
    return [p for p in found if p != ROOT / "interpreter" / "driver.py"]


NAMES = re.compile("|".join(rf"\b{stage.split('.')[-1]}\b" for stage in STAGES))


def breaches(path: Path, text: str) -> list[str]:
    if NAMES.search(text) is None:  # whoever calls one names it
        return []
    tree, here = ast.parse(text), path.relative_to(ROOT).as_posix()
    names, used = set(imported(path, tree)), called(tree)
    found = []
    for stage, others in STAGES.items():
        module, _, name = stage.rpartition(".")
        if any(other in here for other in others):
            continue
        short = {stage, f"grammar.{name}"} if module.startswith("grammar") else {stage}
        if (names & short and name in used) or module in names:
            found.append(f"{here} calls {stage}")
    return found


def test_no_other_module_calls_a_stage() -> None:
    assert [line for path in sources() for line in breaches(path, path.read_text())] == []


@pytest.mark.parametrize(
    ("home", "text", "stage"),
    [
        ("cli/commands/x.py", "from ...grammar import parse\nparse(1)", "grammar.parsing.parse"),
        (
            "interpreter/play/x.py",
            "from ..program.lower.game import lower\nlower(1)",
            "program.lower.game.lower",
        ),
        ("interpreter/lab/x.py", "def f():\n from ..check.game import check\n check(1)", "check.game.check"),
        ("interpreter/changes/x.py", "from ..overlay import lay\nlay.lay_over(1)", "overlay.lay.lay_over"),
    ],
)
def test_a_call_elsewhere_is_noticed(home: str, text: str, stage: str) -> None:
    assert breaches(ROOT / home, text) == [f"{home} calls {stage}"]


def test_the_stages_are_there() -> None:
    """A stage that is renamed must be renamed here too."""
    for stage in STAGES:
        *folders, module, name = stage.split(".")
        home = ROOT.joinpath(*([] if folders[:1] == ["grammar"] else ["interpreter"]), *folders)
        path = home / f"{module}.py" if (home / f"{module}.py").exists() else home / module / "__init__.py"
        names = {
            n.name for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef | ast.ClassDef)
        }
        assert name in names, stage
