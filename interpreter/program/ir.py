"""The rule program: the contract between the language and its back ends.

A game becomes procedures. A procedure that never has to wait (for a decision,
for chance, or for a procedure that waits) is *plain*: its body stays a tree of
statements. Any other is a graph of blocks: each block is a run of plain
statements closed by one terminator (terminators.py). What must survive from one block to the
next lives in the slots of the procedure's frame, which liveness decides.
Nothing here knows about Python.
"""

from __future__ import annotations

from attrs import Factory, define

from ...grammar import Span
from ..core import Count, Nothing, St, Var, bodies
from .terminators import DecisionPoint, Terminator


@define(eq=False)
class Instr:
    """A plain statement; `me` is the variable that holds who decides, if anybody."""

    st: St
    me: Var | None


@define(eq=False)
class Scope:
    """Something open around a block that must be closed when control leaves it by force."""

    label: str | None
    exit: int
    cleanup: tuple[Instr, ...] = ()
    loop: Span | None = None  # of a loop that nothing bounds: its first word


@define(eq=False)
class Block:
    id: int
    proc: str
    rule: str  # whose text it comes from, as the reader calls it
    trail: tuple[
        str, ...
    ] = ()  # the rules around it, as the reader calls them, when it is written into another
    code: list[Instr] = Factory(list)
    term: Terminator | None = None
    scopes: tuple[Scope, ...] = ()
    live: tuple[str, ...] = ()  # uids needed on entry


@define(eq=False)
class Proc:
    name: str
    params: tuple[Var, ...]
    me: Var | None
    rule: str  # what the reader calls it
    span: Span
    plain: bool = True
    body: tuple[St, ...] = ()
    blocks: list[int] = Factory(list)
    slots: list[str] = Factory(list)
    returns: bool = False
    cites: tuple[str, ...] = ()

    @property
    def entry(self) -> int:
        return self.blocks[0]


@define(eq=False)
class Program:
    procs: dict[str, Proc] = Factory(dict)
    blocks: list[Block] = Factory(list)
    decisions: list[DecisionPoint] = Factory(list)
    main: str = "main"

    def new_block(self, proc: str, rule: str, scopes: tuple[Scope, ...]) -> Block:
        block = Block(len(self.blocks), proc, rule, scopes=scopes)
        self.blocks.append(block)
        return block


def statements(body: tuple[St, ...]) -> int:
    """How many statements, those inside others included; what only counts, and what does nothing, is none."""
    total = 0
    for st in body:
        total += int(not isinstance(st, Count | Nothing)) + sum(map(statements, bodies(st)))
    return total
