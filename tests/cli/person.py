"""A person at a terminal who reads the page and types a number: for playing whole matches."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import random
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from .command import PROGRAM

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[78]")
CORNER = re.compile(r"\x1b7.*?\x1b8", re.DOTALL)
PROMPT = re.compile(r"(?:You|Player \d+)> $")
ENTER = re.compile(r"(?:press Enter|to go back|next page, q to go back) $")
OPTION = re.compile(r"(?:^|(?<=  )) *(\d+) (?=\S)", re.MULTILINE)


class Person:
    """Plays in a process of its own, at a terminal of a given size."""

    def __init__(
        self, *args: Any, folder: Path, columns: int = 80, lines: int = 24, seed: int = 1, **environment: str
    ) -> None:
        self.columns, self.lines = columns, lines
        self.random = random.Random(seed)
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        settings = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
        settings |= {"TERM": "xterm-256color", "DRAGONRULES_STATE": str(folder / "state"), **environment}
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, args)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=settings,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.raw = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.page_start = 0
        self.pages: list[str] = []
        self.typed: list[str] = []

    # ------------------------------------------------------------ the terminal
    def read(self, seconds: float = 20) -> bool:
        """More output; false when the other end is closed."""
        if not select.select([self.master], [], [], seconds)[0]:
            raise AssertionError(f"nothing more came after:\n{self.page}")
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += self.decoder.decode(data)
        if ESCAPES.sub("", self.raw[-60:]).endswith("Another match? (y/N) "):
            os.write(self.master, b"n\n")  # one is enough
        return bool(data)

    @property
    def page(self) -> str:
        """What is on the screen since it was last cleared, without styles."""
        text = CORNER.sub("", self.raw[self.page_start :])
        return ESCAPES.sub("", text.rpartition(CLEAR)[2]).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        self.pages.append(self.page)
        self.page_start = len(self.raw)
        self.typed.append(text)
        os.write(self.master, f"{text}\n".encode())

    def wait(self) -> str:
        """The page, once something is asked; empty when the program has ended."""
        end = time.monotonic() + 30
        while not (PROMPT.search(self.page) or ENTER.search(self.page)):
            if not self.read() or time.monotonic() > end:
                return ""
        return self.page

    def wait_for(self, text: str) -> str:
        end = time.monotonic() + 30
        while text not in self.page:
            if not self.read() or time.monotonic() > end:
                raise AssertionError(f"`{text}` never came up on:\n{self.page}")
        return self.page

    def finish(self) -> int:
        while self.read():
            pass
        self.pages.append(self.page)
        try:
            return self.process.wait(timeout=10)
        finally:
            self.close()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    # ------------------------------------------------------------ playing
    def choice(self, page: str) -> str:
        """Any of the numbers that the page offers."""
        if ENTER.search(page):
            return ""
        asked = page.rstrip().split("\n")[-9:-1]
        text = "\n".join(asked)
        span = re.search(r"a number from (\d+) to (\d+)", text)
        if span:
            return str(self.random.randint(int(span[1]), int(span[2])))
        few = re.search(r"^  (\d+(?: or \d+)+)$", text, re.MULTILINE)
        if few:
            return self.random.choice(few[1].split(" or "))
        numbers = [int(n) for n in OPTION.findall(text)]
        if "stand on the table" in text:
            numbers += [int(n) for n in re.findall(r"\[(\d+)\]", page)]
        assert numbers, f"no options on:\n{page}"
        return str(self.random.choice(numbers))

    def play(self, most: int = 3000) -> int:
        """Until the end; the exit code."""
        for _ in range(most):
            page = self.wait()
            if not page:
                break
            self.type(self.choice(page))
        return self.finish()

    def complaints(self) -> list[str]:
        """What is wrong with the pages that were shown."""
        out = []
        for page in self.pages:
            lines = page.split("\n")
            wide = [line for line in lines if cell_len(line) > self.columns and ".json" not in line]
            if wide:
                out.append(f"too wide: {wide[0]!r}")
            if len(lines) > self.lines + 1:
                out.append(f"too high, {len(lines)} lines:\n{page}")
            if "Traceback" in page or "internal error" in page:
                out.append(page)
        return out
