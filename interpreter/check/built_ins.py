"""Checking calls of the functions that come with the language; each says how it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...grammar import Span, syntax
from ..core import (
    Apply,
    Const,
    Ex,
    Gen,
    Local,
    Near,
    PlaceRef,
    Reduction,
    SpaceAt,
    TotalComponents,
    TotalTokens,
    Universe,
    Var,
)
from ..core import value_types as t
from .part import Part
from .scope import Scope
from .wording import highest, lowest

Args = tuple[syntax.Expr | syntax.NamedArg, ...]
BUILTINS: dict[str, str] = {}
"""The functions by name, each as it is written."""
GIVES: dict[str, str] = {}
"""What each gives, in the words of docs/language.md."""
_METHODS: dict[str, Callable[..., Ex]] = {}
Method = TypeVar("Method", bound=Callable[..., Ex])


def function(written: str, gives: str) -> Callable[[Method], Method]:
    """The method checks a function that is written like this, and gives this."""
    name = written.partition("(")[0]

    def note(method: Method) -> Method:
        BUILTINS[name] = written
        GIVES[name] = gives
        _METHODS[name] = method
        return method

    return note


class BuiltIns(Part):
    """A method for each function."""

    def call(self, name: str, args: Args, span: Span, scope: Scope) -> Ex:
        return _METHODS[name](self, args, span, scope)

    def _args(
        self, args: Args, scope: Scope, span: Span, name: str, *wants: t.Type | None
    ) -> list[Ex] | None:
        if len(args) != len(wants):
            self.error("D0302", f"this is written `{BUILTINS[name]}`", span)
            return None
        out = []
        for arg, want in zip(args, wants, strict=True):
            if isinstance(arg, syntax.NamedArg):
                self.error("D0302", f"this is written `{BUILTINS[name]}`", span)
                return None
            ex = self.c.exprs.expr(arg, scope, want)
            if want is not None:
                ex = self.c.fit.expect(ex, want, arg.span)
            if isinstance(ex.type, t.Unknown):
                return None
            out.append(ex)
        return out

    def _unknown(self, span: Span) -> Ex:
        return Const(t.UNKNOWN, span, 0)

    def _geometry(self, ex: Ex, span: Span) -> t.Space | None:
        """The space type of a grid or ring given as a place."""
        if isinstance(ex.type, t.Place) and ex.type.form.spaces and isinstance(ex, PlaceRef):
            return t.Space(self.c.paths.place_key(ex.place))
        if not isinstance(ex.type, t.Unknown):
            self.error("D0315", f"{t.a(ex.type)} is not a grid or a ring", span)
        return None

    def _space_arg(self, ex: Ex) -> t.Space | None:
        base = t.plain(ex.type)
        if isinstance(base, t.Space):
            return base
        if not isinstance(base, t.Unknown):
            self.error("D0301", f"this is {t.a(ex.type)}, but a space is needed", ex.span)
        return None

    @function("spaces(board)", "all spaces of a bounded grid or a ring")
    def _spaces(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "spaces", None)
        space = self._geometry(got[0], span) if got else None
        if space is None:
            return self._unknown(span)
        if self.game.places[space.of].width is None:
            name = self.game.places[space.of].name
            return self.error(
                "D0315",
                "a grid that grows has no fixed set of spaces",
                span,
                help=f"`frontier({name})` are those beside what lies there",
            )
        return Universe(t.SetOf(space), span, space)

    @function("around(s)", "the spaces next to s: four on a grid, fewer at its edge; two on a ring")
    def _around(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "around", None)
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        here = self.c.fit.expect(got[0], space, span)
        if self.game.places[space.of].form.round:
            steps = [Const(t.Num(n, n), span, n) for n in (1, -1)]
            ways = tuple(Apply(space, span, "ring_step", (here, step)) for step in steps)
            return Apply(t.SetOf(space), span, "set", ways)
        way = Var("d", f"around_{span.start}c", t.DIRECTION)
        step = Apply(t.Opt(space), span, "neighbour", (here, Local(t.DIRECTION, span, way)))
        four = Const(t.SetOf(t.DIRECTION), span, 0b01010101)
        return Reduction(t.SetOf(space), span, "set", (Gen(way, four),), step)

    @function("line(s, d)", "the spaces from s on in a direction, without s")
    def _line(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "line", None, t.DIRECTION)
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Apply(t.ListOf(space), span, "line", tuple(got))

    @function("lines(s, 4)", "for each straight line of four spaces through s, the other three")
    def _lines(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "lines", None, t.Num(2, t.MANY))
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Apply(t.ListOf(t.ListOf(space)), span, "lines", tuple(got))

    def _lane(self, name: str, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, name, None)
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Apply(t.SetOf(space), span, name, tuple(got))

    @function("row_of(s)", "all spaces of its row")
    def _row_of(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._lane("row_of", args, span, scope)

    @function("column_of(s)", "all spaces of its column")
    def _column_of(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._lane("column_of", args, span, scope)

    @function(
        "space_at(board, x, y)", "column x of row y, counted from the lower left; off the board is an error"
    )
    def _space_at(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "space_at", None, t.Num(-t.MANY, t.MANY), t.Num(-t.MANY, t.MANY))
        space = self._geometry(got[0], span) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return SpaceAt(space, span, got[1], got[2], space)

    @function("beside(lair, s)", "the directions in which something lies next to s")
    def _beside(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "beside", None, None)
        space = self._geometry(got[0], span) if got else None
        if got is None or space is None or self._space_arg(got[1]) is None:
            return self._unknown(span)
        return Apply(t.SetOf(t.DIRECTION), span, "beside", tuple(got))

    @function("beyond(c, d)", "the component next to c, or none")
    def _beyond(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "beyond", None, t.DIRECTION)
        if got is None:
            return self._unknown(span)
        base = t.plain(got[0].type)
        if not isinstance(base, t.Comp):
            return self.error("D0301", f"this is {t.a(base)}, but a component on a grid is needed", span)
        grids = [
            p for p in self.game.places.values() if p.form.spaces and not p.form.round and p.of == base.name
        ]
        if len(grids) != 1 or grids[0].owner or grids[0].indices:
            return self.error(
                "D0315",
                f"{t.a(base)} does not lie on one grid of its own",
                span,
                help="`board[c.space + d]` says which grid",
            )
        grid = PlaceRef(grids[0].type, span, grids[0])
        return Apply(t.Opt(base), span, "beyond", (got[0], got[1], grid))

    @function("frontier(lair)", "the empty spaces beside something; `frontier(lair, c)` as if c were lifted")
    def _frontier(self, args: Args, span: Span, scope: Scope) -> Ex:
        if len(args) == 2:
            got = self._args(args, scope, span, "frontier", None, None)
        else:
            got = self._args(args, scope, span, "frontier", None)
        space = self._geometry(got[0], span) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Apply(t.SetOf(space), span, "frontier", tuple(got))

    @function("near(s, n)", "the spaces at most so many steps away, with s")
    def _near(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "near", None, t.Num(0, t.MANY))
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Near(t.SetOf(space), span, got[0], got[1], space)

    @function("distance(a, b)", "steps along rows and columns; on a ring the shorter way")
    def _distance(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "distance", None, None)
        if got is None or self._space_arg(got[0]) is None or self._space_arg(got[1]) is None:
            return self._unknown(span)
        return Apply(t.Num(0, t.MANY), span, "distance", tuple(got))

    @function("rotate(set_of_directions, r)", "directions, or one, turned clockwise")
    def _rotate(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "rotate", None, t.ROTATION)
        if got is None:
            return self._unknown(span)
        if got[0].type not in (t.SetOf(t.DIRECTION), t.DIRECTION):
            return self.error("D0301", f"`rotate` turns directions, not {t.a(got[0].type)}", span)
        return Apply(got[0].type, span, "rotate", tuple(got))

    @function("opposite(d)", "the direction back")
    def _opposite(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "opposite", t.DIRECTION)
        return Apply(t.DIRECTION, span, "opposite", tuple(got)) if got else self._unknown(span)

    def _seat_fn(self, name: str, type_: t.Type, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, name, t.PLAYER)
        return Apply(type_, span, name, tuple(got)) if got else self._unknown(span)

    @function("clockwise(p)", "all players from p on, in the order of play")
    def _clockwise(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("clockwise", t.ListOf(t.PLAYER), args, span, scope)

    @function("left(p)", "the next player")
    def _left(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("left", t.PLAYER, args, span, scope)

    @function("right(p)", "the player before")
    def _right(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("right", t.PLAYER, args, span, scope)

    @function("others(p)", "all but p")
    def _others(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("others", t.SetOf(t.PLAYER), args, span, scope)

    @function("player(1)", "the player of that seat")
    def _player(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "player", t.Num(1, max(self.game.players or (1,))))
        return Apply(t.PLAYER, span, "player", tuple(got)) if got else self._unknown(span)

    def _end_fn(self, name: str, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, name, None)
        if got is None:
            return self._unknown(span)
        place = got[0].type
        if not isinstance(place, t.Place) or place.of in self.game.tokens or place.form.sorted:
            return self.error(
                "D0315", f"`{name}` is of a stack, row, deck or slot, and this is {t.a(place)}", span
            )
        return Apply(t.Opt(t.Comp(place.of)), span, name, tuple(got))

    @function("top(stack)", "the top one of a stack, row or deck; of a deck only where it is known")
    def _top(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._end_fn("top", args, span, scope)

    @function("bottom(stack)", "the bottom one, in the same way")
    def _bottom(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._end_fn("bottom", args, span, scope)

    @function("box(Card)", "where everything comes from")
    def _box(self, args: Args, span: Span, scope: Scope) -> Ex:
        if len(args) == 1 and isinstance(args[0], syntax.TypeName):
            name = f"box of {args[0].text}"
            if name in self.game.places:
                place = self.game.places[name]
                return PlaceRef(place.type, span, place)
        return self.error("D0302", f"this is written `{BUILTINS['box']}`", span)

    @function("total(Gem), total(Gem, red)", "all there are, wherever; `total(Card)` too")
    def _total(self, args: Args, span: Span, scope: Scope) -> Ex:
        if args and isinstance(args[0], syntax.TypeName):
            name = str(args[0].text)
            if name in self.game.components and len(args) == 1:
                return TotalComponents(t.Num(0, self.c.fit.size_of(t.Comp(name))), span, name)
            if name in self.game.tokens and len(args) <= 2:
                kind = None
                if len(args) == 2 and not isinstance(args[1], syntax.NamedArg):
                    kind = self.c.exprs.value(args[1], scope, t.Kind(name))
                most = sum(highest(a.type) for a in self.game.tokens[name].amounts)
                return TotalTokens(t.Num(0, most), span, name, kind)
        return self.error("D0302", f"this is written `{BUILTINS['total']}`", span)

    @function("abs(n)", "without its sign")
    def _abs(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "abs", t.Num(-t.MANY, t.MANY))
        if got is None:
            return self._unknown(span)
        low, high = lowest(got[0].type), highest(got[0].type, t.MANY)
        return Apply(t.Num(0, max(abs(low), abs(high))), span, "abs", tuple(got))

    @function(
        "revealed(x)",
        "x, a single value; says that the rules tell it although it is hidden, see [secrets](#secrets)",
    )
    def _revealed(self, args: Args, span: Span, scope: Scope) -> Ex:
        """A value that the rules tell, although what it is made of is hidden."""
        got = self._args(args, scope, span, "revealed", None)
        if got is None:
            return self._unknown(span)
        value = self.c.fit.as_value(got[0])
        if isinstance(value.type, t.SetOf | t.ListOf | t.Place | t.Array):
            return self.error(
                "D0301",
                f"one value is revealed at a time, and this is {t.a(value.type)}",
                span,
                help="`reveal place to all` and `show place to all:` open a place",
            )
        return Apply(value.type, span, "revealed", (value,))

    @function("number(kind_value)", "the position of a kind in its declaration")
    def _number(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "number", None)
        if got is None:
            return self._unknown(span)
        if not isinstance(got[0].type, t.Kind):
            return self.error("D0301", f"`number` takes a kind, not {t.a(got[0].type)}", span)
        return Apply(t.Num(1, self.c.fit.size_of(got[0].type)), span, "number", tuple(got))
