"""A player that looks one action ahead and takes what is worth most right after it.

For each option it plays on, in a few worlds it thinks possible (worlds.py), to
the end of the turn: its own further choices of that turn as well as it can,
those of the others and chance by lot. What it then has, less what its rivals
have (utility.py), averaged over the worlds, is what the option is worth.

"As well as it can" is a search over its own choices that belong to the same
action. Small ones are looked through completely; of large ones it tries a fixed
number of ways, any of them as likely. It never looks further than `PATIENCE` decisions.

All of it is whole numbers and the generator of core/randomness.py, so that a seed
means the same choice on every machine, and in machine code (native/search) as here.
"""

from __future__ import annotations

from typing import Protocol

from ..core.errors import PlayError
from ..core.randomness import Generator, hashed
from ..play.match import Match
from ..play.state import State
from .agreements import negotiated
from .base import LUCK, TIE, WORLD, asked, key_of
from .ledger import Ledger
from .machine import in_python, thinker
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
        self.moments = Moments(self.seat)

    def choose(self, match: Match) -> int:
        if asked(match) == 1:
            return 0
        start = hashed(self.key, self.moments.of(match))
        worlds = worlds_of(self, match)
        if match.state.pc in worlds.bare.talks:
            return match.order.index(negotiated(worlds, self.seat, start))
        native = thinker(match)
        choice = native.greedy(worlds, self.seat, start, TRIALS) if native is not None else None
        if choice is None:
            with in_python(match):
                choice = best_of(look_ahead(worlds, self.seat, start)[0], start)
        return match.order.index(choice)

    def estimates(self, match: Match) -> list[float]:
        """What each option is worth, in the order in which the seat sees them."""
        worlds = worlds_of(self, match)
        start = hashed(self.key, self.moments.of(match))
        totals, rounds = look_ahead(worlds, self.seat, start)
        parts = Utility(worlds.bare).parts[self.seat] * rounds
        return [totals[option] / parts for option in match.order]


def best_of(totals: list[int], start: int) -> int:
    """The largest, or any of the largest."""
    best = max(totals)
    near = [n for n, total in enumerate(totals) if total == best]
    return near[Generator(hashed(start, TIE)).one_of(len(near))]


def look_ahead(worlds: Worlds, seat: int, start: int, trials: int = TRIALS) -> tuple[list[int], int]:
    """The sum of what each option of the state leads to, and over how many worlds."""
    utility = Utility(worlds.bare)
    count = len(worlds.match.state.options)
    rounds = max(1, min(WORLDS, trials // count))
    each = max(1, trials // (count * rounds))
    totals = [0] * count
    for number in range(rounds):
        world = worlds.draw(hashed(start, WORLD, number))
        look = Look(utility, seat, Generator(hashed(start, LUCK, number)))
        for option in range(count):
            totals[option] += look.after(world, option, each)
    return totals, rounds


class Look:
    """Ahead from one world."""

    def __init__(self, utility: Utility, seat: int, generator: Generator) -> None:
        self.utility = utility
        self.seat = seat
        self.generator = generator

    def after(self, world: State, option: int, trials: int) -> int:
        """The best of some ways to go on after an option."""
        turn = world.I[1]
        state = world.fork()
        try:
            state.apply(option)
            return self._best(state, turn, trials, PATIENCE)
        except PlayError:  # a world that cannot be, as it turns out
            return self.utility.margin(world, self.seat)

    def _best(self, state: State, turn: int, trials: int, patience: int) -> int:
        seat, one_of = self.seat, self.generator.one_of
        while not state.over and patience and state.I[1] == turn:
            options = len(state.options)
            if options > 1 and state.player == seat and trials > 1:
                return self._best_of(state, turn, trials, patience)
            state.apply(one_of(options))
            patience -= 1
        return self.utility.margin(state, seat)

    def _best_of(self, state: State, turn: int, trials: int, patience: int) -> int:
        tried = list(range(len(state.options)))
        if len(tried) > trials:
            self.generator.shuffle(tried, trials)
            del tried[trials:]
        found = []
        for option in tried:
            twin = state.fork()
            twin.apply(option)
            found.append(self._best(twin, turn, trials // len(tried), patience - 1))
        return max(found)


class Moments:
    """How often a seat has chosen so far: what tells its decisions in one match apart. Nothing that it does not
    know goes into it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.log: list[list[object]] | None = None
        self.read = self.count = 0

    def of(self, match: Match) -> int:
        if match.log is not self.log or len(match.log) < self.read:
            self.log, self.read, self.count = match.log, 0, 0
        seat = self.seat + 1
        self.count += sum(1 for entry in match.log[self.read :] if entry[0] == "choose" and entry[1] == seat)
        self.read = len(match.log)
        return self.count


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
