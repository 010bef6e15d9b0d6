"""The hand-written C++ games: compiled where there is a compiler, and run as a process of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).parent / "yardsticks.cpp"
COMPILERS = ("g++", "clang++", "c++")


@dataclass(frozen=True)
class Played:
    """What a run says of its games; sums over all of them."""

    games: int
    moves: int
    asked: int
    open: int
    squares: float
    cpu: float
    won: list[int]
    endings: dict[str, int] = field(default_factory=dict)


def compiler() -> str | None:
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


def compiled(folder: Path, flags: tuple[str, ...] = ("-O3", "-march=native")) -> Path:
    """The program, built into a folder."""
    built = folder / "yardsticks"
    command = compiler()
    assert command is not None
    subprocess.run([command, *flags, "-std=c++17", str(SOURCE), "-o", str(built)], check=True)
    return built


def run(program: Path, game: str, amount: str, seed: int) -> Played:
    """`amount` is a number of games, or of seconds as in `0.5s`."""
    command = [str(program), game, amount, str(seed)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Played(**json.loads(out))
