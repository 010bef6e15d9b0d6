"""`dragonrules run`: plays a game, at the terminal or by itself."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...interpreter.core.errors import UsageError
from ...interpreter.core.events import Chosen, Observation
from ...interpreter.loading import game_of, resume
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.players import KINDS, Player, player
from ...interpreter.table.forced import Forced
from ...interpreter.table.journal import InUse, Journal, in_use, look_through, state_folder
from ...interpreter.table.lying import Lying
from ...interpreter.table.narrate import Chronicle, Narrator
from ...interpreter.table.stories import Story, read_journal, resume_story
from ...interpreter.table.text import Line
from ...interpreter.table.words import Words
from ..options.engine import engine_option
from ..options.helping import examples, plural
from ..options.overlaid import sentences_of
from ..options.rule_set import Choice, game_options
from ..options.under import choice_under, going_on, read_record
from ..rules.files import SUFFIX
from ..table.resuming import asked_match
from ..table.seating import (
    HUMAN,
    answers_piped,
    asked_game,
    asked_seats,
    check_kinds,
    filled,
    fitting,
    programs,
    usual,
)

if TYPE_CHECKING:
    from ..table.screen import Screen

EPILOG = examples(
    "dragonrules run drakon",
    "dragonrules run leduc_poker --seat human --seat human",
    "dragonrules run games/drakon.dragon --players 4 --auto --seed 7",
    'dragonrules run drakon --variant "Fixed Gold" --set goal=8 --auto --format json',
    "dragonrules run dragon_keeper --web",
    "dragonrules run --resume",
    "dragonrules run --resume table.json",
    "dragonrules run --resume table.json --under thrift --back turn",
)
LAST = "last"
MOST_USELESS = 5
"""Files in the state folder that are named because they cannot be used."""
Answer = TypeVar("Answer")


@click.command("run", epilog=EPILOG, short_help="Play a game, or watch it being played.")
@game_options(required=False)
@engine_option
@click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="Number of players; default: the minimum."
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="|".join([HUMAN, *KINDS]),
    help="Who sits in the first seat, the second, ...; repeatable. By default you and bots.",
)
@click.option("--seed", type=int, help="Fixes chance and what bots do; default: a new one each time.")
@click.option("--auto", is_flag=True, help="Bots in every seat.")
@click.option(
    "--save",
    "save_as",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the match here, decision by decision, instead of in the state folder.",
)
@click.option(
    "--resume",
    "resume_from",
    is_flag=False,
    flag_value=LAST,
    metavar="[FILE]",
    help="Resume a saved match; without FILE, the last unfinished one.",
)
@click.option(
    "--under",
    multiple=True,
    metavar="VARIANT|OPTION=VALUE",
    help="With --resume: go on from there by other rules; repeatable. A new save is begun, the old one stays.",
)
@click.option(
    "--back",
    metavar="N|turn",
    help="With --under: from N decisions earlier, or from the beginning of the turn.",
)
@click.option("--no-clock", is_flag=True, help="Limit talks by number of messages instead of time.")
@click.option(
    "--web", is_flag=True, help="Play in the browser instead: the same as `serve`, with one person."
)
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain ASCII.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="Abandon the match after N decisions.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the outcome."
)
@click.pass_context
def command(
    ctx: click.Context,
    choice: Choice | None,
    players: int | None,
    seats: tuple[str, ...],
    seed: int | None,
    auto: bool,
    save_as: Path | None,
    resume_from: str | None,
    under: tuple[str, ...],
    back: str | None,
    no_clock: bool,
    web: bool,
    ascii_only: bool,
    limit: int,
    style: str,
) -> None:
    """Play a game, or watch it being played.

    FILE is a rule file or the name of a game that comes with dragonrules. At a
    terminal you are asked who plays. With --auto, or where there is nobody to ask,
    bots play, and the log and the result are printed. Lines that are piped in are
    your answers, in the first seat. The same seed gives the same match.

    At a terminal every decision is written down at once, in the folder that
    DRAGONRULES_STATE names (by default ~/.local/state/dragonrules) or in the file
    given with --save; `--resume` continues it, `--resume --under VARIANT` by other
    rules from where it stands.
    """
    if auto and HUMAN in seats:
        raise click.UsageError("--auto leaves no seat for a human")
    check_kinds(seats)
    if (under or back) and (resume_from is None or choice is not None):
        raise click.UsageError(
            "--under and --back go with --resume SAVE and without a game: they change its rules"
        )
    if back and not under:
        raise click.UsageError("--back goes with --under")
    if web:
        if auto or style == "json":
            raise click.UsageError("--web is for playing: without --auto and --format json")
        in_the_browser(choice, players, seats, seed, resume_from, under, back, save_as, clock=not no_clock)
        return
    people = not auto and sys.stdin.isatty() and sys.stdout.isatty()
    if (
        not people
        and not auto
        and not seats
        and choice is not None
        and resume_from is None
        and answers_piped()
    ):
        seats = (HUMAN,)
    screen: Screen | None = None
    if people and choice is None and resume_from is None:
        screen = _screen(ascii_only, to_stderr=style == "json")
        choice = Choice(_ask(asked_game, screen))
    game = choice.load() if choice is not None else None
    story: Story | None = None
    kinds: list[str]
    if resume_from is not None:
        if players is not None or seed is not None:
            raise click.UsageError("a saved match has its players and its seed already")
        sat: list[str] | None
        if under:
            match, sat = resumed_under(resume_from, under, back, people=people)
        else:
            match, story = resumed(resume_from, game, people=people)
            sat = story.seats if story is not None else None
        if sat is not None and not seats and not auto:
            check_kinds(tuple(sat))
            kinds = sat if people else [programs() if kind == HUMAN else kind for kind in sat]
        else:
            kinds = filled(seats, match.players, people=people)
    elif game is not None:
        seed = secrets.randbelow(1_000_000) if seed is None else seed
        if people and not seats and players is None:
            screen = screen or _screen(ascii_only, to_stderr=style == "json")
            kinds = _ask(partial(asked_seats, game), screen)
            players = len(kinds)
            screen.show(["Setting up the table ..."])
        else:
            players = players or fitting(game, len(seats))
            kinds = filled(seats, players, people=people)
        match = game.start(players, seed=seed)
    else:
        raise click.UsageError("which game? `dragonrules games` lists those that come with dragonrules")
    if HUMAN in kinds:
        screen = screen or _screen(ascii_only, to_stderr=style == "json")
        while True:
            journal = kept_journal(match, kinds, save_as, story, screen)
            match, code = at_the_terminal(match, kinds, limit, journal, screen, clock=not no_clock)
            if not match.over or style == "json" or not _again(screen):
                break
            match = match.game.start(match.players, seed=secrets.randbelow(1_000_000))
            save_as, story = None, None
    else:
        code = 0
        by_themselves(match, _seated(match, kinds), kinds, limit, quiet=style == "json")
        if save_as is not None:
            match.save(save_as)
    if style == "json":
        click.echo(json.dumps(outcome(match, kinds), indent=2))
    ctx.exit(code)


# ---------------------------------------------------------------- going on
def resumed(source: str, game: Game | None, *, people: bool) -> tuple[Match, Story | None]:
    """A match from a save, from a journal, or the last one that is not over; and what the journal tells."""
    if source != LAST:
        path = Path(source)
        if not path.is_file():
            raise click.UsageError(f"File '{source}' does not exist.")
        story = read_journal(path)
        if story is None:
            return resume(path, game=game), None
        if people and in_use(path):
            raise InUse(path)
        return _told_again(story, game), story
    chosen = _last(game, people=people)
    return _told_again(chosen, game), chosen


def _last(game: Game | None, *, people: bool) -> Story:
    """The last match that is not over, or the one that somebody picks."""
    stories, useless = look_through()
    for words in useless[:MOST_USELESS]:
        click.echo(f"note: {words}", err=True)
    if len(useless) > MOST_USELESS:
        click.echo(f"note: {len(useless) - MOST_USELESS} more files cannot be used", err=True)
    stories = [s for s in stories if game is None or s.head["fingerprint"] == game.fingerprint]
    if not stories:
        raise click.UsageError("no unfinished match to resume")
    return asked_match(stories) if people and len(stories) > 1 else stories[0]


def resumed_under(
    source: str, under: tuple[str, ...], back: str | None, *, people: bool
) -> tuple[Match, list[str] | None]:
    """A saved match by other rules from where it stands, and who sat where. What changes with the rules is told."""
    path = Path(source) if source != LAST else _last(None, people=people).path
    if not path.is_file():
        raise click.UsageError(f"File '{source}' does not exist.")
    record = read_record(path)
    choice = choice_under(game_of(record.head), record.head["options"], under)
    match, notes = going_on(record, choice.load(), back)
    click.echo(f"From turn {match.turn} on by the rules of {choice.title}.", err=True)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    return match, list(record.seats) or None


def _told_again(story: Story, game: Game | None) -> Match:
    if story.problem is not None:
        click.echo(f"note: {story.problem}", err=True)
    return resume_story(story, game)


def _seated(match: Match, kinds: list[str]) -> list[Player | None]:
    return [
        None if kind == HUMAN else player(kind, seed=match.seed, seat=n) for n, kind in enumerate(kinds, 1)
    ]


# ---------------------------------------------------------------- at a terminal
def _screen(ascii_only: bool, *, to_stderr: bool) -> Screen:
    from rich.console import Console

    from ..table.screen import Screen

    console = Console(stderr=to_stderr, highlight=False, markup=False, emoji=False)
    return Screen(console, ascii_only=ascii_only)


def _ask(question: Callable[[Screen], Answer], screen: Screen) -> Answer:
    """Nobody is at the table yet: leaving here is leaving nothing behind."""
    from ..table.screen import Left

    try:
        return question(screen)
    except Left:
        raise click.Abort from None


def kept_journal(
    match: Match, kinds: list[str], save_as: Path | None, story: Story | None, screen: Screen
) -> Journal | None:
    """Where the match is written down. It can be played without, but not without a word."""
    path = save_as or (story.path if story is not None else None)
    try:
        if path is not None:
            journal = Journal(path, match, kinds, story if path != save_as else None)
        elif screen.is_terminal:
            journal = Journal.in_state_folder(match, kinds)
        else:
            return None
    except OSError as problem:
        words = problem.strerror or str(problem)
        if save_as is not None:
            raise UsageError(
                "D0708", f"`{save_as}` cannot be written: {words}", "name another file"
            ) from None
        click.echo(f"note: this match is not written down: `{path or state_folder()}`: {words}", err=True)
        return None
    if journal.aside is not None:
        click.echo(f"note: the file that was there is now `{journal.aside}`", err=True)
    return journal


def at_the_terminal(
    match: Match,
    kinds: list[str],
    limit: int,
    journal: Journal | None,
    screen: Screen,
    *,
    clock: bool,
) -> tuple[Match, int]:
    """People and bots play. The exit code tells an end, or leaving at a terminal, from input that ran out."""
    from ..table.session import Left, Session

    session = Session(match, _seated(match, kinds), screen, journal=journal, clock=clock)
    if not screen.live:
        screen.show(
            [headline(match, kinds), "Type a number to choose, ? to learn what is asked, help for more."]
        )
    code = 0
    try:
        session.play(limit)
    except Left:
        code = int(not screen.is_terminal)
    except KeyboardInterrupt:
        screen.show([""])
        code = 130
    _keep(session.match, journal, screen)
    return session.match, code


def _again(screen: Screen) -> bool:
    """Whoever is still at the table may want another match, with the same company and other luck."""
    from ..table.screen import Left

    if not screen.live:
        return False
    try:
        return screen.read(Line(("Another match? (y/N) ", "bold"))).lower() in ("y", "yes", "again")
    except (Left, KeyboardInterrupt):
        return False


def _keep(match: Match, journal: Journal | None, screen: Screen) -> None:
    """What is left when people get up from the table, and how to go on with it."""
    if journal is not None:
        journal.record(match, safely=True)
        journal.close()
    if match.over:
        return
    if journal is None or journal.problem is not None:
        why = f", and {journal.path} could not be written: {journal.problem}" if journal is not None else ""
        screen.show([f"The match is not over{why}."])
        return
    ours = journal.path.parent == state_folder()
    how = "--resume" if ours else f"--resume {shlex.quote(str(journal.path))}"
    screen.show([f"Match saved to {journal.path}.", f"Resume with: dragonrules run {how}"])


def in_the_browser(
    choice: Choice | None,
    players: int | None,
    seats: tuple[str, ...],
    seed: int | None,
    resume_from: str | None,
    under: tuple[str, ...],
    back: str | None,
    save_as: Path | None,
    *,
    clock: bool,
) -> None:
    """A table of one's own in the browser."""
    from . import serve

    serve.need_web()
    from ..web.hall import Hall

    game = choice.load() if choice is not None else None
    story: Story | None = None
    if resume_from is not None and under:
        match, sat = resumed_under(resume_from, under, back, people=False)
        kinds = sat or filled(seats, match.players, people=True)
    elif resume_from is not None:
        match, story = resumed(resume_from, game, people=False)
        kinds = story.seats if story is not None else filled(seats, match.players, people=True)
    elif game is not None:
        count = players or (fitting(game, len(seats)) if seats else usual(game))
        kinds = filled(seats, count, people=True)
        match = game.start(count, seed=secrets.randbelow(1_000_000) if seed is None else seed)
    else:
        raise click.UsageError("which game? `dragonrules games` lists those that come with dragonrules")
    with serve.listening(0, lan=False) as listener:
        hall = Hall(serve.address_of(listener, lan=False), clock=clock)
        opened = hall.open(match, kinds, story=story, path=save_as)
        serve.tell(hall, opened, lan=False)
        serve.open_browser(hall, opened)
        serve.run_server(hall, listener, lan=False)


