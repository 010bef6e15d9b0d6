"""The review: what a careful referee would say about a game whose names and types are in order.

Each review function looks at the checked game as a whole and reports what it
finds that deserves a second look; they run for `dragonrules validate`. Who may know
what (secrecy.py) is no part of it: that finds errors, so it belongs to checking, and
runs whenever a game is loaded.
"""

from __future__ import annotations

from collections.abc import Callable

from ...grammar import Report
from ..core import CheckedGame

Review = Callable[[CheckedGame, Report], None]


def reviews() -> list[Review]:
    """All of them. Who only loads a game need not wait for what they import."""
    from .ambiguities import ambiguities
    from .conditions import dead_conditions
    from .graph_checks import graphs
    from .lasting import lasting_reveals
    from .sizes import open_sizes

    return [lasting_reveals, open_sizes, graphs, dead_conditions, ambiguities]


def review(checked: CheckedGame, report: Report) -> None:
    """Everything that can be said about a game beyond its names and types."""
    for look in reviews():
        look(checked, report)
