"""Places that something is taken from, but that nothing ever fills.

A deck that set-up forgot is empty for good: each draw from it finds nothing, or
breaks off the match (D0908). The box is full from the start. A place that is
not named where something is put, as a parameter or `c.place`, may be any place
that holds such things; so may the target of a swap.
"""

from __future__ import annotations

from ...grammar import Report
from ..core import CheckedGame, Ex, PlaceRef, PlacesOf, Shuffle, Swap
from ..core import value_types as t
from ..core.facts import PUTS, TAKES, rest_of, state_name
from .trees import procedures, statements


def unfilled(game: CheckedGame, report: Report) -> None:
    filled = _filled(game)
    told: set[str] = set()
    for procedure in procedures(game):
        for st in statements(procedure.body):
            if not isinstance(st, TAKES) or not isinstance(st.source, PlaceRef):
                continue
            place = st.source.place
            name = state_name(place)
            if name in filled | told or place.name.startswith("box of "):
                continue
            told.add(name)
            shown = " ".join(st.source.span.text.split())
            report.add(
                "D0514",
                f"nothing is ever put into `{place.name}`, so there is nothing to take from it",
                st.span,
                severity="warning",
                related=[(place.span, "declared here")],
                help=f"fill it in set-up: `move all from box({place.of}) to {shown}`",
            )


def _filled(game: CheckedGame) -> set[str]:
    """The places that something may be put into, by the names of facts.py."""
    found: set[str] = set()
    for procedure in procedures(game):
        for st in statements(procedure.body):
            targets: list[Ex] = []
            if isinstance(st, PUTS):
                rest = rest_of(st.place)
                targets = [st.place] if rest is None else [st.place, rest]
            elif isinstance(st, Shuffle):
                targets = [st.into] if st.into != st.place else []
            elif isinstance(st, Swap):
                targets = [st.left, st.right]
            for target in targets:
                found |= _named(target, game)
    return found


def _named(target: Ex, game: CheckedGame) -> set[str]:
    if isinstance(target, PlaceRef | PlacesOf):
        return {state_name(target.place)}
    if not isinstance(target.type, t.Place):
        return {state_name(place) for place in game.places.values()}
    decks = target.type.form.hidden  # which is never handed on under another type
    return {
        state_name(place)
        for place in game.places.values()
        if place.of == target.type.of and (decks or not place.form.hidden)
    }
