"""What only the rule program has: statements that lowering makes. `Instruction` is their union."""

from __future__ import annotations

from attrs import frozen

from .expressions import Ex, Var
from .statements import Audience, St


@frozen(eq=False)
class InPhase(St):
    """The body of a phase, behind which what lasts `until` it ends is put back."""

    phase: str
    body: tuple[St, ...] = ()


@frozen(eq=False)
class DrawOne(St):
    """What chance has chosen goes to its place."""

    what: Ex
    source: Ex
    place: Ex
    at: Ex | None = None
    end: str = ""


@frozen(eq=False)
class PeekOne(St):
    """What chance has chosen becomes the next known card of a deck."""

    what: Ex
    place: Ex


@frozen(eq=False)
class PeekShow(St):
    """The known top of a deck is told to its audience."""

    place: Ex
    amount: Ex
    audience: Audience


@frozen(eq=False)
class ShowOn(St):
    """A place is opened; `saved` keeps who could see it before."""

    place: Ex
    audience: Audience
    saved: Var


@frozen(eq=False)
class ShowOff(St):
    """It is closed again."""

    place: Ex
    saved: Var


@frozen(eq=False)
class AtomicOn(St):
    """From here on no ending is tested."""


@frozen(eq=False)
class AtomicOff(St):
    """Endings are tested again, and now."""


@frozen(eq=False)
class ActionOn(St):
    """An action of a menu begins."""


@frozen(eq=False)
class ActionOff(St):
    """It is over; behind the outermost, what lasts `until action ends` is put back."""


@frozen(eq=False)
class Seal(St):
    """What is decided from here on is told to nobody else."""


@frozen(eq=False)
class Unseal(St):
    """All of it is told."""


@frozen(eq=False)
class BeginTurn(St):
    """A turn begins: who is active, and the number of the turn."""

    player: Ex


@frozen(eq=False)
class EndTurn(St):
    """The turns are over: who was active before them is so again."""

    before: Ex


@frozen(eq=False)
class TestBeforeTurn(St):
    """The endings that are tested before a turn."""


@frozen(eq=False)
class Reset(St):
    """What lasts `until` one of these ends is put back."""

    names: tuple[str, ...]


@frozen(eq=False)
class ResetOne(St):
    """What a component has `until moved` is put back."""

    thing: Ex
    state: str


@frozen(eq=False)
class ClearRecords(St):
    """The rows of records are gone."""

    records: tuple[str, ...]


@frozen(eq=False)
class LogClock(St):
    """A pass against a clock: how much of the time is gone."""

    ticks: Ex
    name: str | None


@frozen(eq=False)
class LogExpired(St):
    """The time is over."""

    name: str | None


@frozen(eq=False)
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
    | TestBeforeTurn
    | Reset
    | ResetOne
    | ClearRecords
    | LogClock
    | LogExpired
    | Count
)
