"""Native code: two things, places or values change places."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ..core import (
    Ex,
    RecordField,
    StateRef,
    Swap,
)
from ..core import value_types as t
from .builder import Value
from .code import LARGE, Unsupported
from .contents import SORTED
from .part import Part, does

if TYPE_CHECKING:
    from .function import FunctionCode


class Swaps(Part):
    # ------------------------------------------------------------ swaps
    @does(Swap)
    def _swap(self, st: Swap) -> None:
        left, right = st.left, st.right
        if isinstance(left, StateRef | RecordField):
            self._swap_kept(left, right)
        elif isinstance(left.type, t.Place):
            self._swap_places(left, right)
            self.c.watching.swapped(self.c.contents.sort(left), self.c.value(left), self.c.value(right))
            for side in (left, right):
                self.c.placing.spill(side)
        else:
            name = left.component_type.name
            self.c.call(
                self.module.swapper(name), "ptr %S", f"i64 {self.c.value(left)}", f"i64 {self.c.value(right)}"
            )
            self.c.after_call(False)

    def exchange(self, a: Value, b: Value, size: int) -> None:
        kept = self.c.room(f"[{size} x i8]")
        self.c.copy(kept, a, size)
        self.c.copy(a, b, size)
        self.c.copy(b, kept, size)

    def _swap_kept(self, left: StateRef | RecordField, right: Ex) -> None:
        a, b = self.c.reading.state_slot(left), self.c.reading.state_slot(right)
        wide = self.c.reading.wide(left)
        if wide is not None:
            self.exchange(self.c.reading.wide_at(wide, a), self.c.reading.wide_at(wide, b), wide.size)
            return
        words = 1
        if isinstance(left, RecordField):
            sizes = self.layout.records[left.record.name][2][left.name][1]
            words = prod(sizes[len(left.indices) - 1 :])
        self.exchange(self.c.slot_at(a, words), self.c.slot_at(b, words), 4 * words)

    def _swap_places(self, left: Ex, right: Ex) -> None:
        of, shapes = self.c.contents.sort(left), {self.c.contents.shape(left), self.c.contents.shape(right)}
        a, b = self.c.value(left), self.c.value(right)
        if of in self.game.tokens:
            words = 1 if self.c.contents.shape(left) == "slot" else len(self.game.kinds[of].values)
            self.exchange(self.c.slot_at(a, words), self.c.slot_at(b, words), 4 * words)
            return
        if not shapes <= {"bag"} and not shapes <= {"row", "stack"} and not shapes <= {"slot"}:
            raise Unsupported(
                f"a {self.c.contents.shape(left)} and a {self.c.contents.shape(right)} that are swapped"
            )
        where, bag = self.layout.comps[of].where, shapes == {"bag"}
        bits, room = self.c.contents.entries(of), 1 if shapes == {"slot"} else self.layout.comps[of].count
        size = 8 * self.c.contents.limbs(of) if bag else 4 + room * bits // 8
        self.exchange(self.c.contents.list_at(a), self.c.contents.list_at(b), size)
        for ref in (a, b):
            pointer = self.c.contents.list_at(ref)
            if bag:
                self.c.loops.each_limb(
                    pointer,
                    self.c.contents.limbs(of),
                    lambda v, _, r=ref: self.c.set_number(self.c.add(v, where), r),  # type: ignore[misc]
                )
            else:
                self.c.loops.count_up(
                    "0",
                    self.c.lists.length(pointer),
                    lambda i, _, p=pointer, r=ref: self.c.set_number(
                        self.c.add(self.c.contents.entry(p, i, bits), where), r
                    ),  # type: ignore[misc]
                )


def write_swapper(code: FunctionCode, name: str) -> None:
    """`%a` and `%b` change places; each takes the other's position. In decks that is left to Python."""
    layout = code.layout.comps[name]
    same, different = code.new_label(), code.new_label()
    code.branch(code.compare("eq", "%a", "%b"), same, different)
    code.label(same)
    code.give("0")
    code.label(different)
    shapes = code.module.shapes
    at = {c: code.number_at(code.add(c, layout.where)) for c in ("%a", "%b")}
    spots: dict[str, Value] = {}
    bits = [int(shape in SORTED) for shape in shapes]
    decks = [int(shape == "deck") for shape in shapes]
    for c, place in at.items():
        code.fail_if(code.compare("ne", code.table(decks, place), 0), LARGE)
        spot = spots[c] = code.room()
        code.store("0", spot)
        code.when(
            code.compare("eq", code.table(bits, place), 0),
            lambda c=c, p=place, s=spot: code.store(  # type: ignore[misc]
                code.placing.find_entry(code.contents.list_at(p), c, code.contents.entries(name)), s
            ),
        )
    together = code.compare("eq", at["%a"], at["%b"])
    for c, other in (("%a", "%b"), ("%b", "%a")):
        pointer = code.contents.list_at(at[c])

        def in_order(c: str = c, other: str = other, pointer: Value = pointer) -> None:
            code.store_int(
                other,
                code.contents.entry_at(pointer, code.load(spots[c]), code.contents.entries(name)),
                code.contents.entries(name),
            )

        def in_set(c: str = c, other: str = other, pointer: Value = pointer) -> None:
            def exchange() -> None:
                code.sets.clear_bit(pointer, c, code.contents.limbs(name))
                code.sets.set_bit(pointer, other, code.contents.limbs(name))

            code.when(code.negate(together), exchange)

        code.when(code.compare("ne", code.table(bits, at[c]), 0), in_set, in_order)
    code.set_number(code.add("%a", layout.where), at["%b"])
    code.set_number(code.add("%b", layout.where), at["%a"])
    if layout.cell >= 0:
        _swap_cells(code, name)
    code.give("0")


def _swap_cells(code: FunctionCode, name: str) -> None:
    layout = code.layout.comps[name]
    for base in (layout.cell, layout.turned):
        a, b = (code.number_at(code.add(c, base)) for c in ("%a", "%b"))
        code.set_number(code.add("%a", base), b)
        code.set_number(code.add("%b", base), a)
    for c in ("%a", "%b"):
        place, space = (code.number_at(code.add(c, base)) for base in (layout.where, layout.cell))
        for key, decl in code.game.places.items():
            if decl.of != name or decl.tokens or decl.shape not in ("grid", "ring"):
                continue
            base, _, _, stride = code.layout.places[key]
            last = (len(code.layout.instances[key]) - 1) * stride
            here = code.compare("ule", code.op("sub", place, base), last)

            def put(
                key: str = key, base: int = base, place: Value = place, space: Value = space, c: str = c
            ) -> None:
                if code.layout.geometries[key].grows:
                    grid = code.spaces.grown_at(place, key)
                    code.call("grown_put", f"ptr {grid}", f"i64 {space}", f"i64 {c}")
                    return
                cells, (_, width), _ = code.layout.states[f"cells of {key}"]
                row = code.op("mul", code.op("sub", place, base), width)
                code.set_number(code.add(code.add(row, space), cells), c)

            code.when(code.both(here, code.compare("sge", space, 0)), put)
