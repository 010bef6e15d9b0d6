"""Native code: how often rules are used, in a build that counts (program/passes/counters.py).

A covered engine has statements that count in its program, and so has its machine code: one word for each
site, and a table of answers, both words of the module itself. Code that nobody counts in knows nothing of it.
How often a definition or an arm of a condition is worked out depends on the back end, what is counted for
statements, decisions and chance does not.
"""

from __future__ import annotations

from ..core import DefineDecl, Ex
from ..program.ir import Block
from .builder import Value
from .code import TOO_MANY
from .part import Part

HITS, ANSWERS = "HITS", "ANSWERS"
TABLE_BITS = 15
MOST_TRIED = 64
"""So long an answer is looked for; then there is no room for it."""


class Counting(Part):
    def _one_more(self, number: int | None) -> None:
        if number is not None:
            where = self.c.at(f"@{HITS}", number, "i64")
            self.c.store(self.c.add(self.c.load(where), 1), where)

    def site(self, number: int) -> None:
        self._one_more(number)

    def definition(self, decl: DefineDecl) -> None:
        if self.module.sites is not None:
            self._one_more(self.module.sites.number("run", decl.span))

    def arm(self, arm: Ex, label: str) -> None:
        if self.module.sites is not None:
            self._one_more(self.module.sites.number("arm", arm.span, label))

    def answered(self, block: Block) -> None:
        """At the beginning of a block: what was chosen or came up."""
        asked = self.module.askings.get(block.id)
        if asked is not None:
            number, var = asked
            value = self.c.local(var)
            full = self.c.call("note_answer", f"ptr @{ANSWERS}", f"i64 {number}", f"i64 {value}", "i64 1")
            self.c.fail_if(self.c.compare("ne", full, 0), TOO_MANY)

    def offered(self, target: int, count: Value) -> None:
        asked = self.module.askings.get(target)
        if asked is not None:
            options = f"ptr {self.c.at('%S', self.memory.options)}"
            args = (f"ptr @{ANSWERS}", f"i64 {asked[0]}", options, f"i64 {count}")
            self.c.fail_if(self.c.compare("ne", self.c.call("note_offered", *args), 0), TOO_MANY)
