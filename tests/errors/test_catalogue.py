"""Every code has a case, and every case a code."""

from __future__ import annotations

import re
from pathlib import Path

from dragonrules.grammar.codes import CODES

from .golden import HERE, all_words

ROOT = HERE.parents[1]
PLANNED: dict[str, str] = {}
"""In the catalogue ahead of the check that will report them."""


def emitted() -> set[str]:
    """The codes that the source mentions outside of the catalogue."""
    files = [path for folder in ("grammar", "interpreter", "cli") for path in (ROOT / folder).rglob("*.py")]
    texts = "".join(path.read_text(encoding="utf-8") for path in files if path.name != "codes.py")
    return set(re.findall(r"\"(D\d{4})\"|'(D\d{4})'", texts) and re.findall(r"D\d{4}", texts))


def test_every_code_has_a_case() -> None:
    tests = "".join(
        (HERE / name).read_text(encoding="utf-8") for name in ("test_outside.py", "test_overlays.py")
    )
    syntax = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/grammar/bad").glob("*.txt"))
    shown = set(re.findall(r"\[(D\d{4})\]", all_words() + tests + syntax))
    assert sorted(set(CODES) - shown - set(PLANNED)) == []


def test_planned_codes_are_only_planned() -> None:
    """Whoever writes the check takes the code off the list and adds a case."""
    shown = set(re.findall(r"\[(D\d{4})\]", all_words()))
    assert not shown & set(PLANNED)
    assert set(PLANNED) <= set(CODES)


def test_no_code_without_a_place_that_reports_it() -> None:
    assert sorted(set(CODES) - emitted() - set(PLANNED)) == []


def test_no_report_without_a_code() -> None:
    assert sorted(emitted() - set(CODES)) == []


def test_enough_cases() -> None:
    assert len(list((HERE / "checks").glob("*.dragon"))) + len(list((HERE / "play").glob("*.dragon"))) >= 80


def test_titles_are_terse() -> None:
    for code, title in CODES.items():
        assert re.fullmatch(r"D\d{4}", code)
        assert len(title) < 60
        assert not title.endswith(".")


def test_corpus_is_formatted_text() -> None:
    for path in Path(HERE).rglob("*.dragon"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n")
        assert "\t" not in text
