"""The journal of a match: a line for every decision, on disk before the next one is made.

The first line says which match it is; every other line is an entry of its log,
`["choose", 1, ["c", "Card#3"]]`, or `["back", n]` when decisions were taken back
and only the first n entries stand. A line that was cut off, because the process
was killed while it wrote, is as if it had never been. Chance follows from the
seed, so going on from a journal is playing its choices again.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from ..interpreter.errors import UsageError
from ..interpreter.game import Game, load, resume
from ..interpreter.match import Match
from ..interpreter.randomness import Generator

FORMAT = 1
IDENTITY = ("game", "spec", "variants", "options", "fingerprint", "rules", "players", "seed")
KEPT = 50
"""Journals of finished matches that are kept in the state folder."""


def state_folder() -> Path:
    """Where journals lie: `DRAGONRULES_STATE`, or the folder that the XDG specification names."""
    own = os.environ.get("DRAGONRULES_STATE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "dragonrules"


class Journal:
    """Writes down a match as it is played."""

    def __init__(self, path: Path, match: Match, seats: Sequence[str]) -> None:
        """A journal of all that has been so far; a file that was there is replaced in one go."""
        self.path = path
        self.written: list[list[Any]] = []
        self._over = False
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        data = match.to_json()
        head = {"journal": FORMAT, **{key: data[key] for key in IDENTITY}, "seats": list(seats)}
        self._file: IO[str] = beside.open("w", encoding="utf-8")
        self._write(head)
        self.record(match, safely=True)
        os.replace(beside, path)

    @classmethod
    def in_state_folder(cls, match: Match, seats: Sequence[str]) -> Journal | None:
        """A new journal there; None where nothing can be written."""
        folder = state_folder()
        name = f"{Path(match.game.spec).stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"
        try:
            _tidy(folder)
            return cls(folder / name, match, seats)
        except OSError:
            return None

    def record(self, match: Match, *, safely: bool = False) -> None:
        """Write what is new; `safely` waits until it is on the disk."""
        log, written = match.log, self.written
        same = len(written)
        if same > len(log) or (same and written[-1] is not log[same - 1]):  # something was taken back
            same = 0
            while same < min(len(log), len(written)) and log[same] == written[same]:
                same += 1
            if same < len(written):
                self._write(["back", same])
        for entry in log[same:]:
            self._write(entry)
        self.written = list(log)
        if match.over and not self._over:
            self._write(["over", sorted(match.winners)])
        self._over = match.over
        self._file.flush()
        if safely:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())

    def _write(self, data: Any) -> None:
        self._file.write(json.dumps(data, separators=(",", ":")) + "\n")

    def close(self) -> None:
        self._file.close()


# ---------------------------------------------------------------- reading
@frozen
class Story:
    """What a journal tells."""

    path: Path
    head: dict[str, Any]
    log: list[list[Any]]
    over: bool

    @property
    def seats(self) -> list[str]:
        return list(self.head["seats"])

    @property
    def decisions(self) -> int:
        return sum(entry[0] == "choose" for entry in self.log)


def read_journal(path: Path) -> Story | None:
    """What a file tells, if it is a journal."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        head = json.loads(lines[0])
    except (OSError, ValueError):
        return None
    if not isinstance(head, dict) or head.get("journal") != FORMAT or not all(k in head for k in IDENTITY):
        return None
    log: list[list[Any]] = []
    over = False
    for line in lines[1:]:
        try:
            entry = json.loads(line)
        except ValueError:  # cut off, or the empty end
            break
        if entry[0] == "back":
            log = log[: entry[1]]
            over = False
        elif entry[0] == "over":
            over = True
        else:
            log.append(entry)
    return Story(path, head, log, over)


def unfinished() -> list[Story]:
    """The matches in the state folder that can be gone on with, the latest first."""
    stories = [read_journal(path) for path in _journals(state_folder())]
    return [story for story in stories if story is not None and not story.over and story.log]


def resume_any(path: Path, game: Game | None) -> tuple[Match, list[str] | None]:
    """A match from a save or a journal, and who sat where if that is known."""
    story = read_journal(path)
    if story is None:
        return resume(path, game=game), None
    head = story.head
    if game is None:
        game = load(head["spec"], variants=head["variants"], options=head["options"])
    if game.fingerprint != head["fingerprint"]:
        raise UsageError(
            "D0701",
            f"the journal was written with other rules of {head['game']}",
            game.changed_since(head) or "load the same spec, variants and options",
        )
    return played_again(game, story), story.seats


def played_again(game: Game, story: Story) -> Match:
    """The match that a journal tells."""
    match = game.start(story.head["players"], seed=story.head["seed"])
    for entry in story.log:
        if entry[0] == "choose":
            match.choose(tuple(entry[2]))
        elif entry[0] == "expire":
            match.expire()
    if json.loads(json.dumps(match.log[: len(story.log)])) == story.log:  # it may lack what chance did last
        return match
    match = game.start(story.head["players"], seed=story.head["seed"], chance="ask")  # chance went otherwise
    match.replay(story.log)
    match.state.rng = Generator(story.head["seed"] ^ len(story.log))
    match.ask_chance = False
    while match.chance is not None:
        match.resolve(0)
    return match


def _journals(folder: Path) -> list[Path]:
    try:
        found = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.jsonl")]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


def _tidy(folder: Path) -> None:
    """Drop the oldest journals of matches that are over."""
    for path in _journals(folder)[KEPT:]:
        story = read_journal(path)
        if story is None or story.over:
            path.unlink(missing_ok=True)
