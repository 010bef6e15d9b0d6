"""`dragonrules replay`: goes through a match that was saved, forwards and backwards."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from ...interpreter.core.errors import UsageError
from ...interpreter.loading import game_of
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.play.replay import Difference, Replay, first_difference
from ...interpreter.table.forced import Forced
from ...interpreter.table.lying import Lying
from ...interpreter.table.narrate import Chronicle, Narrator
from ...interpreter.table.text import Line
from ...interpreter.table.words import Words
from ..options.helping import examples, plural
from ..options.under import Record, choice_under, read_record
from ..table.tabletop import Tabletop

if TYPE_CHECKING:
    from ..table.screen import Screen

EPILOG = examples(
    "dragonrules replay table.json",
    "dragonrules replay table.json --to 12 --seat 2",
    "dragonrules replay table.json --turn 5 --format json",
    "dragonrules replay table.json --under heroes --under goal=8",
)
HELP = [
    "  Enter, next   one step on            back          one step back",
    "  12            after 12 steps         turn 5        to the beginning of turn 5",
    "  first, last   to either end          seat 2, all   what seat 2 sees, or everything",
    "  log           all that happened      quit",
]


@click.command("replay", epilog=EPILOG, short_help="Go through a saved match, forwards and backwards.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--to", "to", type=click.IntRange(min=0), metavar="N", help="Show the match after N steps.")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="Show the beginning of turn N.")
@click.option(
    "--seat", type=click.IntRange(min=1), metavar="N", help="Show what seat N sees, instead of everything."
)
@click.option(
    "--under",
    "under",
    multiple=True,
    metavar="VARIANT|OPTION=VALUE",
    help="Follow the log under other rules, up to the first decision that differs; repeatable.",
)
@click.option(
    "--anyway", is_flag=True, help="Follow the log under the rules as they are now, though they have changed."
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print it."
)
def command(
    log: Path,
    to: int | None,
    turn: int | None,
    seat: int | None,
    under: tuple[str, ...],
    anyway: bool,
    style: str,
) -> None:
    """Go through a saved match, forwards and backwards.

    LOG is what `run --save` or `fuzz` has written, or a journal. At a terminal you step
    through it; in a pipe, or with --to or --turn, it is told up to there. A step is a
    decision with all that follows from it. With --under the log is followed under a
    variant or other options: it tells where they first make a difference.
    """
    if to is not None and turn is not None:
        raise click.UsageError("--to and --turn say different things")
    record = read_record(log)
    game, own = rules_of(record, under, anyway)
    replay = record.replay(own or game)
    if seat is not None and seat > replay.players:
        raise click.UsageError(f"there is no seat {seat}; seats are 1 to {replay.players}")
    difference = None
    if under or own is None:
        difference = first_difference(replay, game, same_game=own is not None)
        if own is None:
            replay = _as_far_as_possible(game, record, difference)
    if seat is not None and difference is None:
        replay = replay.as_seen_by(seat)
    last = replay.steps if difference is None else min(difference.step, replay.steps)
    place = replay.step_of_turn(turn) if turn is not None else last if to is None else to
    if place > replay.steps:
        raise click.UsageError(f"there are {plural(replay.steps, 'step')}, so there is nothing after {place}")
    if style == "json":
        click.echo(json.dumps(as_data(replay, place, seat, difference), indent=2))
    elif to is None and turn is None and sys.stdin.isatty() and sys.stdout.isatty():
        Walk(replay, _screen(), seat, record, difference, compared=bool(under)).go()
    else:
        tell(replay, place, seat)
        for text in endings(replay, place, record, difference, bool(under)):
            click.echo(text)


# ---------------------------------------------------------------- the file and its rules
def rules_of(record: Record, under: tuple[str, ...], anyway: bool) -> tuple[Game, Game | None]:
    """The rules to follow the log under, and the log's own, if they are still to be had."""
    head = record.head
    own = game_of(head)
    as_written = own.fingerprint == head["fingerprint"]
    if not as_written and not under and not anyway:
        raise UsageError(
            "D0701",
            f"the match was played by other rules of {head['game']} than there are now",
            f"{own.changed_since(head) or 'the rules were edited'}; --anyway follows it as far as it goes",
        )
    if not under:
        return own, own if as_written else None
    return choice_under(own, head["options"], under).load(), own if as_written else None


