"""Hidden sizes that everybody can work out, because everything is counted and the rest lies open.

Nothing is made or lost. So if all places for one sort of thing show how much
they hold but one, the size of that one is no secret. A place of each player
counts for all the players that are hidden from one of them.
"""

from __future__ import annotations

from ...grammar import Report
from ..core import CheckedGame, PlaceDecl, SeenByAll, SeenByOwner
from .trees import name_of


def open_sizes(game: CheckedGame, report: Report) -> None:
    fewest = min(game.players, default=2)
    for kind in (*game.tokens, *game.components):
        hidden = [place for place in game.places.values() if place.of == kind and _hides_size(place)]
        if len(hidden) != 1 or hidden[0].indices:
            continue
        (place,) = hidden
        owners = {
            "": 1,
            "player": fewest
            - (isinstance(place.size_seen, SeenByOwner) or isinstance(place.seen, SeenByOwner)),
        }
        if owners.get(place.owner) != 1:
            continue
        report.add(
            "D0408",
            f"the size of `{name_of(place)}` is hidden, but all other places for {kind} show theirs, so it can be told",
            place.span,
            help="hide another size too, or leave `size seen by` out",
            severity="warning",
        )


def _hides_size(place: PlaceDecl) -> bool:
    return bool(not isinstance(place.size_seen, SeenByAll) and not isinstance(place.seen, SeenByAll))
