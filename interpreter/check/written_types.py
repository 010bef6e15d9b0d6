"""Checking written types: `0..5`, `Card or none`, `set of Colour`, `space of board`."""

from __future__ import annotations

from ...grammar import Span, Word, did_you_mean, syntax
from ..core import value_types as t
from .part import Part


class Types(Part):
    """Types as declarations write them."""

    def type(self, node: syntax.TypeNode) -> t.Type:
        match node:
            case syntax.PlainType(base=base):
                return self.type(base)
            case syntax.OptionalType(base=base):
                inner = self.type(base)
                if isinstance(inner, t.Num) and inner.low < 0:
                    self.error("D0316", "`or none` needs a range that starts at 0 or above", node.span)
                if isinstance(inner, t.SetOf | t.ListOf | t.Place):
                    return self.error(
                        "D0316", f"{t.a(inner)} is never none", node.span, help="an empty set is `{}`"
                    ).type
                return t.UNKNOWN if isinstance(inner, t.Unknown) else t.Opt(inner)
            case syntax.YesNoType():
                return t.YES_NO
            case syntax.RangeType(low=low, high=high):
                scope = self.c.exprs.constants("range")
                a, b = self.c.exprs.number(low, scope), self.c.exprs.number(high, scope)
                if not isinstance(a.type, t.Num) or not isinstance(b.type, t.Num):
                    return t.UNKNOWN
                if a.type.low > b.type.high:
                    return self.error(
                        "D0303", "this range is empty: the lower number comes first", node.span
                    ).type
                return t.Num(a.type.low, b.type.high)
            case syntax.SetType(of=of) | syntax.ListType(of=of):
                inner = self.type(of)
                if isinstance(inner, t.SetOf | t.ListOf | t.Place):
                    return self.error("D0316", f"a set or list cannot hold {t.a(inner)}", of.span).type
                return t.SetOf(inner) if isinstance(node, syntax.SetType) else t.ListOf(inner)
            case syntax.SpaceType(place=place):
                return self._space_type(place, node.span)
            case syntax.PlaceType(of=of):
                if of not in self.game.tokens and of not in self.game.components:
                    return self._unknown_type(of)
                self.c.index.called(of)
                return t.Place("", str(of))
            case syntax.NamedType(name=name):
                return self._named_type(name)
        raise AssertionError(type(node))

    def _named_type(self, name: Word) -> t.Type:
        match str(name):
            case "player":
                return t.PLAYER
            case "direction":
                return t.DIRECTION
            case "rotation":
                return t.ROTATION
            case "number":
                return t.Num(-t.MANY, t.MANY)
        self.c.index.called(name)
        if name in self.game.kinds:
            return t.Kind(str(name))
        if any(
            isinstance(d, syntax.Component | syntax.ComponentFields) and d.name == name
            for d in self.c.file.decls
        ):
            return t.Comp(str(name))
        if any(isinstance(d, syntax.Record) and d.name == name for d in self.c.file.decls):
            return t.Rec(str(name))
        return self._unknown_type(name)

    def _unknown_type(self, name: Word) -> t.Type:
        known = ["player", "number", "direction", "rotation", "space"]
        known += [n for n in self.c.names.all if n[:1].isupper()]
        other = {
            "bool": "yes/no",
            "boolean": "yes/no",
            "int": "number",
            "integer": "number",
            "string": None,
            "text": None,
        }
        help_line = did_you_mean(name, known)
        if name in other:
            help_line = (
                f"write `{other[name]}`"
                if other[name]
                else "there are no texts; a `kinds` names what can be chosen"
            )
        self.error("D0206", f"there is no type `{name}`", name.span, help=help_line)
        return t.UNKNOWN

    def _space_type(self, place: Word | None, span: Span) -> t.Type:
        grids = [
            (key, decl)
            for key, decl in self.c.names.place_nodes()
            if isinstance(decl.shape, syntax.ShapeGrid | syntax.ShapeRing)
        ]
        if place is not None:
            for key, decl in grids:
                if decl.name == place:
                    self.c.index.called(place, key)
                    return t.UNKNOWN if key in self.c.names.broken else t.Space(key)
            self.error(
                "D0321",
                f"`{place}` is not a grid or a ring",
                place.span,
                help=did_you_mean(place, [d.name for _, d in grids]),
            )
            return t.UNKNOWN
        if len(grids) == 1:
            return t.UNKNOWN if grids[0][0] in self.c.names.broken else t.Space(grids[0][0])
        if not grids:
            self.error("D0321", "there is no grid or ring with spaces", span)
        else:
            names = " or ".join(f"`space of {decl.name}`" for _, decl in grids)
            self.error("D0321", "which space is meant?", span, help=f"write {names}")
        return t.UNKNOWN
