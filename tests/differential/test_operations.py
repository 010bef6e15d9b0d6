"""The reference interpreter knows every operation of the checked game."""

from __future__ import annotations

from dragonrules.interpreter.core import OPERATORS
from dragonrules.interpreter.core.by_name import EXPRESSIONS, STATEMENTS
from dragonrules.interpreter.reference import play

MADE_BY_LOWERING = set(
    """raw snapshot length element place_is comp_place peek_need vector_cells vector_start vector_value
    tuple_append""".split()
)
TAKEN_APART = {"places_of"}  # by `show` and `reveal`


def test_every_operation_on_values_has_a_meaning() -> None:
    assert set(play.EVALUATE) == {*EXPRESSIONS, *OPERATORS} - MADE_BY_LOWERING - TAKEN_APART


def test_every_statement_has_a_meaning() -> None:
    assert set(play.EXECUTE) == set(STATEMENTS)
