"""Files of rules, each read once.

Finding a game looks into the headers of files, the cache asks for a fingerprint of
all of them, and the parser reads them: three looks at what may be saved anew in
between. Within `reading_once` a file is read when it is first asked for and stays
as it was then, so that what is kept under a fingerprint is what it was taken of.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from attrs import Factory, define


@define
class Texts:
    """What has been read. `parsed` are the files that were read for their rules, not only found."""

    found: dict[Path, bytes] = Factory(dict)
    parsed: set[Path] = Factory(set)

    def read(self, path: Path) -> bytes:
        if path not in self.found:
            self.found[path] = path.read_bytes()
        return self.found[path]


_now: ContextVar[Texts | None] = ContextVar("texts", default=None)


@contextmanager
def reading_once() -> Iterator[Texts]:
    """In here every file is read once."""
    texts = Texts()
    token = _now.set(texts)
    try:
        yield texts
    finally:
        _now.reset(token)


def bytes_of(path: Path, *, to_parse: bool = False) -> bytes:
    """What a file holds; raises `OSError` like any reading."""
    texts = _now.get()
    if texts is None:
        return path.read_bytes()
    if to_parse:
        texts.parsed.add(path)
    return texts.read(path)
