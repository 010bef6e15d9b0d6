"""Bots: whatever answers a decision without asking anybody.

A player has no memory of its own. What it picks follows from its seed, its seat
and the match alone, so that a match which was saved, resumed or forked goes on
exactly as it would have gone on without. None of them looks at what its seat
cannot see.
"""

from __future__ import annotations

from collections.abc import Callable

from ...grammar import did_you_mean
from ..core.errors import UsageError
from ..play.match import Match
from .advice import Advice, ranked
from .base import Player, RandomPlayer, asked
from .greedy import GreedyPlayer
from .mcts import BUDGET, MctsPlayer

__all__ = [
    "KINDS",
    "Advice",
    "GreedyPlayer",
    "MctsPlayer",
    "Player",
    "RandomPlayer",
    "advice",
    "player",
]

KINDS: dict[str, Callable[[int, int], Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "mcts": MctsPlayer,
}
"""What can be asked for by name, with what makes it from a seed and a seat. `mcts` may have a
budget behind it, `mcts:500`."""

LARGEST_BUDGET = 1_000_000


def player(kind: str, *, seed: int, seat: int) -> Player:
    """The player called `kind` for a seat."""
    name, colon, budget = kind.partition(":")
    if name not in KINDS:
        known = ", ".join(KINDS)
        raise UsageError(
            "D0704",
            f"there is no player `{name}`",
            did_you_mean(name, KINDS) or f"known are {known}; `mcts:500` searches longer than `mcts`",
        )
    if name == "mcts":
        return MctsPlayer(seed, seat, _budget(budget) if colon else BUDGET)
    if colon:
        raise UsageError("D0704", f"`{name}` takes no budget, only `mcts` does", f"write `{name}`")
    return KINDS[name](seed, seat)


def advice(match: Match, kind: str = "mcts", *, seed: int = 0) -> list[Advice]:
    """What a player called `kind` thinks of the options of the pending decision, the best first; with
    the eyes of the seat that is asked, and no others."""
    asked(match)
    return ranked(player(kind, seed=seed, seat=match.state.player + 1), match)


def _budget(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= LARGEST_BUDGET:
        raise UsageError(
            "D0704",
            f"the budget of `mcts` is a number of iterations from 1 to {LARGEST_BUDGET}, not `{text}`",
            f"write `mcts:500`, or `mcts` alone for {BUDGET}",
        )
    return int(text)
