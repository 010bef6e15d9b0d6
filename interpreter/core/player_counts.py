"""For how many players a game or a variant says that it is."""

from __future__ import annotations

from ...grammar import syntax


def player_counts(node: syntax.CountRange | syntax.CountList) -> tuple[int, ...]:
    """The numbers of players, cut off where they leave all reason."""
    if isinstance(node, syntax.CountRange):
        return tuple(range(int(node.low[:4]), int(node.high[:4]) + 1))
    return tuple(sorted({int(n[:4]) for n in node.counts}))
