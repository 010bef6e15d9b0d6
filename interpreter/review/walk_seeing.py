"""The walk through statements that show something: looking, rolling, moving."""

from __future__ import annotations

from attrs import evolve

from .. import types as t
from ..core import Ex, PlaceDecl, RuleDecl, St
from ..facts import secretly
from .people import ALL, UNKNOWN, Viewers
from .sights import NOTHING, Binding, Grant, PlaceRef, Secret, Sight, knowing
from .trees import SOURCE, TARGET
from .walks import Exits, Walk, Walked, merged


class Seeing(Walk):
    def hook(self, trigger: RuleDecl, args: tuple[object, ...], s: Sight) -> Walked:
        raise NotImplementedError

    # ------------------------------------------------------------ seeing
    def _show(self, st: St, s: Sight) -> Walked:
        grants = self.grants(st, s)
        s = self.shown(st, grants, s)
        after, exits = self.body(st.body, evolve(s, grants=s.grants | grants))
        return evolve(after, grants=after.grants - (grants - s.grants)), exits

    def _reveal(self, st: St, s: Sight) -> Walked:
        grants = self.grants(st, s)
        return evolve(self.shown(st, grants, s), grants=s.grants | grants), {}

    def _peek(self, st: St, s: Sight) -> Walked:
        s = self.changed(self.writing.of_statement(st), s, st.span)
        ref = self.reader.place(st.args[1], s)
        viewers = self.reader.audience(st.data, UNKNOWN, s)
        if not self.people.everybody(viewers):
            self.reader.private_decks |= {ref.decl} if ref is not None else self.decks(st.args[1])
        grants = frozenset((Grant(ref.decl, ref.cell, viewers, top=True),) if ref is not None else ())
        return evolve(self.shown(st, grants, s), grants=s.grants | grants), {}

    def decks(self, place: Ex) -> set[PlaceDecl]:
        """The decks that a place may be."""
        return self._decks_of(place.place_type.of)

    def _decks_of(self, kind: str) -> set[PlaceDecl]:
        return {decl for decl in self.game.places.values() if decl.of == kind and decl.shape == "deck"}

    def grants(self, st: St, s: Sight) -> frozenset[Grant]:
        """What `show` and `reveal` open to whom."""
        (ex,) = st.args
        viewers = self.reader.audience(st.data, UNKNOWN, s)
        if ex.op == "places_of":
            owners = self.reader.audience(ex.args[0], UNKNOWN, s)
            return frozenset(Grant(ex.data, (owner,), viewers) for owner in owners)
        return frozenset((Grant(ex.data, self.reader.cell(ex, s), viewers),))

    def shown(self, st: St, grants: frozenset[Grant], s: Sight) -> Sight:
        """What is open now is known to those who look, also under names it had before. Others notice
        that something is shown, so whether and what must not follow from a secret."""
        inner = evolve(s, grants=s.grants | grants)
        place = st.args[-1]
        read = s.pc | self.reader.labels((st.data, *place.args, *st.args[:-1]), s)
        told_all = place.op != "state" or all(self.people.everybody(g.viewers) for g in grants)
        if told_all and not s.sealed and not secretly(st):
            self.noticed(st, inner, read)
        return s.relabelled(lambda secret: knowing(frozenset((secret,)), inner.knowers(secret), self.people))

    def _roll(self, st: St, s: Sight) -> Walked:
        var, audience = st.data
        viewers = self.reader.audience(audience, UNKNOWN, s)
        label = NOTHING
        if not self.people.everybody(viewers):
            label = frozenset((Secret("roll", st, (), viewers, st.span),))
        s, who = s.fresh(var.uid)
        return s.bind(var.uid, Binding(who, label)), {}

    # ------------------------------------------------------------ moving
    def moved(self, st: St, s: Sight) -> Walked:
        label = NOTHING
        source = self._ref(st, SOURCE, s)
        target = self._ref(st, TARGET, s)
        for ref, where in ((source, SOURCE), (target, TARGET)):  # that something moved there is noticed
            if ref is not None:
                seen = self.reader.viewers(ref, "size", s)
                self.in_sight(st, s, seen)
                for index in st.args[where[st.op]].args:
                    s = self.learn(index, seen, s)
        self._into_deck(st, source, target, s)
        if st.op in ("move_on", "swap"):
            self.in_sight(st, s, ALL)
        if st.op == "move_on":
            s = self.learn(st.args[1], ALL, self.learn(st.args[0], ALL, s))
        elif st.op in ("move", "move_set") and target is not None:
            viewers = self.reader.viewers(target, "top" if target.decl.shape != "deck" else "contents", s)
            for part in (st.args[0], *(st.args[2:4])):
                s = self.learn(part, viewers, s)
        elif st.op == "move_tokens":
            amount, kind, *_, at = st.args
            label = self.reader.label(amount, s)
            for ref in (source, target):
                if ref is not None:
                    s = self.learn(amount, self.reader.viewers(ref, "size", s), s)
                    s = self.learn(kind, self.reader.viewers(ref, "contents", s), s)
                    s = self.learn(at, self.reader.viewers(ref, "contents", s), s)
        elif st.op in ("move_all", "draw") and source is not None:
            label = self.reader.look(st.args[SOURCE[st.op]], "size", s)
            if st.op == "move_all" and target is not None:
                s = self._poured(source, self.reader.viewers(target, "contents", s), s)
        s = self.changed(self.writing.of_statement(st), s, st.span)
        return self.crossed(st, source, target, evolve(s, pc=s.pc | label), s)

    def _poured(self, source: PlaceRef, viewers: Viewers, s: Sight) -> Sight:
        """Who sees where all of it went has seen what was there."""
        inner = evolve(s, grants=s.grants | {Grant(source.decl, source.cell, viewers)})
        return s.relabelled(lambda secret: knowing(frozenset((secret,)), inner.knowers(secret), self.people))

    def _ref(self, st: St, where: dict[str, int], s: Sight) -> PlaceRef | None:
        return self.reader.place(st.args[where[st.op]], s) if st.op in where else None

    def _into_deck(self, st: St, source: PlaceRef | None, target: PlaceRef | None, s: Sight) -> None:
        """A card that is put on an end of a deck is known there to those who know it."""
        if st.op == "swap":
            places = {d for a in st.args if isinstance(a.type, t.Comp) for d in self._decks_of(a.type.name)}
        elif st.op in TARGET:
            places = {target.decl} if target is not None else self.decks(st.args[TARGET[st.op]])
        else:
            return
        decks = {place for place in places if place.shape == "deck"}
        if decks and self._at_an_end(st) and self._not_known_to_all(st, source, s):
            self.reader.private_decks |= decks

    def _at_an_end(self, st: St) -> bool:
        match st.op:
            case "draw":
                return st.data[1] is not None or st.args[3] is not None
            case "move" | "move_set" | "move_all":
                return bool(st.data) or (len(st.args) > 2 and st.args[2] is not None)
        return True

    def _not_known_to_all(self, st: St, source: PlaceRef | None, s: Sight) -> bool:
        """Does somebody know of what is moved what others do not?"""
        if st.op in ("move", "move_set", "swap"):
            return bool(self.reader.labels(st.args[:2] if st.op == "swap" else st.args[:1], s))
        if source is None:
            return True
        if source.decl.shape == "deck":
            return source.decl in self.reader.private_decks
        return not self.people.everybody(self.reader.viewers(source, "contents", s))

    def crossed(
        self, st: St, source: PlaceRef | None, target: PlaceRef | None, inner: Sight, s: Sight
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
        self, st: St, kind: str, place: PlaceDecl, source: PlaceRef | None, target: PlaceRef | None
    ) -> bool:
        if st.op == "swap":
            return any(isinstance(a.type, t.Place) and a.type.of == place.of for a in st.args)
        if kind == "leaving" and st.op in ("move", "move_set"):
            return target is not None and target.decl.of == place.of
        end = target if kind == "entering" else source
        return end is not None and end.decl is place
