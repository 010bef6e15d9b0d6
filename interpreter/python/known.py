"""The Python back end: what is known of an expression before it is written.

Its value, if that is the same in every match of this engine; whether one Python expression
will do, without lines in front; which operands its code names more than once; whether a
definition is written out where it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import (
    OPERATORS,
    And,
    Apply,
    Attribute,
    CallDefine,
    Conditional,
    Const,
    DefineDecl,
    Ex,
    Field,
    InRange,
    Local,
    Lookup,
    Me,
    Near,
    Option,
    Or,
    PlaceRef,
    Reduction,
    StateRef,
    Universe,
    VectorCells,
    VectorStart,
    applies,
    changed,
    operands,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.passes.folding import folding_for

if TYPE_CHECKING:
    from .context import Context

INLINE_SIZE = 70
INLINE_DEPTH = 5


class Known:
    def __init__(self, c: Context) -> None:
        self.c = c
        self.layout = c.layout
        self.game = c.game
        self.pool = c.pool

    # ------------------------------------------------------------ what is known
    def known(self, ex: Ex) -> int | None:
        """The value of an expression that is constant in this specialisation."""
        match ex:
            case Const():
                return int(ex.value)
            case Option():
                return self.layout.options[ex.name]
            case Apply(op="player_count"):
                return self.layout.players
            case Local():
                return self.c.consts.get(ex.var.uid)
            case Apply(op="players"):
                return (1 << self.layout.players) - 1
            case Universe() if is_mask(ex.of) and not isinstance(ex.of, t.Num):
                return (1 << self.layout.size(ex.of)) - 1
        if isinstance(ex, Lookup) or (isinstance(ex, Apply) and OPERATORS[ex.op].fold is not None):
            values = [self.known(a) for a in ex.args]
            if all(v is not None for v in values):
                fixed = [Const(a.type, a.span, v or 0) for a, v in zip(ex.args, values, strict=True)]
                return folding_for(self.layout).try_evaluate(changed(ex, args=tuple(fixed)))
        if isinstance(ex, InRange):
            value = self.known(ex.of)
            return value if value is not None and ex.low <= value <= ex.high else None
        if applies(ex, "set") and isinstance(ex.type, t.SetOf) and is_mask(ex.type.of):
            values = [self.known(a) for a in ex.args]
            if all(v is not None and v >= 0 for v in values):
                mask = 0
                for v in values:
                    mask |= 1 << int(v or 0)
                return mask
        if isinstance(ex, And | Or):
            a, b = (self.known(x) for x in (ex.left, ex.right))
            if isinstance(ex, And) and (a == 0 or b == 0):
                return 0
            if isinstance(ex, Or) and (a == 1 or b == 1):
                return 1
        if isinstance(ex, Conditional):
            condition = self.known(ex.condition)
            if condition is not None:
                return self.known(ex.then if condition else ex.otherwise)
        return None

    def simple(self, ex: Ex) -> bool:
        """Can it be written as one Python expression, without lines in front?"""
        if self.known(ex) is not None or ex in self.c.hoisted:
            return True
        if isinstance(ex, Reduction):
            sets = self.c.loops.two_sets(ex)
            if sets is not None:
                return all(self.simple(x) for x in sets[1:])
            gens = ex.gens
            return (
                len(gens) == 1
                and isinstance(gens[0].domain, Local)
                and gens[0].domain.var.uid in self.c.unpacked
                and (ex.kind in ("any", "every", "none") and ex.while_ is None and self.simple(ex.value))
            )
        if isinstance(ex, CallDefine):
            if not self.inlines(ex.define) or self.pool.tabled(ex.define) is not None:
                return all(self.simple(a) for a in ex.args)
            return all(self.repeatable(a) for a in ex.args) and self._simple_inside(ex.define.body)
        if (
            isinstance(ex, StateRef | Field)
            or applies(ex, "neighbour", "beside", "beyond")
            or (isinstance(ex, Attribute) and ex.name == "owner")
        ):
            return all(self.simple(a) for a in operands(ex)) and not (
                isinstance(ex, StateRef) and any(isinstance(a.type, t.Opt) for a in ex.indices)
            )
        if isinstance(ex, VectorCells | VectorStart) or applies(ex, "nth", "list_at"):
            return False
        if not all(self.repeatable(a) for a in self.repeated(ex)):
            return False
        return all(self.simple(a) for a in operands(ex))

    def _simple_inside(self, body: Ex) -> bool:
        """As `simple`, for the body of a definition, which knows nothing of what was hoisted outside."""
        saved, self.c.hoisted = self.c.hoisted, {}
        answer = self.simple(body)
        self.c.hoisted = saved
        return answer

    def repeated(self, ex: Ex) -> tuple[Ex, ...]:
        """The operands that the code of an expression names more than once."""
        maybe = any(isinstance(first.type, t.Opt) for first in operands(ex)[:1])
        match ex:
            case Apply(op="top" | "bottom" | "peek_need"):
                return ex.args[:1]
            case Apply(op="min_of" | "max_of"):
                return ex.args if len(ex.args) == 2 else ()
            case Apply(op="is_at" | "neighbour"):
                return ex.args[:1] if maybe else ()
            case Attribute(name="on" | "space" | "turned" | "owner"):
                return (ex.of,) if maybe else ()
            case Apply(op="in") if maybe and applies(ex.args[1], "set"):
                return ex.args[:1] if any(optional(x) for x in ex.args[1].args) else ()
            case Apply(op="in") if maybe and (
                not isinstance(ex.args[1], Universe) and not applies(ex.args[1], "range", "players")
            ):
                return ex.args[:1]
            case Apply(op="size" | "empty" | "tally"):
                place = ex.args[0]
                many = (
                    place.place_type.of in self.game.tokens
                    and len(self.game.kinds[place.place_type.of].values) > 1
                )
                return (
                    ex.args[:1]
                    if place.place_type.form.hidden
                    or place.place_type.form.cells
                    or (many and not applies(ex, "tally"))
                    else ()
                )
            case Near() if self.known(ex.reach) is None:
                return (ex.of, ex.reach)
            case Apply(op="set" | "range"):
                return tuple(a for a in ex.args if applies(ex, "range") or isinstance(a.type, t.Opt))
        return ()

    def repeatable(self, ex: Ex) -> bool:
        """Is it written as a name or a number?"""
        fixed = isinstance(ex, Local | Me) or (
            isinstance(ex, PlaceRef) and all(self.known(a) is not None for a in ex.indices)
        )
        return fixed or ex in self.c.hoisted or self.known(ex) is not None

    def inlines(self, decl: DefineDecl) -> bool:
        return self.opens(decl) and not self.pool.remembers(decl)

    def opens(self, decl: DefineDecl) -> bool:
        """Is it small enough to be written out where it is called?"""
        return self.c.depth < INLINE_DEPTH and self.pool.weight(decl) <= INLINE_SIZE


def optional(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt | t.Nothing)
