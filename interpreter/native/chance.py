"""Native code: chance, drawn at once or listed with weights."""

from __future__ import annotations

from collections.abc import Callable

from ..core import Ex
from ..program.representations import Bits
from ..program.terminators import (
    ChanceDraw,
    ChanceRoll,
)
from .builder import Value
from .code import NOTHING, WEIGHTS, Unsupported
from .contents import SORTED
from .memory import AT
from .part import Part, ends


class Chances(Part):
    # ------------------------------------------------------------ chance
    def generator(self) -> str:
        return f"ptr {self.c.at('%S', AT['rng'])}"

    def one_of(self, count: Value) -> Value:
        return self.c.call("one_of", self.generator(), f"i64 {count}")

    def chance(
        self, term: ChanceDraw | ChanceRoll, listed: Callable[[Value], None], direct: Callable[[], Value]
    ) -> None:
        """Settle it at once, or stop with all outcomes and their weights."""
        settle, stop = self.c.new_label("settle"), self.c.new_label("stop")
        self.c.branch(self.c.compare("ne", self.c.head("auto"), 0), settle, stop)
        self.c.label(stop)
        count = self.c.blocks.no_options()
        listed(count)
        self.c.set_head("pc", self.c.blocks.leave(term.after))
        self.c.set_head("player", -1)
        self.c.set_head("options", self.c.load(count))
        self.c.give("-1")
        self.c.label(settle)
        self.c.bind(term.binds, direct())
        self.c.blocks.go(term.after)

    @ends(ChanceDraw)
    def _draw_end(self, term: ChanceDraw) -> None:
        source = term.source
        name, ref = self.c.contents.sort(source), self.c.value(source)
        if name in self.game.tokens:
            self._draw_token(term, name, ref)
        elif (
            self.c.contents.shape(source) == "deck"
            and self.c.contents.known_parts(name)
            and term.how != "random"
        ):
            self._draw_known(term, name, ref)
        elif self.c.contents.shape(source) in SORTED and not (
            self.c.contents.shape(source) == "deck" and self.c.contents.known_parts(name)
        ):
            self._draw_bits(term, self.c.contents.list_at(ref), self.c.contents.limbs(name))
        elif term.how == "random":
            self._draw_bits(term, self._sorted_contents(source, name, ref), self.c.contents.limbs(name))
        else:
            pointer, bits = self.c.contents.list_at(ref), self.c.contents.entries(name)
            if not self.c.contents.shape(source):
                raise Unsupported("a draw from a place that is known by a name only")

            def last() -> Value:
                size = self.c.lists.length(pointer)
                self.c.fail_if(self.c.compare("eq", size, 0), NOTHING)
                return self.c.contents.entry(pointer, self.c.op("sub", size, 1), bits)

            self.chance(term, lambda count: self.c.push_option(count, last(), "1"), last)

    def _sorted_contents(self, source: Ex, name: str, ref: Value) -> Value:
        """What lies there, by number."""
        rep = Bits(self.layout.comps[name].count)
        found = self.c.sets.bits_room(rep)
        self.c.contents.each_in_place(
            source, lambda value, _: self.c.sets.set_bit(found, value, rep.limbs), False
        )
        return found

    def _draw_bits(self, term: ChanceDraw, pointer: Value, limbs: int) -> None:
        def direct() -> Value:
            size = self.c.contents.bits_size(pointer, limbs)
            self.c.fail_if(self.c.compare("eq", size, 0), NOTHING)
            return self.c.contents.kth(pointer, limbs, self.one_of(size))

        self.chance(
            term,
            lambda count: self.c.loops.each_limb(
                pointer, limbs, lambda v, _: self.c.push_option(count, v, "1")
            ),
            direct,
        )

    def _draw_token(self, term: ChanceDraw, name: str, ref: Value) -> None:
        kinds = len(self.game.kinds[name].values)

        def listed(count: Value) -> None:
            for kind in range(kinds):
                here = self.c.number_at(self.c.add(ref, kind))
                self.c.when(
                    self.c.compare("ne", here, 0),
                    lambda k=kind, h=here: self.c.push_option(count, str(k), h),  # type: ignore[misc]
                )

        def direct() -> Value:
            counts = [self.c.number_at(self.c.add(ref, kind)) for kind in range(kinds)]
            total, largest = "0", counts[0]
            for here in counts:
                total, largest = self.c.add(total, here), self.c.most(largest, here)
            ticket = self.c.room()
            self.c.store("0", ticket)
            self.c.fail_if(self.c.compare("sle", total, 0), NOTHING)
            self.c.when(
                self.c.compare("ne", largest, total),
                lambda: self.c.store(self.c.call("number_below", self.generator(), f"i64 {total}"), ticket),
            )
            left, drawn, found = self.c.load(ticket), "-1", "false"
            for kind, here in enumerate(counts):
                hit = self.c.both(self.c.compare("slt", left, here), self.c.negate(found))
                drawn = self.c.select(hit, str(kind), drawn)
                found = self.c.either(found, hit)
                left = self.c.op("sub", left, here)
            return drawn

        self.chance(term, listed, direct)

    def _draw_known(self, term: ChanceDraw, name: str, ref: Value) -> None:
        """From a deck with known cards: the known top, one that has come up, one of the others, the bottom."""
        bits, limbs = self.c.contents.entries(name), self.c.contents.limbs(name)
        parts = self.module.known_cards.parts(name)

        def next_card(certain: Callable[[Value], None], unknown: Callable[[Value], None]) -> None:
            done = self.c.new_label("next")

            def one(test: Value, card: Callable[[], None]) -> None:
                yes, no = self.c.new_label(), self.c.new_label()
                self.c.branch(test, yes, no)
                self.c.label(yes)
                card()
                self.c.jump(done)
                self.c.label(no)

            pointer = self.c.contents.list_at(ref)
            left = self.c.contents.bits_size(pointer, limbs)
            if "top" in parts and term.how != "peek":
                top = self.c.contents.part(ref, 1)
                size = self.c.lists.length(top)
                one(
                    self.c.compare("sgt", size, 0),
                    lambda: certain(self.c.contents.entry(top, self.c.op("sub", size, 1), bits)),
                )
            if "deep" in parts:
                deep, depths = self.c.contents.part(ref, 5), self.c.contents.part(ref, 6)
                there = self.c.compare("sgt", self.c.lists.length(deep), 0)
                depth = self.c.contents.entry(depths, "0", 32)
                up = self.c.either(self.c.compare("eq", depth, 0), self.c.compare("eq", left, 0))
                one(self.c.both(there, up), lambda: certain(self.c.contents.entry(deep, "0", bits)))
            one(self.c.compare("sgt", left, 0), lambda: unknown(left))
            if "bottom" in parts:
                bottom = self.c.contents.part(ref, 2)
                one(
                    self.c.compare("sgt", self.c.lists.length(bottom), 0),
                    lambda: certain(self.c.contents.entry(bottom, "0", bits)),
                )
            self.c.fail(NOTHING)
            self.c.label(done)

        def listed(count: Value) -> None:
            next_card(
                lambda card: self.c.push_option(count, card, "1"),
                lambda _: self.c.loops.each_limb(
                    self.c.contents.list_at(ref), limbs, lambda v, _: self.c.push_option(count, v, "1")
                ),
            )

        def direct() -> Value:
            answer = self.c.room()
            next_card(
                lambda card: self.c.store(card, answer),
                lambda left: self.c.store(
                    self.c.contents.kth(self.c.contents.list_at(ref), limbs, self.one_of(left)), answer
                ),
            )
            return self.c.load(answer)

        self.chance(term, listed, direct)

    @ends(ChanceRoll)
    def _roll_end(self, term: ChanceRoll) -> None:
        domain, weight, var = term.domain, term.weight, term.binds

        def listed(count: Value) -> None:
            total = self.c.room()
            self.c.store("0", total)

            def one(value: Value, _: str) -> None:
                self.c.env.pop(var.uid, None)
                self.c.bind(var, value)
                share = self.c.value(weight) if weight is not None else "1"
                self.c.fail_if(self.c.compare("slt", share, 0), WEIGHTS)
                self.c.store(self.c.op("add", self.c.load(total), share), total)
                self.c.push_option(count, value, share)

            saved = self.c.env.get(var.uid)
            self.c.loops.each(domain, one)
            if saved is not None:
                self.c.env[var.uid] = saved
            self.c.fail_if(self.c.compare("eq", self.c.load(count), 0), NOTHING)
            self.c.fail_if(
                self.c.compare("ugt", self.c.op("sub", self.c.load(total), 1), (1 << 31) - 2), WEIGHTS
            )

        def direct() -> Value:
            fixed = self.c.loops.elements(domain) if weight is None else None
            if fixed:
                return self.c.table(fixed, self.one_of(str(len(fixed))))
            count = self.c.blocks.no_options()
            listed(count)
            if weight is None:
                return self.c.load_int(self.c.option_at(self.one_of(self.c.load(count))), 32)
            index = self.c.call(
                "weighted", self.generator(), f"ptr {self.c.weight_at('0')}", f"i64 {self.c.load(count)}"
            )
            return self.c.load_int(self.c.option_at(index), 32)

        self.chance(term, listed, direct)
