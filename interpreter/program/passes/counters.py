"""What is counted in a covered engine: sites, in a fixed order, and their counters.

A covered engine is a build of its own: statements that count are put into the
bodies before they are lowered, definitions and the arms of conditional
expressions count where they are worked out, and decisions and chance note what
was offered and what was taken. The other builds know nothing of it and pay
nothing.

The sites depend on the checked game alone, not on the number of players, on
options, or on what the back end makes of it; so a rule that is never called has
its sites too, and counts of several engines and processes can be added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import evolve, frozen

from ....grammar import Span
from ...check.constants import not_constant
from ...core import (
    CallDefine,
    Case,
    CheckedGame,
    Choose,
    Conditional,
    Const,
    Count,
    DefineDecl,
    Draw,
    EndingDecl,
    Ex,
    For,
    Gen,
    If,
    May,
    Nothing,
    Offer,
    Peek,
    Pick,
    Roll,
    RuleDecl,
    St,
    applies,
    bodies,
    changed,
    children,
)
from ...core import value_types as t
from ..terminators import AskCell, AskValue, Call, Terminator


@frozen
class Site:
    """A place in the rules that is counted.

    kind: `run` (a declaration), `line` (a statement), `branch` (a way on from it),
    `arm` (of a conditional expression). owner: the declaration, `rule refresh`.
    """

    kind: str
    span: Span
    owner: str
    label: str = ""


@frozen
class Asking:
    """A decision or a chance point of the rules: what is offered is counted by value.

    kind: `offer`, `choose`, `vector`, `chance`. cases: of an offer, the keys of its
    options; type: of the others, what the values are, numbers in a vector; among: the
    values that can be meant, if the rules list them.
    """

    kind: str
    span: Span
    owner: str
    name: str
    type: t.Type | None = None
    cases: tuple[str, ...] = ()
    actions: tuple[str | None, ...] = ()
    among: tuple[int, ...] | None = None


class Sites:
    """All sites of a game."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.sites: list[Site] = []
        self.askings: list[Asking] = []
        self._numbers: dict[tuple[str, str, int, int, str], int] = {}
        self._asked: dict[tuple[str, int, int, str], int] = {}
        self._seen: set[tuple[str, int, int]] = set()
        for phase in game.phases:
            self._declaration(f"phase {phase.name}", phase)
        for rule in game.rules.values():
            self._declaration(f"{rule.kind} {rule.name}", rule)
        for trigger in game.triggers.values():
            self._declaration(f"trigger {trigger.name}", trigger)
        for ending in game.endings.values():
            self._declaration(f"ending {ending.name}", ending)
        aside = _aside(game)
        for define in game.defines.values():
            if define.name not in aside:
                self._definition(define)

    # ------------------------------------------------------------ finding them
    def _add(self, kind: str, span: Span, owner: str, label: str = "") -> None:
        key = (kind, span.source.name, span.start, span.end, label)
        if key not in self._numbers:
            self._numbers[key] = len(self.sites)
            self.sites.append(Site(kind, span, owner, label))

    def _declaration(self, owner: str, decl: RuleDecl | EndingDecl) -> None:
        self._add("run", decl.span, owner)
        self._expression(decl.when if isinstance(decl, EndingDecl) else decl.where, owner)
        self._body(decl.body, owner)

    def _definition(self, define: DefineDecl) -> None:
        """A definition that is a constant is data, as a table is: there is nothing to cover."""
        if define.params or define.uses_me or not_constant(define.body) is not None:
            owner = "score" if define is self.game.score else f"define {define.name}"
            self._add("run", define.span, owner)
            self._expression(define.body, owner)

    def _body(self, body: tuple[St, ...], owner: str) -> None:
        for st in body:
            self._add("line", st.span, owner)
            if not isinstance(st, Choose | Offer | May):
                self._expression(st.gens if isinstance(st, For) else tuple(children(st)), owner)
            if isinstance(st, If):
                self._add("branch", st.span, owner, "yes")
                self._add("branch", st.span, owner, "no")
            elif isinstance(st, Choose):
                self._expression(st.choice.gens, owner)
                for gen in st.choice.gens:
                    kind = "vector" if gen.cells else "choose"
                    type_ = None if gen.cells else gen.var.type
                    self._ask(kind, st, owner, gen.var.name, type_, among=_listed(gen))
            elif isinstance(st, Pick):
                self._ask("vector", st, owner, "amount", None)
            elif isinstance(st, Offer | May):
                self._offer(st, owner)
            elif isinstance(st, Draw | Peek):
                of = (st.source if isinstance(st, Draw) else st.place).place_type.of
                type_ = t.Kind(of) if of in self.game.tokens else t.Comp(of)
                self._ask("chance", st, owner, "draw" if isinstance(st, Draw) else "peek", type_)
            elif isinstance(st, Roll):
                var = st.var
                self._ask("chance", st, owner, var.name if var is not None else "roll", _rolled(st))
            self._body(getattr(st, "body", ()), owner)
            if not _idle(st):
                self._body(getattr(st, "orelse", ()), owner)

    def _offer(self, st: Offer | May, owner: str) -> None:
        offering = st.offering
        if offering.menu is not None:
            keys = tuple(self.game.menus[offering.menu])
            actions: tuple[str | None, ...] = keys
        else:
            keys = tuple(case.key for case in offering.cases)
            actions = tuple(case.action for case in offering.cases)
        if isinstance(st, May):
            keys, actions = (*keys, "no"), (*actions, None)
        name = offering.menu or offering.prompt or ("may" if isinstance(st, May) else "offer")
        self._ask("offer", st, owner, name, None, keys, actions)
        for case in offering.cases:
            self._body(case.body, owner)

    def _ask(
        self,
        kind: str,
        st: St,
        owner: str,
        name: str,
        type_: t.Type | None,
        cases: tuple[str, ...] = (),
        actions: tuple[str | None, ...] = (),
        among: tuple[int, ...] | None = None,
    ) -> None:
        key = (st.span.source.name, st.span.start, st.span.end, "" if kind in ("offer", "chance") else name)
        if key not in self._asked:
            self._asked[key] = len(self.askings)
            self.askings.append(Asking(kind, st.span, owner, str(name), type_, cases, actions, among))

    def _expression(self, node: Any, owner: str) -> None:
        match node:
            case tuple() | list():
                for item in node:
                    self._expression(item, owner)
            case Ex():
                if isinstance(node, Conditional):
                    self._add("arm", node.then.span, owner, "yes")
                    self._add("arm", node.otherwise.span, owner, "no")
                self._expression(tuple(children(node)), owner)
            case Gen():
                self._expression(tuple(children(node)), owner)

    # ------------------------------------------------------------ finding them again
    def number(self, kind: str, span: Span, label: str = "") -> int | None:
        """Which counter a site has; None if it is none (what the compiler has made up, scenarios)."""
        return self._numbers.get((kind, span.source.name, span.start, span.end, label))

    def asking(self, span: Span, name: str = "") -> int | None:
        return self._asked.get((span.source.name, span.start, span.end, name))

    def asked_by(self, term: Terminator) -> int | None:
        """Where the answers are counted that the end of a block waits for."""
        if isinstance(term, Call):
            return None
        return self.asking(term.span, term.point.name if isinstance(term, AskValue | AskCell) else "")

    # ------------------------------------------------------------ putting them in
    def counted(self, body: tuple[St, ...], run: Span | None = None) -> tuple[St, ...]:
        """A body with the statements that count it; `run` is the declaration that it belongs to."""
        out = list(self._count("run", run)) if run is not None else []
        for st in body:
            out += self._count("line", st.span)
            if isinstance(st, Offer | May):
                cases: list[Case] = [evolve(c, body=self.counted(c.body)) for c in st.offering.cases]
                st = changed(st, offering=evolve(st.offering, cases=cases))
            parts = {name: getattr(st, name) for name in ("body", "orelse") if name in type(st).__own__}
            if not _idle(st):
                parts = {name: self.counted(part) for name, part in parts.items()}
            if isinstance(st, If):
                parts["body"] = (*self._count("branch", st.span, "yes"), *parts["body"])
                parts["orelse"] = (*self._count("branch", st.span, "no"), *parts["orelse"])
            out.append(changed(st, **parts))
        return tuple(out)

    def _count(self, kind: str, span: Span, label: str = "") -> tuple[St, ...]:
        number = self.number(kind, span, label)
        return (Count(span, number),) if number is not None else ()


