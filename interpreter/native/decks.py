"""Native code: functions for decks with known cards, for taking things from wherever they are, and for
who knows which component lies where. One of each for a sort of component, made when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .builder import Value
from .reading import SORTED

if TYPE_CHECKING:
    from .blocks import FunctionCode


def write_taker(code: FunctionCode, name: str) -> None:
    """Take `%c` out of where it is."""
    layout = code.layout.comps[name]
    code.within("%c", layout.count)
    place = code.number_at(code.add("%c", layout.where))
    pointer = code.list_at(place)
    shapes = [
        shape if comp == name else ""
        for shape, comp in zip(code.module.shapes, code.module.sorts, strict=True)
    ]
    bits = [int(shape in SORTED) for shape in shapes]
    sorted_here, ordered = code.new_label("bits"), code.new_label("array")
    kinds = {bit for bit, comp in zip(bits, code.module.sorts, strict=True) if comp == name}
    if len(kinds) == 1:
        code.jump(sorted_here if 1 in kinds else ordered)
    else:
        code.branch(code.compare("ne", code.table(bits, place), 0), sorted_here, ordered)
    code.label(sorted_here)
    if 1 in kinds:
        _from_sorted(code, name, place, pointer)
    code.give("0")
    code.label(ordered)
    if 0 in kinds:
        entries = code.entries(name)
        code.remove_entry(pointer, code.find_entry(pointer, "%c", entries), entries)
    code.give("0")


def _from_sorted(code: FunctionCode, name: str, place: Value, pointer: Value) -> None:
    layout = code.layout.comps[name]
    for key, decl in code.game.places.items():
        if decl.of != name or decl.tokens or decl.shape not in ("deck", "grid", "ring"):
            continue
        base, _, _, stride = code.layout.places[key]
        last = (len(code.layout.instances[key]) - 1) * stride
        here = code.compare("ule", code.op("sub", place, base), last)
        yes, no = code.new_label(), code.new_label()
        code.branch(here, yes, no)
        code.label(yes)
        if decl.shape == "deck":
            if code.known_parts(name):
                code.take_from_deck(place, "%c", name)
                code.give("0")
            code.label(no)
            continue
        space = code.number_at(code.add("%c", layout.cell))
        if code.layout.geometries[key].grows:
            code.call("grown_take", f"ptr {code.grown_at(place, key)}", f"i64 {space}")
        else:
            cells, (_, width), _ = code.layout.states[f"cells of {key}"]
            row = code.op("mul", code.op("sub", place, base), width)
            code.set_number(code.add(code.add(row, space), cells), "-1")
        code.set_number(code.add("%c", layout.cell), "-1")
        code.set_number(code.add("%c", layout.turned), "0")
        code.label(no)
    code.clear_bit(pointer, "%c", code.limbs(name))


def write_deck_taker(code: FunctionCode, name: str) -> None:
    """Take `%c` out of the deck `%p`: of those whose place is not known, or from its known place."""
    limb, bit = code.bit_at(code.list_at("%p"), "%c")
    word = code.load(limb)
    inside, elsewhere = code.new_label(), code.new_label()
    code.branch(code.compare("ne", code.op("and", word, bit), 0), inside, elsewhere)
    code.label(inside)
    code.store(code.op("xor", word, bit), limb)
    if "deep" in code.module.known_cards.parts(name):
        depths = code.part("%p", 6)

        def rise(index: Value, _: str) -> None:
            depth = code.entry(depths, index, 32)
            code.store_int(code.most(code.op("sub", depth, 1), "0"), code.entry_at(depths, index, 32), 32)

        code.count_up("0", code.length(depths), rise)
    code.give("0")
    code.label(elsewhere)
    bits = code.entries(name)
    for _, number, beside in code.known_parts(name):
        cards = code.part("%p", number)
        index = code.find_entry(cards, "%c", bits)
        yes, no = code.new_label(), code.new_label()
        code.branch(code.compare("sge", index, 0), yes, no)
        code.label(yes)
        code.remove_entry(cards, index, bits)
        for other in beside:
            code.remove_entry(code.part("%p", other), index, 32)
        code.give("0")
        code.label(no)
    code.give("0")


def write_deck_putter(code: FunctionCode, name: str) -> None:
    """Put `%c` so that it is the card number `%position` from the top of the deck `%p`."""
    bits, room = code.entries(name), code.layout.comps[name].count
    top, bottom, deep, depths = (code.part("%p", number) for number in (1, 2, 5, 6))
    above = code.most(code.op("sub", "%position", 1), "0")
    size = code.length(top)
    on_top, below = code.new_label(), code.new_label()
    code.branch(code.compare("sle", above, size), on_top, below)
    code.label(on_top)
    place = code.op("sub", size, above)
    code.insert_entry(top, place, "%c", bits, room)
    code.insert_entry(code.part("%p", 3), place, "%viewers", 32, room)
    code.give("0")
    code.label(below)
    above = code.op("sub", above, size)
    inside = code.add(code.bits_size(code.list_at("%p"), code.limbs(name)), code.length(deep))
    within, under = code.new_label(), code.new_label()
    code.branch(code.compare("sle", above, inside), within, under)
    code.label(within)
    spot = code.room()
    code.store("0", spot)

    def look(index: Value, out: str) -> None:
        go, stop = code.new_label(), code.new_label()
        code.branch(code.compare("slt", code.add(code.entry(depths, index, 32), index), above), go, stop)
        code.label(stop)
        code.jump(out)
        code.label(go)
        code.store(code.add(index, 1), spot)

    code.count_up("0", code.length(deep), look)
    index = code.load(spot)
    code.insert_entry(deep, index, "%c", bits, room)
    code.insert_entry(depths, index, code.op("sub", above, index), 32, room)
    code.insert_entry(code.part("%p", 7), index, "%viewers", 32, room)
    code.give("0")
    code.label(under)
    index = code.op("sub", above, inside)
    code.insert_entry(bottom, index, "%c", bits, room)
    code.insert_entry(code.part("%p", 4), index, "%viewers", 32, room)
    code.give("0")


def give_first(code: FunctionCode, test: Value, value: object) -> None:
    """Give a value and leave if the test holds."""
    assert callable(value)
    yes, no = code.new_label(), code.new_label()
    code.branch(test, yes, no)
    code.label(yes)
    code.give(value())
    code.label(no)


def write_deck_end(code: FunctionCode, name: str, end: str) -> None:
    """The top or bottom card of the deck `%p` if its place is known, or none."""
    bits, parts = code.entries(name), code.module.known_cards.parts(name)
    unknown = code.bits_size(code.list_at("%p"), code.limbs(name))
    none_unknown = code.compare("eq", unknown, 0)

    def last(number: int) -> Value:
        cards = code.part("%p", number)
        return code.entry(cards, code.op("sub", code.length(cards), 1), bits)

    def has(number: int) -> Value:
        return code.compare("sgt", code.length(code.part("%p", number)), 0)

    first_part, last_part = ("top", "bottom") if end == "top" else ("bottom", "top")
    numbers = {"top": 1, "bottom": 2}
    if first_part in parts:
        give_first(code, has(numbers[first_part]), lambda: last(numbers[first_part]))
    if "deep" in parts:
        yes, no = code.new_label(), code.new_label()
        code.branch(has(5), yes, no)
        code.label(yes)
        depths = code.part("%p", 6)
        if end == "top":
            up = code.either(code.compare("eq", code.entry(depths, "0", 32), 0), none_unknown)
            give_first(code, up, lambda: code.entry(code.part("%p", 5), "0", bits))
        else:
            lowest = code.entry(depths, code.op("sub", code.length(depths), 1), 32)
            give_first(code, code.compare("eq", lowest, unknown), lambda: last(5))
        code.label(no)
    if last_part in parts:
        free = none_unknown
        if end == "bottom" and "deep" in parts:
            free = code.both(free, code.negate(has(5)))
        other = code.part("%p", numbers[last_part])
        give_first(
            code,
            code.both(free, has(numbers[last_part])),
            lambda: code.entry(other, "0", bits),
        )
    code.give("-1")


def _last_entry(code: FunctionCode, ref: Value, name: str) -> Value:
    """What lies on top of a row or stack, or none."""
    pointer = code.list_at(ref)
    size = code.length(pointer)
    return code.nth_of(size, size, lambda at: code.entry(pointer, at, code.entries(name)))


def write_viewers(code: FunctionCode, name: str) -> None:
    """The seats that know which component `%c` is, where it lies now."""
    layout, watcher = code.layout, code.module.engine.watcher
    seats, everyone = watcher.seats, watcher.everyone
    if layout.comps[name].decl.on is not None:
        code.give(str(everyone))
        return
    ref = code.number_at(code.add("%c", layout.comps[name].where))
    mask = code.room()
    code.store(str(everyone), mask)

    def more(value: Value) -> None:
        code.store(code.op("or", code.load(mask), value), mask)

    done = code.new_label("known")
    for key, decl in code.game.places.items():
        if decl.tokens or decl.of != name:
            continue
        base, _, _, stride = layout.places[key]
        count = len(layout.instances[key])
        yes, no = code.new_label(), code.new_label()
        code.branch(code.compare("ule", code.op("sub", ref, base), (count - 1) * stride), yes, no)
        code.label(yes)
        index = code.let(f"udiv i64 {code.op('sub', ref, base)}, {stride}")
        code.store(code.table([watcher.declared_mask(key, i) for i in range(count)], index), mask)
        shown: Value = "0"
        if key in layout.grants:
            value = code.number_at(code.add(index, layout.grants[key]))
            shown = code.select(code.compare("slt", value, 0), str(everyone), value)
            more(shown)
        if decl.shape == "deck":
            for _, number, beside in code.known_parts(name):
                found = code.find_entry(code.part(ref, number), "%c", code.entries(name))
                code.when(
                    code.compare("sge", found, 0),
                    lambda f=found, b=beside: more(code.entry(code.part(ref, b[-1]), f, 32)),  # type: ignore[misc]
                )
        if decl.top_seen is not None and decl.shape in ("stack", "row"):
            top = _last_entry(code, ref, name)
            seen = code.table([watcher.declared_mask(key, i, "top_seen") for i in range(count)], index)
            code.when(code.compare("eq", top, "%c"), lambda s=seen, h=shown: more(code.op("or", s, h)))  # type: ignore[misc]
        code.jump(done)
        code.label(no)
    code.give(str(everyone))
    code.label(done)
    found = code.load(mask)
    whole = code.compare("eq", code.op("and", found, seats), seats)
    code.give(code.select(whole, str(everyone), found))
