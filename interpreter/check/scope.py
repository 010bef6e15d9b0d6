"""What names mean at one point of a body: locals, who decides, what is known not to be none."""

from __future__ import annotations

from itertools import count as _count
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from ...grammar import Span, syntax
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


@define
class Scope:
    body: Body
    vars: dict[str, Var] = Factory(dict)
    facts: frozenset[Any] = frozenset()
    has_me: bool = True  # a `me` may be passed in by the caller
    me_bound: bool = False  # `me` is bound inside this body
    labels: tuple[str, ...] = ()
    flags: frozenset[str] = field(default=frozenset())
    lost: dict[str, Span] = Factory(dict)  # names that an `else` which goes on leaves without a value

    @property
    def me_from(self) -> str:
        """Where a `me` that is passed on comes from: this body, its caller, or nowhere."""
        return "bound" if self.me_bound else "caller" if self.has_me else "nowhere"

    def call(self, callee: str, span: Span) -> Call:
        return Call(callee, span, self.me_from, self.labels, self.flags & {"together", "atomic"})

    def child(self) -> Scope:
        return evolve(self, vars=dict(self.vars))

    def knowing(self, facts: frozenset[Any]) -> Scope:
        return evolve(self, vars=dict(self.vars), facts=self.facts | facts) if facts else self.child()

    def as_player(self) -> Scope:
        return evolve(self, vars=dict(self.vars), has_me=True, me_bound=True)

    def inside(self, label: str | None = None, flag: str | None = None) -> Scope:
        labels = (*self.labels, label) if label else self.labels
        flags = self.flags | {flag} if flag else self.flags
        return evolve(self, vars=dict(self.vars), labels=labels, flags=flags)

    def lose(self, name: str, otherwise: Span) -> None:
        """From here on a name need not have a value: the `else` may have been done instead."""
        if self.vars.pop(name, None) is not None:
            self.lost = {**self.lost, name: otherwise}

    def bind(self, name: str, type_: t.Type) -> Var:
        var = Var(name, f"{name}_{next(_uids)}", type_)
        self.vars[name] = var
        return var


def known_when(condition: syntax.Expr, holds: bool) -> frozenset[Any]:
    """The expressions that are certainly not none when the condition holds (or does not)."""
    match condition:
        case syntax.Group(inner=inner):
            return known_when(inner, holds)
        case syntax.NotExpr(of=inner):
            return known_when(inner, not holds)
        case syntax.AndExpr(left=left, right=right) if holds:
            return known_when(left, True) | known_when(right, True)
        case syntax.OrExpr(left=left, right=right) if not holds:
            return known_when(left, False) | known_when(right, False)
        case syntax.Compare(left=left, op="!=", right=syntax.Name(text="none")) if holds:
            return frozenset([left])
        case syntax.Equals(left=left, right=syntax.Name(text="none")) if not holds:
            return frozenset([left])
    return frozenset()
