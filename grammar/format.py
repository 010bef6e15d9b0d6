"""The canonical layout of a `.dragon` file.

The text is lexed again and its tokens are set anew, so that nothing but white
space can change. The work is done in three steps:

1. Tokens become lines. The author's line breaks stay, indentation follows the
   blocks, spacing follows the tokens. Comments stand in the gaps between the
   tokens, so they stay where they were; a comment on a line of its own belongs
   to the block of the line below it or, at the end of a block, to the deepest
   block that it is indented for.
2. Blank lines: at most one, none under a header, one between declarations.
   Only one-liners of the same kind may stand together.
3. Columns: cells of bar tables, citations in a margin on the right, comments
   behind neighbouring lines.

Each step looks only at what the step before left, never at the columns of the
source, except to find the block of a comment; that is why a second run changes
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from attrs import define
from lark import Token

from .diagnostics import Report
from .parsing import code_of, lark_parser, parse, pieces
from .spans import Source

INDENT = 4
WIDTH = 100
MARGIN = 64
"""The column of citations, counted from 0."""

_OPERANDS = frozenset({"NAME", "TYPE", "NUM", "ATTR", "STRING", "ALL", "RPAR", "RSQB", "RBRACE"})
_OPENERS = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSERS = frozenset({"RPAR", "RSQB", "RBRACE"})
_TIGHT_BEFORE = frozenset({"COLON", "COMMA", "ATTR", "DOTS", "LSQB"}) | _CLOSERS
_TIGHT_AFTER = frozenset({"DOTS"}) | _OPENERS


@define
class _Line:
    """One line of the result.

    `indent` is in columns, `gap` means a blank line above, `opens` is the word
    that opens a declaration here, `is_header` that the next line is in its block.
    """

    indent: int
    gap: bool = False
    code: str = ""
    cells: list[str] | None = None
    cite: str = ""
    comment: str = ""
    opens: str = ""
    is_header: bool = False

    @property
    def text(self) -> str:
        code = " " * self.indent + self.code
        if not self.cite:
            return code
        return code.ljust(max(len(code) + 2, min(MARGIN, WIDTH - len(self.cite)))) + self.cite


def format_source(source: Source, report: Report) -> str | None:
    """The text in canonical layout, or None when it has syntax errors, which are reported."""
    own = Report()
    parse(source, own)
    report.found.update(own.found)
    return None if own.errors else set_out(source)


def set_out(source: Source) -> str:
    """A text that is known to have no syntax errors, in canonical layout."""
    lines = _Setter(source).lines()
    _set_blank_lines(lines)
    _align_tables(lines)
    return "".join(_finished(lines))


# ---------------------------------------------------------------- lines
@define
class _Sentence:
    """The tokens up to a line break that counts, and the depth of their block."""

    depth: int
    tokens: list[Token]
    start: int
    is_first: bool

    @property
    def is_header(self) -> bool:
        last = [token for token in self.tokens if token.type != "CITE"][-1]
        return last.type == "COLON"


def _sentences(source: Source) -> Iterator[_Sentence]:
    for offset, text in pieces(source, Report()):
        depth, tokens, is_first = 0, [], True
        for token in lark_parser().parse_interactive(code_of(text)).exhaust_lexer():
            if token.type == "_INDENT":
                depth += 1
            elif token.type == "_DEDENT":
                depth -= 1
            elif token.type != "_NL":
                tokens.append(token)
            elif tokens:
                yield _Sentence(depth, tokens, offset, is_first)
                tokens, is_first = [], False


class _Setter:
    """Sets sentences as lines; `end` is how far the source has been used up."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.end = int(source.text.startswith("\ufeff"))
        self.columns = [0]
        self.out: list[_Line] = []

    def lines(self) -> list[_Line]:
        for sentence in _sentences(self.source):
            self._set(sentence)
        self._set_comments(self._raw_lines(len(self.source.text)), 0)
        return self.out

    def _raw_lines(self, start: int) -> list[str]:
        """The lines between the last token and `start`, without the rest of the last token's own."""
        between = self.source.text[self.end : start].split("\n")
        if self.out:
            self.out[-1].comment = between.pop(0).strip()
        return between

    def _set_comments(self, raw: list[str], depth: int) -> bool:
        """Sets comments between sentences; True if a blank line is left over."""
        gap = False
        for line in raw:
            comment = line.strip()
            if comment:
                self.out.append(_Line(self._block_of(line, depth) * INDENT, gap, comment=comment))
            gap = not comment
        return gap

    def _block_of(self, line: str, depth: int) -> int:
        """The depth of the block that a comment belongs to, when one of `depth` follows."""
        inner = [block for block, column in enumerate(self.columns) if column <= _column(line)]
        return max(depth, inner[-1]) if depth < len(self.columns) else depth

    def _set(self, sentence: _Sentence) -> None:
        base = sentence.depth * INDENT
        brackets: list[int] = []
        spacing = _Spacing(sentence)
        for token in sentence.tokens:
            assert token.start_pos is not None and token.end_pos is not None
            raw = self._raw_lines(sentence.start + token.start_pos)
            if not spacing.before:
                gap = self._set_comments(raw[:-1], sentence.depth)
                self.columns[sentence.depth :] = [_column(raw[-1])]
                self.out.append(_Line(base, gap, opens=str(token) if sentence.is_first else ""))
            elif raw:
                indent = brackets[-1] + INDENT
                if sentence.is_header and brackets[-1] == base:
                    indent += INDENT
                self.out += [_Line(indent, comment=line.strip()) for line in raw[:-1] if line.strip()]
                self.out.append(_Line(brackets[-1] if token.type in _CLOSERS else indent))
            line = self.out[-1]
            space = spacing.between(token)
            if token.type == "CITE":
                line.cite = str(token)
            elif token.type == "ROW":
                line.cells = _cells(str(token))
            else:
                line.code += space + str(token) if line.code else str(token)
            if token.type in _OPENERS:
                brackets.append(line.indent)
            elif token.type in _CLOSERS:
                brackets.pop()
            self.end = sentence.start + token.end_pos
        self.out[-1].is_header = sentence.is_header


