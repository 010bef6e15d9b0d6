"""A match with people and bots around it, as a plain state machine: who may do what, and what then is.

Nothing here waits, sleeps, sends or thinks. Whoever runs a room hands in what people do, lets the
bots that are due think elsewhere, and asks for pages. Whatever cannot be done is answered with a
sentence for the one who tried it.

Every answer of a seat carries the number of the question that it answers. Only questions to
that seat are counted, so the number tells nothing about the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define

from ..core.errors import DragonError
from ..play.asking import ForcedChoice, cells_of, forced_event, part_of, point_of
from ..play.clocks import running_clock
from ..play.match import Match
from ..play.replay import Replay
from ..play.undoing import has_secrets, kept_from_undoing, retraced
from ..players import player
from .form import MOST_KEPT, Forms
from .marks import key_at
from .seat_page import Around, SeatPage, Sections

HUMAN = "human"
LONGEST_NAME = 24
MOST_TEXT = 200
STALE = "That was the answer to an earlier question."


@define
class Chair:
    """A seat: who decides there, and what they are called."""

    kind: str
    name: str = ""
    present: int = 0
    """How many pages of this seat are open."""


@define
class Reply:
    """What became of something that was tried: `changed` if the match is another now, and words for who tried it."""

    changed: bool = False
    words: str = ""
    hint: int | None = None


@define
class _Clock:
    name: str
    used: int
    since: float


class Room:
    def __init__(self, match: Match, kinds: Sequence[str], *, clock: bool = True) -> None:
        self.match = match
        self.chairs = [Chair(kind) for kind in kinds]
        self.forms = Forms()
        self.paused = False
        self.clock = clock
        self.title = match.game.name
        self.looked_into = False
        """May the host see what is hidden? Then everybody is told."""
        self.may_undo_others = False
        """On a board of analysis anything can be taken back."""
        self.position = 0
        """Another number after every change of the match."""
        self.questions = [0] * match.players
        self.hint: int | None = None
        self.forced: list[dict[int, ForcedChoice]] = [{} for _ in kinds]
        self.pages: dict[int | None, SeatPage] = {}
        self._clock: _Clock | None = None
        self._stopped: float | None = None
        self._replays: dict[int | None, Replay] = {}
        self._relive()
        self._settle()

    # ------------------------------------------------------------ where it stands
    @property
    def people(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs, start=1) if chair.kind == HUMAN]

    @property
    def kinds(self) -> list[str]:
        return [chair.kind for chair in self.chairs]

    @property
    def bot_due(self) -> int | None:
        """The seat of a bot that has to decide."""
        seat = self.match.asked
        if seat is None or self.paused or self.match.over:
            return None
        return seat if self.chairs[seat - 1].kind != HUMAN else None

    def question(self, seat: int | None) -> int:
        """The number of the question that a seat is asked, or was asked last."""
        return self.questions[seat - 1] if seat is not None else 0

    # ------------------------------------------------------------ deciding
    def choose(self, seat: int, question: int, index: object) -> Reply:
        """Somebody takes an option, by its position."""
        problem = self._refused(seat, question)
        if problem is not None:
            return Reply(words=problem)
        decision = self.match.decision
        assert decision is not None
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(decision.options):
            return Reply(words="There is no such option.")
        self._take(index)
        return Reply(changed=True)

    def fill(self, seat: int, question: int, values: object) -> Reply:
        """Somebody fills in the cells of a vector that are still open, in their order."""
        problem = self._refused(seat, question)
        if problem is not None:
            return Reply(words=problem)
        open_cells = [cell.labels for cell in cells_of(self.match) if cell.value is None]
        if not isinstance(values, list) or len(values) != len(open_cells):
            return Reply(words="There are not that many numbers to fill in.")
        wanted = dict(zip(open_cells, values, strict=True))
        group = point_of(self.match).group
        changed = False
        while self.match.asked == seat and point_of(self.match).group == group:
            labels = part_of(self.match)
            decision = self.match.decision
            assert decision is not None
            if labels not in wanted:
                break
            value = wanted.pop(labels)
            index = next((o.index for o in decision.options if o.key[-1] == value), None)
            if index is None or isinstance(value, bool):
                numbers = [int(option.key[-1]) for option in decision.options]
                told = f"{', '.join(labels)}: it is {min(numbers)} to {max(numbers)}."
                return Reply(changed, told)
            self._take(index, settle=False)
            changed = True
            if not cells_of(self.match):
                break
        self._settle()
        return Reply(changed)

    def decided(self, seat: int, position: int, index: int) -> Reply:
        """A bot has thought; what it thought about must still be there."""
        if self.bot_due != seat or self.position != position:
            return Reply()
        self.match.choose(index)
        self._moved()
        self._settle()
        return Reply(changed=True)

    def _refused(self, seat: int, question: object) -> str | None:
        if self.match.over:
            return "The match is over."
        if self.paused:
            return "The match is paused."
        if self.match.asked != seat or self.chairs[seat - 1].kind != HUMAN:
            return "It is not for you to decide."
        if not isinstance(question, int) or question != self.questions[seat - 1]:
            return STALE
        return None

    def _take(self, index: int, *, forced: bool = False, settle: bool = True) -> None:
        match, seat = self.match, self.match.asked
        assert seat is not None and match.decision is not None
        self.forms.meet(match)
        self._note(match, seat, index, forced=forced)
        match.choose(index)
        self._moved()
        if settle:
            self._settle()

    def _note(self, match: Match, seat: int, index: int, *, forced: bool) -> None:
        """Before an answer is carried out: how to take it back, and whether it was one."""
        words = self._page(seat).words
        assert match.decision is not None
        option, view = match.decision.options[index], match.view(seat)
        words.view = view
        label = words.option(match, option, view, self.forms.chosen_things(match))
        self.forms.add(match, words, index, label, forced=forced)
        number, event = len(match.observations(seat)), forced_event(match)
        self.forced[seat - 1].pop(number, None)
        if event is not None:
            self.forced[seat - 1][number] = event

    def _settle(self) -> None:
        """Questions of people with one answer are answered; who is asked now has a new question."""
        while True:
            seat = self.match.asked
            if seat is None or self.paused or self.chairs[seat - 1].kind != HUMAN:
                break
            decision = self.match.decision
            if decision is None or len(decision.options) != 1:
                break
            self._take(0, forced=True, settle=False)
        if self.match.asked is not None:
            self.questions[self.match.asked - 1] += 1
            if self.chairs[self.match.asked - 1].kind == HUMAN:
                self.forms.meet(self.match)

    def _moved(self) -> None:
        self.position += 1
        self.hint = None
        self._replays.clear()

    # ------------------------------------------------------------ taking back
    def undo(self, seat: int, *, whole: bool) -> Reply:
        """Take back a whole decision, or only the last part of the answer."""
        if self.paused:
            return Reply(words="The match is paused.")
        steps = self.forms.last(whole=whole)
        if not steps or steps[0].seat != seat:
            mine = any(step.seat == seat for step in self.forms.steps)
            return Reply(words="Somebody else has decided since." if mine else "Nothing to undo.")
        first = steps[0]
        since = self.match.log[first.entries :]
        others = {entry[1] for entry in since if entry[0] == "choose"} - {seat}
        if others & set(self.people) and not self.may_undo_others:
            return Reply(words="Somebody else has decided since.")
        before = first.mark.restored(self.match)
        reason = None if self.may_undo_others else kept_from_undoing(before, self.match)
        if reason is None and others and has_secrets(self.match) and not self.may_undo_others:
            reason = "others have decided since"
        if reason is not None:
            return Reply(words=f"That cannot be taken back: {reason}.")
        self.forms.drop(steps)
        self.match = before
        self._moved()
        self._settle()
        return Reply(True, f"Taken back: {first.words.plain}.")

    # ------------------------------------------------------------ asking about it
    def why_not(self, seat: int, what: object) -> Reply:
        """Why something on the table cannot be chosen."""
        if not isinstance(what, str) or len(what) > MOST_TEXT:
            return Reply()
        if self.match.asked != seat:
            return Reply(words="You are not asked at the moment.")
        point = point_of(self.match)
        key = key_at(what, point.name)
        if key is None:
            return Reply(words="That cannot be an answer here.")
        try:
            refusal = self.match.refusal(key)
        except (DragonError, LookupError, TypeError, ValueError):
            return Reply(words="That is not what is asked for.")
        if refusal is None:
            return Reply(words="You may choose that.")
        cite = self._page(seat).tips.cite(refusal.rule)
        words = refusal.words[:1].upper() + refusal.words[1:]
        return Reply(words=f"{words.rstrip('.')}." + (f" ({cite})" if cite else ""))

    def explain(self, seat: int) -> Reply:
        """The rule that asks, in its own words."""
        decision = self.match.decision
        if decision is None or decision.player != seat:
            return Reply(words="You are not asked at the moment.")
        told = self._page(seat).tips.rule(decision.rule)
        return Reply(words=told or "The rules say nothing more about it.")

    def advised(self, seat: int, position: int, index: int) -> Reply:
        """A bot has been asked for advice."""
        if self.match.asked != seat or self.position != position:
            return Reply()
        self.hint = index
        return Reply(hint=index)

    # ------------------------------------------------------------ the room
    def rename(self, seat: int, name: object) -> Reply:
        if not isinstance(name, str):
            return Reply(words="That is no name.")
        kept = " ".join("".join(c for c in name if c.isprintable()).split())[:LONGEST_NAME]
        taken = {chair.name.lower() for n, chair in enumerate(self.chairs, 1) if n != seat and chair.name}
        if kept.lower() in taken or kept.lower() == "you" or kept.lower().startswith("player "):
            return Reply(words="Somebody else has that name.")
        self.chairs[seat - 1].name = kept
        return Reply(changed=True)

    def seat(self, seat: int, kind: str) -> Reply:
        """Hand a seat to a bot, or back to a person."""
        if not 1 <= seat <= len(self.chairs):
            return Reply(words="There is no such seat.")
        if kind != HUMAN:
            try:
                player(kind, seed=0, seat=seat)
            except DragonError as problem:
                return Reply(words=str(problem).split("\n")[0].partition(": ")[2])
        self.chairs[seat - 1].kind = kind
        if self.match.asked == seat:
            self._settle()
        return Reply(changed=True)

    def pause(self, now: float, *, on: bool) -> Reply:
        if on and not self.paused:
            self._stopped = now
        if not on and self.paused and self._stopped is not None and self._clock is not None:
            self._clock.since += now - self._stopped
        self.paused = on
        if not on:
            self._settle()
        return Reply(changed=True)

    # ------------------------------------------------------------ clocks
    def deadline(self, now: float) -> float | None:
        """When time runs out around the pending decision; None where no clock is real, or it stands still."""
        clock = running_clock(self.match) if self.clock and self.people else None
        if clock is None:
            self._clock = None
            return None
        if self._clock is None or self._clock.name != clock.name or clock.used < self._clock.used:
            self._clock = _Clock(clock.name, clock.used, now)
        self._clock.used = clock.used
        return None if self.paused else self._clock.since + clock.seconds

    def run_out(self, now: float) -> Reply:
        deadline = self.deadline(now)
        if deadline is None or now < deadline:
            return Reply()
        self.match.expire()
        self._clock = None
        self._moved()
        self._settle()
        return Reply(True, "Time is up.")

    # ------------------------------------------------------------ positions set up by hand
    def set_up(self, match: Match) -> None:
        """Another position, on a board of analysis."""
        self.match, self.forms = match, Forms()
        self.forced = [{} for _ in self.chairs]
        self.pages.clear()
        self._moved()
        self._settle()

    # ------------------------------------------------------------ pages
    def page(self, viewer: int | None) -> Sections:
        """What a seat, or with None a spectator, sees now."""
        steps = self._replay(viewer).steps if self.match.over and not self.may_undo_others else None
        around = self._around(viewer, steps=steps)
        forced = self.forced[viewer - 1] if viewer is not None else {}
        return self._page(viewer).sections(self.match, self.forms, around, forced)

    def past(self, viewer: int | None, step: object) -> Sections | None:
        """A page of a match that is over, after so many steps."""
        if not self.match.over or self.may_undo_others or not isinstance(step, int) or isinstance(step, bool):
            return None
        replay = self._replay(viewer)
        step = max(0, min(step, replay.steps))
        around = self._around(viewer, replay=(step, replay.steps))
        return SeatPage(self.match, viewer).sections(replay.at(step), Forms(), around)

    def _replay(self, viewer: int | None) -> Replay:
        if viewer not in self._replays:
            match = self.match
            whole = Replay(match.game, match.players, match.seed, match.log)
            self._replays[viewer] = whole.as_seen_by(viewer)
        return self._replays[viewer]

    def _around(self, viewer: int | None, **more: Any) -> Around:
        return Around(
            names={n: chair.name for n, chair in enumerate(self.chairs, start=1) if chair.name},
            kinds=self.kinds,
            present=frozenset(n for n, chair in enumerate(self.chairs, start=1) if chair.present),
            hint=self.hint if viewer is not None and viewer == self.match.asked else None,
            paused=self.paused,
            looked_into=self.looked_into,
            title=self.title,
            **more,
        )

    def _page(self, viewer: int | None) -> SeatPage:
        if viewer not in self.pages:
            self.pages[viewer] = SeatPage(self.match, viewer)
        return self.pages[viewer]

    # ------------------------------------------------------------ going on with a match
    def _relive(self) -> None:
        """Of a match that is gone on with: what people have done in it can be taken back as before."""
        people = set(self.people)
        theirs = [n for n, entry in enumerate(self.match.log) if entry[0] == "choose" and entry[1] in people]
        if not theirs:
            return
        try:
            for match, index in retraced(self.match, theirs[-MOST_KEPT:][0]):
                decision = match.decision
                if decision is not None and decision.player in people:
                    self.forms.meet(match)
                    self._note(match, decision.player, index, forced=len(decision.options) == 1)
        except DragonError:  # the log of another version: the match goes on, without a way back
            self.forms = Forms()
