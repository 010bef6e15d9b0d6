"""Checking expressions: names to declarations, types, no effects.

`expr` turns a syntax expression into a typed `Ex`. Paths are built up step by
step (`_raw`): `p.stack` is a partial reference to a place until its index has
been read; `_complete` insists that nothing is missing. A condition that says
`x != none` makes `x` certain in what it guards (scope.known_when).
"""

from __future__ import annotations

from ...grammar import Report, Span, Word, did_you_mean, syntax
from ..core import (
    And,
    Apply,
    Attribute,
    CheckedGame,
    Conditional,
    Const,
    Ex,
    Field,
    InRange,
    Or,
    PlaceDecl,
    PlaceRef,
    RecordDecl,
    RecordField,
    StateDecl,
    StateRef,
    applies,
    changed,
)
from ..core import value_types as t
from .functions import BUILTINS, FOREIGN, REDUCTIONS
from .scope import Scope, known_when

MANY = t.MANY
LANGUAGE_NAMES = frozenset(
    ("me", "my", "yes", "no", "none", "players", "player_count", "active", "turn_number")
    + ("directions", "diagonals", "all_directions", "rotations")
)
LARGEST = 10_000
BEYOND_COUNTING = 10**30
"""How many things a place, a type or a choice may run to."""
_ARITHMETIC = {
    syntax.Plus: "add",
    syntax.Minus: "sub",
    syntax.Times: "mul",
    syntax.Divide: "div",
    syntax.Modulo: "mod",
}
_ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class ExprChecker:
    game: CheckedGame
    report: Report

    # ------------------------------------------------------------ helpers
    def error(self, code: str, message: str, span: Span, **more: object) -> Ex:
        gone = self.report.removed.get(span.text) if code in ("D0201", "D0205", "D0206", "D0208") else None
        new = self.report.changed.get(span.text.partition("(")[0]) if code.startswith("D03") else None
        if gone is not None:
            more = {"related": [(gone, "a variant removes it here")]}
        elif new is not None and new.source.name != span.source.name and "related" not in more:
            more = {**more, "related": [(new, "a variant changes it here")]}
        self.report.add(code, message, span, **more)  # type: ignore[arg-type]
        return Const(t.UNKNOWN, span, 0)

    def const(self, value: int, type_: t.Type, span: Span) -> Ex:
        return Const(type_, span, value)

    def size_of(self, type_: t.Type) -> int:
        """An upper bound for the number of values of a type."""
        match type_:
            case t.Num(low, high):
                return high - low + 1
            case t.Kind(name):
                return len(self.game.kinds[name].values)
            case t.Player():
                return max(self.game.players, default=1)
            case t.YesNo():
                return 2
            case t.Comp(name):
                decl = self.game.components[name]
                if decl.piece:
                    return 1
                if not decl.rows and decl.count is not None and isinstance(decl.count.type, t.Num):
                    return decl.count.type.high
                return sum(n if isinstance(n, int) else _high(n.type) for _, n in decl.rows)
            case t.Space(of):
                place = self.game.places.get(of)
                if place is None:
                    return MANY
                width = _high(place.width.type) if place.width else 0
                height = _high(place.height.type) if place.height else 1
                return width * height if place.width else MANY
            case t.Rec(name):
                return _high(self.game.records[name].limit.type)
        return MANY

    def expect(self, ex: Ex, wanted: t.Type, span: Span, what: str = "this") -> Ex:
        """The expression as a value of the wanted type, or an error."""
        ex = self.as_value(ex, wanted)
        if isinstance(wanted, t.Place) and isinstance(ex.type, t.Place) and not self._passable(ex.type):
            return self.error(
                "D0314",
                f"{what} is {t.a(ex.type)}, which cannot be handed on",
                span,
                help="name it where it is used",
            )
        if isinstance(wanted, t.Place) and isinstance(ex, PlaceRef) and ex.place.cap is not None:
            return self.error(
                "D0314",
                f"{what} has a limit, so it cannot be handed on",
                span,
                help="name it where it is used",
            )
        if t.fits(ex.type, wanted):
            return self._within(ex, wanted)
        if isinstance(ex.type, t.Nothing) and not isinstance(wanted, t.Opt):
            return self.error(
                "D0304",
                f"{what} is none, but {t.a(wanted)} is needed",
                span,
                help=f"a type `{_written(wanted)} or none` can be none",
            )
        if isinstance(ex.type, t.Opt) and not isinstance(wanted, t.Opt) and t.fits(ex.type.of, wanted):
            if in_slot(ex):
                return self._within(certain(ex), wanted)
            return self.error(
                "D0304",
                f"`{_short(span)}` may be none, but {t.a(wanted)} is needed",
                span,
                help=f"test it first: `{_short(span)} != none`",
            )
        given, limits = t.plain(ex.type), t.plain(wanted)
        if isinstance(given, t.Num) and isinstance(limits, t.Num):
            return self.error(
                "D0303", f"{what} is {_range(given)}, outside {limits.low}..{limits.high}", span
            )
        return self.error("D0301", f"{what} is {t.a(ex.type)}, but {t.a(wanted)} is needed", span)

    def _passable(self, place: t.Place) -> bool:
        """Decks, grids and the like are too different to stand for "some place"."""
        return place.shape in ("", "bag") or (
            place.shape in ("row", "stack", "slot") and place.of not in self.game.tokens
        )

    def _within(self, ex: Ex, wanted: t.Type) -> Ex:
        """A number that may leave the wanted range is tested at play."""
        given, limits = t.plain(ex.type), t.plain(wanted)
        if (
            isinstance(given, t.SetOf)
            and isinstance(limits, t.SetOf)
            and (t.is_mask(given.of) != t.is_mask(limits.of) or _may_leave(given.of, limits.of))
        ):
            return Apply(limits, ex.span, "as_set", (ex,))
        if not isinstance(given, t.Num) or not isinstance(limits, t.Num):
            return ex
        if limits.low <= given.low and given.high <= limits.high:
            return ex
        type_: t.Type = t.Num(max(given.low, limits.low), min(given.high, limits.high))
        if isinstance(ex.type, t.Opt):
            type_ = t.Opt(type_)
        return InRange(type_, ex.span, ex, limits.low, limits.high)

    def as_value(self, ex: Ex, wanted: t.Type | None = None) -> Ex:
        """A slot stands for what lies in it, a place for its contents, where a value is meant."""
        if not isinstance(ex.type, t.Place) or isinstance(wanted, t.Place):
            return ex
        if ex.type.shape == "slot" and not isinstance(wanted, t.SetOf | t.ListOf):
            tokens = ex.type.of in self.game.tokens
            content: t.Type = t.Kind(ex.type.of) if tokens else t.Comp(ex.type.of)
            thing = Apply(t.Opt(content), ex.span, "slot_kind" if tokens else "top", (ex,))
            # it was tested, but may have been emptied since: then it is an error at play
            return Apply(content, ex.span, "some", (thing,)) if ex.type.filled else thing
        if isinstance(wanted, t.SetOf | t.ListOf):
            return self.items(ex)
        return ex

    def items(self, ex: Ex) -> Ex:
        """A domain to run over: a set, a list, a range, a type's values or a place's contents."""
        if isinstance(ex.type, t.Place):
            if ex.type.of in self.game.tokens:
                return self.error(
                    "D0310",
                    f"`{_short(ex.span)}` holds tokens, which cannot be told apart",
                    ex.span,
                    help=f"run over the kinds: `for k in {ex.type.of} where {_short(ex.span)}[k] > 0`",
                )
            element = t.Comp(ex.type.of)
            if ex.type.shape in ("row", "stack", "deck"):
                return Apply(t.ListOf(element), ex.span, "items", (ex,))
            return Apply(t.SetOf(element), ex.span, "items", (ex,))
        if isinstance(ex.type, t.SetOf | t.ListOf | t.Unknown):
            return ex
        if isinstance(ex.type, t.Opt) and isinstance(ex.type.of, t.SetOf | t.ListOf):
            return self.error("D0304", f"`{_short(ex.span)}` may be none", ex.span)
        return self.error(
            "D0310",
            f"`{_short(ex.span)}` is {t.a(ex.type)}: there is nothing to run over",
            ex.span,
            help="a set, a list, a range `1..3`, a place or a Type can stand here",
        )

    def element(self, domain: Ex) -> t.Type:
        return domain.type.of if isinstance(domain.type, t.SetOf | t.ListOf) else t.UNKNOWN

    # ------------------------------------------------------------ entry points
    def expr(self, node: syntax.Expr, scope: Scope, want: t.Type | None = None) -> Ex:
        ex = self._complete(self._raw(node, scope, want), node.span)
        if isinstance(ex.type, t.Opt) and node in scope.facts:
            return changed(ex, type=ex.type.of)
        if isinstance(ex.type, t.Place) and ex.type.shape == "slot" and node in scope.facts:
            return changed(ex, type=t.Place("slot", ex.type.of, filled=True))
        return ex

    def value(self, node: syntax.Expr, scope: Scope, want: t.Type, what: str = "this") -> Ex:
        return self.expect(self.expr(node, scope, want), want, node.span, what)

    def plain_value(self, node: syntax.Expr, scope: Scope) -> Ex:
        return self.as_value(self.expr(node, scope))

    def condition(self, node: syntax.Expr, scope: Scope) -> Ex:
        ex = self.as_value(self.expr(node, scope, t.YES_NO))
        if isinstance(ex.type, t.Opt) and isinstance(ex.type.of, t.YesNo):
            return Apply(t.YES_NO, ex.span, "eq", (ex, self.const(1, t.YES_NO, ex.span)))
        if not t.fits(ex.type, t.YES_NO):
            return self.error(
                "D0313",
                f"a condition is yes or no, but this is {t.a(ex.type)}",
                node.span,
                help=f"write `{_as_condition(ex.type, _short(node.span))}`, say",
            )
        return ex

    def number(self, node: syntax.Expr, scope: Scope, what: str = "this") -> Ex:
        ex = self.as_value(self.expr(node, scope, t.Num(0, 0)))
        if isinstance(ex.type, t.Num | t.Unknown):
            return ex
        if isinstance(ex.type, t.Opt) and isinstance(ex.type.of, t.Num):
            return self.expect(ex, ex.type.of, node.span, what)
        hint = (
            f"write `count({_short(node.span)})`"
            if isinstance(ex.type, t.Place | t.SetOf | t.ListOf)
            else None
        )
        return self.error("D0301", f"{what} is {t.a(ex.type)}, but a number is needed", node.span, help=hint)

    def domain(self, node: syntax.Expr, scope: Scope, want: t.Type | None = None) -> Ex:
        ex = self.items(self.expr(node, scope, t.SetOf(want) if want else None))
        if applies(ex, "range") and all(isinstance(a, Const) for a in ex.args):
            low, high = (a.value for a in ex.args if isinstance(a, Const))
            if high < low:
                return self.error("D0303", "this range is empty: the lower number comes first", node.span)
            if high - low >= LARGEST:
                return self.error(
                    "D0303", f"this runs over {high - low + 1} numbers; the most is {LARGEST}", node.span
                )
        return ex

    def _literal(self, text: str, sign: int, span: Span) -> Ex:
        value = sign * self.whole(text, span)
        return self.const(value, t.Num(value, value) if len(text) <= 9 else t.UNKNOWN, span)

    def whole(self, text: str, span: Span) -> int:
        """The number that digits stand for."""
        if len(text) > 9:
            self.error("D0303", "a number has at most nine digits", span)
            return 0
        return int(text)

    # ------------------------------------------------------------ by form
    def _raw(self, node: syntax.Expr, scope: Scope, want: t.Type | None = None) -> Ex:
        match node:
            case syntax.Group(inner=inner):
                return self._raw(inner, scope, want)
            case syntax.Number(text=text):
                return self._literal(text, 1, node.span)
            case syntax.NegativeNumber(text=text):
                return self._literal(text, -1, node.span)
            case syntax.Name(text=text):
                return self._name(text, scope, want)
            case syntax.TypeName(text=text):
                return self._type_name(text, scope)
            case syntax.Everything():
                return self.error(
                    "D0316",
                    "`all` is not a value",
                    node.span,
                    help="it stands in `move all from ...` and `seen by all`",
                )
            case syntax.Attribute():
                return self._attribute(node, scope)
            case syntax.Index():
                return self._index(node, scope)
            case syntax.Invoke():
                return self._invoke(node, scope, want)
            case syntax.Can(of=of):
                return self._can(of, node.span, scope)
            case syntax.SetOf(items=items):
                return self._set(items or (), node.span, scope, want)
            case syntax.SetComp(comprehension=comp):
                inner_want = want.of if isinstance(want, t.SetOf) else None
                return self.comprehension("set", comp, scope, node.span, inner_want)
            case syntax.RangeExpr(left=left, right=right):
                low, high = self.number(left, scope), self.number(right, scope)
                top = _high(high.type, MANY)
                return Apply(t.SetOf(t.Num(_low(low.type), top)), node.span, "range", (low, high))
            case syntax.IfExpr(then=then, when=when, otherwise=otherwise):
                condition = self.condition(when, scope)
                first = self.as_value(self.expr(then, scope.knowing(known_when(when, True)), want))
                want = want or first.type
                second = self.as_value(self.expr(otherwise, scope.knowing(known_when(when, False)), want))
                joined = t.join(first.type, second.type)
                if isinstance(joined, t.Place) and first.type != second.type:
                    apart = [
                        x.type
                        for x in (first, second)
                        if isinstance(x.type, t.Place) and not self._passable(x.type)
                    ]
                    joined = None if apart else joined
                if joined is None:
                    return self.error(
                        "D0301",
                        f"one side is {t.a(first.type)}, the other {t.a(second.type)}",
                        node.span,
                        help="both sides of `if ... else` must have one type",
                    )
                if isinstance(joined, t.Opt) and isinstance(joined.of, t.Num) and joined.of.low < 0:
                    return self.error(
                        "D0316",
                        "none cannot be told from a number below 0, so not one or the other",
                        node.span,
                    )
                return Conditional(joined, node.span, condition, first, second)
            case syntax.AndExpr(left=left, right=right):
                a = self.condition(left, scope)
                b = self.condition(right, scope.knowing(known_when(left, True)))
                return And(t.YES_NO, node.span, a, b)
            case syntax.OrExpr(left=left, right=right):
                a = self.condition(left, scope)
                b = self.condition(right, scope.knowing(known_when(left, False)))
                return Or(t.YES_NO, node.span, a, b)
            case syntax.NotExpr(of=of):
                return Apply(t.YES_NO, node.span, "not", (self.condition(of, scope),))
            case syntax.Negative(of=of):
                a = self.number(of, scope)
                return Apply(t.Num(-_high(a.type), -_low(a.type)), node.span, "neg", (a,))
            case syntax.Plus() | syntax.Minus() | syntax.Times() | syntax.Divide() | syntax.Modulo():
                return self._arithmetic(_ARITHMETIC[type(node)], node.left, node.right, node.span, scope)
            case syntax.Equals(left=left, right=right):
                return self._equality("eq", left, right, node.span, scope)
            case syntax.Compare(left=left, op=op, right=right):
                if op == "!=":
                    return self._equality("ne", left, right, node.span, scope)
                return self._ordering(op, left, right, node.span, scope)
            case syntax.IsIn(left=left, right=right):
                return self._membership(left, right, node.span, scope)
            case syntax.IsNotIn(left=left, right=right):
                inside = self._membership(left, right, node.span, scope)
                return Apply(t.YES_NO, node.span, "not", (inside,))
            case syntax.Note():
                return self.error(
                    "D0307",
                    "`note` has an effect, so it must be the whole value of `let` or `set`",
                    node.span,
                )
        raise AssertionError(f"no case for {type(node).__name__}")

    def _complete(self, ex: Ex, span: Span) -> Ex:
        if isinstance(ex, PlaceRef | StateRef | RecordField):
            missing = len(self._dims(ex)) - len(ex.indices)
            if missing > 0:
                name = ex.name if isinstance(ex, RecordField) else _declared(ex).name
                return self.error(
                    "D0302",
                    f"`{name}` needs {missing} more index{'es' if missing > 1 else ''}",
                    span,
                    help=f"write `{_short(span)}[...]`",
                )
        return ex

    def _dims(self, ex: PlaceRef | StateRef | RecordField) -> tuple[t.Type, ...]:
        if isinstance(ex, RecordField):
            return (t.Rec(ex.record.name), *ex.record.fields[ex.name][0])
        decl = _declared(ex)
        own = () if not decl.owner else (self.owner_type(decl.owner),)
        return (*own, *decl.indices)

    def owner_type(self, owner: str) -> t.Type:
        return t.PLAYER if owner == "player" else t.Comp(owner)

    # ------------------------------------------------------------ operators
    def _arithmetic(self, op: str, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        a = self.as_value(self.expr(left, scope))
        b = self.as_value(self.expr(right, scope))
        if isinstance(a.type, t.Unknown) or isinstance(b.type, t.Unknown):
            return Const(t.UNKNOWN, span, 0)
        space = t.plain(a.type)
        if isinstance(space, t.Space) and op in ("add", "sub"):
            if t.plain(b.type) == t.DIRECTION and op == "add":
                endless = (
                    space.of in self.game.places
                    and self.game.places[space.of].width is None
                    and not isinstance(a.type, t.Opt)
                )
                return Apply(space if endless else t.Opt(space), span, "neighbour", (a, b))
            ring = space.of in self.game.places and self.game.places[space.of].shape == "ring"
            if isinstance(b.type, t.Num) and ring:
                return Apply(
                    space, span, "ring_step", (a, b if op == "add" else Apply(b.type, span, "neg", (b,)))
                )
        if isinstance(a.type, t.SetOf) and isinstance(b.type, t.SetOf) and op in ("add", "sub"):
            joined = t.join(a.type, b.type)
            if joined is not None:
                return Apply(joined, span, "union" if op == "add" else "difference", (a, b))
        if isinstance(a.type, t.ListOf) and isinstance(b.type, t.ListOf) and op == "add":
            return Apply(a.type, span, "concat", (a, b))
        if isinstance(space, t.Space) and isinstance(b.type, t.Num):
            return self.error(
                "D0301",
                f"{t.a(space)} is not a number",
                left.span,
                help="on a grid one goes by directions: `s + N`",
            )
        if isinstance(a.type, t.SetOf | t.ListOf) and op in ("add", "sub"):
            hint = None if isinstance(b.type, t.SetOf | t.ListOf) else f"write `{{{_short(right.span)}}}`"
            return self.error("D0301", f"{t.a(a.type)} and {t.a(b.type)} do not go together", span, help=hint)
        a, b = certain(a), certain(b)
        if not isinstance(a.type, t.Num) or not isinstance(b.type, t.Num):
            bad, where = (a, left) if not isinstance(a.type, t.Num) else (b, right)
            if isinstance(bad.type, t.Opt):
                return self.expect(bad, bad.type.of, where.span)
            return self.error("D0301", f"this is {t.a(bad.type)}, but a number is needed", where.span)
        type_ = self._interval(op, a.type, b.type, span)
        if max(-type_.low, type_.high) > BEYOND_COUNTING:
            self.error("D0115", "this number may have more than 30 digits, which is beyond counting", span)
            type_ = t.Num(max(type_.low, -BEYOND_COUNTING), min(type_.high, BEYOND_COUNTING))
        return Apply(type_, span, op, (a, b))

    def _interval(self, op: str, a: t.Num, b: t.Num, span: Span) -> t.Num:
        match op:
            case "add":
                return t.Num(a.low + b.low, a.high + b.high)
            case "sub":
                return t.Num(a.low - b.high, a.high - b.low)
            case "mul":
                ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return t.Num(min(ends), max(ends))
            case "div":
                if b.low == b.high == 0:
                    self.error("D0303", "this divides by zero", span)
                    return a
                divisors = [y for y in (b.low, -1, 1, b.high) if y and b.low <= y <= b.high]
                ends = [x // y for x in (a.low, a.high) for y in divisors]
                return t.Num(min(ends), max(ends))
        if b.low <= 0:
            self.error("D0303", f"`mod` needs a number above zero, and this is {t.a(b)}", span)
        return t.Num(0, max(b.high - 1, 0))

    def _equality(self, op: str, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        empty = [isinstance(side, syntax.SetOf) and not side.items for side in (left, right)]
        if any(empty):
            place = self.expr(right if empty[0] else left, scope)
            if isinstance(place.type, t.Place):
                ex = Apply(t.YES_NO, span, "empty", (place,))
                return ex if op == "eq" else Apply(t.YES_NO, span, "not", (ex,))
        bare = isinstance(left, syntax.Name) and left.text in self.kind_values and left.text not in scope.vars
        if bare:
            b = self.as_value(self.expr(right, scope))
            a = self.as_value(self.expr(left, scope, b.type))
        else:
            a = self.as_value(self.expr(left, scope))
            b = self.as_value(self.expr(right, scope, a.type))
        if isinstance(a.type, t.Place) and isinstance(b.type, t.Place):
            return Apply(t.YES_NO, span, op, (a, b))
        if not t.comparable(a.type, b.type):
            if isinstance(a.type, t.Nothing) or isinstance(b.type, t.Nothing):
                other = b if isinstance(a.type, t.Nothing) else a
                hint = (
                    f"an empty place is `{_short(other.span)} = {{}}`"
                    if isinstance(other.type, t.Place)
                    else None
                )
                return self.error(
                    "D0301", f"this is {t.a(other.type)}, which is never none", other.span, help=hint
                )
            return self.error(
                "D0301",
                f"{t.a(a.type)} and {t.a(b.type)} cannot be compared",
                span,
                help="both sides must have one type",
            )
        return Apply(t.YES_NO, span, op, (a, b))

    def _ordering(self, op: str, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        a = certain(self.as_value(self.expr(left, scope)))
        b = certain(self.as_value(self.expr(right, scope, a.type)))
        for ex, node in ((a, left), (b, right)):
            if isinstance(ex.type, t.Opt):
                return self.expect(ex, ex.type.of, node.span)
            if not isinstance(ex.type, t.Num | t.Kind | t.Player | t.Unknown):
                return self.error("D0310", f"{t.a(ex.type)} has no order", node.span)
        if not t.comparable(a.type, b.type):
            return self.error("D0301", f"{t.a(a.type)} and {t.a(b.type)} cannot be compared", span)
        return Apply(t.YES_NO, span, _ORDER[op], (a, b))

    def _membership(self, left: syntax.Expr, right: syntax.Expr, span: Span, scope: Scope) -> Ex:
        bare = isinstance(left, syntax.Name) and left.text in self.kind_values and left.text not in scope.vars
        if bare:
            whole = self.expr(right, scope)
            inside = self.element(whole) if not isinstance(whole.type, t.Place) else None
            a = self.as_value(self.expr(left, scope, inside))
        else:
            a = self.as_value(self.expr(left, scope))
            whole = self.expr(right, scope, t.SetOf(t.plain(a.type)))
        if isinstance(whole.type, t.Place):
            if whole.type.of in self.game.tokens or not t.comparable(a.type, t.Comp(whole.type.of)):
                return self.error("D0301", f"{t.a(a.type)} cannot be in a place of {whole.type.of}", span)
            return Apply(t.YES_NO, span, "is_at", (a, whole))
        whole = self.items(whole)
        if not t.comparable(a.type, self.element(whole)):
            return self.error("D0301", f"{t.a(a.type)} cannot be in {t.a(whole.type)}", span)
        return Apply(t.YES_NO, span, "in", (a, whole))

    def _set(self, items: tuple[syntax.Expr, ...], span: Span, scope: Scope, want: t.Type | None) -> Ex:
        inner = want.of if isinstance(want, t.SetOf) else None
        values = []
        type_: t.Type = t.UNKNOWN
        for item in items:
            ex = self.as_value(self.expr(item, scope, inner if inner is not None else type_))
            if isinstance(ex.type, t.SetOf | t.ListOf | t.Place):
                hint = f"`{_short(item.span)}` is a set already" if isinstance(ex.type, t.SetOf) else None
                return self.error("D0301", f"a set cannot hold {t.a(ex.type)}", item.span, help=hint)
            joined = t.join(type_, ex.type)
            if joined is None:
                return self.error(
                    "D0301", f"a set cannot hold both {t.a(type_)} and {t.a(ex.type)}", item.span
                )
            type_ = joined
            values.append(ex)
        return Apply(t.SetOf(t.plain(type_)), span, "set", tuple(values))

    # implemented by the parts that know about calls and comprehensions
    kind_values: dict[str, list[str]]
    define_nodes: dict[str, syntax.Define]
    file: syntax.File

    def _name(self, text: Word, scope: Scope, want: t.Type | None) -> Ex:
        raise NotImplementedError

    def _type_name(self, text: Word, scope: Scope) -> Ex:
        raise NotImplementedError

    def _attribute(self, node: syntax.Attribute, scope: Scope) -> Ex:
        raise NotImplementedError

    def _index(self, node: syntax.Index, scope: Scope) -> Ex:
        raise NotImplementedError

    def all_names(self) -> dict[str, Span]:
        raise NotImplementedError

    def how_to_use(self, name: str) -> str | None:
        raise NotImplementedError

    def nearest(self, name: str, scope: Scope) -> str | None:
        known = [
            *scope.vars,
            *self.all_names(),
            *self.kind_values,
            *BUILTINS,
            *REDUCTIONS,
            "players",
            "player_count",
            "active",
            "directions",
        ]
        for full in (*self.game.places, *self.game.states, *self.game.components):
            if full == f"player.{name}":
                return f"each player has one: `my.{name}`"
        if name in FOREIGN:
            return f"write `{FOREIGN[name]}`"
        return did_you_mean(name, known)

    def where(self, ex: Ex) -> list[tuple[Span, str]]:
        """Where a place or state that an expression names was declared."""
        return [(_declared(ex).span, "declared here")] if isinstance(ex, PlaceRef | StateRef) else []

    def call_define(self, name: str, args: tuple[Ex, ...], span: Span, scope: Scope) -> Ex:
        raise NotImplementedError

    def _invoke(self, node: syntax.Invoke, scope: Scope, want: t.Type | None) -> Ex:
        raise NotImplementedError

    def _can(self, of: syntax.Expr, span: Span, scope: Scope) -> Ex:
        raise NotImplementedError

    def comprehension(
        self, kind: str, node: syntax.Comprehension, scope: Scope, span: Span, want: t.Type | None = None
    ) -> Ex:
        raise NotImplementedError


def _declared(ex: PlaceRef | StateRef) -> PlaceDecl | StateDecl:
    return ex.place if isinstance(ex, PlaceRef) else ex.state


def _may_leave(given: t.Type, limits: t.Type) -> bool:
    """May a number of the one range be outside of the other?"""
    if not isinstance(given, t.Num) or not isinstance(limits, t.Num):
        return False
    return given.low < limits.low or given.high > limits.high


def _low(type_: t.Type) -> int:
    return type_.low if isinstance(type_, t.Num) else 0


def _high(type_: t.Type, default: int = 0) -> int:
    return type_.high if isinstance(type_, t.Num) else default


def _range(type_: t.Num) -> str:
    return str(type_.low) if type_.low == type_.high else f"{type_.low}..{type_.high}"


def _as_condition(type_: t.Type, text: str) -> str:
    match type_:
        case t.Num():
            return f"{text} > 0"
        case t.Place(shape) if shape not in ("grid", "ring"):
            return f"count({text}) > 0"
        case t.SetOf() | t.ListOf():
            return f"{text} != {{}}"
        case t.Opt() | t.Nothing():
            return f"{text} != none"
    return f"{text} = ..."


def _written(type_: t.Type) -> str:
    """A type as a declaration writes it."""
    return f"{type_.low}..{type_.high}" if isinstance(type_, t.Num) and abs(type_.high) < MANY else str(type_)


def _short(span: Span) -> str:
    text = " ".join(span.text.split())
    return text if len(text) <= 40 else text[:37] + "..."


def in_slot(ex: Ex) -> bool:
    """Is this something that is known of what lies in a slot?"""
    while True:
        match ex:
            case Field(of=of) | StateRef(indices=(of,)):
                ex = of
            case Attribute(of=of, name="space" | "turned" | "owner" | "on"):
                ex = of
            case Apply(op="top" | "slot_kind", args=(Ex(type=t.Place(shape="slot")),)):
                return True
            case _:
                return False


def certain(ex: Ex) -> Ex:
    """Where a value is needed, that nothing lies in a slot is an error at play."""
    return Apply(ex.type.of, ex.span, "some", (ex,)) if isinstance(ex.type, t.Opt) and in_slot(ex) else ex


__all__ = ["MANY", "ExprChecker", "RecordDecl", "StateDecl", "certain", "in_slot"]
