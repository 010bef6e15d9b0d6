"""The page of one viewer: sections of HTML, made from that viewer's view and observations alone.

A section is swapped as a whole when it has changed. A viewer is a seat, or None: a spectator,
who sees what everybody sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, frozen

from ..core.events import Chosen, MatchOver, Observation, TurnBegan
from ..pages.html_page import Html, join, tag
from ..play.asking import ForcedChoice, cells_of, point_of
from ..play.match import Decision, Match
from . import html
from .dress import UNICODE
from .form import Forms
from .marks import Marks, address, marks_for
from .narrate import Narrator
from .scene import Scene, Setter
from .tale import Tale
from .tips import Tips
from .words import View, Words, capital

MOST_SENTENCES = 80
MANY = 9
"""More options than this, all on the table, are listed folded away."""
Sections = dict[str, str]


@frozen
class Around:
    """What a page has besides the position: who sits where, and what goes on in the room."""

    names: Mapping[int, str] = {}
    """What people call themselves."""
    kinds: Sequence[str] = ()
    """`human` or a kind of bot, of each seat."""
    present: frozenset[int] = frozenset()
    hint: int | None = None
    paused: bool = False
    title: str = ""
    looked_into: bool = False
    replay: tuple[int, int] | None = None
    """On a page of the past: the step, of how many."""
    steps: int | None = None
    """When the match is over: how many steps it had for this viewer."""


@define
class Memory:
    """What was shown when the viewer last had a say: what has changed since is new."""

    view: View | None = None
    base: View | None = None
    seen: int = 0
    told: int = 0


class SeatPage:
    def __init__(self, match: Match, seat: int | None) -> None:
        self.seat = seat
        self.words = Words.of(match, UNICODE)
        self.words.you = seat
        self.setter = Setter(self.words, match.table)
        self.tips = Tips(match.game.checked, self.words)
        self.forget()

    def forget(self) -> None:
        """As if nothing had been shown yet."""
        self.tale = Tale(Narrator(self.words))
        self.memory = Memory()

    # ------------------------------------------------------------ the whole page
    def sections(
        self, match: Match, forms: Forms, around: Around, forced: Mapping[int, ForcedChoice] = {}
    ) -> Sections:
        self.words.names = around.names
        view = match.view(self.seat)
        asked = match.decision if self.seat is not None and match.asked == self.seat else None
        if around.replay is not None:
            asked = None
        self._remember(match, view, asked is not None)
        marks = self._marks(match, forms, asked, around)
        scene = self.setter.scene(view, self.memory.base)
        self.tips.dress(scene)
        out = {
            "head": self._head(view, match, around),
            "ask": self._ask(match, forms, asked, view, around, marks),
            "boards": html.boards(scene, marks),
            "mine": self._mine(scene, marks, around),
            "others": self._others(scene, marks, around),
            "common": html.common(scene, marks),
            "log": self._log(match.observations(self.seat), forced),
            "end": self._end(match, around) if match.over or around.replay else "",
        }
        return {name: str(section) for name, section in out.items()}

    def _remember(self, match: Match, view: View, asked: bool) -> None:
        """Has this seat noticed that somebody else had a say since it was last asked? Then what changed is
        new. The log of the match is no place to look: whether others were asked may be a secret."""
        memory, noticed = self.memory, match.observations(self.seat)
        memory.seen = min(memory.seen, len(noticed))
        if not asked and not match.over:
            return
        if any(isinstance(e, TurnBegan) or _by_other(e, self.seat) for e in noticed[memory.seen :]):
            memory.base, memory.told = memory.view, memory.seen
        memory.view, memory.seen = view, len(noticed)

    def _marks(self, match: Match, forms: Forms, asked: Decision | None, around: Around) -> Marks:
        if asked is None:
            return Marks(open=False)
        picked = set()
        for step in forms.current(match):
            for target in step.targets:
                picked.add(address(target))
        return Marks(marks_for(asked.options), around.hint, frozenset(picked))

    # ------------------------------------------------------------ status
    def _head(self, view: View, match: Match, around: Around) -> Html:
        turn = view.get("turn")
        if around.replay is not None:
            state = f"step {around.replay[0]} of {around.replay[1]}"
        elif match.over:
            state = "the match is over"
        elif around.paused:
            state = "paused"
        else:
            state = self._waiting(view, around)
        who = "You watch" if self.seat is None else f"You are {self._name(self.seat, around)}"
        return join(
            (
                tag("h1", around.title or match.game.name),
                tag("p", f"turn {turn}" if turn else None, class_="turn-number"),
                tag("p", state, class_="state", role="status"),
                tag("p", "the host sees everything", class_="bad") if around.looked_into else None,
                tag("p", who, class_=f"who c-seat{(self.seat - 1) % 6 + 1}" if self.seat else "who"),
            )
        )

    def _waiting(self, view: View, around: Around) -> str:
        waiting = view["waiting_for"]
        if waiting == self.seat and self.seat is not None:
            return "it is for you to decide"
        if isinstance(waiting, int):
            kind = around.kinds[waiting - 1] if waiting <= len(around.kinds) else "human"
            thinking = " thinks" if kind != "human" else " decides"
            return f"{capital(self._name(waiting, around))}{thinking}"
        return "others decide" if waiting == "reactions" else "somebody decides in secret"

    def _name(self, seat: int, around: Around) -> str:
        return around.names.get(seat) or f"player {seat}"

    # ------------------------------------------------------------ the question
    def _ask(
        self, match: Match, forms: Forms, asked: Decision | None, view: View, around: Around, marks: Marks
    ) -> Html:
        if asked is None or around.paused:
            if match.over or around.replay is not None:
                return Html("")
            words = "The match is paused." if around.paused else f"{capital(self._waiting(view, around))}."
            undo = html.button("Take back", "undo", class_="quiet") if self._has_answered(forms) else None
            return join((tag("p", words, class_="wait"), tag("p", undo) if undo else None))
        trail = forms.trail(match, self.words)
        question = self.words.question(asked, in_form=bool(trail))
        question = question if question.endswith(("?", ".", "!", ")")) else f"{question}?"
        steps = forms.current(match)
        own = any(step.seat == self.seat for step in forms.steps)
        shares = self._shares(match, asked)
        if shares is not None:
            question = capital(point_of(match).prompt or "How many of each?")
        parts: list[Html | None] = [
            tag("p", html.pieces(trail), class_="trail") if trail else None,
            tag("h2", capital(question), id="question", data_tip=self.tips.rule(asked.rule)),
            shares or self._options(match, forms, asked, view, around, marks),
        ]
        tools = [
            html.button("Back", "back", title="Change the last part of this answer") if steps else None,
            html.button("Undo", "undo", title="Take back your last decision") if own else None,
            html.button("Hint", "hint", title="What a bot would do"),
            html.button("Why not?", "whynot", title="Then click on what you would like to choose"),
            html.button("Rule", "explain", title="The rule that asks this"),
        ]
        return join((*parts, tag("div", *tools, class_="tools", role="toolbar", aria_label="help")))

    def _has_answered(self, forms: Forms) -> bool:
        return bool(forms.steps) and forms.steps[-1].seat == self.seat

    def _options(
        self, match: Match, forms: Forms, asked: Decision, view: View, around: Around, marks: Marks
    ) -> Html:
        chosen = forms.chosen_things(match)
        labels = [self.words.option(match, option, view, chosen) for option in asked.options]
        numbers = all(label.plain.lstrip("-").isdigit() for label in labels)
        groups: dict[tuple[str, str], list[int]] = {}
        for option, label in zip(asked.options, labels, strict=True):
            kind = option.targets[0].kind if option.targets else ""
            key = (label.plain, kind if kind == "thing" else str(option.index))
            groups.setdefault(key, []).append(option.index)
        entries = [
            (same[0], labels[same[0]], len(same), self.tips.option(asked.options[same[0]]))
            for same in groups.values()
        ]
        listed = html.options(entries, around.hint, numbers=numbers)
        if len(entries) > MANY and len(marks.options) == len(asked.options) and not numbers:
            summary = tag("summary", f"{len(entries)} choices are outlined on the table; list them")
            return tag("details", summary, listed, id="listed")
        return listed

    def _shares(self, match: Match, asked: Decision) -> Html | None:
        cells = cells_of(match)
        if not cells or not asked.cell:
            return None
        known = {self._labels(cell.labels): (cell.value, cell.asked) for cell in cells}
        rows = list(dict.fromkeys(labels[:-1] for labels in known))
        columns = list(dict.fromkeys(labels[-1] for labels in known))
        numbers = [int(option.key[-1]) for option in asked.options]
        return html.shares(
            rows, columns, known, (min(numbers), max(numbers)), "Type all numbers, then say it."
        )

    def _labels(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            self.words.player(int(label[7:]))
            if label.startswith("player ") and label[7:].isdigit()
            else label
            for label in labels
        )

    # ------------------------------------------------------------ panels
    def _mine(self, scene: Scene, marks: Marks, around: Around) -> Html:
        if self.seat is None:
            return Html("")
        name = around.names.get(self.seat) or "you"
        title = f"{capital(name)} (you)" if name != "you" else "You"
        return html.panel(scene.panels[self.seat], marks, title, you=True)

    def _others(self, scene: Scene, marks: Marks, around: Around) -> Html:
        waiting = scene.view["waiting_for"]
        out = []
        for seat, panel in scene.panels.items():
            if seat == self.seat:
                continue
            kind = around.kinds[seat - 1] if seat <= len(around.kinds) else "human"
            note = (
                ""
                if kind == "human" and seat in around.present
                else " (away)"
                if kind == "human"
                else f" ({kind})"
            )
            name = f"{capital(self._name(seat, around))}{note if around.kinds else ''}"
            out.append(html.panel(panel, marks, name, waiting=waiting == seat))
        return join(out)

    # ------------------------------------------------------------ log and end
    def _log(self, events: Sequence[Observation], forced: Mapping[int, ForcedChoice]) -> Html:
        told = [forced.get(n, event) if n < len(events) else event for n, event in enumerate(events)]
        entries = self.tale.of(told)[-MOST_SENTENCES:]
        return html.log(
            (
                one.words,
                self.tips.cite(one.rule),
                one.opens,
                bool(self.memory.told) and one.at >= self.memory.told,
            )
            for one in entries
        )

    def _end(self, match: Match, around: Around) -> Html:
        over = next((e for e in reversed(match.observations(self.seat)) if isinstance(e, MatchOver)), None)
        words = Narrator(self.words).sentences([over] if over else [])
        scores = match.scores if match.over else {}
        rows = sorted(
            (
                (capital(self._name(seat, around)), score, seat in match.winners)
                for seat, score in (scores or dict.fromkeys(range(1, match.players + 1))).items()
            ),
            key=lambda row: (not row[2], -(row[1] or 0)),
        )
        step, steps = around.replay or (around.steps or 0, around.steps or 0)
        slider = tag(
            "label",
            "Replay ",
            tag(
                "input",
                type="range",
                min=0,
                max=steps,
                value=step,
                data_replay=True,
                aria_label="step of the replay",
            ),
            tag("output", f"{step} of {steps}"),
        )
        return join(
            (
                tag("h2", *words, class_="result") if words else None,
                html.scores(rows) if match.over else None,
                tag("p", slider, class_="replay") if steps else None,
            )
        )


def _by_other(event: Observation, seat: int | None) -> bool:
    return isinstance(event, Chosen) and event.seat != seat
