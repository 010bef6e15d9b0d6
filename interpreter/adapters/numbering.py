"""Actions as numbers: one range of numbers for everything that can ever be asked.

An action is named by the rule that asks, the name it asks for, and the value:
`place_chamber`, `s`, `(1, 0)`. Ranges are in the order of these names, so a rule file that
is formatted anew or whose rules stand in another order keeps its numbers, and a
policy that was trained on them. `fingerprint` changes when the numbers mean something else.

A cell of a vector is part of its action (`divide`, `n` for player 2 and silver, 3), since
nothing else would tell the cells apart. Two places in a rule that ask for the same
name of one type share their range: never are both asked at once.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from math import prod

from attrs import frozen

from ..core import value_types as t
from ..core.errors import UsageError
from ..play.engine import Engine
from ..play.match import Decision, Option
from ..program.terminators import DecisionPoint
from .domains import Domain, Domains, Listed

VERSION = 1
"""Of the way numbers are given; part of the fingerprint."""

Name = tuple[str, str, str]
"""Rule, what it asks for, and of which type."""


@frozen
class Block:
    """The numbers from `start` on are the answers to one question of the rules; with `cells`, so many
    times the domain, one for each cell of a vector."""

    rule: str
    name: str
    start: int
    domain: Domain
    cells: tuple[tuple[str, ...], ...] = ()

    @property
    def size(self) -> int:
        return self.domain.size * max(1, len(self.cells))

    def words(self, number: int) -> str:
        cell, value = divmod(number - self.start, self.domain.size)
        what = self.domain.words(value)
        rule = self.rule.replace("_", " ")
        if self.name == OFFER:
            return f"{rule}: {what}"
        if self.cells:
            return f"{rule}: {self.name} for {', '.join(self.cells[cell])}: {what}"
        return f"{rule}: {self.name}: {what}"


OFFER = "offer"


class Actions:
    """The numbers of all actions. Made by `Game.actions`."""

    def __init__(self, engine: Engine) -> None:
        self._domains = Domains(engine.layout)
        self.players = engine.players
        asked: dict[Name, list[DecisionPoint]] = {}
        for point in engine.points.values():
            asked.setdefault(block_name(point), []).append(point)
        self.blocks: dict[Name, Block] = {}
        start = 0
        for name, points in sorted(asked.items()):
            block = self.blocks[name] = self._block(start, points)
            start += block.size
        self.count = start
        self._starts = [block.start for block in self.blocks.values()]
        told = [
            (b.rule, b.name, b.size, hashlib.sha256("\n".join(map(b.words, _all(b))).encode()).hexdigest())
            for b in self.blocks.values()
        ]
        text = json.dumps([VERSION, self.players, told])
        self.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]

    def _block(self, start: int, points: list[DecisionPoint]) -> Block:
        point = points[0]
        if point.kind == "offer":
            cases = dict(sorted(case for point in points for case in point.cases))
            domain = Listed(len(cases), {case: n for n, case in enumerate(cases)}, tuple(cases.values()))
            return Block(point.rule, OFFER, start, domain)
        if not isinstance(point.type, t.Array):
            return Block(point.rule, point.name, start, self._domains.of(point.type))
        values = self._domains.values
        count = prod(values.layout.size(index) for index in point.type.index)
        cells = tuple(values.cell(point, n) for n in range(count))
        return Block(point.rule, point.name, start, self._domains.of(point.type.of), cells)

    def block(self, decision: Decision) -> Block:
        """The numbers that answer a question."""
        point = decision.options[0]._point
        assert point is not None
        return self.blocks[block_name(point)]

    def numbers(self, decision: Decision) -> tuple[int, ...]:
        """The number of each option, in their order; no two are the same."""
        block = self.block(decision)
        first = block.start
        if block.cells:
            first += block.cells.index(decision.cell) * block.domain.size
        return tuple(first + n for n in block.domain.places([option.key[-1] for option in decision.options]))

    def option(self, decision: Decision, number: int) -> Option:
        """The option that a number stands for; an error if it is not offered."""
        for option, own in zip(decision.options, self.numbers(decision), strict=True):
            if own == number:
                return option
        raise UsageError("D0904", f"action {number} is not among the options", self._offered(decision))

    def _offered(self, decision: Decision) -> str:
        numbers = sorted(self.numbers(decision))
        shown = ", ".join(map(str, numbers[:12])) + (", ..." if len(numbers) > 12 else "")
        return f"{decision.prompt}: {shown}"

    def describe(self, number: int) -> str:
        """An action in words."""
        if not 0 <= number < self.count:
            raise UsageError("D0904", f"there is no action {number}; there are {self.count}")
        block = list(self.blocks.values())[bisect_right(self._starts, number) - 1]
        return block.words(number)


def _all(block: Block) -> range:
    return range(block.start, block.start + block.size)


def block_name(point: DecisionPoint) -> Name:
    """What the numbers of a question go by."""
    return point.rule, OFFER if point.kind == "offer" else point.name, str(point.type)
