"""What a back end can work out while it writes code: its own arithmetic, on the numbers of states.

Constants of the rules are worked out by the reference interpreter (check/constants.py). What
is folded into code must not be: the reference is what this code is held against, so here a
mistake of either would show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...check.constants import DividedByZero, NotConstant, OutOfRange
from ...core import (
    OPERATORS,
    And,
    Apply,
    CallDefine,
    CheckedGame,
    Conditional,
    Const,
    Ex,
    Gen,
    InRange,
    Local,
    Lookup,
    Option,
    Or,
    Reduction,
    Universe,
    applies,
)
from ...core import value_types as t
from ...core.errors import SpecError
from ..layout import Layout

_REDUCED: dict[str, Any] = {
    "sum": sum,
    "count": lambda values: sum(1 for _ in values),
    "max": lambda values: max(values, default=0),
    "min": lambda values: min(values, default=0),
    "any": any,
    "every": all,
    "none": lambda values: not any(values),
}


class Folding:
    """For one number of players and one set of options."""

    def __init__(self, game: CheckedGame, players: int, options: dict[str, int]) -> None:
        self.game = game
        self.players = players
        self.options = options
        self._called: dict[tuple[str, tuple[int, ...]], int] = {}

    def evaluate(self, ex: Ex, env: dict[str, int] | None = None) -> int:
        env = env or {}
        match ex:
            case Const():
                return int(ex.value)
            case Local() if ex.var.uid in env:
                return env[ex.var.uid]
            case Option():
                return self.options[ex.name]
            case Apply(op="player_count"):
                return self.players
            case Conditional():
                condition, first, second = (ex.condition, ex.then, ex.otherwise)
                return self.evaluate(first if self.evaluate(condition, env) else second, env)
            case And():
                return int(all(self.evaluate(a, env) for a in (ex.left, ex.right)))
            case Or():
                return int(any(self.evaluate(a, env) for a in (ex.left, ex.right)))
            case Apply(op="as_set"):
                return self.evaluate(ex.args[0], env)
            case Universe() if not isinstance(ex.of, t.Kind):
                raise NotConstant(ex.span)
            case Universe() | Apply(op="set" | "range" | "players"):
                return sum(1 << v for v in self.members(ex, env) if v >= 0)
            case InRange():
                value = self.evaluate(ex.of, env)
                low, high = (ex.low, ex.high)
                if not (value == -1 and isinstance(ex.type, t.Opt)):
                    self._require(ex, value, low, high)
                return value
            case Apply(op="in"):
                return int(self.evaluate(ex.args[0], env) in self.members(ex.args[1], env))
            case Apply(op="eq" | "ne") if isinstance(ex.args[0].type, t.SetOf):
                left, right = (set(self.members(a, env)) for a in ex.args)
                return int((left == right) == (applies(ex, "eq")))
            case Apply(op="player"):
                number = self.evaluate(ex.args[0], env)
                self._require(ex, number, 1, self.players)
                return number - 1
            case Apply(op="div"):
                a, b = (self.evaluate(x, env) for x in ex.args)
                if b == 0:
                    raise DividedByZero(ex.span)
                return a // b
            case Reduction() if ex.kind in _REDUCED and ex.while_ is None:
                runs = self._runs(ex.gens, env)
                return int(_REDUCED[ex.kind](self.evaluate(ex.value, inner) for inner in runs))
            case Lookup():
                key = tuple(self.evaluate(a, env) for a in ex.args)
                return int(dict(ex.table.rows)[key])
            case CallDefine() if not ex.define.uses_me:
                return self._call(ex, tuple(self.evaluate(a, env) for a in ex.args))
        fold = OPERATORS[ex.op].fold if isinstance(ex, Apply) else None
        if isinstance(ex, Apply) and fold is not None:
            return int(fold(*(self.evaluate(a, env) for a in ex.args)))
        raise NotConstant(ex.span)

    def _call(self, ex: CallDefine, args: tuple[int, ...]) -> int:
        """Each definition once for the same arguments: many may ask for it."""
        key = (ex.define.name, args)
        if key not in self._called:
            inner = {p.uid: value for p, value in zip(ex.define.params, args, strict=True)}
            self._called[key] = self.evaluate(ex.define.body, inner)
        return self._called[key]

    def _require(self, ex: Ex, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise OutOfRange(ex.span, value, low, high)

    def members(self, ex: Ex, env: dict[str, int] | None = None) -> list[int]:
        """The elements of a set."""
        env = env or {}
        match ex:
            case Apply(op="as_set"):
                return self.members(ex.args[0], env)
            case Apply(op="set"):
                return sorted({self.evaluate(a, env) for a in ex.args if not isinstance(a.type, t.Nothing)})
            case Apply(op="range"):
                low, high = (self.evaluate(a, env) for a in ex.args)
                self._require(ex, high - low, -t.MANY, t.MANY)
                return list(range(low, high + 1))
            case Apply(op="players"):
                return list(range(self.players))
            case Universe() if isinstance(ex.of, t.Kind):
                return list(range(len(self.game.kinds[ex.of.name].values)))
            case Conditional():
                condition, first, second = (ex.condition, ex.then, ex.otherwise)
                return self.members(first if self.evaluate(condition, env) else second, env)
            case CallDefine() if not ex.define.uses_me:
                inner = {p.uid: self.evaluate(a, env) for p, a in zip(ex.define.params, ex.args, strict=True)}
                return self.members(ex.define.body, inner)
        mask = self.evaluate(ex, env)
        return [v for v in range(mask.bit_length()) if mask >> v & 1]

    def try_evaluate(self, ex: Ex) -> int | None:
        try:
            return self.evaluate(ex)
        except (NotConstant, SpecError):
            return None

    def _runs(self, gens: tuple[Gen, ...], env: dict[str, int]) -> Iterator[dict[str, int]]:
        if not gens:
            yield env
            return
        gen, *rest = gens
        for value in self.members(gen.domain, env):
            inner = {**env, gen.var.uid: value}
            if all(self.evaluate(c, inner) for c in gen.where):
                yield from self._runs(tuple(rest), inner)


def folding_for(layout: Layout) -> Folding:
    return Folding(layout.game, layout.players, layout.options)
