"""Where the parser stopped, and what it knew there."""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen
from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from .spans import Source, Span
from .wording import ENDS, HEADERS


@frozen
class Scene:
    """Where the parser stopped in the piece `body`, which starts at `offset` of the source."""

    source: Source
    offset: int
    body: str
    place: int
    type: str
    word: str
    expected: frozenset[str]
    stack: tuple[object, ...]

    @cached_property
    def bare(self) -> str:
        return blank(self.body)

    @property
    def after(self) -> str:
        """What the line still holds."""
        return self.body[self.place :].split("\n")[0].rstrip()

    @cached_property
    def brackets(self) -> list[int]:
        """Where the brackets stand that are open here."""
        return open_brackets(self.bare[: self.place])

    @cached_property
    def sentence_start(self) -> int:
        """The start of the line, or of what follows a header's `:`, `else` or `replace`."""
        line_start = self.body.rfind("\n", 0, min([*self.brackets, self.place])) + 1
        start = line_start
        for part in re.finditer(r"\s+|:|replace\b|else\b(?=\s+[a-z])|\S", self.bare[line_start : self.place]):
            where = line_start + part.start()
            skipped = where == start and (part.group().isspace() or part.group() in ("replace", "else"))
            if skipped or (part.group() == ":" and self._is_header_end(start, where)):
                start = line_start + part.end()
        return min(start, self.place)

    def _is_header_end(self, start: int, colon: int) -> bool:
        word = re.compile('"|[a-z]*').match(self.bare, start)
        return word is not None and word[0].upper() in HEADERS and not open_brackets(self.bare[:colon])

    @property
    def sentence(self) -> str:
        return self.body[self.sentence_start : self.place].rstrip()

    @property
    def opener(self) -> str:
        found = re.match(r"[a-z]+\b", self.sentence)
        return found[0] if found else ""

    @property
    def in_variant(self) -> bool:
        """Does this sentence stand in a variant itself, not in a rule of it?"""
        line = self.body[self.body.rfind("\n", 0, self.sentence_start) + 1 :]
        indent = len(line) - len(line.lstrip())
        first = re.search(r"\n( +)\S", self.body)
        return self.body.startswith("variant") and first is not None and indent == len(first[1])

    @property
    def behind_colon(self) -> bool:
        return self.bare[: self.sentence_start].rstrip(" \t").endswith(":")

    @property
    def verb(self) -> str:
        """The word that opens the sentence, if the parser got no further."""
        if not self.sentence:
            return self.word if re.fullmatch(r"[a-z_]\w*", self.word) else ""
        last = self.back(1)
        is_name = self.type_back(1) == "NAME" or (isinstance(last, Tree) and last.data in ("name", "call"))
        return self.sentence if is_name and self.sentence.isidentifier() else ""

    def back(self, steps: int) -> object:
        return self.stack[-steps] if len(self.stack) >= steps else None

    def type_back(self, steps: int) -> str:
        found = self.back(steps)
        return found.type if isinstance(found, Token) else ""

    def span(self, start: int, end: int) -> Span:
        size = len(self.source.text)
        return Span(self.source, min(self.offset + start, size), min(self.offset + end, size))

    @property
    def here(self) -> Span:
        """The token, or the place right behind a line that ends too early."""
        return self.span(self.place, self.place + (1 if self.type in ENDS else len(self.word)))

    @property
    def verb_span(self) -> Span:
        return self.span(self.sentence_start, self.sentence_start + len(self.verb))

    @property
    def rest_of_line(self) -> Span:
        return self.span(self.place, self.place + len(self.after))


def blank(text: str) -> str:
    """The text with the insides of strings and all comments as spaces."""

    def spaces(found: re.Match[str]) -> str:
        size = len(found[0])
        return " " * size if found[0][0] == "#" else f'"{" " * (size - 2)}"'

    return re.sub(r'"([^"\\\n]|\\.)*"|#[^\n]*', spaces, text)


def open_brackets(bare: str) -> list[int]:
    opened: list[int] = []
    for found in re.finditer(r"[][(){}]", bare):
        if found[0] in "([{":
            opened.append(found.start())
        elif opened:
            opened.pop()
    return opened


def scene_of(source: Source, offset: int, body: str, error: UnexpectedInput) -> Scene:
    cursor = error.interactive_parser
    stack = tuple(cursor.parser_state.value_stack)
    expected = frozenset(cursor.accepts())  # type: ignore[no-untyped-call]
    if isinstance(error, UnexpectedCharacters):
        place, kind, word = error.pos_in_stream, "", error.char
    else:
        assert isinstance(error, UnexpectedToken)
        token = error.token
        place, kind, word = token.start_pos, token.type, str(token)
        if kind == "_INDENT":
            place = token.end_pos
        elif kind in ENDS:
            place = len(blank(body)[: None if kind == "$END" else place].rstrip())
    assert place is not None
    return Scene(source, offset, body, place, kind, word, expected, stack)
