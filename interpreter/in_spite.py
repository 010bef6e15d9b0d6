"""What can be told of rules although some of their text could not be read.

A declaration that the parser gave up hides only itself: the others are checked for names and types all
the same. What is said there about a name that a broken declaration may have given is left out, and so
is everything that would follow from the whole: leaks, endings, what a referee would ask.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..grammar import Diagnostic, Report, Source, syntax
from ..grammar.parsing import pieces

if TYPE_CHECKING:
    from .driver import Driver
    from .rule_sets import RuleSet

_NAME = re.compile(r"[A-Za-z_]\w*")
SYNTAX = "D01"
NAMES = ("D02", "D03")
"""Names and types: what a declaration says by itself."""
HEADER = "D0203"
"""That the game has no header may be because it could not be read."""


def in_spite(rules: RuleSet, driver: Driver) -> list[Diagnostic]:
    """Mistakes in names and types, of rules of which only the syntax of some lines is wrong."""
    errors = rules.report.errors
    sources = {d.span.source.name: d.span.source for d in errors}
    if not errors or not rules.file.decls or any(not d.code.startswith(SYNTAX) for d in errors):
        return []
    broken = {name for source in sources.values() for name in _broken(source, rules.file)}
    found = driver.named(rules.file, rules.report).report
    return [
        d
        for d in found.errors
        if d.code.startswith(NAMES)
        and d.code != HEADER
        and not broken.intersection(_NAME.findall(" ".join(_quoted(d.message))))
    ]


def _quoted(message: str) -> list[str]:
    return re.findall(r"`([^`]*)`", message)


def _broken(source: Source, file: syntax.File) -> set[str]:
    """All names in declarations that could not be read: any of them may be declared there."""
    read = {decl.span.start for decl in file.decls if decl.span.source.name == source.name}
    out: set[str] = set()
    for start, text in pieces(source, Report()):
        end = start + len(text)
        if not any(start <= at < end for at in read):
            out.update(_NAME.findall(text))
    return out
