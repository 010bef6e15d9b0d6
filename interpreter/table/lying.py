"""How tiles lay when something happened, followed from what somebody has noticed.

The table as it is now is the wrong place to look: since then a tile may have been turned,
another may lie on the space, the space may have been empty. All of it was told at the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from attrs import Factory, define

from ..core.events import (
    AllMoved,
    Chosen,
    ClockRan,
    MatchOver,
    Observation,
    PieceStands,
    PlaceShown,
    PlaceShownToOthers,
    PlacesSwapped,
    Rolled,
    RolledInSecret,
    RowNoted,
    Shuffled,
    StateSet,
    ThingMoved,
    ThingsExchanged,
    TimeIsUp,
    TokensMoved,
    TopSeen,
    TopSeenByOthers,
    TurnBegan,
)

Spot = tuple[str, tuple[int, ...]]


@define
class Lying:
    """Followed from the start of a match, unless `partly`: then what is not known here may lie there now."""

    partly: bool = False
    turned: dict[str, int] = Factory(dict)
    """By how many quarters; 0 off the boards."""
    places: dict[str, Spot | None] = Factory(dict)
    names: dict[Spot, str | None] = Factory(dict)
    unsure: set[str] = Factory(set)
    """Places that were emptied or filled at one go: what lies in them was not told one by one."""

    def copy(self) -> Lying:
        return Lying(
            self.partly, self.turned.copy(), self.places.copy(), self.names.copy(), self.unsure.copy()
        )

    def after(self, events: Iterable[Observation]) -> Lying:
        for event in events:
            self.follow(event)
        return self

    def follow(self, event: Observation) -> None:
        """Events about what does not lie on spaces change nothing here."""
        match event:
            case ThingMoved(spot=tuple() as xy, turned=int() as turned):
                self._lay(event.thing, (event.dest, xy), turned)
            case ThingMoved():
                self._lay(event.thing, None, 0)
            case ThingsExchanged(left=one, right=other):
                here, there = self.places.get(one), self.places.get(other)
                ways = self.turned.get(one, 0), self.turned.get(other, 0)
                self._lay(one, None, 0)
                self._lay(other, here, ways[0])
                self._lay(one, there, ways[1])
            case PlaceShown(place=label, contents=tuple() as contents):
                for item in contents:
                    if isinstance(item, tuple) and len(item) == 3 and isinstance(item[1], tuple):
                        self._lay(item[0], (label, item[1]), item[2])
            case PlacesSwapped(left=one, right=other) | AllMoved(source=one, dest=other):
                self.unsure |= {one, other}
            case (
                TurnBegan() | Chosen() | Rolled() | RolledInSecret() | ClockRan() | TimeIsUp() | MatchOver()
                | TokensMoved() | PieceStands() | PlaceShown() | PlaceShownToOthers() | Shuffled() | StateSet()
                | RowNoted() | TopSeen() | TopSeenByOthers()
            ):  # fmt: skip
                pass
            case _:
                assert_never(event)

    def _lay(self, name: str, spot: Spot | None, turned: int) -> None:
        before = self.places.get(name)
        if before is not None and self.names.get(before) == name:
            self.names[before] = None
        self.places[name], self.turned[name] = spot, turned
        if spot is not None:
            self.names[spot] = name

    def at(self, label: str, xy: tuple[int, ...]) -> tuple[str | None, bool]:
        """What lay on a space, and whether that is known."""
        known = not self.partly and label not in self.unsure
        return self.names.get((label, xy)), known or (label, xy) in self.names
