"""Files that are no rule files: each gets words and an exit code, never a traceback, never a long wait."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .command import COINS, dragonrules

COMMANDS = {
    "validate": ("validate",),
    "fmt": ("fmt", "--check"),
    "test": ("test",),
    "run": ("run", "--auto", "--seed", "1"),
}


def nested() -> bytes:
    blocks = "".join(f"{'    ' * depth}if yes:\n" for depth in range(1, 1001))
    return f'game "Deep" for 2 players\nphase Play:\n{blocks}{"    " * 1001}nothing\n'.encode()


def brackets(count: int) -> bytes:
    head = 'game "Deep" for 2 players\n\nphase Play: finish {}\n\ndefine a = '
    return (head + "(" * count + "1" + ")" * count + "\n").encode()


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "D0105"),
    "blank": (lambda: b" \n\n# nothing but a comment\n", "D0105"),
    "binary": (lambda: bytes(range(256)) * 40, "D0106"),
    "zeros": (lambda: b"game\0\0", "D0106"),
    "latin": (lambda: 'game "Café" for 2 players\n'.encode("latin-1"), "D0106"),
    "utf16": (lambda: COINS.encode("utf-16"), "D0106"),
    "one_line": (lambda: b"a" * 10_000_000, "D0114"),
    "one_string": (lambda: b'game "' + b"x" * 1_000_000, "D0114"),
    "one_comment": (lambda: COINS.encode() + b"# " + b"x" * 1_000_000, "D0114"),
    "one_expression": (lambda: b"define a = " + b"1 + " * 250_000 + b"1\n", "D0114"),
    "much": (lambda: b"# not a word about rules\n" * 130_000, "D0114"),
    "open_brackets": (lambda: b"define a = " + b"(" * 9_000, "D0108"),
    "deep_blocks": (nested, "D0110"),
    "deep_brackets": (lambda: brackets(1000), "D0110"),
    "old_line_ends": (lambda: COINS.replace("\n", "\r").encode(), "D0106"),
}

FINE = {
    "windows": COINS.replace("\n", "\r\n").encode(),
    "mark": b"\xef\xbb\xbf" + COINS.encode(),
    "tabs": COINS.replace("    ", "\t").encode(),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", BAD)
def test_bad_files(kind: str, command: str, tmp_path: Path) -> None:
    make, code = BAD[kind]
    path = tmp_path / f"{kind}.dragon"
    path.write_bytes(make())
    result = dragonrules(*COMMANDS[command], path)
    assert result.exit_code == 1
    assert code in result.output
    assert len(result.output) < 20_000


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", FINE)
def test_odd_but_fine(kind: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / f"{kind}.dragon"
    path.write_bytes(FINE[kind])
    result = dragonrules(*COMMANDS[command], path)
    assert result.exit_code == (1 if command == "fmt" else 0), result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file(command: str, tmp_path: Path) -> None:
    result = dragonrules(*COMMANDS[command], tmp_path / "missing.dragon")
    assert result.exit_code == 2
    assert "missing.dragon" in result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_for_a_file(command: str, tmp_path: Path) -> None:
    (tmp_path / "folder.dragon").mkdir()
    assert dragonrules(*COMMANDS[command], tmp_path / "folder.dragon").exit_code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_that_nobody_writes_to(command: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.dragon")
    assert dragonrules(*COMMANDS[command], tmp_path / "pipe.dragon").exit_code == 2
    assert dragonrules("validate", tmp_path).exit_code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_to_itself(command: str, tmp_path: Path) -> None:
    (tmp_path / "loop.dragon").symlink_to("loop.dragon")
    assert dragonrules(*COMMANDS[command], tmp_path / "loop.dragon").exit_code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_may_not_be_read(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.dragon"
    path.write_text(COINS)
    real = Path.read_bytes

    def refuse(self: Path) -> bytes:
        if self.name == "secret.dragon":
            raise PermissionError(13, "Permission denied", str(self))
        return real(self)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = dragonrules(*COMMANDS[command], path)
    assert result.exit_code == 1
    assert "cannot be read: Permission denied" in result.output


def test_bad_files_do_not_hide_good_ones(tmp_path: Path) -> None:
    (tmp_path / "coins.dragon").write_text(COINS)
    (tmp_path / "binary.dragon").write_bytes(bytes(range(256)))
    (tmp_path / "broken.dragon").symlink_to("nowhere.dragon")
    result = dragonrules("validate", tmp_path)
    assert result.exit_code == 1
    assert result.stdout.endswith("3 files: 2 errors\n")
