"""Syntax trees kept between runs: reading a text that has been read before takes a tenth of the time."""

from __future__ import annotations

from ...grammar import Diagnostic, Report, Source, syntax
from .cache import kept


def read_tree(source: Source, report: Report) -> syntax.File:
    """The declarations of a text, parsed now or in an earlier run; what is wrong goes to the report."""
    where = ("tree", source.name, source.text) if len(source.text) < 500_000 else (None,)
    tree, found = kept(where, lambda: _parsed(source))
    for diagnostic in found:
        key = diagnostic.code, source.name, diagnostic.span.start, diagnostic.message
        report.found.setdefault(key, diagnostic)
    return tree


def _parsed(source: Source) -> tuple[syntax.File, tuple[Diagnostic, ...]]:
    from ...grammar import parse  # only now: it brings the parser along

    report = Report()
    return parse(source, report), tuple(report)
