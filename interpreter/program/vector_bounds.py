"""What the conditions of a vector say about sums of its cells, taken apart for back ends.

`choose n[k in Gem] in 0..heap[k] where sum(n[j] for j in Gem) = 3 where n[ruby] <= 2`: nearly every
condition on a vector bounds a sum of cells by a number that does not depend on
the vector. Such a condition is a `Bound`; the others can only be tested.

Bounds decide which cells are asked, as docs/language.md says: a bound on a sum in
which one cell stands alone narrows what this cell may be, and a cell that is left
one value is no question. Every back end gathers the bounds when the choice begins,
narrows with those on a single cell, and asks the cells that have two values or
more. What is offered for a cell that is asked does not depend on any of this: it
is what can be completed.

`find_deal` knows one pattern more, columns that are dealt out whole over rows,
since its plan can be made without gathering.
"""

from __future__ import annotations

from attrs import frozen

from ..core import OPERATORS, Apply, Const, Ex, Gen, Local, Or, Reduction, Var, applies, free_vars
from ..core import value_types as t


@frozen
class Bound:
    """`low <= total <= high`, for each way to bind `cells`, unless one of `unless` holds. Without a
    limit on one side that is None. Without a total one of `unless` has to hold."""

    cells: tuple[tuple[Var, Ex], ...]
    unless: tuple[Ex, ...]
    total: Ex | None = None
    low: Ex | None = None
    high: Ex | None = None


@frozen
class Conditions:
    bounds: tuple[Bound, ...]
    others: tuple[Ex, ...]


def conditions_of(gen: Gen) -> Conditions:
    """The conditions of a vector, those first that bound a sum of its cells."""
    bounds, others = [], []
    for condition in gen.where:
        bound = _bound(condition, gen)
        if bound is None:
            others.append(condition)
        else:
            bounds.append(bound)
    return Conditions(tuple(bounds), tuple(others))


def only_bounds(gen: Gen) -> bool:
    """Is every condition a bound on a sum of cells?"""
    return not conditions_of(gen).others


def _bound(condition: Ex, gen: Gen) -> Bound | None:
    uid = gen.var.uid
    named = free_vars(condition)
    cells = tuple((var, domain) for var, domain in gen.cells if var.uid in named)
    unless: list[Ex] = []
    while isinstance(condition, Or) and mentions(condition, uid):
        sides = condition.left, condition.right
        free, condition = sides if mentions(condition.right, uid) else sides[::-1]
        if mentions(free, uid):
            return None
        unless.append(free)
    if not mentions(condition, uid):
        return Bound(cells, (*unless, condition))
    if applies(condition, "in"):
        total, limits = condition.args
        if applies(limits, "range") and not mentions(limits, uid) and _is_sum(total, uid):
            return Bound(cells, tuple(unless), total, *limits.args)
    elif isinstance(condition, Apply) and OPERATORS[condition.op].compares and condition.op != "ne":
        op, (total, limit) = condition.op, condition.args
        if not mentions(total, uid):
            total, limit, op = limit, total, OPERATORS[op].mirror
        if not mentions(limit, uid) and _is_sum(total, uid):
            low = {"eq": limit, "ge": limit, "gt": _plus(limit, 1)}.get(op)
            high = {"eq": limit, "le": limit, "lt": _plus(limit, -1)}.get(op)
            return Bound(cells, tuple(unless), total, low, high)
    return None


def _plus(ex: Ex, more: int) -> Ex:
    low, high = (ex.type.low, ex.type.high) if isinstance(ex.type, t.Num) else (-t.MANY, t.MANY)
    one = Const(t.Num(more, more), ex.span, more)
    return Apply(t.Num(low + more, high + more), ex.span, "add", (ex, one))


def _is_sum(ex: Ex, uid: str) -> bool:
    """Cells and numbers added up, perhaps with numbers taken off."""
    if not mentions(ex, uid):
        return isinstance(ex.type, t.Num)
    if applies(ex, "array_at"):
        inner = ex.args[0]
        return not mentions(ex.args[1], uid) and (isinstance(inner, Local) or _is_sum(inner, uid))
    if applies(ex, "add"):
        return all(_is_sum(a, uid) for a in ex.args)
    if applies(ex, "sub"):
        return _is_sum(ex.args[0], uid) and not mentions(ex.args[1], uid)
    if isinstance(ex, Reduction) and ex.kind == "sum" and ex.while_ is None:
        return not depend(ex.gens, uid) and _is_sum(ex.value, uid)
    return False


def mentions(ex: Ex, uid: str) -> bool:
    return uid in free_vars(ex)


def depend(gens: tuple[Gen, ...], uid: str) -> bool:
    """Does any of these binders read a variable?"""
    return any(mentions(p, uid) for g in gens for p in (g.domain, *g.where, *(d for _, d in g.cells)))


# ---------------------------------------------------------------- dealing out
@frozen
class Deal:
    """A vector of heaps: each column is dealt out whole over the rows, each row gets at least something.
    `unless` must hold for that; else other conditions come into play."""

    least: Ex | None = None
    least_unless: Ex | None = None
    unless: tuple[Ex, ...] = ()


def find_deal(gen: Gen) -> Deal | None:
    """Does a vector deal out whole columns? The pattern is
    `n[s in S, k in K] in 0..h(k) where sum(n[t, k] for t in S) = h(k) where sum(n[s, c] for c in K) >= m`."""
    if len(gen.cells) != 2 or not applies(gen.domain, "range") or not only_bounds(gen):
        return None
    (row, _), (column, columns) = gen.cells
    low, high = gen.domain.args
    if not isinstance(low, Const) or low.value != 0 or mentions(columns, row.uid) or mentions(high, row.uid):
        return None
    least: Ex | None = None
    least_unless: Ex | None = None
    unless: list[Ex] = []
    dealt = False
    for condition in gen.where:
        free = None
        if isinstance(condition, Or):
            for one, other in ((condition.left, condition.right), (condition.left, condition.right)[::-1]):
                if not any(mentions(one, v.uid) for v in (gen.var, row, column)):
                    free, condition = one, other
                    break
        if applies(condition, "eq") and free is None and not dealt:
            sides = (condition.args, condition.args[::-1])
            dealt = any(_sums(a, gen, 0) and b == high for a, b in sides)
            if not dealt:
                return None
        elif applies(condition, "ge") and least is None and _sums(condition.args[0], gen, 1):
            least, least_unless = condition.args[1], free
            if any(mentions(least, v.uid) for v in (gen.var, row, column)):
                return None
        elif free is not None:
            unless.append(free)
        else:
            return None
    return Deal(least, least_unless, tuple(unless)) if dealt else None


def _sums(ex: Ex, gen: Gen, over: int) -> bool:
    """Is this the sum of a whole row (over = 1) or a whole column (over = 0) of the vector?"""
    if not isinstance(ex, Reduction) or ex.kind != "sum":
        return False
    comp = ex
    if (
        len(comp.gens) != 1
        or comp.gens[0].where
        or comp.while_ is not None
        or comp.gens[0].domain != gen.cells[over][1]
    ):
        return False
    value = comp.value
    if not applies(value, "array_at") or not applies(value.args[0], "array_at"):
        return False
    vector, indices = value.args[0].args[0], [value.args[0].args[1], value.args[1]]
    wanted = [gen.cells[0][0], gen.cells[1][0]]
    wanted[over] = comp.gens[0].var
    return (
        isinstance(vector, Local)
        and vector.var.uid == gen.var.uid
        and all(isinstance(i, Local) and i.var.uid == w.uid for i, w in zip(indices, wanted, strict=True))
    )
