"""Native code: numbers and seats."""

from __future__ import annotations

from ..core import (
    Apply,
    InRange,
    PartitionOf,
)
from ..core import value_types as t
from .builder import Value
from .code import LARGE, NONE, RANGE, ZERO
from .part import Part, gives

_ARITHMETIC = {"add": "add", "sub": "sub"}
_SAFE = 1 << 31


class Arithmetic(Part):
    # ------------------------------------------------------------ numbers
    @gives("add", "sub")
    def _sum(self, ex: Apply) -> Value:
        return self.c.op(_ARITHMETIC[ex.op], self.c.value(ex.args[0]), self.c.value(ex.args[1]))

    @gives("mul")
    def _product(self, ex: Apply) -> Value:
        a, b = (self.c.value(x) for x in ex.args)
        if _bounded(ex.type):
            return self.c.op("mul", a, b)
        both = self.c.let(f"call {{i64, i1}} @llvm.smul.with.overflow.i64(i64 {a}, i64 {b})")
        self.c.fail_if(self.c.let(f"extractvalue {{i64, i1}} {both}, 1"), LARGE)
        made = self.c.let(f"extractvalue {{i64, i1}} {both}, 0")
        self._not_huge(made)
        return made

    def _not_huge(self, value: Value) -> None:
        shifted = self.c.op("add", value, 1 << 52)
        self.c.fail_if(self.c.compare("ugt", shifted, 1 << 53), LARGE)

    @gives("div", "mod")
    def _quotient(self, ex: Apply) -> Value:
        """Rounded down."""
        a, b = (self.c.value(x) for x in ex.args)
        positive = _not_negative(ex.args[0].type) and _positive(ex.args[1].type)
        if not _positive(ex.args[1].type):
            self.c.fail_if(self.c.compare("eq", b, 0), ZERO)
        if positive:
            return self.c.let(f"{'udiv' if ex.op == 'div' else 'urem'} i64 {a}, {b}")
        quotient, left = self.c.let(f"sdiv i64 {a}, {b}"), self.c.let(f"srem i64 {a}, {b}")
        other_way = self.c.both(
            self.c.compare("ne", left, 0), self.c.compare("slt", self.c.op("xor", left, b), 0)
        )
        if ex.op == "div":
            return self.c.op("sub", quotient, self.c.number(other_way))
        return self.c.add(left, self.c.select(other_way, b, "0"))

    @gives("neg")
    def _neg(self, ex: Apply) -> Value:
        return self.c.op("sub", 0, self.c.value(ex.args[0]))

    @gives("abs")
    def _abs(self, ex: Apply) -> Value:
        value = self.c.value(ex.args[0])
        return self.c.most(value, self.c.op("sub", 0, value))

    @gives("min_of", "max_of")
    def _extreme(self, ex: Apply) -> Value:
        choose = self.c.least if ex.op == "min_of" else self.c.most
        best = self.c.value(ex.args[0])
        for arg in ex.args[1:]:
            best = choose(best, self.c.value(arg))
        return best

    @gives("some")
    def _some(self, ex: Apply) -> Value:
        value = self.c.value(ex.args[0])
        self.c.fail_if(self.c.compare("slt", value, 0), NONE)
        return value

    @gives(InRange)
    def _in_range(self, ex: InRange) -> Value:
        value = self.c.value(ex.of)
        bad = self.outside(value, ex.low, ex.high)
        if isinstance(ex.type, t.Opt):
            bad = self.c.both(bad, self.c.compare("ne", value, -1))
        self.c.fail_if(bad, RANGE)
        return value

    def outside(self, value: Value, low: int, high: int) -> Value:
        return self.c.compare("ugt", self.c.op("sub", value, low), high - low)

    @gives("active")
    def _active(self, ex: Apply) -> Value:
        return self.c.number_at(self.layout.ACTIVE)

    @gives("turn_number")
    def _turn(self, ex: Apply) -> Value:
        return self.c.number_at(self.layout.TURN)

    @gives("player_count")
    def _player_count(self, ex: Apply) -> Value:
        return str(self.layout.players)

    @gives("players")
    def _players(self, ex: Apply) -> Value:
        return str((1 << self.layout.players) - 1)

    @gives("seat", "number")
    def _from_one(self, ex: Apply) -> Value:
        return self.c.add(self.c.value(ex.args[0]), 1)

    @gives("player")
    def _player(self, ex: Apply) -> Value:
        value = self.c.value(ex.args[0])
        self.c.fail_if(self.outside(value, 1, self.layout.players), RANGE)
        return self.c.op("sub", value, 1)

    @gives("left")
    def _left(self, ex: Apply) -> Value:
        value, players = self.c.value(ex.args[0]), self.layout.players
        if players == 2:
            return self.c.op("sub", 1, value)
        following = self.c.add(value, 1)
        return self.c.select(self.c.compare("eq", following, players), "0", following)

    @gives("right")
    def _right(self, ex: Apply) -> Value:
        value, players = self.c.value(ex.args[0]), self.layout.players
        if players == 2:
            return self.c.op("sub", 1, value)
        return self.c.select(self.c.compare("eq", value, 0), str(players - 1), self.c.op("sub", value, 1))

    @gives("others")
    def _others(self, ex: Apply) -> Value:
        everybody = (1 << self.layout.players) - 1
        return self.c.op("xor", self.c.op("shl", 1, self.c.value(ex.args[0])), everybody)

    @gives(PartitionOf)
    def _partition(self, ex: PartitionOf) -> Value:
        groups = self.layout.groups[ex.partition.name]
        masks = [sum(1 << q for q, g in enumerate(groups) if g == groups[p]) for p in range(len(groups))]
        return self.c.table(masks, self.c.value(ex.player))


def _bounded(type_: t.Type) -> bool:
    return (
        isinstance(type_, t.Num)
        and type_.low > -_SAFE
        and type_.high < _SAFE
        and not (type_.low <= -t.MANY or type_.high >= t.MANY)
    )


def _not_negative(type_: t.Type) -> bool:
    return isinstance(type_, t.Num) and type_.low >= 0


def _positive(type_: t.Type) -> bool:
    return isinstance(type_, t.Num) and type_.low > 0
