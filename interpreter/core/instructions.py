"""What only the rule program has: statements that lowering makes. `Instruction` is their union."""

from __future__ import annotations

from typing import cast

from .audiences import Audience
from .expressions import Ex, Var
from .statements import St, Stmt


class InPhase(St):
    """The body of a phase, behind which what lasts `until` it ends is put back."""

    phase: str
    body: tuple[St, ...] = ()


class DrawOne(St):
    """What chance has chosen goes to its place."""

    what: Ex
    source: Ex
    place: Ex
    at: Ex | None = None
    end: str = ""


class PeekOne(St):
    """What chance has chosen becomes the next known card of a deck."""

    what: Ex
    place: Ex


class PeekShow(St):
    """The known top of a deck is told to its audience."""

    place: Ex
    amount: Ex
    audience: Audience
    secretly: bool = False


class ShowOn(St):
    """A place is opened; `saved` keeps who could see it before."""

    place: Ex
    audience: Audience
    saved: Var
    secretly: bool = False


class ShowOff(St):
    """It is closed again."""

    saved: Var


class AtomicOn(St):
    """From here on no ending is tested."""


class AtomicOff(St):
    """Endings are tested again, and now."""


class ActionOn(St):
    """An action of a menu begins."""


class ActionOff(St):
    """It is over; behind the outermost, what lasts `until action ends` is put back."""


class Seal(St):
    """What is decided from here on is told to nobody else."""


class Unseal(St):
    """All of it is told."""


class BeginTurn(St):
    """A turn begins: who is active, and the number of the turn. `how` is "count and tell", or, where a
    trigger may take its place, "count", then "tell" or "drop"."""

    player: Ex
    how: str


class EndTurn(St):
    """The turns are over: who was active before them is so again."""

    before: Ex


class TestBefore(St):
    """The endings that are tested before a `turn`, before a `round`, or at `rest`."""

    what: str


class Reset(St):
    """What lasts `until` one of these ends is put back."""

    names: tuple[str, ...]


class ResetOne(St):
    """What a component has `until moved` is put back."""

    thing: Ex
    state: str


class ClearRecords(St):
    """The rows of records are gone."""

    records: tuple[str, ...]


class LogClock(St):
    """A pass against a clock: how much of the time is gone."""

    ticks: Ex
    name: str | None


class LogExpired(St):
    """The time is over."""

    name: str | None


class Count(St):
    """A covered engine counts that it came here."""

    number: int


Instruction = (
    InPhase
    | DrawOne
    | PeekOne
    | PeekShow
    | ShowOn
    | ShowOff
    | AtomicOn
    | AtomicOff
    | ActionOn
    | ActionOff
    | Seal
    | Unseal
    | BeginTurn
    | EndTurn
    | TestBefore
    | Reset
    | ResetOne
    | ClearRecords
    | LogClock
    | LogExpired
    | Count
)


def as_statement(st: St) -> Stmt | Instruction:
    """Every statement is one of these; this tells the type checker."""
    return cast("Stmt | Instruction", st)
