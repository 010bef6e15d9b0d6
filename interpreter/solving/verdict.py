"""Is the first seat better? A small game solved, with what the answer rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..core.errors import UsageError
from .positions import LIMIT as POSITIONS
from .positions import best_play
from .regret import solve
from .trees import LIMIT as NODES
from .trees import whole_tree

if TYPE_CHECKING:
    from ..play.game import Game


@frozen
class Verdict:
    """`values` are what each seat gets with best play. `exact`: worked out to the end; otherwise nobody could
    gain more than `exploitability` on average by playing better. `moves` are the first choices, each with
    what it comes to (exact) or how often a best strategy takes it."""

    game: str
    players: int
    values: tuple[float, ...]
    by: str
    exact: bool
    exploitability: float
    moves: tuple[tuple[str, float], ...]
    basis: str

    @property
    def sentence(self) -> str:
        """The answer, as one would say it."""
        if self.players == 1:
            return f"With best play the game is worth {_worth(self.values[0])}."
        first, second = self.values[0], self.values[1]
        if self.exact and self.by == "win":
            for value, words in ((1, "seat 1 wins"), (0, "nobody wins"), (-1, "seat 2 wins")):
                if first == value:
                    return f"With best play {words}."
        if abs(first) <= self.exploitability:
            return (
                f"Too close to call: seat 1 gets {_worth(first)} a game, give or take "
                f"{self.exploitability:.2g}. More rounds tell."
            )
        better, worth = (1, first) if first > second else (2, second)
        return f"Seat {better} is better: with best play it gets {_worth(worth)} a game."

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "players": self.players,
            "values": list(self.values),
            "by": self.by,
            "exact": self.exact,
            "exploitability": self.exploitability,
            "moves": [{"move": move, "value": value} for move, value in self.moves],
            "basis": self.basis,
        }


def _worth(value: float) -> str:
    return f"{value:+.4f}".rstrip("0").rstrip(".") if value else "0"


def verdict(
    game: Game,
    players: int | None = None,
    *,
    positions: int = POSITIONS,
    nodes: int = NODES,
    rounds: int = 300,
) -> Verdict:
    """Solve a game: by its positions where nothing is hidden, else by its whole tree."""
    traits = game.traits(players)
    if traits.players > 2 and not traits.together and not traits.teams:
        raise UsageError(
            "D0711",
            f"{game.name} with {traits.players} players has no one solution: what is best depends on the others",
            "solving is for one player, for two, or for two sides",
        )
    if not traits.hidden:
        best = best_play(game, players, limit=positions)
        value = float(best.value)
        against = -value if not traits.together else value
        values = tuple(value if seat == 0 else against for seat in range(traits.players))
        return Verdict(
            game.name,
            traits.players,
            values,
            "win",
            True,
            0.0,
            tuple((move, float(worth)) for move, worth in best.first_moves),
            f"all play from {best.positions:,} positions; 1 is won, 0 drawn, -1 lost",
        )
    if traits.players > 2:
        raise UsageError("D0711", f"{game.name} hides things: it can be solved for two players only")
    tree = whole_tree(game, players, limit=nodes)
    if not tree.zero_sum:
        raise UsageError(
            "D0711", f"in {game.name} one seat's gain is not the other's loss: there may be no one value"
        )
    found = solve(tree, rounds)
    return Verdict(
        game.name,
        tree.players,
        found.values,
        tree.by,
        False,
        found.exploitability,
        _first_moves(tree, found.strategy),
        f"the whole tree of {len(tree.nodes):,} nodes and {sum(map(len, tree.infosets)):,} information sets, "
        f"{rounds} rounds of CFR+; playing better gains {found.exploitability:.5f} at most, on average",
    )


def _first_moves(tree: Any, strategy: Any) -> tuple[tuple[str, float], ...]:
    root = tree.nodes[0]
    if root.player < 0:
        return ()
    return tuple(zip(root.moves, strategy[root.player][root.infoset], strict=True))
