"""The reference interpreter before there is a table: it works out constants, and refuses anything else."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define

from ..core import CallDefine, CheckedGame, Ex, Local, SpaceAt, Universe, applies
from ..core import value_types as t
from ..reference import expressions
from ..reference.play import Frame, Play, evaluates
from ..reference.seeing import Seeing
from ..reference.spaces import Board
from ..reference.table import Table
from ..reference.trouble import Outside
from .constants import NotConstant, may_be_constant

PARTS = (expressions,)
"""Imported so that it is known what operations mean."""


class Boards(dict[str, Board]):
    """Each board when somebody asks for it: its size is a constant, too."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __missing__(self, key: str) -> Board:
        place, nowhere = self.play.game.places[key], Frame("")
        width = self.play.value(place.width, nowhere) if place.width is not None else 0
        height = self.play.value(place.height, nowhere) if place.height is not None else 1
        board = self[key] = Board(width, height, place.form.round, place.width is None)
        return board


@define(eq=False, init=False)
class BeforePlay(Play):
    called: dict[tuple[str, tuple[Any, ...]], Any] = Factory(dict)

    def __init__(self, game: CheckedGame, players: int, options: dict[str, int]) -> None:
        self.__attrs_init__(game, players, options, Table(game, players), Seeing(players))
        self.table.boards = Boards(self)

    def value(self, ex: Ex, frame: Frame) -> Any:
        match ex:
            case Local():
                fixed = ex.var.uid in frame.vars
            case Universe():
                fixed = isinstance(ex.of, t.Kind)
            case CallDefine():
                fixed = not ex.define.uses_me
            case _:
                fixed = may_be_constant(ex)
        if not fixed:
            raise NotConstant(ex.span)
        if isinstance(ex, CallDefine):
            return self._call(ex, frame)
        if isinstance(ex, SpaceAt):
            self._on_the_board(ex, frame)
        elif applies(ex, "range"):
            low, high = self.values(ex.args, frame)
            if high - low > t.MANY:
                raise Outside(ex.span, high - low, -t.MANY, t.MANY)
        return evaluates[ex](self, ex, frame)

    def _call(self, ex: CallDefine, frame: Frame) -> Any:
        """Each definition once for the same arguments: many may ask for it."""
        key = (ex.define.name, tuple(self.values(ex.args, frame)))
        if key not in self.called:
            self.called[key] = evaluates[ex](self, ex, frame)
        return self.called[key]

    def _on_the_board(self, ex: SpaceAt, frame: Frame) -> None:
        board = self.table.boards[ex.space.of]
        for number, most in ((ex.x, board.width), (ex.y, board.height)):
            value = self.value(number, frame)
            if not board.grows and not 1 <= value <= most:
                raise Outside(number.span, value, 1, most)
