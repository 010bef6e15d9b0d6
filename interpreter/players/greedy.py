"""A player that looks one action ahead and takes what is worth most right after it.

For each option it plays on, in a few worlds it thinks possible (worlds.py), to
the end of the turn: its own further choices of that turn as well as it can,
those of the others and chance by lot. What it then has, less what its rivals
have (utility.py), averaged over the worlds, is what the option is worth.

"As well as it can" is a search over its own choices that belong to the same
action. Small ones are looked through completely; of large ones it tries a fixed
number of ways, spread evenly. It never looks further than `PATIENCE` decisions.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from ..core.errors import PlayError
from ..play.match import Match
from ..play.state import State
from .base import asked, key_of
from .ledger import Ledger
from .utility import Utility
from .worlds import Worlds

WORLDS = 3
"""How many worlds each option is tried in, where anything is hidden or left to chance."""
TRIALS = 90
"""How many ways to finish the action are tried for one decision, over all options and worlds."""
PATIENCE = 40
"""Decisions until a position is judged although the turn is not over."""


class GreedyPlayer:
    watches = True

    def __init__(self, seed: int, seat: int) -> None:
        self.key = key_of(seed, seat)
        self.seat = seat - 1
        self.ledger: Ledger | None = None

    def choose(self, match: Match) -> int:
        if asked(match) == 1:
            return 0
        values = self.estimates(match)
        best = max(values)
        near = [n for n, value in enumerate(values) if value >= best - 1e-9]
        return near[int(Random(self.key ^ moment(match, self.seat)).random() * len(near))]

    def estimates(self, match: Match, worlds: Worlds | None = None, trials: int = TRIALS) -> list[float]:
        """What each option is worth."""
        worlds = worlds or worlds_of(self, match)
        utility = Utility(worlds.bare)
        count = len(match.state.options)
        rounds = max(1, min(WORLDS, trials // count))
        each = max(1, trials // (count * rounds))
        order = match.order
        totals = [0.0] * count
        start = self.key ^ moment(match, self.seat)
        for number in range(rounds):
            world = worlds.draw(start + number)
            rng = Random(start ^ number)
            look = Look(utility, self.seat, rng)
            for option in range(count):
                totals[option] += look.after(world, order[option], each)
        return [total / rounds for total in totals]


class Look:
    """Ahead from one world."""

    def __init__(self, utility: Utility, seat: int, rng: Random) -> None:
        self.utility = utility
        self.seat = seat
        self.random = rng.random

    def after(self, world: State, option: int, trials: int) -> float:
        """The best of some ways to go on after an option."""
        turn = world.I[1]
        state = world.fork()
        try:
            state.apply(option)
            return self._best(state, turn, trials, PATIENCE)
        except PlayError:  # a world that cannot be, as it turns out
            return self.utility.margin(world, self.seat)

    def _best(self, state: State, turn: int, trials: int, patience: int) -> float:
        seat, random = self.seat, self.random
        while not state.over and patience and state.I[1] == turn:
            options = len(state.options)
            if state.player != seat:
                state.apply(int(random() * options) if options > 1 else 0)
            elif options == 1:
                state.apply(0)
            elif trials <= 1:
                state.apply(int(random() * options))
            else:
                return self._best_of(state, turn, trials, patience)
            patience -= 1
        return self.utility.margin(state, seat)

    def _best_of(self, state: State, turn: int, trials: int, patience: int) -> float:
        options = len(state.options)
        tried: list[int] = list(range(options))
        if options > trials:
            tried = sorted(tried, key=lambda _: self.random())[:trials]
        best = float("-inf")
        for option in tried:
            twin = state.fork()
            twin.apply(option)
            best = max(best, self._best(twin, turn, trials // len(tried), patience - 1))
        return best


def moment(match: Match, seat: int) -> int:
    """Tells the decisions of a seat in one match apart, by what the seat has noticed."""
    seen = match.state.seen
    return len(seen[seat]) if seen is not None else match.decisions


class Knowing(Protocol):
    """A player that keeps a ledger."""

    seat: int
    ledger: Ledger | None


def worlds_of(player: Knowing, match: Match) -> Worlds:
    """The worlds of a player's seat. The ledger is kept between two decisions only to save time: it is
    made anew if the match is not the one it was made for, or has gone another way."""
    base = match.opening[0] if match.opening is not None else match.state
    ledger = player.ledger
    fresh = (
        ledger is None
        or ledger.engine is not base.engine
        or base.seen is None
        or not ledger.goes_on_with(base.seen[player.seat])
    )
    if fresh:
        ledger = Ledger(base.engine, player.seat)
    player.ledger = ledger
    return Worlds(match, player.seat, ledger)
