"""When nobody has typed for a while, an editor shows what `dragonrules validate` says, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.grammar import Diagnostic, render
from dragonrules.interpreter.editing.workspace import Workspace

pytest.importorskip("pygls")

from dragonrules.cli.lsp.server import validated

ROOT = Path(__file__).parents[2]
GAMES = sorted((ROOT / "games").rglob("*.dragon"))
MISTAKES = [
    *sorted((ROOT / "tests" / "errors" / "overlays").glob("*/*.dragon")),
    *sorted((ROOT / "tests" / "errors" / "checks").glob("*.dragon")),
    *sorted((ROOT / "tests" / "errors" / "reviews").glob("*.dragon")),
    *(p for p in sorted((ROOT / "tests" / "grammar" / "bad").glob("*.dragon")) if p.stem != "binary"),
]
"""Without the one that an editor cannot show as text."""


REVIEWED = ("D0115", "D0507", "D0508", "D0909", "D0910", "D0911", "D0912", "D0913", "D0914")
"""Errors that only show when the set-up is tried."""


def keys(found: Iterable[Diagnostic]) -> set[tuple[str, str, int, str]]:
    return {(d.code, d.span.source.name, d.span.start, d.message) for d in found}


def compared(path: Path) -> int:
    """Both say the same; how much there is to say."""
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    here = validated(path, {path: text})
    said = CliRunner().invoke(cli, ["validate", "-j", "1", str(path)]).stdout
    told = "".join(f"{render(d)}\n\n" for d in here)
    assert said.startswith(told) and said[len(told) :].startswith("1 file: "), path
    # what is told sooner is among it, with all errors
    workspace = Workspace()
    workspace.open(path, text)
    soon, rest = keys(workspace.meaning(path)), keys(here)
    assert soon <= rest, (path, soon - rest)
    late = {key for key in keys([d for d in here if d.severity == "error"]) - soon if key[0] not in REVIEWED}
    assert not late, (path, late)
    return len(here)


@pytest.mark.parametrize("path", [*MISTAKES[::12], *GAMES[1::40]], ids=lambda path: path.stem)
def test_some_files(path: Path) -> None:
    compared(path)


@pytest.mark.long
@pytest.mark.parametrize("path", [*MISTAKES, *GAMES], ids=lambda path: path.stem)
def test_every_file(path: Path) -> None:
    compared(path)


def test_there_is_something_to_compare() -> None:
    assert sum(compared(path) for path in MISTAKES[5::40]) > 5
