"""Specs that can be read but make no sense."""

from __future__ import annotations

from pathlib import Path

import pytest
from dragonrules.grammar import Report, Source, parse, render
from dragonrules.interpreter.check.game import check

from .golden import CHECKS, HERE, compare


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: path.stem)
def test_words(path: Path) -> None:
    report = Report()
    check(parse(Source(path.name, path.read_text(encoding="utf-8")), report), report)
    compare("".join(f"{render(diagnostic)}\n" for diagnostic in report), path.with_suffix(".txt"))


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: path.stem)
def test_style(path: Path) -> None:
    """Terse, lower case, no full stop, at most one line of help."""
    report = Report()
    check(parse(Source(path.name, path.read_text(encoding="utf-8")), report), report)
    for diagnostic in report:
        for text in filter(
            None, (diagnostic.message, diagnostic.help, *(r.message for r in diagnostic.related))
        ):
            assert len(text) <= 120, text
            assert "\n" not in text
            assert not text.endswith("."), text
            assert text.count("`") % 2 == 0, text
            assert (
                not any(word in text for word in ("?:", "Unknown", "Ex(", "None", "<", "()")) or "`" in text
            ), text
        first = diagnostic.message[0]
        assert not first.isupper(), diagnostic.message


def test_no_words_without_a_file() -> None:
    for folder in ("checks", "play"):
        words = {path.stem for path in (HERE / folder).glob("*.txt")}
        assert words == {path.stem for path in (HERE / folder).glob("*.dragon")}
