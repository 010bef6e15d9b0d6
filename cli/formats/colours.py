"""Colour on a terminal, none in a pipe or where NO_COLOR asks for none."""

from __future__ import annotations

import os
import sys
from typing import TextIO

import click

_ROLES: dict[str, dict[str, object]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan", "bold": True},
    "place": {"bold": True},
    "gutter": {"fg": "blue"},
    "help": {"fg": "green"},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
    "good": {"fg": "green", "bold": True},
}


def wanted(stream: TextIO | None = None) -> bool:
    """NO_COLOR (https://no-color.org) wins, then FORCE_COLOR, then whether this is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = stream or sys.stdout
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(role: str, text: str) -> str:
    """A text dressed for its role; roles without a colour of their own stay plain."""
    style = _ROLES.get(role)
    return click.style(text, **style) if style else text  # type: ignore[arg-type]


def plain(role: str, text: str) -> str:
    return text


def tell(text: str, *, err: bool = False) -> None:
    """Print a text that may be painted; `paint` it only where `wanted`."""
    click.echo(text, err=err, color=wanted(sys.stderr if err else sys.stdout))
