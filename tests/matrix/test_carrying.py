"""Every statement that carries things is in the matrix with every structure of places, and is played there.

What carries is asked of `facts.transfers`; a new one is missing here until moving.py
has a line for it, or until it is said which structures it is not for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import dragonrules as dr
import pytest
from dragonrules.grammar.spans import Source, Span
from dragonrules.interpreter.core import (
    Draw,
    Local,
    Move,
    MoveAll,
    MoveCell,
    MoveSet,
    MoveTokens,
    Pick,
    PlaceRef,
    Shuffle,
    St,
    Stmt,
    Swap,
    Var,
    bodies,
    facts,
)
from dragonrules.interpreter.core import value_types as t
from dragonrules.interpreter.core.shapes import SHAPES

from ..differential.lockstep import Lockstep
from .moving import CARDS, STRUCTURES, TOKENS, Cell

COMPONENTS = {Move, MoveSet, MoveAll, Draw, Swap}
ORDER = COMPONENTS | {Shuffle}
FOR = {
    "bag": ORDER,
    "row": ORDER,
    "stack": ORDER,
    "deck": ORDER,
    "slot": ORDER,
    "grid": COMPONENTS,
    "growing grid": COMPONENTS,
    "ring": COMPONENTS,
    "bag of tokens": {MoveTokens, MoveAll, Pick, Draw, Swap},
    "slot of tokens": {MoveTokens, MoveAll, Draw, Swap},
    "grid of tokens": {MoveTokens, MoveAll, MoveCell, Draw},
    "ring of tokens": {MoveTokens, MoveAll, MoveCell, Draw},
}
"""What the checker allows; the others it refuses (components have no number, a grid is not shuffled)."""


def carrying() -> set[type[St]]:
    """The classes of statements that say that they carry something, whatever is inside them."""
    here = Span(Source("nowhere", ""), 0, 0)
    decl = next(iter(dr.load("tic_tac_toe").checked.places.values()))
    one, other = (PlaceRef(t.Place("bag", "Card"), here, decl) for _ in range(2))
    thing = Local(t.Comp("Card"), here, Var("c", "c_1", t.Comp("Card")))
    given = {"place": one, "source": other, "into": other, "left": one, "right": other}
    made = (cls(here, *(given.get(name, thing) for name in cls.__fields__[1:])) for cls in get_args(Stmt))
    return {type(st) for st in made if facts.transfers(st)}


def within(body: tuple[St, ...]) -> Iterator[St]:
    for st in body:
        yield st
        for inner in bodies(st):
            yield from within(inner)


def ways(game: Any) -> dict[Any, set[type[St]]]:
    """By case of the menu: the classes in it that carry."""
    (offer,) = game.checked.rules["act"].body
    return {
        ("offer", case.key): {type(st) for st in within(case.body) if facts.transfers(st)}
        for case in offer.offering.cases
    }


def test_the_matrix_has_every_statement_that_carries() -> None:
    assert set().union(*FOR.values()) == carrying()


def test_the_matrix_has_every_structure() -> None:
    assert FOR.keys() == STRUCTURES.keys()
    assert {name.split(" of ")[0].replace("growing ", "") for name in FOR} == SHAPES.keys() - {""}


def test_every_line_is_for_some_structure(tmp_path: Path) -> None:
    taken = {line for name in STRUCTURES for line in Cell(name, "", "", "", "").game(tmp_path)[1]}
    assert {*CARDS, *TOKENS} - taken == set()


@pytest.mark.parametrize("structure", STRUCTURES)
def test_every_statement_that_carries_is_played(structure: str, tmp_path: Path) -> None:
    """By both, each class as often as the others; what they bring is compared decision by decision."""
    game, _ = Cell(structure, "", "", "entering", "").game(tmp_path)
    of = ways(game)
    assert set().union(*of.values()) == FOR[structure]
    taken: Counter[type[St]] = Counter()
    for seed in range(3):
        both, random = Lockstep(game, 2, seed), Random(seed)
        for _ in range(40):
            if both.over:
                break
            if both.mine.decision is None:
                both.settle()
                continue
            keys = both.mine.decision.keys
            menu = [key for key in keys if of.get(key)]
            rarest = min((taken[cls] for key in menu for cls in of[key]), default=0)
            least = [key for key in menu if any(taken[cls] == rarest for cls in of[key])]
            key = random.choice(least or list(keys))
            both.choose(keys.index(key))
            taken.update(of.get(key, ()))
    assert taken.keys() == FOR[structure], "some of them are never possible"
