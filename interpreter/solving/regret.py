"""CFR+ on a whole tree: strategies of a two-player game from which neither gains by changing.

Each information set keeps a regret for each move: how much better it would have done, had
it always been taken. The next strategy takes moves in proportion to their positive
regrets; negative ones are forgotten at once, which is the plus. The two players take
turns, and later strategies weigh more in the average. What the average lacks to
perfection is measured, not estimated: the best answer to each side is worked out (`exploitability`).
"""

from __future__ import annotations

from attrs import define

from .trees import CHANCE, END, Tree

Strategy = list[list[list[float]]]
"""By player, information set and move."""


@define
class Solution:
    strategy: Strategy
    values: tuple[float, ...]
    exploitability: float
    iterations: int


class Regrets:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        widths = [[0] * len(sets) for sets in tree.infosets]
        for node in tree.nodes:
            if node.player >= 0:
                widths[node.player][node.infoset] = len(node.moves)
        self.regret: Strategy = [[[0.0] * w for w in row] for row in widths]
        self.total: Strategy = [[[0.0] * w for w in row] for row in widths]
        self.now: Strategy = [[[1 / w] * w for w in row] for row in widths]
        self.round = 0

    def go(self, rounds: int) -> None:
        """So many rounds more. In each, one player after the other learns."""
        for _ in range(rounds):
            self.round += 1
            for learner in range(self.tree.players):
                self._learn(learner)

    def _learn(self, learner: int) -> None:
        nodes, now = self.tree.nodes, self.now
        count = len(nodes)
        mine, others = [0.0] * count, [0.0] * count  # how likely each part of the players makes a node
        mine[0] = others[0] = 1.0
        for number, node in enumerate(nodes):
            if node.player == END:
                continue
            parts: tuple[float, ...] | list[float]
            if node.player == CHANCE:
                parts = [float(chance) for chance in node.chances]
            else:
                parts = now[node.player][node.infoset]
            for child, part in zip(node.children, parts, strict=True):
                own = node.player == learner
                mine[child] = mine[number] * (part if own else 1.0)
                others[child] = others[number] * (1.0 if own else part)
        worth = [0.0] * count
        regret, total = self.regret[learner], self.total[learner]
        change = [[0.0] * len(row) for row in regret]
        for number in range(count - 1, -1, -1):
            node = nodes[number]
            if node.player == END:
                worth[number] = node.payoffs[learner]
            elif node.player == CHANCE:
                worth[number] = sum(
                    float(p) * worth[c] for p, c in zip(node.chances, node.children, strict=True)
                )
            else:
                parts = now[node.player][node.infoset]
                here = worth[number] = sum(p * worth[c] for p, c in zip(parts, node.children, strict=True))
                if node.player == learner:
                    row, sums = change[node.infoset], total[node.infoset]
                    for move, child in enumerate(node.children):
                        row[move] += others[number] * (worth[child] - here)
                        sums[move] += self.round * mine[number] * parts[move]
        for infoset, row in enumerate(change):
            kept = regret[infoset] = [
                max(0.0, old + new) for old, new in zip(regret[infoset], row, strict=True)
            ]
            positive = sum(kept)
            now[learner][infoset] = (
                [value / positive for value in kept] if positive > 0 else [1 / len(kept)] * len(kept)
            )

    def average(self) -> Strategy:
        return [
            [[v / sum(row) for v in row] if sum(row) > 0 else [1 / len(row)] * len(row) for row in rows]
            for rows in self.total
        ]


def solve(tree: Tree, rounds: int) -> Solution:
    regrets = Regrets(tree)
    regrets.go(rounds)
    strategy = regrets.average()
    return Solution(strategy, values(tree, strategy), exploitability(tree, strategy), rounds)


def values(tree: Tree, strategy: Strategy) -> tuple[float, ...]:
    """What each player gets on average if all keep to a strategy."""
    out = [0.0] * tree.players
    for node, reach in zip(tree.nodes, _reach(tree, strategy), strict=True):
        if node.player == END:
            for seat, payoff in enumerate(node.payoffs):
                out[seat] += reach * payoff
    return tuple(out)


def _reach(tree: Tree, strategy: Strategy, without: int | None = None) -> list[float]:
    """How likely each node is; without the choices of one player."""
    reach = [0.0] * len(tree.nodes)
    reach[0] = 1.0
    for number, node in enumerate(tree.nodes):
        for move, child in enumerate(node.children):
            if node.player == CHANCE:
                part = float(node.chances[move])
            else:
                part = 1.0 if node.player == without else strategy[node.player][node.infoset][move]
            reach[child] = reach[number] * part
    return reach


def best_answer(tree: Tree, strategy: Strategy, seat: int) -> float:
    """What a player gets who knows the strategies of the others and answers as well as can be."""
    nodes, reach = tree.nodes, _reach(tree, strategy, without=seat)
    members: list[list[int]] = [[] for _ in tree.infosets[seat]]
    for number, node in enumerate(nodes):
        if node.player == seat:
            members[node.infoset].append(number)
    chosen: dict[int, int] = {}
    worth: list[float | None] = [None] * len(nodes)

    def value(root: int) -> float:
        """Of a node, weighed by how likely the others make it; without recursion: trees can be deep."""
        stack = [root]
        while stack:
            number = stack[-1]
            node = nodes[number]
            if worth[number] is not None:
                stack.pop()
                continue
            if node.player == END:
                worth[number] = reach[number] * node.payoffs[seat]
                continue
            if node.player == seat and node.infoset not in chosen:
                needed = [c for m in members[node.infoset] for c in nodes[m].children if worth[c] is None]
                if needed:
                    stack += needed
                    continue
                sums = [
                    sum(worth[nodes[m].children[move]] or 0.0 for m in members[node.infoset])
                    for move in range(len(node.moves))
                ]
                chosen[node.infoset] = sums.index(max(sums))
            wanted = [node.children[chosen[node.infoset]]] if node.player == seat else node.children
            missing = [c for c in wanted if worth[c] is None]
            if missing:
                stack += missing
            else:
                worth[number] = sum(worth[c] or 0.0 for c in wanted)
        found = worth[root]
        assert found is not None
        return found

    return value(0)


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """How much the players could gain by answering best, on average; 0 is perfect play."""
    own = values(tree, strategy)
    gains = [best_answer(tree, strategy, seat) - own[seat] for seat in range(tree.players)]
    return sum(gains) / tree.players
