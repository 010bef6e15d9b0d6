"""What every part of the walk through the rules needs: ways out, where ways meet, what players
learn, and the complaints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import Factory, define, frozen

from ...grammar import Span
from ..core import CheckedGame, Draw, Ex, InRange, Local, Roll, RuleDecl, St, applies
from ..core.facts import state_name
from ..core.privacy import Privacy
from .people import Viewers
from .secrets import Reader, state_word
from .sights import NOTHING, Grant, Label, Secret, Sight, evolve, knowing
from .trees import head_of, name_of, short_text
from .writing import Writing

BEFORE = " before "
SHOWN = (
    "write `secretly` behind it if only those who look should notice, or `revealed(...)` if the rules tell it"
)
ALWAYS = "write `always` behind it to ask in any case, or `when able` if they may know"


@frozen
class Exit:
    """A way out of a body that was taken inside: the secrets that it depended on, and what was
    known there."""

    label: Label
    sight: Sight


Exits = dict[str, Exit]
Walked = tuple[Sight, Exits]
_PARTS = ("some", "array_at", "as_set", "snapshot", "items")
"""Operators that give their operand, or a part of it."""


@frozen
class Summary:
    """What a walk through a procedure has shown, for one way of calling it."""

    told: bool
    grants: frozenset[Grant]
    result: Label
    stops: tuple[tuple[str, Label], ...]
    cancels: Label | None
    params: tuple[Label, ...]


@define
class Finding:
    code: str
    message: str
    span: Span
    related: list[tuple[Span, str]]
    help: str
    reveals: Span | None = None
    """What could be written `revealed(...)`, if the rules tell it."""
    effects: list[Span] = Factory(list)
    """What follows from the same secret, all of it: a note names the first few."""


class Walk:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.reader = Reader(game)
        self.people = self.reader.people
        self.writing = Writing(game)
        self.privacy = Privacy(game)
        self.summaries: dict[Any, Summary] = {}
        self.done: set[Any] = set()
        self.open: set[Any] = set()
        self.circular = False
        """Has a rule been met inside itself, so that it was not yet known what it does?"""
        self.found: dict[tuple[str, str, int, str], Finding] = {}
        self.result: Label = NOTHING
        self.hooked: dict[tuple[str, str | None, str], list[RuleDecl]] = {}
        """The triggers on an event, and when they run."""
        for trigger in game.triggers.values():
            for kind, name in dict.fromkeys(trigger.events):
                self.hooked.setdefault((kind, name, trigger.timing), []).append(trigger)
        self.crossing = [
            trigger
            for trigger in game.triggers.values()
            if any(kind in ("entering", "leaving") for kind, _ in trigger.events)
        ]

    def statement(self, st: St, s: Sight) -> Walked:
        raise NotImplementedError

    def body(self, body: Iterable[St], s: Sight) -> Walked:
        exits: Exits = {}
        for st in body:
            s, out = self.statement(st, s)
            exits = merged(exits, out)
            for way in out.values():
                s = evolve(s, pc=s.pc | way.label)
        return s, exits

    def branch(self, body: tuple[St, ...], s: Sight) -> Walked:
        return self.body(body, evolve(s, told=False))

    def join(self, before: Sight, *after: Sight) -> Sight:
        """The sight where several ways come together."""
        known = after[0]
        for other in after[1:]:
            known = known.meet(other)
        told = all(a.told for a in after)
        return evolve(
            before,
            vars={uid: known.vars.get(uid, binding) for uid, binding in before.vars.items()},
            grants=known.grants,
            apart=known.apart,
            pc=NOTHING if told else before.pc,
            told=before.told or told,
        )

    def learn(self, ex: Any, viewers: Viewers, s: Sight) -> Sight:
        """Some players have seen the value of a local name."""
        name = root(ex)
        if name is None or name not in s.vars:
            return s
        names = {
            uid: evolve(binding, label=knowing(binding.label, viewers, self.people))
            if name in (uid, binding.of)
            else binding
            for uid, binding in s.vars.items()
        }
        return evolve(s, vars=names)

    def changed(self, names: Iterable[str], s: Sight, span: Span) -> Sight:
        """What is known when something may have changed: what was read of it belongs to the past,
        nobody knows what lies on top of a deck, and who was meant by a state has a word of their own."""
        names = frozenset(names)
        if not names:
            return s

        def gone(secret: Secret) -> bool:
            return secret.what != "roll" and written(secret.decl, names)

        def past(secret: Secret) -> Secret:
            return evolve(secret, viewers=s.knowers(secret), past=True) if gone(secret) else secret

        s = evolve(s, pc=frozenset(map(past, s.pc))).relabelled(lambda secret: (past(secret),))
        s = evolve(s, grants=frozenset(g for g in s.grants if not (g.top and written(g.decl, names))))
        for name in names:
            decl = self.game.states.get(name)
            if decl is None or decl.owner:
                continue
            spoken_of = [*s.live(), *(who for grant in s.grants for who in grant.names())]
            if any(who.base == state_word(decl) for who in spoken_of):
                s, who = s.fresh(f"{state_word(decl)}{BEFORE}{span.start}")
                s = s.renamed(state_word(decl), who.base)
        return s

    # ------------------------------------------------------------ complaints
    def decides(self, st: St, s: Sight, options: Label) -> None:
        """A decision of `me`: its options, and that it exists, must follow from what `me` sees."""
        for label, what in ((options, "what can be chosen"), (s.pc, "whether this is asked")):
            for secret in label:
                if not s.sees(secret):
                    self.complain(st, secret, what)
        self.tells(st, s, s.pc, "ask in any case, or write `revealed(...)` if the rules tell it")

    def complain(self, st: St, secret: Secret, what: str) -> None:
        text = called(secret)
        size = "the size of " if secret.what == "size" and "=" not in text else ""
        which = (
            f"which was {'rolled' if isinstance(secret.decl, Roll) else 'drawn'} in secret"
            if secret.what == "roll"
            else "which the player who decides cannot see"
        )
        message = f"{what} depends on {size}`{text}`, {which}"
        self.add(
            Finding(
                "D0401",
                message,
                secret.span,
                [*_hidden(secret), (head_of(st.span), "the decision")],
                "test it behind the choice, `show` or `reveal` it first, or write `revealed(...)` if the rules tell it",
                _value_of(secret),
            )
        )

    def tells(self, st: St, s: Sight, label: Label, help: str = ALWAYS, what: str = "being asked") -> None:
        """A question that is asked only if something is possible tells the others that it is."""
        if s.sealed:
            return
        for secret in _in_order(label):
            if (s.me is None or s.sees(secret)) and not s.public(secret):
                self.add(
                    Finding(
                        "D0407",
                        f"{what} tells the others something about `{called(secret)}`",
                        head_of(st.span),
                        [(secret.span, "read here"), *_hidden(secret)],
                        help,
                        _value_of(secret) if help != ALWAYS else None,
                    )
                )
                return

    def noticed(self, st: St, s: Sight, label: Label, viewers: Viewers) -> bool:
        """Some, or all, notice that something is shown: what it depends on must be known, now, to them."""
        all_ = self.people.everybody(viewers)
        for secret in _in_order(label):
            if not s.open_to(secret, viewers):
                self.add(
                    Finding(
                        "D0412",
                        f"{'all' if all_ else 'others'} notice that this is shown, which tells something "
                        f"about `{called(secret)}`",
                        head_of(st.span),
                        [(secret.span, "read here"), *_hidden(secret)],
                        SHOWN,
                        _value_of(secret),
                    )
                )
                return True
        return False

    def in_sight(self, st: St, s: Sight, viewers: Viewers) -> None:
        """Something happens before the eyes of these players because of something hidden."""
        for secret in _in_order(s.pc):
            if not s.sealed and not s.open_to(secret, viewers):
                finding = self.add(
                    Finding(
                        "D0414",
                        f"what can be seen here tells something about `{called(secret)}`",
                        secret.span,
                        _hidden(secret),
                        "if the rules want it so, say it: `revealed(...)`, or `# allow D0414: why`",
                        _value_of(secret),
                    )
                )
                if (effect := head_of(st.span)) not in finding.effects:
                    finding.effects.append(effect)

    def add(self, finding: Finding) -> Finding:
        """A finding, or the one like it that is there already."""
        key = (finding.code, finding.span.source.name, finding.span.start, finding.message)
        return self.found.setdefault(key, finding)


def _value_of(secret: Secret) -> Span | None:
    """Where it is read as a value by itself, which can be `revealed`; a place is none."""
    return secret.span if secret.what == "state" else None


def merged(*ways: Exits) -> Exits:
    out: Exits = {}
    for exits in ways:
        for way, exit in exits.items():
            known = out.get(way)
            out[way] = exit if known is None else Exit(known.label | exit.label, known.sight.meet(exit.sight))
    return out


def written(decl: Any, names: frozenset[str]) -> bool:
    """Is a state, or what lies in a place, among what was changed?"""
    name = state_name(decl)
    return name in names or f"in {name}" in names


def label_of(exits: Exits, *ways: str) -> Label:
    return NOTHING.union(*(exits[way].label for way in ways if way in exits))


def called(secret: Secret) -> str:
    """What is hidden, as it is written: what was rolled or drawn goes by its name."""
    if isinstance(secret.decl, Roll | Draw) and secret.decl.var is not None:
        return secret.decl.var.name
    return short_text(secret.span)


def _in_order(label: Label) -> list[Secret]:
    return sorted(label, key=lambda x: (x.span.source.name, x.span.start))


def root(arg: Any) -> str | None:
    """The local name whose value an expression is, or is a part of."""
    while isinstance(arg, InRange) or applies(arg, *_PARTS):
        arg = arg.of if isinstance(arg, InRange) else arg.args[0]
    return str(arg.var.uid) if isinstance(arg, Ex) and isinstance(arg, Local) else None


def _hidden(secret: Secret) -> list[tuple[Span, str]]:
    decl = secret.decl
    match secret.what:
        case "roll":
            return []
        case "size":
            return [(decl.span, f"the size of `{name_of(decl)}` is seen by {decl.size_seen.word}")]
        case "top" | "bottom" if decl.form.hidden:
            return [
                (
                    decl.span,
                    f"not everybody knows what lies on {'top of' if secret.what == 'top' else 'the bottom of'} `{name_of(decl)}`",
                )
            ]
        case "whereabouts":
            return [(decl.span, f"it may lie in `{name_of(decl)}`, which is seen by {decl.seen.word}")]
    return [(decl.span, f"`{name_of(decl)}` is seen by {decl.seen.word}")]
