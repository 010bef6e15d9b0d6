"""The whole tree of a small game: every history, with who knows what.

Nodes are kept in preorder: a node's children come behind it, the first one at once.
Decisions that a player cannot tell apart belong to one information set, which is what
the player has noticed so far (`match.information_state`). Copies are merged already, so an
outcome of chance is something that can be told from the others.
"""

from __future__ import annotations

from fractions import Fraction
from math import log10
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from ..core.errors import UsageError
from ..core.randomness import Generator

if TYPE_CHECKING:
    from ..play.game import Game
    from ..play.match import Match

LIMIT = 1_000_000
"""More nodes than this are not written down."""


@frozen
class Node:
    """`player` is a seat from 0, -1 at a chance point, -2 at an end. `moves` are the words of the
    branches, `chances` their probabilities, `children` where they lead. `infoset` counts from 0 for each player."""

    player: int
    moves: tuple[str, ...] = ()
    chances: tuple[Fraction, ...] = ()
    children: list[int] = Factory(list)
    infoset: int = -1
    payoffs: tuple[float, ...] = ()


CHANCE, END = -1, -2


@define
class Tree:
    title: str
    players: int
    nodes: list[Node] = Factory(list)
    infosets: list[list[str]] = Factory(list)
    """For each player the names of the information sets, by number."""
    by: str = "win"
    """What the payoffs count: who wins, or the scores."""
    noticed: list[set[tuple[Any, ...]]] = Factory(list)
    """For each player all events that can be noticed, if the tree was walked with `recall`."""
    longest: int = 0
    """Most events that anybody can have noticed in one history, likewise."""

    @property
    def ends(self) -> list[Node]:
        return [node for node in self.nodes if node.player == END]

    @property
    def zero_sum(self) -> bool:
        return all(abs(sum(node.payoffs)) < 1e-9 for node in self.nodes if node.player == END)

    @property
    def perfect(self) -> bool:
        """Does everybody always know where they are?"""
        decisions = sum(node.player >= 0 for node in self.nodes)
        return decisions == sum(map(len, self.infosets))

    def depth(self) -> int:
        """Most decisions in one history."""
        deepest = [0] * len(self.nodes)
        for number in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[number]
            below = max((deepest[child] for child in node.children), default=0)
            deepest[number] = below + (node.player >= 0)
        return deepest[0]


PROBES = 20


def estimated_nodes(game: Game, players: int | None = None) -> float:
    """The power of ten of the number of nodes: random histories, each as if all were as wide (Knuth's
    method); the middle one of them, which is cautious."""
    sizes = []
    engine = game.engine(players)
    for seed in range(PROBES):
        state, luck = engine.new(seed, settle=False), Generator(seed)
        size = 0.0
        while not state.over and size < TOO_MANY:
            if state.player < 0:
                possible = [v for v, w in zip(state.options, state.weights, strict=True) if w > 0]
            else:
                possible = list(state.options)
            size += log10(len(possible))
            state.step(possible[luck.below(len(possible))])
        sizes.append(size)
    return sorted(sizes)[PROBES // 2]


TOO_MANY = 100.0


def whole_tree(
    game: Game,
    players: int | None = None,
    *,
    limit: int = LIMIT,
    by: str | None = None,
    recall: bool = False,
) -> Tree:
    """Every history of a game; an error that says how far it came if there are more than `limit` nodes.

    `by` is "win" or "score"; without it, scores count if they add up to zero at every end. With `recall`
    the tree also knows what players can notice.
    """
    power = estimated_nodes(game, players)
    if power > log10(limit) + 1:
        about = f"about 10^{power:.0f}" if power < TOO_MANY else "more than 10^100"
        raise UsageError(
            "D0711",
            f"{game.name} is too large to be written down: {about} nodes, and the limit is {limit:,}",
            "try fewer players, or options that make the game smaller",
        )
    start = game.start(players, chance="ask")
    tree = Tree(game.name, start.players, infosets=[[] for _ in range(start.players)])
    tree.noticed = [set() for _ in range(start.players if recall else 0)]
    known: list[dict[str, int]] = [{} for _ in range(start.players)]
    scored: list[tuple[float, ...]] = []
    pending: list[tuple[Match, int]] = [(start, -1)]
    while pending:
        match, parent = pending.pop()
        if len(tree.nodes) >= limit:
            raise UsageError(
                "D0711",
                f"{game.name} is too large to be written down: more than {limit:,} nodes",
                "try fewer players, or options that make the game smaller",
            )
        if parent >= 0:
            tree.nodes[parent].children.append(len(tree.nodes))
        number = len(tree.nodes)
        if recall:
            for seat, seen in enumerate(tree.noticed, 1):
                events = match.observations(seat)
                seen.update(map(tuple, events))
                tree.longest = max(tree.longest, len(events))
        if match.over:
            tree.nodes.append(Node(END, payoffs=match.utilities("win")))
            scored.append(match.utilities("score") if match.scores else ())
            continue
        followers = []
        if (chance := match.chance) is not None:
            total = sum(weight for _, weight in chance.outcomes)
            tree.nodes.append(
                Node(
                    CHANCE,
                    tuple(outcome.label for outcome, _ in chance.outcomes),
                    tuple(Fraction(weight, total) for _, weight in chance.outcomes),
                )
            )
            for outcome, _ in chance.outcomes:
                twin = match.fork()
                twin.resolve(outcome)
                followers.append((twin, number))
        else:
            decision = match.decision
            assert decision is not None
            seat = decision.player - 1
            name = match.information_state(decision.player)
            if name not in known[seat]:
                known[seat][name] = len(known[seat])
                tree.infosets[seat].append(name)
            words = tuple(option.label for option in decision.options)
            tree.nodes.append(Node(seat, words, infoset=known[seat][name]))
            for index in range(len(words)):
                twin = match.fork()
                twin.choose(index)
                followers.append((twin, number))
        pending += reversed(followers)
    _count(tree, scored, by)
    return tree


def _count(tree: Tree, scored: list[tuple[float, ...]], by: str | None) -> None:
    """Put the payoffs in: scores where they are asked for, or always add up to zero."""
    if by is None:
        by = "score" if scored and all(scores and sum(scores) == 0 for scores in scored) else "win"
    tree.by = by
    if by == "score":
        if not all(scored):
            raise UsageError("D0704", f"{tree.title} has no score")
        ends = iter(scored)
        tree.nodes = [Node(END, payoffs=next(ends)) if node.player == END else node for node in tree.nodes]
