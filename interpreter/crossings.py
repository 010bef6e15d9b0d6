"""What happens around a move: triggers on places that things enter or leave, and `until moved`.

A move is an event once something really moves. Whether something does, and
where components come from, is asked before the move; the triggers run behind
it, in the order in which they are declared. Most moves concern no trigger at
all and stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from . import types as t
from .core import CheckedGame, Comp, Ex, Gen, PlaceDecl, St, Var

MOVES = frozenset(("move", "move_set", "move_all", "move_tokens", "move_cell", "draw_one", "move_on", "swap"))
_SOURCE = {"move_all": 0, "move_tokens": 2, "move_cell": 0, "draw_one": 1}
_TARGET = {"move": 1, "move_set": 1, "move_all": 1, "move_tokens": 3, "move_cell": 2, "draw_one": 2}


class Crossings:
    def __init__(self, game: CheckedGame, number: Callable[[], int]) -> None:
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
        if st.op in MOVES:
            st = self._forget(st, before, after)
            self._notice(st, before, after)
        return before, st, after

    def _let(self, ex: Ex, before: list[St]) -> Ex:
        """The value of an expression before the move."""
        if ex.op in ("local", "const"):
            return ex
        var = Var("was", f"was_{self.number()}", ex.type)
        before.append(St("let", ex.span, (ex,), data=var))
        return Ex("local", ex.type, ex.span, data=var)

    # ------------------------------------------------------------ until moved
    def _forget(self, st: St, before: list[St], after: list[St]) -> St:
        """Put back what a component has only until it moves."""
        comp = _component(st)
        keys = [k for k, s in self.game.states.items() if s.until == "moved" and s.owner == comp]
        if not keys or comp is None:
            return st
        first, *rest = st.args
        one = t.Comp(comp)
        if st.op in ("move", "move_on"):
            first = self._let(first, before)
            st = St(st.op, st.span, (first, *rest), data=st.data)
            moved = [first]
        elif st.op == "draw_one":
            moved = [Ex("local", one, st.span, data=first.data)]
        elif st.op == "swap" and not isinstance(first.type, t.Place):
            moved = [self._let(a, before) for a in st.args]
            st = St(st.op, st.span, tuple(moved))
        else:
            places = st.args if st.op == "swap" else st.args[:1]
            for place in places:
                things = place
                if isinstance(place.type, t.Place):
                    things = Ex(
                        "snapshot", t.ListOf(one), st.span, (Ex("items", t.ListOf(one), st.span, (place,)),)
                    )
                things = self._let(things, before)
                if st.op == "move_set":
                    st = St(st.op, st.span, (things, *rest), data=st.data)
                each = Var("each", f"each_{self.number()}", one)
                resets = tuple(self._reset(Ex("local", one, st.span, data=each), key) for key in keys)
                after.append(St("for", st.span, (Gen(each, things),), resets, data=(None, None)))
            return st
        after += [self._reset(thing, key) for thing in moved for key in keys]
        return st

    def _reset(self, thing: Ex, key: str) -> St:
        return St("reset_one", thing.span, (thing,), data=key)

    # ------------------------------------------------------------ entering and leaving
    def _notice(self, st: St, before: list[St], after: list[St]) -> None:
        something: list[Ex | None] | None = None
        for trigger in self.triggers:
            tests: list[Ex | None] = []
            for kind, key in trigger.events:
                if kind in ("entering", "leaving"):
                    tests += self._tests(st, kind, self.game.places[key], before)
            if not tests:
                continue
            if something is None:
                something = [self._something(st, before)]
            call = St("call", st.span, (), data=(f"trigger {trigger.name}", None, None))
            conditions = [
                something[0],
                None if None in tests else _any_of([x for x in tests if x is not None]),
            ]
            for condition in conditions:
                if condition is not None:
                    call = St("if", st.span, (condition,), (call,))
            after.append(call)

    def _something(self, st: St, before: list[St]) -> Ex | None:
        """Does anything move? None: certainly."""
        zero = Ex("const", t.Num(0, 0), st.span, data=0)
        if st.op == "move_tokens":
            return Ex("gt", t.YES_NO, st.span, (self._let(st.args[0], before), zero))
        if st.op in ("move_all", "swap") and isinstance(st.args[0].type, t.Place):
            places = st.args if st.op == "swap" else st.args[:1]
            filled = [Ex("not", t.YES_NO, st.span, (Ex("empty", t.YES_NO, st.span, (p,)),)) for p in places]
            return self._let(_any_of(filled), before)
        if st.op == "move_set":
            var = Var("it", f"it_{self.number()}", st.args[0].type.of)
            count = Ex("comp", t.Num(0, t.MANY), st.span, data=Comp("count", (Gen(var, st.args[0]),), zero))
            return self._let(Ex("gt", t.YES_NO, st.span, (count, zero)), before)
        return None

    def _tests(self, st: St, kind: str, place: PlaceDecl, before: list[St]) -> list[Ex | None]:
        """None: certainly crosses the place; an expression: crosses it when that holds."""
        if st.op == "swap":
            ends = [a for a in st.args if isinstance(a.type, t.Place)]
        elif kind == "leaving" and st.op in ("move", "move_set"):
            return self._departures(st, place, before)
        else:
            index = (_TARGET if kind == "entering" else _SOURCE).get(st.op)
            ends = [st.args[index]] if index is not None else []
        out: list[Ex | None] = []
        for end in ends:
            if end.op == "place":
                out += [None] if end.data is place else []
            elif end.type.of == place.of:
                out.append(Ex("place_is", t.YES_NO, st.span, (end,), place))
        return out

    def _departures(self, st: St, place: PlaceDecl, before: list[St]) -> list[Ex | None]:
        """Components say where they are themselves."""
        if _component(st) != place.of:
            return []

        def comes_from(thing: Ex) -> Ex:
            where = Ex("comp_place", t.Place("", place.of), st.span, (thing,), self.game.components[place.of])
            return Ex("place_is", t.YES_NO, st.span, (where,), place)

        thing = st.args[0]
        if st.op == "move":
            return [self._let(comes_from(thing), before)]
        var = Var("it", f"it_{self.number()}", t.Comp(place.of))
        test = comes_from(Ex("local", var.type, st.span, data=var))
        found = Ex("comp", t.YES_NO, st.span, data=Comp("any", (Gen(var, thing),), test))
        return [self._let(found, before)]


def _component(st: St) -> str | None:
    """The component type that a statement moves."""
    if st.op == "draw_one":
        return str(st.args[1].type.of)
    type_ = st.args[0].type
    if isinstance(type_, t.SetOf | t.ListOf):
        type_ = type_.of
    if isinstance(type_, t.Place):
        return type_.of
    return type_.name if isinstance(type_, t.Comp) else None


def _any_of(tests: list[Ex]) -> Ex:
    whole, *rest = tests
    for test in rest:
        whole = Ex("or", t.YES_NO, test.span, (whole, test))
    return whole
