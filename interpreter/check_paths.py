"""Checking names and paths: `gold`, `p.stack[colour]`, `board[s]`.

Paths are built up step by step: `p.stack` is a partial reference to a place
until its index has been read (`_complete` in check_exprs.py insists on that).
"""

from __future__ import annotations

from ..grammar import Span, Word, did_you_mean, syntax
from . import types as t
from .builtins import BUILTINS, FOREIGN, REDUCTIONS
from .check_exprs import MANY, ExprChecker, _high, _short
from .core import Ex, PlaceDecl
from .scope import Scope


class PathChecker(ExprChecker):
    # ------------------------------------------------------------ names
    def _name(self, text: Word, scope: Scope, want: t.Type | None) -> Ex:
        span = text.span
        game = self.game
        if text in scope.vars:
            var = scope.vars[text]
            return Ex("local", var.type, span, data=var)
        if text in ("me", "my"):
            return self.me(scope, span)
        constants = self._constant(text, span, want)
        if constants is not None:
            return constants
        if text in game.places:
            place = game.places[text]
            return Ex("place", place.type, span, data=place)
        if text in game.states:
            state = game.states[text]
            return Ex("state", state.type, span, data=state)
        if text in game.components and game.components[text].piece:
            return self.const(0, t.Comp(text), span)
        if text in game.defines or text in self.define_nodes:
            return self.call_define(text, (), span, scope)
        if text in game.options:
            return Ex("option", game.options[text].type, span, data=text)
        if text in BUILTINS or text in REDUCTIONS:
            written = BUILTINS.get(text) or REDUCTIONS[text]
            return self.error(
                "D0204", f"`{text}` is a function, not a value", span, help=f"write `{written}`"
            )
        if text in self.all_names():
            here = [(self.all_names()[text], "declared here")]
            if scope.body.kind == "constant" and not self.how_to_use(text):
                return self.error(
                    "D0317", f"`{text}` is not fixed before the game starts", span, related=here
                )
            return self.error(
                "D0204", f"`{text}` is not a value", span, related=here, help=self.how_to_use(text)
            )
        return self.error("D0201", f"`{text}` is not known", span, help=self.nearest(text, scope))

    def _constant(self, text: Word, span: Span, want: t.Type | None) -> Ex | None:
        players = self.game.players or (1,)
        match str(text):
            case "yes" | "no":
                return self.const(int(text == "yes"), t.YES_NO, span)
            case "none":
                return Ex("const", t.NOTHING, span, data=-1)
            case "players":
                return Ex("players", t.SetOf(t.PLAYER), span)
            case "player_count":
                return Ex("player_count", t.Num(min(players), max(players)), span)
            case "active":
                return Ex("active", t.PLAYER, span)
            case "directions":
                return self.const(0b01010101, t.SetOf(t.DIRECTION), span)
            case "diagonals":
                return self.const(0b10101010, t.SetOf(t.DIRECTION), span)
            case "all_directions":
                return self.const(0b11111111, t.SetOf(t.DIRECTION), span)
            case "rotations":
                return Ex("universe", t.SetOf(t.ROTATION), span, data=t.ROTATION)
            case "turn_number":
                return Ex("turn_number", t.Num(0, MANY), span)
        owners = self.kind_values.get(text)
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
        return self.const(index, t.Kind(chosen), span)

    def _type_name(self, text: Word, scope: Scope) -> Ex:
        span = text.span
        if text in t.DIRECTIONS and text not in self.game.kinds:
            return self.const(t.DIRECTIONS.index(text), t.DIRECTION, span)
        if text in self.game.kinds:
            return Ex("universe", t.SetOf(t.Kind(text)), span, data=t.Kind(text))
        if text in self.game.components:
            return Ex("universe", t.SetOf(t.Comp(text)), span, data=t.Comp(text))
        if text in self.game.records:
            return Ex("rec_rows", t.SetOf(t.Rec(text)), span, data=self.game.records[text])
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
        return Ex("me", t.PLAYER, span)

    # ------------------------------------------------------------ paths
    def _attribute(self, node: syntax.Attribute, scope: Scope) -> Ex:
        of = self.expr(node.of, scope)
        slot = isinstance(of.type, t.Place) and of.type.shape == "slot"
        of = self.as_value(of)
        if slot and isinstance(of.type, t.Opt):  # reading from an empty slot is an error at play
            of = Ex("some", of.type.of, of.span, (of,))
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
                    f"write `count({_short(node.of.span)})`"
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
        if maybe and not isinstance(ex.type, t.Place | t.Opt | t.Unknown):
            return Ex(ex.op, t.Opt(ex.type), ex.span, ex.args, ex.data)
        return ex

    def _member(self, of: Ex, base: t.Type, name: Word, span: Span) -> Ex | None:
        game = self.game
        match base:
            case t.Player():
                owner = "player"
                if name == "seat":
                    return Ex("seat", t.Num(1, max(game.players or (1,))), span, (of,))
                if name in game.partitions:
                    return Ex("partition", t.SetOf(t.PLAYER), span, (of,), game.partitions[name])
            case t.Comp(owner):
                decl = game.components[owner]
                if name in decl.fields:
                    return Ex("field", decl.fields[name], span, (of,), (decl, str(name)))
                if name == "on" and decl.on is not None:
                    return Ex("on", t.Opt(decl.on), span, (of,), decl)
                if name == "owner" and f"{owner}.owner" not in game.states:
                    return Ex("comp_owner", t.Opt(t.PLAYER), span, (of,), decl)
                if name in ("space", "turned"):
                    grids = [p for p in game.places.values() if p.shape in ("grid", "ring") and p.of == owner]
                    if len(grids) > 1 and name == "space":
                        names = " or on ".join(f"`{g.name}`" for g in grids)
                        return self.error(
                            "D0321", f"a {owner} may lie on {names}: which space is meant?", span
                        )
                    if grids and name == "space":
                        of_place = f"{grids[0].owner}.{grids[0].name}" if grids[0].owner else grids[0].name
                        return Ex("comp_space", t.Opt(t.Space(of_place)), span, (of,), decl)
                    if grids:
                        return Ex("turned", t.ROTATION, span, (of,), decl)
            case t.Space():
                if name in ("x", "y"):
                    return Ex(f"space_{name}", t.Num(-MANY, MANY), span, (of,), base)
                return None
            case t.Rec(rec):
                record = game.records[rec]
                if name in record.fields:
                    _, type_ = record.fields[name]
                    return Ex("rec_field", type_, span, (of,), (record, str(name)))
                return None
            case _:
                return None
        full = f"{owner}.{name}"
        if full in game.places:
            place = game.places[full]
            return Ex("place", place.type, span, (of,), place)
        if full in game.states:
            state = game.states[full]
            return Ex("state", state.type, span, (of,), state)
        if full in game.components:  # a piece of each player
            return Ex("owned_piece", t.Comp(full), span, (of,), game.components[full])
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

    def _index(self, node: syntax.Index, scope: Scope) -> Ex:
        ex = self._raw(node.of, scope)
        if isinstance(ex.type, t.Opt) and node.of in scope.facts:
            ex = Ex(ex.op, ex.type.of, ex.span, ex.args, ex.data)
        for at in node.at:
            ex = self._index_once(ex, at, node.span, scope)
        return ex

    def _index_once(self, ex: Ex, at: syntax.Expr, span: Span, scope: Scope) -> Ex:
        if isinstance(ex.type, t.Unknown):
            self.expr(at, scope)
            return ex
        if ex.op in ("place", "state", "rec_field"):
            dims = self._dims(ex)
            if len(ex.args) < len(dims):
                wanted = dims[len(ex.args)]
                if ex.op == "state":  # what stands nowhere has no state: none gives none
                    index = self.value(at, scope, t.Opt(wanted), "the index")
                    if isinstance(index.type, t.Nothing):
                        return self.error("D0304", f"the index is none, but {t.a(wanted)} is needed", at.span)
                    maybe = isinstance(index.type, t.Opt)
                    return Ex(
                        ex.op, t.optional(ex.type) if maybe else ex.type, span, (*ex.args, index), ex.data
                    )
                index = self.value(at, scope, wanted, "the index")
                return Ex(ex.op, ex.type, span, (*ex.args, index), ex.data)
        if isinstance(ex.type, t.Array):
            index = self.value(at, scope, ex.type.index[0], "the index")
            rest = t.Array(ex.type.index[1:], ex.type.of)
            if len(ex.type.index) == 1:
                return Ex("array_at", ex.type.of, span, (ex, index), ex.type)
            return Ex("array_at", rest, span, (ex, index), ex.type)
        if isinstance(ex.type, t.Place):
            return self._index_place(ex, at, span, scope)
        if isinstance(ex.type, t.ListOf):
            index = self.number(at, scope, "the position")
            return Ex("list_at", t.Opt(ex.type.of), span, (ex, index))
        return self.error("D0305", f"this is {t.a(ex.type)}, which has no positions", span)

    def _index_place(self, ex: Ex, at: syntax.Expr, span: Span, scope: Scope) -> Ex:
        assert isinstance(ex.type, t.Place)
        tokens = ex.type.of in self.game.tokens
        content = t.Kind(ex.type.of) if tokens else t.Comp(ex.type.of)
        match ex.type.shape:
            case "grid" | "ring" if ex.op != "place":
                return self.error(
                    "D0315", f"which {ex.type.shape} is meant?", ex.span, help="name it: `board[s]`"
                )
            case "grid" | "ring":
                place: PlaceDecl = ex.data
                space = t.Space(self.place_key(place))
                index = self.as_value(self.expr(at, scope, space))
                if not t.fits(t.plain(index.type), space):
                    return self.error(
                        "D0301", f"the index is {t.a(index.type)}, but {t.a(space)} is needed", at.span
                    )
                return Ex("cell", t.Opt(content), span, (ex, index))
            case "bag" | "" if tokens:
                index = self.value(at, scope, content, "the index")
                most = self.token_total(ex.type.of)
                return Ex("tally", t.Num(0, most), span, (ex, index))
            case "deck":
                return self.error(
                    "D0305",
                    "the order of a deck is not known",
                    span,
                    help="`draw` from it, `peek` at it, or ask for its `top`",
                )
            case "row" | "stack":
                index = self.number(at, scope, "the position")
                return Ex("nth", t.Opt(content), span, (ex, index))
        return self.error("D0305", f"{t.a(ex.type)} has no positions", span, help="run over it with `for`")

    def place_key(self, place: PlaceDecl) -> str:
        return f"{place.owner}.{place.name}" if place.owner else place.name

    def token_total(self, token: str) -> int:
        return max(_high(a.type) for a in self.game.tokens[token].amounts)
