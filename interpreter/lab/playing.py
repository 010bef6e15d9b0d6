"""One game of a series, played by programs and measured on the way.

A series is a rule set, who sits where, and a master seed. The seed of a game
follows from the master seed and the game's number alone, and a game from its
seed, so it does not matter who plays which games in what order: the same series
always has the same games. `dragonrules run --seed` with a game's seed shows it.

When the seats are taken by different players, the line-up moves on by one seat
from game to game. Over as many games as there are players everybody has sat
everywhere, so that a good seat is not mistaken for a good player.

If all seats pick at random, no match is needed, only the bare state; the picks
are those of `RandomPlayer`. Where there is machine code for the game, many such games
are played inside it; the rows are the same. So are whole games of bots, once they have taken a while
or many are to come.

With `keyed` luck (keyed.py) random games of two rule sets stay close after the first change; `compare` plays so.

A counted series also counts which rules are used. Games at random are then
played on the covered engine itself, or in machine code made from it; a match is played first and its choices
repeated on that engine, so that what players think about is not counted.

To see the lead change, everybody's score is worked out after every turn, which may
cost as much as the game itself; so it is done on demand (`lead`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import Factory, define, field, frozen

from ..core.errors import PlayError
from ..core.randomness import Generator
from ..play.engine import Engine
from ..play.game import Game
from ..play.rivalry import together
from ..play.state import ENDLESS, State
from ..players import GreedyPlayer, MctsPlayer, Player, RandomPlayer, player
from ..players.base import even
from ..players.machine import series_of
from ..program.layout import Layout
from .keyed import KeyedLuck, names_of
from .stories import Recorder, Story

if TYPE_CHECKING:
    from ..native.counted import Counted, CountingEngine
    from ..native.engine import NativeEngine, Row
    from ..native.keyed import KeyedEngine
    from ..native.search.series import ThinkingSeries

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_SAFE = (1 << 64) - (1 << 32)

LIMIT = 100_000
"""Decisions after which a game is given up as unfinished."""


@frozen
class Played:
    """What one game was like: a row of the results.

    `winners` are seats from 1, none if nobody has won. `forced` counts the decisions
    with a single option; `options` is the sum of the numbers of options, so that
    `options / decisions` is the mean branching. A lead change: nobody of those who
    were ahead in score is ahead any more, looked at after each turn, if that was wanted. `error` is
    what went wrong, for a game that its own rules have broken. `together`: all win or
    lose together, so that a game without winners is lost. `starter` is the seat whose turn
    it is when somebody is first asked in a turn; None if there are no turns.
    """

    number: int
    seed: int
    seats: tuple[str, ...]
    winners: tuple[int, ...]
    reason: str | None
    turns: int
    decisions: int
    forced: int
    options: int
    widest: int
    scores: tuple[int, ...] | None
    lead_changes: int | None
    error: str | None = None
    together: bool = False
    starter: int | None = None
    story: Story | None = field(default=None, eq=False)
    """Its course, if it was recorded."""


def code_of(kind: str) -> int | None:
    """How machine code is told who plays: -1 at random, 0 greedy, else the budget of a search."""
    made = player(kind, seed=0, seat=1)
    match made:
        case RandomPlayer():
            return -1
        case GreedyPlayer():
            return 0
        case MctsPlayer():
            return made.budget
    return None


def seed_of(master: int, number: int) -> int:
    """The seed of a game: below 2^53, so that no reader of the results rounds it."""
    return Generator(master + number * _GAMMA).next() >> 11


@define(eq=False)
class Series:
    """Games of one rule set. `lineup` are the kinds of players, in the order of the seats in game 0."""

    game: Game
    lineup: tuple[str, ...]
    seed: int = 0
    rotate: bool = True
    limit: int = LIMIT
    counted: bool = False
    lead: bool = False
    keyed: bool = False
    """Is the luck of random games keyed by what it is for?"""
    stories: int = 0
    """Of so many games the course is recorded, from the first on."""

    @property
    def players(self) -> int:
        return len(self.lineup)

    @property
    def mixed(self) -> bool:
        """Do players of different kinds meet?"""
        return len(set(self.lineup)) > 1

    @property
    def engine(self) -> Engine:
        return self.game.engine(self.players, covered=self.counted)

    def seats_of(self, number: int) -> tuple[str, ...]:
        """Who sits where in a game."""
        if not self.rotate or not self.mixed:
            return self.lineup
        shift = number % self.players
        return self.lineup[-shift:] + self.lineup[:-shift] if shift else self.lineup

    @property
    def native(self) -> NativeEngine | None:
        """What plays many games at once, if nobody looks and nothing is counted."""
        if self.counted or not self.at_random:
            return None
        return self.game.native(self.players)

    @property
    def _keyed(self) -> KeyedEngine | None:
        """The same with keyed luck."""
        native = self.native
        return native.keyed(names_of(self.engine)) if self.keyed and native is not None else None

    @property
    def counting(self) -> CountingEngine | None:
        """What plays many games at once and counts which rules they use."""
        if not self.counted or self.keyed or self.stories or not self.at_random:
            return None
        native = self.game.native(self.players, covered=True)
        return None if native is None else native.counting

    def play_and_count(self, numbers: range) -> tuple[list[Played], Counted]:
        """These games up to the first that runs into trouble, and what was counted in them."""
        assert self.counting is not None
        rows, counted = self.counting.series(self.seed, numbers, self.limit, lead=self.lead)
        company = together(self.engine.layout)
        played = [self._from_native(n, row, company) for n, row in zip(numbers, rows, strict=False)]
        return played, counted

    @property
    def at_random(self) -> bool:
        """Does every seat pick at random?"""
        return all(kind == "random" for kind in self.lineup)

    def play_many(self, numbers: range) -> list[Played]:
        """These games, natively where that can be. A game that runs into trouble is played again here,
        where there are words for it."""
        told, numbers = (
            numbers[: max(0, self.stories - numbers.start)],
            numbers[max(0, self.stories - numbers.start) :],
        )
        if told:
            return [self.play(number) for number in told] + (self.play_many(numbers) if numbers else [])
        native = self.native
        if native is None:
            return [self._think(number) for number in numbers]
        plays = self._keyed or native
        rows = plays.series(self.seed, numbers, self.limit, lead=self.lead)
        company = together(self.engine.layout)
        return [
            self.play(number) if row.trouble else self._from_native(number, row, company)
            for number, row in zip(numbers, rows, strict=True)
        ]

    @property
    def thinking(self) -> ThinkingSeries | None:
        """What plays games of bots natively, once it is ready."""
        if self.counted or self.at_random or any(code_of(kind) is None for kind in self.lineup):
            return None
        return series_of(self.game, self.players)

    def make_ready(self) -> None:
        """Many games are to come: make the machine code that plays them, if there is to be any."""
        if not self.counted and not self.at_random:
            series_of(self.game, self.players, make=True)

    def _think(self, number: int) -> Played:
        """One game, natively if bots play and their machine code is ready."""
        thinking = self.thinking
        if thinking is None:
            return self.play(number)
        codes = [code_of(kind) or 0 for kind in self.seats_of(number)]
        row = thinking.play(seed_of(self.seed, number), codes, self.limit, lead=self.lead)
        if row.trouble:
            return self.play(number)
        return self._from_native(number, row)

    def _from_native(self, number: int, row: Row, company: bool | None = None) -> Played:
        """`company`: do all win or lose together? Looked up if it is not known already."""
        return Played(
            number=number,
            seed=seed_of(self.seed, number),
            seats=self.seats_of(number),
            winners=seats_in(row.winners) if row.over else (),
            reason=row.reason if row.over else "given up",
            turns=row.turns,
            decisions=row.decisions,
            forced=row.forced,
            options=row.options,
            widest=row.widest,
            scores=row.scores,
            lead_changes=row.lead_changes if self.lead and row.scores is not None else None,
            together=together(self.engine.layout) if company is None else company,
            starter=row.starter,
        )

    def play(self, number: int) -> Played:
        seed = seed_of(self.seed, number)
        seats = self.seats_of(number)
        meter = Meter(self.engine, lead=self.lead)
        if number < self.stories and not self.keyed:
            meter.recorder = Recorder(self.game.engine(self.players))
        error = None
        state: State | None
        try:
            if all(kind == "random" for kind in seats) and meter.recorder is None:
                state = meter.keyed(seed, self.limit) if self.keyed else meter.bare(seed, self.limit)
            else:
                movers = [player(kind, seed=seed, seat=seat) for seat, kind in enumerate(seats, 1)]
                state = meter.match(self.game, seed, movers, self.limit)
                if self.counted:
                    self._repeat(seed, meter.picks)
        except PlayError as problem:
            state, error = meter.state, str(problem)
        return meter.row(number, seed, seats, state, error)

    def _repeat(self, seed: int, picks: list[int]) -> State:
        state = self.engine.new(seed)
        for pick in picks:
            state.apply(pick)
        return state


@lru_cache(maxsize=1 << 12)
def seats_in(mask: int) -> tuple[int, ...]:
    """The seats of a set, from 1."""
    return tuple(p + 1 for p in range(mask.bit_length()) if mask >> p & 1)


def starter_of(numbers: list[int]) -> int | None:
    """Whose turn it is, from the numbers of a state."""
    return numbers[Layout.ACTIVE] + 1 if numbers[Layout.TURN] and numbers[Layout.ACTIVE] >= 0 else None


@define(eq=False)
class Meter:
    """Plays one game and keeps count."""

    engine: Engine
    lead: bool = False
    decisions: int = 0
    forced: int = 0
    options: int = 0
    widest: int = 0
    lead_changes: int = 0
    picks: list[int] = Factory(list)
    """Of each decision of a match the place of what was chosen among the options of the state."""
    _ahead: int = -1  # a set of seats; at the beginning everybody
    starter: int | None = None
    recorder: Recorder | None = None
    story: Story | None = None
    state: State | None = None
    """None for a game that breaks before its first decision."""

    @property
    def _seats(self) -> range:
        return range(self.engine.players)

    def bare(self, seed: int, limit: int) -> State:
        """Every seat at random. The arithmetic is that of `RandomPlayer`, written out: it is half of the time."""
        state = self.state = self.engine.new(seed)
        starter = None
        keys = [RandomPlayer(seed, seat).key for seat in range(1, self.engine.players + 1)]
        turn_at = self.engine.layout.TURN
        looked = self.lead and "d_score" in self.engine.namespace
        apply, numbers, vectors = state.apply, state.I, self.engine.generated.vectors
        decisions = forced = options = widest = 0
        turn = numbers[turn_at]
        try:
            while not state.over:
                if starter is None:
                    starter = starter_of(numbers)
                n = len(state.options)
                options += n
                if n == 1:
                    forced += 1
                    pick = 0
                else:
                    if n > widest:
                        widest = n
                    z = ((keys[state.player] ^ decisions) + _GAMMA) & _MASK
                    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
                    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
                    z ^= z >> 31
                    pick = z % n if z < _SAFE else Generator(keys[state.player] ^ decisions).below(n)
                    if state.pc in vectors and (takers := state.takers) > 1:
                        pick = even(Generator(keys[state.player] ^ decisions), n, takers)
                decisions += 1
                apply(pick)
                if looked and numbers[turn_at] != turn:
                    turn = numbers[turn_at]
                    self._look_at_lead(state)
                if decisions >= limit:
                    break
        finally:
            self.decisions, self.forced, self.options = decisions, forced, options
            self.widest = max(widest, min(1, decisions))
            self.starter = starter
        return state

    def keyed(self, seed: int, limit: int, look: Callable[[int], None] | None = None) -> State:
        """Every seat at random, with luck that is keyed by what it is for. `look` is told how many
        decisions were made before what has just happened."""
        state = self.state = self.engine.new(seed, settle=False)
        luck = KeyedLuck(self.engine, seed)
        turn_at = self.engine.layout.TURN
        turn = state.I[turn_at]
        while not state.over and self.decisions < limit:
            for _ in ENDLESS:
                if state.player >= 0 or state.over:
                    break
                state.step(luck.outcome(state))
            else:
                raise self.engine.endless(state, state.pc)
            if state.over:
                break
            if self.starter is None:
                self.starter = starter_of(state.I)
            n = len(state.options)
            self.options += n
            self.forced += n == 1
            self.widest = max(self.widest, n)
            self.decisions += 1
            state.step(state.options[luck.pick(state)])
            if look is not None:
                look(self.decisions - 1)
            if self.lead and state.I[turn_at] != turn:
                turn = state.I[turn_at]
                self._look_at_lead(state)
        return state

    def match(self, game: Game, seed: int, movers: list[Player], limit: int) -> State:
        """A match, for players who look at it before they choose."""
        match = game.start(self.engine.players, seed=seed, watch=any(mover.watches for mover in movers))
        state = self.state = match.state
        turn_at = state.engine.layout.TURN
        turn = state.I[turn_at]
        while not state.over and self.decisions < limit:
            if self.starter is None:
                self.starter = starter_of(state.I)
            n = len(state.options)
            self.options += n
            self.forced += n == 1
            self.widest = max(self.widest, n)
            pick = 0 if n == 1 else movers[state.player].choose(match)
            self.decisions += 1
            self.picks.append(match.order[pick])
            if self.recorder is not None:
                self.recorder.note(match, pick)
            match.choose(pick)
            if self.lead and state.I[turn_at] != turn:
                turn = state.I[turn_at]
                self._look_at_lead(state)
        if self.recorder is not None:
            self.story = self.recorder.story(match)
        return state

    # ------------------------------------------------------------ scores
    def _scores(self, state: State) -> tuple[int, ...] | None:
        if "d_score" not in self.engine.namespace:
            return None
        try:
            return tuple(int(state.engine.work_out(state, "d_score", p)) for p in self._seats)
        except PlayError:  # a score that means nothing before the end
            return None

    def _look_at_lead(self, state: State) -> None:
        scores = self._scores(state)
        if scores is None:
            return
        best = max(scores)
        leaders = sum(1 << p for p in self._seats if scores[p] == best)
        if leaders & self._ahead:
            self._ahead &= leaders
        else:
            self.lead_changes += 1
            self._ahead = leaders

    def row(
        self, number: int, seed: int, seats: tuple[str, ...], state: State | None, error: str | None
    ) -> Played:
        scores = None if error or state is None else self._scores(state)
        if self.lead and scores is not None and state is not None:
            self._look_at_lead(state)
        finished = state is not None and state.over and error is None
        return Played(
            number=number,
            seed=seed,
            seats=seats,
            winners=tuple(p + 1 for p in self._seats if state.winners >> p & 1) if state and finished else (),
            reason=state.reason if state and finished else "error" if error else "given up",
            turns=state.I[self.engine.layout.TURN] if state else 0,
            decisions=self.decisions,
            forced=self.forced,
            options=self.options,
            widest=self.widest,
            scores=scores,
            lead_changes=self.lead_changes if self.lead and scores is not None else None,
            error=error,
            together=together(self.engine.layout),
            starter=self.starter,
            story=self.story,
        )
