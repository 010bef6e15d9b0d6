"""Native code: loops.

A loop runs over a domain in the order of the language; its conditions are tested as
soon as what they read is bound, and what does not change in it is worked out in front
of it: LLVM does not move calls and loads by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import (
    Apply,
    CallDefine,
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
from ..program.passes.inline_conditions import opened
from ..program.representations import Bits, Listed, NoBound
from ..program.searched_grids import by_kind
from ..python.loops import _count_reads, certain_reads, worth_hoisting
from .builder import Value
from .code import Unsupported, llvm_type
from .part import Part

Body = Callable[[Value, str], None]
"""What a loop does with an element; the label leads out of the loop."""


class Loops(Part):
    # ------------------------------------------------------------ loops over numbers and bits
    def count_up(self, low: Value | int, end: Value | int, body: Body) -> None:
        """From `low` to the one before `end`."""
        at = self.c.room()
        self.c.store(low, at)
        top, go, following, out = (self.c.new_label(hint) for hint in ("top", "go", "next", "out"))
        self.c.label(top)
        index = self.c.load(at)
        self.c.branch(self.c.compare("slt", index, end), go, out)
        self.c.label(go)
        self.c.loop_labels.append((following, out))
        body(index, out)
        self.c.loop_labels.pop()
        self.c.label(following)
        self.c.store(self.c.add(self.c.load(at), 1), at)
        self.c.jump(top)
        self.c.label(out)

    def each_bit(
        self, value: Value, body: Body, rep: Bits, out: str | None = None, base: Value = "0"
    ) -> None:
        """The elements of a set of one limb, in order; a wider one limb by limb."""
        if rep.limbs > 1:
            copy = self.c.room(llvm_type(rep))
            self.c.store(value, copy, llvm_type(rep), align=8)
            self.each_limb(copy, rep.limbs, body, rep.low)
            return
        left = self.c.room()
        self.c.store(value, left)
        top, go, end = self.c.new_label("bits"), self.c.new_label("bit"), self.c.new_label("done")
        self.c.label(top)
        now = self.c.load(left)
        self.c.branch(self.c.compare("ne", now, 0), go, end)
        self.c.label(go)
        place = self.c.let(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")
        self.c.store(self.c.op("and", now, self.c.op("sub", now, 1)), left)
        self.c.loop_labels.append((top, out or end))
        body(self.c.add(self.c.add(place, base), rep.low), out or end)
        self.c.loop_labels.pop()
        self.c.jump(top)
        self.c.label(end)

    def each_limb(self, pointer: Value, limbs: int, body: Body, low: int = 0, copy: bool = False) -> None:
        """The elements of a set in memory, which the body may change if it is a `copy`."""
        if limbs == 1:
            self.each_bit(self.c.load(pointer), body, Bits(64, low))
            return
        if copy:
            kept = self.c.room(f"[{limbs} x i64]")
            self.c.copy(kept, pointer, 8 * limbs)
            pointer = kept
        out = self.c.new_label("out")

        def limb(index: Value, _: str) -> None:
            base = self.c.op("shl", index, 6)
            self.each_bit(self.c.load(self.c.at(pointer, index, "i64")), body, Bits(64, low), out, base)

        self.count_up("0", str(limbs), limb)
        self.c.label(out)

    # ------------------------------------------------------------ loops over domains
    def elements(self, ex: Ex) -> list[int] | None:
        """The elements of a domain, when they are known."""
        if not isinstance(ex.type, t.SetOf | t.ListOf):
            return None
        if applies(ex, "range"):
            low, high = (self.c.exprs.known(a) for a in ex.args)
            return list(range(low, high + 1)) if low is not None and high is not None else None
        if isinstance(ex, Universe):
            return list(self.layout.universe(ex.of))
        if is_mask(ex.type.of):
            mask = self.c.exprs.known(ex)
            if mask is not None:
                return [i for i in range(mask.bit_length()) if mask >> i & 1]
        if applies(ex, "set"):
            values = [self.c.exprs.known(a) for a in ex.args]
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
                low, high = (self.c.value(part) for part in ex.args)
                self.count_up(low, self.c.add(high, 1), body)
            case Apply(op="items"):
                self.c.contents.each_in_place(ex.args[0], body, snapshot)
            case Apply(op="line" | "row_of" | "column_of") | Near():
                self.c.spaces.each_space(ex, body)
            case Apply(op="frontier"):
                self.c.spaces.each_on_frontier(ex, body, snapshot)
            case Rows():
                self.count_up("0", self.c.number_at(self.layout.records[ex.record.name][0]), body)
            case Apply(op="clockwise"):
                who, players = self.c.value(ex.args[0]), self.layout.players

                def seat(index: Value, out: str) -> None:
                    later = self.c.add(who, index)
                    over = self.c.compare("sge", later, players)
                    body(self.c.select(over, self.c.op("sub", later, players), later), out)

                self.count_up("0", str(players), seat)
            case Apply(op="revealed"):
                self.each(ex.args[0], body, snapshot=snapshot)
            case Local() if ex.var.uid in self.c.line_at:
                start, size, name = self.c.line_at[ex.var.uid]
                self.count_up(
                    "0",
                    str(size),
                    lambda i, out: body(
                        self.c.load_int(self.c.at(name[0], self.c.add(start, i), f"i{name[1]}"), name[1]), out
                    ),
                )
            case _:
                self._each_of_value(ex, body, snapshot)

    def _each_known(self, values: list[int], body: Body) -> None:
        if not values:
            return
        if values == list(range(values[0], values[-1] + 1)):
            self.count_up(str(values[0]), str(values[-1] + 1), body)
        else:
            self.count_up("0", str(len(values)), lambda i, out: body(self.c.table(values, i), out))

    def _each_of_value(self, ex: Ex, body: Body, snapshot: bool) -> None:
        assert isinstance(ex.type, t.SetOf | t.ListOf)
        if isinstance(ex.type, t.SetOf) and not (
            isinstance(ex, Local) and isinstance(self.c.rep(ex.var), Listed)
        ):
            if self.c.sets.grows(ex.type.of):
                self._each_growing(ex, body, snapshot)
                return
            rep = self.c.sets.natural(ex)
            self.each_bit(self.c.sets.set_value(ex, rep), body, rep)
            return
        whole = self.c.lists.list_value(ex)
        self.count_up(
            "0", self.c.lists.length(whole), lambda i, out: body(self.c.lists.element(whole, i), out)
        )

    def _each_growing(self, ex: Ex, body: Body, snapshot: bool) -> None:
        """Spaces of a grid that grows are no bits: they are met one by one."""
        if snapshot:
            room = self.c.lists.room_of(ex)
            made = self.c.lists.new_list(room)
            self.each(ex, lambda value, _: self.c.lists.push(made, value, room))
            self.count_up(
                "0", self.c.lists.length(made), lambda i, out: body(self.c.lists.element(made, i), out)
            )
            return
        if isinstance(ex, CallDefine) and not self.module.facts.recursive(f"define {ex.define.name}"):
            self.c.counting.definition(ex.define)
            saved, me = dict(self.c.env), self.c.me
            for param, arg in zip(ex.define.params, ex.args, strict=True):
                self.c.bind(param, self.c.exprs.as_type(arg, param.type))
            self.each(ex.define.body, body)
            self.c.env, self.c.me = saved, me
            return
        if isinstance(ex, Reduction) and ex.kind == "set" and ex.while_ is None and len(ex.gens) == 1:
            if isinstance(ex.value, Local) and ex.value.var == ex.gens[0].var:
                self.loop(ex.gens, lambda out: body(self.c.value(ex.value), out))
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
        saved, consts, hoisted = dict(self.c.env), dict(self.c.consts), dict(self.c.hoisted)
        if snapshot:
            self.c.hoisted = {}
        self._loop(gens, body, while_, more, snapshot)
        self.c.env, self.c.consts, self.c.hoisted = saved, consts, hoisted

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
            gen = opened(gen, self.module.facts.opens)
            for part in (*gen.where, *((while_,) if while_ is not None else ()), *(more if not rest else ())):
                self.in_front(part, bound_by(gen))

        def one(out: str) -> None:
            following = self.c.new_label("skip")
            before = dict(self.c.hoisted)
            self._conditions(gen.where, following, share=not snapshot)
            if while_ is not None:
                go = self.c.new_label()
                self.c.branch(self.c.test(while_), go, out)
                self.c.label(go)
            if rest:
                self.loop(tuple(rest), body, more=more, snapshot=snapshot)
            else:
                body(out)
            self.c.hoisted = before
            self.c.label(following)

        if applies(gen.domain, "lines"):
            self._each_line(gen, one)
            return

        def bound(value: Value, out: str) -> None:
            self.c.forget(gen.var.uid)
            self.c.consts.pop(gen.var.uid, None)
            self.c.env.pop(gen.var.uid, None)
            self.c.bind(gen.var, value)
            one(out)

        hit = by_kind(gen)
        if hit is not None and hit[0] in self.layout.indexed and not snapshot:
            first, kind = self.layout.indexed[hit[0]], self.c.value(hit[1])
            gen = Gen(gen.var, gen.domain, gen.where[1:], gen.cells)
            self.each_limb(
                self.c.contents.list_at(self.c.add(kind, first)), self.memory.lists[first].limbs, bound
            )
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
                    if counts.get(ex, 0) > 1 and ex not in self.c.hoisted and self._scalar(ex):
                        self.c.hoisted[ex] = self.c.value(ex)
            go = self.c.new_label("go")
            self.c.branch(self.c.test(condition), go, otherwise)
            self.c.label(go)

    def _scalar(self, ex: Ex) -> bool:
        return self.c.exprs.known(ex) is None and not isinstance(
            ex.type, t.SetOf | t.ListOf | t.Array | t.Place
        )

    def in_front(self, ex: Ex, bound: set[str]) -> None:
        """Work out here the parts of an expression that do not depend on what is bound in the loop.
        Whether they will be needed is not known, so they must not fail."""
        if ex in self.c.hoisted or self.c.exprs.known(ex) is not None:
            return
        if worth_hoisting(ex) and self._of_one_word(ex) and not self.module.facts.can_fail(ex):
            if not free_vars(ex) & bound:
                self.c.hoisted[ex] = self.c.value(ex)
                return
        if isinstance(ex, Reduction):
            for gen in ex.gens:
                self.in_front(gen.domain, bound)
                bound = bound | bound_by(gen)
                for part in gen.where:
                    self.in_front(part, bound)
            if ex.kind != "sort":
                self.in_front(ex.value, bound)
            return
        for arg in ex.args if isinstance(ex, CallDefine) else operands(ex):
            self.in_front(arg, bound)

    def _of_one_word(self, ex: Ex) -> bool:
        """A number, or a set of a few things that a definition gives."""
        if isinstance(ex, CallDefine) and isinstance(ex.type, t.SetOf) and t.is_mask(ex.type.of):
            return self.c.exprs.known(ex) is None and self.c.sets.natural(ex).limbs == 1
        return self._scalar(ex)

    def _each_line(self, gen: Gen, one: Callable[[str], None]) -> None:
        """The lines through a space: rows of a table."""
        assert isinstance(gen.domain, Apply)
        space, size = gen.domain.args
        length = self.c.exprs.known(size)
        if length is None:
            raise Unsupported("lines of a length that is not known")
        rows = self.c.spaces.line_rows(space, length)
        starts = [0]
        flat: list[int] = []
        for row in rows:
            for line in row:
                flat += line
            starts.append(starts[-1] + len(row))
        table = self.module.table(flat or [0])
        at = self.c.value(space)
        first = self.c.table(starts, at)
        end = self.c.table(starts, self.c.add(at, 1))

        def line_at(index: Value, out: str) -> None:
            self.c.line_at[gen.var.uid] = (self.c.op("mul", index, length - 1), length - 1, table)
            one(out)

        self.count_up(first, end, line_at)
