"""Native code: moves of components and tokens, and looking into decks."""

from __future__ import annotations

from typing import Any

from ..core import (
    DrawOne,
    Ex,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    PeekOne,
    PeekShow,
    Shuffle,
    applies,
)
from ..program.representations import Bits
from .builder import Value
from .code import NONE, Unsupported
from .contents import CELLS, SORTED
from .part import Part, does


class Moves(Part):
    # ------------------------------------------------------------ moves
    @does(Move)
    def _move(self, st: Move) -> None:
        comp = self.c.value(st.thing)
        self.c.placing.put_comp(
            comp, st.thing.component_type.name, st.place, at=st.at, turned=st.turned, end=st.end
        )

    @does(MoveOn)
    def _move_on(self, st: MoveOn) -> None:
        base = self.layout.comps[st.thing.component_type.name].on
        slot = self.c.add(self.c.value(st.thing), base)
        self.c.set_number(slot, self.c.value(st.target))

    @does(MoveSet)
    def _move_set(self, st: MoveSet) -> None:
        name = st.place.place_type.of
        self.c.loops.each(
            st.things,
            lambda value, _: self.c.placing.put_comp(value, name, st.place, end=st.end),
            snapshot=True,
        )

    @does(MoveAll)
    def _move_all(self, st: MoveAll) -> None:
        of, src = self.c.contents.sort(st.source), self.c.value(st.source)
        if of not in self.game.tokens:
            self._move_all_comps(st, of, src)
        elif self.c.contents.shape(st.source) in CELLS:
            cells = self.c.contents.cell_count(st.source)

            def gather(index: Value, _: str) -> None:
                cell = self.c.add(src, index)
                kind = self.c.number_at(cell)

                def go() -> None:
                    self.c.placing.take_cell(st.source, cell, kind)
                    self.c.placing.put_tokens("1", kind, st.place, src)

                self.c.when(self.c.compare("sge", kind, 0), go)

            self.c.loops.count_up("0", str(cells), gather)
        else:
            for kind in range(len(self.game.kinds[of].values)):
                amount = self.c.number_at(self.c.add(src, kind))

                def carry(amount: Value = amount, kind: int = kind) -> None:
                    self.c.placing.take_tokens(amount, str(kind), src, checked=True)
                    self.c.placing.put_tokens(amount, str(kind), st.place, src)

                self.c.when(self.c.compare("ne", amount, 0), carry)

    def _move_all_comps(self, st: MoveAll, of: str, src: Value) -> None:
        deck, target = self.c.contents.shape(st.source) == "deck", st.place.place_type.shape
        if deck and target in ("bag", "deck") and self.c.placing.limit_of(st.place) is None:
            dest = self.c.value(st.place)
            self._into_unknown(of, src, dest, from_deck=True)
            self.c.watching.all_moved(of, src, dest)
            return
        if deck and self.c.contents.known_parts(of):
            rep = Bits(self.layout.comps[of].count)
            cards = self.c.contents.deck_cards(src, of)
            found = self.c.sets.bits_room(rep)
            self.c.loops.count_up(
                "0",
                self.c.lists.length(cards),
                lambda i, _: self.c.sets.set_bit(found, self.c.lists.element(cards, i), rep.limbs),
            )
            self.c.loops.each_limb(
                found,
                rep.limbs,
                lambda v, _: self.c.placing.put_comp(v, of, st.place, end=st.end, source=st.source),
            )
            return
        self.c.contents.each_in_place(
            st.source,
            lambda v, _: self.c.placing.put_comp(v, of, st.place, end=st.end, source=st.source),
            True,
        )

    def _into_unknown(self, of: str, src: Value, dest: Value, from_deck: bool) -> None:
        """All of one place, and of a deck what is known too, into the sorted part of another."""
        where, limbs = self.layout.comps[of].where, self.c.contents.limbs(of)
        to = self.c.contents.list_at(dest)

        def put(value: Value) -> None:
            self.c.sets.set_bit(to, value, limbs)
            self.c.set_number(self.c.add(value, where), dest)

        if from_deck:
            self._empty_known(of, src, put)
        pointer = self.c.contents.list_at(src)
        self.c.loops.each_limb(pointer, limbs, lambda v, _: self.c.set_number(self.c.add(v, where), dest))
        for limb in range(limbs):
            a, b = self.c.at(pointer, limb, "i64"), self.c.at(to, limb, "i64")
            word = self.c.load(a)
            self.c.store("0", a)
            self.c.store(self.c.op("or", self.c.load(b), word), b)

    def _empty_known(self, of: str, ref: Value, put: Any) -> None:
        bits = self.c.contents.entries(of)
        for _, number, beside in self.c.contents.known_parts(of):
            cards = self.c.contents.part(ref, number)

            def put_one(index: Value, _: str, cards: Value = cards) -> None:
                put(self.c.contents.entry(cards, index, bits))

            self.c.loops.count_up("0", self.c.lists.length(cards), put_one)
            for other in (number, *beside):
                self.c.store("0", self.c.contents.part(ref, other), "i32")

    @does(Shuffle)
    def _shuffle(self, st: Shuffle) -> None:
        of = self.c.contents.sort(st.into)
        src, dest = self.c.value(st.place), self.c.value(st.into)
        where, limbs = self.layout.comps[of].where, self.c.contents.limbs(of)
        to = self.c.contents.list_at(dest)

        def put(value: Value) -> None:
            self.c.sets.set_bit(to, value, limbs)
            self.c.set_number(self.c.add(value, where), dest)

        if self.c.contents.shape(st.into) == "deck":
            self._empty_known(of, dest, put)
        shape = self.c.contents.shape(st.place)
        if shape in SORTED:
            self._into_unknown(of, src, dest, from_deck=shape == "deck")
            return
        pointer, bits = self.c.contents.list_at(src), self.c.contents.entries(of)
        self.c.loops.count_up(
            "0", self.c.lists.length(pointer), lambda i, _: put(self.c.contents.entry(pointer, i, bits))
        )
        self.c.store("0", pointer, "i32")

    @does(MoveTokens)
    def _move_tokens(self, st: MoveTokens) -> None:
        self._carry(
            self.c.value(st.amount),
            self.c.value(st.kind),
            st.source,
            st.place,
            st.at,
            applies(st.amount, "tally"),
        )

    def _carry(self, amount: Value, kind: Value, source: Ex, place: Ex, at: Ex | None, checked: bool) -> None:
        if self.c.contents.shape(source) in CELLS:
            raise Unsupported("tokens by their kind from a board or a slot")
        src = self.c.value(source)
        self.c.placing.take_tokens(amount, kind, src, checked=checked)
        self.c.when(
            self.c.compare("ne", amount, 0), lambda: self.c.placing.put_tokens(amount, kind, place, src, at)
        )

    @does(MoveCell)
    def _move_cell(self, st: MoveCell) -> None:
        space = self.c.value(st.space)
        cell = self.c.add(self.c.spaces.cells_base(st.source), space)
        kind = self.c.number_at(cell)
        self.c.fail_if(self.c.compare("slt", kind, 0), NONE)
        self.c.placing.take_cell(st.source, cell, kind)
        self.c.placing.put_tokens("1", kind, st.place, str(self.c.spaces.cells_base(st.source)), st.at)

    @does(DrawOne)
    def _draw_one(self, st: DrawOne) -> None:
        name = self.c.contents.sort(st.source)
        what = self.c.value(st.what)
        if name in self.game.tokens:
            self._carry("1", what, st.source, st.place, st.at, True)
        else:
            self.c.placing.put_comp(what, name, st.place, at=st.at, end=st.end, source=st.source)

    @does(PeekOne)
    def _peek_one(self, st: PeekOne) -> None:
        """A card turns out to be the next one below those that are known to lie on top."""
        of = self.c.contents.sort(st.place)
        comp, ref = self.c.value(st.what), self.c.value(st.place)
        bits, room = self.c.contents.entries(of), self.layout.comps[of].count
        seen = self.c.room()
        self.c.store("0", seen)
        for name, number, beside in self.c.contents.known_parts(of)[
            ::-1
        ]:  # deep, then bottom, as the latter counts
            if name != "top":
                index = self.c.placing.find_entry(self.c.contents.part(ref, number), comp, bits)
                masks = self.c.contents.part(ref, beside[-1])
                self.c.when(
                    self.c.compare("sge", index, 0),
                    lambda m=masks, i=index: self.c.store(self.c.contents.entry(m, i, 32), seen),  # type: ignore[misc]
                )
        self.c.placing.take_from_deck(ref, comp, of)
        self.c.placing.insert_entry(self.c.contents.part(ref, 1), "0", comp, bits, room)
        self.c.placing.insert_entry(self.c.contents.part(ref, 3), "0", self.c.load(seen), 32, room)

    @does(PeekShow)
    def _peek_show(self, st: PeekShow) -> None:
        masks = self.c.contents.part(self.c.value(st.place), 3)
        size = self.c.lists.length(masks)
        viewers = self.c.sight.audience(st.audience)
        first = self.c.most(self.c.op("sub", size, self.c.value(st.amount)), "0")

        def tell(index: Value, _: str) -> None:
            at = self.c.contents.entry_at(masks, index, 32)
            self.c.store_int(self.c.op("or", self.c.load_int(at, 32), viewers), at, 32)

        self.c.loops.count_up(first, size, tell)
