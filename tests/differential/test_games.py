"""Every game and variant of the repository, by both interpreters: the same match from the same seed."""

from __future__ import annotations

import pytest

from ..strategies import ALL_TABLES, ONE_EACH, Table
from .lockstep import play_both

FEW = {"gin_rummy": 4}
"""Games whose conditions cost the reference interpreter seconds."""


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
def test_both_play_the_same_match(table: Table) -> None:
    play_both(table.game, table.players, seed=len(str(table)), limit=FEW.get(table.path.stem, 25))


@pytest.mark.long
@pytest.mark.parametrize("table", ALL_TABLES, ids=str)
def test_both_play_the_same_match_long(table: Table) -> None:
    for seed in range(5):
        play_both(table.game, table.players, seed, limit=500)
