"""A match at the terminal: people decide by typing, bots by themselves.

Every page is made from the view of the seat that is to decide. When several
people share the keyboard and there are secrets, the screen is cleared and the
next one is asked to take over first. A decision can be taken back as long as
nothing that was hidden has come to light since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from attrs import Factory, define

from ...interpreter.core import value_types as t
from ...interpreter.core.errors import DragonError, UsageError
from ...interpreter.core.events import Chosen, MatchOver, Observation, TurnBegan
from ...interpreter.play.asking import point_of
from ...interpreter.play.clocks import running_clock
from ...interpreter.play.match import Decision, Match, Option
from ...interpreter.play.undoing import has_secrets, retraced
from ...interpreter.players import Player
from ...interpreter.table.dress import seat_style
from ...interpreter.table.forced import ForcedChoice, forced_event
from ...interpreter.table.form import MOST_KEPT, Forms, vector_lines
from ...interpreter.table.journal import Journal
from ...interpreter.table.lying import Lying
from ...interpreter.table.narrate import Narrator
from ...interpreter.table.text import Line, in_columns
from ...interpreter.table.words import View, Words, capital
from .screen import Left, Screen, TimeUp
from .tabletop import Tabletop
from .typed import COMMANDS, Commands

MOST_EVENTS = 160
MOST_OPTION_LINES = 8
FEWEST_NEWS = 3
MOST_UNSEEN = 20


@define
class Question:
    """A decision on the screen: its options in words, and which of them are listed."""

    decision: Decision
    view: View
    labels: list[Line]
    listed: list[int]
    numbers: bool  # all options are numbers: what is typed is the number itself
    page: int = 0
    folded: bool = False  # the list has given way to the table, which bears the numbers
    unfolded: bool = False  # somebody has asked for it

    @property
    def options(self) -> tuple[Option, ...]:
        return self.decision.options


@define
class Memory:
    """What a seat was shown when it last had a say: what has changed since is marked."""

    view: View | None = None  # the latest page
    base: View | None = None  # the last page before somebody else had a say
    seen: int = 0  # events up to the latest page
    told: int = 0  # events up to the base
    log: int = 0
    forced: dict[int, ForcedChoice] = Factory(dict)  # events that were no choice, by their numbers
    then: Lying = Factory(Lying)  # how tiles lay when it had noticed
    followed: int = 0  # so many events


class Session:
    def __init__(
        self,
        match: Match,
        seats: Sequence[Player | None],
        screen: Screen,
        *,
        journal: Journal | None = None,
        clock: bool = True,
    ) -> None:
        self.match = match
        self.seats = seats
        self.screen = screen
        self.journal = journal
        self.words = Words.of(match, screen.glyphs)
        self.tabletop = Tabletop(self.words, plain=screen.plain)
        self.narrator = Narrator(self.words)
        self.forms = Forms()
        self.memory = [Memory() for _ in seats]
        self.has_secrets = has_secrets(match)
        self.people = [seat for seat, player in enumerate(seats, start=1) if player is None]
        self.looking: int | None = None
        self.notice: list[Line] = []
        self.told_forced: list[Line] = []  # about menus that left no choice, for who is looking
        self.shown_notice: list[Line] = []
        self.stale = True
        self.ahead: list[str] = []  # answers typed in advance
        self.ahead_at = -1
        self.clock = clock
        self.waiting_since: float | None = None  # when bots began to decide, one after the other
        self._started: tuple[str, int, float] | None = (
            None  # the running clock: name, seconds used, since when
        )
        self.commands = Commands(self)
        self._relive()

    def _relive(self) -> None:
        """Of a match that is gone on with: what people have done in it can be taken back as before, and
        a move that is half made shows what was said of it."""
        now, log = self.match, self.match.log
        theirs = [n for n, entry in enumerate(log) if entry[0] == "choose" and entry[1] in self.people]
        if not theirs:
            return
        try:
            for match, index in retraced(now, theirs[-MOST_KEPT:][0]):
                decision = match.decision
                if decision is None or decision.player not in self.people:
                    continue
                self.match, self.words.you = match, decision.player
                self.forms.meet(match)
                asked = self.question(decision)
                self._note(match, index, asked.labels[index], forced=len(decision.options) == 1)
        except DragonError:  # the log of another version: the match goes on, without a way back
            self.forms = Forms()
        self.match, self.words.you = now, None

    # ------------------------------------------------------------ the loop
    def play(self, limit: int) -> None:
        """Until the match is over; raises `Left` when somebody leaves."""
        start = self.match.decisions
        while not self.match.over:
            if self.match.decisions - start > limit:
                raise UsageError("D0905", f"the match is not over after {limit} decisions")
            assert self.match.asked is not None
            player = self.seats[self.match.asked - 1]
            self.write_down(safely=player is None)
            deadline = self.deadline()
            if deadline is not None and self.screen.now() >= deadline:
                self.run_out()
            elif player is not None:
                self.match.choose(self._thought(player, self.match.asked))
            else:
                self.waiting_since = None
                self.ask()
        self.write_down(safely=True)
        self.show_end()

    def _thought(self, player: Player, seat: int) -> int:
        """What a bot decides; people who wait for long are told for whom."""
        if self.waiting_since is None:
            self.waiting_since = self.screen.now()
        with self.screen.thinking(capital(self.words.player(seat)), self.waiting_since):
            return player.choose(self.match)

    def write_down(self, *, safely: bool) -> None:
        """In the journal. When that fails, playing goes on, and people know."""
        if self.journal is None:
            return
        before = self.journal.problem
        self.journal.record(self.match, safely=safely)
        now = self.journal.problem
        if now is not None and before is None:
            text = f"The match cannot be written down any more: {now}. You can play on."
            self.tell([Line((text, "bold red"))])
        elif now is None and before is not None:
            self.tell(["The match is written down again."])

    def take(self, index: int, label: Line, *, forced: bool = False) -> None:
        self._note(self.match, index, label, forced=forced)
        self.match.choose(index)

    def _note(self, match: Match, index: int, label: Line, *, forced: bool) -> None:
        """Before an answer is carried out: how to take it back, and whether it was one."""
        self.forms.add(match, self.words, index, label, forced=forced)
        seat, event = match.asked, forced_event(match)
        assert seat is not None
        memory, number = self.memory[seat - 1], len(match.observations(seat))
        memory.forced.pop(number, None)
        if event is not None:
            memory.forced[number] = event

    def noticed(self, seat: int) -> list[Observation]:
        """What a seat has noticed, with what was no choice of its own."""
        events, forced = list(self.match.observations(seat)), self.memory[seat - 1].forced
        for number, event in forced.items():
            if number < len(events):
                events[number] = event
        return events

    def _then(self, seat: int, events: Sequence[Observation], number: int) -> Lying:
        """How tiles lay when a seat had noticed so many events."""
        memory = self.memory[seat - 1]
        if memory.followed > number:
            memory.then, memory.followed = Lying(), 0
        memory.then.after(events[memory.followed : number])
        memory.followed = number
        return memory.then.copy()

    # ------------------------------------------------------------ clocks
    def deadline(self) -> float | None:
        """When time runs out around the pending decision; None where no clock is real."""
        clock = running_clock(self.match) if self.clock else None
        if clock is None:
            self._started = None
            return None
        if self._started is None or self._started[0] != clock.name or clock.used < self._started[1]:
            self._started = (clock.name, clock.used, self.screen.now())
        self._started = (clock.name, clock.used, self._started[2])
        return self._started[2] + clock.seconds

    def run_out(self) -> None:
        """The sand has run through; what follows is in the rules, and in the log."""
        self.match.expire()
        self._started = None
        self.ahead = []
        self.notice = [Line(("Time is up.", "bold red"))]
        self.stale = True

    def _tick(self, left: float) -> None:
        self.screen.corner(
            f" {max(0, round(left)):>3} s ", "bold white on red" if left < 10 else "bold reverse"
        )

    # ------------------------------------------------------------ asking
    def ask(self) -> None:
        decision = self.match.decision
        assert decision is not None
        if decision.player != self.looking:
            self.hand_over(decision.player)
        self.forms.meet(self.match)
        asked = self.question(decision)
        if len(decision.options) == 1:
            self.told_forced += self.forced(asked)
            self.take(0, asked.labels[0], forced=True)
            return
        self.remember(asked)
        self.stale = True
        while True:
            if len(self.match.log) != self.ahead_at:
                self.ahead = []
            if self.ahead:
                text = self.ahead.pop(0)
            else:
                if self.stale:
                    self.draw(asked)
                deadline = self.deadline()
                try:
                    text = self.screen.read(
                        self.prompt(decision.player),
                        deadline=deadline,
                        tick=self._tick,
                        redraw=partial(self.draw_again, asked),
                    )
                except TimeUp:
                    self.run_out()
                    return
                self.notice = []
            answer = self.understand(asked, text)
            if answer is None:
                return
            if answer >= 0:
                self.take(answer, asked.labels[answer])
                self.ahead_at = len(self.match.log)
                return

    def forced(self, asked: Question) -> list[Line]:
        """A menu with a single possible action: that it is so, and why the others are not possible."""
        point = point_of(self.match)
        if point.kind != "offer" or len(point.cases) < 2:
            return []
        only = asked.labels[0].plain
        out = [Line("Only possible: ", (only, "bold"), ".")]
        for key, _ in point.cases:
            reason = self.match.why_not(("offer", key))
            if reason is not None:
                out.append(Line((f"  Not {self.words.case(key)}: {reason}.", "dim")))
        return out

    def question(self, decision: Decision) -> Question:
        view = self.words.view = self.match.view(decision.player)
        chosen = self.forms.chosen_things(self.match)
        labels = [self.words.option(self.match, option, view, chosen) for option in decision.options]
        numbers = all(label.plain.lstrip("-").isdigit() for label in labels)
        return Question(decision, view, labels, list(range(len(labels))), numbers)

    def understand(self, asked: Question, text: str) -> int | None:
        """The option that was meant; -1 to go on asking, None when all is to be asked anew."""
        self.stale = self.stale or self.screen.live
        if not text:
            if len(asked.listed) == 1:
                return asked.listed[0]
            self._turn_page(asked)
            return -1
        found = self._named(asked, text)
        if found is not None:
            return found
        if text.startswith("?"):  # `?magical shift` as well
            text = f"? {text[1:]}"
        word, _, rest = text.removeprefix(":").partition(" ")
        if word.lower() in COMMANDS:
            return -1 if self.commands.do(COMMANDS[word.lower()], asked, rest.strip()) else None
        parts = text.replace(",", " ").split()
        if len(parts) > 1 and all(part.isdigit() for part in parts):
            self.ahead, self.ahead_at = parts, len(self.match.log)
            return -1
        if text.lstrip("-").isdigit():
            self.ahead = []
            self.tell([self._range(asked)])
            return -1
        matching = [n for n, label in enumerate(asked.labels) if text.lower() in label.plain.lower()]
        if not matching:
            self.tell(
                [f"No option has `{text}` in it. `why {text}` says why; `help` lists what can be typed."]
            )
            return -1
        asked.listed, asked.page = matching, 0
        asked.folded, asked.unfolded = False, True
        if len(matching) == 1:
            self.tell([Line("Enter takes ", (asked.labels[matching[0]].plain, "bold"), ".")])
        if not self.screen.live:
            self.screen.show(self._option_lines(asked, self.screen.width, MOST_OPTION_LINES * 5))
        return -1

    def _named(self, asked: Question, text: str) -> int | None:
        """The option that a number, a name or a key means."""
        if text.isdigit() and not asked.numbers and 1 <= int(text) <= len(asked.labels):
            return int(text) - 1
        wanted = text.lower()
        named = [
            option.index
            for option, label in zip(asked.options, asked.labels, strict=True)
            if wanted in (label.plain.lower(), option.label.lower(), str(option.key[-1]).lower())
        ]
        return named[0] if len(named) == 1 else None

    def _range(self, asked: Question) -> str:
        if asked.numbers:
            return f"It is {_numbers(asked.labels)}."
        return f"There are {len(asked.labels)} options."

    def _turn_page(self, asked: Question) -> None:
        """The next page of a long list; behind the last one, the whole list from the start."""
        if asked.folded:
            asked.folded, asked.unfolded, asked.page = False, True, 0
            return
        if asked.page < 0:
            asked.listed = list(range(len(asked.labels)))
        asked.page = max(0, asked.page + 1)
        if not self.screen.live:
            asked.page = 0
            asked.listed = list(range(len(asked.labels)))
            self.screen.show(self._option_lines(asked, self.screen.width, MOST_OPTION_LINES * 5))

    def back_to(self, match: Match, seat: int) -> None:
        """Go on from an earlier position."""
        self.match = match
        self.memory[seat - 1].log = len(match.log)
        for memory in self.memory:
            memory.followed, memory.then = 0, Lying()
        self.ahead = []
        self.stale = True

    # ------------------------------------------------------------ showing
    def tell(self, lines: Sequence[Line | str]) -> None:
        """A short answer: above the prompt of the next page, or at once."""
        told = [_line(line) for line in lines]
        if self.screen.is_terminal:  # in a pipe, whoever reads may be looking for a path in one piece
            told = [part for line in told for part in line.wrap(self.screen.width, "  ")]
        if self.screen.live and len(told) <= 6:
            self.notice += told
            self.stale = True
        elif len(told) <= 6:
            self.screen.show(told)
        else:
            self.screen.pager(told)
            self.stale = self.screen.is_terminal

    def hand_over(self, seat: int) -> None:
        """A curtain between two people who may not see each other's secrets."""
        if self.has_secrets and len(self.people) > 1:
            self.screen.hide()
            self.screen.read(
                Line((f"Player {seat}", f"bold {seat_style(seat)}"), ", take the keyboard and press Enter ")
            )
            self.screen.hide()
        self.looking = self.words.you = seat
        self.told_forced = []
        self.stale = True

    def remember(self, asked: Question) -> None:
        """Has anybody else had a say since this seat was last asked? Then what changed is new."""
        memory = self.memory[asked.decision.player - 1]
        since = self.match.log[memory.log :]
        if any(entry[0] == "choose" and entry[1] != asked.decision.player for entry in since):
            memory.base, memory.told = memory.view, memory.seen
        memory.view, memory.log = asked.view, len(self.match.log)
        memory.seen = len(self.match.observations(asked.decision.player))

    def prompt(self, seat: int) -> Line:
        name = "You" if self.people == [seat] else f"Player {seat}"
        return Line((f"{name}> ", f"bold {seat_style(seat)}"))

    def draw(self, asked: Question) -> None:
        """The page of a decision: status, news, table, question, options. The prompt always fits under it."""
        self.stale = False
        seat = asked.decision.player
        wide, high = self.screen.width, self.screen.height
        memory = self.memory[seat - 1]
        trail = self.forms.trail(self.match, self.words)
        cells = vector_lines(self.match, self.words, wide)
        ask = [*self._asking(asked, trail).wrap(wide, "  ")[:2], *cells]
        room = max(2, min(MOST_OPTION_LINES, high // 3))
        marks = self._marks(asked)
        told = [part for line in self.told_forced for part in line.wrap(wide, "    ")]
        self.shown_notice = [*told, *self.notice]
        notice = [line.cut(wide, self.screen.glyphs.more) for line in self.shown_notice[-6:]]
        self.notice, self.told_forced = [], []
        rest = high - len(ask) - len(notice) - 2  # the status line and the prompt
        news = self.news(seat, wide)
        least = min(sum(map(len, news)), FEWEST_NEWS if high < 30 else 2 * FEWEST_NEWS)
        laid = partial(self.tabletop.laid, asked.view, wide, marks=marks, before=memory.base)
        options = self._option_lines(asked, wide, room)
        table, cost = laid(max(4, rest - least - len(options)))
        if cost and marks and len(options) > 2 and not asked.unfolded:  # the numbers stand on the table
            for left in (1, min(3, len(options) - 1)):
                roomy, less = laid(max(4, rest - least - left))
                unseen = self._unseen(asked, roomy)
                if less < cost and (not unseen or left > 1):
                    table, options = roomy, self._beside_the_table(asked, unseen, wide, left)
                    asked.folded = True
                    break
        ask += options
        rest -= len(options)
        spare = rest - len(table)
        latest = self._latest(news, min(spare, 12))
        gap = [Line()] if spare > len(latest) + 1 else []
        gap_below = [Line()] if spare > len(latest) else []
        self.screen.page([self.status(asked), *latest, *gap, *table, *gap_below, *notice, *ask])
        deadline = self.deadline()
        if deadline is not None:
            self._tick(deadline - self.screen.now())

    def _unseen(self, asked: Question, table: Sequence[Line]) -> list[int]:
        """The options whose numbers do not stand on a table as it is drawn."""
        shown = "\n".join(line.plain for line in table)
        return [n for n in range(len(asked.labels)) if f"[{n + 1}]" not in shown]

    def _beside_the_table(self, asked: Question, unseen: list[int], wide: int, room: int) -> list[Line]:
        """Where the table bears the numbers: only what it does not show is listed."""
        words = "The numbers stand on the table; Enter lists the options."
        if not unseen:
            return [Line((f"  {words}", "dim")).cut(wide, self.screen.glyphs.more)]
        numbers = ", ".join(str(n + 1) for n in unseen[:MOST_UNSEEN])
        if len(unseen) > MOST_UNSEEN:
            numbers += f" and {len(unseen) - MOST_UNSEEN} more"
        entries = [Line((f" {n + 1} ", "bold green"), asked.labels[n]) for n in unseen]
        lines = in_columns(entries, wide, down=room - 1)
        if len(lines) < room and all(line.width <= wide for line in lines):
            return [*lines, Line(("  The others stand on the table.", "dim"))]
        return Line((f"  {words} Not in sight: {numbers}.", "dim")).wrap(wide, "  ")[:room]

    def draw_again(self, asked: Question) -> None:
        """The same page for a window of another size."""
        self.notice = self.shown_notice
        self.draw(asked)

    def status(self, asked: Question | None) -> Line:
        match, dot = self.match, self.screen.glyphs.dot
        parts = [match.game.name]
        if match.turn:
            parts.append(f"turn {match.turn}")
        if asked is not None:
            seat = asked.decision.player
            whose = "you decide" if self.people == [seat] else f"player {seat} decides"
            active = asked.view.get("active")
            if active is not None and active != seat:
                whose += f" in player {active}'s turn"
            parts.append(whose)
            deadline = self.deadline()
            if deadline is not None and not self.screen.live:
                parts.append(f"{max(0, round(deadline - self.screen.now()))} s left")
            clock = running_clock(match)
            if clock is not None:
                parts.append(f"{clock.name.lower()} {clock.used} of {clock.seconds}")
        else:
            parts.append("the end")
        left = Line((f" {f' {dot} '.join(parts)}", "reverse"))
        right = Line((" ? explains, help, quit ", "reverse")) if asked is not None else Line()
        wide = self.screen.width
        if left.width + right.width > wide:
            return left.cut(wide, self.screen.glyphs.more).pad(wide)
        return Line(left, (" " * (wide - left.width - right.width), "reverse"), right)

    def news(self, seat: int, wide: int) -> list[list[Line]]:
        """What this seat has noticed lately, turn by turn: older things dimmed, what is new in full."""
        events = self.noticed(seat)
        told = self.memory[seat - 1].told
        start = next(
            (n for n, event in enumerate(events) if isinstance(event, TurnBegan | Chosen)), len(events)
        )
        first = min(len(events), max(start, told - MOST_EVENTS))
        then = self._then(seat, events, first)
        old = events[first : max(start, told)]
        new = events[max(start, told) :]
        more = self.screen.glyphs.more
        dimmed = [[line.styled("dim").cut(wide, more)] for line in self.narrator.brief(old, then)]
        return [*dimmed, *(line.wrap(wide, "   ") for line in self.narrator.brief(new, then))]

    def _latest(self, news: Sequence[Sequence[Line]], room: int) -> list[Line]:
        """As much of the news as there is room for, the latest at the end; a long turn is cut, not begun late."""
        out: list[Line] = []
        for entry in reversed(news):
            left = room - len(out)
            if left <= 0:
                break
            kept = list(entry[: max(1, min(left, 3))])
            if len(kept) < len(entry):
                more = self.screen.glyphs.more
                kept[-1] = Line(kept[-1].cut(self.screen.width - 2, ""), f" {more}").cut(
                    self.screen.width, more
                )
            out = [*kept, *out]
        return out

    def _asking(self, asked: Question, trail: Line) -> Line:
        question = self.words.question(asked.decision, in_form=bool(trail))
        question = question if question.endswith(("?", ".", "!", ")")) else f"{question}?"
        if not trail:
            return Line((capital(question), "bold"))
        return Line(trail, f" {self.screen.glyphs.here} ", (question, "bold"))

    def _option_lines(self, asked: Question, wide: int, room: int) -> list[Line]:
        if asked.numbers and asked.listed == list(range(len(asked.labels))):
            return [Line((f"  {_numbers(asked.labels)}", "dim"))]
        size = len(str(len(asked.labels)))
        entries = [
            Line(
                (f" {n + 1:>{size}} ", "bold green"),
                asked.labels[n].cut(wide - size - 4, self.screen.glyphs.more),
            )
            for n in asked.listed
        ]
        widest = max(entry.width for entry in entries) + 2
        fitting = max(1, (wide + 2) // widest) * room
        if len(entries) <= fitting:
            asked.page = -1 if len(asked.listed) < len(asked.labels) else 0
            many = -(-len(entries) // 3) if self.screen.height < 30 else max(4, -(-len(entries) // 2))
            down = 3 if len(entries) <= 3 else max(2, many)
            return in_columns(entries, wide, down=min(room, down))
        fitting = max(1, (wide + 2) // widest) * (room - 1)
        pages = -(-len(entries) // fitting)
        asked.page %= pages
        part = entries[asked.page * fitting : (asked.page + 1) * fitting]
        hint = f"  page {asked.page + 1} of {pages}: Enter turns the page, type text to filter, or any option's number"
        return [
            *in_columns(part, wide, down=room - 1),
            Line((hint, "dim")).cut(wide, self.screen.glyphs.more),
        ]

    def _marks(self, asked: Question) -> dict[Any, str]:
        """The numbers of options, for what they mean on the table."""
        point = point_of(self.match)
        type_ = point.type.of if isinstance(point.type, t.Opt) else point.type
        marks: dict[Any, str] = {}
        for step in self.forms.current(self.match):  # where a tile will go that is still to be turned
            of = step.point.type
            if isinstance(of, t.Space) and step.form == self.forms.number:
                marks[of.of, tuple(step.key[-1])] = "x"
        if point.kind == "choose" and isinstance(type_, t.Space | t.Comp | t.Rec):
            for option in asked.options:
                value = option.key[-1]
                if value is not None:
                    target = (type_.of, tuple(value)) if isinstance(type_, t.Space) else str(value)
                    marks[target] = str(option.index + 1)
        return marks

    def _ranked(self, scores: Mapping[int, int | None], winners: Sequence[int]) -> list[Line]:
        """The scores, the best first; equal ones share a rank."""
        known = sorted(((s, n) for n, s in scores.items() if s is not None), reverse=True)
        names = {n: capital(self.words.player(n)) for n in scores}
        wide = max(map(len, names.values()))
        out = []
        for score, seat in sorted(known, key=lambda entry: (-entry[0], entry[1])):
            rank = 1 + sum(other > score for other, _ in known)
            won = Line(("  wins", "bold green")) if seat in winners else Line()
            out.append(
                Line(f" {rank:>2}. ", (f"{names[seat]:<{wide}}", seat_style(seat)), f"  {score:>5}", won)
            )
        return out

    def show_end(self) -> None:
        """The last page. People who had secrets from each other see what is open to all."""
        seat = self.looking or self.people[0]
        wide, high = self.screen.width, self.screen.height
        over = next((e for e in reversed(self.match.observations(seat)) if isinstance(e, MatchOver)), None)
        self.words.you = seat if self.people == [seat] else None
        self.words.view = self.match.view(seat)
        ending = [Line((text, "bold green")) for text in self.narrator.sentences([over] if over else [])]
        scores = self.match.scores
        if scores:
            ending += self._ranked(scores, over.winners if over else ())
        private = self.has_secrets and len(self.people) > 1
        news = [] if private else self._latest(self.news(seat, wide)[:-1], 4)
        room = high - len(ending) - len(news) - 5
        table = [] if private else self.tabletop.lines(self.match.view(seat), wide, max(4, room))
        self.screen.page([self.status(None), *news, Line(), *table, Line(), *ending])


def _line(line: Line | str) -> Line:
    return line if isinstance(line, Line) else Line(line)


def _numbers(labels: Sequence[Line]) -> str:
    """`a number from 0 to 3`, or the numbers one by one where some are missing."""
    values = [int(label.plain) for label in labels]
    if values == list(range(values[0], values[-1] + 1)) and len(values) > 2:
        return f"a number from {values[0]} to {values[-1]}"
    return " or ".join(map(str, values)) if len(values) <= 12 else f"one of {', '.join(map(str, values))}"


__all__ = ["Left", "Question", "Session", "has_secrets"]
