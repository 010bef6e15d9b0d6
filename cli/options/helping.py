"""What the help texts of the commands share."""

from __future__ import annotations

from ...interpreter.table.text import plural as plural

WORDS = "dragonrules.words"
"""Under which the words of a command are kept, for those who tell what made a page."""


def examples(*lines: str) -> str:
    """The end of a help page: examples, one to a line, never re-wrapped."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
