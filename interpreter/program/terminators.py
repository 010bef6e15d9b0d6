"""How a block of the rule program ends: one class a way, `Terminator` their union.

What a block asks, of a player or of chance, ends it: the answer comes back to
another block of the same procedure, which begins with it in a variable
(`answered`). Blocks are named by their numbers.
"""

from __future__ import annotations

from typing import Literal, assert_never

from attrs import define

from ...grammar import Span
from ..core import Audience, Case, Ex, Gen, Guard, Local, Node, St, Var, as_binders
from ..core import value_types as t

# ---------------------------------------------------------------- what decisions are made of
NO_MORE = "no more"
"""What it is called that the members of a set are complete."""


@define(eq=False)
class DecisionPoint:
    """What is fixed about a decision: who wrote it, what it asks, how its options read."""

    id: int
    kind: Literal["choose", "offer", "vector"]
    name: str
    type: t.Type | None  # of the value; an offer has none
    prompt: str | None
    rule: str
    span: Span
    group: int
    first: bool = True
    last: bool = True
    private: bool = False
    cases: tuple[tuple[str, str], ...] = ()
    sealed: bool = False
    quiet: bool = False  # declining is nobody's business
    none: str = ""  # what choosing none is called, where that can be chosen
    unnamed: bool = False  # who is asked is nobody else's business: only those are who can do something


@define(eq=False)
class Binding:
    """One binder of a choice as the back end needs it: what it runs over, what must hold,
    and the binders still to come, which must be completable. In a header they are followed by the
    lines behind the choice (`behind`), as binders too."""

    gen: Gen
    rest: tuple[Gen, ...]
    distinct: tuple[Ex, ...] = ()
    alike: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    behind: tuple[St, ...] = ()

    @property
    def own_rest(self) -> tuple[Gen, ...]:
        """The binders of the same choice that are still to come."""
        return self.rest[: len(self.rest) - len(as_binders(self.behind))]


# ---------------------------------------------------------------- the ways
class End(Node):
    """How a block ends; `me` is the variable that holds who decides, if anybody."""

    word = ""  # in print, and in what tells two programs apart
    span: Span
    me: Var | None


class Jump(End):
    """Go on in another block."""

    word = "jump"
    target: int


class Branch(End):
    """Go on by a condition."""

    word = "branch"
    condition: Ex
    then: int
    otherwise: int


class Switch(End):
    """Go on by a number: with the block of that place, or behind the last with another."""

    word = "switch"
    which: Ex
    cases: tuple[int, ...]
    otherwise: int


class Call(End):
    """Push a frame; what the procedure returns is in `binds` when it is back."""

    word = "call"
    proc: str
    args: tuple[Ex, ...]
    binds: Var | None
    after: int


class Back(End):
    """Pop the frame: the procedure is over."""

    word = "return"
    value: Ex | None


class AskValue(End):
    """Ask for the value of a binder of `choose`; `orelse` is where to go when there is none. With `decline`
    none is one more, which is asked for even alone when `always`."""

    word = "choose"
    point: DecisionPoint
    binding: Binding
    binds: Var
    after: int
    orelse: int | None
    decline: bool = False
    always: bool = False


class AskCell(End):
    """Ask for the next cell of a vector: `cells` are those to fill, `filled` their values so far; behind
    the last on with `after`. The whole of it begins at `start`."""

    word = "vector"
    point: DecisionPoint
    binding: Binding
    cells: Local
    filled: Local
    binds: Var
    chosen: int
    after: int
    orelse: int | None
    start: int


class AskCase(End):
    """Ask for a case of an offer, by its number. With `decline`, "no" is one more, which is asked for even
    alone when `always`. Without it there must be something to offer, unless the offer `has_else`."""

    word = "offer"
    point: DecisionPoint
    cases: tuple[Case, ...]
    decline: bool
    always: bool
    has_else: bool
    binds: Var
    chosen: int
    otherwise: int


class ChanceDraw(End):
    """Chance draws from a place: what is on top, any of it at random, or, to `peek`, the first that is not
    known yet."""

    word = "draw"
    source: Ex
    how: Literal["top", "random", "peek"]
    binds: Var
    after: int


class ChanceRoll(End):
    """Chance picks an element of a domain, by weight or evenly."""

    word = "roll"
    domain: Ex
    weight: Ex | None
    audience: Audience
    binds: Var
    after: int


class Unwind(End):
    """Leave frames until one has a scope of this name open."""

    word = "stop"
    label: str


class Finished(End):
    """`finish` has been said."""

    word = "end"


Terminator = (
    Jump
    | Branch
    | Switch
    | Call
    | Back
    | AskValue
    | AskCell
    | AskCase
    | ChanceDraw
    | ChanceRoll
    | Unwind
    | Finished
)
Asking = AskValue | AskCell | AskCase


# ---------------------------------------------------------------- facts
def targets(term: Terminator) -> tuple[int, ...]:
    """The blocks of the same procedure that may follow."""
    match term:
        case Jump():
            return (term.target,)
        case Branch():
            return (term.then, term.otherwise)
        case Switch():
            return (*term.cases, term.otherwise)
        case AskValue():
            return (term.after,) if term.orelse is None else (term.after, term.orelse)
        case AskCell():
            both = (term.chosen, term.after)
            return both if term.orelse is None else (*both, term.orelse)
        case AskCase():
            return (term.chosen, term.otherwise)
        case Call() | ChanceDraw() | ChanceRoll():
            return (term.after,)
        case Back() | Unwind() | Finished():
            return ()
        case _:
            assert_never(term)


def answered(term: Terminator) -> tuple[int, Var] | None:
    """The block that goes on with a value from outside, and the variable that it has it in."""
    match term:
        case AskCell() | AskCase():
            return term.chosen, term.binds
        case AskValue() | ChanceDraw() | ChanceRoll():
            return term.after, term.binds
        case Call():
            return None if term.binds is None else (term.after, term.binds)
        case Jump() | Branch() | Switch() | Back() | Unwind() | Finished():
            return None
        case _:
            assert_never(term)
