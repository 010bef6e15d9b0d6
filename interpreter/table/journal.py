"""The journal of a match: a line for every decision, on disk before the next one is made.

stories.py says what the lines are and reads them. Here they are written: only ever
behind what is there, by one process at a time, so that going on with a match cannot
spoil what was written before. A journal that was damaged is set aside under another
name and a new one begun with what could be read of it.

Playing goes on when nothing can be written any more, because the disk is full, say.
`Journal.problem` then tells why; what is missing is written as soon as that works
again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from ...grammar.writing import sweep
from ..core.errors import UsageError
from ..loading import resume
from ..play.game import Game
from ..play.match import Match
from .locking import lock
from .stories import FORMAT, IDENTITY, Story, checksum, read_journal, resume_story

KEPT = 50
"""Journals of finished matches that are kept in the state folder."""

_LEFTOVER = re.compile(r"\..+\.jsonl\.\d+")


def state_folder() -> Path:
    """Where journals lie: `DRAGONRULES_STATE`, or the folder that the XDG specification names."""
    own = os.environ.get("DRAGONRULES_STATE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "dragonrules"


class InUse(UsageError):
    def __init__(self, path: Path) -> None:
        super().__init__("D0710", f"another process is writing to `{path}`", "leave the match there first")


class Journal:
    """Writes down a match as it is played."""

    def __init__(self, path: Path, match: Match, seats: Sequence[str], story: Story | None = None) -> None:
        """A journal of all that has been so far. `story` is what was read of the file if the match was
        gone on with; any other file of that name is set aside."""
        self.path = path
        self.problem: str | None = None
        """Why nothing can be written at the moment."""
        self.aside: Path | None = None
        """Where a file lies now that stood in the way."""
        self._written: list[list[Any]] = []
        self._over = False
        self._sum = ""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        old = self._opened(story)
        if old is not None and story is not None and story.whole and _same(story.log, match.log):
            self._go_on(old, story, match, seats)
        else:
            self._begin(old, story, match, seats)

    @classmethod
    def in_state_folder(cls, match: Match, seats: Sequence[str]) -> Journal:
        """A new journal there."""
        folder = state_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tidy(folder)
        stem = f"{Path(match.game.spec).stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        names = (f"{stem}{more}.jsonl" for more in ("", *(f"-{n}" for n in range(2, 1000))))
        path = next(folder / name for name in names if not (folder / name).exists())
        return cls(path, match, seats)

    # ------------------------------------------------------------ opening
    def _opened(self, story: Story | None) -> IO[bytes] | None:
        """The file that is there, if there is one, locked and as it was read."""
        try:
            old = self.path.open("r+b", buffering=0)
        except FileNotFoundError:
            return None
        if not lock(old):
            old.close()
            raise InUse(self.path)
        if story is not None and os.fstat(old.fileno()).st_size != story.size:
            old.close()  # somebody has gone on with the match since it was read
            raise InUse(self.path)
        return old

    def _go_on(self, old: IO[bytes], story: Story, match: Match, seats: Sequence[str]) -> None:
        self._file, self._good, self._sum = old, story.size, story.sum
        self._written = list(match.log[: len(story.log)])
        self._over = story.over
        if list(seats) != story.seats:
            self._put([["seats", list(seats)]])
        self.record(match, safely=True)

    def _begin(self, old: IO[bytes] | None, story: Story | None, match: Match, seats: Sequence[str]) -> None:
        """A file of our own, in the place of the old one once it is whole."""
        beside = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.part")
        data = match.to_json()
        head = {"journal": FORMAT, **{key: data[key] for key in IDENTITY}, "seats": list(seats)}
        head |= {key: data[key] for key in ("carried", "before") if key in data}
        self._file = beside.open("xb", buffering=0)
        self._good = 0
        try:
            lock(self._file)
            self._put([head])
            self.record(match, safely=True)
            if self.problem is not None:
                raise OSError(self.problem)
            if old is not None and not _replaceable(self.path, story, match):
                self.aside = _set_aside(self.path, "damaged" if story is not None else "old")
            os.replace(beside, self.path)
        except BaseException:
            self._file.close()
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        finally:
            if old is not None:
                old.close()

    # ------------------------------------------------------------ writing
    def record(self, match: Match, *, safely: bool = False) -> None:
        """Write what is new; `safely` waits until it is on the disk. What goes wrong is in `problem`."""
        log, written = match.log, self._written
        same = _in_common(log, written)
        lines: list[Any] = [["back", same]] if same < len(written) else []
        lines += log[same:]
        if match.over and (lines or not self._over):
            lines.append(["over", sorted(match.winners)])
        try:
            if lines:
                self._put(lines)
            if safely:
                _sync(self._file)
        except OSError as problem:
            self.problem = problem.strerror or str(problem)
            return
        self.problem = None
        del written[same:]
        written += log[same:]
        self._over = match.over

    def _put(self, lines: list[Any]) -> None:
        """All lines or none."""
        out, total = [], self._sum
        for line in lines:
            text = json.dumps(line, separators=(",", ":")).encode()
            total = checksum(total, text)
            out.append(text + b"\t" + total.encode() + b"\n")
        data = memoryview(b"".join(out))
        length = len(data)
        try:
            self._file.seek(self._good)
            while data:
                data = data[self._file.write(data) or 0 :]
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(self._good)  # half a line would only mislead
            raise
        self._good += length
        self._sum = total

    def close(self) -> None:
        """The last line says that no more were written."""
        with contextlib.suppress(OSError):
            self._put([["left"]])
            _sync(self._file)
        self._file.close()


def _sync(file: IO[bytes]) -> None:
    try:
        os.fsync(file.fileno())
    except OSError as problem:
        if problem.errno not in (22, 95):  # not every kind of file can be waited for
            raise


def _in_common(log: Sequence[Any], written: Sequence[Any]) -> int:
    """How many entries are still as they were written. A match that goes on, and one that is gone back to,
    share their entries with what was there before, so only the end has to be looked at."""
    at = min(len(log), len(written))
    while at and log[at - 1] is not written[at - 1]:
        at -= 1
    while at < min(len(log), len(written)) and log[at] == written[at]:
        at += 1
    return at


def _same(told: list[list[Any]], log: list[list[Any]]) -> bool:
    return bool(json.loads(json.dumps(log[: len(told)])) == told)


def _replaceable(path: Path, story: Story | None, match: Match) -> bool:
    """Is nothing lost with a file: does the new one say the same, or was its match over?"""
    if story is None:
        try:
            story = read_journal(path)
        except UsageError:
            return False
        return path.stat().st_size == 0 or (story is not None and story.over and story.problem is None)
    return story.damage is None and _same(story.log, match.log)


def _set_aside(path: Path, word: str) -> Path:
    """Give a file another name as well."""
    for more in ("", *(f"-{n}" for n in range(2, 10_000))):
        aside = path.with_name(f"{path.name}.{word}{more}")
        try:
            os.link(path, aside)
        except FileExistsError:
            continue
        except OSError:  # a disk without links: there may then be a moment without the file
            if aside.exists():
                continue
            os.rename(path, aside)
        return aside
    raise OSError(f"there are too many files like `{path.name}.{word}`")


# ---------------------------------------------------------------- the state folder
def look_through() -> tuple[list[Story], list[str]]:
    """The matches in the state folder that can be gone on with, the latest first; and what cannot be used."""
    stories, useless = [], []
    for path in _journals(state_folder()):
        try:
            story = read_journal(path)
        except UsageError as problem:
            useless.append(problem.message)
            continue
        if story is None:
            useless.append(f"`{path}` is not a journal")
        elif not story.over and story.log:
            if in_use(path):
                useless.append(f"the match in `{path}` is being played by another process")
            else:
                stories.append(story)
    return stories, useless


def unfinished() -> list[Story]:
    return look_through()[0]


def resume_any(path: Path, game: Game | None) -> tuple[Match, list[str] | None]:
    """A match from a save or a journal, and who sat where if that is known."""
    story = read_journal(path)
    if story is None:
        return resume(path, game=game), None
    return resume_story(story, game), story.seats


def _journals(folder: Path) -> list[Path]:
    found = []
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def in_use(path: Path) -> bool:
    try:
        with path.open("r+b") as file:
            return not lock(file)
    except OSError:
        return False


def tidy(folder: Path) -> None:
    """Drop the oldest journals of matches that are surely over, and what was left half written.
    Whatever else lies there, or cannot be read to its end, is not ours to judge."""
    sweep(folder)
    for path in folder.glob(".*.jsonl.*"):  # as older versions left them behind
        with contextlib.suppress(OSError):
            if _LEFTOVER.fullmatch(path.name) and time.time() - path.stat().st_mtime > 24 * 3600:
                path.unlink()
    for path in _journals(folder)[KEPT:]:
        with contextlib.suppress(OSError, UsageError):
            story = read_journal(path)
            if story is not None and story.over and story.problem is None and not in_use(path):
                path.unlink()


__all__ = [
    "InUse",
    "Journal",
    "Story",
    "in_use",
    "look_through",
    "read_journal",
    "resume_any",
    "state_folder",
    "tidy",
    "unfinished",
]
