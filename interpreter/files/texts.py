"""Files of rules, each read once; texts that are open in an editor lie over them.

Finding a game looks into the headers of files, the cache asks for a fingerprint of
all of them, and the parser reads them: three looks at what may be saved anew in
between. Within `reading_once` a file is read when it is first asked for and stays
as it was then, so that what is kept under a fingerprint is what it was taken of.

Within `lying_over` some paths have a text that the disk does not: what an editor
has not saved yet, or rules that a program holds in a string. Whoever looks for rule
files asks `is_file` and `rule_files` of this module, never the disk alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
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
            self.found[path] = _bytes_now(path)
        return self.found[path]


_now: ContextVar[Texts | None] = ContextVar("texts", default=None)
_open: ContextVar[Mapping[str, str]] = ContextVar("open texts", default={})  # noqa: B039 (never changed)


@contextmanager
def reading_once() -> Iterator[Texts]:
    """In here every file is read once."""
    texts = Texts()
    token = _now.set(texts)
    try:
        yield texts
    finally:
        _now.reset(token)


@contextmanager
def lying_over(texts: Mapping[str | os.PathLike[str], str]) -> Iterator[None]:
    """In here these texts are what stands in these files, whatever the disk says."""
    if not texts:
        yield
        return
    token = _open.set({**_open.get(), **{os.path.abspath(path): text for path, text in texts.items()}})
    try:
        yield
    finally:
        _open.reset(token)


def bytes_of(path: Path, *, to_parse: bool = False) -> bytes:
    """What a file holds; raises `OSError` like any reading."""
    texts = _now.get()
    if texts is None:
        return _bytes_now(path)
    if to_parse:
        texts.parsed.add(path)
    return texts.read(path)


def _bytes_now(path: Path) -> bytes:
    lying = _open.get()
    text = lying.get(os.path.abspath(path)) if lying else None
    return path.read_bytes() if text is None else text.encode()


def is_file(path: Path) -> bool:
    lying = _open.get()
    return (bool(lying) and os.path.abspath(path) in lying) or path.is_file()


def rule_files(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder with an ending, in order."""
    found = {*folder.glob(f"*{suffix}")}
    where = os.path.abspath(folder)
    found |= {folder / os.path.basename(p) for p in _open.get() if os.path.dirname(p) == where}
    return sorted(path for path in found if path.suffix == suffix)


def same_file(a: Path, b: Path) -> bool:
    if a == b:
        return True
    if a.exists() and b.exists():
        return a.samefile(b)
    return os.path.abspath(a) == os.path.abspath(b)
