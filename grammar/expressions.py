"""Expressions and written types."""

from __future__ import annotations

from attrs import frozen

from .nodes import Node
from .spans import Word


# ---------------------------------------------------------------- expressions
class Expr(Node):
    """Any expression."""


@frozen
class Name(Expr):
    """`gold`"""

    text: Word


@frozen
class TypeName(Expr):
    """`Colour`, `N`"""

    text: Word


@frozen
class Number(Expr):
    """`10`"""

    text: Word


@frozen
class NegativeNumber(Expr):
    """`-1` as the bound of a range"""

    text: Word


@frozen
class Everything(Expr):
    """`all`"""


@frozen
class Group(Expr):
    """`( e )`"""

    inner: Expr


@frozen
class SetOf(Expr):
    """`{ a, b }`"""

    items: tuple[Expr, ...] | None


@frozen
class SetComp(Expr):
    """`{ e for x in s where c }`"""

    comprehension: Comprehension


@frozen
class Attribute(Expr):
    """`p.hand`"""

    of: Expr
    name: Word


@frozen
class Index(Expr):
    """`board[s]`, `n[p, k]`"""

    of: Expr
    at: tuple[Expr, ...]


@frozen
class Invoke(Expr):
    """`f(a, b)`, `count(x for x in s)`"""

    of: Expr
    args: tuple[Expr | NamedArg, ...] | Comprehension | Spreading | None


@frozen
class NamedArg(Node):
    """`gets: n`"""

    name: Word
    value: Expr


@frozen
class Can(Expr):
    """`can move_hero`"""

    of: Expr


@frozen
class Note(Expr):
    """`note Plan(gets: n)`"""

    record: Word
    args: tuple[Expr | NamedArg, ...]


@frozen
class Negative(Expr):
    """`-e`"""

    of: Expr


@frozen
class Times(Expr):
    """`a * b`"""

    left: Expr
    right: Expr


@frozen
class Divide(Expr):
    """`a / b`"""

    left: Expr
    right: Expr


@frozen
class Modulo(Expr):
    """`a mod b`"""

    left: Expr
    right: Expr


@frozen
class Plus(Expr):
    """`a + b`"""

    left: Expr
    right: Expr


@frozen
class Minus(Expr):
    """`a - b`"""

    left: Expr
    right: Expr


@frozen
class RangeExpr(Expr):
    """`a .. b`"""

    left: Expr
    right: Expr


@frozen
class Equals(Expr):
    """`a = b`"""

    left: Expr
    right: Expr


@frozen
class IsIn(Expr):
    """`a in b`"""

    left: Expr
    right: Expr


@frozen
class IsNotIn(Expr):
    """`a not in b`"""

    left: Expr
    right: Expr


@frozen
class AndExpr(Expr):
    """`a and b`"""

    left: Expr
    right: Expr


@frozen
class OrExpr(Expr):
    """`a or b`"""

    left: Expr
    right: Expr


@frozen
class Compare(Expr):
    """`a < b`, `a != b`"""

    left: Expr
    op: Word
    right: Expr


@frozen
class NotExpr(Expr):
    """`not a`"""

    of: Expr


@frozen
class IfExpr(Expr):
    """`a if c else b`"""

    then: Expr
    when: Expr
    otherwise: Expr


@frozen
class Comprehension(Node):
    """`e by k for x in s where c while d`"""

    value: Expr
    by: tuple[Expr, ...] | None
    binders: tuple[Binder | VectorBinder, ...]
    where: Expr | None
    while_: Expr | None


@frozen
class Spreading(Node):
    """`t from s to u for u in around(t) where c`"""

    name: Word
    start: Expr
    to: Expr
    binders: tuple[Binder | VectorBinder, ...]
    where: Expr | None


@frozen
class Binder(Node):
    """`x in s`"""

    name: Word
    domain: Expr


@frozen
class VectorBinder(Node):
    """`n[k in Gem] in 0..3`"""

    name: Word
    cells: tuple[Binder, ...]
    domain: Expr


@frozen
class AmountRange(Node):
    """`1..2`, `0..all`"""

    low: Expr
    high: Expr


@frozen
class SetBinder(Node):
    """`1..2 lost in my.hand`: several at once, which a set is made of"""

    amount: Expr | AmountRange
    name: Word
    domain: Expr


# ---------------------------------------------------------------- types
class TypeNode(Node):
    """Any written type."""


@frozen
class PlainType(TypeNode):
    """a type"""

    base: TypeNode


@frozen
class OptionalType(TypeNode):
    """`T or none`"""

    base: TypeNode


@frozen
class NamedType(TypeNode):
    """`player`, `Colour`"""

    name: Word


@frozen
class YesNoType(TypeNode):
    """`yes/no`"""

    text: Word


@frozen
class RangeType(TypeNode):
    """`0..10`"""

    low: Expr
    high: Expr


@frozen
class SetType(TypeNode):
    """`set of T`"""

    of: TypeNode


@frozen
class ListType(TypeNode):
    """`list of T`"""

    of: TypeNode


@frozen
class SpaceType(TypeNode):
    """`space`, `space of board`"""

    place: Word | None


@frozen
class PlaceType(TypeNode):
    """`place of Coin`"""

    of: Word
