"""Does it show in which order two pieces of rules run?

What a piece changes and what it reads, by name: places, states, pieces and records of the
game, also those that the rules it calls touch. Two pieces whose names do not meet can run in
either order. So can two that only add to one value, or ask two conditions before `original`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ...grammar import syntax
from .trees import names_in, walk

ORIGINAL = "original"

_CHANGING = (
    syntax.Set,
    syntax.Change,
    syntax.MoveAmount,
    syntax.MoveThing,
    syntax.Draw,
    syntax.Shuffle,
    syntax.Swap,
    syntax.Pick,
    syntax.NoteRow,
    syntax.Note,
)
_LEAVING = (syntax.Finish, syntax.Return, syntax.Cancel, syntax.Stop, syntax.Skip, syntax.Expire)
_SUMS = (syntax.Plus, syntax.Minus)


@frozen
class Touched:
    """`leaves` is whether what follows may not be reached, `asks` whether somebody decides something."""

    reads: frozenset[str]
    writes: frozenset[str]
    leaves: bool
    asks: bool


def touched(node: Any, decls: Sequence[syntax.Decl]) -> Touched:
    """What a piece of rules touches, with the rules that it calls."""
    bodies = {str(d.name): d for d in decls if isinstance(d, syntax.Rule | syntax.Action | syntax.Define)}
    things = _things(decls)
    reads: set[str] = set()
    writes: set[str] = set()
    leaves = asks = False
    waiting, seen = [node], set[str]()
    while waiting:
        piece = waiting.pop()
        for n in walk(piece):
            if isinstance(n, _CHANGING):
                writes |= names_in(n) & things
                if isinstance(n, syntax.NoteRow | syntax.Note):
                    writes.add(str(n.record))
            leaves = leaves or (isinstance(n, _LEAVING) and piece is node)
            asks = asks or isinstance(
                n,
                syntax.Choose
                | syntax.ChooseBlock
                | syntax.Offer
                | syntax.OfferCases
                | syntax.May
                | syntax.MayBlock,
            )
        used = names_in(piece)
        reads |= used & things
        for name in used & bodies.keys() - seen:
            seen.add(name)
            waiting.append(getattr(bodies[name], "body", None) or getattr(bodies[name], "value", None))
    return Touched(frozenset(reads), frozenset(writes), leaves, asks)


def _things(decls: Sequence[syntax.Decl]) -> set[str]:
    out: set[str] = set()
    for decl in decls:
        if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
            out |= {str(member.name) for member in decl.members}  # type: ignore[attr-defined]
        elif isinstance(decl, syntax.Place | syntax.State | syntax.Piece | syntax.Record):
            out.add(str(decl.name))
    return out


def order_shows(a: Any, b: Any, decls: Sequence[syntax.Decl]) -> bool:
    """Two statements or bodies, or two expressions around `original`."""
    if isinstance(a, syntax.Expr) and isinstance(b, syntax.Expr):
        return not (_added(a) and _added(b)) and not _joined_alike(a, b)
    wraps = _mentions(a) and _mentions(b)
    if wraps and ((_only_asks(a) and _only_asks(b)) or _in_front_and_behind(a, b)):
        return False
    if wraps and None in (_place_of_original(a), _place_of_original(b)):
        return True  # whether `original` comes at all is asked inside or outside of the other
    one, two = touched(a, decls), touched(b, decls)
    return bool(
        one.leaves
        or two.leaves
        or (one.asks and two.asks)
        or one.writes & (two.reads | two.writes)
        or two.writes & one.reads
    )


def _is_original(node: Any) -> bool:
    return isinstance(node, syntax.Name) and node.text == ORIGINAL


def _added(node: Any) -> bool:
    """`original + e`, `original - e`"""
    while isinstance(node, syntax.Group):
        node = node.inner
    if isinstance(node, syntax.Plus) and _is_original(node.right) and not _mentions(node.left):
        return True
    while isinstance(node, _SUMS) and not _mentions(node.right):
        node = node.left
    return _is_original(node)


def _joined_alike(a: Any, b: Any) -> bool:
    """Both `original and e`, or both `original or e`."""
    for sort in (syntax.AndExpr, syntax.OrExpr):
        if all(isinstance(e, sort) and (_is_original(e.left) or _is_original(e.right)) for e in (a, b)):
            return True
    return False


def _mentions(node: Any) -> bool:
    return any(_is_original(n) for n in walk(node))


def _place_of_original(suite: Any) -> tuple[bool, bool] | None:
    """Is there something in front of `original`, something behind it? None if it is inside something."""
    body = suite.body if isinstance(suite, syntax.Block) else (suite.body,) if suite is not None else ()
    calls = [i for i, stmt in enumerate(body) if _is_original(_called(stmt))]
    return (calls[0] > 0, calls[-1] < len(body) - 1) if len(calls) == 1 else None


def _called(stmt: Any) -> Any:
    inner = stmt.body if isinstance(stmt, syntax.SimpleLine) else stmt
    return inner.what if isinstance(inner, syntax.Call) else None


def _in_front_and_behind(a: Any, b: Any) -> bool:
    """One does something before `original` only, the other after it only."""
    places = {_place_of_original(a), _place_of_original(b)}
    return places <= {(True, False), (False, True), (False, False)} and len(places) > 1


def _only_asks(suite: Any) -> bool:
    """`if c: original`, and nothing else."""
    body = suite
    if isinstance(suite, syntax.Block):
        if len(suite.body) != 1:
            return False
        body = suite.body[0]
    if not isinstance(body, syntax.IfElse) or body.otherwise is not None or _mentions(body.when):
        return False
    inner = body.then
    simple = inner.body if isinstance(inner, syntax.Line) else None
    return isinstance(simple, syntax.Call) and _is_original(simple.what)
