"""The terminal: its size, what it can show, how lines get there and come back.

Where the terminal allows it, every page is drawn on a cleared screen. In a pipe
or on a dumb terminal pages simply follow each other. Reading can have a deadline;
the time and the waiting are handed in, so that nobody has to wait in a test.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .blocks import Line
from .dress import ASCII, UNICODE, Glyphs

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 160
PIPE_HEIGHT = 60
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


class Left(Exception):
    """Nobody types any more; the match is not over."""


class TimeUp(Exception):
    """The deadline came before the answer."""


class Screen:
    def __init__(
        self,
        console: Console,
        *,
        ascii_only: bool = False,
        now: Callable[[], float] = time.monotonic,
        wait: Callable[[float | None], bool] | None = None,
    ) -> None:
        self.console = console
        self.now = now
        self.wait = wait or _wait_for_input
        self.is_terminal = console.is_terminal and sys.stdin.isatty()
        self.live = self.is_terminal and not console.is_dumb_terminal
        """May the screen be cleared and written at any place?"""
        self.plain = not console.is_terminal or console.is_dumb_terminal
        """Are there no styles at all?"""
        encodable = (console.encoding or "").lower().replace("-", "").startswith("utf")
        self.glyphs: Glyphs = UNICODE if encodable and not ascii_only else ASCII
        self._typed = b""

    @property
    def width(self) -> int:
        return max(20, min(WIDEST, self.console.width))

    @property
    def height(self) -> int:
        return max(10, self.console.height) if self.console.is_terminal else PIPE_HEIGHT

    # ------------------------------------------------------------ showing
    def show(self, lines: Sequence[Line | str]) -> None:
        from rich.text import Text

        text = Text("\n").join(self._text(line) for line in lines)
        self.console.print(text, soft_wrap=True)

    def _text(self, line: Line | str) -> Any:
        from rich.text import Text

        pieces = line.pieces if isinstance(line, Line) else ((line, ""),)
        if self.glyphs is ASCII:  # names and doc texts may have what cannot be shown
            pieces = tuple((text.encode("ascii", "replace").decode(), style) for text, style in pieces)
        return Text.assemble(*pieces)

    def page(self, lines: Sequence[Line | str]) -> None:
        """A new page: on a clean screen, or behind the last one."""
        self.clear()
        if not self.live:
            self.show([""])
        self.show(lines)

    def clear(self) -> None:
        """What was on the screen, and what can be scrolled back to, is gone."""
        if self.live:
            self.console.file.write(CLEAR)
            self.console.file.flush()

    def hide(self) -> None:
        """Make sure that nobody reads what stood here: cleared, or pushed out of sight."""
        if self.live:
            self.clear()
        elif self.is_terminal:
            self.show([""] * self.height)

    def corner(self, text: str, style: str = "bold reverse") -> None:
        """Write into the upper right corner, and leave the cursor where it is."""
        if not self.live:
            return
        from rich.text import Text

        with self.console.capture() as capture:
            self.console.print(Text(text, style=style), end="")
        column = self.width - len(text) + 1
        self.console.file.write(f"\x1b7\x1b[1;{column}H{capture.get()}\x1b8")
        self.console.file.flush()

    # ------------------------------------------------------------ reading
    def read(
        self, prompt: Line, *, deadline: float | None = None, tick: Callable[[float], None] | None = None
    ) -> str:
        """A line that somebody types. Raises `Left` at the end of input, `TimeUp` at the deadline."""
        self.console.print(self._text(prompt), end="")
        self.console.file.flush()
        text = self._line(deadline, tick)
        if not sys.stdin.isatty():  # nobody has seen it being typed
            self.show([text.rstrip("\n")])
        return text.strip()

    def _line(self, deadline: float | None, tick: Callable[[float], None] | None) -> str:
        if not self.is_terminal or os.name == "nt":  # Windows cannot wait for a console
            text = sys.stdin.readline()
            if not text:
                self.show([""])
                raise Left
            if deadline is not None and self.now() >= deadline:
                raise TimeUp
            return text
        while b"\n" not in self._typed:
            left = None if deadline is None else deadline - self.now()
            if left is not None and left <= 0:
                self.show([""])
                raise TimeUp
            if tick is not None and left is not None:
                tick(left)
            if not self.wait(None if left is None else min(1.0, left)):
                continue
            data = os.read(sys.stdin.fileno(), 4096)
            if not data:
                self.show([""])
                raise Left
            self._typed += data
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(sys.stdin.encoding or "utf-8", errors="replace")

    def pager(self, lines: Sequence[Line | str]) -> None:
        """Text to read, a page at a time."""
        wide = self.width
        wrapped: list[Line] = []
        for line in lines:
            wrapped += (line if isinstance(line, Line) else Line(line)).wrap(wide, "    ")
        if not self.is_terminal:
            self.show(wrapped)
            return
        room = self.height - 2
        for start in range(0, max(1, len(wrapped)), room):
            self.page(wrapped[start : start + room])
            more = start + room < len(wrapped)
            words = "Enter for the next page, q to go back " if more else "Enter to go back "
            if self.read(Line((words, "dim"))).lower().startswith("q"):
                break


def _wait_for_input(seconds: float | None) -> bool:
    """Wait until something was typed; false when the seconds are over."""
    return bool(select.select([sys.stdin], [], [], seconds)[0])
