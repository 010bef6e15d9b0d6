"""The Python back end: moving, drawing, shuffling and exchanging."""

from __future__ import annotations

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
    RecordField,
    Shuffle,
    St,
    StateRef,
    Swap,
    applies,
)
from ..core import value_types as t
from ..core.facts import secretly
from .part import Part, writes_lines
from .places import NOTHING_THERE


class Moves(Part):
    # ------------------------------------------------------------ moving components
    @writes_lines(Move)
    def s_move(self, st: Move) -> None:
        thing, place, at, turned = (st.thing, st.place, st.at, st.turned)
        self.c.places.put_comp(
            self.atom(thing), thing.component_type.name, place, st, at=at, turned=turned, end=st.end
        )

    @writes_lines(MoveOn)
    def s_move_on(self, st: MoveOn) -> None:
        thing, target = (st.thing, st.target)
        base = self.layout.comps[thing.component_type.name].on
        comp = self.known(thing)
        slot = str(base + comp) if comp is not None else f"{base} + {self.atom(thing)}"
        self.line(f"I[{slot}] = {self.emit(target)}")
        self.c.seen(f"S.seen_stand({thing.component_type.name!r}, {slot} - {base})")

    @writes_lines(MoveSet)
    def s_move_set(self, st: MoveSet) -> None:
        things, place = (st.things, st.place)
        name = self.temp("c")
        with self.c.block(f"for {name} in tuple({self.c.sets.iterable(things)}):"):
            self.c.places.put_comp(name, place.place_type.of, place, st, end=st.end)

    @writes_lines(MoveAll)
    def s_move_all(self, st: MoveAll) -> None:
        source, place = (st.source, st.place)
        of = source.place_type.of
        src = self.atom(source)
        if of not in self.game.tokens:
            self._move_all_comps(st, source, src, place)
        elif source.place_type.form.cells:
            self._gather_cells(source, src, place, st)
        else:
            for kind in range(len(self.game.kinds[of].values)):
                amount = self.temp("n")
                self.line(f"{amount} = I[{src} + {kind}]")
                with self.c.block(f"if {amount}:"):
                    self.c.places.take_tokens(amount, str(kind), src, st, checked=True)
                    self.c.places.put_tokens(amount, str(kind), place, st, src)

    def _move_all_comps(self, st: St, source: Ex, src: str, place: Ex) -> None:
        of = source.place_type.of
        deck = source.place_type.form.hidden
        if (
            deck
            and (place.place_type.form.heap or place.place_type.form.hidden)
            and self.c.places.limit_of(place) is None
        ):
            dest = self.atom(place)
            self.line(f"move_everything(I, L, {self.layout.comps[of].where}, {src}, {dest})")
            self.c.seen(f"S.seen_all({of!r}, {src}, {dest})")
            return
        name = self.temp("c")
        things = f"sorted(deck_cards(L, {src}))" if deck else f"tuple(L[{src}])"
        with self.c.block(f"for {name} in {things}:"):
            self.c.places.put_comp(
                name, of, place, st, end=st.end if isinstance(st, MoveAll | DrawOne) else "", source=source
            )

    def _gather_cells(self, source: Ex, src: str, place: Ex, st: St) -> None:
        cells = 1 if source.place_type.form.single else self.c.spaces.geometry(source).size
        cell, kind = self.temp("s"), self.temp("k")
        with self.c.block(f"for {cell} in range({src}, {src} + {cells}):"):
            self.line(f"{kind} = I[{cell}]")
            with self.c.block(f"if {kind} >= 0:"):
                self.c.places.take_cell(source, cell, kind)
                self.c.places.put_tokens("1", kind, place, st, src)

    # ------------------------------------------------------------ moving tokens
    @writes_lines(MoveTokens)
    def s_move_tokens(self, st: MoveTokens) -> None:
        amount, kind, source, place, at = (st.amount, st.kind, st.source, st.place, st.at)
        self._move_tokens(self.atom(amount), self.atom(kind), source, place, at, st, applies(amount, "tally"))

    def _move_tokens(
        self, amount: str, kind: str, source: Ex, place: Ex, at: Ex | None, st: St, checked: bool
    ) -> None:
        src = self.atom(source)
        self.c.places.take_tokens(amount, kind, src, st, checked=checked)
        if amount.isdigit() and int(amount) > 0:
            self.c.places.put_tokens(amount, kind, place, st, src, at)
        elif not amount.isdigit():
            with self.c.block(f"if {amount}:"):
                self.c.places.put_tokens(amount, kind, place, st, src, at)

    @writes_lines(MoveCell)
    def s_move_cell(self, st: MoveCell) -> None:
        source, space, place, at = (st.source, st.space, st.place, st.at)
        here, kind = self.temp("s"), self.temp("k")
        base = self.c.spaces.cells_base(source)
        self.line(f"{here} = {base} + {self.emit(space)}")
        self.line(f"{kind} = I[{here}]")
        self.line(f"if {kind} < 0: {self.c.fail('D0910', space.span, NOTHING_THERE)}")
        self.c.places.take_cell(source, here, kind)
        self.c.places.put_tokens("1", kind, place, st, str(base), at)

    @writes_lines(DrawOne)
    def s_draw_one(self, st: DrawOne) -> None:
        what, source, place, at = (st.what, st.source, st.place, st.at)
        name = source.place_type.of
        code = self.emit(what)
        if name in self.game.tokens:
            self._move_tokens("1", code, source, place, at, st, checked=True)
            return
        self.c.places.put_comp(code, name, place, st, at=at, end=st.end, source=source)

    @writes_lines(PeekOne)
    def s_peek_one(self, st: PeekOne) -> None:
        what, place = (st.what, st.place)
        dest, comp = self.atom(place), self.emit(what)
        self.line(f"peek_one(L, {dest}, {comp})")

    @writes_lines(PeekShow)
    def s_peek_show(self, st: PeekShow) -> None:
        place, amount = (st.place, st.amount)
        also = ", True" if secretly(st) else ""
        self.line(
            f"peek_show(L, {self.atom(place)}, {self.emit(amount)}, {self.c.showing.audience(st.audience)})"
        )
        self.c.seen(
            f"S.seen_peek({place.place_type.of!r}, {self.atom(place)}, {self.emit(amount)}, {self.c.showing.audience(st.audience)}{also})"
        )

    @writes_lines(Shuffle)
    def s_shuffle(self, st: Shuffle) -> None:
        place, into = (st.place, st.into)
        src, dest = self.atom(place), self.atom(into)
        self.line(
            f"shuffle(I, L, {self.layout.comps[into.place_type.of].where}, {src}, {dest}, {place.place_type.form.hidden})"
        )
        self.c.seen(f"S.seen_shuffle({src}, {dest})")

    @writes_lines(Swap)
    def s_swap(self, st: Swap) -> None:
        left, right = (st.left, st.right)
        if isinstance(left, StateRef | RecordField):
            self._swap_kept(left, right)
            return
        if isinstance(left.type, t.Place):
            of = left.type.of
            a, b = self.atom(left), self.atom(right)
            if of in self.game.tokens:
                width = 1 if left.type.form.single else len(self.game.kinds[of].values)
                self.line(f"swap_slices(I, {a}, {b}, {width})")
            else:
                self.line(f"swap_places(I, L, {self.layout.comps[of].where}, {a}, {b})")
            self.c.seen(f"S.seen_swap({of!r}, {a}, {b})")
            for side in (left, right):
                self.c.places.spill(side, st)
            return
        name = left.component_type.name
        layout = self.layout.comps[name]
        a, b = self.atom(left), self.atom(right)
        self.line(f"swap_comps(I, L, G, {layout.where}, {layout.cell}, {layout.turned}, {a}, {b}, CELLS)")
        self.c.seen(f"S.seen_exchange({name!r}, {a}, {b})")

    def _swap_kept(self, left: Ex, right: Ex) -> None:
        slots = []
        for side in (left, right):
            slots.append(self.temp("s"))
            self.line(f"{slots[-1]} = {self.c.states.state_slot(side)}")
        a, b = slots
        width = 1
        if isinstance(left, RecordField):
            decl, name = (left.record, left.name)
            sizes = self.layout.records[decl.name][2][name][1]
            for size in sizes[len(left.indices) - 1 :]:
                width *= size
        if width == 1:
            self.line(f"I[{a}], I[{b}] = I[{b}], I[{a}]")
        else:
            self.line(f"swap_slices(I, {a}, {b}, {width})")
        for side, slot in zip((left, right), slots, strict=True):
            self.seen_kept(side, slot)

    def seen_kept(self, target: Ex, slot: str) -> None:
        """A state or a field of a record has a new value: who may see it is told."""
        if isinstance(target, StateRef):
            key = self.c.states.state_key(target.state)
            self.c.seen(f"S.seen_set({key!r}, {slot} - {self.layout.states[key][0]})")
        elif isinstance(target, RecordField):
            self.c.seen(f"S.seen_note({target.record.name!r}, {self.emit(target.indices[0])})")
