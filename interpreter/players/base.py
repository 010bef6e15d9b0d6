"""What a player is, and the simplest one."""

from __future__ import annotations

from typing import Protocol

from ..core.errors import UsageError
from ..core.randomness import Generator
from ..play.match import Match

WORLD, LUCK, TIE, PROBE, TRY, PROPOSALS = range(1, 7)
"""What random numbers of a decision are for: the word of their key behind that of the decision."""


class Player(Protocol):
    """Who decides for a seat."""

    watches: bool
    """Does it remember what it has seen? Then it plays worse in a match started with `watch=False`."""

    def choose(self, match: Match) -> int:
        """The position of the chosen option among those of the pending decision."""
        ...


class RandomPlayer:
    """Picks any option, all of them alike; of what is dealt out cell by cell, any way to deal it.

    Were each cell picked evenly, whoever is dealt to first would get half, the next one
    half of the rest, and so on.

    The pick is a place among the options of the state, not among those that the seat sees in the
    order of its own names, so that the same seed plays the same game with and without a match.
    """

    watches = False

    def __init__(self, seed: int, seat: int) -> None:
        self.key = key_of(seed, seat)

    def choose(self, match: Match) -> int:
        options = asked(match)
        if options == 1:
            return 0
        return match.order.index(even(Generator(self.key ^ match.decisions), options, match.state.takers))


def even(generator: Generator, options: int, takers: int) -> int:
    """One of 0..options - 1, such that every way to deal out options - 1 is as likely as any other,
    if `takers` more take from the same. 1: all are alike.

    A way to deal out n among k + 1 is n + k marks in a row, k of which are bars; the first
    gets what lies before the first bar. The bars are k different numbers below n + k, drawn by Floyd's method.
    """
    bars: list[int] = []
    for last in range(options - 1, options - 1 + takers):
        bar = generator.below(last + 1)
        bars.append(last if bar in bars else bar)
    return min(bars)


def key_of(seed: int, seat: int) -> int:
    """What tells the random numbers of one seat in one match from all others."""
    return Generator(seed).next() ^ Generator(~seat).next()


def asked(match: Match) -> int:
    """How many options there are, if anybody is asked."""
    options = len(match.state.options)
    if not options or match.state.player < 0:
        raise UsageError("D0905", "nobody is asked at the moment")
    return options
