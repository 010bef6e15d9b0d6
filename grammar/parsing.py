"""From text to syntax tree.

A file is cut at the lines that start in the first column: each such line opens
a declaration. The pieces are parsed one by one, so an error in one does not
hide the next, and no exception of Lark's ever leaves this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from attrs import Factory, define
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError, Indenter

from . import syntax
from .build import Builder
from .complaints import complain, complain_of_names
from .diagnostics import Report
from .parser_tables import parser
from .scene import blank
from .spans import UNSHOWN, Source, Span
from .wording import DECLARATION_WORDS, STATEMENT_WORDS

_HEADER = re.compile(
    rf'setup\s*:|(?:score|value)\s*\(\s*\w+\s*:|(?:{"|".join(sorted(DECLARATION_WORDS))})\s+[A-Za-z_"]'
)

_NOT_TEXT = re.compile(f"\r(?!\n)|[{UNSHOWN}]")
"""What a rule file may not hold, and a carriage return that ends no line."""

DEEPEST = 100
"""Levels of the syntax tree; later passes walk it by recursion."""

LONGEST_LINE = 10_000
LONGEST_TEXT = 3_000_000
"""In characters. Whatever is longer was not written by a person, and would take minutes to read."""

_LONG = re.compile(rf"^[^\n]{{{LONGEST_LINE + 1}}}", re.MULTILINE)


class _Misaligned(DedentError):
    """Carries the line break after which the text returns to a depth never opened."""

    def __init__(self, token: Token) -> None:
        super().__init__()
        self.token = token


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types: ClassVar[list[str]] = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def handle_NL(self, token: Token) -> Iterator[Token]:
        try:
            yield from super().handle_NL(token)
        except DedentError:
            raise _Misaligned(token) from None


@lru_cache(maxsize=1)
def lark_parser() -> Lark:
    return parser(_Blocks())


@lru_cache(maxsize=1)
def reserved_words() -> frozenset[str]:
    """The words that open a declaration, a statement or a clause."""
    words = (t.pattern.value.removesuffix(r"\b") for t in lark_parser().terminals)
    return frozenset(w for w in words if re.fullmatch(r"[a-z]+", w))


@define
class Memo:
    """Lark's trees by the text of their declaration: in an editor most of a text stays as it is."""

    most: int = 5_000
    trees: dict[str, Tree[Token]] = Factory(dict)
    fine: set[str] = Factory(set)
    """Texts in which nothing is wrong."""

    def parse(self, body: str) -> Tree[Token]:
        found = self.trees.pop(body, None)
        if found is None:
            found = lark_parser().parse(body)
            if len(self.trees) >= self.most:
                oldest = next(iter(self.trees))
                del self.trees[oldest]
                self.fine.discard(oldest)
        self.trees[body] = found  # the last to be asked for is the last to go
        return found


def parse(source: Source, report: Report, memo: Memo | None = None) -> syntax.File:
    """The declarations of a file that could be read; the others are reported."""
    decls = []
    if _is_text(source, report):
        for offset, text in pieces(source, report):
            tree = _read_piece(source, offset, code_of(text), report, memo)
            if tree is not None:
                decl = Builder(source, offset).build(tree)
                assert isinstance(decl, syntax.Decl)
                decls.append(decl)
    return syntax.File(tuple(decls), span=Span(source, 0, len(source.text)))


def complaints_of(source: Source, report: Report, memo: Memo | None = None) -> None:
    """What is wrong with a text, as `parse` reports it, without making its declarations."""
    if _is_text(source, report):
        for offset, text in pieces(source, report):
            _read_piece(source, offset, code_of(text), report, memo)


def _is_text(source: Source, report: Report) -> bool:
    """Reports what is not worth reading line by line."""
    text = source.text
    long = _LONG.search(text)
    if long is not None:
        end = text.find("\n", long.start())
        length = (end if end >= 0 else len(text)) - long.start()
        message = f"this line has {length:,} characters; the most is {LONGEST_LINE:,}"
        report.add(
            "D0114", message, Span(source, long.start(), long.start() + 1), help="break it inside brackets"
        )
        return False
    if len(text) > LONGEST_TEXT:
        message = f"this file has {len(text):,} characters; the most is {LONGEST_TEXT:,}"
        help_line = "variants and scenarios may have files of their own"
        report.add("D0114", message, Span(source, 0, 1), help=help_line)
        return False
    strange = _NOT_TEXT.search(text)
    if strange is not None:
        message = f"this is not plain text: it holds U+{ord(strange[0]):04X}"
        span = Span(source, strange.start(), strange.end())
        help_line = "end each line with a line feed" if strange[0] == "\r" else "save it as text in UTF-8"
        report.add("D0106", message, span, help=help_line)
        return False
    if not blank(text.lstrip("\ufeff")).strip():
        help_line = 'a game begins with `game "Name" for 2 to 4 players`'
        report.add("D0105", "this file is empty", Span(source, 0, 0), help=help_line)
        return False
    return True


