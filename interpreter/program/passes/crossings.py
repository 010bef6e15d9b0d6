"""What happens around a move: triggers on places that things enter or leave, and `until moved`.

A move is an event once something really moves. Whether something does, and
where components come from, is asked before the move; the triggers run behind
it, in the order in which they are declared. Most moves concern no trigger at
all and stay as they are.

What a move carries where is a fact (facts.py). Each stream of things gives
*edges*: a place that is left, the place that is entered and, if that has room
for so many only, the place where the rest goes; each with the condition under
which something crosses there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...core import (
    And,
    Apply,
    Attribute,
    CallRule,
    CheckedGame,
    Conditional,
    Const,
    Draw,
    Ex,
    For,
    Gen,
    If,
    Let,
    Local,
    MoveOn,
    Or,
    Pick,
    PlaceDecl,
    PlaceIs,
    PlaceRef,
    Reduction,
    ResetOne,
    RuleDecl,
    St,
    Swap,
    Var,
    changed,
    map_children,
)
from ...core import value_types as t
from ...core.facts import Transfer, rest_of, transfers

Edge = tuple[str, Ex, Ex | None]
"""`entering` or `leaving`, a place, and when something crosses its edge (None: certainly)."""


class Crossings:
    def __init__(self, game: CheckedGame, number: Callable[[], str]) -> None:
        self.game = game
        self.number = number
        self.triggers = [
            trigger
            for trigger in game.triggers.values()
            if any(kind in ("entering", "leaving") for kind, _ in trigger.events)
        ]

    def around(self, st: St) -> tuple[list[St], St, list[St]]:
        """The statements before a move, the move itself, and those behind it."""
        before: list[St] = []
        after: list[St] = []
        if not isinstance(st, Draw | Pick):  # which become single moves
            st = self._forget(st, before, after)
            self._notice(st, before, after)
        return before, st, after

    def _let(self, ex: Ex, before: list[St]) -> Ex:
        """The value of an expression before the move."""
        if isinstance(ex, Local | Const):
            return ex
        var = Var("was", f"was_{self.number()}", ex.type)
        before.append(Let(ex.span, var, ex))
        return Local(ex.type, ex.span, var)

    # ------------------------------------------------------------ until moved
    def _forget(self, st: St, before: list[St], after: list[St]) -> St:
        """Put back what a component has only until it moves."""
        moved = [(x.of, x.things, x.source) for x in transfers(st)]
        if isinstance(st, MoveOn):
            moved = [(st.thing.component_type.name, st.thing, None)]
        known: dict[int, Ex] = {}
        for of, things, source in moved:
            keys = [k for k, s in self.game.states.items() if s.until == "moved" and s.owner == of]
            if not keys:
                continue
            one = t.Comp(of)
            if things is None:
                assert source is not None
                items = Apply(t.ListOf(one), st.span, "items", (source,))
                now = self._let(Apply(t.ListOf(one), st.span, "snapshot", (items,)), before)
            else:
                now = known[id(things)] = self._let(things, before)
            if isinstance(now.type, t.SetOf | t.ListOf):
                each = Var("each", f"each_{self.number()}", one)
                resets = tuple(_reset(Local(one, st.span, each), key) for key in keys)
                after.append(For(st.span, (Gen(each, now),), resets))
            else:
                thing = changed(now, type=one)  # what chance has drawn has no type of its own
                after += [_reset(thing, key) for key in keys]
        if not known:
            return st
        return map_children(lambda part: known.get(id(part), part), st)

    # ------------------------------------------------------------ entering and leaving
    def _notice(self, st: St, before: list[St], after: list[St]) -> None:
        edges: list[Edge] | None = None
        for trigger in self.triggers:
            if not self._concerns(trigger, st):
                continue
            if edges is None:
                edges = [edge for transfer in transfers(st) for edge in self._edges(st, transfer, before)]
            tests = [test for event in trigger.events for test in self._tests(event, edges, before)]
            if not tests:
                continue
            call: St = CallRule(st.span, f"trigger {trigger.name}")
            if None not in tests:
                call = If(st.span, _any_of([x for x in tests if x is not None]), (call,))
            after.append(call)

    def _concerns(self, trigger: RuleDecl, st: St) -> bool:
        """Is this trigger about a place of such things at all?"""
        carried = {transfer.of for transfer in transfers(st)}
        return any(
            kind in ("entering", "leaving") and self.game.places[key].of in carried
            for kind, key in trigger.events
        )

    def _tests(self, event: tuple[str, str], edges: list[Edge], before: list[St]) -> Iterator[Ex | None]:
        """None: certainly crosses the place; an expression: crosses it when that holds."""
        kind, key = event
        if kind not in ("entering", "leaving"):
            return
        place = self.game.places[key]
        for way, end, when in edges:
            if way != kind:
                continue
            if isinstance(end, PlaceRef):
                if end.place is place:
                    yield when
            elif end.place_type.of == place.of:
                here = self._let(_is(end, place), before)
                yield here if when is None else _both(here, when)

    def _edges(self, st: St, transfer: Transfer, before: list[St]) -> Iterator[Edge]:
        some = self._something(st, transfer, before)
        if transfer.source is not None:
            yield "leaving", transfer.source, some
        else:
            yield from self._departures(st, transfer, before)
        yield from self._arrivals(st, transfer, some, before)

    def _departures(self, st: St, transfer: Transfer, before: list[St]) -> Iterator[Edge]:
        """Components say where they are themselves."""
        things = transfer.things
        assert things is not None
        comp = self.game.components[transfer.of]
        if not isinstance(things.type, t.SetOf | t.ListOf):
            yield "leaving", Attribute(t.Place("", transfer.of), st.span, things, comp, "place"), None
            return
        for trigger in self.triggers:
            for kind, key in trigger.events:
                place = self.game.places.get(key)
                if kind == "leaving" and place is not None and place.of == transfer.of:
                    var = Var("it", f"it_{self.number()}", t.Comp(transfer.of))
                    it = Local(var.type, st.span, var)
                    where = Attribute(t.Place("", transfer.of), st.span, it, comp, "place")
                    found = Reduction(t.YES_NO, st.span, "any", (Gen(var, things),), _is(where, place))
                    named = PlaceRef(place.type, st.span, place)
                    yield "leaving", named, self._let(found, before)

    def _arrivals(self, st: St, transfer: Transfer, some: Ex | None, before: list[St]) -> Iterator[Edge]:
        target: Ex = transfer.target
        rest = rest_of(target)
        if rest is None:
            yield "entering", target, some
            return
        there, count = self._newcomers(st, transfer, before)
        swapped = isinstance(st, Swap)
        while rest is not None:
            assert isinstance(target, PlaceRef) and target.place.cap is not None
            room = target.place.cap
            if not swapped:  # else it has been cleared
                size = Apply(_AMOUNT, st.span, "size", (target,))
                room = Apply(_AMOUNT, st.span, "max_of", (_zero(st), _minus(room, size)))
            room = self._let(room, before)
            inside: Ex = _both(_more(count, _zero(st)), _more(room, _zero(st)))
            if there is not None:
                inside = Or(t.YES_NO, st.span, there, inside)
            yield "entering", target, some if swapped else inside
            count, there, swapped = _minus(count, room), None, False
            target, rest = rest, rest_of(rest)
        yield "entering", target, self._let(_more(count, _zero(st)), before)

    def _newcomers(self, st: St, transfer: Transfer, before: list[St]) -> tuple[Ex | None, Ex]:
        """Is something put that lies there already, for which there is room; and how many others come?"""
        things, target = transfer.things, transfer.target
        if things is None or transfer.source is not None:
            return None, self._let(self._amount(st, transfer), before)
        if not isinstance(things.type, t.SetOf | t.ListOf):
            there = self._let(Apply(t.YES_NO, st.span, "is_at", (things, target)), before)
            return there, Conditional(_AMOUNT, st.span, there, _zero(st), _number(1, st))
        var = Var("it", f"it_{self.number()}", t.Comp(transfer.of))
        here = Apply(t.YES_NO, st.span, "is_at", (Local(var.type, st.span, var), target))
        away = Apply(t.YES_NO, st.span, "not", (here,))
        some = Reduction(t.YES_NO, st.span, "any", (Gen(var, things),), here)
        count = Reduction(_AMOUNT, st.span, "count", (Gen(var, things, (away,)),), _zero(st))
        return self._let(some, before), self._let(count, before)

    def _amount(self, st: St, transfer: Transfer) -> Ex:
        if transfer.amount is not None:
            return transfer.amount
        if transfer.things is not None:
            return _number(1, st)
        assert transfer.source is not None
        return Apply(_AMOUNT, st.span, "size", (transfer.source,))

    def _something(self, st: St, transfer: Transfer, before: list[St]) -> Ex | None:
        """Does anything move? None: certainly."""
        things = transfer.things
        if things is not None and isinstance(things.type, t.SetOf | t.ListOf):
            var = Var("it", f"it_{self.number()}", t.Comp(transfer.of))
            count = Reduction(_AMOUNT, st.span, "count", (Gen(var, things),), _zero(st))
            return self._let(_more(count, _zero(st)), before)
        if things is not None:
            return None
        if transfer.amount is not None:
            if isinstance(transfer.amount, Const) and transfer.amount.value > 0:
                return None
            return _more(self._let(transfer.amount, before), _zero(st))
        # two places that are swapped are one event: both are left and entered if anything moves at all
        sources = [each.source for each in transfers(st) if each.source is not None]
        filled: list[Ex] = [
            Apply(t.YES_NO, st.span, "not", (Apply(t.YES_NO, st.span, "empty", (x,)),)) for x in sources
        ]
        return self._let(_any_of(filled), before)


_AMOUNT = t.Num(0, t.MANY)


def _number(value: int, st: St) -> Ex:
    return Const(t.Num(value, value), st.span, value)


def _zero(st: St) -> Ex:
    return _number(0, st)


def _minus(a: Ex, b: Ex) -> Ex:
    return Apply(t.Num(-t.MANY, t.MANY), a.span, "sub", (a, b))


def _more(a: Ex, b: Ex) -> Ex:
    return Apply(t.YES_NO, a.span, "gt", (a, b))


def _both(a: Ex, b: Ex) -> Ex:
    return And(t.YES_NO, a.span, a, b)


def _is(end: Ex, place: PlaceDecl) -> Ex:
    return PlaceIs(t.YES_NO, end.span, end, place)


def _reset(thing: Ex, key: str) -> St:
    return ResetOne(thing.span, thing, key)


def _any_of(tests: list[Ex]) -> Ex:
    whole, *rest = tests
    for test in rest:
        whole = Or(t.YES_NO, test.span, whole, test)
    return whole
