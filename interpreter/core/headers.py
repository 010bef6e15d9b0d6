"""What decides whether an action, or a case of an offer, is possible.

A header is one form: all its lines together can be completed or not, and an
option of a `choose` in it is offered exactly if the lines behind can be completed
with it. To a back end the lines behind a choice are binders still to come, as
those of the choice itself are.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import value_types as t
from .expressions import Apply, Const, Ex, Gen, Local, Var, applies
from .instructions import Count
from .statements import Choose, Let, Require, St
from .traversal import map_children


def header(body: tuple[St, ...]) -> tuple[St, ...]:
    """The leading statements without effects: what decides whether an action or a case is possible.

    A `choose` with an `else` is no part of it, for it never stands in the way: what is done if there
    is nothing to choose may be anything. So what stands behind it decides nothing either. A `pick` is
    a choice and its moves: a line with an effect. Nor is a `may choose`, which can be declined."""
    size = 0
    while size < len(body) and isinstance(body[size], Require | Let | Choose | Count):
        st = body[size]
        if isinstance(st, Choose) and (st.orelse or st.choice.pick or st.choice.decline):
            break
        size += 1
    return tuple(st for st in body[:size] if not isinstance(st, Count))  # which only a covered engine has


def several(gen: Gen) -> bool:
    """Is a set chosen, `1..2 lost in my.hand`, whose members are asked one by one?"""
    return applies(gen.domain, "subsets")


def asked_for(gen: Gen) -> t.Type:
    """What one question of a binder is about: a value, or a member of a set, or that there are no more."""
    if several(gen) and isinstance(gen.var.type, t.SetOf):
        return t.Opt(gen.var.type.of)
    return gen.var.type


def taken_uid(gen: Gen) -> str:
    """Where the members of a set that is being chosen are kept."""
    return f"{gen.var.uid}_taken"


def choices_in(body: tuple[St, ...]) -> Iterator[tuple[Choose, tuple[St, ...]]]:
    """The choices in the header of a body, each with the lines of the header behind it."""
    checks = header(body)
    for number, st in enumerate(checks):
        if isinstance(st, Choose):
            yield st, checks[number + 1 :]


def as_binders(checks: tuple[St, ...]) -> tuple[Gen, ...]:
    """Lines of a header as binders: what is required is a condition on a binder with one value, and
    what is given a name by `let` stands where the name is used."""
    given: dict[str, Ex] = {}

    def put_in(ex: Ex) -> Ex:
        if isinstance(ex, Local) and ex.var.uid in given:
            return given[ex.var.uid]
        return map_children(put_in, ex)

    out: list[Gen] = []
    for number, st in enumerate(checks):
        match st:
            case Let(var=var, value=value):
                given[var.uid] = put_in(value)
            case Require(condition=condition):
                nought = Const(t.Num(0, 0), st.span, 0)
                one = Apply(t.SetOf(t.Num(0, 0)), st.span, "range", (nought, nought))
                var = Var("met", f"met_{st.span.start}_{number}h", t.Num(0, 0))
                out.append(Gen(var, one, (put_in(condition),)))
            case Choose(choice=choice):
                for gen in choice.gens:
                    cells = tuple((var, put_in(domain)) for var, domain in gen.cells)
                    out.append(Gen(gen.var, put_in(gen.domain), tuple(map(put_in, gen.where)), cells))
    return tuple(out)
