"""The checker: from a syntax tree (overlays laid on) to a checked game.

Declarations are gathered by name first, so their order does not matter; then
types, then bodies. Definitions are checked when first used, so their result
types can be inferred. Every problem is reported and checking goes on.
"""

from __future__ import annotations

from ...grammar import Report, syntax
from ..core import CheckedGame
from .context import Context
from .index import Index
from .returns import check_flow
from .scope import count_names_anew


def check(file: syntax.File, report: Report, index: Index | None = None) -> CheckedGame:
    """The checked game; only to be used when the report has no errors. What names mean is noted in the index."""
    count_names_anew()
    c = Context(file, report, index or Index())
    c.index.declared(file.decls)
    for step in (
        c.names.gather,
        c.things.game_header,
        c.things.kinds,
        c.things.options,
        c.things.early_defines,
        c.things.components,
        c.places.owners,
        c.places.places_and_states,
        c.places.sizes,
        c.tables.tables,
        c.places.partitions,
        c.places.initial_values,
        c.places.rests,
        c.defines.defines,
        c.bodies.signatures,
        c.bodies.rules,
        c.bodies.triggers,
        c.bodies.phases,
        c.bodies.endings,
        c.bodies.invariants,
        c.bodies.scenarios,
        c.across.settle_me,
        c.across.check_stops,
    ):
        step()
    check_flow(c)
    return c.game
