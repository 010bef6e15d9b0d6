"""A player that searches: information-set Monte-Carlo tree search over the worlds of its seat.

Every iteration takes a world (worlds.py), walks down one tree that all worlds
share, adds a node, plays on a little at random, judges the position, and gives
what it found back to the nodes it came through. The tree is that of what the
searching seat can tell apart: a node stands for the choices made since the
root, not for a position. In one world an option may be there that is missing in
another; a node therefore counts how often each was available, and weighs them
by that (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search", 2012). Everybody maximises what the position is worth to themselves.

- **Forced decisions** are taken without a node.
- **Chance** is settled by the world, and not part of the tree: a node stands for
  all that chance may bring, in proportion.
- **Secret and simultaneous decisions** of others (behind a seal, or announced to
  nobody) must not be told apart by the tree, or the seat would answer what it
  cannot know. They are chosen like any other, from figures of their own at the
  node where they come up, but the walk then stays at that node.
- **The end of an iteration.** Random play to the end of a long game says little.
  So where the tree ends, the turn under way is finished and one more is played,
  and the position is judged by the value of the spec. Figures of positions are
  brought to the range from 0 to 1, with won and lost matches at the ends, by how
  much they vary around the root. Where nothing judges a position (no `value` and no
  `score`, or all positions a round from here are worth the same), it is played to the end.
- **Luck.** Every option at the root is tried in the same worlds, with the same
  luck, in the same order. Whether a hidden coin is worth one or three then makes
  no difference between the options; without this, search was no better than
  look-ahead in Drakon.
- **What the look-ahead of `greedy` says** of the options at the root is where the
  search starts from; what iterations find counts more and more.

The budget is a number of iterations, so that a seed means the same choice on
every machine, however slow.
"""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from attrs import frozen

from ..core.errors import PlayError
from ..play.match import Match
from ..play.state import State
from .base import asked, key_of
from .greedy import TRIALS, GreedyPlayer, moment, worlds_of
from .ledger import Ledger
from .utility import Utility
from .worlds import Worlds

BUDGET = 200
EXPLORATION = 0.7
PATIENCE = 60
"""Decisions in one iteration, until the position is judged although the turns are not over."""
NEVER = 1 << 60
TRIALS_FOR_SCALE = 12
TO_THE_END = 2_000
"""Decisions until an iteration is given up that is played to the end of the match."""
PRIOR = 10.0
"""How many iterations the opinion of the look-ahead weighs as much as."""


class Node:
    """What is known about one choice."""

    __slots__ = ("visits", "total", "available", "tries", "prior", "kids", "secret")

    def __init__(self, prior: float = 0.0) -> None:
        self.visits = 0
        self.total = 0.0
        self.available = 0
        self.tries = 0
        self.prior = prior
        self.kids: dict[Any, Node] = {}
        self.secret: dict[Any, Node] | None = None


@frozen
class Settings:
    """What can be tuned; the defaults are what `mcts` means."""

    exploration: float = EXPLORATION
    turns: int = 2  # how many turns are played on where the tree ends, the one under way included
    depth: int = 12  # how many turns deep the tree may become
    patience: int = PATIENCE
    prior: float = PRIOR


class MctsPlayer:
    watches = True

    def __init__(self, seed: int, seat: int, budget: int = BUDGET, settings: Settings | None = None) -> None:
        self.key = key_of(seed, seat)
        self.seat = seat - 1
        self.budget = budget
        self.settings = settings or Settings()
        self.ledger: Ledger | None = None
        self.greedy = GreedyPlayer(seed, seat)

    def choose(self, match: Match) -> int:
        if asked(match) == 1:
            return 0
        found = self.search(match)
        return max(range(len(found)), key=lambda n: (found[n][1], found[n][0]))

    def worth(self, match: Match) -> float:
        """What the position is worth where there is no choice."""
        search = Search(worlds_of(self, match), self.seat, self.key, self.settings)
        search.run(min(self.budget, TRIALS_FOR_SCALE))
        return search.root.total / max(1, search.root.visits)

    def search(self, match: Match) -> list[tuple[float, int]]:
        """For each option its mean figure and how often it was tried."""
        worlds = worlds_of(self, match)
        start = self.key ^ moment(match, self.seat)
        search = Search(worlds, self.seat, start, self.settings)
        options = [(match.state.pc, _hashable(value)) for value in match.offered]
        if self.settings.prior:
            search.believe(options, self.greedy.estimates(match, worlds, min(TRIALS, self.budget)))
        search.run(self.budget)
        kids = [search.root.kids.get(option, Node()) for option in options]
        return [(kid.total / kid.visits if kid.visits else 0.0, kid.visits) for kid in kids]


