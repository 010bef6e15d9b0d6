"""Diagnostics in the forms that people, programs and GitHub read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import click

from ..grammar import Diagnostic, Span, render
from .helping import plural


def as_text(found: Sequence[Diagnostic], files: int) -> None:
    for diagnostic in found:
        click.echo(render(diagnostic) + "\n")
    errors = sum(d.severity == "error" for d in found)
    warnings = len(found) - errors
    counts = [plural(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    click.echo(f"{plural(files, 'file')}: {', '.join(counts) or 'nothing to complain about'}")


def as_json(found: Sequence[Diagnostic], files: int) -> None:
    document = {
        "files": files,
        "errors": sum(d.severity == "error" for d in found),
        "warnings": sum(d.severity == "warning" for d in found),
        "diagnostics": [plain(d) for d in found],
    }
    click.echo(json.dumps(document, indent=2))


def plain(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "title": diagnostic.title,
        "message": diagnostic.message,
        **place(diagnostic.span),
        "help": diagnostic.help,
        "related": [{**place(other.span), "message": other.message} for other in diagnostic.related],
    }


def place(span: Span) -> dict[str, Any]:
    """Where a stretch of text stands; the end is the first column after it."""
    end_line, end_column = span.source.position(max(span.start, span.end))
    return {
        "path": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


def as_github(found: Sequence[Diagnostic], files: int) -> None:
    """Workflow commands: GitHub shows them at the line that they are about."""
    for diagnostic in found:
        where = place(diagnostic.span)
        fields = {
            "file": where["path"],
            "line": where["line"],
            "endLine": where["end_line"],
            "col": where["column"],
            "title": f"{diagnostic.code} {diagnostic.title}",
        }
        if where["line"] == where["end_line"]:
            fields["endColumn"] = where["end_column"]
        text = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
        told = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
        click.echo(f"::{diagnostic.severity} {told}::{_escaped(text)}")


def _escaped(text: str, more: str = "") -> str:
    for char in "%\r\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return text


FORMATS: dict[str, Callable[[Sequence[Diagnostic], int], None]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
}
