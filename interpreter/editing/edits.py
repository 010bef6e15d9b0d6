"""Changes to a text that are as small as they can be: an editor keeps its cursor and its folds."""

from __future__ import annotations

from difflib import SequenceMatcher

from ...grammar import Report, Source, Span, format_source
from ...grammar.fixes import Edit


def line_edits(source: Source, after: str) -> list[Edit]:
    """From one text to another, line by line."""
    old, new = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        Edit(Span(source, starts[a], starts[b]), "".join(new[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def formatted(source: Source) -> list[Edit] | None:
    """What brings a text into the canonical layout; None if it cannot be read."""
    after = format_source(source, Report())
    return None if after is None else line_edits(source, after)
