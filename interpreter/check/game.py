"""The checker: from a syntax tree (overlays laid on) to a checked game.

Declarations are gathered by name first, so their order does not matter; then
types, then bodies. Definitions are checked when first used, so their result
types can be inferred. Every problem is reported and checking goes on.
"""

from __future__ import annotations

from ...grammar import Report, syntax
from ..core import CheckedGame
from .bodies import BodyChecker
from .returns import check_flow
from .scope import count_names_anew


def check(file: syntax.File, report: Report) -> CheckedGame:
    """The checked game; only to be used when the report has no errors."""
    return Checker(file, report).run()


class Checker(BodyChecker):
    def run(self) -> CheckedGame:
        count_names_anew()
        self._gather()
        for step in (
            self._game_header,
            self._kinds,
            self._options,
            self._early_defines,
            self._components,
            self._owners,
            self._places_and_states,
            self._sizes,
            self._tables,
            self._partitions,
            self._initial_values,
            self._rests,
            self._defines,
            self._signatures,
            self._rules,
            self._triggers,
            self._phases,
            self._endings,
            self._invariants,
            self._scenarios,
            self._settle_me,
            self._check_stops,
        ):
            step()
        check_flow(self)
        return self.game


__all__ = ["Checker", "check"]
