"""Evaluating what is fixed before a game: option defaults, counts, sizes, audiences."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

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
    children,
    within,
)
from ..core import value_types as t
from ..core.errors import SpecError

if TYPE_CHECKING:
    from .before_play import BeforePlay


class NotConstant(Exception):
    """The expression depends on the course of the game."""

    def __init__(self, span: Span) -> None:
        super().__init__("not a constant")
        self.span = span


def may_be_constant(ex: Ex) -> bool:
    """Is it one, if what is inside it is?"""
    if isinstance(ex, Apply):
        return OPERATORS[ex.op].fold is not None or ex.op in _FIXED
    return isinstance(ex, Const | Option | Conditional | And | Or | InRange | SpaceAt | Lookup)


_FIXED = frozenset(("player_count", "players", "set", "range", "as_set", "in"))


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
    elif not may_be_constant(ex):
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
    """Works out what is fixed, for one number of players and one set of options: by the reference
    interpreter, before there is a table. Results are numbers as states keep them."""

    def __init__(self, game: CheckedGame, players: int, options: dict[str, int]) -> None:
        self.game = game
        self.players = players
        self.options = options

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("game", "players", "options")}

    @cached_property
    def _before_play(self) -> BeforePlay:
        from .before_play import BeforePlay  # late: a game from the cache seldom asks

        return BeforePlay(self.game, self.players, self.options)

    def evaluate(self, ex: Ex, given: dict[str, int] | None = None) -> int:
        """A number; of a set the bits of its elements. `given` are names with numbers."""
        return self._number(self._value(ex, given), ex.type)

    def members(self, ex: Ex) -> list[int]:
        """The elements of a set."""
        type_ = ex.type
        assert isinstance(type_, t.SetOf)
        return [self._number(value, type_.of) for value in self._value(ex)]

    def first_value(self, ex: Ex, type_: t.Type) -> int | tuple[int, ...]:
        """A value in the form in which a state keeps it."""
        if isinstance(type_, t.SetOf) and not t.is_mask(type_.of):
            return tuple(self.members(ex))
        return self.evaluate(ex)

    def _value(self, ex: Ex, given: dict[str, int] | None = None) -> Any:
        from ..reference.play import Frame
        from ..reference.trouble import Outside, Trouble

        try:
            return self._before_play.value(ex, Frame("", dict(given or {})))
        except Outside as outside:
            raise OutOfRange(outside.span, outside.value, outside.low, outside.high) from None
        except Trouble as trouble:
            if trouble.code == "D0912":
                raise DividedByZero(trouble.span) from None
            raise SpecError([Diagnostic(trouble.code, trouble.message, trouble.span)]) from None

    def _number(self, value: Any, type_: t.Type) -> int:
        type_ = t.plain(type_)
        if value is None:
            return -1
        if isinstance(type_, t.SetOf):
            return sum(1 << number for v in value if (number := self._number(v, type_.of)) >= 0)
        if isinstance(type_, t.Space):
            return self._before_play.table.boards[type_.of].number(value)
        return int(value)
