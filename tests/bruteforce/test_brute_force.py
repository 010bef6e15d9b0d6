"""Made code against plain enumeration: random expressions have the value, and random `choose`
statements offer the options, in the order, that going through everything by hand finds.

A spec holds ten of them. More, with other seeds:

    pytest -m long tests/bruteforce
"""

from __future__ import annotations

from pathlib import Path

import pytest

from . import batches, playing_choices

SPECS = 20
LONG = 2_000


@pytest.mark.parametrize("seed", range(SPECS))
def test_values_of_expressions(seed: int, tmp_path: Path) -> None:
    assert batches.difference(seed, tmp_path) is None


@pytest.mark.parametrize("seed", range(SPECS))
def test_options_of_choices(seed: int, tmp_path: Path) -> None:
    assert playing_choices.difference(seed, tmp_path) is None


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 1000 + LONG, 50))
def test_many_expressions(start: int, tmp_path: Path) -> None:
    assert [d for seed in range(start, start + 50) if (d := batches.difference(seed, tmp_path))] == []


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 1000 + LONG, 50))
def test_many_choices(start: int, tmp_path: Path) -> None:
    assert [d for seed in range(start, start + 50) if (d := playing_choices.difference(seed, tmp_path))] == []
