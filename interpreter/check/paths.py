"""Checking names and paths: `gold`, `p.stack[colour]`, `board[s]`.

Paths are built up step by step: `p.stack` is a partial reference to a place
until its index has been read (`_complete` in check_exprs.py insists on that).
"""

from __future__ import annotations

from ...grammar import Span, Word, did_you_mean, syntax
from ...grammar.fixes import Help
from ..core import (
    Apply,
    Attribute,
    Const,
    Coordinate,
    Ex,
    Field,
    Local,
    Me,
    Option,
    OwnedPiece,
    PartitionOf,
    PlaceDecl,
    PlaceRef,
    RecordField,
    Rows,
    StateDecl,
    StateRef,
    Universe,
    changed,
)
from ..core import value_types as t
from .built_ins import BUILTINS
from .fitting import certain, in_slot
from .functions import FOREIGN, REDUCTIONS
from .part import Part
from .scope import Scope
from .wording import brief, highest


class Paths(Part):
    """Names, members and positions."""

    def owner_type(self, owner: str) -> t.Type:
        return t.PLAYER if owner == "player" else t.Comp(owner)

    def nearest(self, name: str, scope: Scope) -> str | None:
        known = [
            *scope.vars,
            *self.c.names.all,
            *self.c.names.kind_values,
            *BUILTINS,
            *REDUCTIONS,
            "players",
            "player_count",
            "active",
            "directions",
        ]
        for full in (*self.game.places, *self.game.states, *self.game.components):
            if full == f"player.{name}":
                return Help(f"each player has one: `my.{name}`", f"my.{name}", name, safe=False)
        if name in FOREIGN:
            return f"write `{FOREIGN[name]}`"
        found = did_you_mean(name, known)
        if isinstance(found, Help) and found.instead in (*BUILTINS, *REDUCTIONS):
            if len(found.instead) >= 2 * len(name):
                return None  # `red` is no slip for `spread`
            found.safe = False  # a function where a value may be meant
        return found

    def where(self, ex: Ex) -> list[tuple[Span, str]]:
        """Where a place or state that an expression names was declared."""
        return [(declaration(ex).span, "declared here")] if isinstance(ex, PlaceRef | StateRef) else []

    # ------------------------------------------------------------ names
    def name(self, text: Word, scope: Scope, want: t.Type | None) -> Ex:
        span = text.span
        game = self.game
        if text in scope.vars:
            var = scope.vars[text]
            return Local(var.type, span, var)
        if text in ("me", "my"):
            return self.me(scope, span)
        if text == "active":
            return self.active(scope, span)
        constants = self._constant(text, span, want)
        if constants is not None:
            return constants
        if text in game.places:
            place = game.places[text]
            return PlaceRef(place.type, span, place)
        if text in game.states:
            state = game.states[text]
            return StateRef(state.type, span, state)
        if text in game.components and game.components[text].piece:
            return Const(t.Comp(text), span, 0)
        if text in game.defines or text in self.c.names.define_nodes:
            return self.c.calls.call_define(text, (), span, scope)
        if text in game.options:
            return Option(game.options[text].type, span, text)
        if text in BUILTINS or text in REDUCTIONS:
            written = BUILTINS.get(text) or REDUCTIONS[text]
            return self.error(
                "D0204", f"`{text}` is a function, not a value", span, help=f"write `{written}`"
            )
        if text in self.c.names.all:
            here = [(self.c.names.all[text], "declared here")]
            if scope.body.kind == "constant" and not self.c.names.how_to_use(text):
                return self.error(
                    "D0317", f"`{text}` is not fixed before the game starts", span, related=here
                )
            return self.error(
                "D0204", f"`{text}` is not a value", span, related=here, help=self.c.names.how_to_use(text)
            )
        if text in scope.lost:
            return self.error(
                "D0211",
                f"`{text}` has no value here if nothing {scope.lost[text].what}",
                span,
                related=[(scope.lost[text].span, scope.lost[text].then)],
                help=scope.lost[text].help,
            )
        return self.error("D0201", f"`{text}` is not known", span, help=self.nearest(text, scope))

    def _constant(self, text: Word, span: Span, want: t.Type | None) -> Ex | None:
        players = self.game.players or (1,)
        match str(text):
            case "yes" | "no":
                return Const(t.YES_NO, span, int(text == "yes"))
            case "none":
                return Const(t.NOTHING, span, -1)
            case "players":
                return Apply(t.SetOf(t.PLAYER), span, "players")
            case "player_count":
                return Apply(t.Num(min(players), max(players)), span, "player_count")
            case "directions":
                return Const(t.SetOf(t.DIRECTION), span, 0b01010101)
            case "diagonals":
                return Const(t.SetOf(t.DIRECTION), span, 0b10101010)
            case "all_directions":
                return Const(t.SetOf(t.DIRECTION), span, 0b11111111)
            case "rotations":
                return Universe(t.SetOf(t.ROTATION), span, t.ROTATION)
            case "turn_number":
                return Apply(t.Num(0, t.MANY), span, "turn_number")
        owners = self.c.names.kind_values.get(text)
        if owners is None:
            return None
        wanted = t.plain(want) if want is not None else None
        if isinstance(wanted, t.SetOf):
            wanted = wanted.of
        if isinstance(wanted, t.Kind) and wanted.name in owners:
            chosen = wanted.name
        elif len(owners) == 1:
            chosen = owners[0]
        elif text in self.game.states or text in self.game.places or text in self.game.defines:
            return None
        else:
            return self.error(
                "D0204",
                f"`{text}` is a value of {' and of '.join(owners)}: which is meant is not clear here",
                span,
            )
        index = self.game.kinds[chosen].values.index(text)
        return Const(t.Kind(chosen), span, index)

    def type_name(self, text: Word, scope: Scope) -> Ex:
        span = text.span
        if text in t.DIRECTIONS and text not in self.game.kinds:
            return Const(t.DIRECTION, span, t.DIRECTIONS.index(text))
        if text in self.game.kinds:
            return Universe(t.SetOf(t.Kind(text)), span, t.Kind(text))
        if text in self.game.components:
            return Universe(t.SetOf(t.Comp(text)), span, t.Comp(text))
        if text in self.game.records:
            return Rows(t.SetOf(t.Rec(text)), span, self.game.records[text])
        known = [*self.game.kinds, *self.game.components, *self.game.records, *t.DIRECTIONS]
        hint = f"write `{FOREIGN[text]}`" if text in FOREIGN else did_you_mean(text, known)
        return self.error("D0206", f"there is no type `{text}`", span, help=hint)

    def me(self, scope: Scope, span: Span) -> Ex:
        if not scope.has_me:
            return self.error(
                "D0308",
                "there is no `me` here: nobody is deciding",
                span,
                help="name the player, or say `as p:` around it",
            )
        if not scope.me_bound:
            scope.body.uses_me = True
            scope.body.me_spans.append(span)
        return Me(t.PLAYER, span)

    def active(self, scope: Scope, span: Span) -> Ex:
        """Whose turn it is. That it is somebody's is certain inside `turns` only."""
        if scope.body.kind == "phase" and "turn" not in scope.flags:
            return self.error(
                "D0308",
                "there is no `active` here: it is nobody's turn",
                span,
                help="name the player, or say it inside `turns p:`",
            )
        return Apply(t.PLAYER, span, "some", (Apply(t.Opt(t.PLAYER), span, "active"),))

    # ------------------------------------------------------------ paths
    def attribute(self, node: syntax.Attribute, scope: Scope) -> Ex:
        of = self.c.exprs.expr(node.of, scope)
        of = self.c.printed.one(self.c.fit.as_value(of), wanted=True)
        name, span = node.name, node.span
        if isinstance(of.type, t.Unknown):
            return of
        maybe = isinstance(of.type, t.Opt)
        base = t.plain(of.type)
        ex = self._member(of, base, name, span)
        if ex is None:
            if isinstance(base, t.Place):
                many = name in ("size", "count", "length", "number")
                hint = (
                    f"write `count({brief(node.of.span)})`"
                    if many
                    else "it is what lies in it that has fields"
                )
                return self.error(
                    "D0205", f"{t.a(base)} has no `{name}`", name.span, related=self.where(of), help=hint
                )
            return self.error(
                "D0205",
                f"{t.a(base)} has no `{name}`",
                name.span,
                help=did_you_mean(name, self._member_names(base)),
            )
        if maybe and isinstance(ex.type, t.Place) and in_slot(of):
            return self._member(certain(of), base, name, span) or ex
        if maybe and not isinstance(ex.type, t.Place | t.Opt | t.Unknown):
            return changed(ex, type=t.Opt(ex.type))
        return ex

    def _member(self, of: Ex, base: t.Type, name: Word, span: Span) -> Ex | None:
        game = self.game
        match base:
            case t.Player():
                owner = "player"
                if name == "seat":
                    return Apply(t.Num(1, max(game.players or (1,))), span, "seat", (of,))
                if name in game.partitions:
                    return PartitionOf(t.SetOf(t.PLAYER), span, game.partitions[name], of)
            case t.Comp(owner):
                decl = game.components[owner]
                if name in decl.fields:
                    return Field(decl.fields[name], span, of, decl, str(name))
                if name == "on" and decl.on is not None:
                    return Attribute(t.Opt(decl.on), span, of, decl, "on")
                if name == "owner" and f"{owner}.owner" not in game.states:
                    return Attribute(t.Opt(t.PLAYER), span, of, decl, "owner")
                if name in ("space", "turned"):
                    grids = [p for p in game.places.values() if p.form.spaces and p.of == owner]
                    if len(grids) > 1 and name == "space":
                        names = " or on ".join(f"`{g.name}`" for g in grids)
                        thing = of.span.text
                        way = (
                            f"say which: `first(s for s in spaces({g.name}) where {g.name}[s] = {thing})`"
                            for g in grids
                            if not g.owner and not g.indices and g.width is not None
                        )
                        return self.error(
                            "D0321",
                            f"a {owner} may lie on {names}: which space is meant?",
                            span,
                            help=next(way, None),
                        )
                    if grids and name == "space":
                        of_place = f"{grids[0].owner}.{grids[0].name}" if grids[0].owner else grids[0].name
                        return Attribute(t.Opt(t.Space(of_place)), span, of, decl, "space")
                    if grids:
                        return Attribute(t.ROTATION, span, of, decl, "turned")
            case t.Space():
                if name in ("x", "y"):
                    return Coordinate(t.Num(-t.MANY, t.MANY), span, of, "x" if name == "x" else "y", base)
                return None
            case t.Rec(rec):
                record = game.records[rec]
                if name in record.fields:
                    _, type_ = record.fields[name]
                    return RecordField(type_, span, record, str(name), (of,))
                return None
            case _:
                return None
        full = f"{owner}.{name}"
        if full in game.places:
            place = game.places[full]
            return PlaceRef(place.type, span, place, (of,))
        if full in game.states:
            state = game.states[full]
            return StateRef(state.type, span, state, (of,))
        if full in game.components:  # a piece of each player
            return OwnedPiece(t.Comp(full), span, game.components[full], of)
        return None

    def _member_names(self, base: t.Type) -> list[str]:
        names: list[str] = []
        owner = "player" if isinstance(base, t.Player) else getattr(base, "name", "")
        for full in [*self.game.places, *self.game.states, *self.game.components]:
            if full.startswith(f"{owner}."):
                names.append(full.split(".", 1)[1])
        if isinstance(base, t.Comp):
            names += [*self.game.components[base.name].fields, "owner", "space", "turned", "on"]
        if isinstance(base, t.Player):
            names += ["seat", *self.game.partitions]
        if isinstance(base, t.Rec):
            names += list(self.game.records[base.name].fields)
        return names

    def index(self, node: syntax.Index, scope: Scope) -> Ex:
        ex = self.c.exprs.raw(node.of, scope)
        if isinstance(ex.type, t.Opt):
            ex = self.c.sure.of(node.of, ex, scope)
        for at in node.at:
            ex = self._index_once(ex, at, node.span, scope)
        return ex

    def _index_once(self, ex: Ex, at: syntax.Expr, span: Span, scope: Scope) -> Ex:
        if isinstance(ex.type, t.Unknown):
            self.c.exprs.expr(at, scope)
            return ex
        if isinstance(ex, PlaceRef | StateRef | RecordField):
            dims = self.c.exprs.dims(ex)
            if len(ex.indices) < len(dims):
                wanted = dims[len(ex.indices)]
                if isinstance(ex, StateRef):  # what stands nowhere has no state: none gives none
                    index = self.c.exprs.value(at, scope, t.Opt(wanted), "the index")
                    if isinstance(index.type, t.Nothing):
                        return self.error("D0304", f"the index is none, but {t.a(wanted)} is needed", at.span)
                    maybe = isinstance(index.type, t.Opt)
                    type_ = t.optional(ex.type) if maybe else ex.type
                    return changed(ex, type=type_, span=span, indices=(*ex.indices, index))
                index = self.c.exprs.value(at, scope, wanted, "the index")
                return changed(ex, span=span, indices=(*ex.indices, index))
        if isinstance(ex.type, t.Array):
            index = self.c.exprs.value(at, scope, ex.type.index[0], "the index")
            rest = t.Array(ex.type.index[1:], ex.type.of)
            if len(ex.type.index) == 1:
                return Apply(ex.type.of, span, "array_at", (ex, index))
            return Apply(rest, span, "array_at", (ex, index))
        if isinstance(ex.type, t.Place):
            return self._index_place(ex, at, span, scope)
        if isinstance(ex.type, t.ListOf):
            index = self.c.exprs.number(at, scope, "the position")
            return Apply(t.Opt(ex.type.of), span, "list_at", (ex, index))
        return self.error("D0305", f"this is {t.a(ex.type)}, which has no positions", span)

    def _index_place(self, ex: Ex, at: syntax.Expr, span: Span, scope: Scope) -> Ex:
        assert isinstance(ex.type, t.Place)
        tokens = ex.type.of in self.game.tokens
        content = t.Kind(ex.type.of) if tokens else t.Comp(ex.type.of)
        match ex.type.shape:
            case "grid" | "ring" if not isinstance(ex, PlaceRef):
                return self.error(
                    "D0315", f"which {ex.type.shape} is meant?", ex.span, help="name it: `board[s]`"
                )
            case "grid" | "ring":
                assert isinstance(ex, PlaceRef)
                space = t.Space(self.place_key(ex.place))
                index = self.c.fit.as_value(self.c.exprs.expr(at, scope, space))
                if not t.fits(t.plain(index.type), space):
                    return self.error(
                        "D0301", f"the index is {t.a(index.type)}, but {t.a(space)} is needed", at.span
                    )
                return Apply(t.Opt(content), span, "cell", (ex, index))
            case "bag" | "" if tokens:
                index = self.c.exprs.value(at, scope, content, "the index")
                most = self.token_total(ex.type.of)
                return Apply(t.Num(0, most), span, "tally", (ex, index))
            case "deck":
                return self.error(
                    "D0305",
                    "the order of a deck is not known",
                    span,
                    help="`draw` from it, `peek` at it, or ask for its `top`",
                )
            case _ if ex.type.form.top_open:
                index = self.c.exprs.number(at, scope, "the position")
                return Apply(t.Opt(content), span, "nth", (ex, index))
        return self.error("D0305", f"{t.a(ex.type)} has no positions", span, help="run over it with `for`")

    def place_key(self, place: PlaceDecl) -> str:
        return f"{place.owner}.{place.name}" if place.owner else place.name

    def token_total(self, token: str) -> int:
        return max(highest(a.type) for a in self.game.tokens[token].amounts)


def declaration(ex: PlaceRef | StateRef) -> PlaceDecl | StateDecl:
    return ex.place if isinstance(ex, PlaceRef) else ex.state
