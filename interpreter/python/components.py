"""The Python back end: fields of components, where they are and whose."""

from __future__ import annotations

from ..core import (
    Attribute,
    Field,
    OwnedPiece,
)
from ..core import value_types as t
from .part import Part, writes_value


class Components(Part):
    # ------------------------------------------------------------ components
    @writes_value(Field)
    def x_field(self, ex: Field) -> str:
        decl, name = (ex.component, ex.name)
        column = self.pool.column(decl.name, name)
        return f"{column}[{self.condition(ex.of)}]"

    @writes_value(OwnedPiece)
    def x_owned_piece(self, ex: OwnedPiece) -> str:
        return self.emit(ex.player)

    def _comp_slot(self, base: int, ex: Attribute) -> str:
        value = self.known(ex.of)
        if value is not None:
            return f"I[{base + value}]"
        if isinstance(ex.of.type, t.Opt):
            name = self.atom(ex.of)
            return f"(I[{base} + {name}] if {name} >= 0 else -1)"
        return f"I[{base} + {self.emit(ex.of)}]"

    @writes_value(Attribute)
    def x_attribute(self, ex: Attribute) -> str:
        slots = self.layout.comps[ex.component.name]
        match ex.name:
            case "on":
                return self._comp_slot(slots.on, ex)
            case "place":
                return self._comp_slot(slots.where, ex)
            case "space":
                return self._comp_slot(slots.cell, ex)
            case "turned":
                return self._comp_slot(slots.turned, ex)
            case "owner":
                return self._owner(ex)

    def _owner(self, ex: Attribute) -> str:
        layout = self.layout
        if ex.component.piece:
            return self.emit(ex.of)
        owners = tuple(layout.place_owner.get(ref, -1) for ref in range(len(layout.lists)))
        table = self.pool.const("OWNER", (*owners, -1))
        return f"{table}[{self._comp_slot(layout.comps[ex.component.name].where, ex)}]"
