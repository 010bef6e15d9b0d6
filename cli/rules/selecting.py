"""Choosing by words: `-k "refund and not (coin or gold)"`.

`and`, `or`, `not` and brackets as in Python; everything between them is a phrase
that must stand in the text as it is, upper and lower case alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import click

Test = Callable[[str], bool]
_TOKEN = re.compile(r'\s*(\(|\)|"[^"]*"|[^\s()]+)')


def selector(expression: str) -> Test:
    """A test for texts. Raises a usage error that shows where the expression goes wrong."""
    parser = _Parser(expression)
    test = parser.either()
    if parser.here is not None:
        parser.complain(f"`{parser.here}` is not expected here")
    return test


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [found[1] for found in _TOKEN.finditer(text)]
        self.at = 0

    @property
    def here(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def takes(self, word: str) -> bool:
        if self.here is not None and self.here.lower() == word:
            self.at += 1
            return True
        return False

    def either(self) -> Test:
        first = self.both()
        while self.takes("or"):
            first = _or(first, self.both())
        return first

    def both(self) -> Test:
        first = self.one()
        while self.takes("and"):
            first = _and(first, self.one())
        return first

    def one(self) -> Test:
        if self.takes("not"):
            inner = self.one()
            return lambda text: not inner(text)
        if self.takes("("):
            whole = self.either()
            if not self.takes(")"):
                self.complain("a bracket is not closed")
            return whole
        words: list[str] = []
        while self.here is not None and self.here.lower() not in ("and", "or", "not", "(", ")"):
            words.append(self.here.strip('"'))
            self.at += 1
        if not words:
            self.complain("words are missing" + (f" before `{self.here}`" if self.here else " at the end"))
        phrase = " ".join(words).lower()
        return lambda text: phrase in " ".join(text.lower().split())

    def complain(self, problem: str) -> None:
        raise click.UsageError(
            f"-k `{self.text}`: {problem}; join words with `and`, `or`, `not` and brackets"
        )


def _or(a: Test, b: Test) -> Test:
    return lambda text: a(text) or b(text)


def _and(a: Test, b: Test) -> Test:
    return lambda text: a(text) and b(text)
