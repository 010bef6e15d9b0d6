"""Best play from every position of a game in which nothing is hidden, for one side or two.

Positions are compared as the engine keeps them, so what was reached on two ways is
worked out once. Without luck, a branch that cannot matter any more is cut off
(alpha-beta); with luck, every outcome is weighed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import define

from ..core.errors import UsageError
from ..play.rivalry import rivals

if TYPE_CHECKING:
    from ..play.game import Game
    from ..play.state import State

LIMIT = 3_000_000
"""More positions than this are given up on."""

Value = Fraction | int
LOST, WON = -1, 1


@define
class Best:
    """What perfect play comes to for the first side: 1 won, 0 drawn, -1 lost, or between with luck."""

    value: Value
    positions: int
    first_moves: tuple[tuple[str, Value], ...]
    """Each first choice with what it comes to; none if luck comes first."""


def best_play(game: Game, players: int | None = None, *, limit: int = LIMIT) -> Best:
    """The value of a game for seat 1 and its partners; an error if there are too many positions."""
    traits = game.traits(players)
    if traits.hidden:
        raise UsageError("D0711", f"{game.name} hides things: it takes its whole tree to solve it")
    engine = game.engine(players)
    against = rivals(engine.layout)
    side = [1 if 0 not in against[p] else -1 for p in range(engine.players)]
    if any(len({side[q] for q in others}) > 1 for others in against):
        raise UsageError("D0711", f"{game.name} with {engine.players} players has more than two sides")
    search = _Search(game.name, side, limit)
    start = engine.new(settle=False)
    if start.over or start.player < 0:
        return Best(search.value(start, LOST, WON), len(search.known), ())
    match = game.start(players, chance="ask", watch=False)
    decision = match.decision
    assert decision is not None
    moves = tuple(
        (option.label, search.value(search.after(start, value), LOST, WON))
        for option, value in zip(decision.options, start.options, strict=True)
    )
    best = max if side[start.player] > 0 else min
    return Best(best(value for _, value in moves), len(search.known), moves)


class _Search:
    def __init__(self, name: str, side: list[int], limit: int) -> None:
        self.name, self.side, self.limit = name, side, limit
        self.known: dict[State, tuple[Value, Value]] = {}
        """Bounds on what a position is worth."""

    def after(self, state: State, value: object) -> State:
        twin = state.fork()
        twin.step(value)
        return twin

    def value(self, root: State, low: Value, high: Value) -> Value:
        """Of a position, or a bound that lies outside of `low` and `high`. A stack of its own: games are
        deeper than Python's."""
        returned: Value = 0
        stack = [_Frame(root, low, high)]
        while stack:
            frame = stack[-1]
            if not frame.opened:
                found = self._open(frame)
                if found is not None:
                    returned = found
                    stack.pop()
                    self._give(stack, returned)
                    continue
            if frame.place < len(frame.moves) and not frame.cut:
                stack.append(self._next(frame))
                continue
            returned = self._close(frame)
            stack.pop()
            self._give(stack, returned)
        return returned

    def _open(self, frame: _Frame) -> Value | None:
        state = frame.state
        frame.opened = True
        if state.over:
            return self._end(state)
        below, above = self.known.get(state, (LOST, WON))
        if below == above or below >= frame.high:
            return below
        if above <= frame.low:
            return above
        if len(self.known) >= self.limit:
            raise UsageError(
                "D0711",
                f"{self.name} is too large to be solved: more than {self.limit:,} positions",
                "try options that make the game smaller, or `--positions` for more",
            )
        frame.low, frame.high = max(frame.low, below), min(frame.high, above)
        frame.entered = frame.low, frame.high
        frame.moves = (
            [v for v, w in zip(state.options, state.weights, strict=True) if w > 0]
            if state.player < 0
            else list(state.options)
        )
        frame.weights = [w for w in state.weights if w > 0] if state.player < 0 else []
        frame.best = None
        return None

    def _next(self, frame: _Frame) -> _Frame:
        child = self.after(frame.state, frame.moves[frame.place])
        frame.place += 1
        return _Frame(child, LOST, WON) if frame.weights else _Frame(child, frame.low, frame.high)

    def _give(self, stack: list[_Frame], value: Value) -> None:
        if not stack:
            return
        frame = stack[-1]
        if frame.weights:
            weight = Fraction(frame.weights[frame.place - 1], sum(frame.weights))
            frame.best = (frame.best or 0) + weight * value
            return
        if self.side[frame.state.player] > 0:
            frame.best = value if frame.best is None else max(frame.best, value)
            frame.low = max(frame.low, frame.best)
        else:
            frame.best = value if frame.best is None else min(frame.best, value)
            frame.high = min(frame.high, frame.best)
        frame.cut = frame.low >= frame.high

    def _close(self, frame: _Frame) -> Value:
        assert frame.best is not None
        low, high = frame.entered
        below, above = self.known.get(frame.state, (LOST, WON))
        if frame.weights or low < frame.best < high:
            below = above = frame.best
        elif frame.best <= low:
            above = min(above, frame.best)
        else:
            below = max(below, frame.best)
        self.known[frame.state] = below, above
        return frame.best

    def _end(self, state: State) -> Value:
        seats = range(len(self.side))
        ours = any(state.winners >> p & 1 for p in seats if self.side[p] > 0)
        theirs = any(state.winners >> p & 1 for p in seats if self.side[p] < 0)
        if all(one > 0 for one in self.side):
            return WON if ours else LOST
        return int(ours) - int(theirs)


class _Frame:
    __slots__ = ("best", "cut", "entered", "high", "low", "moves", "opened", "place", "state", "weights")

    def __init__(self, state: State, low: Value, high: Value) -> None:
        self.state, self.low, self.high = state, low, high
        self.opened = self.cut = False
        self.place = 0
        self.entered = (low, high)
        self.moves: list[object] = []
        self.weights: list[int] = []
        self.best: Value | None = None
