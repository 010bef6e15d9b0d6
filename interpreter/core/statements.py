"""Statements of the checked game: one class a form, its comment the concrete syntax.

`Stmt` is the union of them. What only the rule program has is in
instructions.py. Nodes never change; each is itself and equal to no other, since
two lines that read the same are still two lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from ...grammar import Span
from .. import types as t
from .expressions import ByOperation, Ex, Gen, Var

if TYPE_CHECKING:
    from .declarations import RecordDecl

Audience = Any  # "all", "nobody", "owner" or an expression of players


@frozen(eq=False, init=False)
class St(metaclass=ByOperation):
    """A statement with effects."""

    span: Span = field(repr=False)

    if TYPE_CHECKING:  # the view by names of operations: by_name.py

        def __init__(
            self,
            op: str,
            span: Span,
            args: tuple[Any, ...] = (),
            body: tuple[St, ...] = (),
            orelse: tuple[St, ...] = (),
            data: Any = None,
        ) -> None: ...

        @property
        def op(self) -> str: ...

        @property
        def args(self) -> tuple[Any, ...]: ...

        @property
        def body(self) -> tuple[St, ...]: ...

        @property
        def orelse(self) -> tuple[St, ...]: ...

        @property
        def data(self) -> Any: ...


# ---------------------------------------------------------------- what statements are made of
@frozen
class Guard:
    """A condition of a choice with the words that explain it."""

    condition: Ex
    because: str | None
    span: Span


@define(eq=False)
class Choice:
    """What a `choose` asks: its binders in order, its conditions, its group."""

    prompt: str | None
    gens: tuple[Gen, ...]
    guards: tuple[Guard, ...]
    distinct: tuple[Ex, ...] = ()
    alike: tuple[str, ...] = ()
    pick: bool = False


@define(eq=False)
class Case:
    """One option of an offer: an action of a menu, or words with a body."""

    key: str
    label: str
    span: Span
    action: str | None = None
    args: tuple[Ex, ...] = ()
    body: tuple[St, ...] = ()


@define(eq=False)
class Offering:
    prompt: str | None
    cases: list[Case]
    menu: str | None = None
    menu_args: tuple[Ex, ...] = ()
    decline: bool = False
    always: bool = False
    able: bool = False  # it is said that not being asked may tell the others something
    window: bool = False  # asked of one player after the other


# ---------------------------------------------------------------- values
@frozen(eq=False)
class Let(St):
    """`let x = 3`."""

    var: Var
    value: Ex


@frozen(eq=False)
class Set(St):
    """`set round = 2`, `change p.score by 3`."""

    target: Ex
    value: Ex


@frozen(eq=False)
class Note(St):
    """`note Bid(who: me, amount: 3)`, also as `let row = note ...`."""

    record: RecordDecl
    fields: tuple[tuple[str, Ex], ...]
    var: Var | None = None


@frozen(eq=False)
class Nothing(St):
    """`nothing`."""


# ---------------------------------------------------------------- moves
@frozen(eq=False)
class Move(St):
    """`move c to board at s turned r`: one component; `end` is "top", "bottom" or ""."""

    thing: Ex
    place: Ex
    at: Ex | None = None
    turned: Ex | None = None
    end: str = ""


@frozen(eq=False)
class MoveSet(St):
    """`move cards to pile`: some components."""

    things: Ex
    place: Ex
    end: str = ""


@frozen(eq=False)
class MoveAll(St):
    """`move all from a to b`."""

    source: Ex
    place: Ex
    end: str = ""


@frozen(eq=False)
class MoveTokens(St):
    """`move 2 of gold from a to b at s`."""

    amount: Ex
    kind: Ex
    source: Ex
    place: Ex
    at: Ex | None = None


@frozen(eq=False)
class MoveCell(St):
    """`move s to r`: the token on a space of a grid, to another or to a place."""

    source: Ex
    space: Ex
    place: Ex
    at: Ex | None = None


@frozen(eq=False)
class MoveOn(St):
    """`move pawn to tile`: what stands on something."""

    thing: Ex
    target: Ex


@frozen(eq=False)
class Swap(St):
    """`swap a with b`: two places, two components or two states."""

    left: Ex
    right: Ex


@frozen(eq=False)
class Shuffle(St):
    """`shuffle discards into deck`."""

    place: Ex
    into: Ex


# ---------------------------------------------------------------- what waits
@frozen(eq=False)
class Choose(St):
    """`choose c in hand where ...: ... else ...`."""

    choice: Choice
    orelse: tuple[St, ...] = ()


@frozen(eq=False)
class Pick(St):
    """`pick 1..3 from a to b`."""

    low: Ex
    high: Ex
    source: Ex
    place: Ex


@frozen(eq=False)
class Offer(St):
    """`offer Turn else ...`, `offer: "words": ...`."""

    offering: Offering
    orelse: tuple[St, ...] = ()


@frozen(eq=False)
class May(St):
    """`may buy(c)`, `may "words": ...`, `may Turn: ... else: ...`."""

    offering: Offering
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()


@frozen(eq=False)
class Draw(St):
    """`draw 2 at random from bag to hand at s else ...`."""

    amount: Ex
    source: Ex
    place: Ex
    at: Ex | None = None
    random: bool = False
    end: str = ""
    orelse: tuple[St, ...] = ()


@frozen(eq=False)
class Roll(St):
    """`roll d in 1..6 by weight(d) seen by me`."""

    var: Var
    domain: Ex
    weight: Ex | None
    audience: Audience


@frozen(eq=False)
class Peek(St):
    """`peek 3 of deck to me`."""

    amount: Ex
    place: Ex
    audience: Audience


@frozen(eq=False)
class Turns(St):
    """`turns Name p from first where ...: ...`."""

    label: str | None
    var: Var
    start: Ex | None
    where: Ex | None
    body: tuple[St, ...] = ()


@frozen(eq=False)
class Rounds(St):
    """`rounds Name p in order where ..., clock n tick m: ... else: ...`."""

    label: str | None
    var: Var
    order: Ex
    where: Ex | None
    clock: Ex | None
    tick: Ex | None
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()


@frozen(eq=False)
class Together(St):
    """`together p in players: ...`."""

    gen: Gen
    body: tuple[St, ...] = ()


# ---------------------------------------------------------------- seeing
@frozen(eq=False)
class Show(St):
    """`show hand to left(me): ...`."""

    place: Ex
    audience: Audience
    body: tuple[St, ...] = ()


@frozen(eq=False)
class Reveal(St):
    """`reveal hand to all`."""

    place: Ex
    audience: Audience


# ---------------------------------------------------------------- control
@frozen(eq=False)
class If(St):
    """`if c: ... else: ...`."""

    condition: Ex
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()


@frozen(eq=False)
class For(St):
    """`for x in s, y in t where ... as p: ...`."""

    gens: tuple[Gen, ...]
    body: tuple[St, ...] = ()
    label: str | None = None
    who: Ex | None = None


@frozen(eq=False)
class Repeat(St):
    """`repeat name up to 5: ...`."""

    limit: Ex
    body: tuple[St, ...] = ()
    label: str | None = None


@frozen(eq=False)
class As(St):
    """`as p: ...`."""

    who: Ex
    body: tuple[St, ...] = ()


@frozen(eq=False)
class Atomic(St):
    """`atomic: ...`."""

    body: tuple[St, ...] = ()


@frozen(eq=False)
class CallRule(St):
    """`deal(3)`, `let x = deal(3)`."""

    rule: str
    args: tuple[Ex, ...] = ()
    type: t.Type | None = None
    var: Var | None = None


@frozen(eq=False)
class Require(St):
    """`require c because "words"`."""

    condition: Ex
    because: str | None = None


# ---------------------------------------------------------------- jumps
@frozen(eq=False)
class Return(St):
    """`return`, `return x`."""

    value: Ex | None = None


@frozen(eq=False)
class Stop(St):
    """`stop name`: a loop or phase, `local` when it is in the same body."""

    label: str
    local: bool


@frozen(eq=False)
class Skip(St):
    """`skip`: on with the next pass."""


@frozen(eq=False)
class Cancel(St):
    """`cancel`: in a trigger `before` something."""


@frozen(eq=False)
class Expire(St):
    """`expire name`: the time of a `rounds` is over."""

    label: str


@frozen(eq=False)
class Finish(St):
    """`finish winners because "words"`."""

    winners: Ex
    because: str | None = None


Stmt = (
    Let
    | Set
    | Note
    | Nothing
    | Move
    | MoveSet
    | MoveAll
    | MoveTokens
    | MoveCell
    | MoveOn
    | Swap
    | Shuffle
    | Choose
    | Pick
    | Offer
    | May
    | Draw
    | Roll
    | Peek
    | Turns
    | Rounds
    | Together
    | Show
    | Reveal
    | If
    | For
    | Repeat
    | As
    | Atomic
    | CallRule
    | Require
    | Return
    | Stop
    | Skip
    | Cancel
    | Expire
    | Finish
)
