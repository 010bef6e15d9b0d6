"""What variants do to a game, and how things look."""

from __future__ import annotations

from attrs import frozen

from .declarations import Decl, Doc, NoDoc, Overlay, TokenItem, WithDoc
from .expressions import Expr, TypeNode
from .nodes import Node
from .spans import Word
from .statements import Suite


@frozen
class Replace(Overlay):
    """`replace` a declaration"""

    decl: Decl


@frozen
class ReplaceStep(Overlay):
    """`replace step Rounds.act:`"""

    path: Expr
    body: Suite


@frozen
class ReplaceRule(Overlay):
    """`replace rule fly:`, with the parameters of the old one"""

    name: Word
    body: Suite


@frozen
class ReplaceTrigger(Overlay):
    """`replace trigger knight:`, on the same event, for the same player"""

    name: Word
    body: Suite


@frozen
class ReplaceEnding(Overlay):
    """`replace ending rich:`, in the same case"""

    name: Word
    body: Suite


@frozen
class ReplaceTable(Overlay):
    """`replace table toll:` and a bar table, with the parameters of the old one"""

    name: Word
    cite: Word | None
    doc: Doc | None
    rows: tuple[Word, ...]


@frozen
class ReplaceScore(Overlay):
    """`replace score = original - 3 * p.debt`"""

    value: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class ReplaceValue(Overlay):
    """`replace value = original + p.debt`"""

    value: Expr
    cite: Word | None
    doc: NoDoc | WithDoc


@frozen
class Remove(Overlay):
    """`remove trigger t`"""

    word: Word
    path: Expr


@frozen
class RemoveRows(Overlay):
    """`remove rows Tile where colour = red`"""

    word: Word
    path: Expr
    where: Expr
    cite: Word | None


@frozen
class SetOption(Overlay):
    """`set goal = 8`, for an option or a constant"""

    name: Word
    value: Expr
    cite: Word | None


@frozen
class AddKinds(Overlay):
    """`add kinds Effect: blackmail`"""

    name: Word
    values: tuple[Word, ...]
    cite: Word | None


@frozen
class AddRows(Overlay):
    """`add rows Chamber:` and a bar table, for a component or a table"""

    name: Word
    cite: Word | None
    rows: tuple[Word, ...]


@frozen
class AddToken(Overlay):
    """`add token Coin: four 3`"""

    name: Word
    items: tuple[TokenItem, ...]
    cite: Word | None


@frozen
class AddFields(Overlay):
    """`add fields Chamber:` and fields, each with what the old rows have there"""

    name: Word
    cite: Word | None
    fields: tuple[NewField, ...]


@frozen
class NewField(Node):
    """`cursed: yes/no = no`"""

    name: Word
    indices: tuple[TypeNode, ...]
    type: TypeNode
    default: Expr
    cite: Word | None


@frozen
class ChangePlace(Overlay):
    """`change place player.hand: seen by all`: its structure or some of its clauses"""

    path: Expr
    parts: tuple[Node, ...]
    cite: Word | None


@frozen
class ChangeOption(Overlay):
    """`change option goal: 1..200 = 100`"""

    name: Word
    type: TypeNode
    default: Expr | None
    cite: Word | None


@frozen
class ChangeTurns(Overlay):
    """`change turns Play p: then right(p)`: who begins, who is next, who is skipped"""

    name: Word
    player: Word
    start: Expr | None
    then: Expr | None
    where: Expr | None
    cite: Word | None


@frozen
class ChangeDoc(Overlay):
    """`change doc of rule lay_out_level: "Twenty adventurers, face up."`"""

    word: Word
    path: Expr | None
    text: Word


@frozen
class ChangeRows(Overlay):
    """`change rows Tile where colour = red: count = 5`"""

    name: Word
    where: Expr | None
    cells: tuple[CellChange, ...]
    cite: Word | None


@frozen
class ChangeTable(Overlay):
    """`change table toll where left = 3..5: toll = 2`"""

    name: Word
    where: Expr | None
    cells: tuple[CellChange, ...]
    cite: Word | None


@frozen
class ChangeToken(Overlay):
    """`change token Gem: gold = 25`"""

    name: Word
    cells: tuple[CellChange, ...]
    cite: Word | None


@frozen
class CellChange(Node):
    """`count = 5`"""

    name: Word
    value: Expr


@frozen
class BeforeStep(Overlay):
    """`before step Rounds.act:`"""

    path: Expr
    body: Suite


@frozen
class AfterStep(Overlay):
    """`after step Rounds.act:`"""

    path: Expr
    body: Suite


@frozen
class BeforeDecl(Overlay):
    """`before phase Play:` and declarations"""

    word: Word
    path: Expr
    cite: Word | None
    decls: tuple[Decl, ...]


@frozen
class AfterDecl(Overlay):
    """`after ending rich:` and declarations"""

    word: Word
    path: Expr
    cite: Word | None
    decls: tuple[Decl, ...]


@frozen
class Look(Decl):
    """`look Tile: "{colour} {value}", short "{value}", red`, `look player.purse: "gold"`"""

    owner: Word
    member: Word | None
    text: Word
    parts: tuple[Node, ...]
    cite: Word | None


@frozen
class LookHidden(Decl):
    """`look spare: hidden`"""

    owner: Word
    member: Word | None
    cite: Word | None


@frozen
class LookSaying(Decl):
    """`look enter: says "{p} enters {c}"`"""

    owner: Word
    member: Word | None
    says: Word
    cite: Word | None


@frozen
class LookTable(Decl):
    """`look Colour:` and lines"""

    owner: Word
    cite: Word | None
    lines: tuple[LookLine, ...]


@frozen
class LookLine(Node):
    """`red: "ruby red", short "ruby", symbol "R", red`"""

    name: Word
    text: Word
    parts: tuple[Node, ...]


@frozen
class LookShort(Node):
    """`short "ruby"`"""

    text: Word


@frozen
class LookSymbol(Node):
    """`symbol "R"`"""

    text: Word


@frozen
class LookSays(Node):
    """`says "{owner} has met the dragon"`"""

    text: Word


@frozen
class LookColour(Node):
    """`red`"""

    name: Word
