"""What the parts of the lowering share: where code goes, what is open around it, what is in force, and each other.

Every part is a class of its own, for one sort of statement, and holds the one `Context` as `c`. All
that changes on the way through a procedure is kept here: the block that is being filled, whom `me`
means, the scopes that a jump has to close, the loops that `skip` may mean. A statement that cannot
wait goes into the block as it is; one that can is taken apart by the part that knows it.
"""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    As,
    Atomic,
    CallRule,
    CheckedGame,
    Ex,
    Finish,
    For,
    If,
    InPhase,
    Repeat,
    Reset,
    Show,
    St,
    TestBefore,
    Var,
    choices_in,
)
from ...core import value_types as t
from ...core.facts import ASKS, JUMPS, jumps_out
from ...core.privacy import Privacy
from ..ir import Block, Instr, Proc, Program, Scope
from ..layout import Layout
from ..passes.counters import Sites
from ..passes.crossings import Crossings
from ..terminators import Branch, Finished, Jump, Terminator
from ..waiting import Waiting
from .chance import Chance
from .choices import Choices
from .control import Control
from .hooks import Hooks
from .loops import Loops
from .part import takes_apart
from .weaving import Weaving


class Context:
    block: Block  # that is being filled
    proc: Proc  # whose it is

    def __init__(self, game: CheckedGame, layout: Layout, sites: Sites | None = None) -> None:
        self.game = game
        self.layout = layout
        self.covered_sites = sites  # what is counted, in a covered engine
        self.program = Program()
        self.rule = ""  # whose text is being lowered: not always that of the procedure
        self.unit = ""  # the procedure it belongs to, also when that is written into another
        self.returns: list[tuple[Block, Var | None, int]] = []  # where `return` goes in such a case
        self.behind: dict[int, tuple[St, ...]] = {}  # of choices in headers: the lines behind them
        self.inside: list[str] = []  # procedures being written into this one
        self.sites: dict[str, int] = {}
        self.scopes: tuple[Scope, ...] = ()
        self.me: Var | None = None
        self.passes: list[tuple[str | None, int, int]] = []  # loops: label, next pass, scopes around it
        self.names = 0
        self.groups = 0
        self.sealed = False

        self.control = Control(self)
        self.loops = Loops(self)
        self.choices = Choices(self)
        self.chance = Chance(self)
        self.hooks = Hooks(self)
        self.weaving = Weaving(self)
        self.forms = takes_apart.bound(self.control, self.loops, self.choices, self.chance)

        self.crossings = Crossings(game, self.number)
        self.woven = {name: self.weaving.woven(rule) for name, rule in game.rules.items()}
        self.woven |= {f"trigger {name}": self.weaving.woven(rule) for name, rule in game.triggers.items()}
        self.waiting = Waiting(game, self.woven)
        self.privacy = Privacy(game)

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

    # ------------------------------------------------------------ blocks
    def stmt(self, st: St) -> None:
        if isinstance(st, Finish):
            self.emit(st)
            self.end(Finished(st.span, self.me))
            self.block = self.new_block()
            return
        if isinstance(st, ASKS):
            self.at_rest(st.span)
        open_inside = isinstance(st, If | As | InPhase | Show | Atomic | For | Repeat) and jumps_out(st)
        if open_inside or isinstance(st, JUMPS) or self.waiting.needs_blocks((st,)):
            self.forms[type(st)](st)
        else:
            self.emit(st)

    def at_rest(self, span: Span) -> None:
        if any(ending.before == "rest" for ending in self.game.endings.values()):
            self.emit(TestBefore(span, "rest"))

    def ends(self, label: str | None, *more: str) -> tuple[Instr, ...]:
        """What runs when a scope is left by force: the reset of what lasts `until` it ends."""
        labels = [name for name in (label, *more) if name]
        found = (*labels, *(f"next {name}" for name in labels))
        names = tuple(n for n in found if n in self.waiting.lifetimes)
        return (Instr(Reset(self.proc.span, names), None),) if names else ()
