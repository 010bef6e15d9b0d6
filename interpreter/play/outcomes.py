"""What a finished match is worth to each seat, as a number for tools that learn or solve.

`"win"`: 1 for winning, less the share of one's rivals who win: alone among three it is 1, and
-1/2 for each of the others. Partners have the same. Where nobody has a rival, winning is 1 and losing -1.

`"score"`: the scores themselves if they always add up to nothing, as chips do; otherwise
how far each is above the mean of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import UsageError
from .rivalry import rivals

if TYPE_CHECKING:
    from .match import Match

WAYS = ("win", "score")


def utilities(match: Match, by: str = "win") -> tuple[float, ...]:
    """For each seat from 1 on; all zero while the match goes on."""
    if by not in WAYS:
        raise UsageError("D0704", f'utilities are by "win" or by "score", not by "{by}"')
    seats = range(1, match.players + 1)
    if not match.over:
        return tuple(0.0 for _ in seats)
    return by_score(match) if by == "score" else by_win(match)


def by_win(match: Match) -> tuple[float, ...]:
    won = [float(seat in match.winners) for seat in range(1, match.players + 1)]
    against = rivals(match.state.engine.layout)
    if not any(against):
        return tuple(2 * one - 1 for one in won)
    return tuple(
        own - (sum(won[q] for q in others) / len(others) if others else 0.0)
        for own, others in zip(won, against, strict=True)
    )


def by_score(match: Match) -> tuple[float, ...]:
    scores = [float(score or 0) for score in match.scores.values()]
    if not scores:
        raise UsageError("D0704", f"{match.game.name} has no score")
    total = sum(scores)
    if total == 0 or len(scores) == 1:
        return tuple(scores)
    return tuple(own - (total - own) / (len(scores) - 1) for own in scores)
