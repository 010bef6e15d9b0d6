"""Every small game that a test loads is also played by both interpreters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dragonrules as dr
import pytest

from .lockstep import play_both

LIMIT = 12


@pytest.fixture(autouse=True)
def both_interpreters_agree(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Behind the test, each game it has started is played side by side, at the same number of players."""
    started: dict[tuple[int, int], Any] = {}
    begin = dr.Game.start

    def start(game: Any, players: int | None = None, **how: Any) -> Any:
        match = begin(game, players, **how)
        started[id(game), match.players] = game
        return match

    monkeypatch.setattr(dr.Game, "start", start)
    yield
    monkeypatch.undo()
    for (_, players), game in started.items():
        play_both(game, players, seed=players, limit=LIMIT)