# ---------------------------------------------------------------- without one
def headline(match: Match, kinds: list[str]) -> str:
    game = match.game
    variants = f" with {', '.join(Path(v).stem for v in game.variants)}" if game.variants else ""
    return (
        f"{game.name}{variants} for {plural(match.players, 'player')} ({', '.join(kinds)}), seed {match.seed}"
    )


def by_themselves(
    match: Match, seated: list[Player | None], kinds: list[str], limit: int, *, quiet: bool
) -> None:
    """Bots play; the log and the result are printed unless `quiet`."""
    teller = None if quiet else Teller(match)
    if teller is not None:
        click.echo(headline(match, kinds))
        for title, sentence in sentences_of(match.game):
            click.echo(f"{title}: {sentence}")
        teller.go_on(1)
    start = match.decisions
    while not match.over:
        if match.decisions - start >= limit:
            raise UsageError("D0905", f"the match is not over after {plural(limit, 'decision')}")
        seat = match.asked
        assert seat is not None
        mover = seated[seat - 1]
        assert mover is not None
        if teller is not None:
            teller.forced.meet(match)
        match.choose(mover.choose(match))
        if teller is not None:
            teller.go_on(seat)
    if teller is not None and match.scores:
        click.echo("Scores: " + ", ".join(f"player {seat} {score}" for seat, score in match.scores.items()))


