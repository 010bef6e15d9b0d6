"""What the parts of the checker share: the file, the report, the game so far, and each other.

Every part is a class of its own, for one sort of thing in a file, and holds the one `Context` as
`c`: `self.c.exprs.number(node, scope)` asks the part that knows expressions. So the parts may need
each other in circles, as the language does, and their modules do not import each other.
"""

from __future__ import annotations

from functools import cached_property

from ...grammar import Report, Span, syntax
from ..core import CheckedGame, Const, Ex
from ..core import value_types as t
from .across import Across
from .bodies import Bodies
from .built_ins import BuiltIns
from .calls import Calls
from .certainty import Certainty
from .choices import Choices
from .comprehensions import Comprehensions
from .define_bodies import DefineBodies
from .definitions import Definitions
from .expressions import Expressions
from .fitting import Fitting
from .index import Index
from .leaving import rules_that_end_the_match
from .limits import Limits
from .moves import Moves
from .names import Names
from .old_forms import OldForms
from .operators import Operators
from .part import checks
from .paths import Paths
from .places import Places
from .printed import Printed
from .statements import Statements
from .tables import Tables
from .things import Things
from .turns import Turning
from .written_types import Types


class Context:
    def __init__(self, file: syntax.File, report: Report, index: Index) -> None:
        self.file = file
        self.report = report
        self.index = index
        self.game = CheckedGame()

        self.names = Names(self)
        self.types = Types(self)
        self.fit = Fitting(self)
        self.sure = Certainty(self)
        self.old = OldForms(self)
        self.exprs = Expressions(self)
        self.operators = Operators(self)
        self.paths = Paths(self)
        self.calls = Calls(self)
        self.printed = Printed(self)
        self.loops = Comprehensions(self)
        self.functions = BuiltIns(self)

        self.moves = Moves(self)
        self.choices = Choices(self)
        self.stmts = Statements(self)
        self.turning = Turning(self)
        self.forms = checks.bound(self.moves, self.choices, self.stmts, self.turning)

        self.things = Things(self)
        self.places = Places(self)
        self.tables = Tables(self)
        self.defines = Definitions(self)
        self.define_bodies = DefineBodies(self)
        self.limits = Limits(self)
        self.bodies = Bodies(self)
        self.across = Across(self)

    @cached_property
    def ending_rules(self) -> frozenset[str]:
        return rules_that_end_the_match(self.file)

    def error(self, code: str, message: str, span: Span, **more: object) -> Ex:
        """A complaint; where a variant has removed or changed what is named, it shows that too."""
        gone = self.report.removed.get(span.text) if code in ("D0201", "D0205", "D0206", "D0208") else None
        new = self.report.changed.get(span.text.partition("(")[0]) if code.startswith("D03") else None
        if gone is not None:
            more = {"related": [(gone, "a variant removes it here")]}
        elif new is not None and new.source.name != span.source.name and "related" not in more:
            more = {**more, "related": [(new, "a variant changes it here")]}
        self.report.add(code, message, span, **more)  # type: ignore[arg-type]
        return Const(t.UNKNOWN, span, 0)
