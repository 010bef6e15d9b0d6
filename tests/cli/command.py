"""Calling the command line from tests: in this process, in one of its own, at a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from dragonrules.cli.main import cli

PROGRAM = [sys.executable, "-P", "-m", "dragonrules"]

COINS = """\
game "Coins" for 2 to 3 players:
    "Take coins from a pile; the first with three wins."

option goal: 2..5 = 3
    "Coins that win."

token Coin: gold 9

place pile: bag of Coin, seen by all

each player has:
    place purse: bag of Coin, seen by all

setup:
    move all from box(Coin) to pile

phase Play:                                                     [C-1]
    turns Round p:
        step act: offer turn_action

action take in turn_action:                                     [C-2..4]
    "One coin from the pile."
    require pile != {} because "the pile is empty"
    move 1 of gold from pile to my.purse

action wait in turn_action:
    nothing

ending rich for p in players when count(p.purse) >= goal: finish {p} because "enough coins"

scenario "a coin goes to the purse":                            [C-2]
    when:
        player(1) chooses take
    then:
        check count(player(1).purse) = 1
        player(2) decides
"""

GREEDY = """\
variant "Greedy" of coins:                                      [C-9]
    "Two at a time."
    replace action take in turn_action:
        require count(pile) > 1 because "too few coins"
        move 2 of gold from pile to my.purse
    scenario "two coins at once":                               [C-3]
        when:
            player(1) chooses take
        then:
            check count(player(1).purse) = 2
"""


def dragonrules(*args: Any, input: str | None = None, color: bool = False) -> Result:
    """The command in this process. What is not an error on purpose is raised."""
    return CliRunner().invoke(cli, [str(a) for a in args], input=input, catch_exceptions=False, color=color)


def spawned(*args: Any, **settings: Any) -> subprocess.CompletedProcess[str]:
    """The command as a process."""
    return subprocess.run(
        [*PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=60, check=False, **settings
    )


def written(folder: Path, **texts: str) -> Path:
    """Rule files in a folder; returns the first."""
    paths = []
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.dragon"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths[0]


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, *args: Any, folder: Path) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "90", "LINES": "40", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, args)], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment
        )
        os.close(slave)
        self.shown = ""
        self.read_up_to = 0

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """What is shown up to and including a text, from where the last wait ended."""
        end = time.monotonic() + seconds
        while text not in self.shown[self.read_up_to :]:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"`{text}` never came up after:\n{self.shown[self.read_up_to :]}")
        start = self.read_up_to
        self.read_up_to = self.shown.index(text, start) + len(text)
        return self.shown[start : self.read_up_to]

    def _read(self, seconds: float) -> bool:
        if seconds <= 0 or not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode(errors="replace")).replace(
            "\r\n", "\n"
        )
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self.master, f"{text}\n".encode())

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def finish(self) -> int:
        while self._read(5):
            pass
        try:
            return self.process.wait(timeout=10)
        finally:
            self.process.kill()
            os.close(self.master)
