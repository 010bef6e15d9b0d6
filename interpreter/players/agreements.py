"""What bots say in a negotiation: offers that both sides gain by, and yes to those.

Look-ahead is of no use there: it lets others answer at random, so that no proposal ever comes to
anything. In a negotiation (program/passes/talks.py) a bot therefore asks of a row on the table, and of
proposals that it could make: what if everybody concerned took it? It plays on with whoever is asked
taking that row, if there is a way to it, and waiting otherwise, until the negotiation is left. What
each one then has more than if it came to nothing is their gain: seven tenths of the margin and three of the own value,
for margins alone are nearly a zero sum, in which nobody would ever agree.

An agreement is as good as what it brings to the one of those concerned who gains the least. The best
row on the table is accepted if it brings a gain, and not too little of what the best own proposal would
bring; the more has been proposed, the less is enough. Otherwise the best proposal is made. Proposals are
whole: ways to fill in all that is asked, drawn evenly, so a bot that is asked for the next part looks for the
best way to go on from there.
"""

from __future__ import annotations

from math import lcm

from ..core.errors import PlayError
from ..core.randomness import Generator, hashed
from ..play.state import State
from ..program.passes.talks import OFFER, ROW, Talk
from .base import PROPOSALS, WORLD, even
from .machine import in_python, thinker
from .utility import Utility
from .worlds import Worlds

LONGEST = 300
"""Decisions until a negotiation is judged although it is not over."""
SAMPLES = 24
"""How many proposals are thought of."""
IN_WORLDS = 2

Gains = tuple[int, int]
"""Of an agreement: what the one gains who gains the least, and what I gain."""
NOTHING: Gains = (-(1 << 60), -(1 << 60))


def negotiated(worlds: Worlds, seat: int, start: int) -> int:
    """What a bot chooses inside a negotiation: the position of an option of the state."""
    native = thinker(worlds.match)
    choice = native.negotiate(worlds, seat, start) if native is not None else None
    if choice is None:
        with in_python(worlds.match):
            choice = Negotiator(worlds, seat, start).choose()
    return choice


