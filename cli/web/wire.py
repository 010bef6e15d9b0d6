"""A way for messages to and from one browser, and how much of them it may send."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

LARGEST = 4 * 1024
LARGEST_TEXT = 64 * 1024
"""Bytes of a message; the designer's page sends whole rule files."""
A_SECOND, BURST = 10, 20
UNKNOWN, FOREIGN, TOO_MUCH = 4401, 4403, 4429
"""Why a connection was closed: no such link, not from our own pages, more than anybody clicks."""


class Gone(Exception):
    """The browser has left."""


class Refused(Exception):
    """What was sent ends the connection, with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Wire(Protocol):
    """What a server must offer; all else is ours."""

    async def receive(self) -> str:
        """The next message; raises `Gone`."""
        ...

    async def send(self, text: str) -> None: ...

    async def close(self, code: int) -> None: ...


class Bucket:
    """So many messages a second, with some in advance."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now, self.left, self.at = now, float(BURST), now()

    def take(self) -> bool:
        now = self.now()
        self.left = min(BURST, self.left + (now - self.at) * A_SECOND)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


def read(text: str, largest: int = LARGEST) -> dict[str, Any]:
    """A message: an object with a word `t`. Anything else ends the connection."""
    if len(text.encode("utf-8", errors="replace")) > largest:
        raise Refused(TOO_MUCH)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(FOREIGN) from None
    if not isinstance(data, dict) or not isinstance(data.get("t"), str):
        raise Refused(FOREIGN)
    return data