def _idle(st: St) -> bool:
    """`draw ... else nothing` is a word to the reader; there is no way on of its own to be counted."""
    return isinstance(st, Draw) and all(isinstance(part, Nothing) for part in st.orelse)


def _listed(gen: Gen) -> tuple[int, ...] | None:
    """Of `x in {red, blue}` the two values."""
    if not applies(gen.domain, "set"):
        return None
    values = tuple(item.value for item in gen.domain.args if isinstance(item, Const))
    return values if len(values) == len(gen.domain.args) else None


def _aside(game: CheckedGame) -> set[str]:
    """Definitions that only invariants and the value of a position use: no rule, so nothing to cover."""
    used: set[str] = set()
    bodies = (*game.phases, *game.rules.values(), *game.triggers.values())
    _calls([(b.where, b.body) for b in bodies], used)
    _calls([(e.when, e.domain, e.body) for e in game.endings.values()], used)
    _calls(game.score.body if game.score is not None else None, used)
    beside: set[str] = set()
    _calls([i.condition for i in game.invariants.values()], beside)
    _calls(game.value.body if game.value is not None else None, beside)
    return beside - used - {"score"}


def _calls(node: Any, found: set[str]) -> None:
    """The definitions that something calls, directly or by others."""
    match node:
        case tuple() | list():
            for item in node:
                _calls(item, found)
        case Ex():
            _calls(tuple(children(node)), found)
            if isinstance(node, CallDefine) and node.define.name not in found:
                found.add(node.define.name)
                _calls(node.define.body, found)
        case St():
            _calls((*children(node), *bodies(node)), found)


def _rolled(st: Roll) -> t.Type:
    domain = st.domain.type
    return domain.of if isinstance(domain, t.SetOf | t.ListOf) else t.UNKNOWN


class Counts:
    """The counters of one engine, in the order of its sites."""

    def __init__(self, sites: Sites) -> None:
        self.sites = sites
        self.hits = [0] * len(sites.sites)
        self.offered: list[Counter[Any]] = [Counter() for _ in sites.askings]
        self.taken: list[Counter[Any]] = [Counter() for _ in sites.askings]

    def hit(self, number: int) -> None:
        """Called inside expressions: gives nothing, so that `hit(7) or value` is the value."""
        self.hits[number] += 1

    def reset(self) -> None:
        """Back to nothing. In place: generated code holds the lists."""
        self.hits[:] = [0] * len(self.hits)
        for counter in (*self.offered, *self.taken):
            counter.clear()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing that happens inside counts: a player who thinks ahead does not play."""
        hits = self.hits.copy()
        offered = [c.copy() for c in self.offered]
        taken = [c.copy() for c in self.taken]
        try:
            yield
        finally:
            self.hits[:] = hits
            for counters, kept in ((self.offered, offered), (self.taken, taken)):
                for counter, old in zip(counters, kept, strict=True):
                    counter.clear()
                    counter.update(old)
