"""A game of questions played by the engine and by hand, side by side."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr

from .choices import Game
from .world import SPACES


class Different(Exception):
    """The engine asks something else."""


def difference(seed: int, folder: Path, size: int = 10, games: int = 3) -> Any:
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

    def ask(name: str, cell: str | None, values: list[Any], may_be_left_out: bool) -> Any:
        decision = match.decision
        asked = None if decision is None else (decision.name, decision.cell[0] if decision.cell else None)
        offered = [_value(v) for v in values]
        if may_be_left_out and (asked != (name, cell) or list(match.state.options) != offered):
            return values[0]  # then this is a question of the next turn, and has to fit there
        if asked != (name, cell):
            raise Different(f"asked is {asked}, not {(name, cell)} with {values}")
        if list(match.state.options) != offered:
            raise Different(f"{name} {cell}: offered are {list(match.state.options)}, not {offered}")
        place = dice.randrange(len(values))
        match.choose(place)
        return values[place]

    game.play(ask)
    if match.decision is not None and not match.over:
        raise Different(f"one more question: {match.decision.name}")


def _value(value: Any) -> Any:
    return SPACES.index(value) if isinstance(value, tuple) else value
