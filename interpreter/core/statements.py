"""Statements of the checked game: one class a form, its comment the concrete syntax.

`Stmt` is the union of them. What only the rule program has is in
instructions.py. Nodes never change; each is itself and equal to no other, since
two lines that read the same are still two lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from attrs import define, frozen

from ...grammar import Span
from . import value_types as t
from .audiences import Audience
from .expressions import Ex, Gen, Var
from .node import Node

if TYPE_CHECKING:
    from .declarations import RecordDecl


class St(Node):
    """A statement with effects."""

    span: Span


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
    decline: bool = False  # `may choose`: of the first binder nothing at all can be taken, too
    always: bool = False  # that is asked even where there is nothing to choose
    able: bool = False  # it is said that not being asked may tell the others something


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
class Let(St):
    """`let x = 3`."""

    var: Var
    value: Ex


class Set(St):
    """`set round = 2`, `change p.score by 3`."""

    target: Ex
    value: Ex


class Note(St):
    """`note Bid(who: me, amount: 3)`, also as `let row = note ...`."""

    record: RecordDecl
    fields: tuple[tuple[str, Ex], ...]
    var: Var | None = None


class Nothing(St):
    """`nothing`."""


# ---------------------------------------------------------------- moves
class Move(St):
    """`move c to board at s turned r`: one component; `end` is "top", "bottom" or ""."""

    thing: Ex
    place: Ex
    at: Ex | None = None
    turned: Ex | None = None
    end: str = ""


class MoveSet(St):
    """`move cards to pile`: some components."""

    things: Ex
    place: Ex
    end: str = ""


class MoveAll(St):
    """`move all from a to b`."""

    source: Ex
    place: Ex
    end: str = ""


class MoveTokens(St):
    """`move 2 of gold from a to b at s`."""

    amount: Ex
    kind: Ex
    source: Ex
    place: Ex
    at: Ex | None = None


class MoveCell(St):
    """`move s to r`: the token on a space of a grid, to another or to a place."""

    source: Ex
    space: Ex
    place: Ex
    at: Ex | None = None


class MoveOn(St):
    """`move pawn to tile`: what stands on something."""

    thing: Ex
    target: Ex


class Swap(St):
    """`swap a with b`: two places, two components or two states."""

    left: Ex
    right: Ex


class Shuffle(St):
    """`shuffle discards into deck`."""

    place: Ex
    into: Ex


# ---------------------------------------------------------------- what waits
class Choose(St):
    """`choose c in hand where ...: ... else ...`, `may choose c in hand: ... else: ...`."""

    choice: Choice
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()


class Pick(St):
    """`pick 1..3 from a to b`."""

    low: Ex
    high: Ex
    source: Ex
    place: Ex


class Offer(St):
    """`offer Turn else ...`, `offer: "words": ...`."""

    offering: Offering
    orelse: tuple[St, ...] = ()


class May(St):
    """`may buy(c)`, `may "words": ...`, `may Turn: ... else: ...`."""

    offering: Offering
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()


class Draw(St):
    """`draw 2 at random from bag to hand at s else ...`; `let x = draw 1 from deck to hand` has a `var`."""

    amount: Ex
    source: Ex
    place: Ex
    at: Ex | None = None
    random: bool = False
    end: str = ""
    orelse: tuple[St, ...] = ()
    var: Var | None = None


class Roll(St):
    """`roll d in 1..6 by weight(d) seen by me`."""

    var: Var
    domain: Ex
    weight: Ex | None
    audience: Audience


class Peek(St):
    """`peek 3 of deck to me`."""

    amount: Ex
    place: Ex
    audience: Audience
    secretly: bool = False


class Turns(St):
    """`turns Name p from first then next where ...: ...`, `turns p in order once: ...`."""

    label: str | None
    var: Var
    start: Ex | None
    where: Ex | None
    body: tuple[St, ...] = ()
    order: Ex | None = None
    once: bool = False
    then: Ex | None = None


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


class Together(St):
    """`together p in players: ...`."""

    gen: Gen
    body: tuple[St, ...] = ()


# ---------------------------------------------------------------- seeing
class Show(St):
    """`show hand to left(me): ...`; `secretly`: only the audience notices."""

    place: Ex
    audience: Audience
    body: tuple[St, ...] = ()
    secretly: bool = False


class Reveal(St):
    """`reveal hand to all`."""

    place: Ex
    audience: Audience
    secretly: bool = False


# ---------------------------------------------------------------- control
class If(St):
    """`if c: ... else: ...`."""

    condition: Ex
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()


class For(St):
    """`for x in s, y in t where ... as p: ...`."""

    gens: tuple[Gen, ...]
    body: tuple[St, ...] = ()
    label: str | None = None
    who: Ex | None = None


class Repeat(St):
    """`repeat name up to 5: ...`, `repeat name: ...` without a limit."""

    limit: Ex | None
    body: tuple[St, ...] = ()
    label: str | None = None


class As(St):
    """`as p: ...`."""

    who: Ex
    body: tuple[St, ...] = ()


class Atomic(St):
    """`atomic: ...`."""

    body: tuple[St, ...] = ()


class CallRule(St):
    """`deal(3)`, `let x = deal(3)`."""

    rule: str
    args: tuple[Ex, ...] = ()
    type: t.Type | None = None
    var: Var | None = None


class Require(St):
    """`require c because "words"`."""

    condition: Ex
    because: str | None = None


# ---------------------------------------------------------------- jumps
class Return(St):
    """`return`, `return x`."""

    value: Ex | None = None


class Stop(St):
    """`stop name`: a loop or phase, `local` when it is in the same body."""

    label: str
    local: bool


class Skip(St):
    """`skip`: on with the next pass."""


class Cancel(St):
    """`cancel`: in a trigger `before` something."""


class Expire(St):
    """`expire name`: the time of a `rounds` is over."""

    label: str


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


def as_checked(st: St) -> Stmt:
    """Every statement of the checked game is one of the union; this tells the type checker."""
    return cast("Stmt", st)
