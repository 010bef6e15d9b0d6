"""Checking calls: definitions, tables, built-in functions, comprehensions, `can`."""

from __future__ import annotations

from collections.abc import Callable

from ...grammar import Span, Word, did_you_mean, syntax
from ..core import (
    And,
    Apply,
    CallDefine,
    Can,
    CanMenu,
    Const,
    Ex,
    Gen,
    Local,
    Lookup,
    Near,
    PlaceRef,
    Reduction,
    SpaceAt,
    TotalComponents,
    TotalTokens,
    Universe,
    Var,
    applies,
    free_vars,
)
from ..core import value_types as t
from .expressions import LANGUAGE_NAMES, MANY, _high, _low, _short
from .functions import BUILTINS, REDUCTIONS
from .paths import PathChecker
from .scope import Body, Scope, known_when

Args = tuple[syntax.Expr | syntax.NamedArg, ...]


class CallChecker(PathChecker):
    _defining: list[str]

    # ------------------------------------------------------------ calls
    def _invoke(self, node: syntax.Invoke, scope: Scope, want: t.Type | None) -> Ex:
        if not isinstance(node.of, syntax.Name):
            return self.error("D0305", f"`{_short(node.of.span)}` takes no brackets", node.span)
        name = node.of.text
        span = node.span
        if name in self.game.defines or name in self.define_nodes:
            return self.call_define(name, self._plain_args(node, scope, name), span, scope)
        if name in self.game.tables:
            return self._table(name, self._plain_args(node, scope, name), span)
        if name in REDUCTIONS:
            return self._reduction(str(name), node, scope, want)
        if name in BUILTINS:
            if isinstance(node.args, syntax.Comprehension):
                return self.error("D0302", f"this is written `{BUILTINS[name]}`", span)
            handler: Callable[..., Ex] = getattr(self, f"_fn_{name}")
            return handler(node.args or (), span, scope)
        if name in self.game.rules or name in self.rule_names():
            return self.error(
                "D0307",
                f"`{name}` is a rule, which may have effects: it cannot stand inside an expression",
                span,
                help=f"write `let x = {name}(...)` on a line of its own, or make it a `define`",
            )
        if name in scope.vars:
            return self.error(
                "D0305", f"`{name}` is {t.a(scope.vars[name].type)}, which takes no brackets", node.of.span
            )
        if name in self.kind_values:
            kinds = " and ".join(self.kind_values[name])
            return self.error(
                "D0305", f"`{name}` is a value of {kinds}, which takes no brackets", node.of.span
            )
        if name in self.all_names():
            here = [(self.all_names()[name], "declared here")]
            return self.error(
                "D0305", f"`{name}` is not something that takes brackets", node.of.span, related=here
            )
        return self.error("D0201", f"`{name}` is not known", node.of.span, help=self.nearest(name, scope))

    def _plain_args(self, node: syntax.Invoke, scope: Scope, name: str) -> tuple[Ex, ...]:
        if isinstance(node.args, syntax.Comprehension):
            self.error(
                "D0302", f"`{name}` takes values one by one", node.span, related=self.where_declared(name)
            )
            return ()
        wanted = self._wanted(name)
        out = []
        for position, arg in enumerate(node.args or ()):
            if isinstance(arg, syntax.NamedArg):
                self.error("D0302", "arguments here have no names", arg.span)
                continue
            want = wanted[position] if position < len(wanted) else None
            out.append(self.expr(arg, scope, want))
        return tuple(out)

    def _wanted(self, name: str) -> list[t.Type]:
        if name in self.game.tables:
            return [p.type for p in self.game.tables[name].params]
        self.ensure_define(name)
        decl = self.game.defines.get(name)
        return [p.type for p in decl.params] if decl else []

    def ensure_define(self, name: str) -> None:
        raise NotImplementedError

    def rule_names(self) -> dict[str, object]:
        raise NotImplementedError

    def match_args(
        self, name: str, params: tuple[Var, ...], args: tuple[Ex, ...], span: Span
    ) -> tuple[Ex, ...] | None:
        if len(params) != len(args):
            wanted = ", ".join(f"{p.name}: {p.type}" for p in params) or "nothing"
            self.error(
                "D0302",
                f"`{name}` takes ({wanted}), but {_many(len(args))} given",
                span,
                related=self.where_declared(name),
            )
            return None
        return tuple(
            self.expect(arg, param.type, arg.span, f"`{param.name}`")
            for param, arg in zip(params, args, strict=True)
        )

    def call_define(self, name: str, args: tuple[Ex, ...], span: Span, scope: Scope) -> Ex:
        if name in self._defining:
            circle = self._defining[self._defining.index(name) :]
            way = f", by way of {' and '.join(f'`{n}`' for n in circle[1:])}" if len(circle) > 1 else ""
            return self.error(
                "D0318",
                f"`{name}` is defined by itself{way}",
                span,
                help="a `rule` may call itself; a definition may not",
            )
        self.ensure_define(name)
        decl = self.game.defines.get(name)
        if decl is None:
            return Const(t.UNKNOWN, span, 0)
        matched = self.match_args(name, decl.params, args, span)
        if matched is None:
            return Const(decl.type, span, 0)
        if decl.uses_me:
            self.me(scope, span)
        return CallDefine(decl.type, span, decl, matched)

    def _table(self, name: str, args: tuple[Ex, ...], span: Span) -> Ex:
        table = self.game.tables[name]
        matched = self.match_args(name, table.params, args, span)
        return Lookup(table.type, span, table, matched or ())

    def _can(self, of: syntax.Expr, span: Span, scope: Scope) -> Ex:
        name, args = self.callee(of, scope)
        if name is None:
            return self.error("D0305", "`can` asks about an action or a menu", span)
        self.me(scope, span)
        if name in self.menu_params():
            return CanMenu(t.YES_NO, span, name, self.fit_args(name, args, of.span))
        if name in self.action_names():
            return Can(t.YES_NO, span, name, self.fit_args(name, args, of.span))
        return self.error(
            "D0204",
            f"`{name}` is not an action or a menu",
            of.span,
            related=self.where_declared(name),
            help=did_you_mean(name, [*self.menu_params(), *self.action_names()]),
        )

    def fit_args(self, name: str, args: tuple[Ex, ...], span: Span) -> tuple[Ex, ...]:
        """The arguments of a rule, an action or a menu, each as its parameter wants it."""
        wanted = self.param_types(name)
        if len(wanted) != len(args):
            shown = ", ".join(map(str, wanted)) or "nothing"
            self.error(
                "D0302",
                f"`{name}` takes ({shown}), but {_many(len(args))} given",
                span,
                related=self.where_declared(name),
            )
            return args
        return tuple(
            self.expect(arg, want, arg.span, "the argument") for want, arg in zip(wanted, args, strict=True)
        )

    def where_declared(self, name: str) -> list[tuple[Span, str]]:
        if name in self.menu_params():
            return self.first_of_menu(name)
        span = self.all_names().get(name)
        return [(span, "declared here")] if span is not None else []

    def first_of_menu(self, name: str) -> list[tuple[Span, str]]:
        raise NotImplementedError

    def menu_params(self) -> dict[str, tuple[t.Type, ...]]:
        raise NotImplementedError

    def action_names(self) -> dict[str, object]:
        raise NotImplementedError

    def callee(self, node: syntax.Expr, scope: Scope) -> tuple[str | None, tuple[Ex, ...]]:
        """Name and arguments of `name` or `name(a, b)`."""
        if isinstance(node, syntax.Name):
            return str(node.text), ()
        if isinstance(node, syntax.Invoke) and isinstance(node.of, syntax.Name):
            if isinstance(node.args, syntax.Comprehension):
                return None, ()
            wanted = self.param_types(str(node.of.text))
            out = []
            for position, arg in enumerate(node.args or ()):
                if isinstance(arg, syntax.NamedArg):
                    self.error("D0302", "arguments here have no names", arg.span)
                    continue
                want = wanted[position] if position < len(wanted) else None
                ex = self.expr(arg, scope, want)
                out.append(self.as_value(ex, want))
            return str(node.of.text), tuple(out)
        return None, ()

    def param_types(self, name: str) -> list[t.Type]:
        raise NotImplementedError

    # ------------------------------------------------------------ comprehensions
    def comprehension(
        self, kind: str, node: syntax.Comprehension, scope: Scope, span: Span, want: t.Type | None = None
    ) -> Ex:
        inner = scope.child()
        gens = self.generators(node.binders, inner)
        conditions = self.conjuncts(node.where, inner)
        inner = inner.knowing(known_when(node.where, True)) if node.where is not None else inner
        gens = self.place_conditions(gens, conditions)
        while_ = self.condition(node.while_, inner) if node.while_ is not None else None
        if while_ is not None and len(gens) != 1:
            self.error("D0316", "`while` needs exactly one `x in s` before it", node.span)
        if kind in ("any", "every", "none"):
            value = self.condition(node.value, inner)
        else:
            value = self.as_value(self.expr(node.value, inner, want))
        by = tuple(self.number(key, inner, "the key after `by`") for key in node.by or ())
        if by and kind not in ("most", "least", "sort", "first"):
            self.error(
                "D0316",
                f"`by` has no meaning in `{kind}`" if kind != "set" else "`by` has no meaning in a set",
                by[0].span,
            )
        elif not by and kind in ("most", "least"):
            self.error("D0302", f"`{kind}` by what?", span, help=f"write `{REDUCTIONS[kind]}`")
        type_ = self._reduced(kind, gens, value, span)
        return Reduction(type_, span, kind, gens, value, by, while_)

    def fresh(self, scope: Scope, name: Word) -> None:
        """A new local name; one that hides another would be a riddle."""
        if name in scope.vars:
            self.error("D0209", f"`{name}` is already a name here", name.span, help="choose another name")
        elif name in LANGUAGE_NAMES:
            self.error("D0210", f"`{name}` is a word of the language", name.span, help="choose another name")

    def bind(self, scope: Scope, name: Word, type_: t.Type) -> Var:
        self.fresh(scope, name)
        return scope.bind(name, type_)

    def generators(
        self, binders: tuple[syntax.Binder | syntax.VectorBinder, ...], scope: Scope, *, vectors: bool = False
    ) -> tuple[Gen, ...]:
        """Bind the names of `x in s, y in t` in `scope`."""
        gens = []
        for binder in binders:
            if isinstance(binder, syntax.VectorBinder):
                if not vectors:
                    self.error("D0316", "a vector can only be chosen, not run over", binder.span)
                gens.append(self._vector(binder, scope))
                continue
            domain = self.domain(binder.domain, scope)
            var = self.bind(scope, binder.name, self.element(domain))
            gens.append(Gen(var, domain))
        return tuple(gens)

    def _vector(self, binder: syntax.VectorBinder, scope: Scope) -> Gen:
        inner = scope.child()
        cells = []
        for cell in binder.cells:
            domain = self.domain(cell.domain, inner)
            var = self.bind(inner, cell.name, self.element(domain))
            cells.append((var, domain))
            scope.vars[cell.name] = var  # a condition that names it is meant for every cell
        domain = self.domain(binder.domain, inner)
        index = tuple(var.type for var, _ in cells)
        var = self.bind(scope, binder.name, t.Array(index, self.element(domain)))
        return Gen(var, domain, _members(var, domain, cells), tuple(cells))

    def conjuncts(self, node: syntax.Expr | None, scope: Scope) -> list[Ex]:
        """The parts of a condition joined by `and`, each on its own."""
        if node is None:
            return []
        ex = self.condition(node, scope)
        found: list[Ex] = []

        def split(part: Ex) -> None:
            if isinstance(part, And):
                split(part.left)
                split(part.right)
            else:
                found.append(part)

        split(ex)
        return found

    def place_conditions(self, gens: tuple[Gen, ...], conditions: list[Ex]) -> tuple[Gen, ...]:
        """Each condition goes to the earliest generator at which all it needs is bound."""
        levels: list[list[Ex]] = [[] for _ in gens]
        for condition in conditions:
            needs = free_vars(condition)
            level = 0
            for index, gen in enumerate(gens):
                if gen.var.uid in needs or any(var.uid in needs for var, _ in gen.cells):
                    level = index
            if levels:
                levels[level].append(condition)
        return tuple(
            Gen(g.var, g.domain, (*g.where, *where), g.cells) for g, where in zip(gens, levels, strict=True)
        )

    def _reduced(self, kind: str, gens: tuple[Gen, ...], of: Ex, span: Span) -> t.Type:
        value = of.type
        size = 1
        for gen in gens:
            size = min(MANY, size * self.size_of(gen.var.type))
        match kind:
            case "count":
                return t.Num(0, size)
            case "any" | "every" | "none":
                return t.YES_NO
            case "sum" | "max" | "min":
                if isinstance(value, t.Unknown):
                    return value
                if not isinstance(value, t.Num):
                    return self.error("D0301", f"`{kind}` needs numbers, but this is {value}", span).type
                if kind == "sum":
                    return t.Num(min(0, value.low * size), max(0, value.high * size))
                return t.Num(min(0, value.low), max(0, value.high))
            case "set" | "most" | "least":
                return t.SetOf(t.plain(value))
            case "sort":
                return t.ListOf(t.plain(value))
            case "first" | "last":
                if isinstance(value, t.Num) and value.low <= -1 <= value.high:
                    return self.error(
                        "D0316",
                        f"`{kind}` may find none, which cannot be told from a number below 0",
                        of.span,
                        help="count from 0 up: add what is missing inside, and take it away again",
                    ).type
                return t.optional(value)
            case "the":
                return t.plain(value)
        raise AssertionError(kind)

    def _reduction(self, kind: str, node: syntax.Invoke, scope: Scope, want: t.Type | None) -> Ex:
        args, span = node.args, node.span
        if isinstance(args, syntax.Comprehension):
            return self.comprehension(kind, args, scope, span)
        plain = [a for a in args or () if not isinstance(a, syntax.NamedArg)]
        if kind in ("max", "min") and len(plain) > 1:
            values = tuple(self.number(a, scope) for a in plain)
            lows, highs = [_low(v.type) for v in values], [_high(v.type, MANY) for v in values]
            pick = max if kind == "max" else min
            return Apply(t.Num(pick(lows), pick(highs)), span, f"{kind}_of", values)
        if len(plain) != 1 or kind in ("any", "every", "none", "most", "least", "sort"):
            return self.error("D0302", f"this is written `{REDUCTIONS[kind]}`", span)
        whole = self.expr(plain[0], scope)
        if kind == "count" and isinstance(whole.type, t.Place):
            if whole.type.of in self.game.tokens:
                most = sum(_high(a.type) for a in self.game.tokens[whole.type.of].amounts)
            else:
                most = self.size_of(t.Comp(whole.type.of))
            return Apply(t.Num(0, most), span, "size", (whole,))
        whole = self.items(whole)
        if isinstance(whole.type, t.Unknown):
            return whole
        var = Var("it", f"it_{span.start}", self.element(whole))
        value = Local(var.type, span, var)
        gens = (Gen(var, whole),)
        return Reduction(self._reduced(kind, gens, value, span), span, kind, gens, value)

    # ------------------------------------------------------------ built-in functions
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
            ex = self.expr(arg, scope, want)
            if want is not None:
                ex = self.expect(ex, want, arg.span)
            if isinstance(ex.type, t.Unknown):
                return None
            out.append(ex)
        return out

    def _unknown(self, span: Span) -> Ex:
        return Const(t.UNKNOWN, span, 0)

    def _geometry(self, ex: Ex, span: Span) -> t.Space | None:
        """The space type of a grid or ring given as a place."""
        if isinstance(ex.type, t.Place) and ex.type.shape in ("grid", "ring") and isinstance(ex, PlaceRef):
            return t.Space(self.place_key(ex.place))
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

    def _fn_spaces(self, args: Args, span: Span, scope: Scope) -> Ex:
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

    def _fn_line(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "line", None, t.DIRECTION)
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Apply(t.ListOf(space), span, "line", tuple(got))

    def _fn_lines(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "lines", None, t.Num(2, MANY))
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

    def _fn_row_of(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._lane("row_of", args, span, scope)

    def _fn_column_of(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._lane("column_of", args, span, scope)

    def _fn_space_at(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "space_at", None, t.Num(-MANY, MANY), t.Num(-MANY, MANY))
        space = self._geometry(got[0], span) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return SpaceAt(space, span, got[1], got[2], space)

    def _fn_beside(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "beside", None, None)
        space = self._geometry(got[0], span) if got else None
        if got is None or space is None or self._space_arg(got[1]) is None:
            return self._unknown(span)
        return Apply(t.SetOf(t.DIRECTION), span, "beside", tuple(got))

    def _fn_beyond(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "beyond", None, t.DIRECTION)
        if got is None:
            return self._unknown(span)
        base = t.plain(got[0].type)
        if not isinstance(base, t.Comp):
            return self.error("D0301", f"this is {t.a(base)}, but a component on a grid is needed", span)
        grids = [p for p in self.game.places.values() if p.shape == "grid" and p.of == base.name]
        if len(grids) != 1 or grids[0].owner or grids[0].indices:
            return self.error(
                "D0315",
                f"{t.a(base)} does not lie on one grid of its own",
                span,
                help="`board[c.space + d]` says which grid",
            )
        grid = PlaceRef(grids[0].type, span, grids[0])
        return Apply(t.Opt(base), span, "beyond", (got[0], got[1], grid))

    def _fn_frontier(self, args: Args, span: Span, scope: Scope) -> Ex:
        if len(args) == 2:
            got = self._args(args, scope, span, "frontier", None, None)
        else:
            got = self._args(args, scope, span, "frontier", None)
        space = self._geometry(got[0], span) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Apply(t.SetOf(space), span, "frontier", tuple(got))

    def _fn_near(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "near", None, t.Num(0, MANY))
        space = self._space_arg(got[0]) if got else None
        if got is None or space is None:
            return self._unknown(span)
        return Near(t.SetOf(space), span, got[0], got[1], space)

    def _fn_distance(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "distance", None, None)
        if got is None or self._space_arg(got[0]) is None or self._space_arg(got[1]) is None:
            return self._unknown(span)
        return Apply(t.Num(0, MANY), span, "distance", tuple(got))

    def _fn_rotate(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "rotate", None, t.ROTATION)
        if got is None:
            return self._unknown(span)
        if got[0].type not in (t.SetOf(t.DIRECTION), t.DIRECTION):
            return self.error("D0301", f"`rotate` turns directions, not {t.a(got[0].type)}", span)
        return Apply(got[0].type, span, "rotate", tuple(got))

    def _fn_opposite(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "opposite", t.DIRECTION)
        return Apply(t.DIRECTION, span, "opposite", tuple(got)) if got else self._unknown(span)

    def _seat_fn(self, name: str, type_: t.Type, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, name, t.PLAYER)
        return Apply(type_, span, name, tuple(got)) if got else self._unknown(span)

    def _fn_clockwise(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("clockwise", t.ListOf(t.PLAYER), args, span, scope)

    def _fn_left(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("left", t.PLAYER, args, span, scope)

    def _fn_right(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("right", t.PLAYER, args, span, scope)

    def _fn_others(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._seat_fn("others", t.SetOf(t.PLAYER), args, span, scope)

    def _fn_player(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "player", t.Num(1, max(self.game.players or (1,))))
        return Apply(t.PLAYER, span, "player", tuple(got)) if got else self._unknown(span)

    def _end_fn(self, name: str, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, name, None)
        if got is None:
            return self._unknown(span)
        place = got[0].type
        if (
            not isinstance(place, t.Place)
            or place.of in self.game.tokens
            or place.shape in ("grid", "ring", "bag")
        ):
            return self.error(
                "D0315", f"`{name}` is of a stack, row, deck or slot, and this is {t.a(place)}", span
            )
        return Apply(t.Opt(t.Comp(place.of)), span, name, tuple(got))

    def _fn_top(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._end_fn("top", args, span, scope)

    def _fn_bottom(self, args: Args, span: Span, scope: Scope) -> Ex:
        return self._end_fn("bottom", args, span, scope)

    def _fn_box(self, args: Args, span: Span, scope: Scope) -> Ex:
        if len(args) == 1 and isinstance(args[0], syntax.TypeName):
            name = f"box of {args[0].text}"
            if name in self.game.places:
                place = self.game.places[name]
                return PlaceRef(place.type, span, place)
        return self.error("D0302", f"this is written `{BUILTINS['box']}`", span)

    def _fn_total(self, args: Args, span: Span, scope: Scope) -> Ex:
        if args and isinstance(args[0], syntax.TypeName):
            name = str(args[0].text)
            if name in self.game.components and len(args) == 1:
                return TotalComponents(t.Num(0, self.size_of(t.Comp(name))), span, name)
            if name in self.game.tokens and len(args) <= 2:
                kind = None
                if len(args) == 2 and not isinstance(args[1], syntax.NamedArg):
                    kind = self.value(args[1], scope, t.Kind(name))
                most = sum(_high(a.type) for a in self.game.tokens[name].amounts)
                return TotalTokens(t.Num(0, most), span, name, kind)
        return self.error("D0302", f"this is written `{BUILTINS['total']}`", span)

    def _fn_abs(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "abs", t.Num(-MANY, MANY))
        if got is None:
            return self._unknown(span)
        low, high = _low(got[0].type), _high(got[0].type, MANY)
        return Apply(t.Num(0, max(abs(low), abs(high))), span, "abs", tuple(got))

    def _fn_revealed(self, args: Args, span: Span, scope: Scope) -> Ex:
        """A value that the rules tell, although what it is made of is hidden."""
        got = self._args(args, scope, span, "revealed", None)
        if got is None:
            return self._unknown(span)
        value = self.as_value(got[0])
        if isinstance(value.type, t.SetOf | t.ListOf | t.Place | t.Array):
            return self.error(
                "D0301",
                f"one value is revealed at a time, and this is {t.a(value.type)}",
                span,
                help="`reveal place to all` and `show place to all:` open a place",
            )
        return Apply(value.type, span, "revealed", (value,))

    def _fn_number(self, args: Args, span: Span, scope: Scope) -> Ex:
        got = self._args(args, scope, span, "number", None)
        if got is None:
            return self._unknown(span)
        if not isinstance(got[0].type, t.Kind):
            return self.error("D0301", f"`number` takes a kind, not {t.a(got[0].type)}", span)
        return Apply(t.Num(1, self.size_of(got[0].type)), span, "number", tuple(got))


def _many(count: int) -> str:
    return "1 is" if count == 1 else f"{count} are"


__all__ = ["Body", "CallChecker"]


def _members(var: Var, domain: Ex, cells: list[tuple[Var, Ex]]) -> tuple[Ex, ...]:
    """What holds for a vector whose cells are taken from a set with gaps: each is in it."""
    if (
        isinstance(domain, Universe)
        or applies(domain, "range", "players")
        or not isinstance(var.type, t.Array)
    ):
        return ()
    cell: Ex = Local(var.type, domain.span, var)
    for index, _ in cells:
        cell = Apply(var.type.of, domain.span, "array_at", (cell, Local(index.type, domain.span, index)))
    return (Apply(t.YES_NO, domain.span, "in", (cell, domain)),)
