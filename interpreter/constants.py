"""Evaluating what is fixed before a game: option defaults, counts, sizes, audiences."""

from __future__ import annotations

from typing import Any

from ..grammar import Diagnostic, Span
from . import types as t
from .core import CheckedGame, Ex
from .errors import SpecError


class NotConstant(Exception):
    """The expression depends on the course of the game."""

    def __init__(self, span: Span) -> None:
        super().__init__("not a constant")
        self.span = span


_OPS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
    "neg": lambda a: -a,
    "not": lambda a: int(not a),
    "abs": abs,
    "player": lambda n: n - 1,
    "seat": lambda p: p + 1,
    "number": lambda k: k + 1,
    "opposite": lambda d: (d + 4) % 8,
}


_FIXED = frozenset(
    ("const", "option", "player_count", "players", "if", "and", "or", "max_of", "min_of")
    + ("set", "range", "as_set", "in", "in_range", "space_at", "table")
)


def not_constant(ex: Ex, bound: frozenset[str] = frozenset()) -> tuple[Span, Span | None] | None:
    """Where an expression depends on the course of the game, if it does: the place in the
    expression itself and, if that is a call, the place in the definition."""
    if ex.op == "local":
        return None if ex.data.uid in bound else (ex.span, None)
    if ex.op == "universe":
        return None if isinstance(ex.data, t.Kind) else (ex.span, None)
    if ex.op == "call":
        inner = (
            None if ex.data.uses_me else not_constant(ex.data.body, frozenset(p.uid for p in ex.data.params))
        )
        if ex.data.uses_me or inner is not None:
            return ex.span, inner[0] if inner is not None else None
    elif ex.op not in _OPS and ex.op not in _FIXED:
        return ex.span, None
    return next((found for a in ex.args if (found := not_constant(a, bound)) is not None), None)


def options_in(ex: Ex) -> set[str]:
    """The options that a constant expression reads."""
    found = {ex.data} if ex.op == "option" else set()
    inner = [*ex.args, ex.data.body] if ex.op == "call" else ex.args
    return found.union(*(options_in(a) for a in inner))


class OutOfRange(SpecError):
    """With these options and this number of players a value is not what its place allows."""

    def __init__(self, span: Span, value: int, low: int, high: int) -> None:
        message = f"this is {value} with these options and players, outside {low}..{high}"
        super().__init__([Diagnostic("D0303", message, span)])


class DividedByZero(SpecError):
    def __init__(self, span: Span) -> None:
        super().__init__([Diagnostic("D0912", "with these options and players this divides by zero", span)])


class Constants:
    """An evaluator for one number of players and one set of options."""

    def __init__(self, game: CheckedGame, players: int, options: dict[str, int]) -> None:
        self.game = game
        self.players = players
        self.options = options

    def evaluate(self, ex: Ex, env: dict[str, int] | None = None) -> int:
        env = env or {}
        match ex.op:
            case "const":
                return int(ex.data)
            case "local" if ex.data.uid in env:
                return env[ex.data.uid]
            case "option":
                return self.options[ex.data]
            case "player_count":
                return self.players
            case "if":
                condition, first, second = ex.args
                return self.evaluate(first if self.evaluate(condition, env) else second, env)
            case "and":
                return int(all(self.evaluate(a, env) for a in ex.args))
            case "or":
                return int(any(self.evaluate(a, env) for a in ex.args))
            case "max_of":
                return max(self.evaluate(a, env) for a in ex.args)
            case "min_of":
                return min(self.evaluate(a, env) for a in ex.args)
            case "as_set":
                return self.evaluate(ex.args[0], env)
            case "universe" if not isinstance(ex.data, t.Kind):
                raise NotConstant(ex.span)
            case "set" | "range" | "players" | "universe":
                return sum(1 << v for v in self.members(ex, env) if v >= 0)
            case "in_range":
                value = self.evaluate(ex.args[0], env)
                low, high = ex.data
                if not (value == -1 and isinstance(ex.type, t.Opt)):
                    self._require(ex, value, low, high)
                return value
            case "in":
                return int(self.evaluate(ex.args[0], env) in self.members(ex.args[1], env))
            case "eq" | "ne" if isinstance(ex.args[0].type, t.SetOf):
                left, right = (set(self.members(a, env)) for a in ex.args)
                return int((left == right) == (ex.op == "eq"))
            case "player":
                number = self.evaluate(ex.args[0], env)
                self._require(ex, number, 1, self.players)
                return number - 1
            case "div":
                a, b = (self.evaluate(x, env) for x in ex.args)
                if b == 0:
                    raise DividedByZero(ex.span)
                return a // b
            case "space_at":
                place = self.game.places[ex.data.of]
                x, y = (self.evaluate(a, env) for a in ex.args)
                if place.width is None:
                    return (x + 2048) * 4096 + y + 2048
                width = self.evaluate(place.width)
                self._require(ex.args[0], x, 1, width)
                self._require(
                    ex.args[1], y, 1, self.evaluate(place.height) if place.height is not None else 1
                )
                return (y - 1) * width + x - 1
            case "table":
                key = tuple(self.evaluate(a, env) for a in ex.args)
                return int(dict(ex.data.rows)[key])
            case "call" if not ex.data.uses_me:
                inner = {p.uid: self.evaluate(a, env) for p, a in zip(ex.data.params, ex.args, strict=True)}
                return self.evaluate(ex.data.body, inner)
        if ex.op in _OPS:
            return int(_OPS[ex.op](*(self.evaluate(a, env) for a in ex.args)))
        raise NotConstant(ex.span)

    def _require(self, ex: Ex, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise OutOfRange(ex.span, value, low, high)

    def members(self, ex: Ex, env: dict[str, int] | None = None) -> list[int]:
        """The elements of a set."""
        env = env or {}
        match ex.op:
            case "as_set":
                return self.members(ex.args[0], env)
            case "set":
                return sorted({self.evaluate(a, env) for a in ex.args if not isinstance(a.type, t.Nothing)})
            case "range":
                low, high = (self.evaluate(a, env) for a in ex.args)
                self._require(ex, high - low, -t.MANY, t.MANY)
                return list(range(low, high + 1))
            case "players":
                return list(range(self.players))
            case "universe" if isinstance(ex.data, t.Kind):
                return list(range(len(self.game.kinds[ex.data.name].values)))
            case "if":
                condition, first, second = ex.args
                return self.members(first if self.evaluate(condition, env) else second, env)
            case "call" if not ex.data.uses_me:
                inner = {p.uid: self.evaluate(a, env) for p, a in zip(ex.data.params, ex.args, strict=True)}
                return self.members(ex.data.body, inner)
        mask = self.evaluate(ex, env)
        return [v for v in range(mask.bit_length()) if mask >> v & 1]

    def first_value(self, ex: Ex, type_: t.Type) -> int | tuple[int, ...]:
        """A value in the form in which a state keeps it."""
        if isinstance(type_, t.SetOf) and not t.is_mask(type_.of):
            return tuple(self.members(ex))
        return self.evaluate(ex)

    def try_evaluate(self, ex: Ex) -> int | None:
        try:
            return self.evaluate(ex)
        except (NotConstant, SpecError):
            return None