def _as_far_as_possible(game: Game, record: Record, difference: Difference | None) -> Replay:
    """The part of a log of other rules that can be played by these."""
    log = record.log
    whole = record.replay(game)
    if difference is not None:
        log = log[: whole.ends[difference.step]]
    return evolve(record, log=log).replay(game)


# ---------------------------------------------------------------- telling
class Tale:
    """Sentences for what happens from step to step, as a seat notices it or as it is."""

    def __init__(self, replay: Replay, seat: int | None) -> None:
        self.replay = replay
        self.seat = seat
        self.words = Words.of(replay.at(0))
        self.narrator = Narrator(self.words)

    def of_step(self, step: int) -> list[str]:
        """What came of the step that led to this position."""
        chronicle, forced = Chronicle(self.replay.players), Forced()
        if step > 0:
            self._news(chronicle, step - 1, forced)
        news = self._news(chronicle, step, forced)
        self._look(step)
        return self.narrator.sentences(news, chronicle.then)

    def up_to(self, step: int) -> list[str]:
        """All that has happened; answers to one question are told together."""
        chronicle, forced = Chronicle(self.replay.players), Forced()
        parts: list[tuple[int, Lying, list[Any]]] = []
        for number in range(step + 1):
            teller, news = self._teller(number), self._news(chronicle, number, forced)
            if not parts or parts[-1][0] != teller:
                parts.append((teller, chronicle.then, []))
            parts[-1][2].extend(news)
        self._look(step)
        return [sentence for _, then, events in parts for sentence in self.narrator.sentences(events, then)]

    def _look(self, step: int) -> None:
        self.words.view = view_of(self.replay.at(step), self.seat)

    def _teller(self, step: int) -> int:
        """In whose words a step is told: of the seat that is asked for, or of who decided."""
        entry = self.replay.entry(step - 1) if step else None
        return self.seat or (entry[1] if entry is not None and entry[0] == "choose" else 1)

    def _news(self, chronicle: Chronicle, step: int, forced: Forced) -> list[Any]:
        """What happened up to a position. What is forced there is told with the next step."""
        teller, match = self._teller(step), self.replay.at(step)
        if self.seat is not None:
            news = chronicle.news_for(match, self.seat)
        else:
            news = chronicle.news(match, teller)
        told = forced.told(news)
        if self.seat is None or self.seat == match.asked:
            forced.meet(match)
        return told

    def next_words(self, step: int) -> str:
        entry = self.replay.entry(step)
        if entry is None:
            return "that is the end of the log"
        if entry[0] == "expire":
            return "next: time runs out"
        if self.seat is not None and entry[1] != self.seat:
            return f"next: {waits_for(self.replay.at(step), self.seat)}"
        match = self.replay.at(step)
        assert match.decision is not None
        return f"next: player {entry[1]} chooses {match.decision.options[match.index_in_log(entry[2])].label}"


def view_of(match: Match, seat: int | None) -> dict[str, Any]:
    if seat is not None:
        return match.view(seat)
    return match.everything()


def waits_for(match: Match, seat: int) -> str:
    """Whom a seat knows to be asked."""
    who = match.view(seat)["waiting_for"]
    return (
        f"player {who} decides"
        if isinstance(who, int)
        else "reactions are awaited"
        if who
        else "others decide"
    )


def status(replay: Replay, step: int, seat: int | None) -> str:
    match = replay.at(step)
    parts = [match.game.name, f"step {step} of {replay.steps}"]
    if match.turn:
        parts.append(f"turn {match.turn}")
    decision = match.decision
    whose = (
        waits_for(match, seat)
        if seat is not None
        else f"player {decision.player} decides"
        if decision
        else ""
    )
    parts.append("over" if match.over else whose if decision else "chance")
    parts.append("everything" if seat is None else f"as seat {seat} sees it")
    return ", ".join(parts)


def endings(
    replay: Replay, step: int, record: Record | None, difference: Difference | None, compared: bool
) -> list[str]:
    """What is to be said at the end of the way."""
    lines: list[str] = []
    if compared and difference is None and step == replay.steps:
        lines += ["Under the other rules every decision would have been the same."]
    if difference is not None and step >= min(difference.step, replay.steps):
        lines += [f"Here the other rules make a difference: {difference.words}."]
    if record is not None and record.failure is not None and step == replay.steps:
        lines += ["Here it fails:", *str(record.failure["error"]).splitlines()]
    return lines


