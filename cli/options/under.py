"""Other rules for a match that was saved: which they are, and the match under them from where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from ...interpreter.core.errors import UsageError
from ...interpreter.files.find_variants import find_variant
from ...interpreter.loading import as_it_was, first_of, read_save, rules_then
from ...interpreter.play.crossing import crossed, half_chosen
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.play.replay import Replay
from ...interpreter.table.stories import read_journal
from .helping import plural
from .rule_set import Choice

MOST_TRIED = 12
"""Earlier positions that are tried, to say where it would go."""


@frozen
class Record:
    """A match as a file tells it."""

    head: dict[str, Any]
    log: list[list[Any]]
    failure: dict[str, Any] | None = None
    seats: tuple[str, ...] = ()

    def match(self, game: Game, entries: int | None = None) -> Match:
        """The match when its log had so many entries; at the end of it if nothing is said."""
        return as_it_was(game, self.head, self.log[:entries])

    def replay(self, game: Game) -> Replay:
        first = first_of(game, self.head, chance="ask") if "before" in self.head else None
        return Replay(game, self.head["players"], self.head["seed"], self.log, first)


def read_record(path: Path) -> Record:
    """A match from a journal or a save."""
    story = read_journal(path)
    if story is not None:
        if story.damage is not None:
            click.echo(f"note: {story.damage}", err=True)
        return Record(story.head, story.log, None, tuple(story.seats))
    data = read_save(path)
    return Record(data, [list(entry) for entry in data["log"]], data.get("failure"))


def choice_under(game: Game, options: Mapping[str, Any], under: Iterable[str]) -> Choice:
    """The rules of a match with more over them. A variant that it has already counts once: as its file says now."""
    choice = Choice(game.spec, game.variants, {k: str(v) for k, v in options.items()})
    for text in under:
        if not _has(choice, text):
            choice = choice.other(text)
    return choice


def _has(choice: Choice, name: str) -> bool:
    def file_of(text: str) -> tuple[Path, str | None]:
        path, title = find_variant(choice.path, text)
        return path.resolve(), title

    try:
        return file_of(name) in map(file_of, choice.all_variants)
    except UsageError:
        return False


def going_on(record: Record, game: Game, back: str | None) -> tuple[Match, list[str]]:
    """The match under other rules, from its last position or from an earlier one."""
    then = rules_then(record.head)
    replay = record.replay(then)
    last = replay.steps - _steps_back(replay, back)
    step = whole_choice(replay, last)
    match = record.match(then, replay.ends[step])
    try:
        twin, notes = crossed(match, game)
        twin.ask_chance = False
        twin._after()
        return twin, [*notes, *["what was half chosen is taken back"] * (step < last)]
    except UsageError as problem:
        if problem.code != "D0712":
            raise
        found = earlier(record, then, game, replay, step)
        if found is None:
            raise
        steps = replay.steps - found
        turn = replay.at(found).turn
        help = f"`--back {steps}` goes back {plural(steps, 'decision')}, to turn {turn}, where it can"
        raise UsageError(problem.code, problem.message, help) from None


def whole_choice(replay: Replay, step: int) -> int:
    """The step before the choice that has been begun there, or the same."""
    while step > 0 and half_chosen(replay.at(step)):
        step -= 1
    return step


def _steps_back(replay: Replay, back: str | None) -> int:
    if back is None:
        return 0
    if back == "turn":
        return replay.steps - replay.step_of_turn(replay.at(replay.steps).turn)
    if not back.isdigit() or int(back) > replay.steps:
        raise click.UsageError(f"--back is `turn` or a number up to {replay.steps}, not `{back}`")
    return int(back)


def earlier(record: Record, then: Game, game: Game, replay: Replay, step: int) -> int | None:
    """A step not far before this one from which it would go."""
    for number in range(step - 1, max(-1, step - 1 - MOST_TRIED), -1):
        try:
            crossed(record.match(then, replay.ends[number]), game)
        except UsageError:
            continue
        return number
    return None
