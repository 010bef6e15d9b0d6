"""Formatting changes white space and nothing else, and once is enough."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from dragonrules.grammar import Report, Source, Word, format_source, parse, syntax
from hypothesis import given, settings

from ..strategies_text import BAD, GOOD, damaged_declarations, everything_written, grown_files, source_of

quick = settings(max_examples=150, derandomize=True, database=None, deadline=None)


def formatted(text: str) -> str:
    result = format_source(Source("test.dragon", text), Report())
    assert result is not None
    return result


def tree(text: str) -> Any:
    report = Report()
    file = parse(Source("test.dragon", text), report)
    assert not report.errors
    return plain(file)


def plain(value: Any) -> Any:
    """A node for comparison: without places, and table rows by their cells."""
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, Word) and value.startswith("|"):
        cells = re.findall(r'((?:"(?:[^"\\]|\\.)*"|[^"|])*)\|', value[1:])
        return tuple(re.sub(r'("[^"]*")|\s+', lambda found: found[1] or " ", cell).strip() for cell in cells)
    if isinstance(value, syntax.Node):
        fields = [field.name for field in attrs.fields(type(value)) if field.name != "span"]
        return type(value), tuple(plain(getattr(value, name)) for name in fields)
    return value


def comments(text: str) -> list[str]:
    """The comments in order, each with what stands before it on its line, spaces aside."""
    found = []
    for line in text.replace("\ufeff", "").split("\n"):
        code = re.match(r'(?:[^"#]|"(?:[^"\\]|\\.)*")*', line)
        assert code is not None
        if code.end() < len(line.rstrip()):
            found.append(re.sub(r"\s", "", code[0]) + line[code.end() :].rstrip())
    return found


def check(text: str) -> None:
    once = formatted(text)
    assert formatted(once) == once
    assert tree(once) == tree(text)
    assert comments(once) == comments(text)
    bare = re.sub(r'"([^"\\\n]|\\.)*"|\[[A-Z][^\]]*\d\]|#.*', "x", once)
    assert not re.search(r"[ \t\r]$|\t|\A\n|\n\n\n|\n\n\Z", bare, re.MULTILINE)


@pytest.mark.parametrize("path", everything_written(), ids=lambda path: path.stem)
def test_files(path: Path) -> None:
    check(source_of(path).text)


@quick
@given(grown_files())
def test_grown_files(text: str) -> None:
    check(text)


@quick
@given(damaged_declarations())
def test_damaged_declarations(text: str) -> None:
    report = Report()
    if format_source(Source("test.dragon", text), report) is None:
        assert report.errors
    else:
        check(text)


@pytest.mark.parametrize(
    "path", [path for path in GOOD if path.with_suffix(".txt").exists()], ids=lambda path: path.stem
)
def test_layout(path: Path) -> None:
    result = formatted(source_of(path).text)
    if os.environ.get("DRAGONRULES_UPDATE"):
        path.with_suffix(".txt").write_text(result, encoding="utf-8")
    assert result == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_broken_files_are_left_alone(path: Path) -> None:
    report = Report()
    assert format_source(source_of(path), report) is None
    assert report.errors


def test_earlier_errors_of_the_report_do_not_matter() -> None:
    report = Report()
    assert format_source(Source("a.dragon", "rule a("), report) is None
    assert format_source(Source("b.dragon", "rule b ( ):skip"), report) == "rule b(): skip\n"


ONE_LINERS = [
    ("define a=-1-(-2)*b", "define a = -1 - (-2) * b"),
    ("define a = b [1 , 2] .c ( d )", "define a = b[1, 2].c(d)"),
    ("define a = f (x) (y) [z] .w", "define a = f(x)(y)[z].w"),
    ("define a = {-1..- 1} + { }", "define a = {-1..-1} + {}"),
    ("define a = not(b)and(c)", "define a = not (b) and (c)"),
    ("define a = b mod(c / 2)", "define a = b mod (c / 2)"),
    ("define a = can(b)", "define a = can (b)"),
    ("define a=all (b)", "define a = all(b)"),
    ("define a(b:set of C)->1..2=count(b)", "define a(b: set of C) -> 1..2 = count(b)"),
    ("token G:a -1,b (c),d e-1,f g(1)", "token G: a -1, b (c), d e - 1, f g(1)"),
    ("score (p:player)=1", "score(p: player) = 1"),
    ("value (p:player)=value", "value(p: player) = value"),
    ("component C count(3)", "component C count (3)"),
    ("place a [1..2] :grid 1 by 2 of T,seen by all", "place a[1..2]: grid 1 by 2 of T, seen by all"),
    ("look T:\"a\"", 'look T: "a"'),
    ("option a:yes/no=no[AB-1]#b", "option a: yes/no = no".ljust(64) + "[AB-1]  #b"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ONE_LINERS)
def test_spaces(text: str, expected: str) -> None:
    assert formatted(text) == expected + "\n"


def test_one_liners_of_a_kind_may_stay_together() -> None:
    text = "option a: 1..2 = 1\noption b: 1..2 = 1\n\noption c: 1..2 = 1\n"
    assert formatted(text) == text
    assert formatted("option a: 1..2 = 1\nstate b: 1..2 = 1\n").count("\n\n") == 1
    assert formatted("rule a(): skip\nrule b():\n    skip\nrule c(): skip\n").count("\n\n") == 2


def test_nothing_but_comments_is_no_game() -> None:
    report = Report()
    assert format_source(Source("a.dragon", "# words\n"), report) is None
    assert [diagnostic.code for diagnostic in report] == ["D0105"]