def tell(replay: Replay, step: int, seat: int | None) -> None:
    tale = Tale(replay, seat)
    for sentence in tale.up_to(step):
        click.echo(sentence if sentence.endswith("'s turn.") else f"  {sentence}")
    click.echo(f"\n{status(replay, step, seat)}\n")
    for line in Tabletop(tale.words, plain=True).lines(view_of(replay.at(step), seat), 100):
        click.echo(line.plain)


def as_data(replay: Replay, step: int, seat: int | None, difference: Difference | None) -> dict[str, Any]:
    match = replay.at(step)
    entry = replay.entry(step)
    return {
        "game": match.game.name,
        "fingerprint": match.game.fingerprint,
        "steps": replay.steps,
        "step": step,
        "turn": match.turn,
        "over": match.over,
        "winners": sorted(match.winners),
        "seat": seat,
        "view": view_of(match, seat),
        "happened": Tale(replay, seat).of_step(step),
        "next": None if entry is None or (seat is not None and entry[1:2] != [seat]) else entry,
        "difference": None
        if difference is None
        else {"step": difference.step, "turn": difference.turn, "words": difference.words},
    }


# ---------------------------------------------------------------- at a terminal
class Walk:
    """Somebody goes through the match."""

    def __init__(
        self,
        replay: Replay,
        screen: Screen,
        seat: int | None,
        record: Record,
        difference: Difference | None,
        *,
        compared: bool,
    ) -> None:
        self.replay = replay
        self.screen = screen
        self.record = record
        self.difference = difference
        self.compared = compared
        self.last = replay.steps if difference is None else min(difference.step, replay.steps)
        self.step = self.last if difference is not None else 0
        self.notice: list[str] = []
        self.look(seat)

    def look(self, seat: int | None) -> None:
        self.seat = seat
        self.tale = Tale(self.replay, seat)
        self.tale.words = Words.of(self.replay.at(0), self.screen.glyphs)
        self.tale.narrator = Narrator(self.tale.words)
        self.tabletop = Tabletop(self.tale.words, plain=self.screen.plain)

    def go(self) -> None:
        from ..table.screen import Left

        try:
            while True:
                self.draw()
                if not self.obey(self.screen.read(Line(("replay> ", "bold")), redraw=self.draw)):
                    return
        except Left:
            return

    def draw(self) -> None:
        wide, high = self.screen.width, self.screen.height
        more = self.screen.glyphs.more
        before = view_of(self.replay.at(self.step - 1), self.seat) if self.step else None
        happened = [Line(f"  {text}").cut(wide, more) for text in self.tale.of_step(self.step)][-8:]
        below = [
            Line(text).cut(wide, more)
            for text in (
                *endings(self.replay, self.step, self.record, self.difference, self.compared),
                *self.notice,
            )
        ]
        below += [
            Line((self.tale.next_words(self.step) + "   (help tells what to type)", "dim")).cut(wide, more)
        ]
        self.notice = []
        room = max(4, high - len(happened) - len(below) - 4)
        table = self.tabletop.lines(view_of(self.replay.at(self.step), self.seat), wide, room, before=before)
        head = Line((status(self.replay, self.step, self.seat), "bold")).cut(wide, more)
        self.screen.page([head, *happened, Line(), *table, Line(), *below])

    def obey(self, text: str) -> bool:
        """Do what was typed; False when it is time to go."""
        word, _, rest = text.lower().partition(" ")
        if word in ("q", "quit", "exit"):
            return False
        if word in ("", "n", "next"):
            self.to(self.step + 1)
        elif word in ("b", "back"):
            self.to(self.step - 1)
        elif word in ("first", "last"):
            self.to(0 if word == "first" else self.last)
        elif word.isdecimal():
            self.to(int(word))
        elif word == "turn" and rest.isdecimal():
            self.to(self.replay.step_of_turn(int(rest)))
        elif word == "seat" and rest.isdecimal() and 1 <= int(rest) <= self.replay.players:
            self.look(int(rest))
        elif word == "all":
            self.look(None)
        elif word == "log":
            self.screen.pager(self.tale.up_to(self.step))
        else:
            self.notice = HELP
        return True

    def to(self, step: int) -> None:
        if step > self.last:
            self.notice = ["There is nothing behind this."]
        elif step < 0:
            self.notice = ["This is the beginning."]
        self.step = max(0, min(step, self.last))


def _screen() -> Screen:
    from rich.console import Console

    from ..table.screen import Screen

    return Screen(Console(highlight=False, markup=False, emoji=False))
