"""Every game and variant of the repository, native and by the Python back end: the same match."""

from __future__ import annotations

from typing import Any

import pytest
from dragonrules.interpreter.core.errors import NotNative
from dragonrules.interpreter.native import module

from ..strategies import ALL_TABLES, ONE_EACH, Table
from .side_by_side import native_of, play

REFUSED = {"several_at_once": "a set that is chosen", "vector_from_a_set": "no range"}
"""Games that have no native form, with the reason."""


def _native(table: Table, **how: Any) -> Any:
    name = str(table).split("+")[0]
    if name in REFUSED:
        with pytest.raises(NotNative, match=REFUSED[name]):
            native_of(table.game, table.players, **how)
        return None
    return native_of(table.game, table.players, **how)


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
def test_both_play_the_same_match(table: Table) -> None:
    native = _native(table)
    if native is not None:
        play(native, seed=len(str(table)), limit=60, convert=True)
        play(native, seed=len(str(table)), limit=40, ask=True)


def test_a_structure_without_a_layout_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not taken for a heap: such a game is played by the Python back end."""
    table = next(table for table in ONE_EACH if table.path.stem == "ryu")
    monkeypatch.setattr(module, "LAID_OUT", module.LAID_OUT - {"deck"})
    with pytest.raises(NotNative, match="a deck"):
        native_of(table.game, table.players)


@pytest.mark.long
@pytest.mark.parametrize("table", ALL_TABLES, ids=str)
def test_both_play_the_same_thousand_matches(table: Table) -> None:
    native = _native(table, checked=False)
    if native is not None:
        for seed in range(1000):
            play(native, seed, limit=100_000, all_of=seed < 10)
        for seed in range(1000, 1010):
            play(native, seed, limit=100_000, ask=True)
