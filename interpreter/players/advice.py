"""What a player thinks of each option: for a hint at the table."""

from __future__ import annotations

from attrs import frozen

from ..core.errors import UsageError
from ..play.match import Match
from .greedy import GreedyPlayer
from .mcts import MctsPlayer


@frozen
class Advice:
    """One option of the pending decision in a player's eyes.

    `value` is what the player thinks it worth: with `mcts` from 0 (lost) to 1
    (won), with `greedy` the margin over the rivals that the action ends with.
    `share` is how much of the thinking went into it; of `greedy`, 1 for its choice.
    """

    index: int
    value: float
    share: float


def ranked(player: object, match: Match) -> list[Advice]:
    """All options, the best first."""
    count = len(match.state.options)
    if isinstance(player, MctsPlayer):
        if count == 1:
            return [Advice(0, player.worth(match), 1.0)]
        found = player.search(match)
        tried, order = max(1, sum(found.visits)), list(match.order)
        return [
            Advice(order.index(option), found.mean(option), found.visits[option] / tried)
            for option in found.ranking
        ]
    if isinstance(player, GreedyPlayer):
        values = player.estimates(match)
        chosen = player.choose(match)
        advice = [Advice(n, value, float(n == chosen)) for n, value in enumerate(values)]
        return sorted(advice, key=lambda a: (-a.share, -a.value, a.index))
    raise UsageError(
        "D0704", "this player has no opinion about its options", "ask `greedy` or `mcts` for advice"
    )
