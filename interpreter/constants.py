"""Evaluating what is fixed before a game: option defaults, counts, sizes, audiences."""

from __future__ import annotations

from typing import Any

from ..grammar import Span
from . import types as t
from .core import CheckedGame, Ex


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


_SHORT_CIRCUIT = frozenset("if and or max_of min_of set in range in_range space_at table player_count players option const".split())


def not_constant(ex: Ex, bound: frozenset[str] = frozenset()) -> tuple[Span, Span | None] | None:
    """Where an expression depends on the course of the game, if it does: the place in the
    expression itself and, if that is a call, the place in the definition."""
    if ex.op == "local":
        return None if ex.data.uid in bound else (ex.span, None)
    if ex.op == "universe":
        return None if isinstance(ex.data, t.Kind) else (ex.span, None)
    if ex.op == "call":
        inner = None if ex.data.uses_me else not_constant(ex.data.body, frozenset(p.uid for p in ex.data.params))
        if ex.data.uses_me or inner is not None:
            return ex.span, inner[0] if inner is not None else None
    elif ex.op not in _OPS and ex.op not in _SHORT_CIRCUIT:
        return ex.span, None
    return next((found for a in ex.args if (found := not_constant(a, bound)) is not None), None)


def options_in(ex: Ex) -> set[str]:
    """The options that a constant expression reads."""
    found = {ex.data} if ex.op == "option" else set()
    inner = [*ex.args, ex.data.body] if ex.op == "call" else ex.args
    return found.union(*(options_in(a) for a in inner))


class OutOfRange(Exception):
    """With these options a number is not what its place allows."""

    def __init__(self, span: Span, value: int, low: int, high: int) -> None:
        super().__init__("out of range")
        self.span = span
        self.message = f"this is {value} with these options, outside {low}..{high}"


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
            case "players":
                return (1 << self.players) - 1
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
            case "set":
                mask = 0
                for item in ex.args:
                    mask |= 1 << self.evaluate(item, env)
                return mask
            case "in_range":
                value = self.evaluate(ex.args[0], env)
                low, high = ex.data
                if not low <= value <= high and not (value == -1 and isinstance(ex.type, t.Opt)):
                    raise OutOfRange(ex.span, value, low, high)
                return value
            case "in":
                return self.evaluate(ex.args[1], env) >> self.evaluate(ex.args[0], env) & 1
            case "range":
                low, high = (self.evaluate(a, env) for a in ex.args)
                return sum(1 << v for v in range(low, high + 1))
            case "universe" if isinstance(ex.data, t.Kind):
                return (1 << len(self.game.kinds[ex.data.name].values)) - 1
            case "space_at":
                place = self.game.places[ex.data.of]
                x, y = (self.evaluate(a, env) for a in ex.args)
                if place.width is None:
                    return (x + 2048) * 4096 + y + 2048
                return (y - 1) * self.evaluate(place.width) + x - 1
            case "table":
                key = tuple(self.evaluate(a, env) for a in ex.args)
                return dict(ex.data.rows)[key]
            case "call" if not ex.data.uses_me:
                inner = {p.uid: self.evaluate(a, env) for p, a in zip(ex.data.params, ex.args, strict=True)}
                return self.evaluate(ex.data.body, inner)
        if ex.op in _OPS:
            return int(_OPS[ex.op](*(self.evaluate(a, env) for a in ex.args)))
        raise NotConstant(ex.span)

    def try_evaluate(self, ex: Ex) -> int | None:
        try:
            return self.evaluate(ex)
        except (NotConstant, OutOfRange, ZeroDivisionError):
            return None
