"""The walk through statements that show something: looking, rolling, moving."""

from __future__ import annotations

from attrs import evolve

from .. import types as t
from ..core import PlaceDecl, RuleDecl, St
from .secrets import EVERYBODY, NOTHING, Binding, Grant, PlaceRef, Secret, Sight, knowing
from .trees import SOURCE, TARGET
from .walks import Exits, Walk, Walked, merged


class Seeing(Walk):
    def hook(self, trigger: RuleDecl, args: tuple[object, ...], s: Sight) -> Walked:
        raise NotImplementedError

    # ------------------------------------------------------------ seeing
    def _show(self, st: St, s: Sight) -> Walked:
        grant = self.grant(st, s)
        s = self.opened(grant, s)
        after, exits = self.body(st.body, evolve(s, grants=s.grants | {grant}))
        return evolve(after, grants=after.grants - ({grant} - s.grants)), exits

    def _reveal(self, st: St, s: Sight) -> Walked:
        grant = self.grant(st, s)
        return evolve(self.opened(grant, s), grants=s.grants | {grant}), {}

    def _peek(self, st: St, s: Sight) -> Walked:
        ref = self.reader.place(st.args[1], s)
        if ref is None:
            return s, {}
        viewers = self.reader.audience(st.data, None, s)
        if EVERYBODY not in viewers:
            self.reader.private_decks.add(ref.decl)
        return evolve(s, grants=s.grants | {Grant(ref.decl, ref.owner, viewers)}), {}

    def grant(self, st: St, s: Sight) -> Grant:
        """What `show` and `reveal` open to whom."""
        (ex,) = st.args
        viewers = self.reader.audience(st.data, None, s)
        if ex.op == "places_of":
            (of,) = ex.args
            who = self.reader.token(of.args[0], s) if of.op == "others" else None
            return Grant(ex.data, f"!{who}" if who is not None else EVERYBODY, viewers)
        owner = self.reader.token(ex.args[0], s) if ex.data.owner == "player" and ex.args else None
        return Grant(ex.data, owner, viewers)

    def opened(self, grant: Grant, s: Sight) -> Sight:
        """Names for what lies in a place that is shown are known to those who look."""
        names = {
            uid: evolve(
                binding,
                label=frozenset(
                    x
                    for secret in binding.label
                    for x in (
                        knowing(frozenset((secret,)), grant.viewers)
                        if grant.covers(secret.decl, secret.owner)
                        else (secret,)
                    )
                ),
            )
            for uid, binding in s.vars.items()
        }
        return evolve(s, vars=names)

    def _roll(self, st: St, s: Sight) -> Walked:
        var, audience = st.data
        viewers = self.reader.audience(audience, None, s)
        label = NOTHING
        if EVERYBODY not in viewers:
            label = frozenset((Secret("roll", st, None, viewers, st.span),))
        token = s.fresh(var.uid) if isinstance(var.type, t.Player) else None
        return s.bind(var.uid, Binding(token, label)), {}

    # ------------------------------------------------------------ moving
    def moved(self, st: St, s: Sight) -> Walked:
        everybody = frozenset((EVERYBODY,))
        label = NOTHING
        source = self._ref(st, SOURCE, s)
        target = self._ref(st, TARGET, s)
        for ref, where in ((source, SOURCE), (target, TARGET)):  # that something moved there is noticed
            if ref is not None:
                for index in st.args[where[st.op]].args:
                    s = self.learn(index, self.reader.viewers(ref, "size", s), s)
        if st.op == "move_on":
            return self.learn(st.args[1], everybody, self.learn(st.args[0], everybody, s)), {}
        if st.op in ("move", "move_set") and target is not None:
            viewers = self.reader.viewers(target, "top" if target.decl.shape != "deck" else "contents", s)
            self._into_deck(st, target, s)
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
                seen = self.reader.viewers(target, "contents", s)
                s = self.opened(Grant(source.decl, source.owner, seen), s)
        return self.crossed(st, source, target, evolve(s, pc=s.pc | label), s)

    def _ref(self, st: St, where: dict[str, int], s: Sight) -> PlaceRef | None:
        return self.reader.place(st.args[where[st.op]], s) if st.op in where else None

    def _into_deck(self, st: St, target: PlaceRef, s: Sight) -> None:
        """A card that is put on an end of a deck is known there to those who know it."""
        known = bool(st.data) or (len(st.args) > 2 and st.args[2] is not None)
        if target.decl.shape == "deck" and known and self.reader.label(st.args[0], s):
            self.reader.private_decks.add(target.decl)

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
