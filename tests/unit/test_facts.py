"""Every operation has its facts, and what has none is an error, not a guess."""

from __future__ import annotations

import re
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar.spans import Source, Span
from dragonrules.interpreter import facts
from dragonrules.interpreter import types as t
from dragonrules.interpreter.core import Ex, St

DOCS = Path(__file__).parent.parent.parent / "docs" / "architecture.md"
SPAN = Span(Source("nowhere", ""), 0, 0)


def listed(heading: str) -> set[str]:
    """The operations that a section of the documentation lists."""
    text = DOCS.read_text(encoding="utf-8").split(f"### {heading}")[1].split("\n### ")[0]
    table = "\n".join(line.split("|")[2] for line in text.splitlines() if line.startswith("|"))
    return set(re.findall(r"`(\w+)`", table))


STATEMENTS = sorted(listed("St: statements"))
REDUCTIONS = set("count sum max min any every none most least the sort first last set".split())
SPECIAL_READS = set(
    """state place local rec_field rec_rows comp_place comp_space turned comp_owner on total_token
    total_comp active turn_number can can_menu raw""".split()
)


def test_the_documentation_lists_them() -> None:
    assert {"move", "swap", "draw_one", "count"} <= set(STATEMENTS)


@pytest.mark.parametrize("op", STATEMENTS)
def test_every_statement_says_what_it_carries_and_writes(op: str) -> None:
    carrying = [op in facts.MOVES, op in facts.CARRIES_NOTHING]
    writing = [op in facts.MOVES, op in facts.WRITES_NOTHING, op in facts.WRITES_BESIDES]
    assert carrying.count(True) == 1, f"what does `{op}` carry?"
    assert writing.count(True) == 1, f"what does `{op}` write?"


def test_every_expression_says_what_it_reads() -> None:
    ops = listed("Ex: expressions") - (REDUCTIONS - facts.READS_NOTHING)
    unknown = {op for op in ops if op not in facts.READS_NOTHING and op not in SPECIAL_READS}
    assert not unknown


def test_what_is_not_known_is_an_error() -> None:
    game = dr.load("tic_tac_toe").checked
    with pytest.raises(facts.UnknownOperation):
        facts.transfers(St("rotate", SPAN))
    with pytest.raises(facts.UnknownOperation):
        facts.writes(St("rotate", SPAN), game)
    with pytest.raises(facts.UnknownOperation):
        facts.reads(Ex("riddle", t.YES_NO, SPAN), game)