def pieces(source: Source, report: Report) -> Iterator[tuple[int, str]]:
    """Offset and text of each top-level declaration.

    Reported here, because the parser never sees the two together: lines that
    stand in no declaration, and a block that was not indented.
    """
    text = source.text
    start: int | None = None
    depth = 0
    block_due = stray = lost = False
    for match in re.compile(r"[^\n]+").finditer(text, int(text.startswith("\ufeff"))):
        line = match.group()
        bare = blank(line).rstrip()
        if not bare.strip():
            continue
        word = re.split(r"\W", line, maxsplit=1)[0]
        indent = len(line) - len(line.lstrip())
        here = Span(source, match.start() + indent, match.start() + len(line.rstrip()))
        if depth > 0:
            is_new = _HEADER.match(line) is not None
        elif line[0] in " \t":
            is_new = False
            if start is None and not lost:
                lost = True
                message = "this line is indented but stands under no header"
                report.add("D0107", message, here, help="a declaration starts in the first column")
        elif block_due and word not in DECLARATION_WORDS:
            is_new, lost, stray = False, True, True
            message = "this line should be indented: the line above opens a block"
            report.add("D0103", message, here, help="four spaces a level")
        else:
            is_new = not (stray and word in STATEMENT_WORDS)
        if is_new:
            if start is not None and not lost:
                yield start, text[start : match.start()]
            start, depth, lost = match.start(), 0, False
            stray = word not in DECLARATION_WORDS
        if not bare.lstrip().startswith("|"):
            depth = max(0, depth + sum((ch in "([{") - (ch in ")]}") for ch in bare))
        block_due = depth == 0 and re.search(r":\s*(\[[A-Z][^\]]*\])?$", bare) is not None
    if start is not None and not lost:
        yield start, text[start:]


def _read_piece(
    source: Source, offset: int, body: str, report: Report, memo: Memo | None
) -> Tree[Token] | None:
    if memo is not None and body in memo.fine:
        return memo.parse(body)
    try:
        tree = memo.parse(body) if memo is not None else lark_parser().parse(body)
    except _Misaligned as error:
        _report_misaligned(source, offset, body, error.token, report)
    except UnexpectedInput as error:
        complain(report, source, offset, body, error, _reads)
    else:
        deep = _too_deep(tree)
        if deep is None:
            before = len(report)
            complain_of_names(report, source, offset, tree)
            if memo is not None and len(report) == before:
                memo.fine.add(body)
            return tree
        start = offset + deep.meta.start_pos
        help_line = "give a part of it a name with `define` or `rule`"
        report.add("D0110", "this is nested too deeply", Span(source, start, start + 1), help=help_line)
    return None


def _reads(body: str) -> bool:
    try:
        lark_parser().parse(body)
    except UnexpectedInput:
        return False
    return True


def code_of(text: str) -> str:
    """The text without the comments after its last line, which belong to what follows."""
    lines = text.split("\n")
    while not lines[-1].strip() or lines[-1].lstrip().startswith("#"):
        lines.pop()
    return "\n".join(lines).rstrip() + "\n"


def _too_deep(tree: Tree[Token]) -> Tree[Token] | None:
    layer = [tree]
    for _ in range(DEEPEST):
        layer = [child for parent in layer for child in parent.children if isinstance(child, Tree)]
        if not layer:
            return None
    return next((deep for deep in layer if not deep.meta.empty), tree)


def _report_misaligned(source: Source, offset: int, body: str, token: Token, report: Report) -> None:
    assert token.end_pos is not None
    line = body[token.end_pos :].split("\n")[0].rstrip()
    start = offset + token.end_pos
    message = "this line is indented less than the block above it, but matches no outer block"
    help_line = "line it up with an earlier line, four spaces a level"
    if re.search(r"^ *\t", body, re.MULTILINE):
        help_line = "a tab counts as four spaces: indent with spaces only"
    report.add("D0103", message, Span(source, start, start + len(line)), help=help_line)
