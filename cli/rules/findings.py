"""What is wrong with rule files: gathered file by file, in several processes when there are many.

What a file finds (file_findings.py) does not depend on which process looks at it, and
findings are sorted by place, so the output is the same however the work was divided.
They are kept between runs, under the texts of all files that can have a say; a file that
is as it was needs neither parser nor checker.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ...grammar import Diagnostic
from ...interpreter.files import cache
from .around import Texts, covers
from .parallel import in_processes, workers_for

if TYPE_CHECKING:
    from ...interpreter.rule_sets import Library

Key = tuple[str, str, int, str]


SEVERAL = 8
"""For more files than these it is told how far the work is."""


@frozen
class Findings:
    """`allowed` are those that a comment silences, each with the reason it gives."""

    told: tuple[Diagnostic, ...] = ()
    allowed: tuple[tuple[Diagnostic, str], ...] = ()
    files: int = 0

    def count(self, severity: str) -> int:
        return sum(d.severity == severity for d in self.told)

    def failed(self, *, strict: bool) -> bool:
        return any(d.severity == "error" or (strict and d.severity == "warning") for d in self.told)


def findings(files: Sequence[Path], jobs: int | None = None, library: Library | None = None) -> Findings:
    """All findings of some files, sorted by place, each once; with a library of its own, in this process."""
    told: dict[Key, Diagnostic] = {}
    allowed: dict[Key, tuple[Diagnostic, str]] = {}
    each = _each(files, jobs) if library is None else _with(library, files)
    for found in each:
        told.update({_key(d): d for d in found.told if _key(d) not in told})
        allowed.update({_key(d): (d, reason) for d, reason in found.allowed})
    return Findings(
        tuple(sorted(told.values(), key=Diagnostic.sort_key)),
        tuple(sorted(allowed.values(), key=lambda pair: pair[0].sort_key())),
        len(files),
    )


def _key(d: Diagnostic) -> Key:
    return d.code, d.span.source.name, d.span.start, d.message


def _with(library: Library, files: Sequence[Path]) -> Iterable[Findings]:
    from .file_findings import of_file  # late: it brings the review along

    return (of_file(file, library) for file in files)


def _each(files: Sequence[Path], jobs: int | None) -> Iterable[Findings]:
    """In the order of the files; only those that are not known from an earlier run are looked at."""
    texts = Texts()
    known = {file: _kept(texts.about(file)) for file in files}
    unknown = [file for file in files if known[file] is None]
    workers = workers_for(len(unknown), jobs)
    if workers > 1:
        looked_at = in_processes(_of_file, unknown, workers)
    else:
        here = _Looking()
        looked_at = map(here.at, unknown)
    progress = _Progress(len(files))
    for file in files:
        yield known[file] or next(looked_at)
        progress.one_more()
    progress.close()


def _kept(key: tuple[object, ...]) -> Findings | None:
    found = cache.known(key)
    return None if found is None else Findings(found[0], found[1], 1)


class _Looking:
    """At files that are not known, each read once."""

    def __init__(self) -> None:
        from ...interpreter.rule_sets import Library  # late: it brings parser and checker along

        self.library = Library()

    def at(self, file: Path) -> Findings:
        from .file_findings import of_file

        key = Texts().about(file)
        self.library.asked.clear()
        found = of_file(file, self.library)
        fine = not any(d.severity == "error" for d in found.told)
        if fine and covers(file, self.library.asked) and Texts().about(file) == key:
            cache.keep(key, (found.told, found.allowed))
        return found


_looking = lru_cache(maxsize=1)(_Looking)
"""Of a process at work."""


def _of_file(file: Path) -> Findings:
    return _looking().at(file)


class _Progress:
    """How far the work is, on a terminal, once there is enough of it to wait for."""

    def __init__(self, files: int) -> None:
        self.files = files if sys.stderr.isatty() else 0
        self.done = 0

    def one_more(self) -> None:
        self.done += 1
        if self.files > SEVERAL:
            print(f"\r{self.done} of {self.files} files", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.files > SEVERAL:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
