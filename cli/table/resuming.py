"""Which of several unfinished matches to go on with: a list with date, game and whose turn it is."""

from __future__ import annotations

import time
from contextlib import suppress

import click

from ...interpreter.core.errors import DragonError
from ...interpreter.loading import game_of
from ...interpreter.play.game import Game
from ...interpreter.table.stories import Story, resume_story
from ..options.helping import plural

MOST = 20
"""Matches that are listed."""


def asked_match(stories: list[Story]) -> Story:
    """The one that is chosen; `drop 2` throws one away."""
    listed = list(stories[:MOST])
    games: dict[str, Game] = {}
    told = {id(story): line(story, games) for story in listed}
    while True:
        click.echo("Which match?")
        for number, story in enumerate(listed, start=1):
            click.echo(f"  {number:>2}  {told[id(story)]}")
        if len(stories) > MOST:
            click.echo(f"      and {len(stories) - MOST} older")
        text = click.prompt("Number, or `drop N` to throw one away", default="1").strip().lower()
        word, _, rest = text.rpartition(" ")
        if rest.isdigit() and 1 <= int(rest) <= len(listed) and word in ("", "drop"):
            chosen = listed[int(rest) - 1]
            if not word:
                return chosen
            with suppress(FileNotFoundError):
                chosen.path.unlink()
            listed.remove(chosen)
            click.echo(f"Thrown away: {told[id(chosen)]}")
            if not listed:
                raise click.UsageError("no unfinished match to resume")
        else:
            click.echo(f"There is no match `{text}`: type a number from 1 to {len(listed)}.")


def line(story: Story, games: dict[str, Game]) -> str:
    """When it was left, what it is, how far it is, and whose turn it is."""
    try:
        left = time.strftime("%Y-%m-%d %H:%M", time.localtime(story.path.stat().st_mtime))
    except OSError:
        left = "?"
    variants = f" with {', '.join(story.head['variants'])}" if story.head["variants"] else ""
    made = plural(story.decisions, "decision")
    seats = ", ".join(story.seats)
    return f"{left}  {story.head['game']}{variants}, {made} ({seats}): {_whose_turn(story, games)}"


def _whose_turn(story: Story, games: dict[str, Game]) -> str:
    fingerprint = story.head["fingerprint"]
    try:
        if fingerprint not in games:
            games[fingerprint] = game_of(story.head)
        match = resume_story(story, games[fingerprint])
    except DragonError:
        return "the rules have changed since"
    if match.asked is None:
        return "over"
    yours = [seat for seat, kind in enumerate(story.seats, start=1) if kind == "human"]
    if yours == [match.asked]:
        return f"turn {match.turn}, your decision"
    return f"turn {match.turn}, player {match.asked} decides"
