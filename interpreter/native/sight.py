"""Native code: who may see what from now on."""

from __future__ import annotations

from typing import assert_never

from ..core import (
    Audience,
    Ex,
    PlaceDecl,
    PlaceRef,
    PlacesOf,
    Reveal,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    Show,
    ShowOff,
    ShowOn,
    StateDecl,
    StateRef,
    Var,
)
from ..core import value_types as t
from ..core.facts import state_name
from ..program.representations import Listed
from .builder import Value
from .code import Unsupported
from .part import Part, does


class Sight(Part):
    # ------------------------------------------------------------ seeing
    def audience(self, who: Audience) -> Value:
        """A mask of seats."""
        match who:
            case SeenByAll():
                return str((1 << self.layout.players) - 1)
            case SeenByNobody():
                return "0"
            case SeenBy():
                return self.c.sets.set_value(who.players, self.reps.bits(t.PLAYER))
            case SeenByOwner():
                raise AssertionError("only what is declared has an owner")
            case _:
                assert_never(who)

    @does(Reveal)
    def _reveal(self, st: Reveal) -> None:
        self._grant(st.place, st.audience, None)

    @does(ShowOn)
    def _show_on(self, st: ShowOn) -> None:
        rep = self.c.rep(st.saved)
        assert isinstance(rep, Listed)
        saved = self.c.buffer(st.saved.uid, rep)
        self._grant(st.place, st.audience, (saved, rep.room))

    @does(ShowOff)
    def _show_off(self, st: ShowOff) -> None:
        saved = self.c.local(st.saved)

        def close(index: Value, _: str) -> None:
            slot = self.c.lists.element(saved, self.c.op("shl", index, 1))
            seats = self.c.lists.element(saved, self.c.add(self.c.op("shl", index, 1), 1))
            self.c.within(slot, self.memory.numbers)
            self.c.set_number(slot, self.c.op("and", self.c.number_at(slot), self.c.op("xor", seats, -1)))

        self.c.loops.count_up("0", self.c.op("lshr", self.c.lists.length(saved), 1), close)

    @does(Show)
    def _show(self, st: Show) -> None:
        self.c.count += 1
        var = Var("shown", f"shown in place {self.c.name} {self.c.count}", t.UNKNOWN)
        several = isinstance(st.place, PlacesOf)
        self.reps.special[var.uid] = Listed(2 * self.layout.players if several else 2)
        self._show_on(ShowOn(st.span, st.place, st.audience, var))
        self.c.statements.stmts(st.body)
        self._show_off(ShowOff(st.span, var))

    def _grant(self, shown: Ex, audience: Audience, saved: tuple[Value, int] | None) -> None:
        """Let an audience see something; `saved` keeps where, and the seats that are new."""
        assert isinstance(shown, StateRef | PlaceRef | PlacesOf)
        ex: StateRef | PlaceRef | PlacesOf = shown
        mask = self.audience(audience)
        if saved is not None:
            self.c.store("0", saved[0], "i32")

        def grant(slot: Value) -> None:
            old = self.c.number_at(slot)
            if saved is not None:
                self.c.lists.push(saved[0], slot, saved[1])
                self.c.lists.push(saved[0], self.c.op("and", mask, self.c.op("xor", old, -1)), saved[1])
            self.c.set_number(slot, self.c.op("or", old, mask))
            if not isinstance(ex, StateRef):
                self.c.watching.shown(state_name(ex.place), slot, mask)

        if not isinstance(ex, PlacesOf):
            given = self.c.contents.owners(ex) if isinstance(ex, PlaceRef) else ex.indices
            grant(self._grant_slot(ex.state if isinstance(ex, StateRef) else ex.place, given))
            return
        place, seen = ex.place, self.c.room()
        self.c.store("0", seen)

        def one(player: Value, _: str) -> None:
            owner = player
            if place.per:
                owner = self.c.table(list(self.layout.groups[place.per]), player)
            bit = self.c.op("shl", 1, owner)
            known = self.c.load(seen)
            self.c.store(self.c.op("or", known, bit), seen)
            self.c.when(
                self.c.compare("eq", self.c.op("and", known, bit), 0),
                lambda: grant(self._grant_slot(place, (owner,))),
            )

        if isinstance(ex.players.type, t.SetOf | t.ListOf):
            self.c.loops.each(ex.players, one)
        else:
            raise Unsupported("places of one player at a time")

    def _grant_slot(self, decl: StateDecl | PlaceDecl, given: tuple[Ex | Value, ...]) -> Value:
        key = state_name(decl)
        table = self.layout.states if isinstance(decl, StateDecl) else self.layout.places
        sizes, lows = table[key][1], table[key][2]
        return self.c.calls.offset(self.layout.grants[key], given, sizes, lows)
