"""Declarations: what a file is made of."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from .expressions import Binder, Expr, TypeNode
from .nodes import Node
from .spans import Word
from .statements import Suite


class Decl(Node):
    """Any declaration."""


@frozen
class Doc(Node):
    """a string under a header"""

    text: Word


@frozen
class NoDoc(Node):
    """nothing"""


@frozen
class WithDoc(Node):
    """an indented string"""

    doc: Doc


@frozen
class Game(Decl):
    """`game "Drakon" for 2 to 6 players:`, `game "Hanabi" for 2 to 5 players together:`"""

    name: Word
    players: CountRange | CountList
    together: AllTogether | None
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class AllTogether(Node):
    """`together`: all win or lose"""


@frozen
class CountRange(Node):
    """`2 to 6`"""

    low: Word
    high: Word


@frozen
class CountList(Node):
    """`4 or 6`"""

    counts: tuple[Word, ...]


@frozen
class Option(Decl):
    """`option goal: 1..60 = 10`"""

    name: Word
    type: TypeNode
    default: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Demand(Decl):
    """`require c because "words"` at top level"""

    condition: Expr
    because: Word | None
    cite: Word | None


@frozen
class Kinds(Decl):
    """`kinds Colour: red, blue`"""

    name: Word
    values: tuple[Word, ...]
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Component(Decl):
    """`component Hero on Chamber count 6`"""

    name: Word
    on: Word | None
    count: Expr | None
    cite: Word | None


@frozen
class ComponentFields(Decl):
    """`component Tile:` and its fields"""

    name: Word
    on: Word | None
    count: Expr | None
    cite: Word | None
    doc: Doc | None
    fields: tuple[Field, ...]


@frozen
class Field(Node):
    """`colour: Colour`"""

    name: Word
    indices: tuple[TypeNode, ...]
    type: TypeNode
    cite: Word | None


@frozen
class Rows(Decl):
    """`rows Tile:` and a bar table"""

    name: Word
    cite: Word | None
    doc: Doc | None
    rows: tuple[Word, ...]


@frozen
class Token(Decl):
    """`token Gem: silver 35, gold 20`"""

    name: Word
    items: tuple[TokenItem, ...]
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class TokenItem(Node):
    """`silver 35`"""

    name: Word
    amount: Expr


@frozen
class Piece(Decl):
    """`piece drakon on Chamber`"""

    name: Word
    on: Word
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Table(Decl):
    """`table toll(left: 0..25) -> 0..3:` and a bar table"""

    name: Word
    params: tuple[Param, ...]
    type: TypeNode
    cite: Word | None
    doc: Doc | None
    rows: tuple[Word, ...]


@frozen
class Place(Decl):
    """`place pile: deck of Chamber, seen by nobody`, `place player.purse: ...` in an overlay"""

    name: Word
    member: Word | None
    indices: tuple[TypeNode, ...]
    shape: Shape
    of: Word
    clauses: tuple[Node, ...]
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class ShapePlain(Node):
    """`bag`, `row`, `stack`: a word alone"""

    word: Word


@frozen
class ShapeGrid(Node):
    """`grid 3 by 3`, or `grid` that grows"""

    word: ClassVar[str] = "grid"
    width: Expr | None
    height: Expr | None


@frozen
class ShapeRing(Node):
    """`ring 9`"""

    word: ClassVar[str] = "ring"
    size: Expr | None


Shape = ShapePlain | ShapeGrid | ShapeRing


@frozen
class SeenBy(Node):
    """`seen by all`"""

    who: Audience


@frozen
class SizeSeenBy(Node):
    """`size seen by all`"""

    who: Audience


@frozen
class TopSeenBy(Node):
    """`top seen by all`"""

    who: Audience


@frozen
class AtMost(Node):
    """`at most 5 rest to reserve`"""

    limit: Expr
    rest: Expr | None


@frozen
class PerGroup(Node):
    """`per team`"""

    name: Word


class Audience(Node):
    """Who sees something."""


@frozen
class AudienceNobody(Audience):
    """`nobody`"""


@frozen
class AudienceOwner(Audience):
    """`owner`"""


@frozen
class AudienceOf(Audience):
    """`all`, `me`, any players"""

    who: Expr


@frozen
class EachHas(Decl):
    """`each player has:`"""

    owner: Word
    cite: Word | None
    doc: Doc | None
    members: tuple[Decl, ...]


@frozen
class EachHasOne(Decl):
    """`each Dragon has: place ...` on one line"""

    owner: Word
    members: tuple[Decl, ...]


@frozen
class Partition(Decl):
    """`partition team of players by seat mod 2`"""

    name: Word
    by: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class State(Decl):
    """`state acted[Hero]: yes/no = no, seen by owner until turn ends`"""

    name: Word
    member: Word | None
    indices: tuple[TypeNode, ...]
    type: TypeNode
    initial: Expr
    seen: Audience | None
    until: UntilEnds | UntilMoved | UntilNext | None
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class UntilEnds(Node):
    """`turn ends`"""

    scope: Word


@frozen
class UntilMoved(Node):
    """`moved`"""


@frozen
class UntilNext(Node):
    """`next turn`, `next Deals`"""

    scope: Word


@frozen
class Record(Decl):
    """`record Plan at most 12:` and its fields"""

    name: Word
    limit: Expr
    cite: Word | None
    doc: Doc | None
    fields: tuple[Field, ...]


@frozen
class Define(Decl):
    """`define gold(p: player) -> number = e`, or a body behind `:`"""

    name: Word
    params: tuple[Param, ...] | None
    type: TypeNode | None
    value: Expr | Suite
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Score(Decl):
    """`score(p: player) = e`"""

    player: Word
    value: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Value(Decl):
    """`value(p: player) = e`"""

    player: Word
    value: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Param(Node):
    """`p: player`"""

    name: Word
    type: TypeNode


@frozen
class Rule(Decl):
    """`rule fly(n: 1..2) -> Tile:`"""

    name: Word
    params: tuple[Param, ...] | None
    type: TypeNode | None
    body: Suite


@frozen
class Action(Decl):
    """`action build in deed:`"""

    name: Word
    params: tuple[Param, ...] | None
    menu: Word | None
    body: Suite


@frozen
class Limit(Decl):
    """`limit must_coup(at: player) in deed except coup:`"""

    name: Word
    params: tuple[Param, ...] | None
    menu: Word
    but: tuple[Word, ...] | None
    body: Suite


@frozen
class Trigger(Decl):
    """`trigger t after act(h, c) for h.owner where e:`"""

    name: Word
    timing: TimingBefore | TimingInstead | TimingAfter
    events: tuple[EventNamed | EventEntering | EventLeaving, ...]
    player: Expr | None
    where: Expr | None
    body: Suite


@frozen
class Order(Decl):
    """`order tax, interest`: triggers of one event, first to last"""

    names: tuple[Word, ...]
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class TimingBefore(Node):
    """`before`"""


@frozen
class TimingInstead(Node):
    """`instead of`"""


@frozen
class TimingAfter(Node):
    """`after`"""


@frozen
class EventNamed(Node):
    """`act(h, c)`"""

    what: Expr


@frozen
class EventEntering(Node):
    """`entering player.purse`"""

    place: Expr


@frozen
class EventLeaving(Node):
    """`leaving player.purse`"""

    place: Expr


@frozen
class Phase(Decl):
    """`phase Tribute:`"""

    name: Word
    body: Suite


@frozen
class Setup(Decl):
    """`setup:`"""

    body: Suite


@frozen
class Ending(Decl):
    """`ending rich for p in players before turn when c: finish {p}`, `ending dark after 3 turns when c: ...`"""

    name: Word
    binder: Binder | None
    before: Word | None
    when: Expr
    body: Suite
    after: Expr | None = None


@frozen
class Always(Decl):
    """`always coins: c`"""

    name: Word
    condition: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Never(Decl):
    """`never facing: c`"""

    name: Word
    condition: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Variant(Decl):
    """`variant "Heroes!" of drakon for 4 or 6 players excludes "Escape":`"""

    name: Word
    base: Word
    players: CountRange | CountList | None
    clauses: tuple[Excludes | Needs | ComesAfter, ...]
    cite: Word | None
    doc: Doc | None
    items: tuple[Decl | Overlay, ...]


@frozen
class Excludes(Node):
    """`excludes "Escape" because "nobody meets there"`"""

    names: tuple[Word, ...]
    because: Word | None


@frozen
class Needs(Node):
    """`needs "Heroes!"`"""

    names: tuple[Word, ...]


@frozen
class ComesAfter(Node):
    """`after "Heroes!"`"""

    names: tuple[Word, ...]


class Overlay(Node):
    """What a variant does to its base, other than adding a declaration."""


@frozen
class File(Node):
    """a whole file"""

    decls: tuple[Decl, ...]
