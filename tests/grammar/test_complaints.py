"""Each broken file and the exact words that its author gets to see.

`DRAGONRULES_UPDATE=1 pytest tests/grammar` writes the words anew; read the
difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from dragonrules.grammar import Report, parse, render
from dragonrules.grammar.codes import CODES

from ..strategies_text import BAD, source_of


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_complaint(path: Path) -> None:
    report = Report()
    parse(source_of(path), report)
    words = "".join(render(diagnostic) + "\n" for diagnostic in report)
    expected = path.with_suffix(".txt")
    if os.environ.get("DRAGONRULES_UPDATE"):
        expected.write_text(words, encoding="utf-8")
    assert words == expected.read_text(encoding="utf-8")
    assert words


def test_every_syntax_code_has_a_broken_file() -> None:
    shown = "".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in BAD)
    by_the_parser = [
        code for code in CODES if code.startswith("D01") and code != "D0115"
    ]  # that one is later
    assert [code for code in by_the_parser if f"[{code}]" not in shown] == []


def test_no_words_without_a_file() -> None:
    folder = BAD[0].parent
    assert {path.stem for path in folder.glob("*.txt")} == {path.stem for path in BAD}
