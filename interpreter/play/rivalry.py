"""Who plays against whom.

Players of one group of a `partition` are partners. Where nobody has a rival, in a game that is played
`together`, for one, or with all players in one group, the players win or lose together: a match that ends
without winners is lost, not drawn.
"""

from __future__ import annotations

from ..program.layout import Layout


def rivals(layout: Layout) -> list[list[int]]:
    """For each seat, counted from 0, the seats that are in no group with it."""
    seats = range(layout.players)
    if layout.game.together:
        return [[] for _ in seats]
    groups = layout.groups.values()
    return [[q for q in seats if q != p and all(group[p] != group[q] for group in groups)] for p in seats]


def together(layout: Layout) -> bool:
    """Do all win or lose together?"""
    return not any(rivals(layout))
