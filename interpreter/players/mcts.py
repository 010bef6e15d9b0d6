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
- **At the root** the budget goes to the options by sequential halving (Karnin, Koren and
  Somekh, 2013): in each round those that are left get as many iterations each, and the better half of
  them stays, until one is left. Further down the tree an option is picked by its upper bound (UCB).
- **Won and lost positions** are remembered as such where two rivals play with nothing hidden and no chance on the way
  (Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008): who can win does, and nobody goes where all is lost.
  Behind each new node it is looked whether one choice wins at once.
- **What the look-ahead of `greedy` says** of the options at the root is where the
  search starts from; what iterations find counts more and more.

The budget is a number of iterations, and the arithmetic is specified, so that a seed means the
same choice on every machine, and in machine code (native/search) as here. Figures are whole numbers, 2^20 is 1.
Fractions are IEEE doubles, and nothing is done with them but + - * / and the square root, in the written
order; x / sqrt(1 + x * x) brings a margin into bounds, and logarithms come from a table.
"""

from __future__ import annotations

import math
from contextlib import suppress
from decimal import Context, Decimal
from functools import cache, partial
from typing import Any

from attrs import frozen

from ..core.errors import PlayError
from ..core.randomness import Generator, hashed
from ..play.engine import Engine
from ..play.match import Match
from ..play.state import State
from .agreements import negotiated
from .base import PROBE, TRY, WORLD, asked, key_of
from .greedy import TRIALS, Moments, look_ahead, worlds_of
from .ledger import Ledger
from .machine import in_python, thinker
from .utility import Utility
from .worlds import Worlds

BUDGET = 200
EXPLORATION = 0.7
PATIENCE = 60
"""Decisions in one iteration, until the position is judged although the turns are not over."""
NEVER = 1 << 40
TRIALS_FOR_SCALE = 12
TO_THE_END = 2_000
"""Decisions until an iteration is given up that is played to the end of the match."""
PRIOR = 10.0
"""How many iterations the opinion of the look-ahead weighs as much as."""
ONE = 1 << 20
"""A won match, as a figure."""
MOST_NODES = 1 << 21
"""Choices that are kept in mind; the tree grows no further then."""
LOGARITHMS = 512
MOST_LOOKED_AT = 64
"""Options behind a new node of which each is looked at for a win; of more, none."""


class Node:
    """What is known about one choice."""

    __slots__ = ("visits", "total", "available", "tries", "prior", "proven", "kids", "secret")

    def __init__(self, prior: float = -1.0) -> None:
        self.visits = 0
        self.total = 0
        self.available = 0
        self.tries = 0
        self.prior = prior
        self.proven = 0  # 1: who chooses it wins, -1: loses
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


@frozen
class Found:
    """What a search has found, of each option of the state in order; `ranking` has the best first."""

    totals: list[int]
    visits: list[int]
    ranking: list[int]

    def mean(self, option: int) -> float:
        """From 0, lost, to 1, won."""
        return self.totals[option] / (self.visits[option] * ONE) if self.visits[option] else 0.0


class MctsPlayer:
    watches = True

    def __init__(self, seed: int, seat: int, budget: int = BUDGET, settings: Settings | None = None) -> None:
        self.key = key_of(seed, seat)
        self.seat = seat - 1
        self.budget = budget
        self.settings = settings or Settings()
        self.ledger: Ledger | None = None
        self.moments = Moments(self.seat)

    def choose(self, match: Match) -> int:
        if asked(match) == 1:
            return 0
        if match.state.pc in match.game.engine(match.players).talks:
            start = hashed(self.key, self.moments.of(match))
            return match.order.index(negotiated(worlds_of(self, match), self.seat, start))
        return match.order.index(self.search(match).ranking[0])

    def worth(self, match: Match) -> float:
        """What the position is worth where there is no choice."""
        start = hashed(self.key, self.moments.of(match))
        search = Search(worlds_of(self, match), self.seat, start, self.settings)
        return search.run(min(self.budget, TRIALS_FOR_SCALE)).mean(0)

    def search(self, match: Match) -> Found:
        start = hashed(self.key, self.moments.of(match))
        worlds, native = worlds_of(self, match), thinker(match)
        if native is not None:
            found = native.mcts(worlds, self.seat, start, TRIALS, self.budget, self.settings)
            if found is not None:
                return found
        with in_python(match):
            return found_by(worlds, self.seat, start, self.budget, self.settings)


def found_by(worlds: Worlds, seat: int, start: int, budget: int, settings: Settings) -> Found:
    search = Search(worlds, seat, start, settings)
    if settings.prior:
        totals, _ = look_ahead(worlds, seat, start, min(TRIALS, budget))
        search.believe(totals)
    return search.run(budget)


class Search:
    def __init__(self, worlds: Worlds, seat: int, start: int, settings: Settings) -> None:
        self.worlds = worlds
        self.seat = seat
        self.start = start
        self.settings = settings
        self.utility = Utility(worlds.bare)
        self.points = worlds.bare.points
        self.arms = [Node() for _ in worlds.match.state.options]
        self.generator = Generator(start)
        self.seats = range(worlds.bare.players)
        self.low, self.high = float(ONE), 0.0
        self.nodes = 0
        self.sealed: dict[Any, Node] = {}
        self.drawn: list[State] = []
        self.centre = [0.0 for _ in self.seats]
        self.scale = 1.0
        self.judged = True
        hidden = worlds.tokens or worlds.components or worlds.numbers or worlds.sealed
        self.solves = duel(worlds.bare) and not hidden
        self._set_scale()

    # ------------------------------------------------------------ figures
    def _set_scale(self) -> None:
        """How much positions vary, a few turns from here."""
        margins: list[list[float]] = []
        for number in range(TRIALS_FOR_SCALE):
            state = self._world(number).fork()
            self.generator = Generator(hashed(self.start, PROBE, number))
            with suppress(PlayError):
                self._play_on(state, state.I[1] + len(self.seats), self.settings.patience)
                if not state.over:
                    margins.append(self._margins(state))
        if margins:
            spread = 0.0
            for p in self.seats:
                total = 0.0
                for m in margins:
                    total += m[p]
                self.centre[p] = total / len(margins)
            for m in margins:
                for p in self.seats:
                    off = m[p] - self.centre[p]
                    spread += off * off
            self.scale = max(1e-6, 2.0 * math.sqrt(spread / (len(margins) * len(self.seats))))
            self.judged = spread > 0

    def _margins(self, state: State) -> list[float]:
        return [m / parts for m, parts in zip(self.utility.margins(state), self.utility.parts, strict=True)]

    def _world(self, number: int) -> State:
        while number >= len(self.drawn):
            self.drawn.append(self.worlds.draw(hashed(self.start, WORLD, len(self.drawn))))
        return self.drawn[number]

    def figures(self, state: State) -> list[int]:
        """For each seat a number from 0 to 2^20."""
        found = []
        for p, margin in enumerate(self._margins(state)):
            x = (margin - self.centre[p]) / self.scale
            s = x / math.sqrt(1.0 + x * x)
            if state.over:
                result = self.utility.result(state, p) / self.utility.shares[p]
                found.append(rounded(ONE * (0.5 + 0.45 * result + 0.05 * s)))
            else:
                found.append(rounded(ONE * (0.5 + 0.4 * s)))
        return found

    def believe(self, values: list[int]) -> None:
        """Opinions about the options at the root, of any scale."""
        low, high = min(values), max(values)
        for arm, value in zip(self.arms, values, strict=True):
            arm.prior = (value - low) / (high - low) if high > low else 0.5

    # ------------------------------------------------------------ the root
    def run(self, budget: int) -> Found:
        """Sequential halving: in every round the better half stays. The ranking is by how long an option
        stayed, then by how good it was."""
        arms = sorted(range(len(self.arms)), key=lambda n: -self.arms[n].prior)
        size = len(arms)
        while size > 2 and budget < 2 * size * _rounds(size):
            size = (size + 1) // 2
        out = arms[size:]
        del arms[size:]
        left = budget
        for rounds in range(_rounds(size), 0, -1):
            for _ in range(max(1, left // (len(arms) * rounds))):
                for arm in arms:
                    if left and not self.arms[arm].proven:
                        self._try(arm)
                        left -= 1
            arms.sort(key=lambda n: -self._blended(self.arms[n]))
            half = (len(arms) + 1) // 2
            out = arms[half:] + out
            del arms[half:]
        return Found([a.total for a in self.arms], [a.visits for a in self.arms], arms + out)

    def _blended(self, arm: Node) -> float:
        """What is thought of an option at the root: an opinion counts like some visits with that figure."""
        if arm.proven:
            return 2.0 if arm.proven > 0 else -1.0
        visits = arm.visits
        mean = self._mean(arm) if visits else 0.5
        if arm.prior < 0:
            return mean if visits else 0.0
        weight = self.settings.prior
        return (visits * mean + weight * arm.prior) / (visits + weight)

    def _mean(self, node: Node) -> float:
        """From 0 to 1, among the means that were found so far."""
        width = self.high - self.low
        return (node.total / node.visits - self.low) / width if width > 0.001 else 0.5

    # ------------------------------------------------------------ iterations
    def _try(self, index: int) -> None:
        """Every option at the root is tried in the same worlds, with the same luck, in the same order: then
        it is the options that make the difference."""
        arm = self.arms[index]
        number = arm.tries
        arm.tries += 1
        path = [(arm, self.seat)]
        self.generator = Generator(hashed(self.start, TRY, number))
        if self.worlds.sealed:
            pick = partial(self._secretly, self.sealed, path)
            state = self.worlds.draw(hashed(self.start, WORLD, number), pick)
        else:
            state = self._world(number).fork()
        with suppress(PlayError):  # a world that cannot be, as it turns out, teaches nothing
            self._iterate(state, index, path)

    def _iterate(self, state: State, index: int, path: list[tuple[Node, int]]) -> None:
        node = path[0][0]
        patience = self.settings.patience
        deepest = state.I[1] + self.settings.depth
        new = node.visits == 0
        luck = state.rng.state
        state.apply(index)
        while not new and not state.over and patience and state.I[1] < deepest and self.nodes < MOST_NODES:
            patience -= 1
            if len(state.options) == 1:
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
        if self.solves:
            if new and not state.over:
                state = self._won_at_once(state, node, path)
            if state.over and state.rng.state == luck:
                self._prove(state, path)
        if self.judged:
            self._play_on(state, state.I[1] + self.settings.turns, patience)
        else:
            self._play_on(state, NEVER, TO_THE_END)
        figures = self.figures(state)
        for kid, player in path:
            kid.visits += 1
            kid.total += figures[player]
            mean = kid.total / kid.visits
            if mean < self.low:
                self.low = mean
            if mean > self.high:
                self.high = mean

    def _won_at_once(self, state: State, node: Node, path: list[tuple[Node, int]]) -> State:
        """Behind a new node: the position in which who is asked has won with one choice, if there is one."""
        player, count = state.player, len(state.options)
        if count == 1 or count > MOST_LOOKED_AT:
            return state
        for index in range(count):
            twin = state.fork()
            with suppress(PlayError):
                twin.apply(index)
                if twin.over and self.utility.result(twin, player) > 0:
                    kid = node.kids[_key(state, index)] = Node()
                    self.nodes += 1
                    path.append((kid, player))
                    return twin
        return state

    def _prove(self, state: State, path: list[tuple[Node, int]]) -> None:
        """The match is over at the end of a path, without any chance on the way."""
        result = self.utility.result(state, path[-1][1])
        if not result:
            return
        path[-1][0].proven = 1 if result > 0 else -1
        for (kid, chooser), (parent, before) in zip(path[::-1], path[-2::-1], strict=False):
            if kid.proven != 1 and any(other.proven != -1 for other in parent.kids.values()):
                return
            found = 1 if kid.proven == 1 else -1
            parent.proven = found if chooser == before else -found

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
        """The option with the best figure, counting what is not known in its favour; any of those that
        were never tried before."""
        c = self.settings.exploration
        untried: list[tuple[int, Node]] = []
        mine: list[Node] = []
        for index in range(len(state.options)):
            key = _key(state, index)
            kid = kids.get(key)
            if kid is None:
                kid = kids[key] = Node()
                self.nodes += 1
            kid.available += 1
            mine.append(kid)
            if kid.visits == 0:
                untried.append((index, kid))
        for index, kid in enumerate(mine):
            if kid.proven > 0:
                return index, kid
        if untried:
            return untried[self.generator.one_of(len(untried))]
        best, picked = -1.0, 0
        for index, kid in enumerate(mine):
            if kid.proven:
                continue
            figure = self._mean(kid) + c * math.sqrt(logarithm(kid.available + 1) / kid.visits)
            if figure > best:
                best, picked = figure, index
        return picked, mine[picked]

    def _play_on(self, state: State, last_turn: int, patience: int) -> None:
        one_of = self.generator.one_of
        apply = state.apply
        while patience and not state.over and state.I[1] < last_turn:
            apply(one_of(len(state.options)))
            patience -= 1


def duel(engine: Engine) -> bool:
    """Do two rivals play, and is no choice made in secret?"""
    rivals = Utility(engine).rivals
    secret = any(point.private or point.sealed for point in engine.points.values())
    return len(rivals) == 2 and all(rivals) and not secret


def _rounds(arms: int) -> int:
    """How often a number of options must be halved until one is left; at least once."""
    return max(1, (arms - 1).bit_length())


def rounded(x: float) -> int:
    """To the nearest whole number, of two the even one; without the help of a library, as machine code does it."""
    return int((x + 4503599627370496.0) - 4503599627370496.0)


def logarithm(n: int) -> float:
    """Natural, from a table; of a large number as that of its first bits and twos."""
    shift = max(0, n.bit_length() - LOGARITHMS.bit_length() + 1)
    table = logarithms()
    return table[n >> shift] + shift * table[2]


@cache
def logarithms() -> list[float]:
    """Decimal arithmetic gives the same everywhere, as mathematical libraries do not."""
    context = Context(prec=25)
    return [0.0, *(float(Decimal(n).ln(context)) for n in range(1, LOGARITHMS))]


def _key(state: State, index: int) -> tuple[int, Any]:
    """What tells a choice from others behind one node."""
    value = state.options[index]
    return state.pc, tuple(value) if isinstance(value, list) else value
