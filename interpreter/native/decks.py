"""Native code: functions for decks with known cards, for taking things from wherever they are, and for
who knows which component lies where. One of each for a sort of component, made when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .builder import Value
from .contents import SORTED

if TYPE_CHECKING:
    from .function import FunctionCode


def write_taker(code: FunctionCode, name: str) -> None:
    """Take `%c` out of where it is."""
    layout = code.layout.comps[name]
    code.within("%c", layout.count)
    place = code.number_at(code.add("%c", layout.where))
    pointer = code.contents.list_at(place)
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
        entries = code.contents.entries(name)
        code.placing.remove_entry(pointer, code.placing.find_entry(pointer, "%c", entries), entries)
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
            if code.contents.known_parts(name):
                code.placing.take_from_deck(place, "%c", name)
                code.give("0")
            code.label(no)
            continue
        space = code.number_at(code.add("%c", layout.cell))
        if code.layout.geometries[key].grows:
            code.call("grown_take", f"ptr {code.spaces.grown_at(place, key)}", f"i64 {space}")
        else:
            cells, (_, width), _ = code.layout.states[f"cells of {key}"]
            row = code.op("mul", code.op("sub", place, base), width)
            code.set_number(code.add(code.add(row, space), cells), "-1")
        code.set_number(code.add("%c", layout.cell), "-1")
        code.set_number(code.add("%c", layout.turned), "0")
        code.label(no)
    code.sets.clear_bit(pointer, "%c", code.contents.limbs(name))


def write_deck_taker(code: FunctionCode, name: str) -> None:
    """Take `%c` out of the deck `%p`: of those whose place is not known, or from its known place."""
    limb, bit = code.sets.bit_at(code.contents.list_at("%p"), "%c")
    word = code.load(limb)
    inside, elsewhere = code.new_label(), code.new_label()
    code.branch(code.compare("ne", code.op("and", word, bit), 0), inside, elsewhere)
    code.label(inside)
    code.store(code.op("xor", word, bit), limb)
    if "deep" in code.module.known_cards.parts(name):
        depths = code.contents.part("%p", 6)

        def rise(index: Value, _: str) -> None:
            depth = code.contents.entry(depths, index, 32)
            code.store_int(
                code.most(code.op("sub", depth, 1), "0"), code.contents.entry_at(depths, index, 32), 32
            )

        code.loops.count_up("0", code.lists.length(depths), rise)
    code.give("0")
    code.label(elsewhere)
    bits = code.contents.entries(name)
    for _, number, beside in code.contents.known_parts(name):
        cards = code.contents.part("%p", number)
        index = code.placing.find_entry(cards, "%c", bits)
        yes, no = code.new_label(), code.new_label()
        code.branch(code.compare("sge", index, 0), yes, no)
        code.label(yes)
        code.placing.remove_entry(cards, index, bits)
        for other in beside:
            code.placing.remove_entry(code.contents.part("%p", other), index, 32)
        code.give("0")
        code.label(no)
    code.give("0")


def write_deck_putter(code: FunctionCode, name: str) -> None:
    """Put `%c` so that it is the card number `%position` from the top of the deck `%p`."""
    bits, room = code.contents.entries(name), code.layout.comps[name].count
    top, bottom, deep, depths = (code.contents.part("%p", number) for number in (1, 2, 5, 6))
    above = code.most(code.op("sub", "%position", 1), "0")
    size = code.lists.length(top)
    on_top, below = code.new_label(), code.new_label()
    code.branch(code.compare("sle", above, size), on_top, below)
    code.label(on_top)
    place = code.op("sub", size, above)
    code.placing.insert_entry(top, place, "%c", bits, room)
    code.placing.insert_entry(code.contents.part("%p", 3), place, "%viewers", 32, room)
    code.give("0")
    code.label(below)
    above = code.op("sub", above, size)
    inside = code.add(
        code.contents.bits_size(code.contents.list_at("%p"), code.contents.limbs(name)),
        code.lists.length(deep),
    )
    within, under = code.new_label(), code.new_label()
    code.branch(code.compare("sle", above, inside), within, under)
    code.label(within)
    spot = code.room()
    code.store("0", spot)

    def look(index: Value, out: str) -> None:
        go, stop = code.new_label(), code.new_label()
        code.branch(
            code.compare("slt", code.add(code.contents.entry(depths, index, 32), index), above), go, stop
        )
        code.label(stop)
        code.jump(out)
        code.label(go)
        code.store(code.add(index, 1), spot)

    code.loops.count_up("0", code.lists.length(deep), look)
    index = code.load(spot)
    code.placing.insert_entry(deep, index, "%c", bits, room)
    code.placing.insert_entry(depths, index, code.op("sub", above, index), 32, room)
    code.placing.insert_entry(code.contents.part("%p", 7), index, "%viewers", 32, room)
    code.give("0")
    code.label(under)
    index = code.op("sub", above, inside)
    code.placing.insert_entry(bottom, index, "%c", bits, room)
    code.placing.insert_entry(code.contents.part("%p", 4), index, "%viewers", 32, room)
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
    bits, parts = code.contents.entries(name), code.module.known_cards.parts(name)
    unknown = code.contents.bits_size(code.contents.list_at("%p"), code.contents.limbs(name))
    none_unknown = code.compare("eq", unknown, 0)

    def last(number: int) -> Value:
        cards = code.contents.part("%p", number)
        return code.contents.entry(cards, code.op("sub", code.lists.length(cards), 1), bits)

    def has(number: int) -> Value:
        return code.compare("sgt", code.lists.length(code.contents.part("%p", number)), 0)

    first_part, last_part = ("top", "bottom") if end == "top" else ("bottom", "top")
    numbers = {"top": 1, "bottom": 2}
    if first_part in parts:
        give_first(code, has(numbers[first_part]), lambda: last(numbers[first_part]))
    if "deep" in parts:
        yes, no = code.new_label(), code.new_label()
        code.branch(has(5), yes, no)
        code.label(yes)
        depths = code.contents.part("%p", 6)
        if end == "top":
            up = code.either(code.compare("eq", code.contents.entry(depths, "0", 32), 0), none_unknown)
            give_first(code, up, lambda: code.contents.entry(code.contents.part("%p", 5), "0", bits))
        else:
            lowest = code.contents.entry(depths, code.op("sub", code.lists.length(depths), 1), 32)
            give_first(code, code.compare("eq", lowest, unknown), lambda: last(5))
        code.label(no)
    if last_part in parts:
        free = none_unknown
        if end == "bottom" and "deep" in parts:
            free = code.both(free, code.negate(has(5)))
        other = code.contents.part("%p", numbers[last_part])
        give_first(
            code,
            code.both(free, has(numbers[last_part])),
            lambda: code.contents.entry(other, "0", bits),
        )
    code.give("-1")


def _last_entry(code: FunctionCode, ref: Value, name: str) -> Value:
    """What lies on top of a row or stack, or none."""
    pointer = code.contents.list_at(ref)
    size = code.lists.length(pointer)
    return code.lists.nth_of(
        size, size, lambda at: code.contents.entry(pointer, at, code.contents.entries(name))
    )


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
            for _, number, beside in code.contents.known_parts(name):
                found = code.placing.find_entry(
                    code.contents.part(ref, number), "%c", code.contents.entries(name)
                )
                code.when(
                    code.compare("sge", found, 0),
                    lambda f=found, b=beside: more(
                        code.contents.entry(code.contents.part(ref, b[-1]), f, 32)
                    ),  # type: ignore[misc]
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
