"""The reference interpreter knows every operation of the checked game."""

from __future__ import annotations

from dragonrules.interpreter.reference import comprehensions, play

from ..docs.test_architecture import listed

MADE_BY_LOWERING = {
    "Ex": "raw snapshot length element place_is comp_place peek_need vector_cells vector_start vector_value tuple_append",
    "St": "draw_one peek_one peek_show show_on show_off atomic_on atomic_off action_on action_off seal unseal begin_turn "
    "end_turn test_before_turn reset reset_one clear_records log_clock log_expired count scope",
}


def test_every_operation_on_values_has_a_meaning() -> None:
    wanted = listed("Ex: expressions") - set(MADE_BY_LOWERING["Ex"].split())
    assert set(play.EVALUATE) | set(comprehensions.REDUCE) == wanted


def test_every_statement_has_a_meaning() -> None:
    wanted = listed("St: statements") - set(MADE_BY_LOWERING["St"].split())
    assert set(play.EXECUTE) == wanted
