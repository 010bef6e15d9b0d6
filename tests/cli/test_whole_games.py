"""A person at a terminal of 80 by 24 plays whole matches of the four games against programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .person import Person

GAMES = {
    "drakon": ("--players", 3, "--set", "goal=3", "--set", "turn_limit=45"),
    "ryu": ("--players", 3, "--set", "turn_limit=36"),
    "dragon_keeper": ("--players", 3),
    "dragons_gold": ("--players", 3, "--no-clock", "--set", "tick=30"),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match(game: str, tmp_path: Path) -> None:
    seats = ("--seat", "human", "--seat", "random", "--seat", "random")
    person = Person("run", game, *GAMES[game], *seats, "--seed", 11, folder=tmp_path, seed=7)
    assert person.play() == 0
    assert person.complaints() == []
    assert len(person.pages) > 8
    end = person.pages[-1]
    assert " the end" in end
    assert "wins" in end or "win together" in end or "You win" in end
