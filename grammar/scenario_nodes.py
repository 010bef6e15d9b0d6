"""Scenarios: the tests that stand in a spec."""

from __future__ import annotations

from attrs import frozen

from .declarations import Decl, Doc
from .expressions import Expr
from .nodes import Node
from .spans import Word
from .statements import Suite


@frozen
class Scenario(Decl):
    """`scenario "title" for 3 players, goal = 8:`"""

    title: Word
    players: Word | None
    options: tuple[Setting, ...]
    cite: Word | None
    doc: Doc | None
    parts: tuple[Given | When | Then, ...]


@frozen
class Setting(Node):
    """`goal = 8`"""

    name: Word
    value: Expr


@frozen
class Given(Node):
    """`given:` and effects that set the position"""

    body: Suite


@frozen
class When(Node):
    """`when:` and choices"""

    cite: Word | None
    steps: tuple[Chooses | Refused | ChanceIs | TimeOut, ...]


@frozen
class Then(Node):
    """`then:` and checks"""

    cite: Word | None
    checks: tuple[Check | Decides | Sees | CannotSee | Over, ...]


@frozen
class Chooses(Node):
    """`player(1) chooses drop, 3`"""

    player: Expr
    picks: tuple[PickValue | PickWords, ...]


@frozen
class Refused(Node):
    """`player(1) chooses drop, 3 refused because "words"`"""

    player: Expr
    picks: tuple[PickValue | PickWords, ...]
    because: Word | None


@frozen
class ChanceIs(Node):
    """`chance gold`"""

    picks: tuple[PickValue | PickWords, ...]


@frozen
class TimeOut(Node):
    """`time runs out`"""


@frozen
class PickValue(Node):
    """a value"""

    value: Expr


@frozen
class PickWords(Node):
    """the words of an option"""

    words: Word


@frozen
class Check(Node):
    """`check e`"""

    condition: Expr
    cite: Word | None


@frozen
class Decides(Node):
    """`player(2) decides prompt`"""

    player: Expr
    what: Word | None


@frozen
class Sees(Node):
    """`player(2) sees e`"""

    player: Expr
    what: Expr


@frozen
class CannotSee(Node):
    """`player(2) cannot see e`"""

    player: Expr
    what: Expr


@frozen
class Over(Node):
    """`over for {player(1)}`"""

    winners: Expr | None
