"""What names mean at one point of a body: locals, who decides, what is known not to be none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count as _count
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from ...grammar import Span
from ..core import Var
from ..core import value_types as t

_uids = _count(1)


def count_names_anew() -> None:
    """The numbers in `uid`s decide the order of the slots in a frame, and saves hold frames: they
    must not depend on what else this process has checked before."""
    global _uids
    _uids = _count(1)


@frozen
class Call:
    """A rule called or, as `menu x`, a menu offered."""

    callee: str
    span: Span
    me_from: str  # "bound", "caller" or "nowhere"
    labels: tuple[str, ...]  # the loops and phases open around it
    walls: frozenset[str]  # "together" or "atomic" around it


@define(eq=False)
class Body:
    """Facts about the declaration whose body is being checked, gathered on the way."""

    name: str
    kind: str  # "rule", "define", "constant", ...
    returns: t.Type | None = None
    uses_me: bool = False
    me_spans: list[Span] = Factory(list)
    calls: list[Call] = Factory(list)


@frozen
class Lost:
    """Why a name has no value: an `else` goes on, or is the other way."""

    span: Span
    what: str = "could be chosen"
    help: str = "leave there: `else return`, `else skip`"
    then: str = "then this is done, and the game goes on behind it"


@define
class Scope:
    body: Body
    vars: dict[str, Var] = Factory(dict)
    facts: Mapping[Any, frozenset[str]] = Factory(dict)  # what is not none, and what was written since
    has_me: bool = True  # a `me` may be passed in by the caller
    me_bound: bool = False  # `me` is bound inside this body
    labels: tuple[str, ...] = ()
    flags: frozenset[str] = field(default=frozenset())
    lost: dict[str, Lost] = Factory(dict)

    @property
    def me_from(self) -> str:
        """Where a `me` that is passed on comes from: this body, its caller, or nowhere."""
        return "bound" if self.me_bound else "caller" if self.has_me else "nowhere"

    def call(self, callee: str, span: Span) -> Call:
        return Call(callee, span, self.me_from, self.labels, self.flags & {"together", "atomic"})

    def child(self) -> Scope:
        return evolve(self, vars=dict(self.vars))

    def knowing(self, facts: Iterable[Any]) -> Scope:
        inner = self.child()
        inner.learn(facts)
        return inner

    def learn(self, facts: Iterable[Any]) -> None:
        """From here on these are not none."""
        self.facts = {**self.facts, **dict.fromkeys(facts, frozenset())}

    def wrote(self, names: Iterable[str]) -> None:
        """Something has been written, on which facts may depend."""
        self.facts = {fact: since.union(names) for fact, since in self.facts.items()}

    def as_player(self) -> Scope:
        return evolve(self, vars=dict(self.vars), has_me=True, me_bound=True)

    def inside(self, label: str | None = None, flag: str | None = None) -> Scope:
        labels = (*self.labels, label) if label else self.labels
        flags = self.flags | {flag} if flag else self.flags
        return evolve(self, vars=dict(self.vars), labels=labels, flags=flags)

    def lose(self, name: str, lost: Lost) -> None:
        """From here on a name need not have a value: the `else` may have been done instead."""
        self.vars.pop(name, None)
        self.lost = {**self.lost, name: lost}

    def bind(self, name: str, type_: t.Type) -> Var:
        var = Var(name, f"{name}_{next(_uids)}", type_)
        self.vars[name] = var
        return var
