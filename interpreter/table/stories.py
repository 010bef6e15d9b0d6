"""Reading journals: what is told of a match, how much of it is sure, and playing it again.

The first line of a journal says which match it is; every other line is an entry of
its log, `["choose", 1, ["c", "Card#3"]]`, or what befell the log: `["back", n]` when
decisions were taken back and only the first n entries stand, `["over", winners]`,
`["seats", kinds]` when others sit down, and `["left"]` when the journal is closed.

Behind each line stand a tab and a checksum over it and the checksum of the line
before. So a line that was changed, dropped, doubled or moved is noticed, and
nothing behind it is believed. Whole lines at the end cannot be missed that way:
that they are there is what `["left"]` says. Whatever is not as it should be is in
`Story.problem`; the entries in front of it still count.

Journals of format 1 have neither checksums nor `["left"]`. They are read, and
written anew in the present format when the match goes on.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from attrs import define, field

from ..core.errors import DragonError, UsageError
from ..core.randomness import Generator
from ..loading import first_of, game_of
from ..play.game import Game
from ..play.match import Match
from .text import plural

FORMAT = 2
START = b'{"journal":'
_HEAD = {
    "game": str,
    "spec": str,
    "variants": list,
    "options": dict,
    "fingerprint": str,
    "rules": dict,
    "players": int,
    "seed": int,
    "seats": list,
}
IDENTITY = tuple(name for name in _HEAD if name != "seats")


def checksum(before: str, text: bytes) -> str:
    """Of a line, and through the checksum before it of all that comes before."""
    return hashlib.blake2b(before.encode() + b"\n" + text, digest_size=8).hexdigest()


class BadJournal(UsageError):
    """A journal that does not even say which match it is."""

    def __init__(self, path: Path, why: str, help: str | None = None) -> None:
        super().__init__("D0702", f"the journal `{path}` {why}", help)


@define
class Story:
    """What a journal tells. `problem` is what is wrong with it; `sum` the checksum of its last good line."""

    path: Path
    head: dict[str, Any]
    size: int
    format: int
    sum: str
    seats: list[str]
    log: list[list[Any]] = field(factory=list)
    over: bool = False
    left: bool = False
    problem: str | None = None
    damage: str | None = None
    """A problem that spoils the file: lines that cannot be believed, not only a missing end."""

    @property
    def decisions(self) -> int:
        return sum(entry[0] == "choose" for entry in self.log)

    @property
    def whole(self) -> bool:
        """Can it simply be written on?"""
        return self.format == FORMAT and self.damage is None


def read_journal(path: Path) -> Story | None:
    """What a file tells; None if it is no journal. Raises `BadJournal` for one that cannot be used at all."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    first, _, rest = data.partition(b"\n")
    text, _, said = first.partition(b"\t")
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or "journal" not in head:
        if data.startswith(START):
            raise BadJournal(path, "is damaged in its first line, so nobody can tell which match it is")
        return None
    story = Story(path, head, len(data), _format(path, head), checksum("", text), [])
    if story.format > 1 and said.decode(errors="replace") != story.sum:
        raise BadJournal(path, "is damaged in its first line: it says something else than was written")
    for name, type_ in _HEAD.items():
        if not isinstance(head.get(name), type_) or isinstance(head.get(name), bool):
            raise BadJournal(path, f"does not say its `{name}` in the first line")
    if not all(isinstance(word, str) for word in (*head["variants"], *head["seats"])):
        raise BadJournal(path, "has a first line that makes no sense")
    story.seats = list(head["seats"])
    _read_lines(story, rest.split(b"\n"))
    return story


def _format(path: Path, head: dict[str, Any]) -> int:
    number = head["journal"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise BadJournal(path, "has a first line that makes no sense")
    if number > FORMAT:
        raise BadJournal(
            path, f"is of format {number}, which this version of dragonrules does not know", "use a newer one"
        )
    return number


def _read_lines(story: Story, lines: list[bytes]) -> None:
    ended = lines[-1] == b""
    for number, line in enumerate(lines if not ended else lines[:-1], start=2):
        last = number == len(lines) + 1 and not ended
        text, said = line, story.sum
        if story.format > 1:
            text, _, found = line.rpartition(b"\t")
            said = checksum(story.sum, text)
            if found.decode(errors="replace") != said:
                _spoiled(story, number, "was cut off" if last else "is damaged")
                return
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            _spoiled(story, number, "was cut off" if last else "is damaged")
            return
        if not _take(story, entry):
            _spoiled(story, number, "makes no sense")
            return
        story.sum = said
    if story.format > 1 and not ended:
        _spoiled(story, len(lines) + 1, "was cut off behind its last word")
    elif story.format > 1 and not story.left:
        story.problem = (
            f"the journal `{story.path}` was not closed: the program was stopped, or its last lines are "
            f"missing. {plural(story.decisions, 'decision')} can be gone on with"
        )


def _spoiled(story: Story, line: int, what: str) -> None:
    story.damage = story.problem = (
        f"line {line} of the journal `{story.path}` {what}; what comes behind it is not believed. "
        f"{plural(story.decisions, 'decision')} in front of it can be gone on with"
    )


def _take(story: Story, entry: Any) -> bool:
    """A line of the journal, if it is one."""
    story.left = False
    match entry:
        case ["choose", int(), [*_]] | ["chance", _] | ["expire"]:
            story.log.append(entry)
        case ["back", int(n)] if 0 <= n <= len(story.log):
            del story.log[n:]
            story.over = False
        case ["over", [*_]]:
            story.over = True
        case ["seats", [*kinds]] if all(isinstance(kind, str) for kind in kinds):
            story.seats = kinds
        case ["left"]:
            story.left = True
        case _:
            return False
    return True


# ---------------------------------------------------------------- playing it again
def resume_story(story: Story, game: Game | None) -> Match:
    """The match that a journal tells, by its own rules."""
    head = story.head
    game = game or game_of(head)
    if game.fingerprint != head["fingerprint"]:
        raise UsageError(
            "D0701",
            f"the journal was written with other rules of {head['game']}",
            game.changed_since(head) or "load the same spec, variants and options",
        )
    if len(story.seats) != head["players"]:
        raise BadJournal(story.path, f"names {len(story.seats)} seats for {head['players']} players")
    return played_again(game, story)


def played_again(game: Game, story: Story) -> Match:
    """Chance follows from the seed, so this is making its choices again."""
    try:
        match = first_of(game, story.head)
        for entry in story.log:
            if entry[0] == "choose":
                match.choose(match.index_in_log(entry[2]))
            elif entry[0] == "expire":
                match.expire()
        if (
            json.loads(json.dumps(match.log[: len(story.log)])) == story.log
        ):  # it may lack what chance did last
            return match
    except UsageError:
        pass  # chance went otherwise, and led elsewhere
    match = first_of(game, story.head, chance="ask")
    for number, entry in enumerate(story.log, start=1):
        try:
            match.replay_one(entry)
        except DragonError as problem:
            raise BadJournal(story.path, f"cannot be followed beyond entry {number - 1}: {problem}") from None
    match.state.rng = Generator(story.head["seed"] ^ len(story.log))
    match.ask_chance = False
    while match.chance is not None:
        match.resolve(0)
    return match
