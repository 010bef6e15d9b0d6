"""The reference interpreter knows every operation of the checked game."""

from __future__ import annotations

from dragonrules.interpreter.core import Expr, Stmt
from dragonrules.interpreter.reference.play import evaluates, executes

MADE_BY_LOWERING = set(
    """PlaceIs VectorCells VectorStart VectorValue subsets_from next_members snapshot length element peek_need tuple_append""".split()
)
TAKEN_APART = {"PlacesOf"}  # by `show` and `reveal`


def test_every_operation_on_values_has_a_meaning() -> None:
    assert evaluates.lacking(Expr) == MADE_BY_LOWERING | TAKEN_APART


def test_every_statement_has_a_meaning() -> None:
    assert executes.lacking(Stmt) == set()
