"""`--engine`: the same games whatever plays them, and one line where the extra is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.interpreter.native import engine as native

SHORT = ["--games", "12", "--seed", "3", "--jobs", "1"]


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_the_rows_do_not_depend_on_the_engine(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    rows = []
    for engine in ("python", "native", "auto"):
        out = tmp_path / f"{engine}.csv"
        run("simulate", "tic_tac_toe", *SHORT, "--lead", "--engine", engine, "--out", str(out))
        rows.append(out.read_bytes())
    assert rows[0] == rows[1] == rows[2]


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "tic_tac_toe", "tic_tac_toe", "--seat", "random", "--rest", "random", "--luck", "stream", *SHORT),
        ("tournament", "tic_tac_toe", "random", "greedy", "--games", "4", "--seed", "1", "--jobs", "1"),
        ("run", "tic_tac_toe", "--auto", "--seed", "4"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_other_commands_say_the_same(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setattr("time.perf_counter", lambda: 1.0)
    monkeypatch.setattr("time.monotonic", lambda: 1.0)
    monkeypatch.setattr("dragonrules.cli.options.laboratory._say_how_it_went", lambda *_: None)
    monkeypatch.setattr("dragonrules.interpreter.lab.runs.probe", lambda *_: 1e-3)
    assert run(*words, "--engine", "python") == run(*words, "--engine", "native")


def test_without_the_extra_one_line_says_what_it_would_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "available", lambda: False)
    said = run("simulate", "tic_tac_toe", *SHORT)
    assert said.count("dragonrules[native]") == 1
    assert "dragonrules[native]" not in run("simulate", "tic_tac_toe", *SHORT, "--engine", "python")
    assert "dragonrules[native]" not in run("simulate", "tic_tac_toe", *SHORT, "--format", "json")
    assert "dragonrules[native]" not in run("simulate", "tic_tac_toe", *SHORT, "--rest", "greedy")


def test_native_and_nothing_else_says_why_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "available", lambda: False)
    done = CliRunner().invoke(cli, ["simulate", "tic_tac_toe", *SHORT, "--engine", "native"])
    assert done.exit_code != 0
    assert "cannot run natively: llvmlite is not installed" in done.output