class Teller:
    """Prints what happens in a match, for somebody who sees everything."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.chronicle = Chronicle(match.players)
        self.narrator = Narrator(Words.of(match))
        self.held: list[Observation] = []
        self.forced = Forced()
        self.then = Lying()

    def go_on(self, seat: int) -> None:
        """After a decision of a seat. Choices are held back until something comes of them,
        so that those which belong together are told together."""
        pending = self.match.pending
        if pending is not None and not pending.first:
            return
        news = self.forced.told(self.chronicle.news(self.match, seat))
        if not self.held:
            self.then = self.chronicle.then
        self.held += news
        self.narrator.words.view = self.match.view(seat)
        end = len(self.held)
        while self.match.asked == seat and end > 0 and isinstance(self.held[end - 1], Chosen):
            end -= 1
        for sentence in self.narrator.sentences(self.held[:end], self.then):
            click.echo(sentence if sentence.endswith("'s turn.") else f"  {sentence}")
        self.held = self.held[end:]


def outcome(match: Match, kinds: list[str]) -> dict[str, Any]:
    """The match as one JSON document."""
    game = match.game
    return {
        "game": game.name,
        "fingerprint": game.fingerprint,
        "variants": [Path(v).stem if v.endswith(SUFFIX) else v for v in game.variants],
        "options": game.options,
        "players": match.players,
        "seed": match.seed,
        "seats": kinds,
        "over": match.over,
        "winners": sorted(match.winners),
        "reason": match.reason,
        "scores": {str(seat): score for seat, score in match.scores.items()},
        "turns": match.turn,
        "decisions": match.decisions,
        "log": match.log,
    }
