"""The rule program: the contract between the language and its back ends.

A game becomes procedures. A procedure that never has to wait (for a decision,
for chance, or for a procedure that waits) is *plain*: its body stays a tree of
statements. Any other is a graph of blocks: each block is a run of plain
statements closed by one terminator. What must survive from one block to the
next lives in the slots of the procedure's frame, which liveness decides.
Nothing here knows about Python.
"""

from __future__ import annotations

from typing import Any

from attrs import Factory, define, field

from ...grammar import Span
from ..core import Count, Ex, Gen, St, Var, bodies


@define(eq=False)
class Instr:
    """A plain statement; `me` is the variable that holds who decides, if anybody."""

    st: St
    me: Var | None


@define(eq=False)
class Term:
    """How a block ends. `targets` are blocks of the same procedure."""

    op: str  # jump branch call return choose offer pick vector draw roll peek stop end
    span: Span
    targets: list[int] = Factory(list)
    args: tuple[Any, ...] = ()
    me: Var | None = None
    binds: Var | None = None
    data: Any = None


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
    term: Term | None = None
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
class DecisionPoint:
    """What is fixed about a decision: who wrote it, what it asks, how its options read."""

    id: int
    kind: str  # choose, offer, vector
    name: str
    type: Any
    prompt: str | None
    rule: str
    span: Span
    group: int
    first: bool
    last: bool
    private: bool
    cases: tuple[tuple[str, str], ...] = ()
    sealed: bool = False
    quiet: bool = False  # declining is nobody's business
    unnamed: bool = False  # who is asked is nobody else's business: only those are who can do something
    guards: Any = None


@define(eq=False)
class Program:
    procs: dict[str, Proc] = Factory(dict)
    blocks: list[Block] = Factory(list)
    decisions: list[DecisionPoint] = Factory(list)
    scenarios: list[Any] = Factory(list)
    main: str = "main"

    def new_block(self, proc: str, rule: str, scopes: tuple[Scope, ...]) -> Block:
        block = Block(len(self.blocks), proc, rule, scopes=scopes)
        self.blocks.append(block)
        return block


@define(eq=False)
class Binding:
    """One binder of a choice as the back end needs it: what it runs over, what must hold,
    and the binders still to come, which must be completable."""

    gen: Gen
    rest: tuple[Gen, ...]
    distinct: tuple[Ex, ...] = ()
    alike: tuple[str, ...] = ()
    guards: tuple[Any, ...] = field(default=())


def statements(body: tuple[St, ...]) -> int:
    """How many statements, those inside others included; what only counts is none."""
    total = 0
    for st in body:
        total += int(not isinstance(st, Count)) + sum(map(statements, bodies(st)))
    return total
