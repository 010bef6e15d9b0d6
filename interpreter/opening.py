"""Definitions opened up where a loop tests them.

A condition such as `fits(c, s, r)` hides that most of it does not depend on the
variable of the loop. Written out, with the arguments in place of the parameters,
its parts can be worked out in front of the loop like those of any condition.
Only arguments that are names or constants are put in place: nothing is worked
out twice that way, and no bound name of the definition can catch one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import types as t
from .core import Comp, DefineDecl, Ex, Gen, free_vars

_NAMES = frozenset(("local", "const", "me", "option", "player_count", "active"))


def opened(gen: Gen, inlines: Callable[[DefineDecl], bool]) -> Gen:
    """The generator with the definitions that its conditions call written out, `and` taken apart."""
    where: list[Ex] = []
    for condition in gen.where:
        where += _parts(_written_out(condition, inlines))
    return Gen(gen.var, gen.domain, tuple(where), gen.cells)


def _parts(ex: Ex) -> list[Ex]:
    return [*_parts(ex.args[0]), *_parts(ex.args[1])] if ex.op == "and" else [ex]


def _written_out(ex: Ex, inlines: Callable[[DefineDecl], bool]) -> Ex:
    if ex.op in ("and", "or", "not"):
        return Ex(ex.op, ex.type, ex.span, tuple(_written_out(a, inlines) for a in ex.args), ex.data)
    if ex.op != "call" or not inlines(ex.data) or not all(a.op in _NAMES for a in ex.args):
        return ex
    decl: DefineDecl = ex.data
    if any(not _same(param.type, arg.type) for param, arg in zip(decl.params, ex.args, strict=True)):
        return ex
    put = {param.uid: arg for param, arg in zip(decl.params, ex.args, strict=True)}
    return _written_out(substituted(decl.body, put), inlines)


def _same(param: t.Type, arg: t.Type) -> bool:
    """May the argument stand wherever the parameter does? (What may be none is tested by its type.)"""
    return isinstance(param, t.Opt) == isinstance(arg, t.Opt) and not isinstance(
        param, t.SetOf | t.ListOf | t.Place
    )


def substituted(node: Any, put: dict[str, Ex]) -> Any:
    """A pure expression with other expressions in place of some of its locals."""
    match node:
        case Ex(op="local") if node.data.uid in put:
            arg = put[node.data.uid]
            return Ex(arg.op, node.type, node.span, arg.args, arg.data)
        case Ex():
            args = tuple(substituted(a, put) for a in node.args)
            data = substituted(node.data, put) if node.op == "comp" else node.data
            return Ex(node.op, node.type, node.span, args, data)
        case Comp():
            return Comp(
                node.kind,
                tuple(substituted(g, put) for g in node.gens),
                substituted(node.value, put),
                tuple(substituted(k, put) for k in node.by),
                substituted(node.while_, put),
            )
        case Gen():
            where = tuple(substituted(c, put) for c in node.where)
            cells = tuple((var, substituted(domain, put)) for var, domain in node.cells)
            return Gen(node.var, substituted(node.domain, put), where, cells)
    return node


def overlap(comp: Comp) -> tuple[str, Ex, Ex] | None:
    """`any(x in a for x in b)` and its kin as a question about two sets: do they meet, are they
    apart, is b within a?"""
    if comp.kind not in ("any", "none", "every") or len(comp.gens) != 1 or comp.while_ is not None:
        return None
    (gen,) = comp.gens
    value, kind = comp.value, comp.kind
    if gen.where or gen.cells or not isinstance(gen.domain.type, t.SetOf):
        return None
    if value.op == "not" and kind == "every":
        value, kind = value.args[0], "none"
    if value.op != "in" or value.args[0].op != "local" or value.args[0].data.uid != gen.var.uid:
        return None
    whole = value.args[1]
    if not isinstance(whole.type, t.SetOf) or whole.op == "range" or gen.domain.op == "range":
        return None
    if gen.var.uid in free_vars(whole):
        return None
    return kind, whole, gen.domain
