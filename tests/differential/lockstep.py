"""Two interpreters, one match: the reference and the generated code, decision by decision.

Both are started with the same seed, and given the same choices; wherever they
stand, they must tell the same. A difference is a mistake in one of them, and the
text of docs/language.md says in which.
"""

from __future__ import annotations

from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.reference import ReferenceMatch

LOOSE = {"D0903", "D0914"}
"""Too deep, or without end: where exactly it is noticed is no part of the language."""


class Difference(AssertionError):
    pass


class Lockstep:
    """A match of both. `seeing` also compares what each seat sees and has noticed."""

    def __init__(self, game: Any, players: int, seed: int, *, seeing: bool = False) -> None:
        self.game, self.players, self.seed, self.seeing = game, players, seed, seeing
        self.steps: list[Any] = []
        self.mine: Any = None
        self.theirs: Any = None
        self.failed = False
        self._both(
            lambda: self._begin_reference(),
            lambda: self._begin_engine(),
        )

    def _begin_reference(self) -> None:
        values = self.game._option_values
        self.mine = ReferenceMatch(self.game.checked, self.players, values, seed=self.seed, ask_chance=True)

    def _begin_engine(self) -> None:
        self.theirs = self.game.start(self.players, seed=self.seed, chance="ask")

    @property
    def over(self) -> bool:
        return self.failed or bool(self.mine.over)

    def differ(self, what: str, mine: Any, theirs: Any) -> None:
        raise Difference(
            f"{what} after {self.steps}\n  reference: {mine!r}\n  generated: {theirs!r}\n"
            f"  {self.game.spec} {self.game.variants} {self.players} players, seed {self.seed}"
        )

    def same(self, what: str, mine: Any, theirs: Any) -> None:
        if mine != theirs:
            self.differ(what, mine, theirs)

    def _both(self, mine: Any, theirs: Any) -> None:
        """Do something in both; an error must be the same error."""
        found = [_problem(work) for work in (mine, theirs)]
        if found[0] is not None and found[1] is not None and found[0][0] in LOOSE:
            found = [problem[:1] for problem in found if problem is not None]
        self.same("error", *found)
        self.failed = found[0] is not None
        if not self.failed:
            self.compare()

    # ------------------------------------------------------------ comparing
    def compare(self) -> None:
        mine, theirs = self.mine, self.theirs
        self.same("over", mine.over, theirs.over)
        if mine.over:
            self.same("winners", mine.winners, theirs.winners)
            self.same("reason", mine.reason, theirs.reason)
        self.same("scores", _result(lambda: mine.scores), _result(lambda: true_scores(theirs)))
        asked, decision = mine.decision, theirs.decision
        self.same("is somebody asked", asked is not None, decision is not None)
        if asked is not None:
            self.same("who is asked", asked.player + 1, decision.player)
            self.same("options", asked.keys, true_keys(theirs))
            self.same("prompt", asked.prompt, decision.prompt)
            self.same(
                "where", (asked.rule, asked.span, asked.name), (decision.rule, decision.span, decision.name)
            )
            self.same("place in its group", (asked.first, asked.last), (decision.first, decision.last))
            self.same("cell", asked.cell, decision.cell)
        elif not mine.over:
            self._compare_chance()
        if self.seeing:
            self._compare_seeing()

    def _compare_chance(self) -> None:
        from dragonrules.interpreter.reference.names import key_of_value

        drawn, state = self.mine.chance, self.theirs.state
        type_ = state.engine.generated.chances[state.pc]
        values = state.engine.watcher.values
        mine = [key_of_value(self.mine.play, v, drawn.type) for v in drawn.values]
        self.same("outcomes of chance", mine, [values.encode(v, type_) for v in state.options])
        self.same("weights", drawn.weights, list(state.weights))

    def _compare_seeing(self) -> None:
        for seat in range(1, self.players + 1):
            mine, theirs = self.mine.view(seat), by_true_numbers(self.theirs).view(seat)
            for part in {**mine, **theirs}:
                self.same(f"{part} in the view of seat {seat}", mine.get(part), theirs.get(part))
            mine, theirs = (
                tuple(blurred(self.theirs, event) for event in match.observations(seat))
                for match in (self.mine, self.theirs)
            )
            if mine != theirs:
                first = next(
                    (n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b),
                    min(len(mine), len(theirs)),
                )
                self.differ(f"observation {first} of seat {seat}", mine[first:][:3], theirs[first:][:3])

    # ------------------------------------------------------------ going on
    def choose(self, index: int) -> None:
        key = true_keys(self.theirs)[index]
        self.steps.append(key)
        self._both(lambda: self.mine.choose(key), lambda: self.theirs.choose(index))

    def settle(self) -> None:
        """What the seed says, by the reference."""
        drawn = self.mine.chance
        value = self.mine.generator.settle(drawn.values, drawn.weights)
        index = drawn.values.index(value)
        brought = self.theirs.state.options[index]
        self.steps.append(("chance", brought))
        self._both(lambda: self.mine.bring(index), lambda: self.theirs.bring(brought))

    def expire(self) -> None:
        self.steps.append("expire")
        self._both(self.mine.expire, self.theirs.expire)

    def play(self, limit: int, random: Random) -> None:
        """To the end, or so many decisions, at random; now and then time runs out."""
        decisions = 0
        while not self.over and decisions < limit:
            if self.mine.decision is None:
                self.settle()
            elif self.mine.play.clocks and random.randrange(12) == 0:
                self.expire()
            else:
                decisions += 1
                self.choose(random.randrange(len(self.mine.decision.keys)))


def _problem(work: Any) -> Any:
    try:
        work()
    except dr.PlayError as error:
        return error.diagnostic.code, error.diagnostic.span, error.diagnostic.message
    except RecursionError:
        return ("D0903",)
    return None


def true_keys(match: Any) -> list[Any]:
    """The keys of the options with the true numbers of components, where a seat has names of its own."""
    state = match.state
    return [state.engine.watcher.values.option_key(match._point, v) for v in state.options]


def by_true_numbers(match: Any) -> Any:
    """A match that calls copies by their numbers, not by the handles of a seat."""
    twin = match.fork()
    twin.state.names = None
    return twin


def blurred(match: Any, said: Any) -> Any:
    """What was said, with copies of a component by what is printed on them: the reference has no handles."""
    if isinstance(said, tuple):
        return tuple(blurred(match, part) for part in said)
    handles = match.state.engine.watcher.handles
    parts = handles.spelled.get(said) if isinstance(said, str) else None
    if parts is None:
        return said
    return "".join(p if isinstance(p, str) else f"{p[0]} of row {handles.row_of[p[2]]}" for p in parts)


def true_scores(match: Any) -> dict[int, int]:
    """The scores of an engine's match, also those that nobody knows yet."""
    state = match.state
    if "d_score" not in state.engine.namespace:
        return {}
    return {p + 1: int(state.engine.work_out(state, "d_score", p)) for p in range(match.players)}


def _result(work: Any) -> Any:
    try:
        return work()
    except dr.PlayError as error:
        return error.diagnostic.code, error.diagnostic.span


def play_both(game: Any, players: int, seed: int, limit: int = 200, *, seeing: bool = False) -> Lockstep:
    both = Lockstep(game, players, seed, seeing=seeing)
    both.play(limit, Random(seed))
    return both
