"""What only shows in a process of its own: pipes, exit codes, other folders, damaged input."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import dragonrules
import pytest

from .command import PROGRAM, spawned
from .command import dragonrules as called


def test_version() -> None:
    assert spawned("--version").stdout == f"dragonrules {dragonrules.__version__}\n"


def test_it_works_from_any_folder(tmp_path: Path) -> None:
    result = spawned("run", "tic_tac_toe", "--auto", "--seed", 1, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_a_reader_that_goes_away_is_no_reason_to_complain() -> None:
    with subprocess.Popen(
        [*PROGRAM, "debug", "tree", "othello"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before anything can have been written, however much a pipe takes
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141


@pytest.mark.parametrize("command", ["run", "validate", "fmt", "test", "expand", "debug tree"])
def test_what_cannot_be_read_is_found_wanting(command: str, tmp_path: Path) -> None:
    binary = tmp_path / "binary.dragon"
    binary.write_bytes(bytes(range(256)))
    assert called(*command.split(), binary).exit_code == 1


def test_no_traceback_for_what_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary.dragon"
    binary.write_bytes(bytes(range(256)))
    result = spawned("run", binary)
    assert result.returncode == 1
    assert result.stderr == f"error[D0106]: `{binary}` is not UTF-8 text (byte 128)\n"


def test_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    (tmp_path / "g.dragon").write_text('game "Käse" for 2 players\nphase Play: finish {}\n', encoding="utf-8")
    result = spawned(
        "run", "g.dragon", "--auto", cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert result.returncode == 0, result.stderr
    assert "se for 2 players" in result.stdout


def test_an_internal_error_is_told_without_a_traceback(tmp_path: Path) -> None:
    program = (
        "import sys, dragonrules.cli.main as m; sys.argv = ['dragonrules', 'games'];"
        "m.cli.get_command = lambda *a: 1 / 0; m.main()"
    )
    command = [PROGRAM[0], "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 3
    assert "internal error: ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
