"""The match under way, as all parts of the interpreter see it."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, evolve

from ...grammar import Span
from ..core import CheckedGame, Ex, St
from ..core import value_types as t
from ..core.dispatch import Dispatch
from .table import Spot, Table
from .trouble import Trouble

if TYPE_CHECKING:
    from .seeing import Seeing


@define(eq=False)
class Frame:
    """The names known in a rule, and who decides in it."""

    rule: str
    vars: dict[str, Any] = Factory(dict)
    me: int | None = None
    ends: bool = False  # the rule is an ending, which gives the end its name

    def deciding(self, player: int) -> Frame:
        """The same names, somebody else decides."""
        return evolve(self, me=player)

    def inner(self, more: dict[str, Any] | None = None) -> Frame:
        """A frame for trying things out: what is bound in it is forgotten."""
        return evolve(self, vars={**self.vars, **(more or {})})


@define(eq=False)
class Asked:
    """A decision: somebody takes one of these values."""

    player: int
    kind: str  # choose, vector, offer
    name: str
    rule: str
    span: Span
    values: list[Any]
    keys: list[tuple[Any, ...]]
    prompt: str
    first: bool = True
    last: bool = True
    cell: tuple[str, ...] = ()
    private: bool = False
    declined: Any = None  # the value that means "no", which is not announced
    type: t.Type | None = None
    unnamed: bool = False  # a window of those who can react: others are not told who is asked


@define(eq=False)
class Drawn:
    """A chance point: one of these values, by weight."""

    values: list[Any]
    weights: list[int]
    type: t.Type
    audience: set[int] | None = None  # of a roll: who sees it; None for a draw


Steps = Generator[Asked | Drawn, Any, Any]
ENDLESS = 100_000
"""Statements in a row without a decision or chance, before we give up."""

evaluates = Dispatch()
"""Says which expressions a function works out: `(play, ex, frame)` to a value."""

executes = Dispatch()
"""Says which statements a function carries out: `(play, st, frame)` to steps."""


@define(eq=False)
class Play:
    game: CheckedGame
    players: int
    options: dict[str, int]
    table: Table
    seeing: Seeing
    winners: set[int] = Factory(set)
    reason: str | None = None
    over: bool = False
    atomic: int = 0
    clocks: list[int] = Factory(list)  # the rounds with a clock that are under way, innermost last
    begun: int = 0  # how many rounds have been begun
    ending_reads: dict[str, set[Spot]] = Factory(dict)
    steps: int = 0  # statements since somebody was asked
    headers: dict[int, tuple[Any, ...]] | None = (
        None  # the lines behind each line of a header, once asked for
    )

    def value(self, ex: Ex, frame: Frame) -> Any:
        return evaluates[ex](self, ex, frame)

    def values(self, args: tuple[Ex, ...], frame: Frame) -> list[Any]:
        return [self.value(arg, frame) for arg in args]

    def run(self, body: tuple[St, ...], frame: Frame) -> Steps:
        for st in body:
            self.steps += 1
            if self.steps > ENDLESS:
                raise Trouble("D0914", st.span, "this goes on without end: nobody decides anything")
            yield from executes[st](self, st, frame)
