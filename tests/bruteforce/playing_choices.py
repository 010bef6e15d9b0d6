"""A game of questions played by the engine, by the reference interpreter and by hand, side by side."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.reference import ReferenceMatch

from .choices import Game, Need
from .world import SPACES


class Different(Exception):
    """Somebody asks something else."""


def difference(seed: int, folder: Path, size: int = 10, games: int = 2) -> Any:
    """None if all is as it should be, else what differs first."""
    game = Game(seed, size)
    path = folder / "choices.dragon"
    path.write_text(game.text, encoding="utf-8")
    rules = dr.load(path)
    for number in range(games):
        try:
            _compare(game, rules, Random(seed * 100 + number))
        except Different as found:
            return seed, number, game.text, str(found)
    return None


def _compare(game: Game, rules: Any, dice: Random) -> None:
    match = rules.start(seed=1)
    reference = ReferenceMatch(rules.checked, match.players, match.state.engine.options)

    def ask(name: str, cell: str | None, values: list[Any], need: Need) -> Any:
        decision, other = match.decision, reference.decision
        asked = None if decision is None else (decision.name, decision.cell[0] if decision.cell else None)
        also = None if other is None else (other.name, other.cell[0] if other.cell else None)
        if asked != also:
            raise Different(f"{asked} is asked, {also} by the reference; expected was {(name, cell)}")
        if asked != (name, cell):
            if need is Need.MAY:
                return values[0]
            raise Different(f"asked is {asked}, not {(name, cell)} with {values}")
        assert other is not None
        offered = [_value(v) for v in values]
        for who, options in (("engine", match.state.options), ("reference", map(_value, other.values))):
            if (found := list(options)) != offered:
                raise Different(f"{name} {cell}: the {who} offers {found}, not {offered}")
        place = dice.randrange(len(values))
        match.choose(place)
        reference.choose(other.keys[place])
        return values[place]

    game.play(ask)
    for side in (match, reference):
        if side.decision is not None and not side.over:
            raise Different(f"one more question: {side.decision.name}")


def _value(value: Any) -> Any:
    return SPACES.index(value) if isinstance(value, tuple) else value
