"""What a player is, and the simplest one."""

from __future__ import annotations

from typing import Protocol

from ..core.errors import UsageError
from ..core.randomness import Generator
from ..play.match import Match


class Player(Protocol):
    """Who decides for a seat."""

    watches: bool
    """Does it remember what it has seen? Then it plays worse in a match started with `watch=False`."""

    def choose(self, match: Match) -> int:
        """The position of the chosen option among those of the pending decision."""
        ...


class RandomPlayer:
    """Picks any option, all of them alike.

    The pick is a place among the options of the state, not among those that the seat sees in the
    order of its own names, so that the same seed plays the same game with and without a match.
    """

    watches = False

    def __init__(self, seed: int, seat: int) -> None:
        self.key = key_of(seed, seat)

    def choose(self, match: Match) -> int:
        options = asked(match)
        return 0 if options == 1 else match.order.index(Generator(self.key ^ match.decisions).below(options))


def key_of(seed: int, seat: int) -> int:
    """What tells the random numbers of one seat in one match from all others."""
    return Generator(seed).next() ^ Generator(~seat).next()


def asked(match: Match) -> int:
    """How many options there are, if anybody is asked."""
    options = len(match.state.options)
    if not options or match.state.player < 0:
        raise UsageError("D0905", "nobody is asked at the moment")
    return options
