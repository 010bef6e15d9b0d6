"""A match that nobody decides anything in any more is broken off, and told where it goes round."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.play import state

from tests.semantics.table import start


def test_what_goes_on_without_end_is_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = """
token Coin: coin 4
each player has: place own: bag of Coin
place floor: bag of Coin
setup: move all from box(Coin) to floor
phase Play:
    as player(1): choose k in 1..2
    for i in 1..2:
        turns Round p:
            pick 0..all from my.own to floor
"""
    monkeypatch.setattr(state, "ENDLESS", range(10_000))
    match = start(rules)
    with pytest.raises(dr.PlayError) as caught:
        match.choose(0)
    assert caught.value.diagnostic.code == "D0914"
    assert caught.value.diagnostic.span.text == "turns"
