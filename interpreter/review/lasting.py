"""A place that is revealed stays open: a trap where things enter it later (D0413).

`reveal p.hand to all` at the end of a round opens the place itself, for good, so
that the hands of all later rounds lie open, too. For each `reveal` of a place, the
places that may be entered behind it are gathered: by what follows in the same body,
by another pass of a loop around it, by what follows where the rule was called from,
and by later phases. A `for` over the owners of the place is no such loop: it comes
to each of them once.
"""

from __future__ import annotations

from attrs import field, frozen

from ...grammar import Report
from ..core import (
    CallRule,
    CheckedGame,
    Finish,
    For,
    May,
    Offer,
    PlaceDecl,
    PlaceRef,
    PlacesOf,
    Repeat,
    Reveal,
    Rounds,
    RuleDecl,
    SeenByAll,
    St,
    Turns,
    free_vars,
    own_bodies,
)
from ..core.facts import declarations, ends_up, transfers
from .trees import name_of, own_expressions, procedures, statements

Places = frozenset[PlaceDecl]
NONE: Places = frozenset()


@frozen
class _Around:
    """What is entered by another pass of a loop, and the names that are others then."""

    entered: Places
    names: frozenset[str] = field(factory=frozenset)


class _Lasting:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.entered: dict[int, Places] = {}
        self.later: dict[int, Places] = {}
        self.found: dict[int, tuple[St, PlaceDecl]] = {}

    def run(self) -> list[tuple[St, PlaceDecl]]:
        everything = list(procedures(self.game))
        before = None
        while before != (self.entered, self.later):
            before = (dict(self.entered), dict(self.later))
            for rule in everything:
                self.entered[id(rule)] = self._of_body(rule.body)
            for number, phase in enumerate(self.game.phases):
                rest = (self.entered[id(other)] for other in self.game.phases[number + 1 :])
                self.later[id(phase)] = NONE.union(*rest)
            played = NONE.union(*(self.entered[id(p)] for p in self.game.phases if p.name != "setup"))
            for rule in everything:
                if rule.kind == "trigger":
                    self._after_trigger(rule, played)
                self._walk(rule.body, self.later.get(id(rule), NONE), ())
        return list(self.found.values())

    def _after_trigger(self, trigger: RuleDecl, played: Places) -> None:
        for kind, name in trigger.events:
            rule = self.game.rules.get(name) if kind == "rule" else None
            after = played if rule is None else self.later.get(id(rule), NONE) | self.entered[id(rule)]
            self.later[id(trigger)] = self.later.get(id(trigger), NONE) | after

    # ------------------------------------------------------------ what is entered
    def _of_body(self, body: tuple[St, ...]) -> Places:
        return NONE.union(*(self._of_statement(st) for st in statements(body)))

    def _of_statement(self, st: St) -> Places:
        ends = (place for transfer in transfers(st) for place in ends_up(transfer.target))
        out: Places = frozenset(decl for place in ends for decl in declarations(place, self.game))
        return out.union(*(self.entered.get(id(rule), NONE) for rule in self._called(st)))

    def _called(self, st: St) -> list[RuleDecl]:
        names: list[str] = [st.rule] if isinstance(st, CallRule) else []
        if isinstance(st, Offer | May):
            names += self.game.menus.get(st.offering.menu or "", [])
            names += [case.action for case in st.offering.cases if case.action is not None]
        rules = [self.game.rules[name] for name in names if name in self.game.rules]
        hooked = [
            trigger
            for rule in rules
            for trigger in self.game.triggers.values()
            if ("rule", rule.name) in trigger.events or ("menu", rule.menu) in trigger.events
        ]
        return rules + hooked

    # ------------------------------------------------------------ what comes later
    def _walk(self, body: tuple[St, ...], later: Places, loops: tuple[_Around, ...]) -> None:
        for number, st in enumerate(body):
            rest = body[number + 1 :]
            end = next((n for n, s in enumerate(rest) if isinstance(s, Finish)), None)
            behind = self._of_body(rest[:end]) | (later if end is None else NONE)
            around = loops if end is None else ()
            if isinstance(st, Reveal):
                self._revealed(st, behind, around)
            for rule in self._called(st):
                known = self.later.get(id(rule), NONE)
                self.later[id(rule)] = known | self._again(st, behind, around)
            inner = around
            if isinstance(st, For | Repeat | Turns | Rounds):
                names = frozenset(gen.var.uid for gen in st.gens) if isinstance(st, For) else frozenset[str]()
                inner = (*around, _Around(self._of_body(st.body), names))
            own = own_bodies(st)
            for body in own[:1]:
                self._walk(body, behind, inner)
            for body in own[1:]:
                self._walk(body, behind, around)
            if isinstance(st, Offer | May):
                for case in st.offering.cases:
                    self._walk(
                        case.body, behind | (self._of_body(st.body) if isinstance(st, May) else NONE), around
                    )

    def _again(self, st: St, behind: Places, around: tuple[_Around, ...]) -> Places:
        read = {uid for ex in own_expressions(st) for uid in free_vars(ex)}
        return behind.union(*(loop.entered for loop in around if not loop.names & read))

    def _revealed(self, st: Reveal, behind: Places, around: tuple[_Around, ...]) -> None:
        if not isinstance(st.place, PlaceRef | PlacesOf):
            return
        decl = st.place.place
        if not isinstance(decl.seen, SeenByAll) and decl in self._again(st, behind, around):
            self.found[id(st)] = (st, decl)


def lasting_reveals(game: CheckedGame, report: Report) -> None:
    """Reports a `reveal` of a place that things enter later."""
    for st, decl in _Lasting(game).run():
        report.add(
            "D0413",
            f"`{name_of(decl)}` stays open from here on, also for what enters it later",
            st.span,
            help="`show ... to all` shows only what is there now; if it is to stay open, "
            "say so: `# allow D0413: why`",
            related=[(decl.span, f"`{name_of(decl)}` is seen by {decl.seen.word}")],
            severity="warning",
        )
