"""Whatever is written, checking it ends: with a verdict or with D0115, never with a crash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dragonrules.cli.rules.findings import findings
from dragonrules.grammar import Report, Source, Span, parse
from dragonrules.interpreter.check import things
from dragonrules.interpreter.check.before_play import BeforePlay
from dragonrules.interpreter.check.leaving import rules_that_end_the_match
from dragonrules.interpreter.core import Ex, work
from dragonrules.interpreter.core.work import TooMuch, bounded, steps_of_generated_code, within_bounds
from dragonrules.interpreter.reference.play import Frame
from dragonrules.interpreter.rule_sets import Library

from . import hostile, hostile_more

NOWHERE = Span(Source("x", ""), 0, 0)


def codes(text: str, tmp_path: Path) -> set[str]:
    path = tmp_path / "hostile.dragon"
    path.write_text(text, encoding="utf-8")
    return {d.code for d in findings([path], 1, Library()).told}


@pytest.mark.parametrize(
    "text",
    [
        hostile.squares(40),
        hostile.nested_sums(20),
        hostile.called_twice(30),
        hostile.long_cite(9),
        hostile.far(500),
        hostile.chain_up(500),
        hostile.chain_down(500),
        hostile.chain_of_rules(500),
        hostile.nested_sums(30),
        hostile.loops(25),
        hostile.chain_behind_a_question(200),
        hostile.chain_of_rules_behind_a_question(500),
    ],
    ids=lambda text: None,
)
def test_what_would_take_for_ever_is_told(text: str, tmp_path: Path) -> None:
    assert "D0115" in codes(text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [hostile.chain_up(60), hostile.chain_down(60), hostile.chain_of_rules(100), hostile.far(20)],
    ids=lambda text: None,
)
def test_what_people_may_write_is_checked_to_the_end(text: str, tmp_path: Path) -> None:
    assert "D0115" not in codes(text, tmp_path)


def test_four_hundred_triggers_are_told_in_a_few_lines(tmp_path: Path) -> None:
    path = tmp_path / "hostile.dragon"
    path.write_text(hostile.triggers(60), encoding="utf-8")
    told = [d for d in findings([path], 1, Library()).told if d.code == "D0503"]
    assert len(told) == 20
    assert any("there may be more" in d.message for d in told)


def test_how_deep_the_caller_is_does_not_matter() -> None:
    def at(depth: int) -> int:
        return at(depth - 1) if depth else reached()

    def reached() -> int:
        deepest = 0

        def down(n: int) -> None:
            nonlocal deepest
            deepest = n
            down(n + 1)

        with pytest.raises(TooMuch), bounded(NOWHERE):
            down(0)
        return deepest

    assert abs(at(0) - at(300)) < 10


def test_processor_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def for_ever() -> None:
        while True:
            pass

    monkeypatch.setattr(work, "SECONDS", 0.05)
    report = Report()
    within_bounds(NOWHERE, report, for_ever)
    assert [d.code for d in report] == ["D0115"]


def test_steps_are_counted_the_same_every_time() -> None:
    code = compile("n = 0\nfor i in range(most):\n    n = n + 1\n", "<generated>", "exec")
    space: dict[str, int] = {"most": 10}
    with steps_of_generated_code(NOWHERE, 100):
        exec(code, space)
    reached = set()
    for _ in range(3):
        space = {"most": 10_000}
        with pytest.raises(TooMuch), steps_of_generated_code(NOWHERE, 100):
            exec(code, space)
        reached.add(space["n"])
    assert len(reached) == 1


def test_a_syntax_error_of_a_module_of_ours_is_no_bound() -> None:
    with pytest.raises(SyntaxError), bounded(NOWHERE):
        raise SyntaxError("invalid syntax", ("interpreter/play/match.py", 1, 1, "x"))
    with pytest.raises(TooMuch), bounded(NOWHERE):
        compile("(" * 300 + ")" * 300, "<Game for 2>", "exec")


def test_each_definition_is_worked_out_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Counted, not timed: thirty definitions that each ask for the one before twice."""
    calls = 0
    value = BeforePlay.value

    def counted(self: BeforePlay, ex: Ex, frame: Frame) -> Any:
        nonlocal calls
        calls += 1
        assert calls < 20_000, "the work doubles with each definition"
        return value(self, ex, frame)

    monkeypatch.setattr(BeforePlay, "value", counted)
    assert "D0115" not in codes(hostile_more.doubling_constants(30), tmp_path)
    assert calls > 30


def test_names_that_a_definition_needs_are_gathered_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looks = 0
    walk = things.walk

    def counted(node: object) -> Iterator[object]:
        nonlocal looks
        looks += 1
        return walk(node)

    monkeypatch.setattr(things, "walk", counted)
    codes(hostile.chain_down(60), tmp_path)
    assert 0 < looks < 200


def test_rules_that_all_call_each_other_are_gone_through_once(tmp_path: Path) -> None:
    assert codes(hostile_more.everybody_calls_everybody(30), tmp_path) == set()


def test_which_rules_end_the_match() -> None:
    report = Report()
    text = """game "Ends" for 2 players
rule first(): second()
rule second():
    if player_count = 2: third()
    else: finish {}
rule third(): finish {}
rule circle(): back()
rule back(): circle()
rule maybe():
    if player_count = 2: third()
rule left():
    if player_count = 2: return
    third()
rule stopped(): third()
trigger no instead of stopped():
    circle()
phase Play: first()
"""
    file = parse(Source("ends.dragon", text), report)
    assert not report.errors and file is not None
    assert rules_that_end_the_match(file) == {"first", "second", "third"}
