"""Reading and writing `.dragon` text. Knows nothing of the other layers."""

from .diagnostics import Diagnostic, Related, Report, did_you_mean, render
from . import syntax
from .format import format_source
from .parse import parse, reserved_words
from .spans import Source, Span, Word

__all__ = [
    "Diagnostic",
    "Related",
    "Report",
    "Source",
    "Span",
    "Word",
    "did_you_mean",
    "format_source",
    "parse",
    "render",
    "reserved_words",
    "syntax",
]
