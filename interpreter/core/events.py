"""What a seat notices: one class an event, `Observation` their union.

Each event is a tuple as well, and equal to the plain one with the same parts: the
word, then what is told. So it is kept in saves and journals as a list, and two
histories are equal when a seat cannot tell them apart. `event_from` makes the
event again from such a list. What is told to some in full and to others only in
part are two classes where the parts differ.

Places and states go by their labels, components and pieces by their names; a
component that is not recognised goes by the name of its sort alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar, get_args

Own = TypeVar("Own", bound="Event")


IN_SECRET = ("secretly",)
"""How an event ends that only those notice to whom something is shown."""


def _secretly() -> Any:
    """Was it shown so that nobody else notices?"""
    return property(lambda event: event[3:] == IN_SECRET)


def part(index: int) -> Any:
    """A part of an event; None if it is not told."""
    return property(lambda event: event[index] if len(event) > index else None)


class Event(tuple[Any, ...]):
    """The base of all events: made from the parts behind the word."""

    word: ClassVar[str] = ""
    sizes: ClassVar[tuple[int, ...]] = ()  # how many parts there may be behind the word
    cause: str | None = None
    """The rule, action, trigger or phase whose text made it happen. Nothing that is told: two events are
    equal whatever their causes."""

    def __new__(cls: type[Own], *parts: Any) -> Own:
        assert len(parts) in cls.sizes, (cls, parts)
        return tuple.__new__(cls, (cls.word, *parts))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)[1:]

    def again(self: Own, parts: Iterable[Any]) -> Own:
        """The same event with other parts, its word included."""
        return tuple.__new__(type(self), parts)


# ---------------------------------------------------------------- the course of play
class TurnBegan(Event):
    """A turn begins."""

    word, sizes = "turn", (1,)
    seat: int = part(1)


class Chosen(Event):
    """A player has decided: in which rule, and what."""

    word, sizes = "choice", (3,)
    seat: int = part(1)
    rule: str = part(2)
    key: tuple[Any, ...] = part(3)


class Rolled(Event):
    """What came up."""

    word, sizes = "roll", (1,)
    value: Any = part(1)


class RolledInSecret(Event):
    """Something came up that others see."""

    word, sizes = "roll", (0,)


class ClockRan(Event):
    """How much of the time of a `rounds` is gone."""

    word, sizes = "clock", (2,)
    name: str | None = part(1)
    ticks: int = part(2)


class TimeIsUp(Event):
    """The time of a `rounds` is over."""

    word, sizes = "time is up", (1,)
    name: str | None = part(1)


class MatchOver(Event):
    """The match is over: who has won, and by which ending."""

    word, sizes = "over", (2,)
    winners: tuple[int, ...] = part(1)
    reason: str | None = part(2)


# ---------------------------------------------------------------- things that move
class ThingMoved(Event):
    """A component has moved; `spot` is a space or where in a row, told with how it is turned to those who
    see it."""

    word, sizes = "move", (3, 4, 5)
    thing: str = part(1)
    source: str = part(2)
    dest: str = part(3)
    spot: str | tuple[int, int] | None = part(4)
    turned: int | None = part(5)

    @property
    def recognised(self) -> bool:
        """Is it told which one, or only of which sort it is?"""
        return "#" in self.thing


class TokensMoved(Event):
    """Tokens have moved; `spot` is a space."""

    word, sizes = "move", (4, 5)
    amount: int = part(1)
    kind: str = part(2)
    source: str = part(3)
    dest: str = part(4)
    spot: tuple[int, int] | None = part(5)

    @property
    def recognised(self) -> bool:
        """Is it told of which kind they are? Kinds are written small, sorts of tokens are not."""
        return self.kind[:1].islower()


class AllMoved(Event):
    """All that lay in a place has moved."""

    word, sizes = "all", (2,)
    source: str = part(1)
    dest: str = part(2)


class PieceStands(Event):
    """A piece stands on something now, or, with None, no longer."""

    word, sizes = "stands", (2,)
    piece: str = part(1)
    where: Any = part(2)


class PlacesSwapped(Event):
    """Two places have exchanged what lies in them."""

    word, sizes = "swap", (2,)
    left: str = part(1)
    right: str = part(2)


class ThingsExchanged(Event):
    """Two components have changed places."""

    word, sizes = "exchange", (2,)
    left: str = part(1)
    right: str = part(2)


class Shuffled(Event):
    """A place was shuffled."""

    word, sizes = "shuffle", (1,)
    place: str = part(1)


# ---------------------------------------------------------------- what is told and shown
class StateSet(Event):
    """A state has a value."""

    word, sizes = "set", (2, 3)
    label: str = part(1)
    value: Any = part(2)
    secretly: bool = _secretly()


class RowNoted(Event):
    """A row of a record was written, or changed."""

    word, sizes = "note", (2,)
    row: str = part(1)
    fields: tuple[tuple[str, Any], ...] = part(2)


class PlaceShown(Event):
    """What lies in a place was shown."""

    word, sizes = "shown", (2, 3)
    place: str = part(1)
    contents: Any = part(2)
    secretly: bool = _secretly()


class PlaceShownToOthers(Event):
    """A place was shown to others."""

    word, sizes = "shown", (1,)
    place: str = part(1)


class TopSeen(Event):
    """What lies on top of a deck."""

    word, sizes = "peek", (2, 3)
    place: str = part(1)
    things: tuple[str, ...] = part(2)
    secretly: bool = _secretly()


class TopSeenByOthers(Event):
    """Others have looked at so many on top of a deck."""

    word, sizes = "peek", (2,)
    place: str = part(1)
    amount: int = part(2)


Observation = (
    TurnBegan
    | Chosen
    | Rolled
    | RolledInSecret
    | ClockRan
    | TimeIsUp
    | MatchOver
    | ThingMoved
    | TokensMoved
    | AllMoved
    | PieceStands
    | PlacesSwapped
    | ThingsExchanged
    | Shuffled
    | StateSet
    | RowNoted
    | PlaceShown
    | PlaceShownToOthers
    | TopSeen
    | TopSeenByOthers
)

_BY_WORD: dict[str, list[type[Event]]] = {}
for _cls in get_args(Observation):
    _BY_WORD.setdefault(_cls.word, []).append(_cls)


def event_from(parts: tuple[Any, ...]) -> Observation:
    """The event that a plain tuple of its parts stands for, as a save keeps it."""
    found = [cls for cls in _BY_WORD.get(parts[0], ()) if len(parts) - 1 in cls.sizes]
    if parts[0] == "move" and len(parts) > 1:
        found = [TokensMoved if isinstance(parts[1], int) else ThingMoved]
    elif found == [TopSeen, TopSeenByOthers]:
        found = [TopSeenByOthers if isinstance(parts[2], int) else TopSeen]
    if len(found) != 1:
        raise LookupError(f"there is no event `{parts[0]}` with {len(parts) - 1} parts")
    made: Observation = found[0](*parts[1:])  # type: ignore[assignment]
    return made
