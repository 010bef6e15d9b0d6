"""Decisions that belong together, as one form: what was filled in, what is asked, how far one can step back.

A form is a `choose` with several binders, a vector with its cells, or both; the
menu out of which it was taken stands in front. Before every answer the position is
marked, so stepping back is going on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ..core import value_types as t
from ..play.asking import Cell, cells_of, key_of, opens_form, part_of, point_at, point_of
from ..play.match import Match
from ..play.targets import Target
from ..play.undoing import Mark
from ..program.terminators import DecisionPoint
from .text import Line, joined
from .words import Words

MOST_KEPT = 200
"""Answers that can be taken back, one after the other."""


@frozen
class Step:
    """One answer: where the match stood before it, who gave it, the form it belongs to, and what it was."""

    mark: Mark
    turn: int
    seat: int
    form: int
    part: str
    words: Line
    key: tuple[Any, ...]
    forced: bool
    targets: tuple[Target, ...] = ()
    """What the answer points at on the table."""

    @property
    def entries(self) -> int:
        """How long the log was."""
        return self.mark.now.entries

    @property
    def point(self) -> DecisionPoint:
        return point_at(self.mark.now.state)


class Forms:
    """The answers that people have given, and how they belong together."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.number = 0

    def meet(self, match: Match) -> None:
        """A decision comes up."""
        if opens_form(match.state) or not self.steps:
            self.number += 1

    def add(self, match: Match, words: Words, index: int, label: Line, *, forced: bool) -> None:
        """Before an answer is carried out."""
        cell, seat = part_of(match), match.asked
        assert seat is not None
        part = ", ".join(cell) if cell else words.part(point_of(match))
        key = key_of(match, index)
        targets = match.decision.options[index].targets if match.decision is not None else ()
        self.steps.append(
            Step(Mark.of(match), match.turn, seat, self.number, part, label, key, forced, targets)
        )
        del self.steps[:-MOST_KEPT]

    def current(self, match: Match) -> list[Step]:
        """The answers in front of the pending decision that belong to it: of its form, and the menu before."""
        steps = self.steps
        if not steps or steps[-1].entries + 1 != len(match.log) or steps[-1].seat != match.asked:
            return []
        start = len(steps)
        while start and steps[start - 1].form == self.number:
            start -= 1
        length = steps[start].entries if start < len(steps) else len(match.log)
        menu = steps[start - 1] if start else None
        if (
            menu is not None
            and menu.key[0] == "offer"
            and menu.seat == match.asked
            and menu.entries + 1 == length
            and menu.turn == match.turn
        ):
            start -= 1
        return steps[start:]

    def chosen_things(self, match: Match) -> list[str]:
        """The components picked before in the same form, the latest first."""
        return [str(step.key[1]) for step in reversed(self.current(match)) if "#" in str(step.key[1])]

    def last(self, *, whole: bool) -> list[Step]:
        """The steps to take back: one answer, or a whole form. Empty if there is none."""
        steps = self.steps
        at = len(steps) - 1
        while at >= 0 and steps[at].forced:
            at -= 1
        if at < 0:
            return []
        if whole:
            form = steps[at].form
            while at > 0 and steps[at - 1].form == form:
                at -= 1
        return steps[at:]

    def drop(self, steps: Sequence[Step]) -> None:
        """Those steps have been taken back."""
        if steps:
            self.steps = self.steps[: len(self.steps) - len(steps)]
            self.number = steps[0].form - (1 if opens_form(steps[0].mark.now.state) else 0)

    # ------------------------------------------------------------ showing
    def trail(self, match: Match, words: Words) -> Line:
        """What was filled in so far, in one line."""
        steps = [step for step in self.current(match) if not isinstance(step.point.type, t.Array)]
        if not steps:
            return Line()
        plain = (t.Comp, t.Space, t.Player)  # these speak for themselves
        parts = [
            step.words
            if step.key[0] == "offer" or isinstance(step.point.type, plain)
            else Line((f"{step.part} ", "dim"), step.words)
            for step in steps
        ]
        return joined(parts, f" {words.glyphs.here} ")


def vector_lines(match: Match, words: Words, width: int) -> list[Line]:
    """A vector that is being chosen, as a table: what was said, what is asked, what is to come."""
    cells = {cell.labels: cell for cell in cells_of(match)}
    rows = list(dict.fromkeys(label[:-1] for label in cells))
    columns = list(dict.fromkeys(label[-1] for label in cells))
    if len(rows) > 12 or not columns:
        return []
    point = point_of(match)
    heads = [Line(_named(words, point, -1, column)) for column in columns]
    side = [", ".join(row).replace(f"player {words.you}", "you") for row in rows]
    wide = max((len(text) for text in side), default=0)
    out = [Line(" " * (wide + 2), *(head.pad(head.width + 2) for head in heads))]
    for row, text in zip(rows, side, strict=True):
        line: list[Line | str] = [f"{text:<{wide}}  "]
        for column, head in zip(columns, heads, strict=True):
            shown = _cell(cells.get((*row, column)), words)
            line.append(shown.pad(head.width, "middle").pad(head.width + 2))
        out.append(Line(*line))
    return [line.cut(width, words.glyphs.more) for line in out]


def _cell(cell: Cell | None, words: Words) -> Line:
    if cell is None:
        return Line()
    if cell.asked:
        return Line(("?", "bold reverse"))
    if cell.value is None:
        return Line((words.glyphs.empty, "dim"))
    return Line((str(cell.value), "bold" if cell.given else "dim"))


def _named(words: Words, point: DecisionPoint, which: int, label: str) -> tuple[str, str]:
    """A column's name in the colour of its kind."""
    assert isinstance(point.type, t.Array)
    type_ = point.type.index[which]
    if isinstance(type_, t.Kind) and type_.name in words.game.kinds:
        for value in words.game.kinds[type_.name].values:
            attire = words.dress.kind(type_.name, value)
            if attire.words == label:
                return label, attire.style
    return label, ""
