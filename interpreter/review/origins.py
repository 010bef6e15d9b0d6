"""Where a component that is moved comes from, as far as the text says it.

`move c to line` does not name a source. But if `c` was chosen or looped over in
`my.hand`, or is `top(deck)`, that is where it lies; otherwise it may come from
any place that holds such components.
"""

from __future__ import annotations

from typing import Any

from ..core import CheckedGame, Comp, Ex, Gen, St
from ..facts import state_name
from .trees import SOURCE, inner, own_expressions, statements


class Origins:
    """The places that the locals of a body come from."""

    def __init__(self, game: CheckedGame, body: tuple[St, ...]) -> None:
        self.game = game
        self._domains: dict[str, Ex] = {}
        for st in statements(body):
            if st.op == "let" and isinstance(st.args[0], Ex):
                self._domains[st.data.uid] = st.args[0]
            for gen in _generators(st):
                self._domains[gen.var.uid] = gen.domain

    def of(self, st: St) -> set[str]:
        """The places that a move may take something from."""
        source = st.args[SOURCE[st.op]] if st.op in SOURCE else None
        if isinstance(source, Ex):
            return self._places(source, source.place_type.of)
        if st.op in ("move", "move_set"):
            return self._places(st.args[0], st.args[1].place_type.of)
        return set()

    def _places(self, ex: Ex, kind: str) -> set[str]:
        seen: set[str] = set()
        while True:
            if ex.op == "local" and ex.data.uid in self._domains and ex.data.uid not in seen:
                seen.add(ex.data.uid)
                ex = self._domains[ex.data.uid]
            elif ex.op in ("items", "top", "bottom", "nth", "cell", "some", "snapshot", "as_set", "element"):
                ex = ex.args[0]
            elif ex.op == "comp" and isinstance(ex.data, Comp) and len(ex.data.gens) == 1:
                ex = ex.data.gens[0].domain
            else:
                break
        if ex.op == "place":
            return {state_name(ex.data)}
        return {
            state_name(place)
            for place in self.game.places.values()
            if place.of == kind and not place.name.startswith("box of ")
        }


def _generators(st: St) -> list[Gen]:
    gens: list[Any] = [arg for arg in st.args if isinstance(arg, Gen)]
    if st.op == "choose":
        gens += st.data.gens
    for ex in own_expressions(st):
        for part in inner(ex):
            if part.op == "comp" and isinstance(part.data, Comp):
                gens += part.data.gens
    return gens
