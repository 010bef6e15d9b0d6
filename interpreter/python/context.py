"""One Python function being written: its lines, the names in it, and the parts that write.

An expression becomes either one Python expression or, where it needs loops, a few lines in
front of it and the name of their result. Every part is a class of its own, for one sort of
thing in the language, and holds the one `Context` as `c`: `self.c.sets.iterable(ex)` asks the
part that knows sets. All that changes while a function is written is kept here, so the parts
may need each other in circles, as the language does, and their modules do not import each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...grammar import Span
from ..core import Count, Ex, Let, Nothing, Require, St, Var, applies, bodies, free_vars
from ..core import value_types as t
from ..core.dispatch import key_of
from ..core.facts import writes
from ..core.operators import OPERATORS
from ..program.ir import Proc
from ..program.terminators import Terminator
from .asking import Asking
from .blocks import Blocks
from .calls import Calls
from .components import Components
from .expressions import Expressions, const_code
from .geometry import Spaces
from .holdings import Holdings
from .known import Known
from .logic import Logic
from .loops import Loops
from .moves import Moves
from .part import writes_end, writes_lines, writes_value
from .places import Places
from .players import Players
from .possible import Offers
from .reductions import Reductions
from .sets import Sets
from .showing import Showing
from .statements import Statements
from .states import States
from .vectors import Vectors

if TYPE_CHECKING:
    from .generate import Pool

_PARTS = (
    Expressions, Logic, Players, Calls, Sets, Loops, Reductions, States, Holdings, Components,
    Spaces, Places, Moves, Showing, Statements, Vectors, Offers, Blocks, Asking,
)  # fmt: skip
_VALUES = writes_value.owned(*_PARTS)
_LINES = writes_lines.owned(*_PARTS)
_ENDS = writes_end.owned(*_PARTS)
_PURE = (Let, Count, Nothing, Require)
_SIGNS = {name: "==" if name == "eq" else row.sign for name, row in OPERATORS.items() if row.compares}


CAUSE = "  #: "
"""Behind a line that tells what has happened stands the rule that made it happen."""


class Context:
    proc: Proc  # whose frame it is

    def __init__(self, pool: Pool, *, in_block: bool = False) -> None:
        self.pool = pool  # constants, functions and spans of the module
        self.layout = pool.layout
        self.game = pool.game
        self.in_block = in_block  # the function is that of a block, so it can return the end of the match
        self.lines: list[str] = []
        self.indent = 1
        self.temps = 0
        self.depth = 0  # of definitions written into each other
        self.env: dict[str, str] = {}  # variables by their Python names
        self.consts: dict[str, int] = {}  # variables whose value is known while emitting
        self.unpacked: dict[str, list[str]] = {}  # lists of known length, element by element
        self.dirty: set[str] = set()  # variables that the frame does not have yet
        self.me: str | None = None
        self.rule = ""  # whose text is being written
        self.hoisted: dict[Ex, str] = {}  # expressions that have a name already
        self.common: dict[str, str] = {}  # code already worked out on the way here

        self.knows = Known(self)
        self.known = self.knows.known
        self.exprs = Expressions(self)
        self.logic = Logic(self)
        self.players = Players(self)
        self.calls = Calls(self)
        self.sets = Sets(self)
        self.loops = Loops(self)
        self.reductions = Reductions(self)
        self.states = States(self)
        self.holdings = Holdings(self)
        self.components = Components(self)
        self.spaces = Spaces(self)
        self.places = Places(self)
        self.moves = Moves(self)
        self.showing = Showing(self)
        self.statements = Statements(self)
        self.vectors = Vectors(self)
        self.offers = Offers(self)
        self.blocks = Blocks(self)
        self.asks = Asking(self)
        self._parts = {type(part): part for part in vars(self).values() if isinstance(part, _PARTS)}

    # ------------------------------------------------------------ writing lines
    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        self.line(header)
        self.indent += 1
        before = len(self.lines)
        with self.knowing():
            yield
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1

    @contextmanager
    def knowing(self) -> Iterator[None]:
        """What is named inside is forgotten behind it: there it need not have been worked out."""
        saved = self.common, self.hoisted
        self.common, self.hoisted = dict(saved[0]), dict(saved[1])
        yield
        self.common, self.hoisted = saved

    def forget(self, uid: str) -> None:
        """A variable gets another value: what was worked out with the old one is of no use."""
        stale = [ex for ex in self.hoisted if uid in free_vars(ex)]
        if stale:
            self.hoisted = {ex: name for ex, name in self.hoisted.items() if ex not in stale}

    def seen(self, call: str) -> None:
        """A line of the build that keeps what everybody has seen."""
        if self.pool.watched:
            self.line(f"{call}{CAUSE}{self.rule}" if self.rule else call)

    def fail(self, code: str, span: Span, *values: str) -> str:
        extra = "".join(f", {v}" for v in values)
        return f"fail({code!r}, {self.pool.span(span)}{extra})"

    # ------------------------------------------------------------ names
    def temp(self, prefix: str = "t") -> str:
        self.temps += 1
        return f"{prefix}{self.temps}"

    def name_of(self, var: Var) -> str:
        """A fresh Python name for a variable bound here."""
        self.temps += 1
        name = f"{var.name}_{self.temps}"
        self.env[var.uid] = name
        self.consts.pop(var.uid, None)
        self.forget(var.uid)
        return name

    def bind(self, var: Var, code: str) -> None:
        name = self.env.get(var.uid) or self.name_of(var)
        self.line(f"{name} = {code}")
        self.forget(var.uid)
        self.common.clear()  # the code in it may name the old value
        self.dirty.add(var.uid)

    # ------------------------------------------------------------ expressions
    def emit(self, ex: Ex) -> str:
        fixed = self.known(ex)
        if fixed is not None:
            return const_code(fixed)
        if ex in self.hoisted:
            return self.hoisted[ex]
        part, write = _VALUES[key_of(ex)]
        code: str = write(self._parts[part], ex)
        return code

    def condition(self, ex: Ex) -> str:
        """As `emit`, without outer parentheses."""
        code = self.emit(ex)
        if code.startswith("(") and code.endswith(")") and _balanced(code[1:-1]):
            return code[1:-1]
        return code

    def negated(self, ex: Ex) -> str:
        if (
            applies(ex, *_SIGNS)
            and not isinstance(ex.args[0].type, t.SetOf | t.ListOf)
            and ex not in self.hoisted
        ):
            a, b = (self.emit(x) for x in ex.args)
            return f"{a} {_SIGNS[OPERATORS[ex.op].negation]} {b}"
        return f"not {self.emit(ex)}"

    def atom(self, ex: Ex) -> str:
        """Code that may be repeated: a name or a number."""
        code = self.emit(ex)
        if code.isidentifier() or code.lstrip("-(").rstrip(")").isdigit():
            return code
        name = self.temp()
        self.line(f"{name} = {code}")
        return name

    # ------------------------------------------------------------ statements and ends of blocks
    def stmts(self, body: tuple[St, ...]) -> None:
        for st in body:
            self.stmt(st)

    def stmt(self, st: St) -> None:
        if any(bodies(st)):  # what a loop changes is read anew in its next pass
            self.common.clear()
        part, write = _LINES[type(st)]
        write(self._parts[part], st)
        if not isinstance(st, _PURE):
            self.common.clear()
        for name in self.pool.endings_after(writes(st, self.game)):
            self.line(f"{name}(S, I, L)")

    def end(self, term: Terminator, trail: tuple[int, ...]) -> None:
        part, write = _ENDS[type(term)]
        write(self._parts[part], term, trail)


def _balanced(code: str) -> bool:
    depth = 0
    for ch in code:
        if ch == "(":
            depth += 1
        elif ch == ")":
            depth -= 1
            if depth < 0:
                return False
    return True
