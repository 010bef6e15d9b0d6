"""One position under two rule sets: who is asked, what may be chosen, who sees what, how it counts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from ...interpreter.core.errors import UsageError
from ...interpreter.loading import rules_then
from ...interpreter.play.crossing import crossed
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.table.design import Sides, side_by_side
from .helping import plural
from .under import Record, earlier, read_record, whole_choice


@frozen
class Both:
    """The same position by two rule sets."""

    step: int
    turn: int
    sides: Sides
    refused: dict[str, str]
    """Why what was possible no longer is, by option."""
    sights: list[str]
    scores: list[str]
    notes: list[str]


@frozen
class At:
    """A position of a saved match: `table.json:12` is the one after 12 steps, `table.json` the last. In the middle
    of a choice it is the one before that choice."""

    record: Record
    game: Game
    match: Match
    step: int
    name: str

    @classmethod
    def read(cls, text: str) -> At:
        found = re.fullmatch(r"(.+):(\d+)", text)
        path, number = (found[1], int(found[2])) if found and not Path(text).exists() else (text, None)
        record = read_record(Path(path))
        game = rules_then(record.head)
        replay = record.replay(game)
        step = replay.steps if number is None else number
        if step > replay.steps:
            raise click.UsageError(f"`{path}` has {replay.steps} steps, so there is nothing after {step}")
        step = whole_choice(replay, step)
        return cls(record, game, record.match(game, replay.ends[step]), step, str(path))

    def under(self, game: Game) -> tuple[Match, list[str]]:
        if game.fingerprint == self.game.fingerprint:
            return self.match, []
        try:
            return crossed(self.match, game)
        except UsageError as problem:
            found = earlier(self.record, self.game, game, self.record.replay(self.game), self.step)
            if problem.code != "D0712" or found is None:
                raise
            help = f"`--at {self.name}:{found}` is the position before it that both know"
            raise UsageError(problem.code, problem.message, help) from None

    def both(self, base: Game, other: Game) -> Both:
        here, _ = self.under(base)
        there, notes = self.under(other)
        sides = side_by_side(here, there)
        refused = {label: why for label in sides.lost if (why := _why(here, there, label))}
        return Both(self.step, here.turn, sides, refused, _sights(here, there), _scores(here, there), notes)


def _why(here: Match, there: Match, label: str) -> str | None:
    decision = here.decision
    assert decision is not None
    option = next(o for o in decision.options if o.label == label)
    try:
        return there.why_not(option.key)
    except UsageError:
        return None


def _sights(here: Match, there: Match) -> list[str]:
    """Who sees more or less of what."""
    found: dict[tuple[str, str], list[str]] = {}
    for seat in (*range(1, here.players + 1), None):
        then, now = _open(here.view(seat)), _open(there.view(seat))
        who = f"player {seat}" if seat is not None else "a spectator"
        for label in sorted(now - then):
            found.setdefault((label, "sees"), []).append(who)
        for label in sorted(then - now):
            found.setdefault((label, "no longer sees"), []).append(who)
    return [f"{_and(who)} {verb} {label}" for (label, verb), who in found.items()]


def _open(view: dict[str, Any]) -> set[str]:
    """What a view shows: places that are open, states."""
    places = {label for label, place in view["places"].items() if "contents" in place}
    return places | set(view["states"])


def _scores(here: Match, there: Match) -> list[str]:
    then, now = here.scores, there.scores
    return [
        f"player {seat} has {now[seat]} points instead of {points}"
        for seat, points in then.items()
        if seat in now and now[seat] != points
    ]


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# ---------------------------------------------------------------- telling
def lines_of(both: Both, base: str, other: str) -> list[str]:
    """The same in words."""
    sides = both.sides
    out = [f"  after {plural(both.step, 'step')}, turn {both.turn}"]
    out += [f"  {sides.question}"] if sides.question else []
    out += [f"  {sides.note}"] if sides.note else []
    for words, labels in (
        ("both", sides.both),
        (f"only {base}", sides.lost),
        (f"only {other}", sides.gained),
    ):
        if labels:
            out.append(f"  {words}: {', '.join(labels)}")
    out += [f"    {label}: {why}" for label, why in both.refused.items()]
    out += [f"  {line}" for line in (*both.sights, *both.scores)]
    if not (sides.lost or sides.gained or sides.note or both.sights or both.scores):
        out.append("  nothing is different here")
    return [*out, *(f"  note: {note}" for note in both.notes)]


def as_data(both: Both) -> dict[str, Any]:
    sides = both.sides
    return {
        "step": both.step,
        "turn": both.turn,
        "question": sides.question,
        "note": sides.note,
        "both": sides.both,
        "lost": sides.lost,
        "gained": sides.gained,
        "refused": both.refused,
        "sights": both.sights,
        "scores": both.scores,
        "carried": both.notes,
    }
