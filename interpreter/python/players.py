"""The Python back end: players, seats and whose turn it is."""

from __future__ import annotations

from ..core import (
    Apply,
    Me,
    PartitionOf,
)
from ..core import value_types as t
from .part import Part, writes_value


class Players(Part):
    @writes_value(Me)
    def x_me(self, ex: Me) -> str:
        assert self.c.me is not None
        return self.c.me

    @writes_value("active")
    def x_active(self, ex: Apply) -> str:
        return f"I[{self.layout.ACTIVE}]"

    @writes_value("turn_number")
    def x_turn_number(self, ex: Apply) -> str:
        return f"I[{self.layout.TURN}]"

    @writes_value("seat")
    def x_seat(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} + 1)"

    @writes_value("player")
    def x_player(self, ex: Apply) -> str:
        (number,) = ex.args
        code = self.emit(number)
        if not isinstance(number.type, t.Num) or number.type.high > self.layout.players:
            code = f"ranged({code}, 1, {self.layout.players}, {self.pool.span(ex.span)})"
        return f"({code} - 1)"

    @writes_value("left")
    def x_left(self, ex: Apply) -> str:
        n = self.layout.players
        who = self.emit(ex.args[0])
        return f"(1 - {who})" if n == 2 else f"(({who} + 1) % {n})"

    @writes_value("right")
    def x_right(self, ex: Apply) -> str:
        n = self.layout.players
        who = self.emit(ex.args[0])
        return f"(1 - {who})" if n == 2 else f"(({who} - 1) % {n})"

    @writes_value("others")
    def x_others(self, ex: Apply) -> str:
        n = self.layout.players
        table = tuple(((1 << n) - 1) & ~(1 << p) for p in range(n))
        return f"{self.pool.const('OTHERS', table)}[{self.condition(ex.args[0])}]"

    @writes_value("clockwise")
    def x_clockwise(self, ex: Apply) -> str:
        n = self.layout.players
        table = tuple(tuple((p + i) % n for i in range(n)) for p in range(n))
        return f"{self.pool.const('CLOCKWISE', table)}[{self.condition(ex.args[0])}]"

    @writes_value(PartitionOf)
    def x_partition(self, ex: PartitionOf) -> str:
        groups = self.layout.groups[ex.partition.name]
        table = tuple(sum(1 << q for q, g in enumerate(groups) if g == groups[p]) for p in range(len(groups)))
        return f"{self.pool.const('GROUP', table)}[{self.condition(ex.player)}]"
