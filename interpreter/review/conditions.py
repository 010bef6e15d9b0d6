"""Conditions that can never hold, as far as ranges and constants tell.

Numbers have ranges from their declarations, kinds a few values. What is asked
of one and the same expression, in all the requirements of one header or in all
the parts of one condition, is put together; if nothing remains, the action, the
choice or the branch is dead. Definitions are not looked into: a variant may
replace them, and `define bonus = 0` is a switch, not a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from ...grammar import Report, Span
from ..check.returns import statements
from ..core import (
    OPERATORS,
    And,
    Apply,
    CheckedGame,
    Choose,
    Const,
    Ex,
    Field,
    If,
    Local,
    Lookup,
    May,
    Offer,
    Option,
    Or,
    Require,
    RuleDecl,
    St,
    StateRef,
    Turns,
    applies,
    operands,
)
from ..core import value_types as t
from .trees import header_of, procedures, short_text

Range = tuple[int, int]


def dead_conditions(game: CheckedGame, report: Report) -> None:
    judge = _Judge(game, report)
    for rule in procedures(game):
        if rule.where is not None:
            judge.together([rule.where], f"`{rule.name}` never runs")
        if rule.kind == "action":
            judge.header(rule.header, f"`{rule.name}` is never possible")
        for st in statements(rule.body):
            judge.statement(st, rule)


@define
class _Facts:
    """What is still possible for each expression, and the condition that said so last."""

    numbers: dict[Ex, Range] = field(factory=dict)
    values: dict[Ex, set[int]] = field(factory=dict)
    said: dict[Ex, Span] = field(factory=dict)


class _Judge:
    def __init__(self, game: CheckedGame, report: Report) -> None:
        self.game = game
        self.report = report
        self.in_headers: set[int] = set()

    # ------------------------------------------------------------ where conditions stand
    def statement(self, st: St, rule: RuleDecl) -> None:
        if isinstance(st, If):
            self.together((st.condition,)[:1], "this never happens")
        elif isinstance(st, Choose) and id(st) not in self.in_headers:
            self.together(_guards(st), "nothing can ever be chosen")
        elif isinstance(st, Offer | May):
            for case in st.offering.cases:
                if case.action is None:
                    self.header(header_of(case.body), f"`{case.label}` is never possible")
        elif isinstance(st, Turns) and st.where is not None:
            self.together([st.where], "nobody ever has a turn")

    def header(self, header: tuple[St, ...], message: str) -> None:
        conditions: list[Ex] = []
        for st in header:
            if isinstance(st, Require):
                conditions.append(st.condition)
            elif isinstance(st, Choose):
                self.in_headers.add(id(st))
                conditions += _guards(st)
        self.together(conditions, message)

    def together(self, conditions: Iterable[Ex], message: str) -> None:
        facts = _Facts()
        for condition in conditions:
            for part, holds in _parts(condition, True):
                clash = self._add(facts, part, holds)
                if clash is None:
                    continue
                other, words = clash
                related = [(other, "because of this")] if other is not None and other != part.span else []
                self.report.add(
                    "D0410",
                    f"{message}: {words}",
                    part.span,
                    related=related,
                    severity="warning",
                )
                return

    # ------------------------------------------------------------ what remains
    def _add(self, facts: _Facts, part: Ex, holds: bool) -> tuple[Span | None, str] | None:
        """Take a condition in; if nothing is left, the earlier condition and why."""
        truth = self.truth(part)
        if truth is not None:
            return None if truth == holds else (None, self._why(part, holds))
        shown = short_text(part.span)
        for key, op, other in _sides(part, holds):
            try:
                before = facts.said.get(key)
            except TypeError:  # an expression that cannot be a key
                continue
            if isinstance(t.plain(key.type), t.Num):
                if not self._narrow(facts, key, op, self.range(other)):
                    return before, f"`{shown}` leaves nothing of `{short_text(key.span)}`"
            elif isinstance(other, Const) and not isinstance(other.type, t.Nothing):
                if not self._pick(facts, key, op, int(other.value)):
                    return before, f"`{short_text(key.span)}` cannot be both at once"
            else:
                continue
            facts.said[key] = part.span
        if isinstance(part.type, t.YesNo) and isinstance(part, StateRef | Local):
            if not self._pick(facts, part, "eq", int(holds)):
                return facts.said.get(part), f"`{short_text(part.span)}` cannot be both yes and no"
            facts.said[part] = part.span
        return None

    def _narrow(self, facts: _Facts, key: Ex, op: str, limit: Range | None) -> bool:
        whole = facts.numbers.get(key) or self.range(key)
        if whole is None or limit is None:
            return True
        low, high = whole
        match op:
            case "lt":
                high = min(high, limit[1] - 1)
            case "le":
                high = min(high, limit[1])
            case "gt":
                low = max(low, limit[0] + 1)
            case "ge":
                low = max(low, limit[0])
            case "eq" | "in":
                low, high = max(low, limit[0]), min(high, limit[1])
        facts.numbers[key] = (low, high)
        return low <= high

    def _pick(self, facts: _Facts, key: Ex, op: str, value: int) -> bool:
        if op == "eq":
            left = facts.values.get(key, {value}) & {value}
        elif op == "ne" and key in facts.values:
            left = facts.values[key] - {value}
        else:
            return True
        facts.values[key] = left
        return bool(left)

    def _why(self, part: Ex, holds: bool) -> str:
        shown = short_text(part.span)
        numbers = [
            (arg, found)
            for arg in operands(part)
            if not isinstance(arg, Const) and (found := self.range(arg)) is not None
        ]
        if holds and numbers:
            arg, (low, high) = numbers[0]
            if high >= t.MANY:
                return f"`{short_text(arg.span)}` is never below {low}"
            return (
                f"`{short_text(arg.span)}` is {low}"
                if low == high
                else f"`{short_text(arg.span)}` is {low}..{high}"
            )
        return f"`{shown}` is always {'no' if holds else 'yes'}"

    # ------------------------------------------------------------ values
    def range(self, ex: Ex) -> Range | None:
        """The numbers that an expression can be, definitions left aside."""
        type_ = t.plain(ex.type)
        if not isinstance(type_, t.Num):
            return None
        match ex:
            case Const():
                return int(ex.value), int(ex.value)
            case Apply(op="player_count"):
                return min(self.game.players), max(self.game.players)
            case Option() | Local() | StateRef() | Lookup() | Field() | Apply(op="seat"):
                return (type_.low, type_.high) if type_.high < t.MANY and type_.low > -t.MANY else None
            case Apply(op="size" | "tally"):
                return 0, t.MANY
            case Apply(op="range"):
                ends = [self.range(arg) for arg in ex.args]
                return (ends[0][0], ends[1][1]) if ends[0] and ends[1] else None
            case Apply(op="add" | "sub" | "neg" | "min_of" | "max_of"):
                return self._computed(ex)
        return None

    def _computed(self, ex: Apply) -> Range | None:
        found = [self.range(arg) for arg in ex.args]
        parts = [part for part in found if part is not None]
        if len(parts) != len(found):
            return None
        lows, highs = [p[0] for p in parts], [p[1] for p in parts]
        match ex:
            case Apply(op="add"):
                return sum(lows), sum(highs)
            case Apply(op="sub"):
                return lows[0] - highs[1], highs[0] - lows[1]
            case Apply(op="neg"):
                return -highs[0], -lows[0]
            case Apply(op="min_of"):
                return min(lows), min(highs)
        return max(lows), max(highs)

    def truth(self, ex: Ex) -> bool | None:
        """Yes, no, or not known."""
        if isinstance(ex, Const) and isinstance(ex.type, t.YesNo):
            return None  # `if no:` is a switch
        if not isinstance(ex, Apply) or not OPERATORS[ex.op].compares:
            return None
        left, right = ex.args
        if isinstance(left, Const) and isinstance(right, Const):
            return None
        a, b = self.range(left), self.range(right)
        if a is None or b is None:
            return None
        match ex:
            case Apply(op="lt"):
                return True if a[1] < b[0] else False if a[0] >= b[1] else None
            case Apply(op="le"):
                return True if a[1] <= b[0] else False if a[0] > b[1] else None
            case Apply(op="gt"):
                return True if a[0] > b[1] else False if a[1] <= b[0] else None
            case Apply(op="ge"):
                return True if a[0] >= b[1] else False if a[1] < b[0] else None
        apart = a[1] < b[0] or b[1] < a[0]
        return (applies(ex, "ne")) if apart else None


def _parts(condition: Ex, holds: bool) -> Iterator[tuple[Ex, bool]]:
    """The conditions that must all hold, or fail, when this one does."""
    if applies(condition, "not"):
        yield from _parts(condition.args[0], not holds)
    elif isinstance(condition, And if holds else Or):
        for arg in operands(condition):
            yield from _parts(arg, holds)
    else:
        yield condition, holds


def _sides(part: Ex, holds: bool) -> Iterator[tuple[Ex, str, Ex]]:
    """`a < b` is something said about a, and about b."""
    if isinstance(part, Apply) and OPERATORS[part.op].compares:
        op = part.op if holds else OPERATORS[part.op].negation
        left, right = part.args
        if not isinstance(left, Const):
            yield left, op, right
        if not isinstance(right, Const):
            yield right, OPERATORS[op].mirror, left
    elif applies(part, "in") and holds and applies(part.args[1], "range"):
        low, high = part.args[1].args
        yield part.args[0], "ge", low
        yield part.args[0], "le", high


def _guards(st: Choose) -> list[Ex]:
    return [guard.condition for guard in st.choice.guards]
