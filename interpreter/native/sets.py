"""Native code: sets as bits, of any width.

A set is one integer of as many bits as there are things that could be in it,
rounded up to 64: LLVM takes wide ones apart. `union` is `or`, `difference` is
`and not`, equality is equality, and the order of the language is that of the bits.
"""

from __future__ import annotations

from ..core import (
    Apply,
    CallDefine,
    Conditional,
    Ex,
    Local,
    RecordField,
    Reduction,
    Rows,
    StateRef,
    Universe,
    applies,
)
from ..core import value_types as t
from ..program.representations import Bits
from .builder import Value
from .code import RANGE, llvm_type
from .part import Part, gives, tells


class Sets(Part):
    # ------------------------------------------------------------ bits
    def one_bit(self, value: Value, rep: Bits) -> Value:
        """The set of one element."""
        place = self.c.op("sub", value, rep.low)
        type_ = llvm_type(rep)
        if rep.limbs == 1:
            return self.c.op("shl", 1, place)
        return self.c.let(f"shl {type_} 1, {self.c.let(f'zext i64 {place} to {type_}')}")

    def fit_bits(self, value: Value, given: Bits, wanted: Bits) -> Value:
        """A set in another form; what has no room there is a failure."""
        if given == wanted or (given.limbs == wanted.limbs and given.low == wanted.low):
            return value
        wide = max(given.limbs, wanted.limbs)
        type_, to = f"i{64 * wide}", llvm_type(wanted)
        if given.limbs < wide:
            value = self.c.let(f"zext {llvm_type(given)} {value} to {type_}")
        moved = given.low - wanted.low  # by so many bits to the left
        if moved > 0:
            value = self.c.let(f"shl {type_} {value}, {moved}")
        elif moved < 0:
            lost = self.c.let(f"and {type_} {value}, {(1 << -moved) - 1}")
            self.c.fail_if(self.c.compare("ne", lost, 0, type_), RANGE)
            value = self.c.let(f"lshr {type_} {value}, {-moved}")
        if wanted.limbs < wide:
            above = self.c.let(f"lshr {type_} {value}, {64 * wanted.limbs}")
            self.c.fail_if(self.c.compare("ne", above, 0, type_), RANGE)
            value = self.c.let(f"trunc {type_} {value} to {to}")
        return value

    def bits_room(self, rep: Bits) -> Value:
        """Memory for a set, empty."""
        room = self.c.room(llvm_type(rep))
        self.c.store("0", room, llvm_type(rep), align=8)
        return room

    def bit_at(self, pointer: Value, index: Value) -> tuple[Value, Value]:
        """Where the bit with this number is, and the bit."""
        limb = self.c.at(pointer, self.c.op("lshr", index, 6), "i64")
        return limb, self.c.op("shl", 1, self.c.op("and", index, 63))

    def set_bit(self, pointer: Value, index: Value, limbs: int) -> None:
        limb, bit = self._bit(pointer, index, limbs)
        self.c.store(self.c.op("or", self.c.load(limb), bit), limb)

    def clear_bit(self, pointer: Value, index: Value, limbs: int) -> None:
        limb, bit = self._bit(pointer, index, limbs)
        self.c.store(self.c.op("and", self.c.load(limb), self.c.op("xor", bit, -1)), limb)

    def _bit(self, pointer: Value, index: Value, limbs: int) -> tuple[Value, Value]:
        self.c.within(index, 64 * limbs)
        return (pointer, self.c.op("shl", 1, index)) if limbs == 1 else self.bit_at(pointer, index)

    def put_bit(self, room: Value, value: Value, rep: Bits, type_: t.Type) -> None:
        """One more element of a set in memory; what may be none is left out, what has no place is a failure."""
        place = self.c.op("sub", value, rep.low)
        out = self.c.compare("uge", place, min(rep.width, 64 * rep.limbs))
        if isinstance(type_, t.Opt | t.Nothing):
            none, some = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.compare("eq", value, -1), none, some)
            self.c.label(some)
            self.c.fail_if(out, RANGE)
            self.set_bit(room, place, rep.limbs)
            self.c.label(none)
            return
        if not self.certain(type_, rep):
            self.c.fail_if(out, RANGE)
        self.set_bit(room, place, rep.limbs)

    def certain(self, type_: t.Type, rep: Bits) -> bool:
        """Does the type say that the element has a place?"""
        if isinstance(type_, t.Num):
            return rep.low <= type_.low and type_.high < rep.low + rep.width
        return not isinstance(type_, t.Unknown)

    def count_bits(self, value: Value, rep: Bits) -> Value:
        type_ = llvm_type(rep)
        found = self.c.let(f"call {type_} @llvm.ctpop.{type_}({type_} {value})")
        self.module.wants_width(rep.limbs)
        return found if rep.limbs == 1 else self.c.let(f"trunc {type_} {found} to i64")

    # ------------------------------------------------------------ sets as values
    def natural(self, ex: Ex) -> Bits:
        """The form that the value of an expression has by itself."""
        type_ = ex.type
        match ex:
            case Local():
                found = self.c.rep(ex.var)
                assert isinstance(found, Bits)
                return found
            case StateRef():
                type_ = ex.state.type
            case RecordField():
                type_ = ex.record.fields[ex.name][1]
            case CallDefine():
                type_ = ex.define.type
        assert isinstance(type_, t.SetOf)
        return self.reps.bits(type_.of)

    def set_value(self, ex: Ex, rep: Bits) -> Value:
        fixed = self.c.exprs.known(ex)
        if fixed is not None:
            return str(fixed << -rep.low)
        if ex in self.c.hoisted:
            return self.fit_bits(self.c.hoisted[ex], self.natural(ex), rep)
        match ex:
            case Apply(op="set"):
                return self._listed_set(ex, rep)
            case Apply(op="range"):
                return self._range_set(ex, rep)
            case Universe():
                assert isinstance(ex.type, t.SetOf)
                span = self.layout.universe(ex.of)
                return str(((1 << len(span)) - 1) << (span.start - rep.low))
            case Apply(op="union" | "difference"):
                own = self.natural(ex)
                a, b = (self.set_value(part, own) for part in ex.args)
                if ex.op == "difference":
                    b = self.c.op("xor", b, -1, llvm_type(own))
                name = "or" if ex.op == "union" else "and"
                return self.fit_bits(self.c.op(name, a, b, llvm_type(own)), own, rep)
            case Apply(op="as_set"):
                return self._as_set(ex, rep)
            case Apply(op="revealed"):
                return self.set_value(ex.args[0], rep)
            case Conditional():
                return self.c.exprs.conditional(ex, rep, lambda arm: self.set_value(arm, rep))
            case Apply(op="items" | "row_of" | "column_of" | "line" | "frontier") | Rows():
                return self._gathered(ex, rep)
            case Reduction(kind="set"):
                return self._set_of(ex, rep)
            case Reduction(kind="spread"):
                return self._spread(ex, rep)
        if type(ex).__name__ == "Near":
            return self._gathered(ex, rep)
        found: Value = self.c.value(ex)
        return self.fit_bits(found, self.natural(ex), rep)

    @gives("set", "range", "union", "difference", "as_set", "items", "frontier", Universe, Rows)
    def _own_set(self, ex: Ex) -> Value:
        if isinstance(ex.type, t.ListOf):
            return self.c.lists.list_value(ex)
        return self.set_value(ex, self.natural(ex))

    def _listed_set(self, ex: Apply, rep: Bits) -> Value:
        if all(self.certain(item.type, rep) and not _optional(item) for item in ex.args):
            made: Value = "0"
            for item in ex.args:
                made = self.c.op("or", made, self.one_bit(self.c.value(item), rep), llvm_type(rep))
            return made
        room = self.bits_room(rep)
        for item in ex.args:
            self.put_bit(room, self.c.value(item), rep, item.type)
        return self.c.load(room, llvm_type(rep), align=8)

    def _range_set(self, ex: Apply, rep: Bits) -> Value:
        if rep.limbs > 1:
            return self._gathered(ex, rep)
        low, high = (self.c.op("sub", self.c.value(part), rep.low) for part in ex.args)
        end = self.c.most(self.c.add(high, 1), low)
        self.c.fail_if(self.c.either(self.c.compare("ugt", end, 63), self.c.compare("slt", low, 0)), RANGE)
        return self.c.op("sub", self.c.op("shl", 1, end), self.c.op("shl", 1, low))

    def _as_set(self, ex: Apply, rep: Bits) -> Value:
        """A set in the form of another type; members outside of its range are an error."""
        assert isinstance(ex.type, t.SetOf)
        (given,), element = ex.args, ex.type.of
        assert isinstance(given.type, t.SetOf)
        own = given.type.of
        if isinstance(element, t.Num) and isinstance(own, t.Num):
            if not (element.low <= own.low and own.high <= element.high):
                room = self.bits_room(rep)

                def keep(value: Value, _: str) -> None:
                    self.c.fail_if(self.c.arithmetic.outside(value, element.low, element.high), RANGE)
                    self.set_bit(room, self.c.op("sub", value, rep.low), rep.limbs)

                self.c.loops.each(given, keep)
                return self.c.load(room, llvm_type(rep), align=8)
        return self.set_value(given, rep)

    def _gathered(self, ex: Ex, rep: Bits) -> Value:
        """From the elements, one by one; the contents of a sorted place are bits already."""
        if applies(ex, "items"):
            found = self.c.contents.contents_bits(ex.args[0])
            if found is not None:
                return self.fit_bits(found, Bits(self.layout.comps[ex.args[0].place_type.of].count), rep)
        room = self.bits_room(rep)
        element = ex.type.of if isinstance(ex.type, t.SetOf | t.ListOf) else t.UNKNOWN
        self.c.loops.each(ex, lambda value, _: self.put_bit(room, value, rep, element))
        return self.c.load(room, llvm_type(rep), align=8)

    def _set_of(self, ex: Reduction, rep: Bits) -> Value:
        room = self.bits_room(rep)
        self.c.loops.loop(
            ex.gens,
            lambda _: self.put_bit(room, self.c.value(ex.value), rep, ex.value.type),
            while_=ex.while_,
            more=(ex.value,),
        )
        return self.c.load(room, llvm_type(rep), align=8)

    def _spread(self, ex: Reduction, rep: Bits) -> Value:
        """What it begins with, and whatever any member leads to: a queue, and bits of what is in it."""
        first, *rest = ex.gens
        own = self.natural(ex)
        seen, queue = self.bits_room(own), self.c.lists.new_list(own.width)

        def reach(value: Value, type_: t.Type) -> None:
            none = self.c.new_label("none")
            if isinstance(type_, t.Opt | t.Nothing):
                some = self.c.new_label("some")
                self.c.branch(self.c.compare("eq", value, -1), none, some)
                self.c.label(some)
            place = self.c.op("sub", value, own.low)
            self.c.within(place, 64 * own.limbs)
            limb, bit = self.bit_at(seen, place)
            before, fresh = self.c.load(limb), self.c.new_label("fresh")
            self.c.branch(self.c.compare("eq", self.c.op("and", before, bit), 0), fresh, none)
            self.c.label(fresh)
            self.c.store(self.c.op("or", before, bit), limb)
            self.c.lists.push(queue, value, own.width)
            self.c.label(none)

        assert isinstance(first.domain.type, t.SetOf | t.ListOf)
        start: tuple[Ex, ...] = first.domain.args if applies(first.domain, "set") else ()
        for item in start:
            reach(self.c.value(item), item.type)
        if not start:
            self.c.loops.each(first.domain, lambda value, _: reach(value, t.plain(first.var.type)))
        at, top, go, out = self.c.room(), *(self.c.new_label(hint) for hint in ("top", "go", "out"))
        self.c.store("0", at)
        self.c.label(top)
        index = self.c.load(at)
        self.c.branch(self.c.compare("slt", index, self.c.lists.length(queue)), go, out)
        self.c.label(go)
        member = self.c.lists.element(queue, index)
        self.c.store(self.c.add(index, 1), at)
        saved = dict(self.c.env), dict(self.c.consts), dict(self.c.hoisted)
        self.c.forget(first.var.uid)
        self.c.consts.pop(first.var.uid, None)
        self.c.env.pop(first.var.uid, None)
        self.c.bind(first.var, member)
        self.c.loops.loop(
            tuple(rest), lambda _: reach(self.c.value(ex.value), ex.value.type), more=(ex.value,)
        )
        self.c.env, self.c.consts, self.c.hoisted = saved
        self.c.jump(top)
        self.c.label(out)
        return self.fit_bits(self.c.load(seen, llvm_type(own), align=8), own, rep)

    # ------------------------------------------------------------ membership
    @tells("in")
    def _in(self, ex: Apply) -> Value:
        item, whole = ex.args
        maybe = isinstance(item.type, t.Opt | t.Nothing)
        match whole:
            case Apply(op="range"):
                low, high = (self.c.value(part) for part in whole.args)
                value = self.c.value(item)
                return self.c.both(self.c.compare("sle", low, value), self.c.compare("sle", value, high))
            case Apply(op="set"):
                value, found = self.c.value(item), "false"
                for part in whole.args:
                    found = self.c.either(found, self.c.compare("eq", value, self.c.value(part)))
                if maybe and any(_optional(part) for part in whole.args):
                    found = self.c.both(found, self.c.compare("ne", value, -1))
                return found
            case Universe():
                if maybe or (isinstance(item.type, t.Num) and item.type.low < 0):
                    return self.c.compare("ne", self.c.value(item), -1)
                return "true"
            case Apply(op="players"):
                return self.c.compare("sge", self.c.value(item), 0)
            case Apply(op="items"):
                return self.c.contents.lies_in(self.c.value(item), whole.args[0])
        if isinstance(whole.type, t.SetOf) and not self.grows(whole.type.of):
            return self.has_bit(whole, self.c.value(item))
        return self._among(item, whole)

    def has_bit(self, whole: Ex, value: Value) -> Value:
        rep = self.natural(whole) if not applies(whole, "revealed") else self.natural(whole.args[0])
        place = self.c.op("sub", value, rep.low)
        inside = self.c.compare("ult", place, 64 * rep.limbs)
        pointer = self.c.reading.set_in_memory(whole)
        if rep.limbs == 1 or pointer is not None:
            if pointer is None:
                limb, place_in = self.set_value(whole, rep), place
            else:
                safe = self.c.select(inside, place, "0")
                limb = self.c.load(self.c.at(pointer, self.c.op("lshr", safe, 6), "i64"))
                place_in = self.c.op("and", safe, 63)
            bit = self.c.op("and", self.c.op("lshr", limb, self.c.op("and", place_in, 63)), 1)
            return self.c.both(inside, self.c.compare("ne", bit, 0))
        room = self.bits_room(rep)
        self.c.store(self.set_value(whole, rep), room, llvm_type(rep), align=8)
        safe = self.c.select(inside, place, "0")
        limb, mask = self.bit_at(room, safe)
        return self.c.both(inside, self.c.compare("ne", self.c.op("and", self.c.load(limb), mask), 0))

    def _among(self, item: Ex, whole: Ex) -> Value:
        answer, value = self.c.room("i1"), self.c.value(item)
        self.c.store("false", answer, "i1")

        def look(found: Value, out: str) -> None:
            yes, no = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.compare("eq", found, value), yes, no)
            self.c.label(yes)
            self.c.store("true", answer, "i1")
            self.c.jump(out)
            self.c.label(no)

        self.c.loops.each(whole, look)
        return self.c.load(answer, "i1")

    def grows(self, element: t.Type) -> bool:
        """Is it a space of a grid that grows?"""
        return isinstance(element, t.Space) and self.layout.geometries[element.of].grows


def _optional(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt | t.Nothing)
