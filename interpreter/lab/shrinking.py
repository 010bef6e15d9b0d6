"""The shortest game that fails in the same way.

A failure comes with the steps that led to it, mostly a long and winding way.
Steps are left out in larger and smaller chunks, and what is left is played
again: a step that no longer fits is dropped, or something else is done until it
fits. What still fails in the same way, and is shorter, is the new way (delta
debugging, with replay that does not insist). Then every step is replaced by an
earlier option if that does not lengthen it; and a search by breadth tries all
shorter games, as far as that is feasible, so that often it is certain that none
is shorter.

Tried first of all: fewer players, and options as they usually are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from ..play.engine import Engine
from ..play.state import State
from .fuzzing import EXPIRE, Failed, Failure, Setting, Signature, Step, Walk, signature

BUDGET = 4000
"""Games, or parts of games, that may be replayed to make one failure shorter."""
WIDTH = 30_000
"""Steps that the search by breadth may take."""


@frozen
class Shrunk:
    """A failure made shorter; `shortest`: all shorter games have been tried."""

    failure: Failure
    original: Failure
    shortest: bool


def shrink(failure: Failure, simpler: Sequence[Setting] = (), budget: int = BUDGET) -> Shrunk:
    """`simpler` are other settings in which the same may go wrong, the simplest first."""
    if not failure.steps:
        return Shrunk(failure, failure, True)
    if failure.by_itself:
        budget //= 20  # each of them is a long one
    found = failure
    for setting in simpler:
        moved = _elsewhere(failure, setting)
        if moved is not None:
            found = moved
            break
    shrinker = _Shrinker(found, budget)
    shrinker.run()
    shortest = shrinker.search()
    return Shrunk(shrinker.failure, failure, shortest)


class _Shrinker:
    def __init__(self, failure: Failure, budget: int) -> None:
        self.engine = failure.setting.engine
        self.wanted = failure.signature
        self.failure = failure
        self.budget = budget
        self.walks: list[Walk] = []
        self.ranks: list[int] = []
        self.adopt(failure)

    def adopt(self, failure: Failure) -> None:
        """A shorter way; the positions on it are kept to start from."""
        self.failure = failure
        self.walks, self.ranks = [], []
        walk = Walk.begin(self.engine)
        for number, (_, value) in enumerate(failure.steps):
            self.walks.append(walk.fork())
            self.ranks.append(_rank(walk.state, value))
            if number < len(failure.steps) - 1:
                walk.take(value)

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.failure.steps

    # ------------------------------------------------------------ leaving out
    def run(self) -> None:
        changed = True
        while changed and self.budget > 0:
            changed = self._leave_out()
            changed = self._simplify() or changed

    def _leave_out(self) -> bool:
        changed = False
        size = max(1, len(self.steps) // 2)
        while size:
            start = 0
            while start < len(self.steps):
                rest = self.steps[start + size :]
                if any(self._try(start, rest, mode, len(self.steps) - 1) for mode in (_drop, _fill)):
                    changed = True
                else:
                    start += size
            size //= 2
        return changed

    def _simplify(self) -> bool:
        """The first option instead of a later one, wherever that will do."""
        changed = False
        for number in range(len(self.steps)):
            if number >= len(self.steps):
                break
            pc, value = self.steps[number]
            options = list(self.walks[number].state.options)
            if value is EXPIRE or value not in options:
                continue
            for other in options[: min(options.index(value), 3)]:
                rest = ((pc, other), *self.steps[number + 1 :])
                if self._try(number, rest, _drop, len(self.steps)):
                    changed = True
                    break
        return changed

    def _try(self, start: int, rest: Sequence[Step], mode: Mode, most: int) -> bool:
        if self.budget <= 0 or start >= len(self.walks):
            return False
        self.budget -= 1
        done = list(self.steps[:start])
        ranks = self.ranks[:start]
        if not _follow(self.walks[start].fork(), done, ranks, rest, mode, most, self.wanted):
            return False
        if (len(done), sum(ranks)) >= (len(self.steps), sum(self.ranks)):
            return False
        self.adopt(self._failure(done))
        return True

    def _failure(self, steps: Sequence[Step]) -> Failure:
        failure = _fails(self.failure.setting, steps)
        assert failure is not None and failure.signature == self.wanted
        return failure

    # ------------------------------------------------------------ all shorter games
    def search(self) -> bool:
        """Try every game with fewer steps, breadth first. True if there is none that fails, or the
        shortest was found; False if there are too many."""
        left = WIDTH
        seen: set[Any] = set()
        level: list[tuple[Walk, tuple[Step, ...]]] = [(Walk.begin(self.engine), ())]
        for _ in range(len(self.steps) - 1):
            following: list[tuple[Walk, tuple[Step, ...]]] = []
            for walk, steps in level:
                state = walk.state
                if state.over:
                    continue
                left -= len(state.options)
                if left < 0:
                    return False
                for value in _all_ways(state):
                    twin = walk.fork()
                    way = (*steps, (state.pc, value))
                    try:
                        twin.take(value)
                    except Failed as failed:
                        if signature(failed.error) == self.wanted:
                            self.adopt(self._failure(way))
                            return True
                        continue
                    key = hash(twin.state.key())
                    if key not in seen:
                        seen.add(key)
                        following.append((twin, way))
            level = following
        return True


def _all_ways(state: State) -> list[Any]:
    if state.player < 0:
        return [v for v, weight in zip(state.options, state.weights, strict=True) if weight]
    return [*state.options, EXPIRE] if state.fork().expire() else list(state.options)


def _fails(setting: Setting, steps: Sequence[Step]) -> Failure | None:
    """The failure at the end of these steps."""
    try:
        walk = Walk.begin(setting.engine)
        for _, value in steps:
            walk.take(value)
    except Failed as failed:
        return Failure(setting, failed.error, tuple(steps), failed.scoring)
    return None


# ---------------------------------------------------------------- replay that does not insist
Mode = Callable[[State, list[Step]], Any]


def _fits(state: State, step: Step) -> bool:
    pc, value = step
    return pc == state.pc and (value is EXPIRE or value in state.options)


def _drop(state: State, rest: list[Step]) -> Any:
    """The next step that fits; those before it are forgotten. Else whatever comes first."""
    for number, step in enumerate(rest):
        if _fits(state, step):
            del rest[: number + 1]
            return step[1]
    return _first(state)


def _fill(state: State, rest: list[Step]) -> Any:
    """The next step if it fits; else whatever comes first, and it waits."""
    if rest and _fits(state, rest[0]):
        return rest.pop(0)[1]
    return _first(state)


def _first(state: State) -> Any:
    if state.player >= 0:
        return state.options[0]
    return next(v for v, weight in zip(state.options, state.weights, strict=True) if weight)


def _rank(state: State, value: Any) -> int:
    """Which of the options a step takes: the first ones are the simplest."""
    return len(state.options) if value is EXPIRE else list(state.options).index(value)


def _follow(
    walk: Walk,
    done: list[Step],
    ranks: list[int],
    rest: Sequence[Step],
    mode: Mode,
    most: int,
    wanted: Signature,
) -> bool:
    """Go on from a position, by the rest of a way, and add to what was done. Does it fail as wanted, in time?"""
    state, hints = walk.state, list(rest)
    while len(done) < most and not state.over:
        value = mode(state, hints)
        if value is EXPIRE and not state.fork().expire():
            value = _first(state)
        done.append((state.pc, value))
        ranks.append(_rank(state, value))
        try:
            walk.take(value)
        except Failed as failed:
            return signature(failed.error) == wanted
    return False


# ---------------------------------------------------------------- in another setting
def _elsewhere(failure: Failure, setting: Setting) -> Failure | None:
    """The same mistake in a simpler setting, by choices that read the same."""
    try:
        here, there = Walk.begin(failure.setting.engine), Walk.begin(setting.engine)
    except Exception:
        return None
    names = []
    for _, value in failure.steps:
        names.append(_name(here.state, value))
        try:
            here.take(value)
        except Failed:
            break
    for patient in (False, True):
        found = _by_names(there.fork(), list(names), setting, failure, patient)
        if found is not None:
            return found
    return None


def _by_names(
    walk: Walk, names: list[Any], setting: Setting, failure: Failure, patient: bool
) -> Failure | None:
    state = walk.state
    steps: list[Step] = []
    while not state.over and len(steps) < 2 * len(failure.steps) + 20:
        offered = {_name(state, value): value for value in _all_ways(state)}
        value = _first(state)
        reach = names[:1] if patient else names
        for number, name in enumerate(reach):
            if name in offered:
                value = offered[name]
                del names[: number + 1]
                break
        steps.append((state.pc, value))
        try:
            walk.take(value)
        except Failed as failed:
            if signature(failed.error) == failure.signature:
                return Failure(setting, failed.error, tuple(steps), failed.scoring)
            return None
    return None


def _name(state: State, value: Any) -> Any:
    """What a step means, whatever the number of players."""
    if value is EXPIRE:
        return EXPIRE
    engine: Engine = state.engine
    values = engine.watcher.values
    if state.player < 0:
        return "chance", values.encode(value, engine.generated.chances[state.pc])
    point = engine.points[state.pc]
    return point.rule, point.span.start, values.option_key(point, value)
