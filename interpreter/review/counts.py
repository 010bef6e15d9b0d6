"""Numbers that do not add up: what is declared in all, and what the rows or tokens come to.

`total(Coin)` never changes, because nothing is made or lost. So an invariant
such as `always coins: total(Coin) = 28` holds for ever or never, and can be
worked out from the tables, for every number of players.
"""

from __future__ import annotations

from ...grammar import Report, Span
from ..check.constants import Constants, NotConstant
from ..check.options import option_values
from ..core import (
    OPERATORS,
    And,
    Apply,
    CheckedGame,
    Ex,
    InRange,
    TotalComponents,
    TotalTokens,
    applies,
    operands,
)
from ..core.errors import SpecError


def counts(game: CheckedGame, report: Report) -> None:
    told: set[Span] = set()  # another number of players would only say it again
    for players in game.players:
        try:
            sums = _Sums(game, players)
        except SpecError:  # these options and players do not go together; starting such a match says so
            continue
        _component_counts(sums, report, told)
        _invariants(sums, report, told)


def _component_counts(sums: _Sums, report: Report, told: set[Span]) -> None:
    """Counts beside rows, as far as the checker could not compare them."""
    for decl in sums.game.components.values():
        if decl.count is None or not decl.rows or decl.piece or decl.span in told:
            continue
        declared, found = sums.number(decl.count), sums.total(decl.name)
        if declared is not None and found is not None and declared != found:
            report.add(
                "D0509",
                f"the rows of `{decl.name}` add up to {found}, but {declared} are declared{sums.where}",
                decl.span,
                severity="warning",
                related=[(decl.count.span, "declared here")],
            )
            told.add(decl.span)


def _invariants(sums: _Sums, report: Report, told: set[Span]) -> None:
    for decl in sums.game.invariants.values():
        wrong = sums.wrong(decl.condition)
        if wrong is not None and decl.span not in told:
            comparison, left, right, origin = wrong
            sign = OPERATORS[comparison.op].sign
            report.add(
                "D0509",
                f"`{decl.name}` can never hold: it asks for {left} {sign} {right}{sums.where}",
                comparison.span,
                severity="warning",
                related=[(origin, "this is what there is")] if origin is not None else (),
            )
            told.add(decl.span)


class _Sums:
    """What is fixed for one number of players, with the options as they are."""

    def __init__(self, game: CheckedGame, players: int) -> None:
        self.game = game
        self.constants = Constants(game, players, option_values(game, {}))
        self.where = f" with {players} players" if len(game.players) > 1 else ""

    def wrong(self, condition: Ex) -> tuple[Apply, int, int, Span | None] | None:
        """A comparison of fixed numbers, at least one of them a total, that does not hold."""
        if isinstance(condition, And):
            return self.wrong(condition.left) or self.wrong(condition.right)
        if isinstance(condition, InRange):
            return self.wrong(condition.of)
        if not isinstance(condition, Apply) or not any(_has_total(a) for a in condition.args):
            return None
        row = OPERATORS[condition.op]
        if not row.compares or row.fold is None:
            return None
        left, right = (self.number(a) for a in condition.args)
        if left is None or right is None or row.fold(left, right):
            return None
        return condition, left, right, self._origin(condition)

    def number(self, ex: Ex) -> int | None:
        try:
            return self._evaluate(ex)
        except (NotConstant, SpecError, KeyError, ZeroDivisionError):
            return None

    def _evaluate(self, ex: Ex) -> int:
        if isinstance(ex, TotalComponents | TotalTokens) and (
            isinstance(ex, TotalComponents) or ex.kind is None
        ):
            total = self.total(_total_of(ex))
            if total is None:
                raise NotConstant(ex.span)
            return total
        if isinstance(ex, TotalTokens):
            assert ex.kind is not None
            kind = self._evaluate(ex.kind)
            return self.constants.evaluate(self.game.tokens[ex.token].amounts[kind])
        if applies(ex, "add", "sub", "mul"):
            a, b = (self._evaluate(arg) for arg in ex.args)
            return a + b if applies(ex, "add") else a - b if applies(ex, "sub") else a * b
        return self.constants.evaluate(ex)

    def total(self, name: str) -> int | None:
        try:
            if name in self.game.tokens:
                return sum(self.constants.evaluate(amount) for amount in self.game.tokens[name].amounts)
            component = self.game.components[name]
            if component.rows:
                numbers = [n if isinstance(n, int) else self.constants.evaluate(n) for _, n in component.rows]
                return sum(numbers)
            return self.constants.evaluate(component.count) if component.count is not None else None
        except (NotConstant, SpecError, KeyError):
            return None

    def _origin(self, ex: Ex) -> Span | None:
        """Where that of which a total is taken is declared."""
        if isinstance(ex, TotalComponents | TotalTokens):
            name = _total_of(ex)
            decl = self.game.tokens.get(name) or self.game.components.get(name)
            return decl.span if decl is not None else None
        return next((found for part in operands(ex) if (found := self._origin(part)) is not None), None)


def _has_total(ex: Ex) -> bool:
    return isinstance(ex, TotalComponents | TotalTokens) or any(map(_has_total, operands(ex)))


def _total_of(ex: TotalComponents | TotalTokens) -> str:
    return ex.component if isinstance(ex, TotalComponents) else ex.token
