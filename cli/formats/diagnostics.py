"""Diagnostics in the forms that people, programs and code hosts read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from ...grammar import Diagnostic, Span, render
from ..options.helping import plural
from ..rules.findings import Findings
from . import colours
from .sarif import as_sarif

SEVERITIES = ("error", "warning", "note")


def as_text(found: Findings) -> None:
    paint = colours.paint if colours.wanted() else colours.plain
    for diagnostic in found.told:
        colours.tell(render(diagnostic, paint) + "\n")
    counts = [
        paint(severity, plural(found.count(severity), severity))
        for severity in SEVERITIES
        if found.count(severity)
    ]
    counts = counts or [paint("good", "no problems found")]
    if found.allowed:
        counts.append(f"{plural(len(found.allowed), 'finding')} allowed by comments")
    colours.tell(f"{plural(found.files, 'file')}: {', '.join(counts)}")


def as_json(found: Findings) -> None:
    document = {
        "files": found.files,
        "errors": found.count("error"),
        "warnings": found.count("warning"),
        "notes": found.count("note"),
        "diagnostics": [plain(d) for d in found.told],
        "allowed": [{**plain(d), "reason": reason} for d, reason in found.allowed],
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
        "fixes": [
            {
                "title": fix.title,
                "safe": fix.safe,
                "edits": [{**place(edit.span), "text": edit.text} for edit in fix.edits],
            }
            for fix in diagnostic.fixes
        ],
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


def as_github(found: Findings) -> None:
    """Workflow commands: GitHub shows them at the line that they are about."""
    for diagnostic in found.told:
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
        lines = [diagnostic.message, *(f"{other.span}: {other.message}" for other in diagnostic.related)]
        lines += [f"help: {diagnostic.help}"] if diagnostic.help else []
        told = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
        level = "notice" if diagnostic.severity == "note" else diagnostic.severity
        click.echo(f"::{level} {told}::{_escaped(chr(10).join(lines))}")


def _escaped(text: str, more: str = "") -> str:
    for char in "%\r\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return text


FORMATS: dict[str, Callable[[Findings], None]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
