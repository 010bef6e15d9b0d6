"""Links: who comes in by which one. A link has 128 random bits, of which only a digest is kept on disk."""

from __future__ import annotations

import hashlib
import secrets
from hmac import compare_digest
from typing import Any

from attrs import define

HOST, SEAT, WATCH, BOARD = "host", "seat", "watch", "board"


@define
class Door:
    """What a link opens: the host's page, a seat at a table, a place to watch from, or a board of analysis, at
    which one plays for whoever is asked."""

    role: str
    table: str | None
    seat: int | None
    digest: str
    token: str | None = None
    """The link itself; not known any more after the server was started anew."""


class Doors:
    def __init__(self) -> None:
        self.all: list[Door] = []

    def new(self, role: str, table: str | None = None, seat: int | None = None) -> Door:
        """Another link; an older one for the same is no longer good."""
        self.close(role, table, seat)
        token = secrets.token_urlsafe(16)
        door = Door(role, table, seat, _digest(token), token)
        self.all.append(door)
        return door

    def close(self, role: str, table: str | None, seat: int | None) -> None:
        self.all = [d for d in self.all if (d.role, d.table, d.seat) != (role, table, seat)]

    def close_table(self, table: str) -> None:
        self.all = [d for d in self.all if d.table != table]

    def find(self, token: object) -> Door | None:
        """Whose link this is. All are compared, so that the time it takes tells nothing."""
        if not isinstance(token, str) or not 0 < len(token) <= 64:
            return None
        digest, found = _digest(token), None
        for door in self.all:
            if compare_digest(door.digest, digest):
                found = door
        return found

    def of(self, table: str) -> list[Door]:
        return [door for door in self.all if door.table == table]

    def get(self, role: str, table: str, seat: int | None = None) -> Door | None:
        return next((d for d in self.all if (d.role, d.table, d.seat) == (role, table, seat)), None)

    # ------------------------------------------------------------ on disk
    def to_json(self, table: str) -> list[Any]:
        return [[door.role, door.seat, door.digest] for door in self.of(table)]

    def take(self, table: str, data: object) -> None:
        """Links that were handed out before the server was started anew."""
        if not isinstance(data, list):
            return
        for entry in data:
            match entry:
                case [str(role), int() | None as seat, str(digest)] if role in (SEAT, WATCH):
                    self.close(role, table, seat)
                    self.all.append(Door(role, table, seat, digest))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
