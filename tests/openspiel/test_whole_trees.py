"""Small games with secrets, walked to the last leaf: the same tree, the same odds, the same knowledge."""

from __future__ import annotations

import pytest

from .adapters import ADAPTERS
from .knowledge import compare_whole_tree

HISTORIES_AND_INFORMATION_SETS = {"kuhn_poker": (58, 12), "leduc_poker": (9_457, 936)}


@pytest.mark.parametrize("name", HISTORIES_AND_INFORMATION_SETS)
def test_whole_tree_agrees(name: str) -> None:
    adapter = ADAPTERS[name]
    assert compare_whole_tree(adapter, adapter.rules()) == HISTORIES_AND_INFORMATION_SETS[name]
