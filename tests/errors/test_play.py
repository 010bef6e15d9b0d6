"""Specs that go wrong at play: the words name the line, and the rules that were under way."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.play import match as match_module
from dragonrules.interpreter.play import state as state_module

from .golden import PLAY, compare


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_module, "ENDLESS", range(2_000))
    monkeypatch.setattr(match_module, "ENDLESS", range(2_000))


def play(path: Path) -> None:
    """Play with the first option each time, and ask for the scores."""
    match = dr.load(path).start(seed=1, check=True)
    for _ in range(60_000):
        if match.over:
            break
        match.choose(0)
    assert match.scores


@pytest.mark.parametrize("path", PLAY, ids=lambda path: path.stem)
def test_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    with pytest.raises(dr.PlayError) as caught:
        play(Path(path.name))
    compare(f"{caught.value}\n", path.with_suffix(".txt"))
    diagnostic = caught.value.diagnostic
    assert diagnostic.code.startswith("D09")
    assert diagnostic.span.text in path.read_text(encoding="utf-8")