def _column(line: str) -> int:
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blank) + (INDENT - 1) * blank.count("\t")


class _Spacing:
    """The space between the tokens of a sentence, which are given one by one.

    In `token Gem: silver -3, gold (a + b)` the amounts follow their names
    without an operator, so neither a difference nor a call is meant.
    """

    def __init__(self, sentence: _Sentence) -> None:
        self.before = ""
        self.has_amounts = "TOKEN" in [token.type for token in sentence.tokens[:2]]
        self.is_sign = False
        self.is_kind = False
        self.depth = 0

    def between(self, token: Token) -> str:
        before, kind = self.before, token.type
        is_operand = before in _OPERANDS and not self.is_kind
        tight = (
            kind in _TIGHT_BEFORE
            or before in _TIGHT_AFTER
            or self.is_sign
            or (kind == "LPAR" and (is_operand or before in ("SCORE", "VALUE")))
        )
        self.depth += (kind in _OPENERS) - (kind in _CLOSERS)
        self.is_sign = kind == "MINUS" and not is_operand
        self.is_kind = self.has_amounts and self.depth == 0 and before in ("COLON", "COMMA")
        self.before = kind
        return "" if tight else " "


# ---------------------------------------------------------------- blank lines
def _set_blank_lines(lines: list[_Line]) -> None:
    for above, line in pairwise([_Line(0, is_header=True), *lines]):
        line.gap = line.gap and not above.is_header
    starts = [index for index, line in enumerate(lines) if line.opens]
    for first, second, third in zip(starts, starts[1:], [*starts[2:], len(lines)]):
        end = max(index for index in range(first, second) if lines[index].code or lines[index].cells)
        between = lines[end + 1 : second + 1]
        alike = lines[first].opens == lines[second].opens
        together = alike and end == first and not any(line.code for line in lines[second + 1 : third])
        if not together and not any(line.gap for line in between):
            next(line for line in between if line.indent == 0).gap = True


# ---------------------------------------------------------------- columns
def _cells(row: str) -> list[str]:
    cells = re.findall(r'((?:"(?:[^"\\]|\\.)*"|[^"|])*)\|', row[1:])
    return [re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda found: found[1] or " ", cell).strip() for cell in cells]


def _align_tables(lines: list[_Line]) -> None:
    table: list[_Line] = []
    for line in [*lines, _Line(0, code="end")]:
        if line.cells is not None:
            table.append(line)
        elif line.code:
            _align_table(table)
            table = []


def _align_table(table: list[_Line]) -> None:
    for column in range(max((len(line.cells or ()) for line in table), default=0)):
        rows = [line.cells for line in table if line.cells is not None and column < len(line.cells)]
        width = max(len(cells[column]) for cells in rows)
        values = [cells[column] for cells in rows[1:] if cells[column]]
        is_number = bool(values) and all(re.fullmatch(r"-?\d+", value) for value in values)
        for cells in rows:
            cells[column] = cells[column].rjust(width) if is_number else cells[column].ljust(width)
    for line in table:
        line.code = f"| {' | '.join(line.cells or ())} |"


def _finished(lines: list[_Line]) -> Iterator[str]:
    run: list[_Line] = []
    for line in lines:
        if run and (line.gap or not line.code or not line.comment or bool(line.cite) != bool(run[0].cite)):
            yield from _with_comments(run)
            run = []
        if line.code and line.comment:
            run.append(line)
        else:
            yield _blank(line) + (line.text if line.code else " " * line.indent + line.comment) + "\n"
    yield from _with_comments(run)


def _with_comments(run: list[_Line]) -> Iterator[str]:
    """Lines that follow each other, their comments below each other if they fit."""
    column = max((len(line.text) for line in run), default=0) + 2
    fits = all(column + len(line.comment) <= WIDTH for line in run)
    for line in run:
        yield _blank(line) + line.text.ljust(column if fits else len(line.text) + 2) + line.comment + "\n"


def _blank(line: _Line) -> str:
    return "\n" if line.gap else ""
