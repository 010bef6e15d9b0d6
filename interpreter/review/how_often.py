"""How often a statement can be done in a match, at most.

Phases are done once; `repeat up to 3` and `for p in players` multiply; turns,
rounds, triggers, actions that are offered again and rules that call themselves
have no bound. Estimates from above, for checks that would otherwise see a
problem where a glance shows that there is none.
"""

from __future__ import annotations

import math
from typing import Any

from ..check.constants import Constants, NotConstant
from ..core import (
    CallRule,
    CheckedGame,
    Ex,
    For,
    May,
    Offer,
    Repeat,
    Rounds,
    RuleDecl,
    St,
    Together,
    Turns,
    applies,
    bodies,
)
from ..core import value_types as t
from ..core.errors import SpecError
from .trees import statements


class HowOften:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self._rules: dict[str, float] = {}
        self._open: set[str] = set()
        self._inside: dict[int, float] = {}
        self._calls: dict[str, list[tuple[RuleDecl, St]]] = {}
        for procedure in (*game.phases, *game.rules.values(), *game.triggers.values()):
            self._multiply(procedure.body, 1)
            for st in statements(procedure.body):
                for name in _called(game, st):
                    self._calls.setdefault(name, []).append((procedure, st))

    def times(self, procedure: RuleDecl, st: St) -> float:
        """How often this statement of a procedure is done in a match."""
        return self._inside[id(st)] * self._procedure(procedure)

    def _procedure(self, procedure: RuleDecl) -> float:
        if procedure.kind == "phase":
            return 1
        if procedure.kind == "trigger" or procedure.name in self._open:
            return math.inf
        if procedure.name not in self._rules:
            self._open.add(procedure.name)
            self._rules[procedure.name] = sum(
                self.times(caller, st) for caller, st in self._calls.get(procedure.name, ())
            )
            self._open.discard(procedure.name)
        return self._rules[procedure.name]

    def _multiply(self, body: tuple[St, ...], times: float) -> None:
        for st in body:
            self._inside[id(st)] = times
            inner = times * self._passes(st)
            otherwise = getattr(st, "orelse", None)
            for part in bodies(st):
                self._multiply(part, times if part is otherwise else inner)

    def _passes(self, st: St) -> float:
        if isinstance(st, Turns | Rounds):
            return math.inf
        if isinstance(st, Repeat):
            return highest(st.limit) if st.limit is not None else math.inf
        if isinstance(st, For | Together):
            return math.prod(
                self._size(gen.domain) for gen in (st.gens if isinstance(st, For) else (st.gen,))
            )
        return 1

    def _size(self, domain: Ex) -> float:
        """How many values there are at most."""
        type_: Any = domain.type
        of = getattr(type_, "of", None)
        if applies(domain, "range"):
            low, high = domain.args
            return max(0, highest(high) - (low.type.low if isinstance(low.type, t.Num) else -math.inf) + 1)
        if applies(domain, "set"):
            return len(domain.args)
        if isinstance(of, t.Player):
            return max(self.game.players, default=math.inf)
        if isinstance(of, t.Kind) and of.name in self.game.kinds:
            return len(self.game.kinds[of.name].values)
        if isinstance(of, t.Space) and of.of in self.game.places:
            place = self.game.places[of.of]
            sides = [s for s in (place.width, place.height) if s is not None]
            return math.prod(highest(side) for side in sides) if sides else math.inf
        return math.inf


def highest(ex: Ex) -> float:
    """The highest that a number can be."""
    return ex.type.high if isinstance(ex.type, t.Num) and ex.type.high < t.MANY else math.inf


def supply(game: CheckedGame, of: str) -> int:
    """How many components or tokens of a sort there are, at the lowest number of players."""
    from ..check.options import option_values

    try:
        constants = Constants(game, min(game.players), option_values(game, {}))
        if of in game.tokens:
            return sum(constants.evaluate(amount) for amount in game.tokens[of].amounts)
        component = game.components[of]
        if component.rows:
            return sum(n if isinstance(n, int) else constants.evaluate(n) for _, n in component.rows)
        return constants.evaluate(component.count) if component.count is not None else 1
    except (NotConstant, SpecError, KeyError):
        return 0


def _called(game: CheckedGame, st: St) -> list[str]:
    if isinstance(st, CallRule):
        return [str(st.rule)]
    if isinstance(st, Offer | May):
        menu = game.menus.get(st.offering.menu, []) if st.offering.menu else []
        return [*menu, *(case.action for case in st.offering.cases if case.action is not None)]
    return []
