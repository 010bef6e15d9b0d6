"""Every operation has its facts, and what has none is an error, not a guess."""

from __future__ import annotations

from typing import get_args

import dragonrules as dr
import pytest
from dragonrules.grammar.spans import Source, Span
from dragonrules.interpreter.core import Apply, Ex, Instruction, Local, PlaceRef, St, Stmt, Var, facts
from dragonrules.interpreter.core import value_types as t

SPAN = Span(Source("nowhere", ""), 0, 0)


class Rotate(St):
    """A statement that nobody has said anything about."""


class Riddle(Ex):
    """An expression that nobody has said anything about."""


def test_what_is_not_known_is_an_error() -> None:
    """That all classes are known is proved by the type checker: the matches are complete."""
    game = dr.load("tic_tac_toe").checked
    with pytest.raises(facts.UnknownOperation, match="what does Rotate carry"):
        facts.transfers(Rotate(SPAN))
    with pytest.raises(facts.UnknownOperation, match="what does Rotate"):
        facts.writes(Rotate(SPAN), game)
    with pytest.raises(facts.UnknownOperation, match="what does Riddle read"):
        facts.reads(Riddle(t.YES_NO, SPAN), game)
    with pytest.raises(facts.UnknownOperation, match="what does `riddle` read"):
        facts.reads(Apply(t.YES_NO, SPAN, "riddle"), game)


@pytest.mark.parametrize("cls", [*get_args(Stmt), *get_args(Instruction)], ids=lambda cls: cls.__name__)
def test_every_statement_has_its_facts(cls: type[St]) -> None:
    """With whatever inside: no class ends up among the unknown."""
    game = dr.load("tic_tac_toe").checked
    place = PlaceRef(t.Place("bag", "Card"), SPAN, next(iter(game.places.values())))
    thing = Local(t.Comp("Card"), SPAN, Var("c", "c_1", t.Comp("Card")))
    given = {"place": place, "source": place, "into": place, "thing": thing, "left": place, "right": place}
    given |= {"record": next(iter(game.places.values())), "records": (), "names": (), "state": "x"}
    parts = [SPAN, *(given.get(name, thing) for name in cls.__fields__[1:])]
    assert isinstance(facts.writes(cls(*parts), game), set)
