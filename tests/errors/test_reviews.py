"""Specs that can be played, and what a careful referee would still ask about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from dragonrules.cli.rules.file_findings import of_file
from dragonrules.cli.rules.findings import Findings
from dragonrules.grammar import render
from dragonrules.interpreter.rule_sets import Library

from .golden import HERE, compare

REVIEWS = sorted((HERE / "reviews").glob("*.dragon"))


def found_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> Findings:
    monkeypatch.chdir(path.parent)
    return of_file(Path(path.name), Library())


@pytest.mark.parametrize("path", REVIEWS, ids=lambda path: path.stem)
def test_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = found_in(path, monkeypatch)
    words = [render(diagnostic) for diagnostic in sorted(found.told, key=lambda d: d.sort_key())]
    words += [f"{d.span}: allowed[{d.code}]: {reason}" for d, reason in found.allowed]
    compare("".join(f"{text}\n" for text in words), path.with_suffix(".txt"))


@pytest.mark.parametrize("path", REVIEWS, ids=lambda path: path.stem)
def test_style(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terse, lower case, no full stop."""
    for diagnostic in found_in(path, monkeypatch).told:
        texts = [diagnostic.message, diagnostic.help, *(r.message for r in diagnostic.related)]
        for text in filter(None, texts):
            assert len(text) <= 130, text
            assert "\n" not in text
            assert not text.endswith("."), text
            assert text.count("`") % 2 == 0, text
        assert not diagnostic.message[0].isupper(), diagnostic.message


def test_no_words_without_a_file() -> None:
    words = {path.stem for path in (HERE / "reviews").glob("*.txt")}
    assert words == {path.stem for path in REVIEWS}
