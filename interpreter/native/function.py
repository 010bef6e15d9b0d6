"""One native function under way, and the parts that write it.

Every part is a class of its own, for one sort of thing in a rule program, and holds the one
`FunctionCode` as `c`: `self.c.sets.natural(ex)` asks the part that knows sets, `self.c.add(a, b)`
writes a line. So the parts may need each other in circles, as the language does, and their
modules do not import each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core import Ex, Reduction, St
from ..core import value_types as t
from ..core.dispatch import Dispatch, Key, key_of
from ..core.node import Node
from .arithmetic import Arithmetic
from .blocks import Blocks
from .builder import Value
from .calls import Calls
from .chance import Chances
from .code import Code, Unsupported
from .comprehensions import QUANTIFIERS, Comprehensions
from .contents import Contents
from .counting import Counting
from .expressions import Expressions
from .lists import Lists
from .loops import Loops
from .moves import Moves
from .part import Part, does, ends, gives, tells
from .placing import Placing
from .reading import Reading
from .sets import Sets
from .sight import Sight
from .spaces import Spaces
from .statements import Statements
from .swaps import Swaps
from .vector_tests import VectorTests
from .vectors import Vectors
from .watching import Watching

if TYPE_CHECKING:
    from .module import Module

_PARTS: dict[str, type[Part]] = {
    "exprs": Expressions, "arithmetic": Arithmetic, "calls": Calls, "sets": Sets, "lists": Lists,
    "loops": Loops, "comprehensions": Comprehensions, "spaces": Spaces, "reading": Reading,
    "contents": Contents, "placing": Placing, "statements": Statements, "sight": Sight, "moves": Moves,
    "swaps": Swaps, "vectors": Vectors, "vector_tests": VectorTests, "blocks": Blocks, "chances": Chances,
    "watching": Watching, "counting": Counting,
}  # fmt: skip


def _homes(dispatch: Dispatch) -> dict[Key, tuple[str, str]]:
    """Which method of which part: looked up once for all functions."""
    return {
        key: (name, function.__name__)
        for key, function in dispatch.known.items()
        for name, part in _PARTS.items()
        if vars(part).get(function.__name__) is function
    }


_LARGEST = 1 << 62
_GIVES, _TELLS, _DOES, _ENDS = (_homes(dispatch) for dispatch in (gives, tells, does, ends))


class FunctionCode(Code):
    """Any function of the module."""

    def __init__(
        self, module: Module, name: str, params: Sequence[tuple[str, str]], result: str = "i64"
    ) -> None:
        super().__init__(module, name, params, result)
        self.gives_back: t.Type | None = None  # what a plain procedure returns
        self.line_at: dict[str, tuple[Value, int, tuple[str, int]]] = {}
        """Lines of spaces under way: where each starts in its table, how long they are, the table."""
        self.todo: list[int] = []
        self.placed: set[int] = set()
        self.wanted: set[int] = set()

        self.watching = Watching(self)
        self.counting = Counting(self)
        self.exprs = Expressions(self)
        self.arithmetic = Arithmetic(self)
        self.calls = Calls(self)
        self.sets = Sets(self)
        self.lists = Lists(self)
        self.loops = Loops(self)
        self.comprehensions = Comprehensions(self)
        self.spaces = Spaces(self)
        self.reading = Reading(self)
        self.contents = Contents(self)
        self.placing = Placing(self)
        self.statements = Statements(self)
        self.sight = Sight(self)
        self.moves = Moves(self)
        self.swaps = Swaps(self)
        self.vectors = Vectors(self)
        self.vector_tests = VectorTests(self)
        self.blocks = Blocks(self)
        self.chances = Chances(self)

    def _find(self, homes: dict[Key, tuple[str, str]], node: Node) -> Callable[..., Any] | None:
        home = homes.get(key_of(node))
        return None if home is None else getattr(getattr(self, home[0]), home[1])

    # ------------------------------------------------------------ by the class of a node
    def value(self, ex: Ex) -> Value:
        """A number."""
        fixed = self.exprs.known(ex)
        if fixed is not None:
            if not -_LARGEST <= fixed <= _LARGEST:
                raise Unsupported("a number of more than 62 bits")
            return str(fixed)
        if ex in self.hoisted:
            return self.hoisted[ex]
        if key_of(ex) in _TELLS or (isinstance(ex, Reduction) and ex.kind in QUANTIFIERS):
            return self.number(self.test(ex))
        write = self._find(_GIVES, ex)
        if write is None:
            raise Unsupported(f"the expression {type(ex).__name__} {getattr(ex, 'op', '')}".strip())
        made: Value = write(ex)
        return made

    def test(self, ex: Ex) -> Value:
        """Yes or no."""
        fixed = self.exprs.known(ex)
        if fixed is not None:
            return "true" if fixed else "false"
        if ex not in self.hoisted:
            write = self._find(_TELLS, ex)
            if write is not None:
                made: Value = write(ex)
                return made
            if isinstance(ex, Reduction) and ex.kind in QUANTIFIERS:
                return self.comprehensions.quantified(ex)
        return self.compare("ne", self.value(ex), 0)

    def do_statement(self, st: St) -> None:
        write = self._find(_DOES, st)
        if write is None:
            raise Unsupported(f"the statement {type(st).__name__}")
        write(st)

    def end_block(self, term: Node) -> None:
        write = self._find(_ENDS, term)
        assert write is not None, term
        write(term)
