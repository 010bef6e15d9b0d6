"""Statements and the suites they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from .expressions import Binder, Expr, NamedArg, SetBinder, VectorBinder
from .nodes import Node
from .spans import Word

if TYPE_CHECKING:
    from .declarations import Audience, Doc


class Stmt(Node):
    """Any statement."""


class Suite(Node):
    """What follows a `:`."""


@frozen
class Block(Suite):
    """an indented block"""

    cite: Word | None
    doc: Doc | None
    body: tuple[Stmt, ...]


@frozen
class Line(Suite):
    """`: statement` on the same line"""

    body: Stmt
    cite: Word | None


@frozen
class Nested(Suite):
    """`: for ...` on the same line"""

    body: Stmt


@frozen
class SimpleLine(Stmt):
    """a simple statement and its citation"""

    body: Stmt
    cite: Word | None


@frozen
class IfElse(Stmt):
    """`if c:` `else if let x = e:` `else:`"""

    when: Expr | IfLet
    then: Suite
    otherwise: Suite | IfElse | None


@frozen
class IfLet(Node):
    """`let x = e` as the condition of an `if`: if there is one"""

    name: Word
    value: Expr


@frozen
class Turns(Stmt):
    """`turns Play p from starter then left(p) where c:`, `turns p in order once:`"""

    label: Word | None
    player: Word
    order: Expr | None
    start: Expr | None
    then: Expr | None
    where: Expr | None
    once: Once | None
    body: Suite


@frozen
class Once(Node):
    """`once`: each has one turn"""


@frozen
class Rounds(Stmt):
    """`rounds Talk p in order, clock 60 tick 5:` ... `else:`"""

    label: Word | None
    player: Word
    order: Expr
    where: Expr | None
    clock: Expr | None
    tick: Expr | None
    body: Suite
    otherwise: Suite | None


@frozen
class Together(Stmt):
    """`together p in players:`"""

    player: Word
    who: Expr
    where: Expr | None
    body: Suite


@frozen
class ForLoop(Stmt):
    """`for x in s where c as p:`"""

    label: Word | None
    binders: tuple[Binder | VectorBinder, ...]
    where: Expr | None
    as_player: Expr | None
    body: Suite


@frozen
class Repeat(Stmt):
    """`repeat name up to n:`, `repeat name:`"""

    label: Word | None
    limit: Expr | None
    body: Suite


@frozen
class AsPlayer(Stmt):
    """`as p:`"""

    player: Expr
    body: Suite


@frozen
class ShowTo(Stmt):
    """`show p.hand to q secretly:`"""

    place: Expr
    to: Audience
    secretly: Secretly | None
    body: Suite


@frozen
class Atomic(Stmt):
    """`atomic:`"""

    body: Suite


@frozen
class Step(Stmt):
    """`step give:`"""

    name: Word
    body: Suite


@frozen
class ChooseBlock(Stmt):
    """`choose x in s:` with clauses below"""

    prompt: Word | None
    binders: tuple[Binder | VectorBinder | SetBinder, ...]
    cite: Word | None
    clauses: tuple[WhereLine | DistinctLine | AlikeLine, ...]
    otherwise: Stmt | None


@frozen
class WhereLine(Node):
    """`where c because "words"`"""

    condition: Expr
    because: Word | None


@frozen
class DistinctLine(Node):
    """`distinct by e, f`"""

    by: tuple[Expr, ...]


@frozen
class AlikeLine(Node):
    """`alike s`"""

    name: Word


@frozen
class Choose(Stmt):
    """`choose x in s where c because "words" else return`"""

    prompt: Word | None
    binders: tuple[Binder | VectorBinder | SetBinder, ...]
    where: tuple[WherePart, ...]
    otherwise: Stmt | None


@frozen
class WherePart(Node):
    """`where c because "words"`"""

    condition: Expr
    because: Word | None


@frozen
class OfferCases(Stmt):
    """`offer:` with cases"""

    prompt: Word | None
    cite: Word | None
    cases: tuple[Case, ...]
    otherwise: Suite | None


@frozen
class Case(Node):
    """`"words":`"""

    words: Word
    body: Suite


@frozen
class MayBlock(Stmt):
    """`may deed:` or `may "words" always:`, `else:`"""

    what: Word | Expr
    asking: Asking | None
    body: Suite
    otherwise: Suite | None


@frozen
class Next(Stmt):
    """`next p`"""

    player: Expr


@frozen
class MayChooseBlock(Stmt):
    """`may choose x in s where c:`, `else:`"""

    prompt: Word | None
    binders: tuple[Binder | VectorBinder | SetBinder, ...]
    where: tuple[WherePart, ...]
    asking: Asking | None
    body: Suite
    otherwise: Suite | None


@frozen
class MayChoose(Stmt):
    """`may choose x in s where c else return`"""

    prompt: Word | None
    binders: tuple[Binder | VectorBinder | SetBinder, ...]
    where: tuple[WherePart, ...]
    asking: Asking | None
    otherwise: Stmt | None


@frozen
class Let(Stmt):
    """`let x = e else s`"""

    name: Word
    value: Expr
    otherwise: Stmt | None


@frozen
class LetDrawn(Stmt):
    """`let x = draw 1 from a to b else s`"""

    name: Word
    draw: Draw | DrawUpTo


@frozen
class Set(Stmt):
    """`set x = e`"""

    target: Expr
    value: Expr


@frozen
class Change(Stmt):
    """`change x by e`"""

    target: Expr
    by: Expr


@frozen
class MoveAmount(Stmt):
    """`move n of k from a to b`"""

    amount: Expr
    kind: Expr | None
    source: Expr
    dest: Dest


@frozen
class MoveUpTo(Stmt):
    """`move up to n of k from a to b`"""

    amount: Expr
    kind: Expr
    source: Expr
    dest: Dest


@frozen
class MoveThing(Stmt):
    """`move c to p at s turned r`"""

    thing: Expr
    dest: Dest


@frozen
class Dest(Node):
    """`bottom of p`, `p at s turned r`"""

    end: EndTop | EndBottom | None
    place: Expr
    at: Expr | None
    turned: Expr | None


@frozen
class EndTop(Node):
    """`top of`"""


@frozen
class EndBottom(Node):
    """`bottom of`"""


@frozen
class Draw(Stmt):
    """`draw n at random from a to b else s`"""

    amount: Expr
    at_random: AtRandom | None
    source: Expr
    dest: Dest
    otherwise: Stmt | None


@frozen
class DrawUpTo(Stmt):
    """`draw up to n at random from a to b`"""

    amount: Expr
    at_random: AtRandom | None
    source: Expr
    dest: Dest


@frozen
class AtRandom(Node):
    """`at random`"""


@frozen
class Shuffle(Stmt):
    """`shuffle a into b`"""

    place: Expr
    into: Expr | None


@frozen
class Roll(Stmt):
    """`roll n in s by weight seen by p`"""

    name: Word
    outcomes: Expr
    weight: Expr | None
    to: Audience | None


@frozen
class Swap(Stmt):
    """`swap a with b`"""

    left: Expr
    right: Expr


@frozen
class Show(Stmt):
    """`show p.hand to q secretly`"""

    place: Expr
    to: Audience
    secretly: Secretly | None


@frozen
class Secretly(Node):
    """`secretly`"""


@frozen
class Reveal(Stmt):
    """`reveal p to all secretly`"""

    place: Expr
    to: Audience
    secretly: Secretly | None


@frozen
class Peek(Stmt):
    """`peek n of deck to me secretly`"""

    amount: Expr
    place: Expr
    to: Audience
    secretly: Secretly | None


@frozen
class Pick(Stmt):
    """`pick 1..2 from a to b`"""

    amount: Expr
    source: Expr
    dest: Expr


@frozen
class Offer(Stmt):
    """`offer menu else s`"""

    menu: Expr
    otherwise: Stmt | None


@frozen
class May(Stmt):
    """`may act() when able else s`"""

    what: Expr
    asking: Asking | None
    otherwise: Stmt | None


@frozen
class Window(Stmt):
    """`window menu(x) from p always`"""

    menu: Expr
    start: Expr | None
    asking: Asking | None


@frozen
class Asking(Node):
    """Whether somebody is asked who can do nothing."""


@frozen
class AskAlways(Asking):
    """`always`"""


@frozen
class AskWhenAble(Asking):
    """`when able`: as if nothing were said, and others may draw their conclusions"""


@frozen
class Stop(Stmt):
    """`stop Descent`"""

    label: Word


@frozen
class Skip(Stmt):
    """`skip`"""


@frozen
class Return(Stmt):
    """`return e`"""

    value: Expr | None


@frozen
class Cancel(Stmt):
    """`cancel`"""


@frozen
class Expire(Stmt):
    """`expire Talk`"""

    label: Word


@frozen
class Finish(Stmt):
    """`finish winners because "words"`"""

    winners: Expr
    because: Word | None


@frozen
class Nothing(Stmt):
    """`nothing`"""


@frozen
class Require(Stmt):
    """`require c because "words"`"""

    condition: Expr
    because: Word | None


@frozen
class NoteRow(Stmt):
    """`note Plan(gets: n)`"""

    record: Word
    args: tuple[Expr | NamedArg, ...]


@frozen
class Call(Stmt):
    """`rule_name(a, b)`"""

    what: Expr
