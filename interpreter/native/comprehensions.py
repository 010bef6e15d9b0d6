"""Native code: comprehensions, from `any` to `the`."""

from __future__ import annotations

from ..core import (
    Apply,
    Ex,
    Gen,
    Reduction,
    applies,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.passes.inline_conditions import overlap
from .builder import Value
from .code import NOT_ONE, Unsupported, llvm_type
from .part import Part, gives

QUANTIFIERS = ("any", "every", "none")


class Comprehensions(Part):
    # ------------------------------------------------------------ comprehensions
    def quantified(self, ex: Reduction) -> Value:
        """`any`, `every`, `none`."""
        sets = overlap(ex)
        if sets is not None:
            found = self._two_sets(*sets)
            if found is not None:
                return found
        answer, done = self.c.room("i1"), self.c.new_label("told")
        self.c.store("false" if ex.kind == "any" else "true", answer, "i1")

        def hit(_: str) -> None:
            self.c.store("true" if ex.kind == "any" else "false", answer, "i1")
            self.c.jump(done)
            self.c.label(self.c.new_label())

        def ask(out: str) -> None:
            yes, no = self.c.new_label(), self.c.new_label()
            self.c.branch(self.c.test(ex.value), *((no, yes) if ex.kind == "every" else (yes, no)))
            self.c.label(yes)
            hit(out)
            self.c.label(no)

        if ex.while_ is not None:
            self.c.loops.loop(ex.gens, ask, while_=ex.while_, more=(ex.value,))
        else:  # one more condition: definitions in it are opened, and what stays the same is worked out in front
            *outer, last = ex.gens
            value = Apply(t.YES_NO, ex.span, "not", (ex.value,)) if ex.kind == "every" else ex.value
            self.c.loops.loop((*outer, Gen(last.var, last.domain, (*last.where, value), last.cells)), hit)
        self.c.label(done)
        return self.c.load(answer, "i1")

    def _two_sets(self, kind: str, whole: Ex, part: Ex) -> Value | None:
        """A test over one set that asks about another: one operation will do."""
        assert isinstance(whole.type, t.SetOf) and isinstance(part.type, t.SetOf)
        if not (is_mask(whole.type.of) and is_mask(part.type.of)):
            return None
        rep = self.c.exprs.wider(whole.type, part.type)
        type_ = llvm_type(rep)
        all_, some = self.c.sets.set_value(whole, rep), self.c.sets.set_value(part, rep)
        if kind == "every":
            all_ = self.c.op("xor", all_, -1, type_)
        found = self.c.op("and", some, all_, type_)
        return self.c.compare("ne" if kind == "any" else "eq", found, 0, type_)

    @gives(Reduction)
    def _reduced(self, ex: Reduction) -> Value:
        match ex.kind:
            case "count":
                return self._count(ex)
            case "sum":
                total = self.c.room()
                self.c.store("0", total)
                self.c.loops.loop(
                    ex.gens,
                    lambda _: self.c.store(
                        self.c.op("add", self.c.load(total), self.c.value(ex.value)), total
                    ),
                    while_=ex.while_,
                    more=(ex.value,),
                )
                return self.c.load(total)
            case "max" | "min":
                return self._bound(ex)
            case "most" | "least":
                return self._best(ex)
            case "set" | "spread":
                return self.c.sets.set_value(ex, self.c.sets.natural(ex))
            case "sort":
                return self.c.lists.list_value(ex)
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
            if not self.c.sets.grows(domain.type.of) and not isinstance(domain.type.of, t.Unknown):
                rep = self.c.sets.natural(domain)
                return self.c.sets.count_bits(self.c.sets.set_value(domain, rep), rep)
        if whole and applies(domain, "items"):
            return self.c.contents.size_of(domain.args[0])
        total = self.c.room()
        self.c.store("0", total)
        self.c.loops.loop(
            ex.gens, lambda _: self.c.store(self.c.add(self.c.load(total), 1), total), while_=ex.while_
        )
        return self.c.load(total)

    def _bound(self, ex: Reduction) -> Value:
        """The greatest or the least; 0 if there is none."""
        have, best = self.c.room("i1"), self.c.room()
        self.c.store("false", have, "i1")
        self.c.store("0", best)

        def look(_: str) -> None:
            value, old = self.c.value(ex.value), self.c.load(best)
            better = self.c.compare("sgt" if ex.kind == "max" else "slt", value, old)
            better = self.c.either(self.c.negate(self.c.load(have, "i1")), better)
            self.c.store(self.c.select(better, value, old), best)
            self.c.store("true", have, "i1")

        self.c.loops.loop(ex.gens, look, while_=ex.while_, more=(ex.value,))
        return self.c.load(best)

    def _best(self, ex: Reduction) -> Value:
        """All of those whose keys are best."""
        rep = self.c.sets.natural(ex)
        have, best = self.c.room("i1"), [self.c.room() for _ in ex.by]
        found = self.c.sets.bits_room(rep)
        for key_room in best:
            self.c.store("0", key_room)
        self.c.store("false", have, "i1")

        def look(_: str) -> None:
            keys = [self.c.value(key) for key in ex.by]
            value = self.c.value(ex.value)
            old = [self.c.load(room) for room in best]
            better = self.c.lists.first_less(keys, old, "sgt" if ex.kind == "most" else "slt")
            better = self.c.either(self.c.negate(self.c.load(have, "i1")), better)
            equal = "true"
            for a, b in zip(keys, old, strict=True):
                equal = self.c.both(equal, self.c.compare("eq", a, b))
            new, other, join, done = (self.c.new_label() for _ in range(4))
            self.c.branch(better, new, other)
            self.c.label(new)
            for key, room in zip(keys, best, strict=True):
                self.c.store(key, room)
            self.c.store("true", have, "i1")
            self.c.store("0", found, llvm_type(rep), align=8)
            self.c.jump(join)
            self.c.label(other)
            self.c.branch(equal, join, done)
            self.c.label(join)
            self.c.sets.put_bit(found, value, rep, ex.value.type)
            self.c.label(done)

        self.c.loops.loop(ex.gens, look, while_=ex.while_)
        return self.c.load(found, llvm_type(rep), align=8)

    def _first_by(self, ex: Reduction) -> Value:
        """The one with the least keys; of equals the first."""
        have, best, answer = self.c.room("i1"), [self.c.room() for _ in ex.by], self.c.room()
        self.c.store("false", have, "i1")
        self.c.store("-1", answer)
        for room in best:
            self.c.store("0", room)

        def look(_: str) -> None:
            keys = [self.c.value(key) for key in ex.by]
            value = self.c.value(ex.value)
            less = self.c.lists.first_less(keys, [self.c.load(room) for room in best], "slt")
            less = self.c.either(self.c.negate(self.c.load(have, "i1")), less)
            new, done = self.c.new_label(), self.c.new_label()
            self.c.branch(less, new, done)
            self.c.label(new)
            for key, room in zip(keys, best, strict=True):
                self.c.store(key, room)
            self.c.store(value, answer)
            self.c.store("true", have, "i1")
            self.c.label(done)

        self.c.loops.loop(ex.gens, look, while_=ex.while_)
        return self.c.load(answer)

    def _one(self, ex: Reduction) -> Value:
        answer, many, done = self.c.room(), self.c.room(), self.c.new_label("found")
        self.c.store("-1", answer)
        self.c.store("0", many)

        def take(_: str) -> None:
            self.c.store(self.c.value(ex.value), answer)
            if ex.kind == "first":
                self.c.jump(done)
            else:
                self.c.store(self.c.add(self.c.load(many), 1), many)

        self.c.loops.loop(ex.gens, take, while_=ex.while_)
        self.c.label(done)
        if ex.kind == "the":
            self.c.fail_if(self.c.compare("ne", self.c.load(many), 1), NOT_ONE)
        return self.c.load(answer)
