"""Definitions that read nothing of the position are worked out once.

Those with a few small parameters become tables when code is made. The others that
run over something are remembered: an engine is for one number of players and one set
of options, so their value depends on the arguments alone (runtime.Remembered).
"""

from __future__ import annotations

from itertools import product
from math import prod

from ...check.constants import NotConstant
from ...core import CallDefine, DefineDecl, Ex, Reduction, within
from ...core import value_types as t
from ...core.errors import SpecError
from ...core.facts import reads
from ..layout import Layout
from .folding import folding_for

LARGEST = 512


def tabulate(decl: DefineDecl, layout: Layout) -> tuple[int, ...] | None:
    """The value for each combination of the parameters, the last one running fastest; None if the
    position matters, or if there are too many."""
    types = [p.type for p in decl.params]
    if (
        decl.uses_me
        or not types
        or not all(isinstance(x, t.Num | t.Kind | t.YesNo) for x in (decl.type, *types))
    ):
        return None
    domains = [range(layout.low(x), layout.low(x) + layout.size(x)) for x in types]
    if prod(map(len, domains)) > LARGEST:
        return None
    folding = folding_for(layout)
    uids = [p.uid for p in decl.params]
    try:
        return tuple(
            folding.evaluate(decl.body, dict(zip(uids, key, strict=True))) for key in product(*domains)
        )
    except (NotConstant, SpecError, KeyError, ValueError, ZeroDivisionError):
        return None


def is_worth_remembering(decl: DefineDecl, layout: Layout) -> bool:
    """Does it read nothing of the position, and take more than a look into a table?"""
    if any(isinstance(p.type, t.Place) for p in decl.params) or not _runs_over_something(decl.body):
        return False
    return not reads(decl.body, layout.game)


def _runs_over_something(ex: Ex) -> bool:
    """Also in what it calls; each definition is looked at once, for many may lead to it."""
    pending, met = [ex], set()
    while pending:
        for part in within(pending.pop()):
            if isinstance(part, Reduction):
                return True
            if isinstance(part, CallDefine) and part.define.name not in met:
                met.add(part.define.name)
                pending.append(part.define.body)
    return False