class Negotiator:
    """For one decision of a seat inside a negotiation."""

    def __init__(self, worlds: Worlds, seat: int, start: int) -> None:
        self.match = worlds.match
        self.seat = seat
        self.utility = Utility(worlds.bare)
        self.talks = worlds.bare.talks
        self.talk = self.talks[self.match.state.pc]
        whole = lcm(*self.utility.parts)
        self.weights = [whole // parts for parts in self.utility.parts]
        self.generator = Generator(hashed(start, PROPOSALS))
        self.worlds = [worlds.draw(hashed(start, WORLD, n)) for n in range(IN_WORLDS)]
        self.without = [self._standing(self._broken_off(world)) for world in self.worlds]

    def _standing(self, state: State) -> list[int]:
        """How each seat stands, in parts that can be compared."""
        values = self.utility.values(state)
        margins = self.utility.margins_of(values)
        return [
            (7 * margin + 3 * parts * value) * weight
            for margin, parts, value, weight in zip(
                margins, self.utility.parts, values, self.weights, strict=True
            )
        ]

    def _broken_off(self, world: State) -> State:
        """It comes to nothing."""
        try:
            return self._left(world.fork(), -1)[0]
        except PlayError:
            return world

    # ------------------------------------------------------------ what if
    def _gains(self, number: int, state: State, row: int, proposed: bool) -> Gains:
        """What comes of it if everybody concerned takes a row, from a state in which I have had my say: more than
        without any agreement."""
        state, taken = self._left(state, row)
        after, without = self._standing(state), self.without[number]
        if proposed and taken == 1 << self.seat:
            return NOTHING  # nobody could take it
        gained = [after[p] - without[p] for p in self.utility.seats if taken >> p & 1]
        return min(gained), after[self.seat] - without[self.seat]

    def _left(self, state: State, row: int) -> tuple[State, int]:
        """The state when the negotiation is over, and who has taken the row, with me."""
        taken = 1 << self.seat
        region = self.talk.region
        for _ in range(LONGEST):
            if state.over:
                break
            talk = self.talks.get(state.pc)
            if talk is None or talk.region != region:
                break
            options = state.options
            if talk.kind == OFFER and not taken >> state.player & 1 and (way := self._way(state, talk, row)):
                taken |= 1 << state.player
                state = way
            elif talk.kind == OFFER:
                state.apply(options.index(talk.idle) if talk.idle in options else 0)
            else:
                state.apply(options.index(row) if talk.kind == ROW and row in options else 0)
        return state, taken

    def _way(self, state: State, talk: Talk, row: int) -> State | None:
        """The state in which who is asked has taken a row."""
        for case in talk.accepts:
            if case in state.options:
                twin = state.fork()
                twin.apply(list(state.options).index(case))
                there = None if twin.over else self.talks.get(twin.pc)
                if there is not None and there.kind == ROW and row in twin.options:
                    twin.apply(list(twin.options).index(row))
                    return twin
        return None

    def _row(self, number: int, row: int) -> Gains:
        """What if I took a row on the table?"""
        world = self.worlds[number]
        try:
            if self._mine(world) == row:
                return self._gains(number, world.fork(), row, False)
            way = self._way(world, self.talk, row)
            return NOTHING if way is None else self._gains(number, way, row, False)
        except PlayError:
            return NOTHING

    def _mine(self, state: State) -> int:
        return int(state.I[self.talk.backs + self.seat]) if self.talk.backs >= 0 else -1

    def _completed(self, number: int, option: int) -> Gains:
        """What if I go on with an option, and with the rest of what I am asked for in any way?"""
        state = self.worlds[number].fork()
        rows = state.I[self.talk.count]
        try:
            state.apply(option)
            for _ in range(LONGEST):
                talk = None if state.over or state.player != self.seat else self.talks.get(state.pc)
                if talk is None or talk.region != self.talk.region or talk.kind == OFFER:
                    break
                options = len(state.options)
                state.apply(even(self.generator, options, state.takers) if options > 1 else 0)
            row = state.I[self.talk.count] - 1 if state.I[self.talk.count] > rows else self._mine(state)
            return NOTHING if row < 0 else self._gains(number, state, row, True)
        except PlayError:
            return NOTHING

    # ------------------------------------------------------------ deciding
    def choose(self) -> int:
        """The position of an option of the state."""
        state = self.match.state
        options = list(state.options)
        if self.talk.kind == OFFER:
            return self._answer(options)
        if self.talk.kind == ROW:
            return self._best_row(options)
        best, chosen = NOTHING, 0
        for n in range(SAMPLES):
            option = even(self.generator, len(options), state.takers)
            found = _worth(self._completed(n % IN_WORLDS, option))
            if n == 0 or found > best:
                best, chosen = found, option
        return chosen

    def _best_row(self, options: list[int]) -> int:
        best, chosen = NOTHING, 0
        for n, row in enumerate(options):
            total = [0, 0]
            for number in range(IN_WORLDS):
                twin = self.worlds[number].fork()
                try:
                    twin.apply(n)
                    found = self._gains(number, twin, row, False)
                except PlayError:
                    found = NOTHING
                total = [a + b for a, b in zip(total, found, strict=True)]
            if n == 0 or _worth((total[0], total[1])) > best:
                best, chosen = _worth((total[0], total[1])), n
        return chosen

    def _answer(self, options: list[int]) -> int:
        idle = options.index(self.talk.idle) if self.talk.idle in options else 0
        rows = self.worlds[0].I[self.talk.count]
        on_table, row_gains = -1, NOTHING
        for row in range(rows):
            found = [self._row(number, row) for number in range(IN_WORLDS)]
            total = (sum(f[0] for f in found), sum(f[1] for f in found))
            if total[1] > 0 and total > row_gains:
                on_table, row_gains = row, total
        proposal, gains = -1, NOTHING
        for case in self.talk.proposes:
            if case in options:
                for n in range(SAMPLES):
                    found_one = self._completed(n % IN_WORLDS, options.index(case))
                    if found_one[1] > 0 and found_one > gains:
                        proposal, gains = options.index(case), found_one
        enough = max(0, 8 - 2 * rows)
        own = IN_WORLDS * gains[1] if proposal >= 0 else 0
        if on_table >= 0 and 10 * row_gains[1] >= enough * own:
            return idle if self._mine(self.worlds[0]) == on_table else self._accept(options, on_table, idle)
        return proposal if proposal >= 0 and gains[0] > 0 else idle

    def _accept(self, options: list[int], row: int, idle: int) -> int:
        """The case that leads to a row."""
        for case in self.talk.accepts:
            if case in options:
                twin = self.worlds[0].fork()
                try:
                    twin.apply(options.index(case))
                except PlayError:
                    continue
                there = None if twin.over else self.talks.get(twin.pc)
                if there is not None and there.kind == ROW and row in twin.options:
                    return options.index(case)
        return idle


def _worth(gains: Gains) -> Gains:
    """What I gain by comes before what I lose by."""
    return gains if gains[1] > 0 else (-(1 << 61), gains[1])
