"""Two interpreters, one match: the reference and the generated code, decision by decision.

Both are started with the same seed, and given the same choices; wherever they
stand, they must tell the same. A difference is a mistake in one of them, and the
text of docs/language.md says in which.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.reference import ReferenceMatch

from ..playing import by_true_numbers, true_keys

LOOSE = {"D0903", "D0914"}
"""Too deep, or without end: where exactly it is noticed is no part of the language."""


SCORED_ONE_IN = 3
"""How many steps lie between two at which the scores are worked out: in go, that takes the reference a second."""


class Difference(AssertionError):
    pass


class Lockstep:
    """A match of both. `seeing` also compares what each seat sees and has noticed."""

    def __init__(self, game: Any, players: int, seed: int, *, seeing: bool = True) -> None:
        self.game, self.players, self.seed, self.seeing = game, players, seed, seeing
        self.steps: list[Any] = []
        self.mine: Any = None
        self.theirs: Any = None
        self.failed = False
        self.problem: Any = None
        self.told: dict[int | None, int] = {}  # how many observations of each viewer have been compared
        self.rows: dict[str, str] = {}
        self.copies = re.compile(r"\b\w+#\d+")
        self._both(
            lambda: self._begin_reference(),
            lambda: self._begin_engine(),
        )

    def _begin_reference(self) -> None:
        values = self.game._option_values
        self.mine = ReferenceMatch(self.game.checked, self.players, values, seed=self.seed, ask_chance=True)
        for name, things in self.mine.play.table.things.items():
            copied = len({thing.row for thing in things}) < len(things)
            for c, thing in enumerate(things):
                self.rows[f"{name}#{c + 1}"] = f"{name}~{thing.row}" if copied else f"{name}#{c + 1}"

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
        self.problem = found[0]
        if not self.failed:
            self.compare()

    # ------------------------------------------------------------ comparing
    def compare(self) -> None:
        mine, theirs = self.mine, self.theirs
        self.same("over", mine.over, theirs.over)
        if mine.over:
            self.same("winners", mine.winners, theirs.winners)
            self.same("reason", mine.reason, theirs.reason)
        if mine.over or len(self.steps) % SCORED_ONE_IN == self.seed % SCORED_ONE_IN:
            self.same("scores", _result(lambda: mine.scores), _result(lambda: true_scores(theirs)))
        asked, decision = mine.decision, theirs.decision
        self.same("is somebody asked", asked is not None, decision is not None)
        if asked is not None:
            self.same("who is asked", asked.player + 1, decision.player)
            self.same("options", asked.keys, true_keys(by_true_numbers(theirs)))
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
        """Views and observations; not who sees which score, which is worked out before play."""
        numbered = by_true_numbers(self.theirs)
        for viewer in (None, *range(1, self.players + 1)):
            mine, theirs = self.mine.view(viewer), numbered.view(viewer)
            for view in (mine, theirs):
                if view["decision"] is not None:  # a seat lists components by its own names for them
                    view["decision"]["options"] = sorted(view["decision"]["options"], key=repr)
            for part in {**mine, **theirs}.keys() - {"scores"}:
                self.same(f"{part} in the view of {viewer}", mine.get(part), theirs.get(part))
            told = self.told.get(viewer, 0)
            noticed = [
                [tuple(map(self.plain, event)) for event in match.observations(viewer)[told:]]
                for match in (self.mine, self.theirs)
            ]
            self.told[viewer] = told + len(noticed[0])
            if noticed[0] != noticed[1]:
                first = next(n for n, (a, b) in enumerate(zip_longest(*noticed)) if a != b)
                what = f"observation {told + first} of {viewer}"
                self.differ(what, *(part[first : first + 3] for part in noticed))

    def plain(self, value: Any) -> Any:
        """Copies of a component by what is printed on them, since each seat has names of its own for them."""
        if isinstance(value, str):
            return self.copies.sub(lambda found: self.rows.get(found[0], found[0]), value)
        if isinstance(value, dict):
            return sorted(((self.plain(k), self.plain(v)) for k, v in value.items()), key=repr)
        if isinstance(value, tuple | list):
            items = [self.plain(item) for item in value]
            return sorted(items, key=repr) if "~" in repr(items) else items
        return value

    # ------------------------------------------------------------ going on
    def choose(self, index: int) -> None:
        key = self.mine.decision.keys[index]
        self.steps.append(key)
        self._both(lambda: self.mine.choose(key), lambda: self.theirs.choose(self.theirs.index_in_log(key)))

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
        decisions = drawn = 0
        while not self.over and decisions < limit and drawn < 50 * limit:
            if self.mine.decision is None:
                drawn += 1
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


def play_both(game: Any, players: int, seed: int, limit: int = 200, *, seeing: bool = True) -> Lockstep:
    both = Lockstep(game, players, seed, seeing=seeing)
    both.play(limit, Random(seed))
    return both
