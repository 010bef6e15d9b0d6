"""Positions and findings as the protocol has them, from offsets and back.

The protocol counts lines from 0 and columns in units that client and server have agreed upon; we count
characters from the beginning of a text in which every line ends with a line feed.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls import uris

from ...grammar import Diagnostic, Span
from ...grammar.fixes import Edit

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
UNUSED = ("D0403",)
PAGE = "https://dragonrules.readthedocs.io/en/latest/diagnostics.html"


class Text:
    """A text with its lines, for positions in it."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.encoding = encoding
        self.starts = [0]
        for at, char in enumerate(text):
            if char == "\n":
                self.starts.append(at + 1)

    def offset(self, position: lsp.Position) -> int:
        if position.line >= len(self.starts):
            return len(self.text)
        start = self.starts[position.line]
        end = self.text.find("\n", start)
        line = self.text[start : end if end >= 0 else len(self.text)]
        units = 0
        for place, char in enumerate(line):
            if units >= position.character:
                return start + place
            units += self._units(char)
        return start + len(line)

    def position(self, offset: int) -> lsp.Position:
        offset = min(max(0, offset), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[line] : offset]
        return lsp.Position(line=line, character=sum(map(self._units, before)))

    def _units(self, char: str) -> int:
        if self.encoding == "utf-32":
            return 1
        if self.encoding == "utf-8":
            return len(char.encode("utf-8", errors="replace"))
        return 2 if ord(char) > 0xFFFF else 1

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(start=self.position(span.start), end=self.position(max(span.start, span.end)))


def uri_of(name: str) -> str:
    return uris.from_fs_path(str(Path(name).resolve())) or f"file://{quote(name)}"


class Converter:
    """Spans of any file to places of the protocol."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self._texts: dict[str, Text] = {}

    def text(self, span: Span) -> Text:
        found = self._texts.get(span.source.name)
        if found is None or found.text is not span.source.text:
            found = self._texts[span.source.name] = Text(span.source.text, self.encoding)
        return found

    def range(self, span: Span) -> lsp.Range:
        return self.text(span).range(span)

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(uri=uri_of(span.source.name), range=self.range(span))

    def edit(self, edit: Edit) -> lsp.TextEdit:
        return lsp.TextEdit(range=self.range(edit.span), new_text=edit.text)

    def workspace_edit(self, edits: list[Edit] | tuple[Edit, ...]) -> lsp.WorkspaceEdit:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            changes.setdefault(uri_of(edit.span.source.name), []).append(self.edit(edit))
        return lsp.WorkspaceEdit(changes=changes)

    def diagnostic(self, found: Diagnostic) -> lsp.Diagnostic:
        message = found.message if found.help is None else f"{found.message}\nhelp: {found.help}"
        return lsp.Diagnostic(
            range=self.range(found.span),
            message=message,
            severity=SEVERITIES[found.severity],
            code=found.code,
            code_description=lsp.CodeDescription(href=f"{PAGE}#{found.code.lower()}"),
            source="dragonrules",
            tags=[lsp.DiagnosticTag.Unnecessary] if found.code in UNUSED else None,
            related_information=[
                lsp.DiagnosticRelatedInformation(location=self.location(r.span), message=r.message)
                for r in found.related
            ]
            or None,
        )
