"""What every part of the walk through the rules needs: ways out, where ways meet, what players
learn, and the complaints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, evolve, frozen

from ...grammar import Span
from ..core import CheckedGame, Ex, St
from ..waiting import Waiting
from .secrets import NOTHING, Grant, Label, Reader, Secret, Sight, knowing
from .trees import audience_words, head_of, name_of, short_text

Exits = dict[str, Label]
"""Ways out of a body that were taken inside, each with the secrets that it depended on."""
Walked = tuple[Sight, Exits]
_PARTS = ("some", "in_range", "array_at", "as_set", "snapshot", "items")
"""Operations that give their operand, or a part of it."""


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


class Walk:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.reader = Reader(game)
        self.waiting = Waiting(game, {})  # only asked which choices are announced
        self.summaries: dict[Any, Summary] = {}
        self.done: set[Any] = set()
        self.open: set[Any] = set()
        self.found: dict[tuple[str, str, int, str], Finding] = {}
        self.result: Label = NOTHING
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
            for way, label in out.items():
                exits[way] = exits.get(way, NOTHING) | label
                s = evolve(s, pc=s.pc | label)
        return s, exits

    def branch(self, body: tuple[St, ...], s: Sight) -> Walked:
        return self.body(body, evolve(s, told=False))

    def join(self, before: Sight, *after: Sight) -> Sight:
        """The sight where several ways come together."""
        names = {
            uid: evolve(binding, label=NOTHING.union(*(a.vars[uid].label for a in after if uid in a.vars)))
            for uid, binding in before.vars.items()
        }
        grants = after[0].grants
        for other in after[1:]:
            grants &= other.grants
        told = all(a.told for a in after)
        return evolve(
            before,
            vars=names,
            grants=grants,
            pc=NOTHING if told else before.pc,
            told=before.told or told,
        )

    def learn(self, ex: Any, viewers: frozenset[str], s: Sight) -> Sight:
        """Some players have seen the value of a local name."""
        name = root(ex)
        if name is None or name not in s.vars:
            return s
        names = {
            uid: evolve(binding, label=knowing(binding.label, viewers))
            if name in (uid, binding.of)
            else binding
            for uid, binding in s.vars.items()
        }
        return evolve(s, vars=names)

    # ------------------------------------------------------------ complaints
    def decides(self, st: St, s: Sight, options: Label) -> None:
        """A decision of `me`: its options, and that it exists, must follow from what `me` sees."""
        for label, what in ((options, "what can be chosen"), (s.pc, "whether this is asked")):
            for secret in label:
                if not s.sees(secret):
                    self.complain(st, secret, what)

    def complain(self, st: St, secret: Secret, what: str) -> None:
        text = secret.decl.data[0].name if secret.what == "roll" else short_text(secret.span)
        size = "the size of " if secret.what == "size" and "=" not in text else ""
        which = (
            "which was rolled in secret"
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
            )
        )

    def tells(self, st: St, s: Sight, label: Label) -> None:
        """A question that is asked only if something is possible tells the others that it is."""
        if s.sealed:
            return
        for secret in sorted(label, key=lambda x: (x.span.source.name, x.span.start)):
            if s.sees(secret) and not s.public(secret):
                self.add(
                    Finding(
                        "D0407",
                        f"being asked tells the others something about `{short_text(secret.span)}`",
                        head_of(st.span),
                        [(secret.span, "read here"), *_hidden(secret)],
                        "write `always` behind it to ask in any case, or `when able` if they may know",
                    )
                )
                return

    def add(self, finding: Finding) -> None:
        key = (finding.code, finding.span.source.name, finding.span.start, finding.message)
        self.found.setdefault(key, finding)


def merged(*ways: Exits) -> Exits:
    out: Exits = {}
    for exits in ways:
        for way, label in exits.items():
            out[way] = out.get(way, NOTHING) | label
    return out


def root(arg: Any) -> str | None:
    """The local name whose value an expression is, or is a part of."""
    while isinstance(arg, Ex) and arg.op in _PARTS:
        arg = arg.args[0]
    return str(arg.data.uid) if isinstance(arg, Ex) and arg.op == "local" else None


def _hidden(secret: Secret) -> list[tuple[Span, str]]:
    decl = secret.decl
    match secret.what:
        case "roll":
            return []
        case "size":
            return [(decl.span, f"the size of `{name_of(decl)}` is seen by {audience_words(decl.size_seen)}")]
        case "top" if decl.shape == "deck":
            return [(decl.span, f"not everybody knows what lies on top of `{name_of(decl)}`")]
        case "whereabouts":
            return [
                (decl.span, f"it may lie in `{name_of(decl)}`, which is seen by {audience_words(decl.seen)}")
            ]
    return [(decl.span, f"`{name_of(decl)}` is seen by {audience_words(decl.seen)}")]
