"""Findings as SARIF 2.1.0, which code hosts read to show them in a diff.

What a comment allows is in the log too, as a suppressed result with its reason.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from ... import __version__
from ...grammar import Diagnostic, Span
from ...grammar.codes import CODES
from ...interpreter.pages.explain import sections
from ..rules.findings import Findings

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(found: Findings) -> None:
    click.echo(json.dumps(sarif(found), indent=2))


def sarif(found: Findings) -> dict[str, Any]:
    """The log of one run."""
    results = [(d, None) for d in found.told] + [(d, reason) for d, reason in found.allowed]
    codes = sorted({d.code for d, _ in results})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "dragonrules",
                        "semanticVersion": __version__,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"uri": Path.cwd().as_uri().rstrip("/") + "/"}},
                "invocations": [{"executionSuccessful": True}],
                "results": [_result(d, codes.index(d.code), reason) for d, reason in results],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    page = sections().get(code, CODES[code]).strip()
    return {
        "id": code,
        "shortDescription": {"text": CODES[code]},
        "help": {"text": page, "markdown": page},
    }


def _result(diagnostic: Diagnostic, index: int, reason: str | None) -> dict[str, Any]:
    text = diagnostic.message + (f". Help: {diagnostic.help}" if diagnostic.help else "")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": diagnostic.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(diagnostic.span)}],
        "partialFingerprints": {"dragonrules/v1": _fingerprint(diagnostic)},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(other.span), "message": {"text": other.message}}
            for number, other in enumerate(diagnostic.related, start=1)
        ]
    if diagnostic.fixes:
        result["fixes"] = [
            {
                "description": {"text": fix.title},
                "artifactChanges": [
                    {
                        "artifactLocation": _location(edit.span)["artifactLocation"],
                        "replacements": [
                            {
                                "deletedRegion": _location(edit.span)["region"],
                                "insertedContent": {"text": edit.text},
                            }
                        ],
                    }
                    for edit in fix.edits
                ],
            }
            for fix in diagnostic.fixes
        ]
    if reason is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": reason}]
    return result


def _location(span: Span) -> dict[str, Any]:
    start_line, start_column = span.source.position(span.start)
    end_line, end_column = span.source.position(max(span.start, span.end))
    return {
        "artifactLocation": _artifact(span.source.name),
        "region": {
            "startLine": start_line,
            "startColumn": start_column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    }


def _artifact(name: str) -> dict[str, str]:
    """Relative to where the command runs, so that a code host finds the file in its checkout."""
    path = os.path.relpath(name)
    if path.startswith(os.pardir):
        return {"uri": Path(name).resolve().as_uri()}
    return {"uri": quote(Path(path).as_posix()), "uriBaseId": "SRCROOT"}


def _fingerprint(diagnostic: Diagnostic) -> str:
    """The same finding in an edited file: the line may move, its words stay."""
    words = " ".join(diagnostic.span.source.line(diagnostic.span.line).split())
    parts = (diagnostic.code, diagnostic.message, Path(diagnostic.span.source.name).name, words)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
