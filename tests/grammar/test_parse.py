"""Every text is read or complained about; what is read knows where it stands."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from dragonrules.grammar import Report, Source, Word, parse, render, reserved_words, syntax, wording
from dragonrules.grammar.parser_tables import GRAMMAR, build
from dragonrules.grammar.parsing import DEEPEST, lark_parser
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark, Token

from ..strategies_text import (
    GOOD,
    damaged_declarations,
    everything_written,
    grown_files,
    scraps,
    source_of,
)

quick = settings(
    max_examples=150,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def read(text: str) -> tuple[syntax.File, Report]:
    report = Report()
    return parse(Source("test.dragon", text), report), report


def nodes(value: Any) -> Iterator[syntax.Node | Word]:
    """The node and all nodes and words below it."""
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif isinstance(value, Word):
        yield value
    elif isinstance(value, syntax.Node):
        yield value
        for field in attrs.fields(type(value)):
            yield from nodes(getattr(value, field.name))


# ---------------------------------------------------------------- good files
@pytest.mark.parametrize("path", everything_written(), ids=lambda path: path.stem)
def test_good_files_are_read(path: Path) -> None:
    report = Report()
    parse(source_of(path), report)
    assert [render(diagnostic) for diagnostic in report] == []


def test_the_good_files_hold_every_node() -> None:
    built = {type(node) for path in GOOD for node in nodes(parse(source_of(path), Report()))}
    classes = {
        found for found in vars(syntax).values() if isinstance(found, type) and issubclass(found, syntax.Node)
    }
    abstract = {found for found in classes if any(found in other.__bases__ for other in classes)}
    assert classes - abstract - built == set()


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_nodes_and_words_know_their_place(path: Path) -> None:
    source = source_of(path)
    for decl in parse(source, Report()).decls:
        for node in nodes(decl):
            span = node.span
            assert span.source is source
            assert decl.span.start <= span.start <= span.end <= decl.span.end
            if isinstance(node, Word):
                assert str(node) in (span.text, span.text[1:-1].replace('\\"', '"')), span
            else:
                assert span.text == span.text.strip()
                assert not isinstance(node, syntax.Expr) or span.text


def test_a_declaration_ends_with_its_last_line() -> None:
    file, _ = read("rule a():\n    skip  # here\n    # there\n\n# for the next\nrule b(): nothing\n")
    assert [decl.span.text for decl in file.decls] == ["rule a():\n    skip  # here", "rule b(): nothing"]


# ---------------------------------------------------------------- errors
def test_one_error_does_not_hide_the_next() -> None:
    file, report = read("rule a(\n\nrule b(): nothing\nrule c:\n    skip\noption d: 1..2 = 1\nplace e\n")
    assert [diagnostic.span.line for diagnostic in report] == [1, 4, 7]
    assert [type(decl) for decl in file.decls] == [syntax.Rule, syntax.Option]


def test_an_open_bracket_ends_at_the_next_declaration() -> None:
    file, report = read("define a = max(1,\n    2\ndefine b = 3\nsetup:\n    skip\nscore(p: player) = 3\n")
    assert [diagnostic.code for diagnostic in report] == ["D0108"]
    assert len(file.decls) == 3


def test_a_block_is_not_missed_where_none_is_needed() -> None:
    assert not read('game "A" for 2 players:\nscore(p: player) = 3\n')[1].errors


def test_words_are_not_cut() -> None:
    """`or` is not read off the front of `orange`, nor `to` off `toad`."""
    for text in (
        "define a = {blue orange}",
        "rule a(): move c toad",
        "define a = 3x",
        'game "A" for 2to 3 players',
    ):
        assert len(read(text)[1]) == 1


def test_depth_has_a_limit_of_its_own() -> None:
    half = DEEPEST // 2
    assert not read(f"define a = {'(' * half}1{')' * half}")[1].errors
    for text in (f"{'(' * 2000}1{')' * 2000}", "-" * 2000 + "1", " + ".join("1" * 2000), "a" + ".b" * 2000):
        assert [diagnostic.code for diagnostic in read(f"define a = {text}")[1]] == ["D0110"]


def check(text: str) -> None:
    """Whatever the text, there is a tree or a complaint, and all of it can be shown."""
    file, report = read(text)
    for diagnostic in report:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert render(diagnostic)
        assert diagnostic.message[0] == diagnostic.message[0].lower()
        assert "\n" not in diagnostic.message + (diagnostic.help or "")
    assert file.decls or report.errors


@quick
@given(st.text())
def test_any_text(text: str) -> None:
    check(text)


@quick
@given(scraps())
def test_any_words(text: str) -> None:
    check(text)


@quick
@given(
    st.lists(
        st.sampled_from(
            ["rule a():\n", "    ", "skip\n", "\t", "(", ")", "#x\n", "\n", '"', "if b:\n", "|x|\n"]
        )
    )
)
def test_any_indentation(parts: list[str]) -> None:
    check("".join(parts))


@settings(quick, max_examples=300)
@given(damaged_declarations())
def test_damaged_declarations(text: str) -> None:
    check(text)


@settings(quick, max_examples=5)
@given(from_lark(build(), explicit={"_INDENT": st.just("\n    "), "_DEDENT": st.just("\n")}))
def test_text_of_the_grammar_without_a_lexer(text: str) -> None:
    check(text)


@quick
@given(grown_files())
def test_the_grammar_reads_what_it_writes(text: str) -> None:
    file, report = read(text)
    assert not [render(diagnostic) for diagnostic in report]
    assert len(file.decls) == 2


# ---------------------------------------------------------------- the grammar itself
def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("lark")
    level = logger.level
    with caplog.at_level(logging.DEBUG, logger="lark"):
        options = lark_parser().options
        Lark(
            GRAMMAR.read_text(encoding="utf-8"),
            parser="lalr",
            start="declaration",
            postlex=options.postlex,
            debug=True,
        )
    logger.setLevel(level)
    assert "conflict" not in caplog.text


def test_the_words_of_complaints_are_those_of_the_grammar() -> None:
    def accepted(*fed: str) -> set[str]:
        parser = lark_parser().parse_interactive("")
        for terminal in fed:
            parser.feed_token(Token(terminal, "x"))
        return {name.lower() for name in parser.accepts()} & reserved_words()

    assert accepted() == wording.DECLARATION_WORDS
    assert accepted("SETUP", "COLON", "_NL", "_INDENT") | {"else"} == wording.STATEMENT_WORDS | {"all"}
    assert reserved_words() >= wording.UNFIT_AS_NAMES


@pytest.mark.parametrize("word", sorted(wording.FORMS))
def test_forms_in_help_can_be_read(word: str) -> None:
    for form in re.split("` or `", wording.FORMS[word]):
        assert re.match(rf"{word}\b", form)
        inside = {"check": 'scenario "s":\n    then:\n', "chance": 'scenario "s":\n    when:\n'}.get(word)
        if word in ("replace", "remove"):
            inside = 'variant "v" of w:\n'
        elif word not in wording.DECLARATION_WORDS:
            inside = inside or "setup:\n"
        block = {"each": "state x: 1..2 = 1", "rows": "| a |", "table": "| a |", "record": "a: 1..2"}.get(
            word, "skip"
        )
        block = {"variant": "set goal = 1", "scenario": "then:\n                over"}.get(word, block)
        text = f"{inside or ''}{'        ' if inside else ''}{form}\n"
        if form.endswith(":"):
            text += f"            {block}\n"
        assert not read(text)[1].errors, text


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\u2028", "\r", "\x1b", "\x00"])
def test_what_makes_a_line_show_something_else_than_it_says_is_refused(mark: str) -> None:
    report = Report()
    parse(Source("x.dragon", f'game "A{mark}B" for 2 players\nphase Play: finish {{}}\n'), report)
    assert [d.code for d in report.errors] == ["D0106"]
    assert mark not in render(report.errors[0])


def test_lines_may_end_as_they_do_elsewhere() -> None:
    assert not read('game "A" for 2 players\r\n\r\nphase Play: finish {}\r\n')[1].errors
