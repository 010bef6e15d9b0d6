"""Where a component that is moved comes from, as far as the text says it.

`move c to line` does not name a source. But if `c` was chosen or looped over in
`my.hand`, or is `top(deck)`, that is where it lies; otherwise it may come from
any place that holds such components.
"""

from __future__ import annotations

from ..core import (
    OPERATORS,
    Apply,
    CheckedGame,
    Choose,
    Ex,
    For,
    Gen,
    Let,
    Local,
    Move,
    MoveSet,
    PlaceRef,
    Reduction,
    St,
    Together,
)
from ..core.facts import TAKES, state_name
from .trees import inner, own_expressions, statements


class Origins:
    """The places that the locals of a body come from."""

    def __init__(self, game: CheckedGame, body: tuple[St, ...]) -> None:
        self.game = game
        self._domains: dict[str, Ex] = {}
        for st in statements(body):
            if isinstance(st, Let) and isinstance(st.value, Ex):
                self._domains[st.var.uid] = st.value
            for gen in _generators(st):
                self._domains[gen.var.uid] = gen.domain

    def of(self, st: St) -> set[str]:
        """The places that a move may take something from."""
        if isinstance(st, TAKES):
            return self._places(st.source, st.source.place_type.of)
        if isinstance(st, Move | MoveSet):
            return self._places(st.thing if isinstance(st, Move) else st.things, st.place.place_type.of)
        return set()

    def _places(self, ex: Ex, kind: str) -> set[str]:
        seen: set[str] = set()
        while True:
            if isinstance(ex, Local) and ex.var.uid in self._domains and ex.var.uid not in seen:
                seen.add(ex.var.uid)
                ex = self._domains[ex.var.uid]
            elif isinstance(ex, Apply) and OPERATORS[ex.op].part:
                ex = ex.args[0]
            elif isinstance(ex, Reduction) and len(ex.gens) == 1:
                ex = ex.gens[0].domain
            else:
                break
        if isinstance(ex, PlaceRef):
            return {state_name(ex.place)}
        return {
            state_name(place)
            for place in self.game.places.values()
            if place.of == kind and not place.name.startswith("box of ")
        }


def _generators(st: St) -> list[Gen]:
    gens = list(st.gens) if isinstance(st, For) else [st.gen] if isinstance(st, Together) else []
    if isinstance(st, Choose):
        gens += st.choice.gens
    for ex in own_expressions(st):
        for part in inner(ex):
            if isinstance(part, Reduction):
                gens += part.gens
    return gens
