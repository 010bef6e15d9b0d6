"""What ends up in the wheel and in the source distribution."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import dragonrules
import pytest

ROOT = Path(__file__).parents[2]
NAME = f"dragonrules-{dragonrules.__version__}"
PARTS = ("pyproject.toml", "README.md", "LICENSE", "grammar", "interpreter", "games", "cli")
BUILD = (
    "import sys; from setuptools import build_meta as b; d = sys.argv[1]; b.build_wheel(d); b.build_sdist(d)"
)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both, built from a copy, so that nothing is left behind in the tree."""
    copy, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / part)
    command = [sys.executable, "-c", BUILD, str(out)]
    subprocess.run(command, cwd=copy, check=True, capture_output=True, timeout=120)
    return out


def test_the_wheel_holds_the_package_and_nothing_else(dist: Path) -> None:
    with zipfile.ZipFile(dist / f"{NAME}-py3-none-any.whl") as wheel:
        names = set(wheel.namelist())
    assert {name.split("/")[0] for name in names} == {"dragonrules", f"{NAME}.dist-info"}
    expected = {
        f"dragonrules/{path.relative_to(ROOT).as_posix()}"
        for layer, pattern in (
            ("grammar", "*.py"),
            ("grammar", "*.lark"),
            ("grammar", "*.json"),
            ("interpreter", "*.py"),
            ("cli", "*.py"),
            ("games", "**/*.dragon"),
        )
        for path in (ROOT / layer).glob(pattern)
    }
    assert expected <= names
    assert {"dragonrules/__init__.py", "dragonrules/__main__.py", "dragonrules/py.typed"} <= names
    assert not [name for name in names if "facade" in name or "test" in name.split("/")[-2:-1]]


def test_the_wheel_has_the_command_and_the_licence(dist: Path) -> None:
    with zipfile.ZipFile(dist / f"{NAME}-py3-none-any.whl") as wheel:
        entry_points = wheel.read(f"{NAME}.dist-info/entry_points.txt").decode()
        metadata = wheel.read(f"{NAME}.dist-info/METADATA").decode()
        assert f"{NAME}.dist-info/licenses/LICENSE" in wheel.namelist()
    assert "dragonrules = dragonrules.cli.main:main" in entry_points
    assert "License-Expression: MIT" in metadata
    assert "Requires-Python: >=3.11" in metadata


def test_the_wheel_plays_without_being_installed(dist: Path, tmp_path: Path) -> None:
    """Unpacked into an empty folder: nothing of the source tree is needed."""
    with zipfile.ZipFile(dist / f"{NAME}-py3-none-any.whl") as wheel:
        wheel.extractall(tmp_path)
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); sys.meta_path = "
        "[f for f in sys.meta_path if 'editable' not in getattr(f, '__module__', '') + str(f)];"
        "import dragonrules; print(dragonrules.__file__); from dragonrules.cli.main import main; main()"
    )
    command = [
        sys.executable,
        "-P",
        "-c",
        program,
        str(tmp_path),
        "run",
        "tic_tac_toe",
        "--auto",
        "--seed",
        "1",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path))
    assert "win" in done.stdout


def test_the_source_distribution_can_build_itself(dist: Path) -> None:
    with tarfile.open(dist / f"{NAME}.tar.gz") as archive:
        names = {name.removeprefix(f"{NAME}/") for name in archive.getnames()}
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "grammar/dragon.lark",
        "grammar/dragon.tables.json",
        "games/classics/othello.dragon",
        "games/library/boards/chess.dragon",
        "games/library/boards/scenarios/chess.dragon",
    } <= names
    assert "interpreter/facade/__init__.py" in names
