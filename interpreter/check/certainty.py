"""What is certainly not none: what was tested, what equals something certain, what lies in a place that is not empty.

A fact is an expression as it is written. It holds in what the test guards, and in the lines behind it
until something may have changed what it reads; from then on it is tested again at play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...grammar import Word, syntax
from ..core import Apply, CallRule, Ex, May, Offer, St, applies, bodies, changed
from ..core import value_types as t
from ..core.facts import ANYTHING, reads, touches, transfers, writes
from .part import Part
from .scope import Scope

if TYPE_CHECKING:
    from .context import Context

Facts = frozenset[syntax.Expr]
_NONE = frozenset[syntax.Expr]()
_ENDS = ("top", "bottom", "first", "last")
_UNKNOWN_UNTIL_CALLED = (CallRule, Offer, May)


class Certainty(Part):
    """Facts: where they come from, and how long they hold."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self._if_so: dict[tuple[int, int], tuple[syntax.Expr, ...]] = {}
        events = [e for d in c.file.decls if isinstance(d, syntax.Trigger) for e in d.events]
        self._moves_trigger = any(isinstance(e, syntax.EventEntering | syntax.EventLeaving) for e in events)

    # ------------------------------------------------------------ where facts come from
    def if_so(self, left: syntax.Expr, right: syntax.Expr, *facts: syntax.Expr) -> None:
        """What is certain if two expressions are equal, or the one is in the other: their types say so."""
        self._if_so[id(left), id(right)] = facts

    def when(self, condition: syntax.Expr, holds: bool) -> Facts:
        """What is certain when a condition, which has been checked, holds (or does not)."""
        match condition:
            case syntax.Group(inner=inner):
                return self.when(inner, holds)
            case syntax.NotExpr(of=inner):
                return self.when(inner, not holds)
            case syntax.AndExpr(left=left, right=right) if holds:
                return self.when(left, True) | self.when(right, True)
            case syntax.OrExpr(left=left, right=right) if not holds:
                return self.when(left, False) | self.when(right, False)
            case syntax.Equals(left=left, right=right):
                return self._equal(left, right, holds)
            case syntax.Compare(left=left, op="!=", right=right):
                return self._equal(left, right, not holds)
            case syntax.Compare(left=left, op=op, right=right):
                return self._counted(left, op, right, holds)
            case syntax.IsIn(left=left, right=right) if holds:
                return frozenset(self._if_so.get((id(left), id(right)), ()))
            case syntax.IsNotIn(left=left, right=right) if not holds:
                return frozenset(self._if_so.get((id(left), id(right)), ()))
        return _NONE

    def _equal(self, left: syntax.Expr, right: syntax.Expr, holds: bool) -> Facts:
        if holds:
            return frozenset(self._if_so.get((id(left), id(right)), ()))
        if isinstance(right, syntax.Name) and right.text == "none":
            return frozenset([left])
        if isinstance(right, syntax.SetOf) and not right.items:
            return _not_empty(left)
        return self._counted(left, "!=", right, True)

    def _counted(self, left: syntax.Expr, op: str, right: syntax.Expr, holds: bool) -> Facts:
        """`count(x) > 0` in its many spellings."""
        if not isinstance(right, syntax.Number):
            return _NONE
        match left:
            case syntax.Invoke(of=syntax.Name(text="count"), args=(syntax.Expr() as counted,)):
                number = int(right.text[:9])
                above = {">": number >= 0, ">=": number >= 1, "!=": number == 0}
                below = {"<": number <= 1, "<=": number == 0}
                if (above if holds else below).get(op):
                    return _not_empty(counted)
        return _NONE

    # ------------------------------------------------------------ how long they hold
    def of(self, node: syntax.Expr, ex: Ex, scope: Scope) -> Ex:
        """The expression, as certain as the facts make it."""
        if not isinstance(ex.type, t.Opt | t.Place) or node not in scope.facts:
            return ex
        if isinstance(ex.type, t.Place):
            return changed(ex, type=t.Place("slot", ex.type.of, filled=True)) if ex.type.form.single else ex
        if applies(ex, *_ENDS[:2]) and isinstance(of := ex.args[0].type, t.Place) and of.form.hidden:
            return ex  # the top of a deck may be unknown
        if touches(set(scope.facts[node]), reads(ex, self.game)):
            return Apply(ex.type.of, ex.span, "some", (ex,))
        return changed(ex, type=ex.type.of)

    def behind(self, made: list[St], scope: Scope) -> None:
        """What facts are worth behind some statements."""
        if scope.facts:
            scope.wrote(self._written(made))

    def _written(self, made: list[St] | tuple[St, ...]) -> set[str]:
        out: set[str] = set()
        for st in made:
            if isinstance(st, _UNKNOWN_UNTIL_CALLED) or (self._moves_trigger and transfers(st)):
                return {ANYTHING}
            out |= writes(st, self.game)
            for body in bodies(st):
                out |= self._written(body)
        return out


def _not_empty(whole: syntax.Expr) -> Facts:
    """What is certain of something that is not empty: itself, if it is a slot, and its ends."""
    calls = (
        syntax.Invoke(syntax.Name(Word(end, whole.span), span=whole.span), (whole,), span=whole.span)
        for end in _ENDS
    )
    return frozenset([whole, *calls])
