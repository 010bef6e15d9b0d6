"""Who sees something: one class a form, `Audience` their union."""

from __future__ import annotations

from attrs import frozen

from .expressions import Ex


@frozen
class SeenByAll:
    """Everybody, also who only watches; what nothing is said about."""

    word = "all"


@frozen
class SeenByNobody:
    """`seen by nobody`."""

    word = "nobody"


@frozen
class SeenByOwner:
    """`seen by owner`: whose place or state it is, with those who share it."""

    word = "owner"


@frozen
class SeenBy:
    """`seen by others(me)`, `to left(me)`: a set of players."""

    players: Ex

    @property
    def word(self) -> str:
        """As it is written."""
        return " ".join(self.players.span.text.split())


Audience = SeenByAll | SeenByNobody | SeenByOwner | SeenBy


def named(audience: Audience) -> tuple[Ex, ...]:
    """The expression that says who it is, if there is one."""
    return (audience.players,) if isinstance(audience, SeenBy) else ()
