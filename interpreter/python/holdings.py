"""The Python back end: what lies in places: how much, what kind, the top, the bottom."""

from __future__ import annotations

from ...grammar import Span
from ..core import (
    Apply,
    Ex,
    Local,
    PlaceDecl,
    PlaceIs,
    PlaceRef,
    TotalComponents,
    TotalTokens,
    Var,
)
from ..core import value_types as t
from .part import Part, writes_value


class Holdings(Part):
    # ------------------------------------------------------------ places
    def place_key(self, decl: PlaceDecl) -> str:
        return f"{decl.owner}.{decl.name}" if decl.owner else decl.name

    @writes_value(PlaceRef)
    def x_place(self, ex: PlaceRef) -> str:
        decl: PlaceDecl = ex.place
        base, sizes, lows, stride = self.layout.places[self.place_key(decl)]
        code = self.c.states.offset(base, self.groups_for(decl, ex.indices), sizes, lows, stride)
        return code if code.isdigit() else f"({code})"

    def groups_for(self, decl: PlaceDecl, args: tuple[Ex, ...]) -> tuple[Ex, ...]:
        """The indices of a place, with the group of its owner if the group shares it."""
        if not decl.per:
            return args
        groups = self.pool.const("TEAM", self.layout.groups[decl.per])
        owner = self.player_written(f"{groups}[{self.condition(args[0])}]", args[0].span)
        return (owner, *args[1:])

    def player_written(self, code: str, span: Span) -> Local:
        """A player whose code is there already, as a name that stands for it."""
        var = Var("player", f"written {code}", t.PLAYER)
        self.c.env[var.uid] = code
        return Local(t.PLAYER, span, var)

    @writes_value(PlaceIs)
    def x_place_is(self, ex: PlaceIs) -> str:
        base, sizes, _, stride = self.layout.places[self.place_key(ex.place)]
        count = stride
        for size in sizes:
            count *= size
        return f"({base} <= {self.emit(ex.of)} < {base + count})"

    @writes_value("size")
    def x_size(self, ex: Apply) -> str:
        (place,) = ex.args
        of = place.place_type.of
        if of in self.game.tokens:
            kinds = len(self.game.kinds[of].values)
            if place.place_type.form.cells:
                ref = self.atom(place)
                cells = self.c.spaces.geometry(place).size if not place.place_type.form.single else 1
                return f"({cells} - I[{ref}:{ref} + {cells}].count(-1))"
            code = self.emit(place)
            if kinds == 1:
                return f"I[{code}]"
            if code.isdigit():
                return f"sum(I[{code}:{int(code) + kinds}])"
            name = self.temp()
            self.line(f"{name} = {code}")
            return f"sum(I[{name}:{name} + {kinds}])"
        if place.place_type.form.hidden:
            name = self.atom(place)
            return f"(len(L[{name}]) + len(L[{name} + 1]) + len(L[{name} + 2]) + len(L[{name} + 5]))"
        return f"len(L[{self.condition(place)}])"

    @writes_value("empty")
    def x_empty(self, ex: Apply) -> str:
        (place,) = ex.args
        tokens = place.place_type.of in self.game.tokens
        if tokens and not place.place_type.form.cells:
            kinds = range(len(self.game.kinds[place.place_type.of].values))
            if len(kinds) == 1:
                return f"(not I[{self.emit(place)}])"
            base = self.atom(place)
            cells = [f"I[{int(base) + k}]" if base.isdigit() else f"I[{base} + {k}]" for k in kinds]
            return f"(not ({' or '.join(cells)}))" if len(cells) <= 8 else f"(not {self.x_size(ex)})"
        if tokens or place.place_type.form.hidden:
            return f"(not {self.x_size(ex)})"
        return f"(not L[{self.condition(place)}])"

    @writes_value("tally")
    def x_tally(self, ex: Apply) -> str:
        place, kind = ex.args
        if place.place_type.form.cells:
            ref = self.atom(place)
            cells = self.c.spaces.geometry(place).size if not place.place_type.form.single else 1
            return f"I[{ref}:{ref} + {cells}].count({self.emit(kind)})"
        ref, value = self.emit(place), self.known(kind)
        if ref.isdigit() and value is not None:
            return f"I[{int(ref) + value}]"
        return f"I[{ref} + {self.emit(kind)}]"

    @writes_value("slot_kind")
    def x_slot_kind(self, ex: Apply) -> str:
        return f"I[{self.condition(ex.args[0])}]"

    @writes_value(TotalTokens)
    def x_total_token(self, ex: TotalTokens) -> str:
        """All tokens at the table, counted over every place: what an invariant asks for."""
        (kind,) = (ex.kind,)
        name = ex.token
        kinds = len(self.game.kinds[name].values)
        terms = []
        for key, place in self.game.places.items():
            if not place.tokens or place.of != name:
                continue
            geometry = self.layout.geometries.get(key)
            for instance in self.layout.instances[key]:
                ref = instance.ref
                if geometry is not None or place.form.single:
                    cells = geometry.size if geometry is not None else 1
                    if kind is None:
                        terms.append(f"{cells} - I[{ref}:{ref + cells}].count(-1)")
                    else:
                        terms.append(f"I[{ref}:{ref + cells}].count({self.emit(kind)})")
                elif kind is None:
                    terms.append(f"sum(I[{ref}:{ref + kinds}])")
                else:
                    terms.append(f"I[{ref} + {self.emit(kind)}]")
        return f"({' + '.join(terms)})"

    @writes_value(TotalComponents)
    def x_total_comp(self, ex: TotalComponents) -> str:
        terms = []
        for key, place in self.game.places.items():
            if not place.tokens and place.of == ex.component:
                lists = place.form.lists
                terms += [f"len(L[{i.ref + n}])" for i in self.layout.instances[key] for n in lists]
        return f"({' + '.join(terms)})"

    def contents(self, place: Ex) -> str:
        if place.place_type.form.hidden:
            name = self.atom(place)
            return f"[*L[{name} + 1][::-1], *L[{name}], *L[{name} + 5], *L[{name} + 2]]"
        return f"L[{self.condition(place)}]"

    @writes_value("top")
    def x_top(self, ex: Apply) -> str:
        (place,) = ex.args
        if place.place_type.form.hidden:
            return f"deck_top(L, {self.condition(place)})"
        name = self.atom(place)
        index = "0" if place.place_type.form.single else "-1"
        return f"(L[{name}][{index}] if L[{name}] else -1)"

    @writes_value("bottom")
    def x_bottom(self, ex: Apply) -> str:
        (place,) = ex.args
        if place.place_type.form.hidden:
            return f"deck_bottom(L, {self.condition(place)})"
        name = self.atom(place)
        return f"(L[{name}][0] if L[{name}] else -1)"

    @writes_value("nth")
    def x_nth(self, ex: Apply) -> str:
        place, index = ex.args
        whole, number = self.temp(), self.atom(index)
        self.line(f"{whole} = {self.contents(place)}")
        return f"({whole}[{number} - 1] if 0 < {number} <= len({whole}) else -1)"

    @writes_value("is_at")
    def x_is_at(self, ex: Apply) -> str:
        comp, place = ex.args
        where = self.layout.comps[place.place_type.of].where
        if isinstance(comp.type, t.Opt):
            name = self.atom(comp)
            return f"({name} >= 0 and I[{where} + {name}] == {self.emit(place)})"
        return f"(I[{where} + {self.emit(comp)}] == {self.emit(place)})"

    @writes_value("peek_need")
    def x_peek_need(self, ex: Apply) -> str:
        place, amount = ex.args
        name = self.atom(place)
        size = self.x_size(Apply(ex.type, ex.span, "size", (place,)))
        return f"max(0, min({self.emit(amount)}, {size}) - len(L[{name} + 1]))"
