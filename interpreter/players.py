"""Players made of code: whatever answers a decision without asking anybody.

A player has no memory of its own. What it picks follows from its seed, its seat
and the match alone, so that a match which was saved, resumed or forked goes on
exactly as it would have gone on without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..grammar import did_you_mean
from .errors import UsageError
from .match import Match
from .randomness import Generator


class Player(Protocol):
    """Who decides for a seat."""

    def choose(self, match: Match) -> int:
        """The position of the chosen option among those of the pending decision."""
        ...


class RandomPlayer:
    """Picks any option, all of them alike."""

    def __init__(self, seed: int, seat: int) -> None:
        self.key = Generator(seed).next() ^ Generator(~seat).next()

    def choose(self, match: Match) -> int:
        options = match.state.options
        if not options:
            raise UsageError("D0905", "nobody is asked at the moment")
        return 0 if len(options) == 1 else Generator(self.key ^ len(match.log)).below(len(options))


KINDS: dict[str, Callable[[int, int], Player]] = {"random": RandomPlayer}
"""What can be asked for by name, with what makes it from a seed and a seat."""


def player(kind: str, *, seed: int, seat: int) -> Player:
    """The player called `kind` for a seat."""
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise UsageError(
            "D0704", f"there is no player `{kind}`", did_you_mean(kind, KINDS) or f"known are {known}"
        )
    return KINDS[kind](seed, seat)
