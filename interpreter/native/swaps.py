"""Native code: two components that change places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .builder import Value
from .code import LARGE
from .reading import SORTED

if TYPE_CHECKING:
    from .blocks import FunctionCode


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
                code.find_entry(code.list_at(p), c, code.entries(name)), s
            ),
        )
    together = code.compare("eq", at["%a"], at["%b"])
    for c, other in (("%a", "%b"), ("%b", "%a")):
        pointer = code.list_at(at[c])

        def in_order(c: str = c, other: str = other, pointer: Value = pointer) -> None:
            code.store_int(
                other, code.entry_at(pointer, code.load(spots[c]), code.entries(name)), code.entries(name)
            )

        def in_set(c: str = c, other: str = other, pointer: Value = pointer) -> None:
            def exchange() -> None:
                code.clear_bit(pointer, c, code.limbs(name))
                code.set_bit(pointer, other, code.limbs(name))

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
                    grid = code.grown_at(place, key)
                    code.call("grown_put", f"ptr {grid}", f"i64 {space}", f"i64 {c}")
                    return
                cells, (_, width), _ = code.layout.states[f"cells of {key}"]
                row = code.op("mul", code.op("sub", place, base), width)
                code.set_number(code.add(code.add(row, space), cells), c)

            code.when(code.both(here, code.compare("sge", space, 0)), put)
