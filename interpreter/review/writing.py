"""What a piece of the rules may change, with all that it calls and sets off.

Names are those of facts.py: `player.points`, `in heap`. States with a lifetime are put
back when something ends, so whatever has a body or calls something may change them.
A statement that facts.py does not know may change everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core import CallRule, CheckedGame, May, Offer, RuleDecl, St, Turns, own_bodies
from ..core.facts import UnknownOperation, brought_to_light, transfers, writes
from .trees import statements


class Writing:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self._lasting = frozenset(key for key, state in game.states.items() if state.until is not None)
        self._bodies: dict[int, tuple[tuple[St, ...], frozenset[str]]] = {}
        self._own: dict[int, tuple[St, set[str], list[RuleDecl]]] = {}
        self._crossing = [
            (trigger, places) for trigger in game.triggers.values() if (places := _crossed(trigger))
        ]
        rules = [*game.rules.values(), *game.triggers.values()]
        self._of: dict[str, frozenset[str]] = {_key(rule): frozenset() for rule in rules}
        changed = True
        while changed:
            changed = False
            for rule in rules:
                found = self._all(rule.body)
                if found != self._of[_key(rule)]:
                    self._of[_key(rule)] = found
                    changed = True

    def of(self, body: tuple[St, ...]) -> frozenset[str]:
        """All that a body may change."""
        known = self._bodies.get(id(body))
        if known is None or known[0] is not body:
            known = self._bodies[id(body)] = (body, self._all(body))
        return known[1]

    def of_rule(self, rule: RuleDecl) -> frozenset[str]:
        return self._of.get(_key(rule), frozenset())

    def _all(self, body: tuple[St, ...]) -> frozenset[str]:
        out: set[str] = set()
        for st in statements(body):
            out |= self.of_statement(st)
        return frozenset(out)

    def of_statement(self, st: St) -> set[str]:
        """What a statement itself may change, with what it calls; not the bodies in it."""
        if id(st) not in self._own:
            self._own[id(st)] = self._written_by(st)
        _, own, behind = self._own[id(st)]
        out = own.union(*(self._of[_key(rule)] for rule in behind))
        for trigger, crossed in self._crossing:
            if not out.isdisjoint(crossed):
                out |= self._of[_key(trigger)]
        return out

    def _written_by(self, st: St) -> tuple[St, set[str], list[RuleDecl]]:
        """What a statement writes itself, and the rules that it calls or sets off."""
        try:
            out = writes(st, self.game)
            for transfer in transfers(st):
                out |= {key for key in self._lasting if self.game.states[key].owner == transfer.of}
        except UnknownOperation:
            out = {*self.game.states, *(f"in {key}" for key in self.game.places)}
        behind = list(self._called(st))
        if behind or any(own_bodies(st)[:1]):
            out |= self._lasting
        return st, out, behind

    def brought_to_light(self, body: tuple[St, ...]) -> frozenset[str]:
        """What a body, with the rules that it calls, takes things out of in sight of all, or opens to all."""
        out: set[str] = set()
        todo, done = [body], set()
        while todo:
            for st in statements(todo.pop()):
                out |= brought_to_light(st, self.game)
                for rule in self._called(st):
                    if _key(rule) not in done:
                        done.add(_key(rule))
                        todo.append(rule.body)
        return frozenset(out)

    def _called(self, st: St) -> Iterator[RuleDecl]:
        names: list[str] = []
        if isinstance(st, CallRule):
            names.append(st.rule)
        elif isinstance(st, Offer | May):
            names += self.game.menus.get(st.offering.menu, []) if st.offering.menu else []
            names += [case.action for case in st.offering.cases if case.action is not None]
        for name in names:
            rule = self.game.rules.get(name)
            if rule is not None:
                yield rule
                yield from self._hooked((("rule", name), ("menu", rule.menu)))
        if isinstance(st, Turns):
            yield from self._hooked((("turn", "turn"), ("scope", str(st.label))))

    def _hooked(self, events: Iterable[tuple[str, str | None]]) -> Iterator[RuleDecl]:
        for trigger in self.game.triggers.values():
            if any(event in trigger.events for event in events):
                yield trigger


def _key(rule: RuleDecl) -> str:
    return f"{'trigger' if rule.kind == 'trigger' else 'rule'} {rule.name}"


def _crossed(trigger: RuleDecl) -> frozenset[str]:
    """The places that set a trigger off when something goes in or out."""
    return frozenset(f"in {key}" for kind, key in trigger.events if kind in ("entering", "leaving"))
