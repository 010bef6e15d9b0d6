"""The walk through statements that show something: looking, rolling, moving."""

from __future__ import annotations

from functools import cached_property

from attrs import evolve

from ..check.returns import statements
from ..core import (
    Draw,
    Ex,
    Move,
    MoveAll,
    MoveOn,
    MoveSet,
    MoveTokens,
    Peek,
    PlaceDecl,
    PlaceRef,
    PlacesOf,
    Reveal,
    Roll,
    RuleDecl,
    SeenBy,
    Show,
    St,
    StateDecl,
    StateRef,
    Swap,
    operands,
)
from ..core import value_types as t
from ..core.audiences import named
from ..core.facts import PUTS, TAKES, secretly
from .people import ALL, NO_ONE, UNKNOWN, Viewers
from .sights import NOTHING, Binding, Grant, PlaceSeen, Secret, Sight, knowing, owner_of
from .trees import procedures
from .walks import Exits, Walk, Walked, merged


class Seeing(Walk):
    def hook(self, trigger: RuleDecl, args: tuple[object, ...], s: Sight) -> Walked:
        raise NotImplementedError

    # ------------------------------------------------------------ seeing
    def _show(self, st: Show, s: Sight) -> Walked:
        grants = self.grants(st, s)
        s = self.shown(st, grants, s)
        after, exits = self.body(st.body, evolve(s, grants=s.grants | grants))
        return evolve(after, grants=after.grants - (grants - s.grants)), exits

    def _reveal(self, st: Reveal, s: Sight) -> Walked:
        grants = self.grants(st, s)
        return evolve(self.shown(st, grants, s), grants=s.grants | grants), {}

    def _peek(self, st: Peek, s: Sight) -> Walked:
        s = self.changed(self.writing.of_statement(st), s, st.span)
        ref = self.reader.place(st.place, s)
        viewers = self.reader.audience(st.audience, UNKNOWN, s)
        if not self.people.everybody(viewers):
            self.reader.private_decks |= {ref.decl} if ref is not None else self.decks(st.place)
        grants = frozenset((Grant(ref.decl, ref.cell, viewers, top=True),) if ref is not None else ())
        return evolve(self.shown(st, grants, s), grants=s.grants | grants), {}

    def decks(self, place: Ex) -> set[PlaceDecl]:
        """The decks that a place may be."""
        return self._decks_of(place.place_type.of)

    def _decks_of(self, kind: str) -> set[PlaceDecl]:
        return {decl for decl in self.game.places.values() if decl.of == kind and decl.form.hidden}

    def grants(self, st: Show | Reveal, s: Sight) -> frozenset[Grant]:
        """What `show` and `reveal` open to whom."""
        ex = st.place
        viewers = self.reader.audience(st.audience, UNKNOWN, s)
        if isinstance(ex, PlacesOf):
            owners = self.reader.audience(SeenBy(ex.players), UNKNOWN, s)
            return frozenset(Grant(ex.place, (owner,), viewers) for owner in owners)
        assert isinstance(ex, PlaceRef | StateRef)
        decl = ex.state if isinstance(ex, StateRef) else ex.place
        return frozenset((Grant(decl, self.reader.cell(ex, s), viewers),))

    def shown(self, st: Show | Reveal | Peek, grants: frozenset[Grant], s: Sight) -> Sight:
        """What is open now is known to those who look, also under names it had before. Others notice
        that something is shown, so whether and what must not follow from a secret."""
        inner = evolve(s, grants=s.grants | grants)
        amount = (st.amount,) if isinstance(st, Peek) else ()
        read = s.pc | self.reader.labels((*named(st.audience), *operands(st.place), *amount), s)
        viewers = self._who_notices(st, st.place, grants, s)
        if not s.sealed and not self.noticed(st, inner, read, viewers):
            self.in_sight(st, s, viewers)  # to whom nothing is shown learns from that
        return s.relabelled(lambda secret: knowing(frozenset((secret,)), inner.knowers(secret), self.people))

    def _who_notices(self, st: St, place: Ex, grants: frozenset[Grant], s: Sight) -> Viewers:
        """Of a state, those who see it now; of what is shown in secret, those it is shown to; else all."""
        shown_to = NO_ONE.union(*(grant.viewers for grant in grants))
        if secretly(st):
            return shown_to
        if isinstance(place, StateRef):
            cell = self.reader.cell(place, s)
            seen = self.reader.audience(place.state.seen, owner_of(place.state, cell), s)
            return seen | s.shown(place.state, cell) | shown_to
        return ALL

    def may_look(self, decl: PlaceDecl | StateDecl, s: Sight) -> Viewers:
        """To whom something may be open, besides those who surely see it: shown, of a cell that may be
        the one in question; or revealed anywhere, for that may have been done on the way here."""
        if decl in self.revealed:
            return ALL
        return NO_ONE.union(*(grant.viewers for grant in s.grants if grant.decl is decl))

    @cached_property
    def revealed(self) -> list[PlaceDecl | StateDecl]:
        found = (st for rule in procedures(self.game) for st in statements(rule.body))
        shown = [st.place for st in found if isinstance(st, Reveal)]
        found_in = (
            ex.place if isinstance(ex, PlacesOf) else ex.state
            for ex in shown
            if isinstance(ex, PlacesOf | StateRef)
        )
        return list(found_in)

    def _roll(self, st: Roll, s: Sight) -> Walked:
        var, audience = (st.var, st.audience)
        viewers = self.reader.audience(audience, UNKNOWN, s)
        label = NOTHING
        if not self.people.everybody(viewers):
            label = frozenset((Secret("roll", st, (), viewers, st.span),))
        s, who = s.fresh(var.uid)
        return s.bind(var.uid, Binding(who, label)), {}

    # ------------------------------------------------------------ moving
    def moved(self, st: St, s: Sight) -> Walked:
        label = NOTHING
        taken = st.source if isinstance(st, TAKES) else None
        put = st.place if isinstance(st, PUTS) else None
        source, target = self._ref(taken, s), self._ref(put, s)
        for ref, place in ((source, taken), (target, put)):  # that something moved there is noticed
            if ref is not None and place is not None:
                seen = self.reader.viewers(ref, "size", s)
                self.in_sight(st, s, seen)
                self.in_sight(st, s, self.may_look(ref.decl, s))
                for index in operands(place):
                    s = self.learn(index, seen, s)
        self._into_deck(st, source, target, s)
        if isinstance(st, MoveOn | Swap):
            self.in_sight(st, s, ALL)
        if isinstance(st, MoveOn):
            s = self.learn(st.target, ALL, self.learn(st.thing, ALL, s))
        elif isinstance(st, Move | MoveSet) and target is not None:
            viewers = self.reader.viewers(target, "top" if not target.decl.form.hidden else "contents", s)
            moved = (st.thing, st.at, st.turned) if isinstance(st, Move) else (st.things,)
            for part in moved:
                s = self.learn(part, viewers, s)
        elif isinstance(st, MoveTokens):
            amount, kind, *_, at = (st.amount, st.kind, st.source, st.place, st.at)
            label = self.reader.label(amount, s)
            for ref in (source, target):
                if ref is not None:
                    s = self.learn(amount, self.reader.viewers(ref, "size", s), s)
                    s = self.learn(kind, self.reader.viewers(ref, "contents", s), s)
                    s = self.learn(at, self.reader.viewers(ref, "contents", s), s)
        elif isinstance(st, MoveAll | Draw) and source is not None:
            label = self.reader.look(st.source, "size", s)
            if isinstance(st, MoveAll) and target is not None:
                s = self._poured(source, self.reader.viewers(target, "contents", s), s)
        s = self.changed(self.writing.of_statement(st), s, st.span)
        if isinstance(st, Draw) and st.var is not None:
            s = self._drawn(st, source, target, s)
        return self.crossed(st, source, target, evolve(s, pc=s.pc | label), s)

    def _drawn(self, st: Draw, source: PlaceSeen | None, target: PlaceSeen | None, s: Sight) -> Sight:
        """The name of what was drawn is known to those who see either end; whether there was one, to
        those who see how many lay there."""
        assert st.var is not None
        viewers = NO_ONE
        for ref in (source, target):
            if ref is not None and not ref.decl.form.hidden:
                viewers |= self.reader.viewers(ref, "contents", s)
        secret = self.reader.look(st.source, "size", s) if source is not None else NOTHING
        if not self.people.everybody(viewers):
            secret |= {Secret("roll", st, (), viewers, st.span)}
        return s.bind(st.var.uid, Binding(label=secret))

    def _poured(self, source: PlaceSeen, viewers: Viewers, s: Sight) -> Sight:
        """Who sees where all of it went has seen what was there."""
        inner = evolve(s, grants=s.grants | {Grant(source.decl, source.cell, viewers)})
        return s.relabelled(lambda secret: knowing(frozenset((secret,)), inner.knowers(secret), self.people))

    def _ref(self, place: Ex | None, s: Sight) -> PlaceSeen | None:
        return self.reader.place(place, s) if place is not None else None

    def _into_deck(self, st: St, source: PlaceSeen | None, target: PlaceSeen | None, s: Sight) -> None:
        """A card that is put on an end of a deck is known there to those who know it."""
        if isinstance(st, Swap):
            places = {
                d
                for a in (st.left, st.right)
                if isinstance(a.type, t.Comp)
                for d in self._decks_of(a.type.name)
            }
        elif isinstance(st, PUTS):
            places = {target.decl} if target is not None else self.decks(st.place)
        else:
            return
        decks = {place for place in places if place.form.hidden}
        if decks and self._at_an_end(st) and self._not_known_to_all(st, source, s):
            self.reader.private_decks |= decks

    def _at_an_end(self, st: St) -> bool:
        match st:
            case Draw():
                return st.end is not None or st.at is not None
            case Move() | MoveSet() | MoveAll():
                return bool(st.end) or (isinstance(st, Move) and st.at is not None)
        return True

    def _not_known_to_all(self, st: St, source: PlaceSeen | None, s: Sight) -> bool:
        """Does somebody know of what is moved what others do not?"""
        if isinstance(st, Move | MoveSet | Swap):
            things = (st.left, st.right) if isinstance(st, Swap) else _moved_things(st)
            return bool(self.reader.labels(things, s))
        if source is None:
            return True
        if source.decl.form.hidden:
            return source.decl in self.reader.private_decks
        return not self.people.everybody(self.reader.viewers(source, "contents", s))

    def crossed(
        self, st: St, source: PlaceSeen | None, target: PlaceSeen | None, inner: Sight, s: Sight
    ) -> Walked:
        """The triggers on places that are entered or left."""
        exits: Exits = {}
        for trigger in self.crossing:
            for kind, key in trigger.events:
                if kind not in ("entering", "leaving"):
                    continue
                place = self.game.places[key]
                if self._crosses(st, kind, place, source, target):
                    after, out = self.hook(trigger, (), evolve(inner, me=None))
                    s = evolve(s, grants=s.grants & after.grants)
                    exits = merged(exits, out)
                    break
        return s, exits

    def _crosses(
        self, st: St, kind: str, place: PlaceDecl, source: PlaceSeen | None, target: PlaceSeen | None
    ) -> bool:
        if isinstance(st, Swap):
            return any(isinstance(a.type, t.Place) and a.type.of == place.of for a in (st.left, st.right))
        if kind == "leaving" and isinstance(st, Move | MoveSet):
            return target is not None and target.decl.of == place.of
        end = target if kind == "entering" else source
        return end is not None and end.decl is place


def _moved_things(st: Move | MoveSet) -> tuple[Ex, ...]:
    return (st.thing,) if isinstance(st, Move) else (st.things,)
