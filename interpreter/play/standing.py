"""Where a match stands in its rules, and where that is in other rules.

The control stack of a state is a frame for each procedure under way. Each waits somewhere: the
innermost at a question, the others at a call. Numbers of blocks and of slots belong to one rule
program, but what waits there has been written by somebody: in this rule, this statement, the first
or the second of those that read so. In another program the same place is where the same
statement of the same rule waits, and what it still needs are the names that it knows.

So a rule may have been changed around the place where the match stands, or behind it: what comes
next goes by the new text. If the place itself is gone, or needs a name that nobody knows, the match
cannot stand there, and `Lost` says in which rule that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...grammar import Span
from ..core import value_types as t
from ..program.slot_types import Slots, typed_slots
from ..program.terminators import AskCase, AskCell, AskValue, Call
from .engine import Engine
from .state import State

_NUMBER = re.compile(r"_(\d+)(\D?)$")


class Lost(Exception):
    """Something of a position that other rules have no room for, in words."""


@frozen
class Spot:
    """A place where a procedure waits: in this procedure, among these rules, at this statement, the n-th of its like."""

    proc: str
    rules: tuple[str, ...]
    says: tuple[str, ...]
    number: int


@frozen
class Name:
    """A name that is still needed: how it is called, the n-th of those called so."""

    word: str
    number: int


@frozen
class Frame:
    """A procedure under way: the block that it waits in, and the slots that it still needs."""

    block: int
    spot: Spot
    values: dict[Name, tuple[int, t.Type]]
    """Where in its slots each name is, and its type."""


class Standing:
    """The places of one engine's program. The engine keeps what questions hang on (`anew`)."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.program = engine.program
        generated = engine.generated
        self.asked = {pc: generated.starts.get(pc, asker) for pc, asker in generated.askers.items()}
        """Where each question, by the block that goes on with its answer, can be asked anew."""
        self.spots: dict[int, Spot] = {}
        self.blocks: dict[Spot, int] = {}
        self.types: Slots = typed_slots(self.program, range(len(self.program.blocks)))
        known: dict[tuple[Any, ...], int] = {}
        for block, says in sorted(self._waiting()):
            where = self.program.blocks[block]
            key = (where.proc, where.trail, says)
            spot = Spot(*key, known.get(key, 0))
            known[key] = spot.number + 1
            self.spots[block], self.blocks[spot] = spot, block

    def _waiting(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Every block in which a procedure may wait, with what it waits for."""
        for block in self.program.blocks:
            term = block.term
            if isinstance(term, AskValue | AskCase | AskCell):
                pc = term.after if isinstance(term, AskValue) else term.chosen
                if pc in self.asked:
                    yield pc, ("asks", term.point.name, _line(term.point.span))
            elif isinstance(term, Call) and term.after in self.engine.frames:
                yield term.after, ("calls", term.proc, _line(term.span))

    def frames(self, state: State) -> list[Frame]:
        """The control stack of a state, outermost first."""
        out = []
        top, pc, asked = len(state.st), state.pc, True
        while True:
            size = self.engine.frames[pc][0]
            spot = self.spots.get(pc)
            if spot is None:
                raise Lost("in the middle of something that cannot be asked anew")
            out.append(Frame(pc, spot, self.names(pc, asked=asked)))
            start = top - size
            if start <= 0:
                return out[::-1]
            top, asked = start - 1, False
            pc = state.st[top]

    def names(self, pc: int, *, asked: bool) -> dict[Name, tuple[int, t.Type]]:
        """What is still needed where a procedure waits."""
        block = self.program.blocks[self.asked[pc] if asked else pc]
        slots = self.program.procs[block.proc].slots
        types = {slot: type_ for slot, _, type_ in self.types[block.id]}
        found: dict[str, list[tuple[int, int]]] = {}
        for uid in block.live:
            slot = slots.index(uid)
            number = _NUMBER.search(uid)
            word = uid[: number.start()] + number[2] if number is not None else uid
            found.setdefault(word, []).append((int(number[1]) if number is not None else 0, slot))
        return {
            Name(word, n): (slot, types.get(slot, t.UNKNOWN))
            for word, numbered in found.items()
            for n, (_, slot) in enumerate(sorted(numbered))
        }

    def place(self, spot: Spot) -> int:
        """The block of the same place in these rules."""
        if spot not in self.blocks:
            raise Lost(f"the match stands in the middle of {in_words(spot)}, which is another now")
        return self.blocks[spot]


def in_words(spot: Spot) -> str:
    rule = spot.rules[-1] if spot.rules else spot.proc
    return f"`{rule}`" if rule != "main" else "the match itself"


def _line(span: Span) -> str:
    """The first line of a statement, however it is laid out."""
    return " ".join(span.text.split("\n", 1)[0].split())
