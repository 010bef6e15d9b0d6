"""Lowering, the base: where code goes, what is open around it, what is in force.

The parts of the lowering are classes on top of each other: this one, then
control (lower_control.py), decisions and chance (lower_choices.py), and
procedures (lower.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....grammar import Span
from ...check.privacy import Privacy
from ...core import CallRule, CheckedGame, Const, Ex, Local, RuleDecl, St, Var, choices_in
from ...core import value_types as t
from ...core.dispatch import Dispatch
from ..ir import Block, Instr, Proc, Program, Scope
from ..layout import Layout
from ..terminators import Branch, Jump, Terminator
from ..waiting import Waiting

if TYPE_CHECKING:
    from ..passes.crossings import Crossings


takes_apart = Dispatch()
"""The methods that make blocks of a statement."""


class LoweringBase:
    if TYPE_CHECKING:  # what the finished lowering adds and its parts rely on
        crossings: Crossings

        def _hooked(
            self, hooks: list[RuleDecl], args: tuple[Ex, ...], span: Span, body: tuple[St, ...]
        ) -> tuple[St, ...]: ...

        def _calls(
            self, hooks: list[RuleDecl], timing: str, args: tuple[Ex, ...], span: Span
        ) -> tuple[St, ...]: ...

        def _answering(
            self,
            hooks: list[RuleDecl],
            args: tuple[Ex, ...],
            span: Span,
            body: tuple[St, ...],
            taken: tuple[St, ...] = (),
        ) -> tuple[St, ...]: ...

    def __init__(self, game: CheckedGame, layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self.program = Program()
        self.waiting: Waiting
        self.privacy: Privacy
        self.block: Block
        self.proc: Proc
        self.rule = ""  # whose text is being lowered: not always that of the procedure
        self.unit = ""  # the procedure it belongs to, also when that is written into another
        self.returns: list[tuple[Block, Var | None, int]] = []  # where `return` goes in such a case
        self.behind: dict[int, tuple[St, ...]] = {}  # of choices in headers: the lines behind them
        self.inside: list[str] = []  # procedures being written into this one
        self.sites: dict[str, int] = {}
        self.scopes: tuple[Scope, ...] = ()
        self.me: Var | None = None
        self.loops: list[tuple[str | None, int, int]] = []  # label, next pass, exit
        self.names = 0
        self.groups = 0
        self.sealed = False

    def number(self) -> str:
        """For the uid of a name of the lowering's own. Those of the checker end with a digit."""
        self.names += 1
        return f"{self.names}l"

    def new_me(self, wanted: bool) -> Var | None:
        return Var("me", f"me_{self.number()}", t.PLAYER) if wanted else None

    def call(self, name: str, args: tuple[Ex, ...], span: Span, var: Var | None = None) -> St:
        return CallRule(span, name, args, var.type if var else None, var)

    # ------------------------------------------------------------ blocks
    def new_block(self) -> Block:
        block = self.program.new_block(self.proc.name, self.rule, self.scopes)
        block.trail = (self.proc.rule, *(self.program.procs[name].rule for name in self.inside))
        self.proc.blocks.append(block.id)
        return block

    def emit(self, st: St) -> None:
        if self.block.term is None:
            self.block.code.append(Instr(st, self.me))

    def end(self, term: Terminator) -> None:
        """Close the current block; what follows in it could never be reached."""
        if self.block.term is None:
            self.block.term = term

    def jump(self, target: Block, span: Span) -> None:
        self.end(Jump(span, self.me, target.id))

    def branch(self, condition: Ex, then: Block, otherwise: Block, span: Span) -> None:
        self.end(Branch(span, self.me, condition, then.id, otherwise.id))

    def follow(self) -> Block:
        """A new block that the current one runs into."""
        block = self.new_block()
        self.jump(block, self.proc.span)
        return block

    def open(self, scope: Scope) -> None:
        self.scopes = (*self.scopes, scope)

    def close_scopes(self, scopes: tuple[Scope, ...]) -> None:
        for scope in reversed(scopes):
            for instr in scope.cleanup:
                if self.block.term is None:
                    self.block.code.append(instr)

    # ------------------------------------------------------------ what the parts share
    def stmts(self, body: tuple[St, ...]) -> None:
        for st in body:
            self.stmt(st)

    def headed(self, body: tuple[St, ...]) -> None:
        """The body of an action or of a case: what is chosen in its header must leave it possible."""
        self.behind.update((id(st), checks) for st, checks in choices_in(body))
        self.stmts(body)

    def proc_body(self, proc: Proc) -> None:
        rule = self.game.rules.get(proc.name.removesuffix("!"))
        if rule is not None and rule.kind == "action":
            self.headed(proc.body)
        else:
            self.stmts(proc.body)

    def stmt(self, st: St) -> None:
        raise NotImplementedError

    def hook_calls(
        self, hooks: list[RuleDecl], timing: str, args: tuple[Ex, ...], span: Span, out: list[St]
    ) -> None:
        raise NotImplementedError


def local(var: Var, span: Span) -> Local:
    return Local(var.type, span, var)


def number(value: int, span: Span) -> Ex:
    return Const(t.Num(value, value), span, value)