class Search:
    def __init__(self, worlds: Worlds, seat: int, start: int, settings: Settings) -> None:
        self.worlds = worlds
        self.seat = seat
        self.start = start
        self.settings = settings
        self.utility = Utility(worlds.bare)
        self.points = worlds.bare.points
        self.root = Node()
        self.rng = Random(start)
        self.seats = range(worlds.bare.players)
        self.low, self.high = 1.0, 0.0
        self.sealed: dict[Any, Node] = {}
        self.drawn: list[State] = []
        self.centre = [0.0 for _ in self.seats]
        self.scale = 1.0
        self.judged = True
        self._set_scale()

    # ------------------------------------------------------------ figures
    def _set_scale(self) -> None:
        """How much positions vary, a few turns from here."""
        margins: list[list[float]] = []
        for number in range(TRIALS_FOR_SCALE):
            state = self._world(number).fork()
            with suppress(PlayError):
                self._play_on(state, state.I[1] + len(self.seats), self.settings.patience)
            if not state.over:
                margins.append(self.utility.margins(state))
        if margins:
            self.centre = [sum(m[p] for m in margins) / len(margins) for p in self.seats]
            spread = sum((m[p] - self.centre[p]) ** 2 for m in margins for p in self.seats)
            self.scale = max(1e-6, 2 * math.sqrt(spread / (len(margins) * len(self.seats))))
            self.judged = spread > 0

    def _world(self, number: int) -> State:
        while number >= len(self.drawn):
            self.drawn.append(self.worlds.draw(self.start + len(self.drawn)))
        return self.drawn[number]

    def figures(self, state: State) -> list[float]:
        """For each seat a number from 0 to 1."""
        margins = self.utility.margins(state)
        spread = [math.tanh((m - c) / self.scale) for m, c in zip(margins, self.centre, strict=True)]
        if state.over:
            return [0.5 + 0.45 * self.utility.result(state, p) + 0.05 * spread[p] for p in self.seats]
        return [0.5 + 0.4 * s for s in spread]

    def believe(self, options: list[Any], values: list[float]) -> None:
        """Opinions about the options at the root, of any scale."""
        low, high = min(values), max(values)
        for option, value in zip(options, values, strict=True):
            share = (value - low) / (high - low) if high > low else 0.5
            self.root.kids[option] = Node(share)

    # ------------------------------------------------------------ iterations
    def run(self, budget: int) -> None:
        asked = self.worlds.match.state
        for _ in range(budget):
            index, kid = self._select(self.root.kids, asked)
            path = [(kid, self.seat)]
            state = self._try(kid.tries, path)
            kid.tries += 1
            with suppress(PlayError):  # a world that cannot be, as it turns out, teaches nothing
                self._iterate(state, index, path)

    def _try(self, number: int, path: list[tuple[Node, int]]) -> State:
        """Every option at the root is tried in the same worlds, with the same luck, in the same order: then
        it is the options that make the difference."""
        mix = (number + 1) * 0x9E3779B97F4A7C15 & (2**64 - 1)
        self.rng = Random(self.start ^ mix)
        if self.worlds.sealed:
            return self.worlds.draw(self.start + number, partial(self._secretly, self.sealed, path))
        state = self._world(number).fork()
        state.rng.state ^= mix
        return state

    def _iterate(self, state: State, index: int, path: list[tuple[Node, int]]) -> None:
        node = path[0][0]
        patience = self.settings.patience
        deepest = state.I[1] + self.settings.depth
        new = node.visits == 0
        state.apply(index)
        while not new and not state.over and patience and state.I[1] < deepest:
            options = state.options
            patience -= 1
            if len(options) == 1:
                state.apply(0)
                continue
            player = state.player
            if player != self.seat and self._is_secret(state):
                if node.secret is None:
                    node.secret = {}
                state.apply(self._secretly(node.secret, path, state))
                continue
            index, kid = self._select(node.kids, state)
            path.append((kid, player))
            state.apply(index)
            node = kid
            new = kid.visits == 0
        if self.judged:
            self._play_on(state, state.I[1] + self.settings.turns, patience)
        else:
            self._play_on(state, NEVER, TO_THE_END)
        figures = self.figures(state)
        self.root.visits += 1
        self.root.total += figures[self.seat]
        for kid, player in path:
            kid.visits += 1
            kid.total += figures[player]
            mean = kid.total / kid.visits
            if mean < self.low:
                self.low = mean
            if mean > self.high:
                self.high = mean

    def _is_secret(self, state: State) -> bool:
        point = self.points[state.pc]
        return bool(point.private or point.sealed or state.sealed is not None)

    def _secretly(self, kids: dict[Any, Node], path: list[tuple[Node, int]], state: State) -> int:
        if len(state.options) == 1:
            return 0
        index, kid = self._select(kids, state)
        path.append((kid, state.player))
        return index

    def _select(self, kids: dict[Any, Node], state: State) -> tuple[int, Node]:
        """The option with the best figure, counting what is not known in its favour."""
        pc, c = state.pc, self.settings.exploration
        weight = self.settings.prior
        width = self.high - self.low
        best = -1.0
        untried: list[tuple[int, Node]] = []
        mine: list[tuple[int, Node]] = []
        for index, value in enumerate(state.options):
            key = (pc, value) if type(value) is int else (pc, _hashable(value))
            kid = kids.get(key)
            if kid is None:
                kid = kids[key] = Node(-1.0)
            kid.available += 1
            mine.append((index, kid))
            if kid.visits == 0 and kid.prior < 0:
                untried.append((index, kid))
        if untried:
            return untried[int(self.rng.random() * len(untried))]
        picked = mine[0]
        for index, kid in mine:
            visits = kid.visits
            if kid.prior >= 0:  # an opinion counts like some visits with that figure
                mean = kid.total / visits if visits else 0.0
                mean = (mean - self.low) / width if width > 1e-9 and visits else 0.5
                figure = (mean * visits + kid.prior * weight) / (visits + weight)
                visits += 1
            else:
                mean = kid.total / visits
                figure = (mean - self.low) / width if width > 1e-9 else 0.5
            figure += c * math.sqrt(math.log(kid.available + 1) / visits)
            if figure > best:
                best, picked = figure, (index, kid)
        return picked

    def _play_on(self, state: State, last_turn: int, patience: int) -> None:
        random = self.rng.random
        apply = state.apply
        while patience and not state.over and state.I[1] < last_turn:
            apply(int(random() * len(state.options)))
            patience -= 1


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
