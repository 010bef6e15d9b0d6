"""Definitions that depend on nothing but a few small parameters become tables when code is made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from . import types as t
from .constants import Constants, NotConstant
from .core import DefineDecl, Ex, Gen, Reduction
from .errors import SpecError
from .layout import Layout

LARGEST = 512
_FOLDS: dict[str, Any] = {
    "sum": sum,
    "count": lambda values: sum(1 for _ in values),
    "max": lambda values: max(values, default=0),
    "min": lambda values: min(values, default=0),
    "any": any,
    "every": all,
    "none": lambda values: not any(values),
}


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
    given = layout.constants
    folding = _Folding(given.game, given.players, given.options)
    uids = [p.uid for p in decl.params]
    try:
        return tuple(
            folding.evaluate(decl.body, dict(zip(uids, key, strict=True))) for key in product(*domains)
        )
    except (NotConstant, SpecError, KeyError, ValueError, ZeroDivisionError):
        return None


class _Folding(Constants):
    """An evaluator that also runs through comprehensions over constant sets."""

    def evaluate(self, ex: Ex, env: dict[str, int] | None = None) -> int:
        if isinstance(ex, Reduction) and ex.kind in _FOLDS and ex.while_ is None:
            runs = self._runs(ex.gens, env or {})
            return int(_FOLDS[ex.kind](self.evaluate(ex.value, inner) for inner in runs))
        return super().evaluate(ex, env)

    def _runs(self, gens: tuple[Gen, ...], env: dict[str, int]) -> Iterator[dict[str, int]]:
        if not gens:
            yield env
            return
        gen, *rest = gens
        for value in self.members(gen.domain, env):
            inner = {**env, gen.var.uid: value}
            if all(self.evaluate(c, inner) for c in gen.where):
                yield from self._runs(tuple(rest), inner)
