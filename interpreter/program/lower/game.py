"""Lowering: from a checked game to the rule program.

Rules are split where they wait. A statement that cannot wait stays as it is;
one that can is taken apart into blocks. Triggers are woven in here: a rule with
triggers becomes a wrapper that calls them and the rule's own body. `as p:`
introduces a new variable for `me`; every instruction says which one it means.

Three steps. *Weaving* puts behind every effect what it sets off, while all is still
a tree of statements. *Noting the procedures* settles which of them wait, for that
depends on what they call. *Taking apart* then goes through those that do: it fills a
block with statements, and where one of them waits, or jumps, it ends the block and
goes on in another. What must happen when a scope is left by force (a `show` that ends,
states that are put back) is kept with the scope, and every jump out of it writes it
down. A procedure that is small, or called from one place only, is written into its
caller. At last every procedure gets slots for the variables that live longer than a
block (liveness.py).
"""

from __future__ import annotations

from ...core import CheckedGame
from ..ir import Program
from ..layout import Layout
from ..passes.counters import Sites
from .context import Context
from .procedures import Procedures


def lower(game: CheckedGame, layout: Layout, *, sites: Sites | None = None) -> Program:
    return Procedures(Context(game, layout, sites)).run()
