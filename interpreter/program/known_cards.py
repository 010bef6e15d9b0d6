"""For every sort of component: where in a deck its cards can come to lie at a place that is known.

A deck is a set of cards whose order nobody knows, and perhaps cards of which the
place is known: on top, at the bottom, at some depth. Which of these there can be
follows from the statements of a game; most decks have none.
"""

from __future__ import annotations

from attrs import Factory, define

from ..core import DrawOne, Move, MoveAll, MoveSet, PeekOne, PeekShow, St, bodies
from .ir import Program


@define(eq=False)
class KnownCards:
    of: dict[str, set[str]] = Factory(dict)

    def parts(self, component: str) -> set[str]:
        """Of "top", "bottom" and "deep" those that can be."""
        return self.of.get(component, set())


def known_cards(program: Program) -> KnownCards:
    found = KnownCards()

    def note(component: str, *parts: str) -> None:
        found.of.setdefault(component, set()).update(parts)

    def look(st: St) -> None:
        if isinstance(st, Move | MoveSet | MoveAll | DrawOne):
            place, at = st.place.place_type, st.at if isinstance(st, Move | DrawOne) else None
            if place.form.hidden or not place.shape:
                if st.end:
                    note(place.of, st.end)
                elif at is not None:
                    note(place.of, "top", "bottom", "deep")
        elif isinstance(st, PeekOne | PeekShow):
            note(st.place.place_type.of, "top")
        for body in bodies(st):
            for inner in body:
                look(inner)

    for proc in program.procs.values():
        for st in proc.body:
            look(st)
    for block in program.blocks:
        for instr in block.code:
            look(instr.st)
    return found
