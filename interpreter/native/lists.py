"""Native code: lists. A list is its length and its elements, 32 bits each, in memory of the function or
in the frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core import (
    Apply,
    CallDefine,
    Conditional,
    Ex,
    Local,
    Near,
    Reduction,
    applies,
)
from ..core import value_types as t
from ..program.representations import Listed
from .builder import Value
from .code import FAILED, LARGE, TOO_MANY, Unsupported
from .part import Part, gives


class Lists(Part):
    # ------------------------------------------------------------ lists
    def new_list(self, room: int) -> Value:
        made = self.c.room(f"[{1 + room} x i32]")
        self.c.store("0", made, "i32")
        return made

    def push(self, pointer: Value, value: Value, room: int) -> None:
        length = self.length(pointer)
        self.c.fail_if(self.c.compare("uge", length, room), TOO_MANY)
        self.c.store_int(value, self.c.at(pointer, self.c.add(length, 1), "i32"), 32)
        self.c.store_int(self.c.add(length, 1), pointer, 32)

    def length(self, pointer: Value) -> Value:
        return self.c.load_int(pointer, 32)

    def element(self, pointer: Value, index: Value) -> Value:
        return self.c.load_int(self.c.at(pointer, self.c.add(index, 1), "i32"), 32)

    def list_value(self, ex: Ex) -> Value:
        """The address of a list."""
        match ex:
            case Local() if isinstance(self.c.rep(ex.var), Listed):
                return self.c.local(ex.var)
            case Conditional() if isinstance(ex.type, t.ListOf):
                return self.c.exprs.conditional(ex, self.reps.of(ex.type), self.list_value)
            case CallDefine() if isinstance(ex.type, t.ListOf):
                return self.c.value(ex)
            case Apply(op="snapshot" | "revealed"):
                return self.list_value(ex.args[0])
            case Reduction(kind="sort"):
                return self._sorted(ex)
            case Apply(op="foremost"):
                return self._foremost(ex)
            case Apply(op="subsets" | "subsets_from" | "next_members"):
                raise Unsupported("a set that is chosen")
        room = self.room_of(ex)
        made = self.new_list(room)
        parts = ex.args if applies(ex, "concat") else (ex,)
        for part in parts:
            self.c.loops.each(part, lambda value, _: self.push(made, value, room))
        return made

    def _foremost(self, ex: Apply) -> Value:
        whole, amount = self.list_value(ex.args[0]), self.c.value(ex.args[1])
        self.c.fail_if(self.c.compare("ugt", amount, self.length(whole)), FAILED)
        room = self.room_of(ex)
        made = self.new_list(room)
        self.c.loops.count_up("0", amount, lambda index, _: self.push(made, self.element(whole, index), room))
        return made

    def room_of(self, ex: Ex) -> int:
        assert isinstance(ex.type, t.SetOf | t.ListOf)
        return self.reps.room(ex.type.of)

    @gives("concat", "foremost", "snapshot", "clockwise", "line", "lines", "row_of", "column_of", Near)
    def _own_list(self, ex: Ex) -> Value:
        if isinstance(ex.type, t.SetOf) and not applies(ex, "snapshot"):
            return self.c.sets.set_value(ex, self.c.sets.natural(ex))
        return self.list_value(ex)

    def same_list(self, a: Value, b: Value) -> Value:
        answer, out = self.c.room("i1"), self.c.new_label("same")
        size = self.length(a)
        equal = self.c.compare("eq", size, self.length(b))
        self.c.store(equal, answer, "i1")
        go = self.c.new_label()
        self.c.branch(equal, go, out)
        self.c.label(go)

        def look(index: Value, _: str) -> None:
            no, yes = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.compare("eq", self.element(a, index), self.element(b, index)), yes, no)
            self.c.label(no)
            self.c.store("false", answer, "i1")
            self.c.jump(out)
            self.c.label(yes)

        self.c.loops.count_up("0", size, look)
        self.c.label(out)
        return self.c.load(answer, "i1")

    @gives("length")
    def _length(self, ex: Apply) -> Value:
        return self.length(self.list_value(ex.args[0]))

    @gives("element")
    def _element(self, ex: Apply) -> Value:
        whole, index = self.list_value(ex.args[0]), self.c.value(ex.args[1])
        self.c.fail_if(self.c.compare("uge", index, self.length(whole)), LARGE)
        return self.element(whole, index)

    @gives("list_at")
    def _list_at(self, ex: Apply) -> Value:
        whole, index = self.list_value(ex.args[0]), self.c.value(ex.args[1])
        return self.nth_of(index, self.length(whole), lambda place: self.element(whole, place))

    def nth_of(self, index: Value, size: Value, read: Callable[[Value], Value]) -> Value:
        """The one at a position from 1, or none."""
        place = self.c.op("sub", index, 1)
        answer, yes, no = self.c.room(), self.c.new_label(), self.c.new_label()
        self.c.store("-1", answer)
        self.c.branch(self.c.compare("ult", place, size), yes, no)
        self.c.label(yes)
        self.c.store(read(place), answer)
        self.c.label(no)
        return self.c.load(answer)

    def _sorted(self, ex: Reduction) -> Value:
        """By the keys; those with equal keys stay as they come. By insertion."""
        room = self.room_of(ex)
        keys = [self.c.room(f"[{room + 1} x i64]") for _ in ex.by]
        made = self.new_list(room)

        def take(_: str) -> None:
            mine = [self.c.value(key) for key in ex.by]
            value = self.c.value(ex.value)
            size = self.length(made)
            self.push(made, value, room)
            at = self.c.room()
            self.c.store(size, at)
            top, go, shift, out = (self.c.new_label() for _ in range(4))
            self.c.label(top)
            index = self.c.load(at)
            self.c.branch(self.c.compare("sgt", index, 0), go, out)
            self.c.label(go)
            before = self.c.op("sub", index, 1)
            theirs = [self.c.load(self.c.at(key, before, "i64")) for key in keys]
            self.c.branch(self.first_less(mine, theirs, "slt"), shift, out)
            self.c.label(shift)
            for key, old in zip(keys, theirs, strict=True):
                self.c.store(old, self.c.at(key, index, "i64"))
            self.c.store_int(self.element(made, before), self.c.at(made, self.c.add(index, 1), "i32"), 32)
            self.c.store(before, at)
            self.c.jump(top)
            self.c.label(out)
            index = self.c.load(at)
            for key, new in zip(keys, mine, strict=True):
                self.c.store(new, self.c.at(key, index, "i64"))
            self.c.store_int(value, self.c.at(made, self.c.add(index, 1), "i32"), 32)

        self.c.loops.loop(ex.gens, take, while_=ex.while_)
        return made

    def first_less(self, mine: Sequence[Value], theirs: Sequence[Value], how: str) -> Value:
        """Is one list of keys before another?"""
        less, equal = "false", "true"
        for a, b in zip(mine, theirs, strict=True):
            less = self.c.either(less, self.c.both(equal, self.c.compare(how, a, b)))
            equal = self.c.both(equal, self.c.compare("eq", a, b))
        return less
