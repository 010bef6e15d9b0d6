"""Every operation has its facts, and what has none is an error, not a guess."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.grammar.spans import Source, Span
from dragonrules.interpreter import facts
from dragonrules.interpreter import types as t
from dragonrules.interpreter.core import OPERATORS, Apply, St
from dragonrules.interpreter.core.by_name import EXPRESSIONS, INSTRUCTIONS, STATEMENTS

SPAN = Span(Source("nowhere", ""), 0, 0)


class Rotate(St):
    """A statement that nobody has said anything about."""

    op = "rotate"


SPECIAL_READS = set(
    """state place local rec_field rec_rows comp_place comp_space turned comp_owner on total_token
    total_comp places_of active turn_number can can_menu raw""".split()
)


@pytest.mark.parametrize("op", [*STATEMENTS, *INSTRUCTIONS])
def test_every_statement_says_what_it_carries_and_writes(op: str) -> None:
    carrying = [op in facts.MOVES, op in facts.CARRIES_NOTHING]
    writing = [op in facts.MOVES, op in facts.WRITES_NOTHING, op in facts.WRITES_BESIDES]
    assert carrying.count(True) == 1, f"what does `{op}` carry?"
    assert writing.count(True) == 1, f"what does `{op}` write?"


def test_every_expression_says_what_it_reads() -> None:
    assert {*EXPRESSIONS, *OPERATORS} == facts.READS_NOTHING | SPECIAL_READS


def test_what_is_not_known_is_an_error() -> None:
    game = dr.load("tic_tac_toe").checked
    with pytest.raises(facts.UnknownOperation):
        facts.transfers(Rotate(SPAN))
    with pytest.raises(facts.UnknownOperation):
        facts.writes(Rotate(SPAN), game)
    with pytest.raises(facts.UnknownOperation):
        facts.reads(Apply(t.YES_NO, SPAN, "riddle"), game)
