"""Does a value fit where it stands? Slots and places as values, ranges, what may be none, sizes of types."""

from __future__ import annotations

from ...grammar import Span
from ..core import OPERATORS, Apply, Attribute, Conditional, Ex, Field, InRange, PlaceRef, StateRef, applies
from ..core import value_types as t
from .part import Part
from .wording import brief, highest, range_words, written


class Fitting(Part):
    """Values where they are needed."""

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
                return sum(n if isinstance(n, int) else highest(n.type) for _, n in decl.rows)
            case t.Space(of):
                place = self.game.places.get(of)
                if place is None:
                    return t.MANY
                width = highest(place.width.type) if place.width else 0
                height = highest(place.height.type) if place.height else 1
                return width * height if place.width else t.MANY
            case t.Rec(name):
                return highest(self.game.records[name].limit.type)
        return t.MANY

    def expect(self, ex: Ex, wanted: t.Type, span: Span, what: str = "this") -> Ex:
        """The expression as a value of the wanted type, or an error."""
        ex = self.as_value(ex, wanted)
        if isinstance(t.plain(wanted), t.Comp) and isinstance(ex.type, t.SetOf):
            ex = self.c.printed.one(ex, wanted=True)
        if isinstance(wanted, t.Place) and isinstance(ex.type, t.Place) and not self.passable(ex.type):
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
            return self.within(ex, wanted)
        if isinstance(ex.type, t.Nothing) and not isinstance(wanted, t.Opt):
            return self.error(
                "D0304",
                f"{what} is none, but {t.a(wanted)} is needed",
                span,
                help=f"a type `{written(wanted)} or none` can be none",
            )
        if isinstance(ex.type, t.Opt) and not isinstance(wanted, t.Opt) and t.fits(ex.type.of, wanted):
            if in_slot(ex):
                return self.within(certain(ex), wanted)
            return self.error(
                "D0304",
                f"`{brief(span)}` may be none, but {t.a(wanted)} is needed",
                span,
                help=f"test it first: `{brief(span)} != none`, or name it: `let x = {brief(span)} else return`",
            )
        given, limits = t.plain(ex.type), t.plain(wanted)
        if isinstance(given, t.Num) and isinstance(limits, t.Num):
            return self.error(
                "D0303", f"{what} is {range_words(given)}, outside {limits.low}..{limits.high}", span
            )
        return self.error("D0301", f"{what} is {t.a(ex.type)}, but {t.a(wanted)} is needed", span)

    def passable(self, place: t.Place) -> bool:
        """Decks, grids and the like are too different to stand for "some place"."""
        return place.form.loose or (place.form.ordered and place.of not in self.game.tokens)

    def within(self, ex: Ex, wanted: t.Type) -> Ex:
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
        if ex.type.form.single and not isinstance(wanted, t.SetOf | t.ListOf):
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
                    f"`{brief(ex.span)}` holds tokens, which cannot be told apart",
                    ex.span,
                    help=f"run over the kinds: `for k in {ex.type.of} where {brief(ex.span)}[k] > 0`",
                )
            element = t.Comp(ex.type.of)
            if ex.type.form.ends:
                return Apply(t.ListOf(element), ex.span, "items", (ex,))
            return Apply(t.SetOf(element), ex.span, "items", (ex,))
        if isinstance(ex.type, t.SetOf | t.ListOf | t.Unknown):
            return ex
        if isinstance(ex.type, t.Opt) and isinstance(ex.type.of, t.SetOf | t.ListOf):
            return self.error("D0304", f"`{brief(ex.span)}` may be none", ex.span)
        return self.error(
            "D0310",
            f"`{brief(ex.span)}` is {t.a(ex.type)}: there is nothing to run over",
            ex.span,
            help="a set, a list, a range `1..3`, a place or a Type can stand here",
        )

    def element(self, domain: Ex) -> t.Type:
        return domain.type.of if isinstance(domain.type, t.SetOf | t.ListOf) else t.UNKNOWN


def _may_leave(given: t.Type, limits: t.Type) -> bool:
    """May a number of the one range be outside of the other?"""
    if not isinstance(given, t.Num) or not isinstance(limits, t.Num):
        return False
    return given.low < limits.low or given.high > limits.high


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


def all_or_nobody(winners: Ex) -> bool:
    """Does it stand for all players, or for none?"""
    if isinstance(winners, Conditional):
        return all_or_nobody(winners.then) and all_or_nobody(winners.otherwise)
    while isinstance(winners, Apply) and OPERATORS[winners.op].recast:
        winners = winners.args[0]
    return applies(winners, "players") or (applies(winners, "set") and not winners.args)
