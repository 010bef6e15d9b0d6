"""Native code: lists, loops and comprehensions.

A list is its length and its elements, 32 bits each, in memory of the function or
in the frame. A loop runs over a domain in the order of the language; its
conditions are tested as soon as what they read is bound, and what does not change
in it is worked out in front of it: LLVM does not move calls and loads by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core import (
    Apply,
    CallDefine,
    Conditional,
    Ex,
    Gen,
    Local,
    Near,
    Reduction,
    Rows,
    Universe,
    applies,
    bound_by,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.passes.inline_conditions import opened, overlap
from ..program.representations import Bits, Listed, NoBound
from ..program.searched_grids import by_kind
from ..python.loops import _count_reads, certain_reads, worth_hoisting
from .builder import Value
from .code import LARGE, NOT_ONE, TOO_MANY, Unsupported, gives, llvm_type
from .sets import SetCode

Body = Callable[[Value, str], None]
"""What a loop does with an element; the label leads out of the loop."""


class LoopCode(SetCode):
    # ------------------------------------------------------------ lists
    def new_list(self, room: int) -> Value:
        made = self.room(f"[{1 + room} x i32]")
        self.store("0", made, "i32")
        return made

    def push(self, pointer: Value, value: Value, room: int) -> None:
        length = self.length(pointer)
        self.fail_if(self.compare("uge", length, room), TOO_MANY)
        self.store_int(value, self.at(pointer, self.add(length, 1), "i32"), 32)
        self.store_int(self.add(length, 1), pointer, 32)

    def length(self, pointer: Value) -> Value:
        return self.load_int(pointer, 32)

    def element(self, pointer: Value, index: Value) -> Value:
        return self.load_int(self.at(pointer, self.add(index, 1), "i32"), 32)

    def list_value(self, ex: Ex) -> Value:
        """The address of a list."""
        match ex:
            case Local() if isinstance(self.rep(ex.var), Listed):
                return self.local(ex.var)
            case Conditional() if isinstance(ex.type, t.ListOf):
                return self.conditional(ex, self.reps.of(ex.type), self.list_value)
            case CallDefine() if isinstance(ex.type, t.ListOf):
                return self.value(ex)
            case Apply(op="snapshot" | "revealed"):
                return self.list_value(ex.args[0])
            case Reduction(kind="sort"):
                return self._sorted(ex)
        room = self._room_of(ex)
        made = self.new_list(room)
        parts = ex.args if applies(ex, "concat") else (ex,)
        for part in parts:
            self.each(part, lambda value, _: self.push(made, value, room))
        return made

    def _room_of(self, ex: Ex) -> int:
        assert isinstance(ex.type, t.SetOf | t.ListOf)
        return self.reps.room(ex.type.of)

    @gives("concat", "snapshot", "clockwise", "line", "lines", "row_of", "column_of", Near)
    def _own_list(self, ex: Ex) -> Value:
        if isinstance(ex.type, t.SetOf) and not applies(ex, "snapshot"):
            return self.set_value(ex, self.natural(ex))
        return self.list_value(ex)

    def same_list(self, a: Value, b: Value) -> Value:
        answer, out = self.room("i1"), self.new_label("same")
        size = self.length(a)
        equal = self.compare("eq", size, self.length(b))
        self.store(equal, answer, "i1")
        go = self.new_label()
        self.branch(equal, go, out)
        self.label(go)

        def look(index: Value, _: str) -> None:
            no, yes = self.new_label(), self.new_label()
            self.branch(self.compare("eq", self.element(a, index), self.element(b, index)), yes, no)
            self.label(no)
            self.store("false", answer, "i1")
            self.jump(out)
            self.label(yes)

        self.count_up("0", size, look)
        self.label(out)
        return self.load(answer, "i1")

    @gives("length")
    def _length(self, ex: Apply) -> Value:
        return self.length(self.list_value(ex.args[0]))

    @gives("element")
    def _element(self, ex: Apply) -> Value:
        whole, index = self.list_value(ex.args[0]), self.value(ex.args[1])
        self.fail_if(self.compare("uge", index, self.length(whole)), LARGE)
        return self.element(whole, index)

    @gives("list_at")
    def _list_at(self, ex: Apply) -> Value:
        whole, index = self.list_value(ex.args[0]), self.value(ex.args[1])
        return self.nth_of(index, self.length(whole), lambda place: self.element(whole, place))

    def nth_of(self, index: Value, size: Value, read: Callable[[Value], Value]) -> Value:
        """The one at a position from 1, or none."""
        place = self.op("sub", index, 1)
        answer, yes, no = self.room(), self.new_label(), self.new_label()
        self.store("-1", answer)
        self.branch(self.compare("ult", place, size), yes, no)
        self.label(yes)
        self.store(read(place), answer)
        self.label(no)
        return self.load(answer)

    def _sorted(self, ex: Reduction) -> Value:
        """By the keys; those with equal keys stay as they come. By insertion."""
        room = self._room_of(ex)
        keys = [self.room(f"[{room + 1} x i64]") for _ in ex.by]
        made = self.new_list(room)

        def take(_: str) -> None:
            mine = [self.value(key) for key in ex.by]
            value = self.value(ex.value)
            size = self.length(made)
            self.push(made, value, room)
            at = self.room()
            self.store(size, at)
            top, go, shift, out = (self.new_label() for _ in range(4))
            self.label(top)
            index = self.load(at)
            self.branch(self.compare("sgt", index, 0), go, out)
            self.label(go)
            before = self.op("sub", index, 1)
            theirs = [self.load(self.at(key, before, "i64")) for key in keys]
            self.branch(self.first_less(mine, theirs, "slt"), shift, out)
            self.label(shift)
            for key, old in zip(keys, theirs, strict=True):
                self.store(old, self.at(key, index, "i64"))
            self.store_int(self.element(made, before), self.at(made, self.add(index, 1), "i32"), 32)
            self.store(before, at)
            self.jump(top)
            self.label(out)
            index = self.load(at)
            for key, new in zip(keys, mine, strict=True):
                self.store(new, self.at(key, index, "i64"))
            self.store_int(value, self.at(made, self.add(index, 1), "i32"), 32)

        self.loop(ex.gens, take, while_=ex.while_)
        return made

    def first_less(self, mine: Sequence[Value], theirs: Sequence[Value], how: str) -> Value:
        """Is one list of keys before another?"""
        less, equal = "false", "true"
        for a, b in zip(mine, theirs, strict=True):
            less = self.either(less, self.both(equal, self.compare(how, a, b)))
            equal = self.both(equal, self.compare("eq", a, b))
        return less

    # ------------------------------------------------------------ loops over numbers and bits
    def count_up(self, low: Value | int, end: Value | int, body: Body) -> None:
        """From `low` to the one before `end`."""
        at = self.room()
        self.store(low, at)
        top, go, following, out = (self.new_label(hint) for hint in ("top", "go", "next", "out"))
        self.label(top)
        index = self.load(at)
        self.branch(self.compare("slt", index, end), go, out)
        self.label(go)
        self.loops.append((following, out))
        body(index, out)
        self.loops.pop()
        self.label(following)
        self.store(self.add(self.load(at), 1), at)
        self.jump(top)
        self.label(out)

    def each_bit(
        self, value: Value, body: Body, rep: Bits, out: str | None = None, base: Value = "0"
    ) -> None:
        """The elements of a set of one limb, in order; a wider one limb by limb."""
        if rep.limbs > 1:
            copy = self.room(llvm_type(rep))
            self.store(value, copy, llvm_type(rep), align=8)
            self.each_limb(copy, rep.limbs, body, rep.low)
            return
        left = self.room()
        self.store(value, left)
        top, go, end = self.new_label("bits"), self.new_label("bit"), self.new_label("done")
        self.label(top)
        now = self.load(left)
        self.branch(self.compare("ne", now, 0), go, end)
        self.label(go)
        place = self.let(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")
        self.store(self.op("and", now, self.op("sub", now, 1)), left)
        self.loops.append((top, out or end))
        body(self.add(self.add(place, base), rep.low), out or end)
        self.loops.pop()
        self.jump(top)
        self.label(end)

    def each_limb(self, pointer: Value, limbs: int, body: Body, low: int = 0, copy: bool = False) -> None:
        """The elements of a set in memory, which the body may change if it is a `copy`."""
        if limbs == 1:
            self.each_bit(self.load(pointer), body, Bits(64, low))
            return
        if copy:
            kept = self.room(f"[{limbs} x i64]")
            self.copy(kept, pointer, 8 * limbs)
            pointer = kept
        out = self.new_label("out")

        def limb(index: Value, _: str) -> None:
            base = self.op("shl", index, 6)
            self.each_bit(self.load(self.at(pointer, index, "i64")), body, Bits(64, low), out, base)

        self.count_up("0", str(limbs), limb)
        self.label(out)

    # ------------------------------------------------------------ loops over domains
    def elements(self, ex: Ex) -> list[int] | None:
        """The elements of a domain, when they are known."""
        if not isinstance(ex.type, t.SetOf | t.ListOf):
            return None
        if applies(ex, "range"):
            low, high = (self.known(a) for a in ex.args)
            return list(range(low, high + 1)) if low is not None and high is not None else None
        if isinstance(ex, Universe):
            return list(self.layout.universe(ex.of))
        if is_mask(ex.type.of):
            mask = self.known(ex)
            if mask is not None:
                return [i for i in range(mask.bit_length()) if mask >> i & 1]
        if applies(ex, "set"):
            values = [self.known(a) for a in ex.args]
            if all(v is not None for v in values):
                given = zip(ex.args, values, strict=True)
                return sorted({int(v or 0) for a, v in given if v != -1 or isinstance(a.type, t.Num)})
        return None

    def each(self, ex: Ex, body: object, *, snapshot: bool = False) -> None:
        """The elements of a domain in the order of the language; the body may change what is looked
        through if a `snapshot` is taken."""
        assert callable(body)
        fixed = self.elements(ex)
        if fixed is not None:
            self._each_known(fixed, body)
            return
        match ex:
            case Apply(op="range"):
                low, high = (self.value(part) for part in ex.args)
                self.count_up(low, self.add(high, 1), body)
            case Apply(op="items"):
                self.each_in_place(ex.args[0], body, snapshot)
            case Apply(op="line" | "row_of" | "column_of") | Near():
                self.each_space(ex, body)
            case Apply(op="frontier"):
                self.each_on_frontier(ex, body, snapshot)
            case Rows():
                self.count_up("0", self.number_at(self.layout.records[ex.record.name][0]), body)
            case Apply(op="clockwise"):
                who, players = self.value(ex.args[0]), self.layout.players

                def seat(index: Value, out: str) -> None:
                    later = self.add(who, index)
                    over = self.compare("sge", later, players)
                    body(self.select(over, self.op("sub", later, players), later), out)

                self.count_up("0", str(players), seat)
            case Apply(op="revealed"):
                self.each(ex.args[0], body, snapshot=snapshot)
            case Local() if ex.var.uid in self.line_at:
                start, size, name = self.line_at[ex.var.uid]
                self.count_up(
                    "0",
                    str(size),
                    lambda i, out: body(
                        self.load_int(self.at(name[0], self.add(start, i), f"i{name[1]}"), name[1]), out
                    ),
                )
            case _:
                self._each_of_value(ex, body, snapshot)

    line_at: dict[str, tuple[Value, int, tuple[str, int]]]
    """Lines of spaces under way: where each starts in its table, how long they are, the table."""

    def _each_known(self, values: list[int], body: Body) -> None:
        if not values:
            return
        if values == list(range(values[0], values[-1] + 1)):
            self.count_up(str(values[0]), str(values[-1] + 1), body)
        else:
            self.count_up("0", str(len(values)), lambda i, out: body(self.table(values, i), out))

    def _each_of_value(self, ex: Ex, body: Body, snapshot: bool) -> None:
        assert isinstance(ex.type, t.SetOf | t.ListOf)
        if isinstance(ex.type, t.SetOf) and not (
            isinstance(ex, Local) and isinstance(self.rep(ex.var), Listed)
        ):
            if self.grows(ex.type.of):
                self._each_growing(ex, body, snapshot)
                return
            rep = self.natural(ex)
            self.each_bit(self.set_value(ex, rep), body, rep)
            return
        whole = self.list_value(ex)
        self.count_up("0", self.length(whole), lambda i, out: body(self.element(whole, i), out))

    def _each_growing(self, ex: Ex, body: Body, snapshot: bool) -> None:
        """Spaces of a grid that grows are no bits: they are met one by one."""
        if snapshot:
            room = self._room_of(ex)
            made = self.new_list(room)
            self.each(ex, lambda value, _: self.push(made, value, room))
            self.count_up("0", self.length(made), lambda i, out: body(self.element(made, i), out))
            return
        if isinstance(ex, CallDefine) and not self.module.recursive(f"define {ex.define.name}"):
            saved, me = dict(self.env), self.me
            for param, arg in zip(ex.define.params, ex.args, strict=True):
                self.bind(param, self.as_type(arg, param.type))
            self.each(ex.define.body, body)
            self.env, self.me = saved, me
            return
        if isinstance(ex, Reduction) and ex.kind == "set" and ex.while_ is None and len(ex.gens) == 1:
            if isinstance(ex.value, Local) and ex.value.var == ex.gens[0].var:
                self.loop(ex.gens, lambda out: body(self.value(ex.value), out))
                return
        raise NoBound("a set of spaces of a grid that grows, as a value")

    def loop(
        self,
        gens: object,
        body: object,
        *,
        while_: Ex | None = None,
        more: tuple[Ex, ...] = (),
        snapshot: bool = False,
    ) -> None:
        """Nested loops with their conditions; `body` gets the label that leads out of the innermost.
        `more` is what it works out, so that the parts of it that stay the same are worked out in front."""
        assert isinstance(gens, tuple) and callable(body)
        saved, consts, hoisted = dict(self.env), dict(self.consts), dict(self.hoisted)
        if snapshot:
            self.hoisted = {}
        self._loop(gens, body, while_, more, snapshot)
        self.env, self.consts, self.hoisted = saved, consts, hoisted

    def _loop(
        self,
        gens: tuple[Gen, ...],
        body: Callable[[str], None],
        while_: Ex | None,
        more: tuple[Ex, ...],
        snapshot: bool,
    ) -> None:
        gen, *rest = gens
        if not snapshot:
            gen = opened(gen, self.module.opens)
            for part in (*gen.where, *((while_,) if while_ is not None else ()), *(more if not rest else ())):
                self.in_front(part, bound_by(gen))

        def one(out: str) -> None:
            following = self.new_label("skip")
            before = dict(self.hoisted)
            self._conditions(gen.where, following, share=not snapshot)
            if while_ is not None:
                go = self.new_label()
                self.branch(self.test(while_), go, out)
                self.label(go)
            if rest:
                self.loop(tuple(rest), body, more=more, snapshot=snapshot)
            else:
                body(out)
            self.hoisted = before
            self.label(following)

        if applies(gen.domain, "lines"):
            self._each_line(gen, one)
            return

        def bound(value: Value, out: str) -> None:
            self.forget(gen.var.uid)
            self.consts.pop(gen.var.uid, None)
            self.env.pop(gen.var.uid, None)
            self.bind(gen.var, value)
            one(out)

        hit = by_kind(gen)
        if hit is not None and hit[0] in self.layout.indexed and not snapshot:
            first, kind = self.layout.indexed[hit[0]], self.value(hit[1])
            gen = Gen(gen.var, gen.domain, gen.where[1:], gen.cells)
            self.each_limb(self.list_at(self.add(kind, first)), self.memory.lists[first].limbs, bound)
        else:
            self.each(gen.domain, bound, snapshot=snapshot)

    def _conditions(self, where: tuple[Ex, ...], otherwise: str, share: bool) -> None:
        """Go on where all hold. What several of them read is worked out once."""
        counts: dict[Ex, int] = {}
        for condition in where:
            _count_reads(condition, counts)
        for condition in where:
            if share:
                for ex in certain_reads(condition):
                    if counts.get(ex, 0) > 1 and ex not in self.hoisted and self._scalar(ex):
                        self.hoisted[ex] = self.value(ex)
            go = self.new_label("go")
            self.branch(self.test(condition), go, otherwise)
            self.label(go)

    def _scalar(self, ex: Ex) -> bool:
        return self.known(ex) is None and not isinstance(ex.type, t.SetOf | t.ListOf | t.Array | t.Place)

    def in_front(self, ex: Ex, bound: set[str]) -> None:
        """Work out here the parts of an expression that do not depend on what is bound in the loop.
        Whether they will be needed is not known, so they must not fail."""
        if ex in self.hoisted or self.known(ex) is not None:
            return
        if worth_hoisting(ex) and self._scalar(ex) and not self.module.can_fail(ex):
            if not free_vars(ex) & bound:
                self.hoisted[ex] = self.value(ex)
                return
        if not isinstance(ex, Reduction | CallDefine):
            for arg in operands(ex):
                self.in_front(arg, bound)
        elif isinstance(ex, CallDefine):
            for arg in ex.args:
                self.in_front(arg, bound)

    def _each_line(self, gen: Gen, one: Callable[[str], None]) -> None:
        """The lines through a space: rows of a table."""
        assert isinstance(gen.domain, Apply)
        space, size = gen.domain.args
        length = self.known(size)
        if length is None:
            raise Unsupported("lines of a length that is not known")
        rows = self.line_rows(space, length)
        starts = [0]
        flat: list[int] = []
        for row in rows:
            for line in row:
                flat += line
            starts.append(starts[-1] + len(row))
        table = self.module.table(flat or [0])
        at = self.value(space)
        first = self.table(starts, at)
        end = self.table(starts, self.add(at, 1))

        def line_at(index: Value, out: str) -> None:
            self.line_at[gen.var.uid] = (self.op("mul", index, length - 1), length - 1, table)
            one(out)

        self.count_up(first, end, line_at)

    # ------------------------------------------------------------ comprehensions
    def quantified(self, ex: Reduction) -> Value:
        """`any`, `every`, `none`."""
        sets = overlap(ex)
        if sets is not None:
            found = self._two_sets(*sets)
            if found is not None:
                return found
        answer, done = self.room("i1"), self.new_label("told")
        self.store("false" if ex.kind == "any" else "true", answer, "i1")

        def ask(_: str) -> None:
            hit, miss = self.new_label(), self.new_label()
            self.branch(self.test(ex.value), *((miss, hit) if ex.kind == "every" else (hit, miss)))
            self.label(hit)
            self.store("true" if ex.kind == "any" else "false", answer, "i1")
            self.jump(done)
            self.label(miss)

        self.loop(ex.gens, ask, while_=ex.while_, more=(ex.value,))
        self.label(done)
        return self.load(answer, "i1")

    def _two_sets(self, kind: str, whole: Ex, part: Ex) -> Value | None:
        """A test over one set that asks about another: one operation will do."""
        assert isinstance(whole.type, t.SetOf) and isinstance(part.type, t.SetOf)
        if not (is_mask(whole.type.of) and is_mask(part.type.of)):
            return None
        rep = self.wider(whole.type, part.type)
        type_ = llvm_type(rep)
        all_, some = self.set_value(whole, rep), self.set_value(part, rep)
        if kind == "every":
            all_ = self.op("xor", all_, -1, type_)
        found = self.op("and", some, all_, type_)
        return self.compare("ne" if kind == "any" else "eq", found, 0, type_)

    @gives(Reduction)
    def _reduced(self, ex: Reduction) -> Value:
        match ex.kind:
            case "count":
                return self._count(ex)
            case "sum":
                total = self.room()
                self.store("0", total)
                self.loop(
                    ex.gens,
                    lambda _: self.store(self.op("add", self.load(total), self.value(ex.value)), total),
                    while_=ex.while_,
                    more=(ex.value,),
                )
                return self.load(total)
            case "max" | "min":
                return self._bound(ex)
            case "most" | "least":
                return self._best(ex)
            case "set":
                return self.set_value(ex, self.natural(ex))
            case "sort":
                return self.list_value(ex)
            case "first" if ex.by:
                return self._first_by(ex)
            case "first" | "last" | "the":
                return self._one(ex)
        raise Unsupported(f"a comprehension by {ex.kind}")

    def _count(self, ex: Reduction) -> Value:
        gen = ex.gens[0]
        whole = len(ex.gens) == 1 and not gen.where and ex.while_ is None
        domain = gen.domain
        if whole and isinstance(domain.type, t.SetOf) and not applies(domain, "range", "items", "frontier"):
            if not self.grows(domain.type.of) and not isinstance(domain.type.of, t.Unknown):
                rep = self.natural(domain)
                return self.count_bits(self.set_value(domain, rep), rep)
        if whole and applies(domain, "items"):
            return self.size_of(domain.args[0])
        total = self.room()
        self.store("0", total)
        self.loop(ex.gens, lambda _: self.store(self.add(self.load(total), 1), total), while_=ex.while_)
        return self.load(total)

    def _bound(self, ex: Reduction) -> Value:
        """The greatest or the least; 0 if there is none."""
        have, best = self.room("i1"), self.room()
        self.store("false", have, "i1")
        self.store("0", best)

        def look(_: str) -> None:
            value, old = self.value(ex.value), self.load(best)
            better = self.compare("sgt" if ex.kind == "max" else "slt", value, old)
            better = self.either(self.negate(self.load(have, "i1")), better)
            self.store(self.select(better, value, old), best)
            self.store("true", have, "i1")

        self.loop(ex.gens, look, while_=ex.while_, more=(ex.value,))
        return self.load(best)

    def _best(self, ex: Reduction) -> Value:
        """All of those whose keys are best."""
        rep = self.natural(ex)
        have, best = self.room("i1"), [self.room() for _ in ex.by]
        found = self.bits_room(rep)
        for key_room in best:
            self.store("0", key_room)
        self.store("false", have, "i1")

        def look(_: str) -> None:
            keys = [self.value(key) for key in ex.by]
            value = self.value(ex.value)
            old = [self.load(room) for room in best]
            better = self.first_less(keys, old, "sgt" if ex.kind == "most" else "slt")
            better = self.either(self.negate(self.load(have, "i1")), better)
            equal = "true"
            for a, b in zip(keys, old, strict=True):
                equal = self.both(equal, self.compare("eq", a, b))
            new, other, join, done = (self.new_label() for _ in range(4))
            self.branch(better, new, other)
            self.label(new)
            for key, room in zip(keys, best, strict=True):
                self.store(key, room)
            self.store("true", have, "i1")
            self.store("0", found, llvm_type(rep), align=8)
            self.jump(join)
            self.label(other)
            self.branch(equal, join, done)
            self.label(join)
            self.put_bit(found, value, rep, ex.value.type)
            self.label(done)

        self.loop(ex.gens, look, while_=ex.while_)
        return self.load(found, llvm_type(rep), align=8)

    def _first_by(self, ex: Reduction) -> Value:
        """The one with the least keys; of equals the first."""
        have, best, answer = self.room("i1"), [self.room() for _ in ex.by], self.room()
        self.store("false", have, "i1")
        self.store("-1", answer)
        for room in best:
            self.store("0", room)

        def look(_: str) -> None:
            keys = [self.value(key) for key in ex.by]
            value = self.value(ex.value)
            less = self.first_less(keys, [self.load(room) for room in best], "slt")
            less = self.either(self.negate(self.load(have, "i1")), less)
            new, done = self.new_label(), self.new_label()
            self.branch(less, new, done)
            self.label(new)
            for key, room in zip(keys, best, strict=True):
                self.store(key, room)
            self.store(value, answer)
            self.store("true", have, "i1")
            self.label(done)

        self.loop(ex.gens, look, while_=ex.while_)
        return self.load(answer)

    def _one(self, ex: Reduction) -> Value:
        answer, many, done = self.room(), self.room(), self.new_label("found")
        self.store("-1", answer)
        self.store("0", many)

        def take(_: str) -> None:
            self.store(self.value(ex.value), answer)
            if ex.kind == "first":
                self.jump(done)
            else:
                self.store(self.add(self.load(many), 1), many)

        self.loop(ex.gens, take, while_=ex.while_)
        self.label(done)
        if ex.kind == "the":
            self.fail_if(self.compare("ne", self.load(many), 1), NOT_ONE)
        return self.load(answer)

    # ------------------------------------------------------------ by the other parts
    def each_in_place(self, place: Ex, body: Body, snapshot: bool) -> None:
        raise NotImplementedError

    def each_space(self, ex: Ex, body: Body) -> None:
        raise NotImplementedError

    def each_on_frontier(self, ex: Apply, body: Body, snapshot: bool) -> None:
        raise NotImplementedError

    def line_rows(self, space: Ex, length: int) -> Sequence[Sequence[Sequence[int]]]:
        raise NotImplementedError

    def list_at(self, ref: Value) -> Value:
        raise NotImplementedError

    def size_of(self, place: Ex) -> Value:
        raise NotImplementedError
