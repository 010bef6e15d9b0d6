"""A state read into the reference interpreter's table and written back is the same state."""

from __future__ import annotations

import random

import dragonrules as dr
import pytest
from dragonrules.interpreter.core import Choose, May, Offer, Pick
from dragonrules.interpreter.play.position import Position
from dragonrules.interpreter.play.state import State
from dragonrules.interpreter.play.whynot import _statements

NAMES = ("drakon", "dragons_gold", "ryu", "dragon_keeper", "kuhn_poker", "connect_four", "chess")


def flat(state: State) -> tuple[object, ...]:
    """Without who was shown something: everybody may be written in two ways."""
    numbers = list(state.I)
    layout = state.engine.layout
    for key, base in layout.grants.items():
        count = len(layout.instances[key]) if key in layout.instances else 1
        for n in range(base, base + count):
            numbers[n] &= (1 << state.engine.players + 1) - 1
    return numbers, state.L, [(grid.cells, grid.edge) for grid in state.G]


@pytest.mark.parametrize("name", NAMES)
def test_reading_and_writing_a_position_changes_nothing(name: str) -> None:
    game = dr.load(name)
    pick = random.Random(5)
    match = game.start(game.players[-1], seed=1)
    for step in range(90):
        if match.over:
            break
        match.choose(pick.randrange(len(match.decision.options)))
        if step % 3 == 0:
            twin = match.state.fork()
            Position(twin).write()
            assert flat(twin) == flat(match.state)


def test_every_decision_is_found_again_among_the_statements() -> None:
    """So that "why not?" always has an answer."""
    for name in NAMES:
        game = dr.load(name)
        engine = game.engine(game.players[-1])
        asking = [st for st in _statements(engine.game) if isinstance(st, Choose | Pick | Offer | May)]
        for point in engine.points.values():
            (st,) = (st for st in asking if st.span == point.span)
            if isinstance(st, Choose):
                assert point.name in [gen.var.name for gen in st.choice.gens]
