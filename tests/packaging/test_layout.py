"""The list of packages and the tree say the same; layers do not reach back."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import dragonrules
import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("grammar", "interpreter", "games", "cli")
FACADE = "interpreter/facade"


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def code(*layers: str) -> list[Path]:
    return [path for layer in layers for path in sorted((ROOT / layer).rglob("*.py"))]


def test_every_folder_with_code_is_a_listed_package() -> None:
    setuptools = project()["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT).as_posix() for path in code(*LAYERS)}
    names = {"dragonrules" if f == FACADE else f"dragonrules.{f.replace('/', '.')}": f for f in folders}
    assert set(setuptools["packages"]) == set(names)
    placed = {name: folder for name, folder in names.items() if "/" not in folder or folder == FACADE}
    assert setuptools["package-dir"] == placed, "folders in these need no place of their own"


def test_every_spec_is_package_data() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]["dragonrules.games"]
    games = ROOT / "games"
    found = {path for pattern in patterns for path in games.glob(pattern)}
    assert set(games.rglob("*.dragon")) <= found
    assert (ROOT / FACADE / "py.typed").exists()


def test_type_checkers_see_the_installed_shape() -> None:
    typed = ROOT / "tests" / "typing" / "dragonrules"
    shape = {name: ROOT / name for name in LAYERS}
    shape |= {path.name: path for path in (ROOT / FACADE).iterdir() if path.is_file()}
    assert {path.name: path.resolve() for path in typed.iterdir() if path.name != "__pycache__"} == {
        name: path.resolve() for name, path in shape.items()
    }


def test_the_version_stands_in_one_place() -> None:
    assert "version" in project()["project"]["dynamic"]
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", dragonrules.__version__)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {dragonrules.__version__}" in changes


# ---------------------------------------------------------------- layers
def imported(path: Path) -> set[str]:
    """The layers that a module of ours reaches into, by its relative imports, and absolute ones of ourselves."""
    found = set()
    depth = len(path.relative_to(ROOT).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level >= depth:
            names = [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]
            found |= {"dragonrules" if name == "__version__" else name for name in names}
        elif (
            isinstance(node, ast.ImportFrom)
            and node.level == 0
            and (node.module or "").startswith("dragonrules")
        ) or (isinstance(node, ast.Import) and any(a.name.startswith("dragonrules") for a in node.names)):
            found.add("absolute")
    return found


@pytest.mark.parametrize(
    ("layer", "allowed"),
    [
        ("grammar", set()),
        ("interpreter", {"grammar"}),
        ("games", set()),
        ("cli", {"grammar", "interpreter", "dragonrules"}),
    ],
)
def test_layers_do_not_reach_back(layer: str, allowed: set[str]) -> None:
    for path in code(layer):
        if FACADE not in path.as_posix():
            assert imported(path) <= allowed, path


def test_only_the_command_line_prints_and_exits() -> None:
    for path in code("grammar", "interpreter"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "input", "exit", "sys.exit"), f"{path}:{node.lineno}"
            assert not (isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.argv"), path
