"""Fuzzing by machine code: what fails there is the same failure in Python, from the first step."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab import wide_fuzzing
from dragonrules.interpreter.lab.fuzzing import Fuzzer, Setting

RARE = """game "Rare" for 2 players
state a: 0..9 = 0
state b: 0..9 = 0
always small: b < 2
phase Play:
    turns p:
        choose n in 1..9
        roll d in 1..9
        if n = 7 and d = 3: set b = min(9, b + 1)
        set a = min(9, a + 1)
        if a = 9: finish {}
"""
DIVIDES = RARE.replace(
    "        set a = min", "        if b = 2: set b = 9 / (b - 2)\n        set a = min"
).replace("always small: b < 2\n", "")


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("DRAGONRULES_COMPILE", "here")


def fuzzed(text: str, engine: str, games: int = 1) -> Fuzzer:
    fuzzer = Fuzzer([Setting(dr.loads(text, engine=engine), 2)], seed=3, limit=60)
    for number in range(games):
        fuzzer.play(number)
    return fuzzer


@pytest.mark.parametrize(("text", "code"), [(RARE, "D0907"), (DIVIDES, "D0912")])
def test_a_rare_failure_is_found(text: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide_fuzzing, "WIDE", 3_000)
    fuzzer = fuzzed(text, "native")
    (failure,) = fuzzer.failures
    assert failure.code == code
    assert fuzzer.wide == 3_000
    state = failure.setting.engine.new(settle=False)
    for place, value in failure.steps[:-1]:
        assert state.pc == place
        state.step(value)
    assert not fuzzed(text, "python").failures, "too rare for one guided game"


def test_machine_code_is_made_when_a_setting_has_been_played_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide_fuzzing, "AFTER", 2)
    assert [fuzzed(RARE, "auto", games).wide for games in (1, 2, 3)] == [0, 0, wide_fuzzing.WIDE]
    assert fuzzed(RARE, "python", 3).wide == 0


def test_without_room_it_is_no_failure() -> None:
    wide = RARE.replace("choose n in 1..9", "choose n in 1..5000")
    fuzzer = fuzzed(wide, "native")
    assert fuzzer.wide == wide_fuzzing.WIDE
    assert not fuzzer.failures
