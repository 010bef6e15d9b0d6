"""The Python back end: who sees what, and what happens as one."""

from __future__ import annotations

from typing import assert_never

from ..core import (
    Atomic,
    AtomicOff,
    AtomicOn,
    Audience,
    Ex,
    PlaceDecl,
    PlaceRef,
    PlacesOf,
    Reveal,
    Seal,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    Show,
    ShowOff,
    ShowOn,
    StateDecl,
    StateRef,
    Unseal,
    Var,
)
from ..core import value_types as t
from ..core.facts import secretly
from .part import Part, writes_lines


class Showing(Part):
    # ------------------------------------------------------------ seeing
    def audience(self, who: Audience) -> str:
        """A mask of seats."""
        match who:
            case SeenByAll():
                return str((1 << self.layout.players) - 1)
            case SeenByNobody():
                return "0"
            case SeenBy():
                return self.c.sets.set_value(who.players, t.PLAYER)
            case SeenByOwner():
                raise AssertionError("only what is declared has an owner")
            case _:
                assert_never(who)

    @writes_lines(Reveal)
    def s_reveal(self, st: Reveal) -> None:
        self._grant(st.place, self.audience(st.audience), secretly(st))

    def _grant(self, ex: Ex, mask: str, secret: bool) -> str:
        """Let an audience see something. The answer is a variable for `s_show_off`: where this is kept, and
        the seats that are new; what was meant is not asked again, for it may mean something else then."""
        also = ", True" if secret else ""
        who, saved = self.temp("v"), self.temp("v")
        self.line(f"{who} = {mask}")
        if isinstance(ex, PlacesOf):
            key, each = self.c.holdings.place_key(ex.place), self.temp("p")
            owner = self.c.holdings.player_written(each, ex.span)
            self.line(f"{saved} = ()")
            with self.c.block(f"for {each} in {self.c.sets.iterable(ex.players)}:"):
                slot = self._grant_slot(ex.place, (owner,))
                if ex.place.per:  # players of one group share it
                    self.line(f"if {slot} in {saved}[::2]: continue")
                self.line(f"{saved} += grant(I, {slot}, {who})")
                self.c.seen(f"S.seen_place({key!r}, {slot} - {self.layout.grants[key]}, {who}{also})")
            return saved
        assert isinstance(ex, StateRef | PlaceRef)
        kept = isinstance(ex, StateRef)
        key = (
            self.c.states.state_key(ex.state)
            if isinstance(ex, StateRef)
            else self.c.holdings.place_key(ex.place)
        )
        slot = self._grant_slot(ex.state if isinstance(ex, StateRef) else ex.place, ex.indices)
        self.line(f"{saved} = grant(I, {slot}, {who})")
        index = f"{slot} - {self.layout.grants[key]}"
        if kept:
            only = f", {who}" if secret else ""
            self.c.seen(f"S.seen_set({key!r}, {index}{only})")
        else:
            self.c.seen(f"S.seen_place({key!r}, {index}, {who}{also})")
        return saved

    def _grant_slot(self, decl: StateDecl | PlaceDecl, args: tuple[Ex, ...]) -> str:
        """Where it is kept who sees a place or state besides those who always do."""
        if isinstance(decl, StateDecl):
            key = self.c.states.state_key(decl)
            _, sizes, lows = self.layout.states[key]
        else:
            key = self.c.holdings.place_key(decl)
            _, sizes, lows, _ = self.layout.places[key]
            args = self.c.holdings.groups_for(decl, args)
        slot = self.temp("s")
        self.line(f"{slot} = {self.c.states.offset(self.layout.grants[key], args, sizes, lows)}")
        return slot

    @writes_lines(ShowOn)
    def s_show_on(self, st: ShowOn) -> None:
        self.c.bind(st.saved, self._grant(st.place, self.audience(st.audience), secretly(st)))

    @writes_lines(ShowOff)
    def s_show_off(self, st: ShowOff) -> None:
        saved = self.c.env[st.saved.uid]
        self.line(f"take_back(I, {saved})")
        self.c.seen(f"S.unseen_places({saved})")

    @writes_lines(Show)
    def s_show(self, st: Show) -> None:
        var = Var("shown", f"shown_{self.temp()}", t.UNKNOWN)
        self.s_show_on(ShowOn(st.span, st.place, st.audience, var, secretly=secretly(st)))
        self.c.stmts(st.body)
        self.s_show_off(ShowOff(st.span, var))

    @writes_lines(AtomicOn)
    def s_atomic_on(self, st: AtomicOn) -> None:
        self.line("S.atomic += 1")

    @writes_lines(AtomicOff)
    def s_atomic_off(self, st: AtomicOff) -> None:
        self.line("S.atomic -= 1")
        for name in self.pool.all_endings():
            self.line(f"{name}(S, I, L)")

    @writes_lines(Atomic)
    def s_atomic(self, st: Atomic) -> None:
        self.s_atomic_on(AtomicOn(st.span))
        self.c.stmts(st.body)
        self.s_atomic_off(AtomicOff(st.span))

    @writes_lines(Seal)
    def s_seal(self, st: Seal) -> None:
        self.line("S.seal()")

    @writes_lines(Unseal)
    def s_unseal(self, st: Unseal) -> None:
        self.line("S.unseal()")
