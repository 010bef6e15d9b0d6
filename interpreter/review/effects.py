"""What a body does to the position: what it reads, what it changes and how, whom it asks.

Names are those of reads.py (`player.points`, `in heap`, `of Card`, `record Plan`).
A change is of one of three sorts, because the order of two changes of the same
thing does not always matter:

- `add`: something is added or taken away, whatever was there before;
- `set to X`: always to the same value X;
- `any`: everything else.

Calls, offers and the triggers on what is called are followed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import Factory, define

from ..core import (
    CallRule,
    Cancel,
    CheckedGame,
    Const,
    Ex,
    Finish,
    InRange,
    May,
    MoveTokens,
    Offer,
    PlaceRef,
    RuleDecl,
    Set,
    St,
    applies,
    children,
)
from ..core import value_types as t
from ..core.facts import ASKS, PUTS, TAKES, Puts, places_of, reads, state_name, writes
from .trees import own_expressions, statements


@define
class Effects:
    reads: set[str] = Factory(set)
    changes: dict[str, set[str]] = Factory(dict)
    asks: bool = False
    finishes: bool = False
    cancels: bool = False

    def change(self, name: str, how: str) -> None:
        self.changes.setdefault(name, set()).add(how)

    def take_in(self, other: Effects) -> None:
        self.reads |= other.reads
        for name, ways in other.changes.items():
            self.changes.setdefault(name, set()).update(ways)
        self.asks |= other.asks
        self.finishes |= other.finishes

    @property
    def something(self) -> bool:
        return bool(self.changes or self.asks or self.finishes)


class Doings:
    """The effects of the rules and triggers of a game."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self._own: dict[str, Effects] = {}

    def of_trigger(self, trigger: RuleDecl) -> Effects:
        effects = self.of_body(trigger.body, set())
        if trigger.where is not None:
            effects.reads |= reads(trigger.where, self.game)
        if trigger.me is not None:
            effects.reads |= reads(trigger.me, self.game)
        return effects

    def of_body(self, body: tuple[St, ...], seen: set[str]) -> Effects:
        out = Effects()
        for st in statements(body):
            self._statement(st, out)
            for name in self._called(st):
                if name not in seen:
                    seen.add(name)
                    out.take_in(self._of_rule(name, seen))
        return out

    def _called(self, st: St) -> list[str]:
        if isinstance(st, CallRule):
            return [str(st.rule)]
        if isinstance(st, Offer | May):
            menu = self.game.menus.get(st.offering.menu, []) if st.offering.menu else []
            return [*menu, *(case.action for case in st.offering.cases if case.action is not None)]
        return []

    def _of_rule(self, name: str, seen: set[str]) -> Effects:
        rule = self.game.rules.get(name)
        if rule is None:
            return Effects()
        out = self.of_body(rule.body, seen)
        for trigger in self.game.triggers.values():
            hooked = ("rule", name) in trigger.events or ("menu", rule.menu) in trigger.events
            if hooked and f"trigger {trigger.name}" not in seen:
                seen.add(f"trigger {trigger.name}")
                out.take_in(self.of_body(trigger.body, seen))
        return out

    # ------------------------------------------------------------ one statement
    def _statement(self, st: St, out: Effects) -> None:
        out.asks |= isinstance(st, ASKS)
        out.finishes |= isinstance(st, Finish)
        out.cancels |= isinstance(st, Cancel)
        if isinstance(st, Set):
            self._set(st, out)
        elif isinstance(st, PUTS):
            self._move(st, out)
        else:
            for ex in own_expressions(st):
                out.reads |= reads(ex, self.game)
            for name in writes(st, self.game):
                out.change(name, "any")

    def _set(self, st: Set, out: Effects) -> None:
        target, value = st.target, st.value
        for index in children(target):
            out.reads |= reads(index, self.game)
        (name,) = writes(st, self.game) or {""}
        while isinstance(value, InRange):
            value = value.of
        if applies(value, "add") and value.args[0] == target:
            out.reads |= reads(value.args[1], self.game)
            out.change(name, "add")
        elif isinstance(value, Const):
            out.change(name, f"set to {value.value}")
        else:
            out.reads |= reads(value, self.game)
            out.change(name, "any")

    def _move(self, st: Puts, out: Effects) -> None:
        """Exact numbers of tokens may come and go in any order; what is `all there is`, drawn or
        picked depends on what is there."""
        source = st.source if isinstance(st, TAKES) else None
        target = st.place
        for arg in children(st):
            if isinstance(arg.type, t.Place):
                for index in children(arg):
                    out.reads |= reads(index, self.game)
            else:
                out.reads |= reads(arg, self.game)
        exact = isinstance(st, MoveTokens)
        for name in self._names(source):
            out.change(name, "add" if exact else "any")
        for name in self._names(target):
            counted = isinstance(target, Ex) and (target.place_type.form.heap or target.place_type.form.cells)
            out.change(name, "add" if counted else "any")
        kind = next(
            (x.type.of for x in (source, target) if x is not None and isinstance(x.type, t.Place)), None
        )
        if kind in self.game.components:
            out.change(f"of {kind}", "any")
            if source is None:  # from wherever it is
                for name in places_of(kind, self.game):
                    out.change(name, "any")

    def _names(self, place: Any) -> Iterable[str]:
        if not isinstance(place, Ex) or not isinstance(place.type, t.Place):
            return ()
        if isinstance(place, PlaceRef):
            return (f"in {state_name(place.place)}",)
        return [name for name in places_of(place.type.of, self.game) if name.startswith("in ")]


def conflict(first: Effects, second: Effects, names: tuple[str, str]) -> str | None:
    """Why it matters which of the two comes first, in words; None if it does not."""
    if (first.cancels and second.something) or (second.cancels and first.something):
        return "one may cancel the event before the other has run"
    if first.asks and second.asks:
        return "both ask somebody"
    for one, other, who in ((first, second, names[0]), (second, first, names[1])):
        for name in sorted(one.changes):
            if name in other.reads or ("anything" in other.reads):
                return f"`{who}` changes {shown(name)}, which the other reads"
    for name in sorted(first.changes.keys() & second.changes.keys()):
        ways = first.changes[name] | second.changes[name]
        if len(ways) > 1 or ways == {"any"}:
            return f"both change {shown(name)}"
    if first.finishes and second.finishes:
        return "both may end the match"
    return None


def shown(name: str) -> str:
    """`in heap` and the like for people."""
    kind, _, rest = name.partition(" ")
    if kind == "in":
        return f"`{rest}`"
    if kind == "of":
        return f"where a {rest} is"
    if kind == "record":
        return f"the record `{rest}`"
    return f"`{name}`"


__all__ = ["Doings", "Effects", "conflict", "shown"]
