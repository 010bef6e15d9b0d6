"""Expressions of the checked game: one class a form, its comment the concrete syntax.

`Expr` is the union of them. What works on the values of its operands alone, all
of them worked out first, is no class of its own but an `Apply` of an operator
(operators.py): `+`, `union`, `row_of`, `seat` and some eighty more. A class is
what needs more than that: it binds names, leaves an operand out, or refers to a
declaration.

Nodes never change, and two are equal when they mean the same: where they stand
(`span`) and what is known about the value there (`type`, which conditions
narrow) are left out. The hash is worked out once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeGuard, cast

from attrs import field, frozen

from ...grammar import Span
from . import value_types as t
from .node import Node

if TYPE_CHECKING:
    from .declarations import CompDecl, DefineDecl, PartitionDecl, PlaceDecl, RecordDecl, StateDecl, TableDecl


class Ex(Node):
    """A pure expression."""

    __slots__ = ("_hash",)
    type: t.Type  # of the value here: narrowing changes the type of one and the same value
    span: Span

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        cls = self.__class__
        if cls is not other.__class__:
            return False
        return all(getattr(self, name) == getattr(other, name) for name in cls.__own__)

    def __hash__(self) -> int:
        try:
            return self._hash  # type: ignore[attr-defined,no-any-return]
        except AttributeError:
            cls = self.__class__
            made = hash((cls.__name__, *(getattr(self, name) for name in cls.__own__)))
            object.__setattr__(self, "_hash", made)
            return made

    @property
    def place_type(self) -> t.Place:
        """The type of an expression that is known to be a place."""
        assert isinstance(self.type, t.Place)
        return self.type

    @property
    def component_type(self) -> t.Comp:
        """The type of an expression that is known to be a component."""
        assert isinstance(self.type, t.Comp)
        return self.type


@frozen
class Var:
    """A local name; `uid` tells two with the same name apart."""

    name: str
    uid: str
    type: t.Type = field(eq=False)


@frozen
class Gen:
    """One generator of a comprehension or choice: a variable, what it runs over, and the
    conditions that can be tested as soon as it is bound."""

    var: Var
    domain: Ex
    where: tuple[Ex, ...] = ()
    cells: tuple[tuple[Var, Ex], ...] = ()  # of a vector: its index variables and their domains


@frozen
class Comp:
    """What a reduction carries, without type and span."""

    kind: str
    gens: tuple[Gen, ...]
    value: Ex
    by: tuple[Ex, ...] = ()
    while_: Ex | None = None


# ---------------------------------------------------------------- values and names
class Const(Ex):
    """`3`, `red`, `yes`, `none`: a value, as the state writes it."""

    value: int


class Local(Ex):
    """`x`: a parameter, or a name that `let`, `for`, `choose` or a comprehension gives."""

    var: Var


class Me(Ex):
    """`me`, `my`: who decides."""


class Option(Ex):
    """`rounds`: an option of the game."""

    name: str


class Universe(Ex):
    """`Colour`, `spaces(board)`: all values of a type."""

    of: t.Type


class Apply(Ex):
    """`a + b`, `left(p)`, `count(hand)`: an operator and its operands."""

    op: str
    args: tuple[Ex, ...] = ()


def as_expression(ex: Ex) -> Expr:
    """Every expression is one of the union; this tells the type checker."""
    return cast("Expr", ex)


def applies(ex: object, *ops: str) -> TypeGuard[Apply]:
    """Is it the application of one of these operators?"""
    return isinstance(ex, Apply) and ex.op in ops


# ---------------------------------------------------------------- what leaves an operand out
class And(Ex):
    """`a and b`."""

    left: Ex
    right: Ex


class Or(Ex):
    """`a or b`."""

    left: Ex
    right: Ex


class Conditional(Ex):
    """`a if c else b`."""

    condition: Ex
    then: Ex
    otherwise: Ex


# ---------------------------------------------------------------- what binds names
class Reduction(Ex):
    """`sum(c.worth for c in hand where c.colour = red)`, by kind: `count` `sum` `max` `min` `any`
    `every` `none` `most` `least` `the` `sort` `first` `last` `set` `spread`.

    The last, written spread(t from s to u for u in around(t)), runs over what it finds as well: its first
    generator is t, over the set that it begins with."""

    kind: str
    gens: tuple[Gen, ...]
    value: Ex
    by: tuple[Ex, ...] = ()
    while_: Ex | None = None


# ---------------------------------------------------------------- what refers to a declaration
class CallDefine(Ex):
    """`worth(c)`: a definition."""

    define: DefineDecl
    args: tuple[Ex, ...] = ()


class Lookup(Ex):
    """`price(n, colour)`: a table."""

    table: TableDecl
    args: tuple[Ex, ...] = ()


class Can(Ex):
    """`can buy(c)`: is an action possible?"""

    action: str
    args: tuple[Ex, ...] = ()


class CanMenu(Ex):
    """`can Turn`: is any action of a menu possible?"""

    menu: str
    args: tuple[Ex, ...] = ()


class PartitionOf(Ex):
    """`p.team`: the players who belong together with one."""

    partition: PartitionDecl
    player: Ex


class PlaceRef(Ex):
    """`pile`, `p.hand`, `board[k]`: a place; its owner, if any, is the first index."""

    place: PlaceDecl
    indices: tuple[Ex, ...] = ()


class PlacesOf(Ex):
    """`players.hand`: one place of each of some players."""

    place: PlaceDecl
    players: Ex


class StateRef(Ex):
    """`round`, `p.score`, `bid[k]`: a state; its owner, if any, is the first index."""

    state: StateDecl
    indices: tuple[Ex, ...] = ()


class RecordField(Ex):
    """`r.amount`: a field of a row that was noted; the row is the first index."""

    record: RecordDecl
    name: str
    indices: tuple[Ex, ...] = ()


class Rows(Ex):
    """`Bid`: the rows of a record."""

    record: RecordDecl


class Field(Ex):
    """`c.worth`: what is printed on a component."""

    of: Ex
    component: CompDecl
    name: str


class Attribute(Ex):
    """`c.space`, `c.turned`, `c.owner`, `c.on`: where a component is; `place` is said by lowering."""

    of: Ex
    component: CompDecl
    name: Literal["space", "turned", "owner", "on", "place"]


class OwnedPiece(Ex):
    """`p.pawn`: the one piece of a player."""

    piece: CompDecl
    player: Ex


class TotalTokens(Ex):
    """`total(Gem)`, `total(Gem, red)`: how many there are in the game."""

    token: str
    kind: Ex | None


class TotalComponents(Ex):
    """`total(Card)`: how many there are in the game."""

    component: str


class SpaceAt(Ex):
    """`space_at(board, x, y)`: the space with these numbers."""

    x: Ex
    y: Ex
    space: t.Space


class Coordinate(Ex):
    """`s.x`, `s.y`: the number of the column, of the row."""

    of: Ex
    axis: Literal["x", "y"]
    space: t.Space


class Near(Ex):
    """`near(s, n)`: the spaces so many steps away at most."""

    of: Ex
    reach: Ex
    space: t.Space


class InRange(Ex):
    """A number that must lie within a range, which is tested at play; not written."""

    of: Ex
    low: int
    high: int


# ---------------------------------------------------------------- made by lowering
class PlaceIs(Ex):
    """Is it this place, whichever of its kind?"""

    of: Ex
    place: PlaceDecl


class VectorCells(Ex):
    """The cells of a vector that are to be filled."""

    gen: Gen
    alike: tuple[str, ...]


class VectorStart(Ex):
    """The cells filled so far: none."""

    gen: Gen


class VectorValue(Ex):
    """The vector, from its cells and what they were filled with."""

    gen: Gen
    cells: Ex
    filled: Ex


Expr = (
    Const
    | Local
    | Me
    | Option
    | Universe
    | Apply
    | And
    | Or
    | Conditional
    | Reduction
    | CallDefine
    | Lookup
    | Can
    | CanMenu
    | PartitionOf
    | PlaceRef
    | PlacesOf
    | StateRef
    | RecordField
    | Rows
    | Field
    | Attribute
    | OwnedPiece
    | TotalTokens
    | TotalComponents
    | SpaceAt
    | Coordinate
    | Near
    | InRange
    | PlaceIs
    | VectorCells
    | VectorStart
    | VectorValue
)
