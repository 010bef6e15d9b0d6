"""The lines of a scenario, checked: one class a form, `Part` their union."""

from __future__ import annotations

from ...grammar import Span
from .expressions import Ex
from .node import Node
from .statements import St

Pick = Ex | str
"""What is chosen or comes up: a value, or the words of an option."""


class Line(Node):
    """A line of a scenario."""

    span: Span


class Given(Line):
    """`given: ...`: effects on the position, as if by hand."""

    body: tuple[St, ...]


class Chooses(Line):
    """`player(1) chooses 3, "no"`."""

    player: Ex
    picks: tuple[Pick, ...]


class Refused(Line):
    """`player(1) chooses drop, 3 refused because "words"`."""

    player: Ex
    picks: tuple[Pick, ...]
    because: str | None


class ChanceBrings(Line):
    """`chance red`."""

    picks: tuple[Pick, ...]


class TimeRunsOut(Line):
    """`time runs out`."""


class Holds(Line):
    """`check gold = 3`."""

    condition: Ex


class Decides(Line):
    """`player(2) decides bid`."""

    player: Ex
    what: str | None


class Sees(Line):
    """`player(2) sees pile`."""

    player: Ex
    what: Ex


class CannotSee(Line):
    """`player(2) cannot see pile`."""

    player: Ex
    what: Ex


class IsOver(Line):
    """`over`, `over for {player(1)}`."""

    winners: Ex | None


Part = Given | Chooses | Refused | ChanceBrings | TimeRunsOut | Holds | Decides | Sees | CannotSee | IsOver
