"""Definitions opened up where a loop tests them.

A condition such as `fits(c, s, r)` hides that most of it does not depend on the
variable of the loop. Written out, with the arguments in place of the parameters,
its parts can be worked out in front of the loop like those of any condition.
Only arguments that are names or constants are put in place: nothing is worked
out twice that way, and no bound name of the definition can catch one of them.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core import (
    And,
    CallDefine,
    Const,
    DefineDecl,
    Ex,
    Gen,
    Local,
    Me,
    Option,
    Or,
    Reduction,
    applies,
    changed,
    free_vars,
    map_children,
)
from ...core import value_types as t


def _is_name(ex: Ex) -> bool:
    return isinstance(ex, Local | Const | Me | Option) or applies(ex, "player_count", "active")


def opened(gen: Gen, inlines: Callable[[DefineDecl], bool]) -> Gen:
    """The generator with the definitions that its conditions call written out, `and` taken apart."""
    where: list[Ex] = []
    for condition in gen.where:
        where += _parts(_written_out(condition, inlines))
    return Gen(gen.var, gen.domain, tuple(where), gen.cells)


def _parts(ex: Ex) -> list[Ex]:
    return [*_parts(ex.left), *_parts(ex.right)] if isinstance(ex, And) else [ex]


def _written_out(ex: Ex, inlines: Callable[[DefineDecl], bool]) -> Ex:
    if isinstance(ex, And | Or) or applies(ex, "not"):
        return map_children(lambda part: _written_out(part, inlines), ex)
    if not isinstance(ex, CallDefine) or not inlines(ex.define) or not all(map(_is_name, ex.args)):
        return ex
    decl: DefineDecl = ex.define
    if any(not _same(param.type, arg.type) for param, arg in zip(decl.params, ex.args, strict=True)):
        return ex
    put = {param.uid: arg for param, arg in zip(decl.params, ex.args, strict=True)}
    return _written_out(substituted(decl.body, put), inlines)


def _same(param: t.Type, arg: t.Type) -> bool:
    """May the argument stand wherever the parameter does? (What may be none is tested by its type.)"""
    return isinstance(param, t.Opt) == isinstance(arg, t.Opt) and not isinstance(
        param, t.SetOf | t.ListOf | t.Place
    )


def substituted(ex: Ex, put: dict[str, Ex]) -> Ex:
    """A pure expression with other expressions in place of some of its locals."""
    if isinstance(ex, Local) and ex.var.uid in put:
        return changed(put[ex.var.uid], type=ex.type, span=ex.span)
    return map_children(lambda part: substituted(part, put), ex)


def overlap(comp: Reduction) -> tuple[str, Ex, Ex] | None:
    """`any(x in a for x in b)` and its kin as a question about two sets: do they meet, are they
    apart, is b within a?"""
    if comp.kind not in ("any", "none", "every") or len(comp.gens) != 1 or comp.while_ is not None:
        return None
    (gen,) = comp.gens
    value, kind = comp.value, comp.kind
    if gen.where or gen.cells or not isinstance(gen.domain.type, t.SetOf):
        return None
    if applies(value, "not") and kind == "every":
        value, kind = value.args[0], "none"
    if (
        not applies(value, "in")
        or not isinstance(value.args[0], Local)
        or value.args[0].var.uid != gen.var.uid
    ):
        return None
    whole = value.args[1]
    if not isinstance(whole.type, t.SetOf) or applies(whole, "range") or applies(gen.domain, "range"):
        return None
    if gen.var.uid in free_vars(whole):
        return None
    return kind, whole, gen.domain
