"""Evaluating what is fixed before a game: option defaults, counts, sizes, audiences."""

from __future__ import annotations

from ...grammar import Diagnostic, Span
from ..core import (
    OPERATORS,
    And,
    Apply,
    CallDefine,
    CheckedGame,
    Conditional,
    Const,
    Ex,
    InRange,
    Local,
    Lookup,
    Option,
    Or,
    SpaceAt,
    Universe,
    applies,
    children,
    within,
)
from ..core import value_types as t
from ..core.errors import SpecError


class NotConstant(Exception):
    """The expression depends on the course of the game."""

    def __init__(self, span: Span) -> None:
        super().__init__("not a constant")
        self.span = span


def _may_be_constant(ex: Ex) -> bool:
    """Is it one, if what is inside it is?"""
    if isinstance(ex, Apply):
        return OPERATORS[ex.op].fold is not None or ex.op in _FIXED
    return isinstance(ex, Const | Option | Conditional | And | Or | InRange | SpaceAt | Lookup)


_FIXED = frozenset(("player_count", "players", "max_of", "min_of", "set", "range", "as_set", "in"))


Where = tuple[Span, Span | None]


def not_constant(
    ex: Ex, bound: frozenset[str] = frozenset(), met: dict[str, Where | None] | None = None
) -> Where | None:
    """Where an expression depends on the course of the game, if it does: the place in the
    expression itself and, if that is a call, the place in the definition. `met` are definitions
    that have been looked at, for many may lead to one."""
    met = {} if met is None else met
    if isinstance(ex, Local):
        return None if ex.var.uid in bound else (ex.span, None)
    if isinstance(ex, Universe):
        return None if isinstance(ex.of, t.Kind) else (ex.span, None)
    if isinstance(ex, CallDefine):
        decl = ex.define
        if decl.name not in met and not decl.uses_me:
            met[decl.name] = not_constant(decl.body, frozenset(p.uid for p in decl.params), met)
        inner = met.get(decl.name)
        if decl.uses_me or inner is not None:
            return ex.span, inner[0] if inner is not None else None
    elif not _may_be_constant(ex):
        return ex.span, None
    return next((found for a in children(ex) if (found := not_constant(a, bound, met)) is not None), None)


def options_in(ex: Ex) -> set[str]:
    """The options that a constant expression reads."""
    found, met, pending = set(), set(), [ex]
    while pending:
        for part in within(pending.pop()):
            if isinstance(part, Option):
                found.add(part.name)
            elif isinstance(part, CallDefine) and part.define.name not in met:
                met.add(part.define.name)
                pending.append(part.define.body)
    return found


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
            case Apply(op="max_of"):
                return max(self.evaluate(a, env) for a in ex.args)
            case Apply(op="min_of"):
                return min(self.evaluate(a, env) for a in ex.args)
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
            case SpaceAt():
                place = self.game.places[ex.space.of]
                x, y = (self.evaluate(a, env) for a in (ex.x, ex.y))
                if place.width is None:
                    return (x + 2048) * 4096 + y + 2048
                width = self.evaluate(place.width)
                self._require(ex.x, x, 1, width)
                self._require(ex.y, y, 1, self.evaluate(place.height) if place.height is not None else 1)
                return (y - 1) * width + x - 1
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
