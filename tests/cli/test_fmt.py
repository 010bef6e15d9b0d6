"""`fmt`: in place, as a check, as a difference, through a pipe."""

from __future__ import annotations

from pathlib import Path

from .command import COINS, dragonrules, written

MESSY = COINS.replace("    move 1 of", "    move  1   of").replace("token Coin: gold 9", "token Coin:gold 9")


def test_files_are_changed_in_place(tmp_path: Path) -> None:
    path = written(tmp_path, coins=MESSY)
    result = dragonrules("fmt", path)
    assert result.exit_code == 0
    assert result.stdout == f"changed {path}\n"
    assert path.read_text() == COINS
    assert dragonrules("fmt", path).stdout == ""


def test_check_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, coins=MESSY, fine=COINS)
    result = dragonrules("fmt", "--check", tmp_path)
    assert result.exit_code == 1
    assert result.stdout == f"would change {path}\n"
    assert result.stderr == "1 file would change, 1 file already formatted\n"
    assert path.read_text() == MESSY


def test_the_difference(tmp_path: Path) -> None:
    result = dragonrules("fmt", "--diff", written(tmp_path, coins=MESSY))
    assert result.exit_code == 1
    assert "-token Coin:gold 9\n+token Coin: gold 9\n" in result.stdout


def test_windows_line_ends_become_plain(tmp_path: Path) -> None:
    path = tmp_path / "coins.dragon"
    path.write_bytes(COINS.replace("\n", "\r\n").encode())
    assert dragonrules("fmt", path).exit_code == 0
    assert path.read_bytes() == COINS.encode()


def test_a_file_with_errors_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path, coins="game Coins for 2 players\n")
    result = dragonrules("fmt", path)
    assert result.exit_code == 1
    assert "error[" in result.stderr
    assert path.read_text() == "game Coins for 2 players\n"


def test_through_a_pipe() -> None:
    result = dragonrules("fmt", "-", input=MESSY)
    assert result.exit_code == 0
    assert result.stdout == COINS
    assert dragonrules("fmt", "-", input="what?").exit_code == 1
