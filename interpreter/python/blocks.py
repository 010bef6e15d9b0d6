"""The Python back end: blocks.

One function a block: it loads what it needs from the frame, runs, and returns
the number of the next block, or -1 when it waits. A block that another one
simply runs into is written into it, so that from one decision to the next there
is usually one call. What a frame must keep is stored only where control leaves
the function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core import Ex, Var
from ..core import value_types as t
from ..core.depth import LONGEST_STACK
from ..program.ir import Block
from ..program.terminators import (
    Back,
    Branch,
    Call,
    Finished,
    Jump,
    Switch,
    Unwind,
)
from .geometry import with_lookups
from .part import Part, writes_end

MERGE_LIMIT = 30  # blocks in one function
COPY_LIMIT = 5  # of them, blocks that other functions have too
COPY_SIZE = 10  # statements in such a block
_LOADED = re.compile(r"\bv_\w+")

if TYPE_CHECKING:
    from .context import Context


class Blocks(Part):
    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.merged = 0
        self.copied = 0
        self.loaded: dict[str, str] = {}

    def function(self, block: Block) -> list[str]:
        self.c.proc = self.pool.program.procs[block.proc]
        self.merged = 0
        self.copied = 0
        self.c.dirty = set()
        self.c.env = {uid: _identifier(uid) for uid in block.live}
        self.loaded = dict(self.c.env)
        entry = self.pool.entry_of(block.id)
        self.run(block, entry, ())
        head = [f"def b{block.id}(S, v):", "    I = S.I; L = S.L; st = S.st"]
        if any("G[" in line or ", G," in line for line in self.c.lines):
            head.append("    G = S.G")
        return with_lookups(head + self._with_loads())

    def _with_loads(self) -> list[str]:
        """The lines, and in front of the first statement that needs a slot of the frame, its load:
        a way that leaves early does not pay for what only the others need."""
        first: dict[str, int] = {}
        start = 0
        for number, line in enumerate(self.c.lines):
            if line[4] != " " and not line.startswith(("    else:", "    elif ")):
                start = number
            for name in _LOADED.findall(line):
                first.setdefault(name, start)
        loads: dict[int, list[str]] = {}
        for uid, name in self.loaded.items():
            if name in first:
                loads.setdefault(first[name], []).append(f"    {name} = {self.slot(uid)}")
        return [text for number, line in enumerate(self.c.lines) for text in (*loads.get(number, ()), line)]

    def slot(self, uid: str) -> str:
        return f"st[-{len(self.c.proc.slots) - self.c.proc.slots.index(uid)}]"

    # ------------------------------------------------------------ the way through
    def run(self, block: Block, entry: tuple[Var, str] | None, trail: tuple[int, ...]) -> None:
        self.merged += 1
        before, self.c.rule = self.c.rule, block.rule
        if entry is not None:
            var, source = entry
            self.c.bind(var, source)
        self.count_answer(block)
        for instr in block.code:
            self.c.me = self.c.env.get(instr.me.uid) if instr.me is not None else None
            self.c.stmt(instr.st)
        term = block.term
        assert term is not None, f"block {block.id} of {block.proc} has no end"
        self.c.me = self.c.env.get(term.me.uid) if term.me is not None else None
        self.c.end(term, (*trail, block.id))
        self.c.rule = before

    def count_answer(self, block: Block) -> None:
        """In a covered engine, take note of what was chosen or came up."""
        asked = self.pool.asking(block.id)
        if asked is not None:
            number, var = asked
            self.line(f"TAKEN[{number}][{self.c.env[var.uid]}] += 1")

    def go(self, target: int, trail: tuple[int, ...]) -> None:
        """Run into a block of the same procedure, or leave for it."""
        if not self.pool.is_entered(target) and self.merges(target, trail):
            self.run(self.pool.program.blocks[target], None, trail)
            return
        self.leave(target)
        self.line(f"return {self.pool.wanted(target)}")

    def merges(self, target: int, trail: tuple[int, ...]) -> bool:
        """A block that is reached from here only is always written in place; one that is reached
        from elsewhere too is copied if it is small, and only a few times."""
        if target in trail or self.merged >= MERGE_LIMIT:
            return False
        if self.pool.ways_to(target) <= 1:
            return True
        self.copied += 1
        return self.copied <= COPY_LIMIT and self.pool.block_size(target) <= COPY_SIZE

    def leave(self, target: int) -> None:
        """Store in the frame what the target needs and the frame does not have."""
        for uid in self.pool.program.blocks[target].live:
            if uid in self.c.dirty:
                self.line(f"{self.slot(uid)} = {self.c.env[uid]}")

    def fork_path(self) -> tuple[dict[str, str], set[str], dict[Ex, str], str | None]:
        return dict(self.c.env), set(self.c.dirty), dict(self.c.hoisted), self.c.me

    def restore(self, saved: tuple[dict[str, str], set[str], dict[Ex, str], str | None]) -> None:
        self.c.env, self.c.dirty, self.c.hoisted = dict(saved[0]), set(saved[1]), dict(saved[2])
        self.c.me = saved[3]

    @writes_end(Jump)
    def t_jump(self, term: Jump, trail: tuple[int, ...]) -> None:
        self.go(term.target, trail)

    @writes_end(Branch)
    def t_branch(self, term: Branch, trail: tuple[int, ...]) -> None:
        fixed = self.known(term.condition)
        if fixed is not None:
            self.go(term.then if fixed else term.otherwise, trail)
            return
        code = self.condition(term.condition)
        saved = self.fork_path()
        with self.c.block(f"if {code}:"):
            self.go(term.then, trail)
        self.restore(saved)
        self.go(term.otherwise, trail)

    @writes_end(Switch)
    def t_switch(self, term: Switch, trail: tuple[int, ...]) -> None:
        which = self.atom(term.which)
        saved = self.fork_path()
        for number, target in enumerate(term.cases):
            with self.c.block(f"if {which} == {number}:"):
                self.go(target, trail)
            self.restore(saved)
        self.go(term.otherwise, trail)

    @writes_end(Call)
    def t_call(self, term: Call, trail: tuple[int, ...]) -> None:
        callee = self.pool.program.procs[term.proc]
        values = {}
        for param, arg in zip(callee.params, term.args, strict=True):
            if param.uid in callee.slots:
                values[param.uid] = (
                    self.condition(arg)
                    if isinstance(arg.type, t.Place)
                    else self.c.exprs.same_shape(arg, param.type)
                )
        if callee.me is not None:
            values[callee.me.uid] = self.c.me or "-1"
        self.leave(term.after)
        frame = [str(self.pool.wanted(term.after)), *(values.get(uid, "0") for uid in callee.slots)]
        self.line(f"st += ({', '.join(frame)},)")
        self.line(f"if len(st) > {LONGEST_STACK}: too_deep(S, {self.pool.wanted(callee.entry)})")
        self.line(f"return {self.pool.wanted(callee.entry)}")

    @writes_end(Back)
    def t_return(self, term: Back, trail: tuple[int, ...]) -> None:
        if term.value is not None:
            self.line(f"S.rv = {self.c.exprs.same_shape(term.value, term.value.type)}")
        size = len(self.c.proc.slots)
        if size:
            self.line(f"del st[-{size}:]")
        self.line("return st.pop()")

    @writes_end(Finished)
    def t_end(self, term: Finished, trail: tuple[int, ...]) -> None:
        """`finish` has already left."""

    @writes_end(Unwind)
    def t_stop(self, term: Unwind, trail: tuple[int, ...]) -> None:
        self.line(f"return S.unwind({len(self.c.proc.slots)}, {term.label!r})")


def _identifier(uid: str) -> str:
    return f"v_{uid}"
