"""Many matches of one game, stepped together as machine code: for those who train players.

    import dragonrules as dr
    batch = dr.batch("connect_four", 1024, seed=7)
    while not batch.over.all():
        actions = policy(batch.observations(), batch.masks())
        rewards = batch.step(actions)

Everything that comes in and goes out is an array with a row for each match. Actions are numbers of
`Game.actions`, observations are those of `Game.encoding`, seen by the seat that is asked. A
step plays one action in every match that is not over; chance is part of the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import UsageError
from ..core.randomness import Generator
from ..play.rivalry import rivals
from .batch_encoding import BatchEncoding
from .batch_numbers import BatchNumbers
from .columns import Array, Columns

if TYPE_CHECKING:
    from ..play.game import Game

_WORD = (1 << 64) - 1


class Batch:
    """Made by `dragonrules.batch`. `again`: a match that is over begins anew at the next step."""

    def __init__(
        self, game: Game, count: int, players: int | None = None, *, seed: int = 0, again: bool = False
    ) -> None:
        if count < 1:
            raise UsageError("D0704", f"a batch has at least one match, not {count}")
        native = game.native(players)
        if native is None:
            raise UsageError("D0711", *_why_not(game, players))
        self.game, self.count, self.again = game, count, again
        self.players = native.shape.players
        watched = game.engine(self.players, watched=True)
        self.actions, self.encoding = game.actions(self.players), game.encoding(self.players)
        self._states = Columns(native, count)
        self._native = native
        self._numbers = BatchNumbers(watched, self.actions, native.shape)
        self._encode = BatchEncoding(watched, self.encoding)
        self._rivals = rivals(watched.layout)
        self._seeds = Generator(seed)
        self._found: tuple[Array, Array] | None = None
        self._starts = np.array([block.start for block in self.actions.blocks.values()])
        self.steps = 0
        self.reset()

    # ------------------------------------------------------------ playing
    def reset(self, seed: int | None = None) -> None:
        """All matches anew, each with a seed of its own."""
        if seed is not None:
            self._seeds = Generator(seed)
        self._begin(np.ones(self.count, bool))

    def _begin(self, which: Array) -> None:
        rows = np.flatnonzero(which)
        seeds = np.zeros(self.count, np.int64)
        drawn = np.array([self._seeds.next() & _WORD for _ in rows], np.uint64)
        seeds[rows] = drawn.view(np.int64)
        chosen = which.astype(np.int64)
        states, first = self._states, self._native.first.address
        self._native.functions.begin_many(
            states.address, states.size, self.count, first, chosen.ctypes.data, seeds.ctypes.data
        )
        self._changed()

    def step(self, actions: Array) -> Array:
        """Play an action in each match that is not over; what the end brought to each seat, else 0."""
        actions = np.asarray(actions, np.int64)
        if actions.shape != (self.count,):
            raise UsageError("D0704", f"a step takes {self.count} actions, one for each match")
        before = self.over
        numbers, counts = self._options()
        hits = counts & (numbers == actions[:, None])
        wrong = ~before & ~hits.any(1)
        if wrong.any():
            match = int(np.argmax(wrong))
            raise UsageError("D0904", f"action {actions[match]} is not among the options of match {match}")
        picks = np.where(before, -1, hits.argmax(1)) if hits.shape[1] else np.full(self.count, -1)
        picks = np.ascontiguousarray(picks, np.int64)
        states = self._states
        self._native.functions.step_many(states.address, states.size, self.count, picks.ctypes.data)
        self.steps += int((~before).sum())
        self._changed()
        rewards = np.where((self.over & ~before)[:, None], self._utilities(), 0.0)
        if self.again and self.over.any():
            self._begin(self.over)
        return rewards.astype(np.float32)

    def _changed(self) -> None:
        self._found = None
        if self._states.head("error").any():
            match = int(np.flatnonzero(self._states.head("error"))[0])
            raise UsageError(
                "D0711",
                f"match {match} met something that native code has no words or no room for",
                "play it as a single match to see what it is",
            )

    # ------------------------------------------------------------ what there is to see
    @property
    def over(self) -> Array:
        return self._states.head("over") != 0

    @property
    def asked(self) -> Array:
        """The seat that is asked, from 1; 0 where the match is over."""
        return np.where(self.over, 0, self._states.head("player") + 1)

    def _options(self) -> tuple[Array, Array]:
        if self._found is None:
            self._found = self._numbers.numbers(self._states)
        return self._found

    def masks(self) -> Array:
        """For each match and action, whether it can be played now."""
        numbers, counts = self._options()
        out = np.zeros((self.count, self.actions.count), bool)
        rows, places = np.nonzero(counts)
        out[rows, numbers[rows, places]] = True
        return out

    def observations(self) -> Array:
        """What the seat that is asked sees, a row for each match."""
        numbers, counts = self._options()
        questions = np.full(self.count, -1)
        if counts.shape[1]:
            questions = np.searchsorted(self._starts, numbers[:, 0], side="right") - 1
            questions = np.where(counts[:, 0], questions, -1)
        return self._encode.encode(self._states, questions)

    @property
    def winners(self) -> Array:
        """For each match and seat, whether it has won."""
        won = self._states.head("winners")[:, None] >> np.arange(self.players) & 1
        return won.astype(bool) & self.over[:, None]

    def _utilities(self) -> Array:
        """As `match.utilities("win")`."""
        won = self.winners.astype(np.float64)
        if not any(self._rivals):
            return 2 * won - 1
        theirs = [won[:, list(q)].mean(1) if q else np.zeros(self.count) for q in self._rivals]
        return won - np.stack(theirs, 1)

    @property
    def slow(self) -> tuple[str, ...]:
        """Pieces of observations that take Python for each match."""
        return self._encode.slow


def _why_not(game: Game, players: int | None) -> tuple[str, str]:
    if game.engine_choice == "python":
        return f"{game.name} was loaded for the Python back end; batches are native code", 'say engine="auto"'
    from ..native.engine import MISSING, available

    if not available():
        return "batches are native code", MISSING
    return f"{game.name} has no native code", "`dragonrules debug native` says why"


def batch(
    game: Game | str,
    count: int,
    players: int | None = None,
    *,
    seed: int = 0,
    again: bool = False,
    variants: tuple[str, ...] = (),
    options: dict[str, object] | None = None,
) -> Batch:
    """Many matches at once; `game` is a game or what `load` takes."""
    if isinstance(game, str):
        from ..loading import load

        game = load(game, variants=variants, options=options or {})
    return Batch(game, count, players, seed=seed, again=again)
