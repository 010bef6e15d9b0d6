"""Thinking in machine code where there is some: the same choices, many times as fast.

Machine code takes seconds to make. So a game is thought over in Python first, and its machine
code is looked for in the cache, and then made, when that has taken a while. Whether it is there changes
how long a choice takes, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from attrs import Factory, define

from ..core.errors import NotNative
from ..play.game import Game
from ..play.match import Match

if TYPE_CHECKING:
    from ..native.search.series import ThinkingSeries
    from ..native.search.thinking import Thinker

LOOKED_FOR = 0.2
"""Seconds of thought about a game until its machine code is looked for in the cache."""
MADE = 4.0
"""Seconds until it is made: about as long as making it takes."""


@define(eq=False)
class Thought:
    """What a game has cost so far, and what thinks about it for each number of players."""

    seconds: float = 0.0
    thinkers: dict[int, Thinker | None] = Factory(dict)
    series: dict[int, ThinkingSeries | None] = Factory(dict)


_THOUGHT: WeakKeyDictionary[Game, Thought] = WeakKeyDictionary()


def thinker(match: Match) -> Thinker | None:
    """What thinks natively about a match; None if Python does."""
    game = match.game
    thought = _THOUGHT.setdefault(game, Thought())
    if match.players not in thought.thinkers:
        insists = game.engine_choice == "native"
        if thought.seconds < LOOKED_FOR and not insists:
            return None
        native = game.native(match.players, make=insists or thought.seconds >= MADE)
        if native is None:
            return None
        from ..native.search.thinking import Thinker

        try:
            thought.thinkers[match.players] = Thinker(native)
        except NotNative:
            thought.thinkers[match.players] = None
    return thought.thinkers[match.players]


def series_of(game: Game, players: int, *, make: bool = False) -> ThinkingSeries | None:
    """What plays whole games of bots natively; None if Python does, for now or for good."""
    thought = _THOUGHT.setdefault(game, Thought())
    if players not in thought.series:
        insists = make or game.engine_choice == "native"
        if thought.seconds < LOOKED_FOR and not insists:
            return None
        native = game.native(players, make=insists or thought.seconds >= MADE)
        if native is None:
            return None
        from ..native.search.series import ThinkingSeries

        try:
            thought.series[players] = ThinkingSeries(native)
        except NotNative:
            thought.series[players] = None
    return thought.series[players]


@contextmanager
def in_python(match: Match) -> Iterator[None]:
    """What is thought here is counted."""
    start = process_time()
    try:
        yield
    finally:
        _THOUGHT.setdefault(match.game, Thought()).seconds += process_time() - start
