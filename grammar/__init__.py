"""Reading and writing `.dragon` text. Knows nothing of the other layers.

The parser and the tree are imported when first used: a game that comes from the
cache needs neither.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .diagnostics import Diagnostic, Related, Report, did_you_mean, render
from .spans import Source, Span, Word

if TYPE_CHECKING:
    from . import syntax
    from .format import format_source
    from .parsing import parse, reserved_words

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

_LATE = {"parse": ".parsing", "reserved_words": ".parsing", "format_source": ".format"}


def __getattr__(name: str) -> Any:
    if name == "syntax":
        return import_module(".syntax", __name__)
    if name in _LATE:
        return getattr(import_module(_LATE[name], __name__), name)
    raise AttributeError(name)
